#include "mesh/inspect.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/bounding_boxes.h"
#include "geometry/collinear.h"
#include "geometry/places.h"
#include "mesh/duplicate_triangles.h"
#include "mesh/edge_bundles.h"
#include "mesh/validate.h"

namespace flipscope {

namespace {

using Triangle = std::array<uint32_t, 3>;

constexpr uint64_t kMostLooks = uint64_t(1) << 28;  // at pairs of bounding boxes: seconds
constexpr uint32_t kLeastLooks = 64;                // of one triangle, in one strip
constexpr size_t kMostFound = 4 * kMostFailures;    // pairs of one kind
constexpr size_t kLeastFound = 256;                 // pairs of one kind, in one part of the search

std::string number(uint64_t n) { return std::to_string(n); }

/// Two ids, the first one deciding the order.
uint64_t packed(uint32_t a, uint32_t b) { return uint64_t(a) << 32 | b; }

/// Results of the search, or of one part of it.
struct Pairs {
    std::vector<uint64_t> overlaps;   // triangles a < b
    std::vector<uint64_t> crossings;  // edges a < b
    std::vector<uint64_t> touches;    // a vertex, an edge
    size_t most = kMostFound;
    bool complete = true;

    void add(std::vector<uint64_t>& to, uint64_t pair) {
        if (to.size() < most)
            to.push_back(pair);
        else
            complete = false;
    }
    /// Triangles that have nothing to do with one another overlap and cross wherever one looks.
    bool is_full() const { return overlaps.size() >= most && crossings.size() >= most; }
    void take(Pairs&& other) {
        for (auto member : {&Pairs::overlaps, &Pairs::crossings, &Pairs::touches})
            (this->*member).insert((this->*member).end(), (other.*member).begin(), (other.*member).end());
        complete = complete && other.complete;
    }
    void sort() {
        for (auto* member : {&overlaps, &crossings, &touches}) sort_distinct_or_cancel(*member);
    }
};

class Inspector {
  public:
    Inspector(const Geometry& geometry, const InspectOptions& options) : geometry_(geometry), options_(options) {}
    MeshInspection inspect();

  private:
    void look_at_corners();
    void look_at_orientation();
    void look_at_edges();
    Pairs find_pairs() const;
    void compare(uint32_t a, uint32_t b, Pairs& found) const;
    void list_pairs();
    void look_at_points();
    void complete();

    CheckFailure of_points(const std::string& sentence, const std::vector<uint32_t>& vertices) const;
    CheckFailure of_triangle(uint32_t t, const std::string& fault) const;
    void put_corners(CheckFailure& failure, Element element) const;
    void count(const char* one, const char* many, uint64_t n, bool at_least = false);
    /// `make()` makes the failure, if there is still room for it.
    template <class Make>
    void add(const std::string& code, const Make& make) {
        ++report().failure_count;
        ++result_.counts[code];
        if (room_for(report(), code) == 0) return;
        CheckFailure failure = make();
        failure.code = code;
        report().failures.push_back(std::move(failure));
    }
    CheckReport& report() { return result_.report; }
    Point at(uint32_t v) const { return geometry_.points[v]; }
    bool plane() const { return !geometry_.in_space(); }

    const Geometry& geometry_;
    InspectOptions options_;
    MeshInspection result_;
    std::vector<uint8_t> used_;      // (n) a triangle names this point
    std::vector<uint32_t> sound_;    // triangles with three different vertices that are numbers
    std::vector<Triangle> upright_;  // as sound_, counter-clockwise in the plane
    std::vector<uint8_t> flat_;      // as sound_
    std::vector<uint32_t> edge_of_;  // (3 · sound) into edges
    std::string counts_;             // "3 crossing edges, 1 inverted triangle"
    uint64_t unused_ = 0, copies_ = 0;
    uint64_t flat_in_space_ = 0, crowded_in_space_ = 0, opposed_ = 0;  // of a surface: harmless
};

void Inspector::count(const char* one, const char* many, uint64_t n, bool at_least) {
    if (n == 0) return;
    counts_ += (counts_.empty() ? "" : ", ") + std::string(at_least ? "at least " : "") + count_text(n, one, many);
}

void Inspector::put_corners(CheckFailure& failure, Element element) const {
    failure.elements.push_back(element);
    const auto put = [&](uint32_t v) {
        if (v >= geometry_.points.size()) return;
        failure.vertices.push_back(v);
        failure.places.push_back(geometry_.at(v));
    };
    if (element.kind == ElementKind::kVertex) put(element.id);
    if (element.kind == ElementKind::kEdge)
        for (const uint32_t v : result_.edges[element.id]) put(v);
    if (element.kind == ElementKind::kTriangle)
        for (const uint32_t v : geometry_.triangles[element.id]) put(v);
}

CheckFailure Inspector::of_triangle(uint32_t t, const std::string& fault) const {
    CheckFailure failure{{}, triangle_name(t, geometry_.triangles[t]) + " " + fault, {}, {}, {}};
    put_corners(failure, {ElementKind::kTriangle, t});
    return failure;
}

CheckFailure Inspector::of_points(const std::string& sentence, const std::vector<uint32_t>& vertices) const {
    CheckFailure failure{{}, sentence, {}, {}, {}};
    for (const uint32_t v : vertices) put_corners(failure, {ElementKind::kVertex, v});
    return failure;
}

void Inspector::look_at_corners() {
    const size_t n = geometry_.points.size();
    used_.assign(n, 0);
    std::vector<uint32_t> repeated, out_of_range;
    std::vector<uint8_t> judged(n, 0);  // 1: in range, 2: not
    std::vector<DuplicateTriangle> duplicates, listed;
    if (plane()) duplicates = find_duplicate_triangles(geometry_.triangles, static_cast<uint32_t>(n), options_.context);
    auto duplicate = duplicates.begin();
    uint64_t missing = 0;
    CancelPoll poll;
    for (uint32_t t = 0; t < geometry_.triangles.size(); ++t) {
        poll();
        const Triangle& c = geometry_.triangles[t];
        const auto absent = std::find_if(c.begin(), c.end(), [&](uint32_t v) { return v >= n; });
        if (absent != c.end()) {
            ++missing;
            add("missing-vertex", [&] {
                return of_triangle(t, *absent == kNone ? "has an index below 0, or beyond all 32-bit ones"
                                                       : "names vertex " + number(*absent) + ", which does not exist");
            });
            continue;
        }
        bool sound = true;
        for (const uint32_t v : c) {
            used_[v] = 1;
            if (judged[v] == 0) {
                const Point3 p = geometry_.at(v);
                const bool fits = coordinate_in_range(p.x) && coordinate_in_range(p.y) && coordinate_in_range(p.z);
                judged[v] = fits ? 1 : 2;
                if (!fits) out_of_range.push_back(v);
            }
            sound = sound && judged[v] == 1;
        }
        const bool again = duplicate != duplicates.end() && duplicate->triangle == t;
        if (again) ++duplicate;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
            repeated.push_back(t);
            continue;
        }
        if (again) listed.push_back(duplicate[-1]);
        if (sound && !again) sound_.push_back(t);
    }
    count("triangle with a missing vertex", "triangles with a missing vertex", missing);
    count("triangle with a repeated vertex", "triangles with a repeated vertex", repeated.size());
    count("coordinate out of range", "coordinates out of range", out_of_range.size());
    for (const uint32_t t : repeated)
        add("repeated-vertex", [&] {
            const Triangle& c = geometry_.triangles[t];
            return of_triangle(t, "has vertex " + number(c[0] == c[1] ? c[0] : c[2]) + " at two of its corners");
        });
    count("duplicate triangle", "duplicate triangles", listed.size());
    for (const DuplicateTriangle& one : listed)
        add("duplicate-triangle",
            [&] { return of_triangle(one.triangle, "has the same vertices as triangle " + number(one.first)); });
    std::sort(out_of_range.begin(), out_of_range.end());
    for (const uint32_t v : out_of_range)
        add("coordinate-out-of-range", [&] {
            return of_points(
                "vertex " + number(v) + " has a coordinate that is not 0 and not between 2^-200 and 2^200 in size",
                {v});
        });
}

void Inspector::look_at_orientation() {
    upright_.reserve(sound_.size());
    for (const uint32_t t : sound_) upright_.push_back(geometry_.triangles[t]);
    flat_.assign(sound_.size(), 0);
    const auto list_flat = [&] {
        for (size_t i = 0; i < sound_.size(); ++i)
            if (flat_[i])
                add("flat-triangle", [&] { return of_triangle(sound_[i], "is flat: its corners lie on one line"); });
    };
    if (!plane()) {
        in_parallel(options_.context, static_cast<uint32_t>(sound_.size()), [&](uint32_t first, uint32_t last) {
            for (uint32_t i = first; i < last; ++i) {
                const Triangle& c = upright_[i];
                flat_[i] = collinear(geometry_.at(c[0]), geometry_.at(c[1]), geometry_.at(c[2]));
            }
        });
        flat_in_space_ = static_cast<uint64_t>(std::count(flat_.begin(), flat_.end(), 1));
        return list_flat();
    }
    std::vector<int8_t> turns(sound_.size());
    in_parallel(options_.context, static_cast<uint32_t>(sound_.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) {
            Triangle& c = upright_[i];
            turns[i] = static_cast<int8_t>(orient2d(at(c[0]), at(c[1]), at(c[2])));
            flat_[i] = turns[i] == 0;
            if (turns[i] < 0) std::swap(c[1], c[2]);
        }
    });
    const auto clockwise = static_cast<size_t>(std::count(turns.begin(), turns.end(), -1));
    const auto flat = static_cast<size_t>(std::count(turns.begin(), turns.end(), 0));
    list_flat();
    count("flat triangle", "flat triangles", flat);
    const size_t others = sound_.size() - flat - clockwise;
    const int8_t odd = clockwise > others ? 1 : -1;  // the minority; of as many, the clockwise ones
    const size_t inverted = odd > 0 ? others : clockwise;
    if (inverted == 0) return;
    for (size_t i = 0; i < sound_.size(); ++i)
        if (turns[i] == odd)
            add("inverted-triangle", [&] {
                return of_triangle(sound_[i], std::string("is inverted: its corners run ") +
                                                  (odd > 0 ? "counter-clockwise" : "clockwise") + ", unlike most");
            });
    count("inverted triangle", "inverted triangles", inverted);
}

void Inspector::look_at_edges() {
    const auto n = static_cast<uint32_t>(geometry_.points.size());
    edge_of_.resize(3 * sound_.size());
    const EdgeBundles bundles({upright_.empty() ? nullptr : upright_[0].data(), 3 * upright_.size()}, n,
                              options_.context);
    struct Shared {
        uint32_t edge, count;
        std::array<uint32_t, 6> triangles;  // the first of those at the edge
    };
    std::vector<Shared> crowded, folded, opposed;
    bundles.each(0, n, [&](const EdgeBundle& edge) {
        const auto id = static_cast<uint32_t>(result_.edges.size());
        result_.edges.push_back({edge.lesser, edge.greater});
        Shared shared{id, edge.count, {}};
        uint32_t corners[2] = {kNone, kNone}, solid = 0;  // where triangles that are not flat have the edge
        for (uint32_t i = 0; i < edge.count; ++i) {
            const uint32_t corner = edge.corner(i);
            edge_of_[corner] = id;
            if (i < shared.triangles.size()) shared.triangles[i] = sound_[corner / 3];
            if (!flat_[corner / 3] && solid < 2) corners[solid++] = corner;
        }
        const auto from = [&](uint32_t corner) { return upright_[corner / 3][corner % 3]; };
        if (edge.count > 2)
            crowded.push_back(shared);
        else if (!plane() && edge.count == 2 && from(edge.corner(0)) == from(edge.corner(1)))
            opposed.push_back(shared);
        else if (!plane())
            return;
        else if (solid == 2 && from(corners[0]) == from(corners[1]))
            folded.push_back(shared);
    });
    const auto list = [&](const std::vector<Shared>& edges, const char* code, const auto& say) {
        for (const Shared& shared : edges)
            add(code, [&] {
                const auto [a, b] = result_.edges[shared.edge];
                const std::string name =
                    number(a) + "-" + number(b) + (plane() ? " at " + place_in_brackets(at(a)) : std::string());
                CheckFailure failure{{}, say(shared, name), {}, {}, {}, double(shared.count)};
                put_corners(failure, {ElementKind::kEdge, shared.edge});
                for (uint32_t i = 0; i < std::min<size_t>(shared.count, shared.triangles.size()); ++i)
                    put_corners(failure, {ElementKind::kTriangle, shared.triangles[i]});
                return failure;
            });
    };
    list(crowded, "edge-with-three-triangles", [](const Shared& shared, const std::string& name) {
        std::string text = "edge " + name + " has " + number(shared.count) + " triangles:";
        for (uint32_t i = 0; i < std::min<size_t>(shared.count, shared.triangles.size()); ++i)
            text += (i ? ", " : " ") + number(shared.triangles[i]);
        return shared.count > shared.triangles.size() ? text + ", …" : text;
    });
    list(folded, "folded-edge", [](const Shared& shared, const std::string& name) {
        return "triangles " + number(shared.triangles[0]) + " and " + number(shared.triangles[1]) +
               " lie on the same side of their edge " + name;
    });
    list(opposed, "opposed-triangles", [](const Shared& shared, const std::string& name) {
        return "triangles " + number(shared.triangles[0]) + " and " + number(shared.triangles[1]) +
               " have opposite orientations at their edge " + name;
    });
    crowded_in_space_ = plane() ? 0 : crowded.size();
    opposed_ = opposed.size();
    if (!plane()) return;
    count("edge with three triangles or more", "edges with three triangles or more", crowded.size());
    count("folded edge", "folded edges", folded.size());
}

/// The sides of one triangle's edges on which another's corners lie; common corners lie on their edges.
struct Sides {
    std::array<std::array<int, 3>, 3> sign;  // by edge, by corner
    bool parts(uint32_t edge) const { return sign[edge][0] <= 0 && sign[edge][1] <= 0 && sign[edge][2] <= 0; }
};

/// a, b: into sound_, neither flat. Interiors of counter-clockwise triangles are disjoint if and only if an edge of one
/// has the other on its right.
void Inspector::compare(uint32_t a, uint32_t b, Pairs& found) const {
    const Triangle &s = upright_[a], &t = upright_[b];
    const auto look_from = [&](const Triangle& c, const Triangle& other, Sides& sides) {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t from = c[k], to = c[(k + 1) % 3];
            bool apart = true;  // all of the other lies beyond this edge, but for its ends: then nothing is wrong
            for (uint32_t m = 0; m < 3; ++m) {
                const bool end = other[m] == from || other[m] == to;
                sides.sign[k][m] = end ? 0 : orient2d(at(from), at(to), at(other[m]));
                apart = apart && (end || sides.sign[k][m] < 0);
            }
            if (apart) return false;
        }
        return true;
    };
    Sides of_s, of_t;  // corners of t seen from the edges of s, and the other way round
    if (!look_from(s, t, of_s) || !look_from(t, s, of_t)) return;
    const auto touch = [&](const Triangle& c, uint32_t first, const Triangle& other, const Sides& sides) {
        for (uint32_t k = 0; k < 3; ++k)
            for (uint32_t m = 0; m < 3; ++m) {
                const uint32_t from = c[k], to = c[(k + 1) % 3], v = other[m];
                if (sides.sign[k][m] != 0 || v == from || v == to) continue;
                const Point p = at(from), q = at(to), r = at(v);
                const bool between = p.x != q.x ? (p.x < r.x) != (q.x < r.x) && r.x != p.x && r.x != q.x
                                                : (p.y < r.y) != (q.y < r.y) && r.y != p.y && r.y != q.y;
                if (between) found.add(found.touches, packed(v, edge_of_[first + k]));
            }
    };
    touch(s, 3 * a, t, of_s);
    touch(t, 3 * b, s, of_t);
    for (uint32_t k = 0; k < 3; ++k)
        if (of_s.parts(k) || of_t.parts(k)) return;
    found.add(found.overlaps, packed(std::min(sound_[a], sound_[b]), std::max(sound_[a], sound_[b])));
    for (uint32_t k = 0; k < 3; ++k)
        for (uint32_t m = 0; m < 3; ++m) {
            const uint32_t e = edge_of_[3 * a + k], f = edge_of_[3 * b + m], k2 = (k + 1) % 3, m2 = (m + 1) % 3;
            if (of_s.sign[k][m] * of_s.sign[k][m2] < 0 && of_t.sign[m][k] * of_t.sign[m][k2] < 0)
                found.add(found.crossings, packed(std::min(e, f), std::max(e, f)));
        }
}

Pairs Inspector::find_pairs() const {
    Pairs all;
    std::vector<BoundingBox> boxes(sound_.size());
    for (size_t i = 0; i < sound_.size(); ++i)
        boxes[i] = BoundingBox::of(at(upright_[i][0]), at(upright_[i][1]), at(upright_[i][2]));
    std::vector<uint8_t> left_out = flat_;
    if (!options_.suspects.empty())
        for (size_t i = 0; i < sound_.size(); ++i) left_out[i] |= !options_.suspects[sound_[i]];
    const BoxPairs pairs(boxes, left_out);
    const uint32_t count = pairs.entry_count();
    const uint64_t most_looks = std::max<uint64_t>(kMostLooks / std::max(count, 1u), kLeastLooks);
    std::vector<Pairs> parts((size_t(count) + kPart - 1) / kPart);
    for (Pairs& part : parts) part.most = std::max(kLeastFound, kMostFound / parts.size());
    in_parallel(options_.context, count, [&](uint32_t first, uint32_t last) {
        Pairs& found = parts[first / kPart];
        uint64_t looks = most_looks * (last - first);
        for (uint32_t entry = first; entry < last && !found.is_full(); ++entry)
            if (!pairs.each_of(entry, looks, [&](uint32_t a, uint32_t b) { compare(a, b, found); }))
                found.complete = false;
        if (found.is_full()) found.complete = false;
    });
    for (Pairs& part : parts) all.take(std::move(part));
    all.sort();
    return all;
}

void Inspector::list_pairs() {
    if (!plane() || sound_.empty()) return;
    const Pairs pairs = find_pairs();
    const auto first = [](uint64_t pair) { return static_cast<uint32_t>(pair >> 32); };
    const auto second = [](uint64_t pair) { return static_cast<uint32_t>(pair); };
    const auto list = [&](const char* code, const std::vector<uint64_t>& from, const auto& make) {
        for (const uint64_t pair : from) add(code, [&] { return make(first(pair), second(pair)); });
    };
    const auto edge_text = [&](uint32_t e) {
        return "edge " + number(result_.edges[e][0]) + "-" + number(result_.edges[e][1]);
    };
    list("overlapping-triangles", pairs.overlaps, [&](uint32_t s, uint32_t t) {
        CheckFailure failure = of_triangle(s, "overlaps " + triangle_name(t, geometry_.triangles[t]));
        put_corners(failure, {ElementKind::kTriangle, t});
        return failure;
    });
    list("crossing-edges", pairs.crossings, [&](uint32_t e, uint32_t f) {
        CheckFailure failure{{}, edge_text(e) + " crosses " + edge_text(f), {}, {}, {}};
        put_corners(failure, {ElementKind::kEdge, e});
        put_corners(failure, {ElementKind::kEdge, f});
        return failure;
    });
    list("vertex-on-edge", pairs.touches, [&](uint32_t v, uint32_t e) {
        CheckFailure failure{
            {}, "vertex " + number(v) + " at " + place_in_brackets(at(v)) + " lies on " + edge_text(e), {}, {}, {}};
        put_corners(failure, {ElementKind::kVertex, v});
        put_corners(failure, {ElementKind::kEdge, e});
        return failure;
    });
    result_.searched_all = pairs.complete;
    result_.overlaps = pairs.overlaps.size();
    count("pair of overlapping triangles", "pairs of overlapping triangles", pairs.overlaps.size(), !pairs.complete);
    count("pair of crossing edges", "pairs of crossing edges", pairs.crossings.size(), !pairs.complete);
    count("vertex on an edge", "vertices on edges", pairs.touches.size(), !pairs.complete);
}

void Inspector::look_at_points() {
    std::vector<uint32_t> sorted;
    for (uint32_t v = 0; v < geometry_.points.size(); ++v) {
        const Point3 p = geometry_.at(v);
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) sorted.push_back(v);
    }
    const auto before = [&](uint32_t a, uint32_t b) {
        const Point3 p = geometry_.at(a), q = geometry_.at(b);
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z;
    };
    stable_sort_or_cancel(sorted.begin(), sorted.end(), before);
    std::vector<std::array<uint32_t, 2>> copies;  // a point, the first one at its place
    uint64_t both_used = 0;
    for (size_t i = 0; i < sorted.size();) {
        size_t end = i + 1;
        uint32_t users = used_[sorted[i]];
        for (; end < sorted.size() && !before(sorted[i], sorted[end]); ++end) {
            copies.push_back({sorted[end], sorted[i]});
            users += used_[sorted[end]];
        }
        if (users > 1) both_used += users - 1;
        i = end;
    }
    sort_or_cancel(copies.begin(), copies.end());
    copies_ = copies.size();
    for (const auto& [copy, first] : copies) {
        add("duplicate-point", [&, copy = copy, first = first] {
            return of_points("point " + number(copy) + " lies where point " + number(first) + " does, at " +
                                 place_in_brackets(at(copy)),
                             {copy, first});
        });
    }
    result_.harmless = copies_ - both_used;
    if (plane() && both_used > 0)
        count("point at the position of another that is used, too",
              "points at the positions of others that are used, too", both_used);
    CancelPoll poll;
    for (uint32_t v = 0; v < geometry_.points.size() && !geometry_.triangles.empty(); ++v) {
        poll();
        if (used_[v]) continue;
        ++unused_;
        ++result_.harmless;
        add("unused-point", [&] {
            return of_points("point " + number(v) + " at " + place_in_brackets(at(v)) + " is in no triangle", {v});
        });
    }
}

void Inspector::complete() {
    const char* what = plane() ? "triangulation" : "surface";
    report().passed = counts_.empty();
    const bool is_decided = !options_.points && result_.searched_all;
    if (report().passed && !is_decided) {  // and require_… decides: it ends no search early
        try {
            if (plane())
                require_triangulation(geometry_);
            else
                require_surface(geometry_);
        } catch (const Error& error) {
            report().passed = false;
            counts_ = "faults that were not found one by one";
            add(std::string("no-") + what, [&] { return CheckFailure{{}, error.what(), {}, {}, {}}; });
        }
    }
    const auto harmless = [&](uint64_t n, const char* one, const char* many) {
        if (n) report().sentence += "; " + count_text(n, one, many);
    };
    report().sentence =
        geometry_.name + (report().passed ? " is a " : " is no valid ") + what +
        (report().passed ? " of " + number(geometry_.points.size()) + " points, " + number(geometry_.triangles.size()) +
                               " triangles and " + number(result_.edges.size()) + " edges"
                         : ": " + counts_);
    if (geometry_.triangles.empty())
        report().sentence = geometry_.name + " has " + number(geometry_.points.size()) + " points and no triangles";
    if (!result_.searched_all && !report().passed)
        report().sentence += "; the search for crossings and overlaps ended early, so there may be more";
    harmless(flat_in_space_, "triangle without area", "triangles without area");
    harmless(crowded_in_space_, "edge with three triangles or more", "edges with three triangles or more");
    harmless(opposed_, "edge between opposite orientations", "edges between opposite orientations");
    harmless(copies_, "duplicate point", "duplicate points");
    harmless(unused_, "unused point", "unused points");
    result_.of_points = copies_ + unused_;
}

MeshInspection Inspector::inspect() {
    look_at_corners();
    look_at_orientation();
    look_at_edges();
    list_pairs();
    if (options_.points) look_at_points();
    complete();
    return std::move(result_);
}

}  // namespace

MeshInspection inspect_mesh(const Geometry& geometry, const InspectOptions& options) {
    return Inspector(geometry, options).inspect();
}

}  // namespace flipscope
