// Walks through the triangles of a triangulation: around a vertex, and around a set of triangles whose dual graph is a
// tree, as the cavity of a new point, without a stack or marks.
#pragma once

#include "delaunay/constructions/locator_view.h"

namespace flipscope {

/// each(u, t) for every neighbour u of vertex v, which has triangles; t: the triangle to the left of the edge from v to
/// u, or kNone. The order depends on the triangulation alone.
template <class Each>
FLIPSCOPE_HD void for_star(const LocatorView& mesh, uint32_t v, const Each& each) {
    const auto corner = [&](uint32_t t, uint32_t further) {
        const uint32_t first = 3 * t;
        const uint32_t k = mesh.triangles[first] == v ? 0 : mesh.triangles[first + 1] == v ? 1 : 2;
        return first + (k + further) % 3;
    };
    const uint32_t start = ~mesh.complement[v];
    uint32_t t = start;
    do {  // counter-clockwise
        each(mesh.triangles[corner(t, 1)], t);
        const uint32_t next = mesh.neighbours[corner(t, 1)];
        if (next == kNone) each(mesh.triangles[corner(t, 2)], kNone);
        t = next;
    } while (t != kNone && t != start);
    if (t == start) return;
    for (t = mesh.neighbours[corner(start, 2)]; t != kNone; t = mesh.neighbours[corner(t, 2)])
        each(mesh.triangles[corner(t, 1)], t);
}

/// Corner 3t + k stands for the directed edge from corner k of triangle t to the next one.
FLIPSCOPE_HD inline uint32_t next_corner(uint32_t c) { return c % 3 == 2 ? c - 2 : c + 1; }

/// The same edge from the other side; kNone beyond the hull.
FLIPSCOPE_HD inline uint32_t across(const LocatorView& mesh, uint32_t c) {
    const uint32_t t = c / 3, other = mesh.neighbours[next_corner(next_corner(c))], first = 3 * other;
    if (other == kNone) return kNone;
    return mesh.neighbours[first] == t ? first + 1 : mesh.neighbours[first + 1] == t ? first + 2 : first;
}

/// Follows the boundary of the set of triangles around `t`, which is one of them, counter-clockwise and once around.
/// `visit.enters(u)`: whether triangle u, next to the last one, is in the set. `visit.leave(c)`: an edge of the
/// boundary; the first one comes last, too. `visit.cross(c)`: an inner edge as seen from the triangle behind it;
/// between two edges of the boundary these turn around the vertex of both.
template <class Visit>
FLIPSCOPE_HD void tour(const LocatorView& mesh, uint32_t t, Visit& visit) {
    uint32_t c = 3 * t, first = kNone;
    // A tour of n triangles crosses each of its n - 1 inner edges twice, and some of them before the first leave().
    for (uint64_t steps = 0; steps < 6 * uint64_t(mesh.triangle_count) + 6; ++steps) {
        const uint32_t other = across(mesh, c);
        if (other != kNone && visit.enters(other / 3)) {
            visit.cross(other);
            c = other;
        } else {
            visit.leave(c);
            if (c == first) return;
            if (first == kNone) first = c;
        }
        c = next_corner(c);
    }
}

}  // namespace flipscope
