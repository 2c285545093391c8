#include "flipscope/triangulate.h"

#include <algorithm>
#include <string>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/constructions/order.h"
#include "flipscope/predicates.h"

namespace flipscope {

namespace {

constexpr int kLocatorAxisBits = 21;
constexpr uint32_t kSortedFrom = 4096;  // queries

/// The bits of x, each followed by a 0.
FLIPSCOPE_HD inline uint64_t interleaved(uint32_t x) {
    uint64_t v = x;
    v = (v | v << 16) & 0x0000FFFF0000FFFFu;
    v = (v | v << 8) & 0x00FF00FF00FF00FFu;
    v = (v | v << 4) & 0x0F0F0F0F0F0F0F0Fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (v | v << 1) & 0x5555555555555555u;
}

struct LocatorGrid {
    Point low;
    double cells_per_unit;

    explicit LocatorGrid(const Bounds& bounds) : low(bounds.low) {
        const double extent = std::max(bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y);
        cells_per_unit = extent > 0 ? ((1u << kLocatorAxisBits) - 1) / extent : 0;
    }
    /// Of a point within the bounds.
    FLIPSCOPE_HD uint64_t key(Point p) const {
        return interleaved(cell(p.x - low.x)) | interleaved(cell(p.y - low.y)) << 1;
    }
    FLIPSCOPE_HD uint32_t cell(double offset) const {
        constexpr uint32_t kLast = (1u << kLocatorAxisBits) - 1;
        const auto at = static_cast<uint32_t>(offset * cells_per_unit);
        return at < kLast ? at : kLast;
    }
};

/// False also for NaN.
FLIPSCOPE_HD inline bool is_within(const Bounds& bounds, Point p) {
    return p.x >= bounds.low.x && p.x <= bounds.high.x && p.y >= bounds.low.y && p.y <= bounds.high.y;
}

struct MarkLowestTriangle {
    View<const uint32_t> triangles;
    View<uint32_t> complement;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k) atomic_max(complement[triangles[3 * size_t(t) + k]], ~t);
    }
};

struct MakeLocatorKeys {
    View<const Point> points;
    View<const uint32_t> complement;
    LocatorGrid grid;
    View<uint64_t> keys;
    View<uint32_t> vertices;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        keys[i] = complement[i] ? grid.key(points[i]) : uint64_t(1) << 2 * kLocatorAxisBits;
        vertices[i] = i;
    }
};

/// Sorts queries, so that consecutive walks read the same memory.
struct MakeQueryKeys {
    View<const Point> queries;
    Bounds bounds;
    LocatorGrid grid;
    View<uint64_t> keys;
    View<uint32_t> order;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        keys[i] = is_within(bounds, queries[i]) ? grid.key(queries[i]) : 0;
        order[i] = i;
    }
};

struct FindTriangle {
    View<const Point> points;
    View<const uint32_t> triangles, neighbours, complement, vertices;
    View<const uint64_t> keys;
    Bounds bounds;
    LocatorGrid grid;
    uint32_t triangle_count;
    View<const Point> queries;
    View<const uint32_t> order;  // the order of the walks; null: as given
    View<uint32_t> found;
    View<uint32_t> refused;  // (1) the complement of the lowest query that cannot be decided; 0: none

    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = order ? order[place] : place;
        const Point p = queries[i];
        found[i] = kNone;
        if (!is_within(bounds, p)) return;
        if (!coordinate_in_range(p.x) || !coordinate_in_range(p.y)) {
            atomic_max(refused[0], ~i);
            return;
        }
        found[i] = walk(p, start(p));
    }
    FLIPSCOPE_HD static double squared_distance(Point a, Point b) {
        return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
    }
    /// Starts at the nearer of the two vertices before and after p along the curve.
    FLIPSCOPE_HD uint32_t start(Point p) const {
        const auto n = static_cast<uint32_t>(keys.count);
        const uint32_t after = lower_bound(keys.data, 0u, n, grid.key(p));
        uint32_t best = kNone;
        double least = 0;
        for (uint32_t k = after > 0 ? after - 1 : 0; k <= after && k < n; ++k) {
            const uint32_t v = vertices[k];
            if (!complement[v]) continue;
            const double squared = squared_distance(p, points[v]);
            if (best != kNone && !(squared < least)) continue;
            best = v;
            least = squared;
        }
        return ~complement[best];
    }
    FLIPSCOPE_HD uint32_t walk(Point p, uint32_t t) const {
        // No walk in a Delaunay triangulation enters a triangle twice; after concurrent changes of points a walk ends
        // here.
        for (uint32_t steps = 0; steps <= triangle_count; ++steps) {
            const size_t first = 3 * size_t(t);
            const uint32_t v[3] = {triangles[first], triangles[first + 1], triangles[first + 2]};
            const Point corners[3] = {points[v[0]], points[v[1]], points[v[2]]};
            uint32_t on = 0, beyond = 3;
            for (uint32_t k = 0; k < 3 && beyond == 3; ++k) {
                const int side = orient2d(corners[(k + 1) % 3], corners[(k + 2) % 3], p);
                if (side < 0) beyond = k;
                if (side == 0) on |= 1u << k;
            }
            if (beyond == 3) return lowest_at(t, v, on);
            t = neighbours[first + beyond];
            if (t == kNone) return kNone;
        }
        return kNone;
    }
    /// Of the triangles that meet at p: within t, on one of its edges or, if p is on two, at a corner.
    FLIPSCOPE_HD uint32_t lowest_at(uint32_t t, const uint32_t (&v)[3], uint32_t on) const {
        if (on == 0) return t;
        for (uint32_t k = 0; k < 3; ++k) {
            if (on == 1u << k) {
                const uint32_t across = neighbours[3 * size_t(t) + k];
                return across < t ? across : t;
            }
            if (on == (7u ^ 1u << k)) return ~complement[v[k]];
        }
        return t;
    }
};

}  // namespace

PointLocator::PointLocator(Context& context, View<const Point> points, View<const uint32_t> triangles,
                           View<const uint32_t> neighbours)
    : context_(&context), points_(points), triangles_(triangles), neighbours_(neighbours) {
    const auto n = static_cast<uint32_t>(points.count);
    const auto triangle_count = static_cast<uint32_t>(triangles.count / 3);
    if (triangle_count == 0) return;
    const Bounds bounds = bounds_of(context, points);
    low_ = bounds.low, high_ = bounds.high;
    last_.resize(context, n, false);
    context.fill(last_.view().data, 0, n * sizeof(uint32_t));
    launch(context, "locate.mark", triangle_count, MarkLowestTriangle{triangles, last_.view()});
    keys_.resize(context, n, false);
    vertices_.resize(context, n, false);
    launch(context, "locate.keys", n,
           MakeLocatorKeys{points, last_.view(), LocatorGrid(bounds), keys_.view(), vertices_.view()});
    sort_by_key(context, "locate.sort", keys_, vertices_, 2 * kLocatorAxisBits + 1);
    context.synchronize();
}

void PointLocator::locate(View<const Point> queries, View<uint32_t> found) {
    Context& context = *context_;
    const auto n = static_cast<uint32_t>(queries.count);
    if (n == 0) return;
    if (triangles_.count == 0) {
        context.fill(found.data, 0xFF, n * sizeof(uint32_t));
        context.synchronize();
        return;
    }
    const Bounds bounds{low_, high_};
    Buffer<uint64_t> keys("query keys");
    Buffer<uint32_t> order("query order"), refused("refused query");
    if (n >= kSortedFrom) {
        keys.resize(context, n);
        order.resize(context, n);
        launch(context, "locate.order", n,
               MakeQueryKeys{queries, bounds, LocatorGrid(bounds), keys.view(), order.view()});
        sort_by_key(context, "locate.order", keys, order, 2 * kLocatorAxisBits);
    }
    refused.resize(context, 1);
    context.fill(refused.view().data, 0, sizeof(uint32_t));
    launch(context, "locate.points", n,
           FindTriangle{points_, triangles_, neighbours_, last_.view(), vertices_.view(), keys_.view(), bounds,
                        LocatorGrid(bounds), static_cast<uint32_t>(triangles_.count / 3), queries, order.view(), found,
                        refused.view()});
    if (const uint32_t complement = refused.read(0))
        throw Error("query " + std::to_string(~complement) +
                    ": a coordinate is not 0 and smaller than 2^-200, so that its place cannot be decided exactly");
}

}  // namespace flipscope
