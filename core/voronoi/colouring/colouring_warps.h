// The exact colouring in one launch, for small lattices: a warp finds the sites that may be nearest in a tile, and
// colours it. For many tiles, lists in memory (colouring_lists.h) are faster, with one thread per tile. Launched only
// by Colouring.
#pragma once

#include "voronoi/colouring/colouring_lists.h"

#if defined(__CUDACC__)

namespace flipscope {

inline constexpr uint32_t kWarpSide = 16;  // width and height of a tile, pixels
inline constexpr uint32_t kWarpsOfBlock = 4;
inline constexpr uint32_t kWarpCandidates = 32;

/// In shared memory.
struct WarpList {
    Candidate candidate[kWarpCandidates];
    uint32_t size, largest;  // `largest`: the bits of a non-negative float
    uint32_t rival;          // the lowest label at its place
};

/// A warp uses eight threads per row of bins, on four rows at a time.
inline constexpr uint32_t kRowThreads = 8, kRowsAtOnce = 32 / kRowThreads;

struct NearestSlot {
    const BinsView& bins;
    Point p;
    uint32_t part;  // of a row of bins
    float squared = std::numeric_limits<float>::max();
    uint32_t slot = kNone;

    __device__ void operator()(uint32_t first, uint32_t end) {
        for (uint32_t k = first + part; k < end; k += kRowThreads) {
            const Point off = bins.lattice.difference(p, bins.points[k]);
            const float x = float(off.x), y = float(off.y), other = x * x + y * y;
            if (other < squared) {
                squared = other;
                slot = k;
            }
        }
    }
};

struct WarpListing {
    const ShortlistCollector<kWarpSide, kWarpCandidates>& collector;
    WarpList& list;
    uint32_t part;
    double largest = 0;

    __device__ void operator()(uint32_t first, uint32_t end) {
        for (uint32_t slot = first + part; slot < end; slot += kRowThreads) {
            Candidate candidate;
            const auto verdict = collector.judge(slot, candidate, largest);
            if (verdict == collector.kOut) {
                if (collector.bins.points[slot] == collector.rival_at)
                    atomicMin(&list.rival, collector.bins.labels[slot]);
                continue;
            }
            const uint32_t place = atomicAdd(&list.size, verdict == collector.kIn ? 1 : kWarpCandidates + 1);
            if (place < kWarpCandidates) list.candidate[place] = candidate;
        }
    }
};

template <StaticBorders kBorders>
struct ColourByWarps {
    BinsView all;
    uint32_t columns, tiles;
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    __device__ void run(WarpList& list, uint32_t i) const {
        BinsView bins = all;
        bins.tree.levels = 0;
        fix_borders<kBorders>(bins.lattice);
        const Lattice& lattice = bins.lattice;
        const uint32_t left = i % columns * kWarpSide, bottom = i / columns * kWarpSide, lane = threadIdx.x % 32;
        const ShortlistHead head = make_list(bins, left, bottom, lane, list);
        if (head.candidates == kOverfull) {
            colour_parts(all, left, bottom, lane, obstacles, colours);
            return;
        }
        constexpr uint32_t kStrips = kWarpSide / kStrip, kApart = 32 / kStrips;
        constexpr float kMiddle = 0.5f * (kWarpSide - 1);
        const uint32_t strip = lane % kStrips, row = lane / kStrips;
        StripPair<kApart> pair{left + strip * kStrip, bottom + row, {}};
        if (pair.left >= lattice.width) return;
        pair.compare(bins, list.candidate, head, float(strip * kStrip) - kMiddle, float(row) - kMiddle);
        pair.write(lattice, obstacles, colours);
    }

    /// All threads of the warp return the same head; the list is complete on return.
    __device__ static ShortlistHead make_list(const BinsView& bins, uint32_t left, uint32_t bottom, uint32_t lane,
                                              WarpList& list) {
        constexpr uint32_t kEveryone = 0xFFFFFFFFu;
        using Collector = ShortlistCollector<kWarpSide, kWarpCandidates>;
        const Lattice& lattice = bins.lattice;
        const Tile tile = square_tile<kWarpSide>(lattice, left, bottom);
        const int32_t thread_row = static_cast<int32_t>(lane / kRowThreads);
        if (lane == 0) {
            list.size = list.largest = 0;
            list.rival = kNone;
        }
        ShortlistHead head{kNone, kOverfull, 0, 0};

        // Any rival is valid, a near one is best: the nearest of nine bins.
        const Point place = tile.middle();
        NearestSlot near{bins, place, lane % kRowThreads};
        const int32_t x = bins.grid->column(place.x), y = bins.grid->row(place.y) - 1 + thread_row;
        if (thread_row < 3) bins.take_columns(y, x - 1, x + 1, near);
        const uint32_t mine = __float_as_uint(near.squared);
        uint32_t least = mine;
        for (uint32_t apart = 16; apart > 0; apart /= 2) least = min(least, __shfl_xor_sync(kEveryone, least, apart));
        const uint32_t owner = __ffs(__ballot_sync(kEveryone, mine == least)) - 1;
        const uint32_t slot = __shfl_sync(kEveryone, near.slot, owner);
        Nearest nearest;
        Point at;
        if (slot != kNone) {
            at = bins.points[slot];
            nearest.squared = lattice.squared_distance(place, at);
        } else {
            bins.find_nearest(place, nearest);
            if (nearest.label == kNone) {
                if (bins.count() == 0) head.candidates = 0;
                return head;
            }
            at = bins.sites[nearest.label];
        }

        const Point middle{left + 0.5 * (kWarpSide - 1), bottom + 0.5 * (kWarpSide - 1)};
        const Point off = lattice.difference(middle, at);
        if (!Collector::same_image(lattice, off)) return head;
        const Rival rival(lattice, tile, at, nearest.squared);
        const Collector collector{
            bins,   rival, at, off, middle, off.x * off.x + off.y * off.y, rival.slack(), Collector::reach_of(rival),
            nullptr};
        WarpListing listing{collector, list, lane % kRowThreads};
        __syncwarp();
        const BinWindow window = bins.window_around(place, rival.reach());
        for (int32_t j = window.low + thread_row; j <= window.high; j += kRowsAtOnce)
            bins.take_columns(j, window.left, window.right, listing);
        if (listing.largest > 0) atomicMax(&list.largest, __float_as_uint(float(listing.largest)));
        __syncwarp();
        const float largest = __uint_as_float(list.largest);
        if (list.size > kWarpCandidates || !(largest < kTooLarge) || !(rival.slack() < kTooLarge)) return head;
        head.rival = list.rival;
        head.candidates = list.size;
        head.margin = float(largest * kSingleRounding + 4 * rival.slack());
        return head;
    }

    /// Colours a tile with an overfull list, one part per thread. Not inlined: it needs many registers.
    __device__ __noinline__ static void colour_parts(BinsView bins, uint32_t left, uint32_t bottom, uint32_t lane,
                                                     View<const uint8_t> obstacles, View<uint32_t> colours) {
        constexpr uint32_t kInRow = kWarpSide / kStrip;
        bins.tree.levels = 0;
        fix_borders<kBorders>(bins.lattice);
        if (lane < kInRow * kInRow)
            colour_part(bins, left + lane % kInRow * kStrip, bottom + lane / kInRow * kStrip, obstacles, colours);
    }
};

/// 64 registers per thread, so that nearly all tiles of a small lattice run at once.
template <StaticBorders kBorders>
__global__ void __launch_bounds__(32 * kWarpsOfBlock, 8) colour_by_warps(ColourByWarps<kBorders> kernel) {
    detail::wait_for_previous();
    __shared__ WarpList lists[kWarpsOfBlock];
    const uint32_t warp = threadIdx.x / 32, tile = blockIdx.x * kWarpsOfBlock + warp;
    if (tile < kernel.tiles) kernel.run(lists[warp], tile);
}

}  // namespace flipscope

#endif
