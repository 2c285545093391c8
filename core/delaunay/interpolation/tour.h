// Walks around a set of triangles whose dual graph is a tree, as the cavity of a new point, without a stack or marks.
#pragma once

#include "delaunay/constructions/locator_view.h"

namespace flipscope {

/// Corner 3t + k stands for the directed edge from corner k of triangle t to the next one.
FLIPSCOPE_HD inline uint32_t next_corner(uint32_t c) { return c % 3 == 2 ? c - 2 : c + 1; }

/// The same edge from the other side; kNone beyond the hull.
FLIPSCOPE_HD inline uint32_t across(const LocatorView& mesh, uint32_t c) {
    const uint32_t t = c / 3, other = mesh.neighbours[next_corner(next_corner(c))];
    if (other == kNone) return kNone;
    const uint32_t first = 3 * other;
    return mesh.neighbours[first] == t ? first + 1 : mesh.neighbours[first + 1] == t ? first + 2 : first;
}

/// Follows the boundary of the set of triangles around `t`, which is one of them, counter-clockwise and once around.
/// `visit.enters(u)`: whether triangle u, next to the last one entered, is in the set. `visit.begin(c)`: at the first
/// edge of the boundary. `visit.cross(c)`: turning around the end of the last edge, an inner edge c as seen from the
/// triangle behind it. `visit.leave(c)`: an edge of the boundary; the first one comes last.
template <class Visit>
FLIPSCOPE_HD void tour(const LocatorView& mesh, uint32_t t, Visit& visit) {
    uint32_t c = 3 * t, first = kNone;
    // A tour of n triangles crosses each of its n - 1 inner edges twice; the first loop is part of one.
    for (uint64_t steps = 0; steps < 6 * uint64_t(mesh.triangle_count) + 6; ++steps) {
        const uint32_t other = across(mesh, c);
        if (other != kNone && visit.enters(other / 3)) {
            if (first != kNone) visit.cross(other);
            visit.entered();
            c = next_corner(other);
            continue;
        }
        if (first == kNone) {
            first = c;
            visit.begin(c);
        } else {
            visit.leave(c);
            if (c == first) return;
        }
        c = next_corner(c);
    }
}

}  // namespace flipscope
