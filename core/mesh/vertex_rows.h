// The neighbours of each vertex of a triangulation in plain arrays, such as the result of triangulate(). Host code; for
// a TriangleMesh on the device see star.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/context.h"
#include "compute/view.h"

namespace flipscope {

struct VertexRows {
    std::vector<uint32_t> triangle_of;  // (n) the lowest triangle at each point; kNone: none
    std::vector<uint32_t> starts;       // (n + 1) where the row of each point begins in `neighbours`
    /// Counter-clockwise around each point: for an interior point from the corner that follows it in its lowest
    /// triangle; for a point on the outline from its successor on the outline to its predecessor. So a point with d
    /// neighbours has d - 1 triangles on the outline, else d.
    std::vector<uint32_t> neighbours;
    std::vector<uint8_t> on_outline;  // (n)
    std::span<const uint32_t> row(size_t point) const {
        return {neighbours.data() + starts[point], starts[point + 1] - starts[point]};
    }
};

using TriangleSpan = std::span<const std::array<uint32_t, 3>>;

/// `triangles`, `neighbours`: (t, 3) of a triangulation of `n` points in which every point has one fan of triangles, as
/// triangulate() makes them. `path`: without triangles, the distinct points along their line; the neighbours of a point
/// are then its predecessor and successor. All in host memory. Throws Cancelled.
VertexRows vertex_rows(Context& context, uint32_t n, TriangleSpan triangles, TriangleSpan neighbours,
                       std::span<const uint32_t> path = {});

/// Calls visit(triangle) for the triangles around a point, counter-clockwise, from the beginning of its row.
template <class Visit>
void visit_star(uint32_t point, const VertexRows& rows, TriangleSpan triangles, TriangleSpan neighbours,
                const Visit& visit) {
    const auto place_in = [&](uint32_t t) {
        return triangles[t][0] == point ? 0u : triangles[t][1] == point ? 1u : 2u;
    };
    uint32_t t = rows.triangle_of[point];
    if (t == kNone) return;
    // Clockwise to the outline, across the edge from the point to the corner after it.
    if (rows.on_outline[point])
        for (uint32_t right; (right = neighbours[t][(place_in(t) + 2) % 3]) != kNone;) t = right;
    const uint32_t first = t;
    do {
        visit(t);
        t = neighbours[t][(place_in(t) + 1) % 3];
    } while (t != kNone && t != first);
}

}  // namespace flipscope
