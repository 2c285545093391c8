// The star of a vertex: the triangles around it, walked by spokes. A spoke is a corner that starts at the vertex.
#pragma once

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// The next spoke around the same vertex, clockwise. Ghosts are walked through like any triangle.
FLIPSCOPE_HD inline uint32_t next_spoke(const MeshView& mesh, uint32_t spoke) {
    return next_corner(mesh.across(spoke));
}

/// The least spoke of a vertex, kNone for a triangle without it: for reduce().
struct FindSpoke {
    MeshView mesh;
    uint32_t vertex;
    FLIPSCOPE_HD uint32_t operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (mesh.triangles[3 * t + k] == vertex) return 3 * t + k;
        return kNone;
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

/// Walks two stars in parallel, each searching for the other's centre: takes as long as the smaller star.
struct StarPair {
    MeshView mesh;
    uint32_t first[2];  // a spoke of each
    bool whole[2];      // the walk reaches all triangles of the vertex

    /// Whether test(spoke, other centre) holds for any spoke; it must hold in both stars or in neither.
    template <class Test>
    FLIPSCOPE_HD bool any(const Test& test) const {
        const uint32_t centres[2] = {mesh.from(first[0]), mesh.from(first[1])};
        uint32_t at[2] = {first[0], first[1]};
        for (;;) {
            for (uint32_t k = 0; k < 2; ++k) {
                if (!whole[k]) continue;
                if (test(at[k], centres[1 - k])) return true;
                at[k] = next_spoke(mesh, at[k]);
                if (at[k] == first[k]) return false;
            }
            if (!whole[0] && !whole[1]) return false;
        }
    }
};

}  // namespace flipscope
