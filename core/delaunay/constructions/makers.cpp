#include "delaunay/constructions/makers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "compute/error.h"
#include "compute/random.h"
#include "delaunay/constructions/host_mesh.h"
#include "delaunay/constructions/hull.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/lawson.h"
#include "flipscope/triangulate.h"
#include "mesh/legality.h"
#include "mesh/surgery.h"

namespace flipscope {

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;

/// The result of insertion; without triangles if the points are on one line.
HostMesh built(Context& context, const Geometry& points, bool flips) {
    Insertion insertion;
    insertion.set_records_states(false);
    insertion.reset(context, std::make_shared<Geometry>(Geometry{points.name, points.points}), {.flips = flips});
    insertion.finish({});
    return insertion.distinct() ? download_mesh(insertion.mesh()) : HostMesh{};
}

/// Indices of the distinct points by x, then y; of equal points the first of the input.
std::vector<uint32_t> sorted_distinct(const std::vector<Point>& points) {
    struct Entry {
        Point at;
        uint32_t id;
    };
    std::vector<Entry> entries(points.size());
    for (uint32_t i = 0; i < points.size(); ++i) entries[i] = {points[i], i};
    sort_or_cancel(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        if (a.at.x != b.at.x) return a.at.x < b.at.x;
        return a.at.y != b.at.y ? a.at.y < b.at.y : a.id < b.id;
    });
    std::vector<uint32_t> order;
    order.reserve(points.size());
    for (const Entry& entry : entries)
        if (order.empty() || !(points[order.back()] == entry.at)) order.push_back(entry.id);
    return order;
}

Triangles finite_triangles(const HostMesh& host) {
    Triangles triangles;
    triangles.reserve(host.triangle_count());
    for (size_t t = 0; t < host.triangle_count(); ++t) {
        const uint32_t* corners = &host.triangles[3 * t];
        if (std::max({corners[0], corners[1], corners[2]}) == host.infinite) continue;
        triangles.push_back({host.inputs[corners[0]], host.inputs[corners[1]], host.inputs[corners[2]]});
    }
    return triangles;
}

/// Edges to infinity where the outline is reflex. Without flips a point outside is joined to one edge of the outline,
/// so bays remain, which these flips fill with triangles: the outline is star-shaped, so they do not overlap.
struct ReflexOutline {
    bool operator()(const MeshView& mesh, uint32_t, const Quad& q) const {
        return (q.from == mesh.infinite || q.to == mesh.infinite) && is_illegal(mesh, q, PredicateMode::kExact);
    }
};

// ---- sweep ----------------------------------------------------------------------------------------------------------

/// The hull as a ring, counter-clockwise, over ranks in the sorted order. The last point is always on it, and the part
/// visible from the next point extends to both sides from there.
class Sweep {
  public:
    Sweep(const std::vector<Point>& points, std::vector<uint32_t> order)
        : points_(points), order_(std::move(order)), next_(order_.size()), previous_(order_.size()) {}

    Triangles run(const Context& context) {
        const auto count = static_cast<uint32_t>(order_.size());
        uint32_t line = std::min(count, 2u);  // so many are on one line
        while (line < count && turn(0, 1, line) == 0) ++line;
        if (line == count) return {};
        triangles_.reserve(2 * order_.size());
        start(line);
        for (uint32_t rank = line + 1; rank < count; ++rank) {
            if (rank % kItemsPerPoll == 0) context.throw_if_cancelled();
            add(rank);
        }
        return std::move(triangles_);
    }

  private:
    int turn(uint32_t a, uint32_t b, uint32_t c) const {
        return orient2d(points_[order_[a]], points_[order_[b]], points_[order_[c]]);
    }
    void make(uint32_t a, uint32_t b, uint32_t c) { triangles_.push_back({order_[a], order_[b], order_[c]}); }
    void join(uint32_t from, uint32_t to) {
        next_[from] = to;
        previous_[to] = from;
    }

    /// Ranks 0 … apex - 1 lie on a line, the apex does not.
    void start(uint32_t apex) {
        const bool left = turn(0, 1, apex) > 0;
        for (uint32_t rank = 0; rank + 1 < apex; ++rank) {
            const uint32_t from = left ? rank : rank + 1, to = left ? rank + 1 : rank;
            make(from, to, apex);
            join(from, to);
        }
        join(left ? apex - 1 : 0, apex);
        join(apex, left ? 0 : apex - 1);
    }

    void add(uint32_t rank) {
        uint32_t ahead = rank - 1, behind = rank - 1;
        for (; turn(ahead, next_[ahead], rank) < 0; ahead = next_[ahead]) make(next_[ahead], ahead, rank);
        for (; turn(previous_[behind], behind, rank) < 0; behind = previous_[behind])
            make(behind, previous_[behind], rank);
        join(behind, rank);
        join(rank, ahead);
    }

    const std::vector<Point>& points_;
    std::vector<uint32_t> order_;            // rank -> point
    std::vector<uint32_t> next_, previous_;  // ranks, of those on the hull
    Triangles triangles_;
};

// ---- fan ------------------------------------------------------------------------------------------------------------

Triangles fan(const Geometry& set, const std::vector<uint32_t>& order) {
    const std::vector<Point>& points = set.points;
    std::vector<Point> distinct;
    distinct.reserve(order.size());
    for (const uint32_t i : order) distinct.push_back(points[i]);
    const auto turn = [&](uint32_t a, uint32_t b, uint32_t c) {
        return orient2d(distinct[a], distinct[b], distinct[c]);
    };
    uint32_t line = std::min<uint32_t>(static_cast<uint32_t>(order.size()), 2);
    while (line < order.size() && turn(0, 1, line) == 0) ++line;
    if (line == order.size()) return {};
    const std::vector<uint32_t> hull = convex_hull(distinct);
    if (hull.size() < distinct.size()) {
        std::vector<char> inside(distinct.size(), 1);
        for (const uint32_t v : hull) inside[v] = 0;
        uint32_t first = kNone;
        for (uint32_t v = 0; v < distinct.size(); ++v)
            if (inside[v]) first = std::min(first, order[v]);
        throw Error(set.name + ": point " + std::to_string(first) +
                    " is not on the convex hull, and the start \"fan\" needs points in convex position, such as "
                    "ring:1000; choose another start");
    }
    const auto count = static_cast<uint32_t>(hull.size());
    const auto corner = [&](uint32_t i) { return hull[i % count]; };
    uint32_t apex = kNone;
    for (uint32_t i = 0; i < count; ++i) {
        // A triangle of the fan is flat when three vertices in a row from the apex on lie on one side of the hull.
        if (turn(corner(i), corner(i + 1), corner(i + 2)) == 0) continue;
        if (turn(corner(i), corner(i + count - 1), corner(i + count - 2)) == 0) continue;
        const auto lower = [&](Point p, Point q) { return p.y != q.y ? p.y < q.y : p.x < q.x; };
        if (apex == kNone || lower(distinct[corner(i)], distinct[corner(apex)])) apex = i;
    }
    if (apex == kNone)
        throw Error(set.name +
                    ": the start \"fan\" leaves a flat triangle whichever point it starts from, since every one is "
                    "followed by two more on a side of the convex hull; choose another start");
    Triangles triangles;
    triangles.reserve(count - 2);
    for (uint32_t i = 1; i + 1 < count; ++i)
        triangles.push_back({order[corner(apex)], order[corner(apex + i)], order[corner(apex + i + 1)]});
    return triangles;
}

// ---- away from Delaunay ---------------------------------------------------------------------------------------------

bool strictly_convex(const MeshView& mesh, const Quad& q) {
    if (q.from == mesh.infinite || q.to == mesh.infinite || q.left == mesh.infinite || q.right == mesh.infinite)
        return false;
    const View<const Point>& at = mesh.positions;
    return orient2d(at[q.right], at[q.to], at[q.left]) > 0 && orient2d(at[q.left], at[q.from], at[q.right]) > 0;
}

void scramble(const Context& context, HostMesh& host, const MakerOptions& options) {
    const MeshView mesh = host.view();
    const double edges = host.edge_count();
    const auto attempts = static_cast<uint64_t>(std::llround(std::clamp(options.scramble, 0.0, 1e6) * edges));
    for (uint64_t i = 0; i < attempts && edges > 0; ++i) {
        if (i % kItemsPerPoll == 0) context.throw_if_cancelled();
        const double draw = random_pair(options.seed, i).first * edges;
        const uint32_t edge = std::min(static_cast<uint32_t>(draw), host.edge_count() - 1);
        if (!strictly_convex(mesh, quad_at(mesh, edge))) continue;
        flip_edge(mesh, edge);
        repair_flipped(mesh, edge);
    }
}

/// A random vector in the unit disk.
Point random_in_disk(uint64_t seed, uint64_t index) {
    constexpr uint64_t kTries = 16;  // one in four is outside
    for (uint64_t k = 0; k < kTries; ++k) {
        const RandomPair u = random_pair(seed, index * kTries + k);
        const Point p{2 * u.first - 1, 2 * u.second - 1};
        if (p.x * p.x + p.y * p.y <= 1) return p;
    }
    return {0, 0};
}

/// Moves the points of a triangulation, except `fixed` ones.
std::vector<Point> moved(const Context& context, const std::vector<Point>& points, const Triangles& triangles,
                         const std::vector<char>& fixed, double reach, uint64_t seed) {
    constexpr uint8_t kAtHome = 24;  // halvings after which a point stays where it was
    std::vector<uint8_t> halvings(points.size(), 0);
    std::vector<Point> places(points.size());
    std::vector<uint32_t> changed;
    const auto place = [&](uint32_t v) {
        places[v] = points[v];
        if (fixed[v] || halvings[v] >= kAtHome) return;
        const Point direction = random_in_disk(seed, v);
        const double distance = std::ldexp(reach, -halvings[v]);
        const Point p{points[v].x + distance * direction.x, points[v].y + distance * direction.y};
        if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) places[v] = p;
    };
    uint64_t items = 0;
    const auto look = [&] {
        if (++items % kItemsPerPoll == 0) context.throw_if_cancelled();
    };
    for (uint32_t v = 0; v < points.size(); ++v) {
        look();
        place(v);
    }
    do {
        changed.clear();
        for (const auto& t : triangles) {
            look();
            if (orient2d(places[t[0]], places[t[1]], places[t[2]]) <= 0)
                changed.insert(changed.end(), t.begin(), t.end());
        }
        sort_distinct_or_cancel(changed);
        for (const uint32_t v : changed) {
            look();
            if (halvings[v] < kAtHome) ++halvings[v];
            place(v);
        }
    } while (!changed.empty());
    return places;
}

Geometry with_moved_points(const Context& context, const Geometry& set, Triangulation delaunay,
                           const MakerOptions& options) {
    const Triangles& triangles = delaunay.triangles;
    std::vector<char> fixed(set.points.size(), 1);
    for (const auto& t : triangles)
        for (const uint32_t v : t) fixed[v] = 0;
    for (const uint32_t v : delaunay.hull) fixed[v] = 1;
    double area = 0;
    for (const auto& t : triangles) area += orient2d_value(set.points[t[0]], set.points[t[1]], set.points[t[2]]) / 2;
    const std::vector<uint32_t>& first = delaunay.duplicate_of;
    size_t distinct = set.points.size();
    for (size_t i = 0; i < first.size(); ++i) distinct -= first[i] != i;
    const double reach =
        std::max(options.moved_by, 0.0) * std::sqrt(std::max(area, 0.0) / static_cast<double>(distinct));

    Geometry result{set.name + ", points moved", set.points};
    result.points = moved(context, set.points, triangles, fixed, reach, options.seed);
    for (size_t i = 0; i < first.size(); ++i) result.points[i] = result.points[first[i]];
    result.triangles = std::move(delaunay.triangles);
    return result;
}

}  // namespace

Geometry make_triangulation(Context& context, const Geometry& points, Start start, const MakerOptions& options) {
    Geometry result{points.name, points.points};
    switch (start) {
        case Start::kSweep:
            result.triangles = Sweep(points.points, sorted_distinct(points.points)).run(context);
            break;
        case Start::kFan:
            result.triangles = fan(points, sorted_distinct(points.points));
            break;
        case Start::kInsertion:
        case Start::kScrambled: {
            HostMesh host = built(context, points, start == Start::kScrambled);
            if (host.triangles.empty()) break;
            if (start == Start::kScrambled)
                scramble(context, host, options);
            else
                flip_sequentially(host, ReflexOutline{});
            result.triangles = finite_triangles(host);
            break;
        }
        case Start::kMoved: {
            Triangulation delaunay = triangulate(context, points.points, {.neighbours = false, .hash = false});
            if (!delaunay.triangles.empty()) result = with_moved_points(context, points, std::move(delaunay), options);
            break;
        }
    }
    return result;
}

}  // namespace flipscope
