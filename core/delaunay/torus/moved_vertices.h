// Reports moved vertices to a triangulation on a torus.
#pragma once

#include <bit>
#include <cstdint>

#include "compute/atomics.h"
#include "geometry/torus_box.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Bits of a moved vertex, in a byte; 0 for all others.
enum VertexMotion : uint8_t {
    kVertexMoved = 1,
    kVertexCrossed = 2,  // over the border of the box
};

/// Adds to a shift; other threads may add to it at the same time.
FLIPSCOPE_HD inline void add_atomically(ImageShift& shift, ImageShift added) {
    auto& word = reinterpret_cast<uint16_t&>(shift);
    uint16_t seen = atomic_load(word);
    for (;;) {
        const uint16_t sum = std::bit_cast<uint16_t>(std::bit_cast<ImageShift>(seen) + added);
        const uint16_t stood = atomic_exchange_if(word, seen, sum);
        if (stood == seen) return;
        seen = stood;
    }
}

/// For a kernel that moves vertices and has an edge of each: records the motion for the triangulation
/// (TorusTriangulation::begin_stars).
struct MovedStars {
    MeshView mesh;
    View<uint32_t> triangles, total;  // at moved vertices, each once
    View<uint32_t> stamps;            // (t) `stamp`: listed
    uint32_t stamp = 0;

    /// Records that the vertex at the start of a corner's edge was moved, and put back into the box by adding so many
    /// sides. Called once for each vertex.
    FLIPSCOPE_HD void follow(uint32_t corner, ImageShift added) const {
        if (!(added == ImageShift{})) follow_across(corner, added);
        // Walks both ways, so that half as many loads depend on each other. A warp leaves the loop together.
        uint32_t ahead = corner, behind = corner, first = triangle_of(corner);
        for (bool goes_on = true; goes_on; first = kNone) {
            uint32_t star[kAtOnce];
            star[0] = first;
            for (uint32_t k = 1; k < kAtOnce; k += 2) {
                star[k] = star[k + 1] = kNone;
                if (!goes_on) continue;
                const uint32_t next = mesh.across(previous_corner(ahead)), back = next_corner(mesh.across(behind));
                goes_on = next != behind;
                if (!goes_on) continue;
                star[k] = triangle_of(ahead = next);
                goes_on = back != ahead;
                if (goes_on) star[k + 1] = triangle_of(behind = back);
            }
            list(star);
        }
    }

    static constexpr uint32_t kAtOnce = 9;  // independent loads
    FLIPSCOPE_HD void list(const uint32_t (&star)[kAtOnce]) const {
        bool first[kAtOnce];
        uint32_t places = 0;
        for (uint32_t k = 0; k < kAtOnce; ++k)
            first[k] = star[k] != kNone && atomic_exchange(stamps[star[k]], stamp) != stamp;
        for (uint32_t k = 0; k < kAtOnce; ++k) places += first[k];
        uint32_t rank = atomic_reserve<4>(total[0], places);
        for (uint32_t k = 0; k < kAtOnce; ++k)
            if (first[k]) triangles[rank++] = star[k];
    }
    FLIPSCOPE_HD void follow_across(uint32_t corner, ImageShift added) const {
        uint32_t at = corner;
        do {
            const uint32_t back = previous_corner(at);
            add_atomically(mesh.shifts[at], added);  // both vertices of an edge may have crossed the border
            add_atomically(mesh.shifts[back], -added);
            at = mesh.across(back);
        } while (at != corner);
    }
};

}  // namespace flipscope
