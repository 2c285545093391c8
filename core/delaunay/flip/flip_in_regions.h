// Flip passes that stay within a region: the triangles are divided into regions of consecutive ones, and each runs its
// own passes of claims and flips, until all edges inside it are legal. No pass waits for other regions: on CPU threads
// a region stays in the cache, on CUDA one block of threads passes barriers instead of launches. Within a pass the
// lowest edge is granted a triangle, as in flip.h, so the result is the same on every device. Flip passes over the
// whole mesh (flip.h) flip the edges between regions.
#pragma once

#include <algorithm>

#include "compute/launch_on_cuda.h"
#include "delaunay/flip/flip_in_blocks.h"
#include "delaunay/flip/flip_in_one_cluster.h"

namespace flipscope {

/// The division into regions. A block of FlipInBlocks is in one region.
struct Regions {
    static constexpr uint32_t kStep = 2 * FlipInBlocks::kTriangles;
    uint32_t bits;  // each has kStep · 2^bits triangles, so that no division finds them
    uint32_t triangle_count;

    /// Regions of about so many triangles.
    static Regions of(uint32_t triangles, uint32_t triangle_count) {
        uint32_t bits = 0;
        while (bits < 20 && (kStep << bits) < triangles) ++bits;
        return {bits, triangle_count};
    }
    FLIPSCOPE_HD uint32_t triangles() const { return kStep << bits; }
    FLIPSCOPE_HD uint32_t count() const { return (triangle_count - 1) / triangles() + 1; }
    FLIPSCOPE_HD uint32_t of_corner(uint32_t corner) const { return corner / (3 * kStep) >> bits; }
    /// The number of corners of a region.
    struct Corners {
        uint32_t begin, count;
        FLIPSCOPE_HD bool hold(uint32_t corner) const { return corner - begin < count; }
    };
    FLIPSCOPE_HD Corners corners(uint32_t region) const {
        return {3 * begin(region), 3 * (end(region) - begin(region))};
    }
    FLIPSCOPE_HD uint32_t begin(uint32_t region) const { return region * triangles(); }
    FLIPSCOPE_HD uint32_t end(uint32_t region) const {
        return triangle_count - begin(region) < triangles() ? triangle_count : begin(region) + triangles();
    }
    /// Room for all edges inside a region.
    FLIPSCOPE_HD uint32_t edge_room() const { return 3 * (triangles() / 2); }
};

/// Works on one region at a time. `Threads` share the work: see OneThread and ThreadsOfBlock.
struct FlipInRegions {
    MeshView mesh;
    Regions regions;
    View<uint64_t> claims;      // (t) as of FlipPass
    View<uint32_t> changed_in;  // (t)
    uint32_t stamp;             // of the first pass; those that follow have the next ones
    View<uint32_t> lists[2];    // (edge_room · regions) of candidates
    View<uint32_t> passes;      // (1) most passes of any region

    static constexpr uint32_t kGranted = 1u << 31;  // of a candidate: it has flipped

    FLIPSCOPE_HD uint32_t triangle_at(uint32_t edge, uint32_t side) const {
        return triangle_of(atomic_load(mesh.corner_of[2 * edge + side]));  // atomic as in FlipPass
    }
    FLIPSCOPE_HD bool changed(uint32_t t, uint32_t pass) const { return changed_in[t] == stamp + pass; }
    FLIPSCOPE_HD uint64_t claim_of(uint32_t edge, uint32_t pass) const {
        return (uint64_t(~(stamp + pass)) << 32) | edge;
    }
    FLIPSCOPE_HD Quad quad(uint32_t edge) const {
        const uint32_t left = mesh.corner_of[2 * edge], right = mesh.corner_of[2 * edge + 1];
        return {mesh.from(left), mesh.from(right), mesh.apex(left), mesh.apex(right)};
    }

    /// Whether the edge at a corner is tested in the first pass: edges inside blocks are legal already. Without a
    /// branch, which would often be mispredicted.
    FLIPSCOPE_HD bool tests_first(uint32_t corner, uint32_t first_of_block, const Regions::Corners& region) const {
        const uint32_t half_edge = mesh.half_edge_at[corner], twin = atomic_load(mesh.corner_of[half_edge ^ 1]);
        const bool is_tested = twin - first_of_block < FlipInBlocks::kCorners;
        return ((half_edge & 1) == 0) & !is_tested & region.hold(twin);
    }
    /// The edge to test after a pass at side 4 i + k of candidate i, as in CollectAndClaim.
    FLIPSCOPE_HD uint32_t edge_at(uint32_t candidate, uint32_t k, const Regions::Corners& region, uint32_t pass) const {
        const uint32_t edge = candidate & ~kGranted;
        if (edge == candidate) {
            const bool stays = k == 0 && !changed(triangle_at(edge, 0), pass) && !changed(triangle_at(edge, 1), pass);
            return stays ? edge : kNone;
        }
        const uint32_t at = mesh.corner_of[2 * edge + (k >> 1)];
        const uint32_t half_edge = mesh.half_edge_at[k & 1 ? previous_corner(at) : next_corner(at)];
        const uint32_t other = atomic_load(mesh.corner_of[half_edge ^ 1]);
        if (!region.hold(other)) return kNone;
        return ((half_edge & 1) == 0) | !changed(triangle_of(other), pass) ? half_edge >> 1 : kNone;
    }
    /// Flips a candidate whose claims are granted, with repair at once, as FlipEdge does.
    FLIPSCOPE_HD bool flip(uint32_t& candidate, uint32_t pass) const {
        const uint32_t edge = candidate, corner = atomic_load(mesh.corner_of[2 * edge]),
                       twin = atomic_load(mesh.corner_of[2 * edge + 1]);
        const uint32_t left = triangle_of(corner), right = triangle_of(twin);
        const uint64_t claim = claim_of(edge, pass);
        if (atomic_load(claims[left]) != claim || atomic_load(claims[right]) != claim) return false;
        flip_at(mesh, corner, twin, 2 * edge);
        changed_in[left] = changed_in[right] = stamp + pass;
        if (mesh.edge_states) mark_flipped(mesh, edge, left, right);
        candidate = edge | kGranted;
        return true;
    }

    /// All passes of a region. Returns this thread's share of its flips.
    FLIPSCOPE_EITHER_SIDE template <class Threads>
    FLIPSCOPE_HD uint64_t run(const Threads& threads, uint32_t region) const {
        const size_t room = size_t(region) * regions.edge_room();
        uint32_t* list = lists[0].data + room;
        uint32_t* next = lists[1].data + room;
        const Regions::Corners corners = regions.corners(region);
        uint32_t count = threads.list_first(*this, corners, list);
        uint64_t flips = 0;
        uint32_t pass = 0;
        for (; count > 0; ++pass) {
            for (uint32_t i = threads.index(); i < count; i += threads.count()) flips += flip(list[i], pass);
            threads.wait();
            const uint32_t* const of_pass = list;
            count = threads.list_illegal(*this, 4 * count, pass + 1, next, [&](uint32_t side) {
                return edge_at(of_pass[side / 4], side % 4, corners, pass);
            });
            list = next;
            next = const_cast<uint32_t*>(of_pass);
        }
        if (threads.index() == 0) atomic_max(passes[0], pass);
        return flips;
    }
};

/// One CPU thread. It tests many edges at a time.
class OneThread {
  public:
    uint32_t index() const { return 0; }
    uint32_t count() const { return 1; }
    void wait() const {}
    /// Lists the illegal edges at 0 … n - 1, which claim their triangles for `pass`.
    template <class EdgeAt>
    uint32_t list_illegal(const FlipInRegions& of, uint32_t n, uint32_t pass, uint32_t* list,
                          const EdgeAt& edge_at) const {
        Listing listing{of, pass, list};
        for (uint32_t i = 0; i < n; ++i) listing.add(edge_at(i));
        return listing.end();
    }
    /// The same for all edges of the first pass.
    uint32_t list_first(const FlipInRegions& of, const Regions::Corners& corners, uint32_t* list) const {
        Listing listing{of, 0, list};
        for (uint32_t begin = 0; begin < corners.count; begin += FlipInBlocks::kCorners) {
            const uint32_t first = corners.begin + begin;
            const uint32_t count = std::min(corners.count - begin, FlipInBlocks::kCorners);
            uint64_t tested = 0;
            for (uint32_t k = 0; k < count; ++k) tested |= uint64_t(of.tests_first(first + k, first, corners)) << k;
            for (; tested != 0; tested &= tested - 1)
                listing.add(of.mesh.half_edge_at[first + FlipInBlocks::lowest_bit(tested)] >> 1);
        }
        return listing.end();
    }

  private:
    struct Listing {
        static constexpr uint32_t kLanes = IncircleLanes::kLanes;
        const FlipInRegions& of;
        uint32_t pass;
        uint32_t* list;
        uint32_t listed = 0, gathered = 0;
        uint32_t edges[kLanes] = {};

        /// Or kNone, which is left out without a branch.
        void add(uint32_t edge) {
            edges[gathered] = edge;
            gathered += edge != kNone;
            if (gathered == kLanes) decide();
        }
        uint32_t end() {
            if (gathered > 0) decide();
            return listed;
        }
        void decide() {
            Quad quads[kLanes];
            Verdict verdicts[kLanes];
            for (uint32_t j = 0; j < gathered; ++j) quads[j] = of.quad(edges[j]);
            decide_quads(of.mesh, quads, gathered, verdicts);
            const uint32_t before = listed;
            uint32_t found[kLanes];
            for (uint32_t j = 0; j < gathered; ++j) {  // without a branch, which would often be mispredicted
                found[listed - before] = edges[j];
                listed += verdicts[j] == Verdict::kIllegal;
            }
            for (uint32_t k = before; k < listed; ++k) {
                const uint32_t edge = list[k] = found[k - before];
                const uint64_t claim = of.claim_of(edge, pass);
                for (uint32_t side = 0; side < 2; ++side) {
                    uint64_t& best = of.claims[of.triangle_at(edge, side)];
                    best = claim < best ? claim : best;
                }
            }
            gathered = 0;
        }
    };
};

#if defined(__CUDACC__)

namespace detail {

inline constexpr uint32_t kThreadsOfRegion = 1024;

/// The threads of a CUDA block.
struct ThreadsOfBlock {
    uint32_t* total;  // in shared memory
    __device__ uint32_t index() const { return threadIdx.x; }
    __device__ uint32_t count() const { return blockDim.x; }
    __device__ void wait() const { __syncthreads(); }
    template <class EdgeAt>
    __device__ uint32_t list_illegal(const FlipInRegions& of, uint32_t n, uint32_t pass, uint32_t* list,
                                     const EdgeAt& edge_at) const {
        if (threadIdx.x == 0) *total = 0;
        __syncthreads();
        const uint32_t lane = threadIdx.x % 32;
        for (uint32_t begin = threadIdx.x - lane; begin < n; begin += blockDim.x) {
            const uint32_t edge = begin + lane < n ? edge_at(begin + lane) : kNone;
            const bool illegal = edge != kNone && is_illegal(of.mesh, of.quad(edge), PredicateMode::kExact);
            const uint32_t rank = take_places(*total, illegal);
            if (!illegal) continue;
            list[rank] = edge;
            const uint64_t claim = of.claim_of(edge, pass);
            for (uint32_t side = 0; side < 2; ++side) atomic_min(of.claims[of.triangle_at(edge, side)], claim);
        }
        __syncthreads();
        const uint32_t listed = *total;
        __syncthreads();
        return listed;
    }
    __device__ uint32_t list_first(const FlipInRegions& of, const Regions::Corners& corners, uint32_t* list) const {
        return list_illegal(of, corners.count, 0, list, [&](uint32_t i) {
            const uint32_t corner = corners.begin + i;
            return of.tests_first(corner, corner - corner % FlipInBlocks::kCorners, corners)
                       ? of.mesh.half_edge_at[corner] >> 1
                       : kNone;
        });
    }
};

__global__ void __launch_bounds__(kThreadsOfRegion, 1) flip_in_regions(FlipInRegions kernel, uint64_t* sums) {
    wait_for_previous();
    __shared__ uint32_t total;
    BlockSums flips;
    flips.value[0] = kernel.run(ThreadsOfBlock{&total}, blockIdx.x);
    add_sums_of_block(sums, flips);
}

}  // namespace detail

#endif

/// Makes all edges inside regions legal. Sum 0: flips.
inline void launch_regions(Context& context, const FlipInRegions& regions, View<uint64_t> sums) {
    const FlipInBlocks blocks{regions.mesh, regions.regions.triangle_count};
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        launch(context, "legalise", (blocks.triangle_count - 1) / FlipInBlocks::kTriangles + 1, blocks, sums);
        launch_on_cuda(context, "legalise.regions", blocks.triangle_count, regions.regions.count(),
                       detail::kThreadsOfRegion, &detail::flip_in_regions, regions, sums.data);
        return;
    }
#endif
    Context::Stopwatch stopwatch(context, "legalise", blocks.triangle_count);
    const Regions& of = regions.regions;
    context.run_chunks(of.count(), [&](uint32_t region) {
        BlockSums flips;
        const uint32_t begin = of.begin(region) / FlipInBlocks::kTriangles;
        const uint32_t end = (of.end(region) - 1) / FlipInBlocks::kTriangles + 1;
        for (uint32_t block = begin; block < end; ++block) blocks(block, flips);
        flips.value[0] += regions.run(OneThread{}, region);
        atomic_add(sums[0], flips.value[0]);
    });
}

/// Lists the edges between two regions, which are not tested yet. Runs by compact().
struct EdgesBetweenRegions {
    View<const uint32_t> corner_of;
    Regions regions;
    View<uint32_t> list;
    bool leaves_out() const { return true; }
    FLIPSCOPE_HD uint32_t code(uint32_t edge) const {
        return regions.of_corner(corner_of[2 * edge]) != regions.of_corner(corner_of[2 * edge + 1]);
    }
    FLIPSCOPE_HD void emit(uint32_t edge, uint32_t rank, uint32_t code) const {
        if (code) list[rank] = edge;
    }
};

}  // namespace flipscope
