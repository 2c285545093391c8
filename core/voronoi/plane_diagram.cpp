#include "flipscope/voronoi.h"

#include <algorithm>
#include <cmath>

#include "compute/disjoint_sets.h"
#include "compute/for_ranges.h"
#include "flipscope/detail/exact.h"
#include "flipscope/predicates.h"
#include "geometry/accurate_determinants.h"

namespace flipscope {

Point circumcentre(Point a, Point b, Point c) {
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    double twice_area = difference_of_products(bx, cy, by, cx);
    // For a triangle so flat that rounding dominates its area.
    if (!(std::fabs(twice_area) > 0x1p-40 * (std::fabs(bx * cy) + std::fabs(by * cx))))
        twice_area = exact::orient2d_rounded(a, b, c);
    const double bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    return {a.x + difference_of_products(bb, cy, cc, by) / (2 * twice_area),
            a.y + difference_of_products(cc, bx, bb, cx) / (2 * twice_area)};
}

PlaneDiagram plane_diagram(Context& context, std::span<const Point> points, TriangleSpan triangles,
                           TriangleSpan neighbours, std::span<const uint32_t> path, const VertexRows& rows) {
    const CancelScope scope(context.cancel_flag());
    const auto n = static_cast<uint32_t>(points.size());
    PlaneDiagram made;
    resize_or_cancel(made.region_starts, n + size_t(1), 0u);
    if (triangles.empty()) {
        for (const uint32_t point : path) made.region_starts[point + size_t(1)] = 1;
        for (size_t i = 0; i < n; ++i) made.region_starts[i + 1] += made.region_starts[i];
        made.region_vertices.assign(path.size(), kNone);
        for (size_t i = 0; i + 1 < path.size(); ++i) {
            made.ridge_points.push_back({path[i], path[i + 1]});
            made.ridge_vertices.push_back({kNone, kNone});
        }
        return made;
    }
    const auto t_count = static_cast<uint32_t>(triangles.size());
    // Bit k: the circle also passes through the apex of the triangle across edge k, which has a higher index.
    std::vector<uint8_t> cocircular;
    resize_or_cancel(cocircular, t_count, uint8_t(0));
    for_ranges(context, t_count, [&](uint32_t begin, uint32_t end) {
        for (uint32_t t = begin; t < end; ++t)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t across = neighbours[t][k];
                if (across == kNone || across < t) continue;
                const auto& corners = triangles[across];
                const uint32_t j = neighbours[across][0] == t ? 0 : neighbours[across][1] == t ? 1 : 2;
                if (incircle(points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]],
                             points[corners[j]]) == 0)
                    cocircular[t] |= uint8_t(1u << k);
            }
    });
    std::vector<uint32_t> parents;
    resize_or_cancel(parents, t_count, 0u);
    CancelPoll poll;
    for (uint32_t t = 0; t < t_count; ++t) parents[t] = t;
    for (uint32_t t = 0; t < t_count; ++t) {
        poll();
        for (uint32_t k = 0; cocircular[t] >> k; ++k)
            if (cocircular[t] >> k & 1) join_sets(parents, t, neighbours[t][k]);
    }
    resize_or_cancel(made.vertex_of, t_count, 0u);
    uint32_t vertices = 0;
    for (uint32_t t = 0; t < t_count; ++t) {
        poll();
        const uint32_t root = root_of(parents, t);
        made.vertex_of[t] = root == t ? vertices++ : made.vertex_of[root];
    }
    std::vector<uint32_t>& lowest = parents;  // by vertex: its lowest triangle; overwrites the parents
    for (uint32_t t = 0, vertex = 0; t < t_count; ++t) {
        poll();
        if (made.vertex_of[t] == vertex) lowest[vertex++] = t;
    }
    resize_or_cancel(made.vertices, vertices);
    for_ranges(context, vertices, [&](uint32_t begin, uint32_t end) {
        for (uint32_t v = begin; v < end; ++v) {
            const auto& [a, b, c] = triangles[lowest[v]];
            made.vertices[v] = circumcentre(points[a], points[b], points[c]);
        }
    });
    const auto visit_ridges = [&](uint32_t t, const auto& visit) {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t across = neighbours[t][k];
            if (across != kNone && across < t) continue;
            const uint32_t right = across == kNone ? kNone : made.vertex_of[across];
            if (right != made.vertex_of[t]) visit(k, right);
        }
    };
    std::vector<uint32_t> first_ridge;  // (t + 1) by triangle
    resize_or_cancel(first_ridge, t_count + size_t(1), 0u);
    for_ranges(context, t_count, [&](uint32_t begin, uint32_t end) {
        for (uint32_t t = begin; t < end; ++t)
            visit_ridges(t, [&](uint32_t, uint32_t) { ++first_ridge[t + size_t(1)]; });
    });
    for (size_t t = 0; t < t_count; ++t) first_ridge[t + 1] += first_ridge[t];
    resize_or_cancel(made.ridge_points, first_ridge[t_count]);
    resize_or_cancel(made.ridge_vertices, first_ridge[t_count]);
    for_ranges(context, t_count, [&](uint32_t begin, uint32_t end) {
        for (uint32_t t = begin; t < end; ++t) {
            uint32_t at = first_ridge[t];
            visit_ridges(t, [&](uint32_t k, uint32_t right) {
                made.ridge_points[at] = {triangles[t][(k + 1) % 3], triangles[t][(k + 2) % 3]};
                made.ridge_vertices[at++] = {right, made.vertex_of[t]};
            });
        }
    });
    // Visits the vertices of the triangles around each point, once for equal ones, including the last and the first.
    const auto visit_region = [&](uint32_t v, const auto& visit) {
        uint32_t first = kNone, last = kNone, count = 0;
        if (rows.on_outline[v]) {
            visit(kNone);
            ++count;
        }
        visit_star(v, rows, triangles, neighbours, [&](uint32_t t) {
            const uint32_t vertex = made.vertex_of[t];
            if (vertex == last) return;
            if (first == kNone)
                first = vertex;
            else if (!rows.on_outline[v] && vertex == first)
                return;
            last = vertex;
            visit(vertex);
            ++count;
        });
        return count;
    };
    // A region has at most as many vertices as its point has neighbours: first write them in place, then compact.
    resize_or_cancel(made.region_vertices, rows.neighbours.size(), 0u);
    for_ranges(context, n, [&](uint32_t begin, uint32_t end) {
        for (uint32_t v = begin; v < end; ++v) {
            uint32_t at = rows.starts[v];
            made.region_starts[v + size_t(1)] =
                visit_region(v, [&](uint32_t vertex) { made.region_vertices[at++] = vertex; });
        }
    });
    for (size_t i = 0; i < n; ++i) made.region_starts[i + 1] += made.region_starts[i];
    if (made.region_starts[n] == made.region_vertices.size()) return made;
    for (size_t v = 0; v < n; ++v) {
        poll();
        std::copy_n(made.region_vertices.begin() + rows.starts[v], made.region_starts[v + 1] - made.region_starts[v],
                    made.region_vertices.begin() + made.region_starts[v]);
    }
    made.region_vertices.resize(made.region_starts[n]);
    return made;
}

}  // namespace flipscope
