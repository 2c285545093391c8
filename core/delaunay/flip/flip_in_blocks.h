// Edge flips without claims: consecutive triangles form a block, and one thread flips the edges inside of a block until
// all of these are legal, as Lawson's algorithm does. Blocks share nothing that a flip writes, so there are no
// conflicts, and the result does not depend on the order of threads. Where neighbours in memory are neighbours in the
// plane this is most of the work; flip_in_regions.h and flip.h flip the edges between blocks.
#pragma once

#include "compute/launch.h"
#include "delaunay/flip/flip_lanes.h"
#include "delaunay/flip/flip_marks.h"
#include "mesh/surgery.h"

namespace flipscope {

/// One thread for each block. Sum 0: flips.
struct FlipInBlocks {
    static constexpr uint32_t kTriangles = 21;  // of a block: their corners are the bits of a word
    MeshView mesh;
    uint32_t triangle_count;

    /// Corners whose edges are to be tested, of one block. An edge stands at the corner of its side 0.
    struct Dirty {
        uint64_t word = 0;
        FLIPSCOPE_HD void set(uint32_t bit) { word |= uint64_t(1) << bit; }
        FLIPSCOPE_HD void clear_triangle(uint32_t t) { word &= ~(uint64_t(7) << 3 * t); }
        FLIPSCOPE_HD bool any() const { return word != 0; }
        FLIPSCOPE_HD uint32_t take_lowest() {
            const uint32_t bit = lowest_bit(word);
            word &= word - 1;
            return bit;
        }
    };

    FLIPSCOPE_HD static uint32_t lowest_bit(uint64_t word) {
#if defined(__CUDA_ARCH__)
        return static_cast<uint32_t>(__ffsll(static_cast<long long>(word)) - 1);
#else
        return static_cast<uint32_t>(__builtin_ctzll(word));
#endif
    }
    FLIPSCOPE_HD static uint32_t block_of(uint32_t corner) { return corner / (3 * kTriangles); }
    /// The corner that represents the edge at a corner of the block: that of its side 0, or kNone if the other triangle
    /// is not in the block. Its reference may be changing, but stays in its block.
    FLIPSCOPE_HD uint32_t noted_at(uint32_t corner, uint32_t block) const {
        const uint32_t half_edge = mesh.half_edge_at[corner], twin = atomic_load(mesh.corner_of[half_edge ^ 1]);
        if (block_of(twin) != block) return kNone;
        return half_edge & 1 ? twin : corner;
    }

    /// The edges inside a block that can be illegal: on CPU threads, which test many at a time, only illegal ones. The
    /// same edges flip in the same order in both cases, because a legal edge is skipped in its turn.
    FLIPSCOPE_HD Dirty to_be_flipped(uint32_t first, uint32_t end, uint32_t block) const {
        Dirty dirty;
#if defined(__CUDA_ARCH__)
        for (uint32_t corner = first; corner < end; ++corner)
            if ((mesh.half_edge_at[corner] & 1) == 0 && noted_at(corner, block) != kNone) dirty.set(corner - first);
#else
        constexpr uint32_t kLanes = IncircleLanes::kLanes;
        uint32_t corners[kLanes], count = 0;
        Quad quads[kLanes];
        const auto decide = [&] {
            Verdict verdicts[kLanes];
            decide_quads(mesh, quads, count, verdicts);
            for (uint32_t j = 0; j < count; ++j)
                if (verdicts[j] == Verdict::kIllegal) dirty.set(corners[j] - first);
            count = 0;
        };
        // First all edges inside, without a branch, which would often be mispredicted.
        Dirty inside;
        for (uint32_t corner = first; corner < end; ++corner) {
            const uint32_t half_edge = mesh.half_edge_at[corner], twin = atomic_load(mesh.corner_of[half_edge ^ 1]);
            const bool is_inside = ((half_edge & 1) == 0) & (block_of(twin) == block);
            inside.word |= uint64_t(is_inside) << (corner - first);
        }
        while (inside.any()) {
            const uint32_t corner = first + inside.take_lowest(), twin = mesh.corner_of[mesh.half_edge_at[corner] ^ 1];
            corners[count] = corner;
            quads[count] = {mesh.from(corner), mesh.from(twin), mesh.apex(corner), mesh.apex(twin)};
            if (++count == kLanes) decide();
        }
        if (count > 0) decide();
#endif
        return dirty;
    }

    FLIPSCOPE_HD void operator()(uint32_t block, BlockSums& sums) const {
        const uint32_t first = 3 * kTriangles * block;
        const uint32_t end = 3 * triangle_count - first < 3 * kTriangles ? 3 * triangle_count : first + 3 * kTriangles;
        Dirty dirty = to_be_flipped(first, end, block);
        while (dirty.any()) {
            const uint32_t corner = first + dirty.take_lowest(), half_edge = mesh.half_edge_at[corner];
            const uint32_t twin = mesh.corner_of[half_edge ^ 1];
            if (!is_illegal(mesh, {mesh.from(corner), mesh.from(twin), mesh.apex(corner), mesh.apex(twin)},
                            PredicateMode::kExact))
                continue;
            const uint32_t edge = half_edge >> 1, left = triangle_of(corner), right = triangle_of(twin);
            flip_edge(mesh, edge);
            repair_flipped(mesh, edge);
            ++sums.value[0];
            if (mesh.edge_states) mark_flipped(mesh, edge, left, right);
            dirty.clear_triangle(left - first / 3);
            dirty.clear_triangle(right - first / 3);
            for (uint32_t side = 0; side < 2; ++side) {
                const uint32_t at = mesh.corner_of[2 * edge + side];
                for (const uint32_t outer : {next_corner(at), previous_corner(at)})
                    if (const uint32_t noted = noted_at(outer, block); noted != kNone) dirty.set(noted - first);
            }
        }
    }
};

}  // namespace flipscope
