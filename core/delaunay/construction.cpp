#include "delaunay/construction.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "compute/error.h"
#include "delaunay/hull.h"
#include "delaunay/locate.h"
#include "mesh/hash.h"
#include "mesh/legality.h"
#include "steps/facts.h"

namespace flipscope {

// ---- from input to mesh ---------------------------------------------------------------------------------------------

void Construction::begin(Context& context, std::shared_ptr<const Geometry> input) {
    if (input->in_space() && !info().takes_surfaces)
        throw Error(input->name +
                    ": this is a surface in space, and this lab takes points of the plane; the Flip lab "
                    "takes surfaces");
    const size_t n = input->points.size();
    if (n > kMostTriangles / 2 - 8)
        throw Error(input->name + ": " + std::to_string(n) + " points are too many; at most " +
                    std::to_string(kMostTriangles / 2 - 8) + " can be triangulated");
    context_ = &context;
    input_ = std::move(input);
    helpers_ = 0;
    bounds_ = {};
    distinct_ = 0;
    path_.clear();
    mesh_.vertex_count = mesh_.triangle_count = mesh_.edge_count = 0;
    mesh_.reset_states(context, false);
    lost_.reset();
}

void Construction::order_input(uint32_t helpers, std::string& message) {
    const OrderedPoints ordered = order_points(*context_, *input_, helpers + 1, mesh_.positions, mesh_.inputs);
    distinct_ = ordered.count;
    bounds_ = ordered.bounds;
    const size_t n = input_->points.size();
    if (n == 0) message = "There are no points: nothing to triangulate.";
    if (distinct_ < n)
        message =
            std::to_string(n - distinct_) + " of " + std::to_string(n) +
            (n - distinct_ == 1 ? " points is a duplicate and was merged." : " points are duplicates and were merged.");
}

std::string Construction::join_line() {
    path_ = sort_along_line(*context_, mesh_.positions, distinct_);
    mesh_.reset(*context_, distinct_, wants_states_);
    mesh_.positions.write(mesh_.infinite(), bounds_.low);
    if (distinct_ == 1) return "There is one point: nothing to triangulate.";
    if (distinct_ == 2) return "There are two points: one edge and no triangle.";
    return "All " + std::to_string(distinct_) +
           " points lie on one line: there is no triangle; they are joined in order.";
}

void Construction::start_mesh(uint32_t helpers, uint32_t a, uint32_t b, uint32_t c) {
    helpers_ = helpers;
    mesh_.reset(*context_, distinct_ + helpers, wants_states_);
    mesh_.positions.write(mesh_.infinite(), bounds_.low);
    mesh_.inputs.write(mesh_.infinite(), kNone);
    mesh_.start(a, b, c);
}

// ---- what to draw ---------------------------------------------------------------------------------------------------

Scene Construction::scene() const {
    Scene scene;
    scene.low = bounds_.low;
    scene.high = bounds_.high;
    if (distinct_ == 0) return scene;
    scene.mesh = &mesh_;
    scene.point_count = distinct_;
    if (helpers_) scene.helper_begin = distinct_;
    scene.path = path_;
    using E = LegendEntry::Element;
    scene.legend = {
        {E::kEdge, kStateCycling, Role::kCycling, "cycling", "This edge flips back and forth without end."},
        {E::kEdge, kStateWon, Role::kWon, "flipped", "It held both its triangles and flipped."},
        {E::kEdge, kStateLost, Role::kLost, "illegal, lost", "Illegal, but another edge took one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal", "The circle through one triangle holds the other's apex."},
        {E::kEdge, kStateInconsistent, Role::kInconsistent, "inconsistent",
         "A flip moved it to another triangle, and it does not know yet."},
        {E::kEdge, kStateSuspect, Role::kSuspect, "suspected", "It can have become illegal and will be tested."},
        {E::kEdge, kStateFresh, Role::kFresh, "new", "Made in this round."},
        {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Turned by the last flip."},
        {E::kTriangle, kStateFresh, Role::kFresh, "split", "Made by a split in this round."},
        {E::kVertex, kStateHelper, Role::kHelper, "supertriangle", "Not a point of the input."},
        {E::kVertex, kStateChosen, Role::kChosen, "chosen", "The point that its triangle takes in next."},
        {E::kVertex, kStateFresh, Role::kFresh, "inserted", "Inserted in this round."},
        {E::kVertex, kStateWaiting, Role::kWaiting, "waiting", "Not inserted yet."},
    };
    if (helpers_ && done()) {
        scene.missing = lost_hull_edges();
        if (!scene.missing.empty())
            scene.legend.insert(scene.legend.begin(), {E::kEdge, kStateMissing, Role::kMissing, "lost hull edge",
                                                       "An edge of the convex hull: the supertriangle is too near."});
    }
    return scene;
}

// ---- inspection -----------------------------------------------------------------------------------------------------

namespace {

struct Corner {
    uint32_t id, input;
    bool infinite;
    Point at;
    std::string name;
};

Corner corner_of(const TriangleMesh& mesh, uint32_t v) {
    if (v == mesh.infinite()) return {v, kNone, true, {}, "infinity"};
    const uint32_t input = mesh.inputs.read(v);
    return {v, input, false, mesh.positions.read(v), "point " + std::to_string(input)};
}

/// An edge and its two triangles in the host's memory, so that what is told of it is what the rules themselves say.
class HostQuad {
  public:
    HostQuad(const Corner& from, const Corner& to, const Corner& left, const Corner& right) {
        quad_.from = take(0, from);
        quad_.to = take(1, to);
        quad_.left = take(2, left);
        quad_.right = right.id == left.id ? quad_.left : take(3, right);
    }

    bool is_illegal() const {
        MeshView mesh;
        mesh.positions = {at_, kInfinite};
        mesh.inputs = {inputs_, kInfinite};
        mesh.infinite = kInfinite;
        return flipscope::is_illegal(mesh, quad_, PredicateMode::kExact);
    }

  private:
    static constexpr uint32_t kInfinite = 4;
    uint32_t take(uint32_t place, const Corner& corner) {
        if (corner.infinite) return kInfinite;
        at_[place] = corner.at;
        inputs_[place] = corner.input;
        return place;
    }

    Point at_[kInfinite];
    uint32_t inputs_[kInfinite] = {};
    Quad quad_{};
};

/// What `value` is where rounding can have changed it by `error` at most, or nothing but 0 is left of it, exactly.
Fact determinant_fact(const detail::Determinant& rounded, int sign) {
    const std::string value = format_short(rounded.value), error = format_short(rounded.error);
    if (sign == 0)
        return {"Determinant", "0",
                rounded.value == 0 ? "exactly; in doubles, too"
                                   : "exactly; in doubles it is " + value + ", off by at most " + error};
    return {"Determinant", value + " ± " + error,
            std::fabs(rounded.value) > rounded.error
                ? "in doubles, and the most by which rounding has changed it: its sign is sure"
                : "in doubles, and the most by which rounding has changed it: too near to 0, so its sign comes from "
                  "exact arithmetic"};
}

/// Where the signs that naive programs would find are not the true one.
void add_naive(int in_double, int in_float, int sign, std::vector<Fact>& facts) {
    if (in_double == sign && in_float == sign) return;
    facts.push_back({"Naive predicates",
                     std::string("double: ") + sign_name(in_double) + ", float: " + sign_name(in_float),
                     "these would answer differently"});
}

void inspect_vertex(const Corner& v, bool helper, std::vector<Fact>& facts) {
    facts.push_back({"Point", helper ? "corner of the supertriangle" : std::to_string(v.input),
                     helper ? "not part of the input" : "index in the input, from 0"});
    facts.push_back({"x", format_exactly(v.at.x), "world units, exactly as read"});
    facts.push_back({"y", format_exactly(v.at.y), ""});
    facts.push_back({"Place on the curve", std::to_string(v.id), "its id while building"});
    facts.push_back({"Tie rank", std::to_string(tie_rank(v.input)),
                     "of four points on a circle the one with the highest rank is cut off by the diagonal"});
}

void inspect_triangle(const Corner (&c)[3], std::vector<Fact>& facts) {
    const Point a = c[0].at, b = c[1].at, d = c[2].at;
    const detail::Determinant doubled = detail::orient2d(a, b, d);
    const int turn = orient2d(a, b, d);
    facts.push_back({"Orientation",
                     turn > 0   ? "counter-clockwise"
                     : turn < 0 ? "clockwise: turned over"
                                : "flat",
                     turn == 0 ? "exactly: its three points lie on one line" : "exact"});
    add_naive(orient2d_double(a, b, d), orient2d_float(a, b, d), turn, facts);
    const std::string area = format_short(doubled.value / 2), error = format_short(doubled.error / 2);
    if (turn == 0) {
        facts.push_back({"Area", "0",
                         doubled.value == 0 ? "exactly" : "exactly; in doubles " + area + ", off by at most " + error});
        facts.push_back({"Least angle", "0\xc2\xb0", ""});
        for (const char* name : {"Circumcentre", "Circumradius"})
            facts.push_back({name, "none", "no circle goes through three points of one line"});
        return;
    }
    const bool sure = std::fabs(doubled.value) > doubled.error;
    facts.push_back(
        {"Area", sure ? area : area + " ± " + error,
         sure ? "world units squared" : "world units squared, in doubles: its sign is told by the orientation"});
    double least = 180;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point p = c[k].at, q = c[(k + 1) % 3].at, r = c[(k + 2) % 3].at;
        const double angle = std::atan2(std::fabs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)),
                                        (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y));
        least = std::min(least, angle * 180 / 3.14159265358979323846);
    }
    facts.push_back({"Least angle", format_short(least) + "\xc2\xb0", ""});
    if (!sure) {
        for (const char* name : {"Circumcentre", "Circumradius"})
            facts.push_back({name, "not known", "the triangle is so nearly flat that doubles cannot tell"});
        return;
    }
    const double bx = b.x - a.x, by = b.y - a.y, dx = d.x - a.x, dy = d.y - a.y;
    const double b2 = bx * bx + by * by, d2 = dx * dx + dy * dy, four = 2 * doubled.value;
    const double ux = (dy * b2 - by * d2) / four, uy = (bx * d2 - dx * b2) / four, radius = std::hypot(ux, uy);
    constexpr double kResolution = 1e-6;  // of the radius
    facts.push_back({"Circumcentre", place_text({a.x + ux, a.y + uy}, kResolution * radius), "rounded"});
    facts.push_back({"Circumradius", format_short(radius), "world units"});
}

}  // namespace

std::vector<Fact> Construction::inspect(Element element) const {
    std::vector<Fact> facts;
    if (element.id == kNone || distinct_ == 0) return facts;
    if (element.kind == ElementKind::kVertex) {
        if (element.id < mesh_.infinite()) inspect_vertex(corner_of(mesh_, element.id), element.id >= distinct_, facts);
        return facts;
    }
    if (element.kind == ElementKind::kEdge) {
        if (element.id < mesh_.edge_count) inspect_edge(element.id, facts);
        return facts;
    }
    if (element.id >= mesh_.triangle_count) return facts;
    Corner c[3];
    std::string names;
    for (uint32_t k = 0; k < 3; ++k) {
        c[k] = corner_of(mesh_, mesh_.triangles.read(3 * element.id + k));
        names += (k ? ", " : "") + c[k].name;
    }
    facts.push_back({"Triangle", std::to_string(element.id), names});
    if (c[0].infinite || c[1].infinite || c[2].infinite)
        facts.push_back({"Ghost", "yes", "it joins an edge of the hull to the vertex at infinity"});
    else
        inspect_triangle(c, facts);
    return facts;
}

void Construction::inspect_edge(uint32_t edge, std::vector<Fact>& facts) const {
    const uint32_t sides[2] = {mesh_.half_slots.read(2 * edge), mesh_.half_slots.read(2 * edge + 1)};
    const Corner from = corner_of(mesh_, mesh_.triangles.read(sides[0]));
    const Corner to = corner_of(mesh_, mesh_.triangles.read(next_slot(sides[0])));
    const Corner left = corner_of(mesh_, mesh_.triangles.read(previous_slot(sides[0])));
    const Corner right = corner_of(mesh_, mesh_.triangles.read(previous_slot(sides[1])));
    const bool ghost = from.infinite || to.infinite, at_infinity = ghost || left.infinite || right.infinite;
    facts.push_back({"Edge", std::to_string(edge), from.name + " to " + to.name});
    if (ghost) facts.push_back({"Ghost", "yes", "it joins a vertex of the hull to the one at infinity"});
    if (!ghost)
        facts.push_back({"Length", format_short(std::hypot(from.at.x - to.at.x, from.at.y - to.at.y)), "world units"});
    facts.push_back({"Triangles",
                     std::to_string(triangle_of(sides[0])) + " and " + std::to_string(triangle_of(sides[1])),
                     "with " + left.name + " and " + right.name + " opposite"});
    if (at_infinity && !ghost) facts.push_back({"On the hull", "yes", "one of its triangles is a ghost"});
    std::string flat;
    for (uint32_t side = 0; side < 2 && !ghost; ++side) {
        const Corner& apex = side ? right : left;
        if (!apex.infinite && orient2d(from.at, to.at, apex.at) == 0)
            flat += (flat.empty() ? "triangle " : " and triangle ") + std::to_string(triangle_of(sides[side]));
    }
    if (!flat.empty()) facts.push_back({"Flat", flat, "its three points lie on one line, so it has no circle"});
    int sign = 0;
    if (!at_infinity) {
        sign = incircle(from.at, to.at, left.at, right.at);
        const bool no_circle = orient2d(from.at, to.at, left.at) == 0;
        facts.push_back({"In-circle",
                         std::string(sign_name(sign)) + (no_circle  ? " (no circle)"
                                                         : sign > 0 ? " (inside)"
                                                         : sign < 0 ? " (outside)"
                                                                    : " (on the circle)"),
                         right.name + " against the circle of triangle " + std::to_string(triangle_of(sides[0])) +
                             (no_circle ? ", which is flat: the sign of the determinant, exactly" : ", exactly")});
        facts.push_back(determinant_fact(detail::incircle(from.at, to.at, left.at, right.at), sign));
        add_naive(incircle_double(from.at, to.at, left.at, right.at), incircle_float(from.at, to.at, left.at, right.at),
                  sign, facts);
    }
    if (at_infinity && fixed_outline()) {
        facts.push_back({"Legal", "yes", "not asked: the outline is not the convex hull, and stays"});
        return;
    }
    const bool illegal = HostQuad(from, to, left, right).is_illegal();
    std::string why = "by the in-circle test";
    if (ghost) {
        why = illegal ? "the hull is reflex here" : "the hull is convex here";
    } else if (at_infinity) {
        why = illegal ? "it is the long side of a flat triangle"
                      : "an edge of the hull stays unless its triangle is flat";
    } else if (sign == 0) {
        const uint32_t ends = std::max(tie_rank(from.input), tie_rank(to.input));
        const uint32_t apexes = std::max(tie_rank(left.input), tie_rank(right.input));
        why = std::string("a tie: the point of the highest rank ") +
              (ends > apexes ? "is an end of this edge, so the other diagonal cuts it off"
                             : "is already cut off by this edge");
    }
    facts.push_back({"Legal", illegal ? "no: it must flip" : "yes", why});
}

Element Construction::pick(const Probe& probe) const {
    if (distinct_ == 0) return {};
    return pick_element(*context_, mesh_, distinct_, probe);
}

// ---- hashes, checks, results ----------------------------------------------------------------------------------------

uint64_t Construction::mesh_hash() const {
    uint64_t hash = mix64(input_->points.size() ^ (uint64_t(distinct_) << 32));
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (distinct_) add(mesh_.inputs, distinct_);
    for (const uint32_t v : path_) hash = mix64(hash ^ v);
    if (mesh_.triangle_count == 0) return hash;
    add(mesh_.triangles, 3 * size_t(mesh_.triangle_count));
    add(mesh_.slot_halves, 3 * size_t(mesh_.triangle_count));
    add(mesh_.edges, 2 * size_t(mesh_.edge_count));
    add(mesh_.half_slots, 2 * size_t(mesh_.edge_count));
    return hash;
}

CheckReport Construction::check() const {
    CheckReport report;
    if (!path_.empty() || distinct_ < 3) {
        report.passed = done();
        report.sentence = report.passed ? "Delaunay: there is no triangle to check" : "not started yet";
        return report;
    }
    report = check_mesh(*context_, mesh_);
    if (helpers_ && report.passed)
        report.sentence += "; " + std::to_string(summarise(*context_, mesh_, distinct_).edges) +
                           " edges are left without the supertriangle";
    if (const uint32_t waiting = waiting_count()) {
        report.passed = false;
        report.sentence = std::to_string(waiting) + " points are not inserted yet; " + report.sentence;
    }
    if (helpers_ && done())
        if (const uint64_t lost = lost_hull_edges().size() / 2) {
            report.passed = false;
            report.sentence = std::to_string(lost) + (lost == 1 ? " edge" : " edges") +
                              " of the convex hull lost to the finite supertriangle; " + report.sentence;
        }
    return report;
}

const std::vector<uint32_t>& Construction::lost_hull_edges() const {
    if (lost_) return *lost_;
    const std::vector<Point> points = mesh_.positions.download();
    const std::vector<uint32_t> hull = convex_hull({points.begin(), points.begin() + distinct_});
    std::set<std::pair<uint32_t, uint32_t>> missing;
    RegularLook look;
    for (size_t i = 0; i < hull.size(); ++i) {
        look();
        const uint32_t a = hull[i], b = hull[(i + 1) % hull.size()];
        missing.insert({std::min(a, b), std::max(a, b)});
    }
    const std::vector<uint32_t> edges = mesh_.edges.download();
    for (size_t e = 0; e < mesh_.edge_count; ++e) {
        look();
        missing.erase({std::min(edges[2 * e], edges[2 * e + 1]), std::max(edges[2 * e], edges[2 * e + 1])});
    }
    std::vector<uint32_t> pairs;
    for (const auto& [from, to] : missing) pairs.insert(pairs.end(), {from, to});
    return lost_.emplace(std::move(pairs));
}

Result Construction::result() const {
    Result result;
    result.points = input_ ? input_->points.size() : 0;
    if (distinct_ == 0) return result;
    result.unused = unused_count();
    result.duplicates = result.points - distinct_ - result.unused;
    result.waiting = waiting_count();
    if (!path_.empty() || mesh_.triangle_count == 0) {
        result.edges = path_.empty() ? 0 : path_.size() - 1;
        result.hull_edges = result.edges;
        return result;
    }
    const MeshSummary summary = summarise(*context_, mesh_, distinct_);
    result.triangles = summary.triangles;
    result.edges = summary.edges;
    result.hull_edges = summary.hull_edges;
    // There is one of each for every edge of the outline, which that of a finite supertriangle is three of.
    const double ghosts = helpers_ ? 3 : double(summary.hull_edges);
    if (ghosts > 0)
        result.numbers = {{"ghost edges", "to the vertex at infinity", ghosts},
                          {"ghost triangles", "with that vertex", ghosts}};
    result.triangulation_hash = summary.hash;
    if (helpers_ && done()) result.lost_hull_edges = lost_hull_edges().size() / 2;
    return result;
}

TriangleSoup Construction::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    soup.points = &input_->points;
    soup.level = input_->level;
    if (distinct_ == 0) return soup;
    const std::vector<uint32_t> inputs = mesh_.inputs.download();
    for (const uint32_t v : path_) soup.path.push_back(inputs[v]);
    if (mesh_.triangle_count == 0) return soup;
    const std::vector<uint32_t> corners = mesh_.triangles.download();
    RegularLook look;
    for (size_t t = 0; t < mesh_.triangle_count; ++t) {
        look();
        const uint32_t a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
        if (std::max({a, b, c}) < distinct_) soup.triangles.push_back({inputs[a], inputs[b], inputs[c]});
    }
    return soup;
}

// ---- saving and loading ---------------------------------------------------------------------------------------------

namespace {

struct Shape {
    uint32_t distinct, helpers, vertices, triangles, edges, watched;
};

}  // namespace

void Construction::save_mesh(Snapshot& snapshot) const {
    const Shape shape{distinct_, helpers_, mesh_.vertex_count, mesh_.triangle_count, mesh_.edge_count, mesh_.watched()};
    put_values(snapshot, &shape, 1);
    put_values(snapshot, path_.data(), path_.size());
    put_block(snapshot, mesh_.triangles, 3 * size_t(shape.triangles));
    put_block(snapshot, mesh_.slot_halves, 3 * size_t(shape.triangles));
    put_block(snapshot, mesh_.edges, 2 * size_t(shape.edges));
    put_block(snapshot, mesh_.half_slots, 2 * size_t(shape.edges));
    put_block(snapshot, mesh_.edge_states, mesh_.watched() ? shape.edges : 0);
}

void Construction::require_mesh_fits(const Snapshot& snapshot, size_t first) const {
    Shape shape;
    take_values(snapshot, first, &shape, 1);
    if (shape.vertices > mesh_.positions.size())
        throw std::logic_error("a snapshot of another input: too many vertices");
    for (const size_t corners : {2, 3}) require_count<uint32_t>(snapshot, first + corners, 3 * size_t(shape.triangles));
    for (const size_t ends : {4, 5}) require_count<uint32_t>(snapshot, first + ends, 2 * size_t(shape.edges));
    require_count<State>(snapshot, first + 6, shape.watched ? shape.edges : 0);
    require_fits(snapshot, first + 2, mesh_.triangles);
    require_fits(snapshot, first + 3, mesh_.slot_halves);
    require_fits(snapshot, first + 4, mesh_.edges);
    require_fits(snapshot, first + 5, mesh_.half_slots);
}

/// Positions, input indices, bounds and buffer sizes do not change once they are made, so they need not be saved.
void Construction::load_mesh(const Snapshot& snapshot, size_t first) {
    lost_.reset();
    Shape shape;
    take_values(snapshot, first, &shape, 1);
    distinct_ = shape.distinct;
    helpers_ = shape.helpers;
    mesh_.vertex_count = shape.vertices;
    mesh_.triangle_count = shape.triangles;
    mesh_.edge_count = shape.edges;
    path_ = take_vector<uint32_t>(snapshot, first + 1);
    take_block(*context_, snapshot, first + 2, mesh_.triangles);
    take_block(*context_, snapshot, first + 3, mesh_.slot_halves);
    take_block(*context_, snapshot, first + 4, mesh_.edges);
    take_block(*context_, snapshot, first + 5, mesh_.half_slots);
    mesh_.reset_states(*context_, shape.watched);
    take_block(*context_, snapshot, first + 6, mesh_.edge_states);
}

}  // namespace flipscope
