#include "judge/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "geometry/bounding_boxes.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "geometry/range_check.h"
#include "judge/coverage.h"
#include "mesh/duplicate_triangles.h"
#include "mesh/edge_bundles.h"
#include "mesh/inspect.h"
#include "mesh/validate.h"

namespace flipscope {

namespace {

using Triangle = std::array<uint32_t, 3>;

std::string number(uint64_t n) { return std::to_string(n); }
std::string pair_text(uint32_t a, uint32_t b) { return number(a) + "-" + number(b); }

/// By how many degrees the sum of the two angles opposite to an illegal edge exceeds 180, rounded; never 0.
double angle_excess(Point from, Point to, Point left, Point right) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    const auto angle_at = [&](Point apex) {
        const double ux = from.x - apex.x, uy = from.y - apex.y, vx = to.x - apex.x, vy = to.y - apex.y;
        return std::atan2(std::abs(ux * vy - uy * vx), ux * vx + uy * vy);
    };
    const double excess = (angle_at(left) + angle_at(right)) * kDegrees - 180;
    constexpr double kSure = 1e-6;  // degrees; the sum of the angles is off by 1e-13 at most
    if (excess > kSure) return excess;
    // The in-circle determinant is the product of four edges and of the sine of the excess. Scaled by a power of two,
    // which changes no digit, it is no smaller than a double can be.
    double longest = 0;
    for (const Point& apex : {left, right})
        for (const Point& end : {from, to})
            longest = std::max({longest, std::abs(end.x - apex.x), std::abs(end.y - apex.y)});
    const int scale = -std::ilogb(longest);
    const auto scaled = [&](Point p) { return Point{std::ldexp(p.x, scale), std::ldexp(p.y, scale)}; };
    const Point a = scaled(from), b = scaled(to), c = scaled(left), d = scaled(right);
    const double edges = std::hypot(a.x - c.x, a.y - c.y) * std::hypot(b.x - c.x, b.y - c.y) *
                         std::hypot(a.x - d.x, a.y - d.y) * std::hypot(b.x - d.x, b.y - d.y);
    const double sine = std::min(1.0, incircle_values(a, b, c, d).exact.rounded / edges);
    return std::max(std::asin(sine) * kDegrees, std::numeric_limits<double>::min());
}

/// The triangles around each vertex of a triangulation.
class StarIndex {
  public:
    /// `triangles` must outlive it.
    StarIndex(std::span<const std::array<uint32_t, 3>> triangles, size_t vertex_count)
        : triangles_(triangles), start_(vertex_count + 2, 0) {
        for (const auto& corners : triangles)
            for (const uint32_t v : corners) ++start_[v + 2];
        for (size_t v = 2; v < start_.size(); ++v) start_[v] += start_[v - 1];
        around_.resize(start_.back());
        for (uint32_t t = 0; t < triangles.size(); ++t)
            for (const uint32_t v : triangles[t]) around_[start_[v + 1]++] = t;
        start_.pop_back();
    }
    /// Indices of the triangles at this vertex, ascending.
    std::span<const uint32_t> around(uint32_t vertex) const {
        return std::span<const uint32_t>(around_).subspan(start_[vertex], start_[vertex + 1] - start_[vertex]);
    }
    const std::array<uint32_t, 3>& corners(uint32_t triangle) const { return triangles_[triangle]; }

  private:
    std::span<const std::array<uint32_t, 3>> triangles_;
    std::vector<uint32_t> start_, around_;
};

class Judge {
  public:
    Judge(Context& context, const Geometry& geometry) : context_(context), geometry_(geometry) {}
    Judgement judge();

  private:
    enum class Kind : uint8_t { kSound, kFlat, kDuplicate };
    struct IllegalEdge {
        uint32_t slots[2];
        double excess;
    };

    void find_exact();
    void look_at_triangles();
    void look_at_edges();
    bool leave_duplicates_out();
    void look_at_circles();
    void compare();
    void list_faults();
    void add_missing_hull();
    bool needs_search() const;
    void list_inverted();
    void list_coverage();
    void list_illegal_edges();
    void list_circles();
    void list_hull_edges();
    void list_points();
    void conclude();

    Point at(uint32_t v) const { return geometry_.points[v]; }
    uint32_t name(uint32_t v) const { return exact_.duplicate_of.empty() ? v : exact_.duplicate_of[v]; }
    uint32_t point_count() const { return static_cast<uint32_t>(geometry_.points.size()); }
    uint32_t triangle_of_slot(uint32_t slot) const { return listed_[slot / 3]; }
    uint32_t corner(uint32_t slot) const { return upright_[slot / 3][slot % 3]; }  // by name
    uint32_t apex(uint32_t slot) const { return corner(slot - slot % 3 + (slot + 2) % 3); }
    /// The point itself, not the first one of its place.
    uint32_t given(uint32_t slot, uint32_t as_name) const {
        for (const uint32_t v : geometry_.triangles[triangle_of_slot(slot)])
            if (name(v) == as_name) return v;
        return as_name;
    }
    template <class Make>
    void add(const char* code, const Make& make) {
        FailureList& report = judgement_.report;
        ++report.failure_count;
        ++judgement_.counts[code];
        if (room_for(report, code) == 0) return;
        CheckFailure failure = make();
        failure.code = code;
        report.failures.push_back(std::move(failure));
    }
    CheckFailure of_points(std::string sentence, std::initializer_list<uint32_t> points) const {
        CheckFailure failure{{}, std::move(sentence), {}, {}, {}};
        for (const uint32_t v : points) {
            failure.vertices.push_back(v);
            failure.places.push_back(geometry_.at(v));
        }
        return failure;
    }
    void tell(uint64_t count, const char* one, const char* many) {
        if (count == 0) return;
        faults_ += (faults_.empty() ? "" : ", ") + count_text(count, one, many);
    }

    Context& context_;
    const Geometry& geometry_;
    Judgement judgement_;
    Triangulation exact_;
    std::vector<uint32_t> next_on_hull_;  // (n) by name, counter-clockwise; kNone: not on the hull

    bool tiles_ = true;              // the hull, so far
    std::vector<uint32_t> listed_;   // triangles with three places, by index
    std::vector<Triangle> upright_;  // as listed_: names, counter-clockwise
    std::vector<int8_t> turns_;      // as listed_
    int8_t minority_ = -1;           // the rarer turn; if both are as frequent, clockwise
    bool well_formed_ = true;        // every triangle has three places, not on a line
    bool has_duplicates_ = false, searched_pairs_ = false;
    std::vector<Kind> kinds_;          // as listed_
    std::vector<uint8_t> used_;        // (n) by name: some triangle has a point of this place
    std::vector<uint32_t> first_use_;  // (n) by name: the first point of the place that a triangle uses
    std::vector<std::array<uint32_t, 2>> shared_places_;  // a used point, and another used one of its place before it
    std::optional<EdgeBundles> edges_;
    std::vector<IllegalEdge> illegal_;
    std::vector<ExcessEdge> excess_;
    struct FullCircle {
        uint32_t listed;  // index into listed_
        uint32_t inside;  // the lowest neighbour, at the corner in the exact triangulation, inside the circle
    };
    std::vector<FullCircle> not_empty_;  // ascending
    std::vector<VertexPair> missing_hull_edges_;
    MeshInspection faults_found_;  // if the triangles do not tile the hull
    Coverage coverage_;
    std::string faults_;
};

void Judge::find_exact() {
    require_in_range(std::span<const Point>(geometry_.points), "point");
    TriangulateOptions options;
    options.neighbours = options.hash = false;
    exact_ = triangulate(context_, geometry_.points, options);
    judgement_.exact_hull_edges = exact_.hull.size();
    judgement_.in_one_line = exact_.triangles.empty();
    for (uint32_t v = 0; v < exact_.duplicate_of.size(); ++v) judgement_.duplicates += exact_.duplicate_of[v] != v;
    // Euler: every inner edge has two triangles, every edge of the hull one.
    judgement_.exact_edges = (3 * exact_.triangles.size() + exact_.hull.size()) / 2;
    next_on_hull_.assign(geometry_.points.size(), kNone);
    for (size_t i = 0; i < exact_.hull.size(); ++i)
        next_on_hull_[exact_.hull[i]] = exact_.hull[(i + 1) % exact_.hull.size()];
}

void Judge::look_at_triangles() {
    const uint32_t n = point_count();
    used_.assign(n, 0);
    first_use_.assign(exact_.duplicate_of.empty() ? 0 : n, kNone);
    std::vector<uint8_t> second_use(first_use_.size(), 0);
    listed_.reserve(geometry_.triangles.size());
    upright_.reserve(geometry_.triangles.size());
    CancelPoll poll;
    for (uint32_t t = 0; t < geometry_.triangles.size(); ++t) {
        poll();
        const Triangle& c = geometry_.triangles[t];
        if (c[0] >= n || c[1] >= n || c[2] >= n) {
            tiles_ = judgement_.delaunay = false;
            continue;
        }
        const Triangle names{name(c[0]), name(c[1]), name(c[2])};
        for (uint32_t k = 0; k < 3; ++k) {
            used_[names[k]] = 1;
            if (first_use_.empty()) continue;
            uint32_t& first = first_use_[names[k]];
            if (first == kNone) first = c[k];
            if (first == c[k] || second_use[c[k]]) continue;
            second_use[c[k]] = 1;
            shared_places_.push_back({c[k], first});
        }
        if (names[0] == names[1] || names[1] == names[2] || names[2] == names[0]) {
            tiles_ = judgement_.delaunay = false;
            continue;
        }
        listed_.push_back(t);
        upright_.push_back(names);
    }
    std::sort(shared_places_.begin(), shared_places_.end());
    kinds_.assign(listed_.size(), Kind::kSound);
    turns_.resize(listed_.size());
    in_parallel(&context_, static_cast<uint32_t>(listed_.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) {
            Triangle& c = upright_[i];
            turns_[i] = static_cast<int8_t>(orient2d(at(c[0]), at(c[1]), at(c[2])));
            if (turns_[i] < 0) std::swap(c[1], c[2]);
            if (turns_[i] == 0) kinds_[i] = Kind::kFlat;
        }
    });
    size_t sides[3] = {};  // clockwise, flat, counter-clockwise
    for (const int8_t turn : turns_) ++sides[turn + 1];
    if (sides[1] > 0) tiles_ = judgement_.delaunay = false;
    minority_ = sides[0] > sides[2] ? 1 : -1;
    if (sides[0] > 0 && sides[2] > 0) tiles_ = false;
    well_formed_ = listed_.size() == geometry_.triangles.size() && sides[1] == 0;
}

/// Legality of every edge, and the number of triangles on each side; the outside of the hull counts as one.
void Judge::look_at_edges() {
    const uint32_t n = point_count();
    if (!edges_)
        edges_.emplace(View<const uint32_t>{upright_.empty() ? nullptr : upright_[0].data(), 3 * upright_.size()}, n,
                       &context_);
    illegal_.clear();
    excess_.clear();
    struct Part {
        std::vector<IllegalEdge> illegal;
        std::vector<ExcessEdge> excess;
        size_t edges = 0, hull_edges = 0;
    };
    std::vector<Part> parts((size_t(n) + kPart - 1) / kPart);
    in_parallel(&context_, n, [&](uint32_t first, uint32_t last) {
        Part& part = parts[first / kPart];
        edges_->each(first, last, [&](const EdgeBundle& edge) {
            uint32_t slots[2] = {kNone, kNone};  // where the edge leads from the lesser to the greater vertex, and back
            int32_t on_left = 0, on_right = 0;
            for (uint32_t i = 0; i < edge.count; ++i) {
                const uint32_t slot = edge.corner(i);
                if (kinds_[slot / 3] != Kind::kSound) continue;
                const bool forward = corner(slot) == edge.lesser;
                ++(forward ? on_left : on_right);
                slots[forward ? 0 : 1] = slot;
            }
            const int32_t hull = next_on_hull_[edge.lesser] == edge.greater   ? 1
                                 : next_on_hull_[edge.greater] == edge.lesser ? -1
                                                                              : 0;
            ++part.edges;
            part.hull_edges += hull != 0;
            if (const int32_t excess = on_left - on_right - hull)
                part.excess.push_back({edge.lesser, edge.greater, excess});
            if (on_left != 1 || on_right != 1) return;
            const Point from = at(edge.lesser), to = at(edge.greater), left = at(apex(slots[0])),
                        right = at(apex(slots[1]));
            if (incircle(from, to, left, right) > 0)
                part.illegal.push_back({{slots[0], slots[1]}, angle_excess(from, to, left, right)});
        });
    });
    size_t hull_edges = 0;
    judgement_.edge_count = 0;
    for (Part& part : parts) {
        judgement_.edge_count += part.edges;
        illegal_.insert(illegal_.end(), part.illegal.begin(), part.illegal.end());
        excess_.insert(excess_.end(), part.excess.begin(), part.excess.end());
        hull_edges += part.hull_edges;
    }
    // Upright triangles whose edges cancel except for the hull, once around, cover it exactly once.
    if (hull_edges != exact_.hull.size() || !excess_.empty()) tiles_ = false;
}

/// Marks duplicate triangles. False: none exist.
bool Judge::leave_duplicates_out() {
    const std::vector<DuplicateTriangle> found = find_duplicate_triangles(upright_, point_count(), &context_);
    for (const DuplicateTriangle& one : found)
        if (kinds_[one.triangle] == Kind::kSound) kinds_[one.triangle] = Kind::kDuplicate;
    return !found.empty();
}

/// If triangles tile the hull and all edges are legal, all circles are empty. Else each triangle is tested separately:
/// its circle is empty if and only if, at any one corner, no neighbour in the exact triangulation of the same vertices
/// is inside, because the circle's centre is in the corner's Voronoi cell if and only if no neighbour is nearer to it.
void Judge::look_at_circles() {
    if (listed_.empty()) return;
    const uint32_t n = point_count();
    std::vector<uint32_t> points, vertex_of(n, kNone);  // the point of a vertex, and its inverse
    bool all = true;
    for (uint32_t v = 0; v < n; ++v) {
        all = all && (used_[v] || name(v) != v);
        if (!used_[v]) continue;
        vertex_of[v] = static_cast<uint32_t>(points.size());
        points.push_back(v);
    }
    std::vector<Triangle> made = exact_.triangles;
    if (all) {
        for (Triangle& corners : made)
            for (uint32_t& v : corners) v = vertex_of[v];
    } else {
        std::vector<Point> vertices;
        for (const uint32_t v : points) vertices.push_back(at(v));
        TriangulateOptions options;
        options.neighbours = options.hash = options.hull = options.duplicates = false;
        made = triangulate(context_, vertices, options).triangles;
    }
    if (made.empty()) return;  // all triangles are flat
    const StarIndex stars(made, points.size());
    std::vector<uint32_t> inside(listed_.size(), kNone);  // a point in the circle
    std::vector<uint8_t> has_illegal(listed_.size(), 0);
    for (const IllegalEdge& edge : illegal_)
        for (const uint32_t slot : edge.slots) has_illegal[slot / 3] = 1;
    in_parallel(&context_, static_cast<uint32_t>(listed_.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) {
            if (kinds_[i] != Kind::kSound) continue;
            const auto [p, q, r] = upright_[i];
            const Triangle own{vertex_of[p], vertex_of[q], vertex_of[r]};
            const auto star = stars.around(own[0]);
            const auto is_own = [&](uint32_t t) {
                const Triangle& c = stars.corners(t);
                return std::find(c.begin(), c.end(), own[1]) != c.end() &&
                       std::find(c.begin(), c.end(), own[2]) != c.end();
            };
            if (std::any_of(star.begin(), star.end(), is_own)) continue;  // the usual case: it is Delaunay
            for (const uint32_t t : star)
                for (const uint32_t corner : stars.corners(t)) {
                    const uint32_t v = points[corner];
                    if (v == p || v == q || v == r) continue;  // on the circle, which doubles cannot decide
                    if (v < inside[i] && incircle(at(p), at(q), at(r), at(v)) > 0) inside[i] = v;
                }
        }
    });
    for (uint32_t i = 0; i < listed_.size(); ++i) {
        if (inside[i] == kNone) continue;
        judgement_.delaunay = false;
        if (!has_illegal[i]) not_empty_.push_back({i, inside[i]});
    }
}

void Judge::compare() {
    const uint32_t n = point_count();
    const EdgeBundles exact_edges(
        {exact_.triangles.empty() ? nullptr : exact_.triangles[0].data(), 3 * exact_.triangles.size()}, n, &context_);
    struct Part {
        std::vector<VertexPair> missed, spurious, ties, hull;
    };
    std::vector<Part> parts((size_t(n) + kPart - 1) / kPart);
    std::optional<StarIndex> stars;
    // Stars are needed only for edges that the exact triangulation does not have: seldom, and then all at once.
    const auto spurious_is_tie = [&](VertexPair edge) {
        for (const uint32_t t : stars->around(edge[0])) {
            const Triangle& c = stars->corners(t);
            if (incircle(at(c[0]), at(c[1]), at(c[2]), at(edge[1])) == 0) return true;
        }
        return false;
    };
    in_parallel(&context_, n, [&](uint32_t first, uint32_t last) {
        Part& part = parts[first / kPart];
        for (uint32_t v = first; v < last; ++v) {
            std::vector<uint32_t> judged;
            edges_->each(v, v + 1, [&](const EdgeBundle& edge) { judged.push_back(edge.greater); });
            size_t next = 0;
            exact_edges.each(v, v + 1, [&](const EdgeBundle& edge) {
                while (next < judged.size() && judged[next] < edge.greater)
                    part.spurious.push_back({v, judged[next++]});
                if (next < judged.size() && judged[next] == edge.greater) {
                    ++next;
                    return;
                }
                part.missed.push_back({v, edge.greater});
                if (next_on_hull_[v] == edge.greater || next_on_hull_[edge.greater] == v) {
                    part.hull.push_back({v, edge.greater});
                } else if (edge.count == 2) {
                    const auto corner_at = [&](uint32_t slot, uint32_t k) {
                        return at(exact_.triangles[slot / 3][(slot % 3 + k) % 3]);
                    };
                    const uint32_t s = edge.corner(0), t = edge.corner(1);
                    if (incircle(corner_at(s, 0), corner_at(s, 1), corner_at(s, 2), corner_at(t, 2)) == 0)
                        part.ties.push_back({v, edge.greater});
                }
            });
            while (next < judged.size()) part.spurious.push_back({v, judged[next++]});
        }
    });
    Differences& found = judgement_.differences;
    const auto take = [](std::vector<VertexPair>& to, const std::vector<VertexPair>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (const Part& part : parts) {
        take(found.missed, part.missed);
        take(found.spurious, part.spurious);
        take(found.ties, part.ties);
        take(missing_hull_edges_, part.hull);
    }
    if (found.spurious.empty() || exact_.triangles.empty()) return;
    stars.emplace(exact_.triangles, n);
    std::vector<uint8_t> tied(found.spurious.size());
    in_parallel(&context_, static_cast<uint32_t>(tied.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) tied[i] = spurious_is_tie(found.spurious[i]);
    });
    for (size_t i = 0; i < tied.size(); ++i)
        if (tied[i]) found.ties.push_back(found.spurious[i]);
    sort_or_cancel(found.ties.begin(), found.ties.end(),
                   [](const VertexPair& a, const VertexPair& b) { return a < b; });
}

/// The triangle defects of inspect_mesh(); point defects follow below, and points are compared by place. Triangles that
/// overlap or wrongly touch others are in suspect boxes, so only those are compared. The exception is points that share
/// a place: coincident triangles of different points overlap for inspect_mesh(), and are duplicates here.
void Judge::list_faults() {
    std::vector<uint8_t> suspects(geometry_.triangles.size(), 0);
    const BoxCover cover(coverage_.suspects, listed_.size());
    in_parallel(&context_, static_cast<uint32_t>(listed_.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) {
            const Triangle& c = upright_[i];
            suspects[listed_[i]] = cover.may_meet(BoundingBox::of(at(c[0]), at(c[1]), at(c[2])));
        }
    });
    InspectOptions options{&context_};
    options.points = false;
    if (shared_places_.empty()) options.suspects = suspects;
    faults_found_ = inspect_mesh(geometry_, options);
    judgement_.searched_all = faults_found_.searched_all;
    judgement_.edges = faults_found_.edges;
    judgement_.triangulation = faults_found_.report.passed;
    judgement_.report.failures = std::move(faults_found_.report.failures);
    judgement_.report.failure_count = faults_found_.report.failure_count;
    judgement_.counts = std::move(faults_found_.counts);
}

/// Hull edges without a triangle are excess edges, too.
void Judge::add_missing_hull() {
    for (const uint32_t v : exact_.hull) {
        const VertexPair edge{std::min(v, next_on_hull_[v]), std::max(v, next_on_hull_[v])};
        if (std::binary_search(missing_hull_edges_.begin(), missing_hull_edges_.end(), edge))
            excess_.push_back({v, next_on_hull_[v], -1});
    }
}

/// If no winding number of the excess edges is positive, no place is covered twice: then no triangles overlap and no
/// edges cross, and well-formed triangles can be wrong only in orientation.
bool Judge::needs_search() const {
    return !well_formed_ || has_duplicates_ || !shared_places_.empty() || !coverage_.suspects.empty();
}

void Judge::list_inverted() {
    uint64_t inverted = 0;
    for (size_t i = 0; i < listed_.size(); ++i) {
        if (turns_[i] != minority_) continue;
        ++inverted;
        add("inverted-triangle", [&] {
            const Triangle& c = geometry_.triangles[listed_[i]];
            CheckFailure failure = of_points(triangle_name(listed_[i], c) + " is inverted: its corners run " +
                                                 (minority_ > 0 ? "counter-clockwise" : "clockwise") + ", unlike most",
                                             {c[0], c[1], c[2]});
            failure.elements = {{ElementKind::kTriangle, listed_[i]}};
            return failure;
        });
    }
    if (inverted > 0) judgement_.triangulation = false;
    tell(inverted, "inverted triangle", "inverted triangles");
}

void Judge::list_coverage() {
    judgement_.searched_all = judgement_.searched_all && coverage_.complete;
    judgement_.holes = coverage_.holes;
    for (const Hole& hole : coverage_.holes)
        add("missing-area", [&] {
            CheckFailure failure = of_points({}, {});
            failure.vertices.assign(hole.vertices.begin(), hole.vertices.end());
            failure.places = {{hole.inside.x, hole.inside.y, 0}};
            failure.value = hole.area;
            std::string around;
            for (size_t i = 0; i < std::min<size_t>(hole.vertices.size(), 12); ++i)
                around += (i ? ", " : "") + number(hole.vertices[i]);
            if (hole.vertices.size() > 12) around += ", …";
            failure.sentence = "no triangle covers an area of " + format_plainly(hole.area, hole.area * 1e-6) +
                               " around " + place_in_brackets(hole.inside) +
                               (around.empty() ? "" : "; points along its outline: " + around);
            return failure;
        });
    if (!coverage_.holes.empty() || !coverage_.complete) judgement_.complete = false;
}

void Judge::list_illegal_edges() {
    for (const IllegalEdge& edge : illegal_) {
        const uint32_t s = edge.slots[0], t = edge.slots[1];
        const uint32_t a = given(s, corner(s)), b = given(s, corner(t)), inside = given(t, apex(t));
        VertexPair pair{std::min(a, b), std::max(a, b)};
        uint32_t id = static_cast<uint32_t>(judgement_.edges.size());
        if (!searched_pairs_)
            judgement_.edges.push_back(pair);
        else
            id = static_cast<uint32_t>(std::lower_bound(faults_found_.edges.begin(), faults_found_.edges.end(), pair) -
                                       faults_found_.edges.begin());
        add("illegal-edge", [&] {
            CheckFailure failure = of_points({}, {pair[0], pair[1]});
            failure.elements = {{ElementKind::kEdge, id}};
            failure.value = edge.excess;
            for (const uint32_t slot : edge.slots) {
                failure.elements.push_back({ElementKind::kTriangle, triangle_of_slot(slot)});
                for (const uint32_t v : geometry_.triangles[triangle_of_slot(slot)]) {
                    failure.vertices.push_back(v);
                    failure.places.push_back(geometry_.at(v));
                }
            }
            failure.sentence = "edge " + pair_text(pair[0], pair[1]) + " is illegal: point " + number(inside) +
                               " lies inside the circle of triangle " + number(triangle_of_slot(s)) +
                               ", the opposite angles exceed 180° by " +
                               format_plainly(edge.excess, edge.excess * 1e-4) + "°";
            return failure;
        });
    }
}

void Judge::list_circles() {
    for (const FullCircle& one : not_empty_)
        add("circle-not-empty", [&] {
            const uint32_t t = listed_[one.listed];
            const auto& c = geometry_.triangles[t];
            CheckFailure failure = of_points(
                "point " + number(one.inside) + " lies inside the circle of triangle " + number(t), {c[0], c[1], c[2]});
            failure.elements = {{ElementKind::kTriangle, t}};
            return failure;
        });
}

void Judge::list_hull_edges() {
    for (const VertexPair& edge : missing_hull_edges_)
        add("missing-hull-edge", [&] {
            return of_points("no edge joins points " + number(edge[0]) + " and " + number(edge[1]) +
                                 ", which are neighbours on the convex hull",
                             {edge[0], edge[1]});
        });
    if (!missing_hull_edges_.empty()) judgement_.complete = false;
}

void Judge::list_points() {
    const auto with_elements = [](CheckFailure failure) {
        for (const int64_t v : failure.vertices)
            failure.elements.push_back({ElementKind::kVertex, static_cast<uint32_t>(v)});
        return failure;
    };
    for (const auto& [copy, first] : shared_places_)
        add("shared-place", [&, copy = copy, first = first] {
            return with_elements(of_points("triangles use point " + number(copy) + " and point " + number(first) +
                                               ", which lie at one place, " + place_in_brackets(at(copy)),
                                           {copy, first}));
        });
    uint64_t unused = 0;
    CancelPoll poll;
    for (uint32_t v = 0; v < point_count() && !judgement_.in_one_line; ++v) {
        poll();
        if (used_[v] || name(v) != v) continue;
        ++unused;
        add("unused-point", [&] {
            return with_elements(
                of_points("point " + number(v) + " at " + place_in_brackets(at(v)) + " is in no triangle", {v}));
        });
    }
    for (uint32_t v = 0; v < exact_.duplicate_of.size(); ++v) {
        poll();
        if (name(v) == v) continue;
        add("duplicate-point", [&] {
            CheckFailure note = with_elements(of_points(
                "point " + number(v) + " lies where point " + number(name(v)) + " does, at " + place_in_brackets(at(v)),
                {v, name(v)}));
            note.noted = true;
            return note;
        });
    }
    if (!shared_places_.empty()) judgement_.triangulation = false;
    if (unused > 0) judgement_.complete = false;
    tell(shared_places_.size(), "point at a place that triangles use twice",
         "points at places that triangles use twice");
    tell(unused, "unused point", "unused points");
}

void Judge::conclude() {
    FailureList& report = judgement_.report;
    report.passed = judgement_.triangulation && judgement_.complete && judgement_.delaunay;
    tell(coverage_.holes.size(), "missing area", "missing areas");
    tell(missing_hull_edges_.size(), "missing edge of the hull", "missing edges of the hull");
    tell(illegal_.size(), "illegal edge", "illegal edges");
    tell(not_empty_.size(), "circle that is not empty", "circles that are not empty");
    if (!judgement_.triangulation && searched_pairs_) {
        // inspect_mesh() explains the defects that no triangulation may have.
        const std::string& found = faults_found_.report.sentence;
        const size_t from = found.find(": "), to = found.find(';', from);
        if (!faults_found_.report.passed && from != std::string::npos)
            faults_ = found.substr(from + 2, to - from - 2) + (faults_.empty() ? "" : ", ") + faults_;
    }
    const std::string made = count_text(geometry_.triangles.size(), "triangle", "triangles");
    const std::string name = geometry_.name.empty() ? "this" : geometry_.name;
    if (report.passed && judgement_.in_one_line)
        report.sentence = name + ": all points lie on one line, and there is no triangle";
    else if (report.passed)
        report.sentence =
            name + " is a Delaunay triangulation of all " + number(geometry_.points.size()) + " points: " + made;
    else
        report.sentence = name + " is not a Delaunay triangulation of all " + number(geometry_.points.size()) +
                          " points (" + made + "): " + faults_;
    if (judgement_.duplicates > 0)
        report.sentence += "; " + count_text(judgement_.duplicates, "point lies at the place of another",
                                             "points lie at the places of others");
    const Differences& found = judgement_.differences;
    if (!found.missed.empty() || !found.spurious.empty())
        report.sentence +=
            "; beside the exact triangulation it lacks " + count_text(found.missed.size(), "edge", "edges") +
            " and has " + number(found.spurious.size()) + " more" +
            (found.ties.empty()
                 ? ""
                 : ", of which " + count_text(found.ties.size(), "is a tie", "are ties") + ", legal either way");
    if (!judgement_.searched_all) report.sentence += "; the search ended early, so there may be more";
}

Judgement Judge::judge() {
    if (geometry_.in_space())
        throw Error(geometry_.name + " is a surface in space, and triangulations of the plane are judged here");
    find_exact();
    look_at_triangles();
    look_at_edges();
    if (!shared_places_.empty()) tiles_ = false;
    has_duplicates_ = !tiles_ && leave_duplicates_out();
    if (has_duplicates_) look_at_edges();
    judgement_.delaunay = judgement_.delaunay && illegal_.empty();
    compare();
    if (!tiles_) {
        add_missing_hull();
        coverage_ = find_coverage(geometry_.points, excess_);
        searched_pairs_ = needs_search();
        if (searched_pairs_)
            list_faults();
        else
            list_inverted();
        list_coverage();
    }
    if (!tiles_ || !illegal_.empty()) look_at_circles();
    list_hull_edges();
    list_illegal_edges();
    list_circles();
    list_points();
    conclude();
    judgement_.exact = std::move(exact_.triangles);
    return std::move(judgement_);
}

}  // namespace

Judgement judge(Context& context, const Geometry& geometry) {
    const CancelScope scope(context.cancel_flag());
    return Judge(context, geometry).judge();
}

Judgement judge(Context& context, std::span<const Point> points, TriangleSpan triangles) {
    Geometry geometry{"the input", {points.begin(), points.end()}};
    geometry.triangles.assign(triangles.begin(), triangles.end());
    return judge(context, geometry);
}

bool spoils(const std::string& code) { return code != "duplicate-point"; }

const std::vector<DefectCode>& defect_codes() {
    static const std::vector<DefectCode> codes{
        {"missing-vertex", "a triangle names a vertex that does not exist"},
        {"repeated-vertex", "a triangle has one vertex at two of its corners"},
        {"duplicate-triangle", "a triangle has the three vertices of an earlier one"},
        {"flat-triangle", "the corners of a triangle lie on one line"},
        {"inverted-triangle", "a triangle runs the other way round than most"},
        {"edge-with-three-triangles", "three triangles or more have this edge; the amount says how many"},
        {"folded-edge", "the two triangles of an edge lie on the same side of it"},
        {"overlapping-triangles", "the interiors of two triangles meet"},
        {"crossing-edges", "two edges cross"},
        {"vertex-on-edge", "a vertex lies between the ends of an edge"},
        {"no-triangulation", "the triangles do not fit together, and the search for the place ended early"},
        {"missing-area",
         "no triangle covers this part of the convex hull; the amount is its area, the points are its outline"},
        {"missing-hull-edge", "no edge joins two points that are neighbours on the convex hull"},
        {"illegal-edge",
         "the circle of one of its triangles has the apex of the other inside; the amount says by how many degrees the "
         "opposite angles exceed 180 together"},
        {"circle-not-empty", "the circle of a triangle without an illegal edge has a vertex inside"},
        {"shared-place", "triangles use two points of one place"},
        {"unused-point", "no triangle has a point of this place"},
        {"duplicate-point", "a point lies at the place of an earlier one; this is not a failure"},
    };
    return codes;
}

}  // namespace flipscope
