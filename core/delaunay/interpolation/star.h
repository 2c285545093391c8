// The neighbours of a vertex of a triangulation, by its triangles.
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

}  // namespace flipscope
