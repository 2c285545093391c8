#include "flipscope/triangulate.h"

#include <string>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/constructions/locator_view.h"
#include "delaunay/constructions/order.h"

namespace flipscope {

namespace {

constexpr uint32_t kSortedFrom = 4096;  // queries

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
    LocatorView mesh;
    View<const Point> queries;
    View<const uint32_t> order;  // the order of the walks; null: as given
    View<uint32_t> found;
    View<uint32_t> refused;  // (1) as of LocatorView::find(); 0: none

    FLIPSCOPE_HD void operator()(uint32_t place) const {
        const uint32_t i = order ? order[place] : place;
        found[i] = mesh.find(queries[i], i, refused);
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

LocatorView PointLocator::view() const {
    const Bounds bounds{low_, high_};
    return {points_,      triangles_,          neighbours_,
            last_.view(), vertices_.view(),    keys_.view(),
            bounds,       LocatorGrid(bounds), static_cast<uint32_t>(triangles_.count / 3)};
}

void PointLocator::sort(View<const Point> queries, Buffer<uint32_t>& order) {
    const auto n = static_cast<uint32_t>(queries.count);
    if (n < kSortedFrom) return;
    const Bounds bounds{low_, high_};
    Buffer<uint64_t> keys("query keys");
    keys.resize(*context_, n);
    order.resize(*context_, n);
    launch(*context_, "locate.order", n,
           MakeQueryKeys{queries, bounds, LocatorGrid(bounds), keys.view(), order.view()});
    sort_by_key(*context_, "locate.order", keys, order, 2 * kLocatorAxisBits);
}

void PointLocator::require_decided(const Buffer<uint32_t>& refused) {
    if (const uint32_t complement = refused.read(0))
        throw Error("query " + std::to_string(~complement) +
                    ": a coordinate is not 0 and smaller than 2^-200, so that its place cannot be decided exactly");
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
    Buffer<uint32_t> order("query order"), refused("refused query");
    sort(queries, order);
    refused.fill(context, 1, 0);
    launch(context, "locate.points", n, FindTriangle{view(), queries, order.view(), found, refused.view()});
    require_decided(refused);
}

}  // namespace flipscope
