// The triangles of a triangulation as kernels walk through them to find points. PointLocator makes it; its locate() and
// the interpolation (delaunay/interpolation/) use it.
#pragma once

#include <algorithm>

#include "compute/atomics.h"
#include "compute/primitives.h"
#include "flipscope/predicates.h"
#include "geometry/bounds.h"

namespace flipscope {

inline constexpr int kLocatorAxisBits = 21;

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

struct LocatorView {
    View<const Point> points;         // (n)
    View<const uint32_t> triangles;   // (t, 3)
    View<const uint32_t> neighbours;  // (t, 3)
    View<const uint32_t> complement;  // (n) of the lowest triangle at each point; 0: none
    View<const uint32_t> vertices;    // (n) by key
    View<const uint64_t> keys;        // (n) ascending
    Bounds bounds;                    // of the points
    LocatorGrid grid;
    uint32_t triangle_count;

    /// The triangle of p as PointLocator::locate() has it. `refused`: (1) receives the complement of the lowest query
    /// `i` that cannot be decided.
    FLIPSCOPE_HD uint32_t find(Point p, uint32_t i, View<uint32_t> refused) const {
        if (!is_within(bounds, p)) return kNone;
        if (!coordinate_in_range(p.x) || !coordinate_in_range(p.y)) {
            atomic_max(refused[0], ~i);
            return kNone;
        }
        return walk(p, ~complement[start(p)]);
    }
    FLIPSCOPE_HD static double squared_distance(Point a, Point b) {
        return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
    }
    /// The nearer of the two vertices before and after p along the curve.
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
        return best;
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

}  // namespace flipscope
