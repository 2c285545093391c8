// Applies the rules at the corners of LatticeGraph, and arranges the links. Included only by lattice_graph.cu. On CPU
// threads each corner and each row has one thread. On CUDA eight threads share one, since ten thousand corners and two
// thousand rows would leave a GPU idle while they wait for memory.
#pragma once

#include <cstdint>

#include "compute/launch.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/graph/lattice_graph_corners.h"
#include "voronoi/graph/link_rows.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

struct LinkCorners {
    Lattice lattice;
    View<const uint32_t> colours;
    BinsView bins;
    StencilRules rules;
    View<const uint32_t> corners, corner_count;
    LinkRows rows;
    // By label, 1: the cell extends far; it has a thin tip. Empty: exact cells are not requested.
    View<uint32_t> far, thin;
    uint32_t labels;  // room

    /// Whether a wall separates them.
    FLIPSCOPE_HD bool parted(uint32_t a, uint32_t b) const {
        return (lattice.walled_x || lattice.walled_y) && lattice.parted(bins.sites[a], bins.sites[b]);
    }
    /// Marks a cell that extends kFar times the mean width of cells: this never occurs among uniformly scattered sites,
    /// where it requires an empty disc of that radius, but beyond the outermost sites of a cluster.
    FLIPSCOPE_HD void mark_far(uint32_t label, uint32_t pixel) const {
        constexpr double kFar = 3;
        if (far.count == 0 || label >= labels) return;
        const double squared = lattice.squared_distance(lattice.place(pixel), bins.sites[label]);
        if (squared * bins.count() > kFar * kFar * lattice.pixel_count()) atomic_store(far[label], 1u);
    }
    /// Whether the bisectors with two sites, whose cells meet at a corner of this site's cell, meet at less than 30°
    /// because the sites lie on nearly opposite sides: then the cell may end in a tip thinner than a pixel, where
    /// colours no longer show it. `d`, `e`: relative to this site. For cells of any width, few uniformly scattered
    /// sites have such a corner: one in 150, mostly at the edge of a cluster.
    FLIPSCOPE_HD static bool make_thin(Point d, Point e) {
        constexpr double kLeast = 0.75;  // the square of the cosine
        const double along = d.x * e.x + d.y * e.y;
        return along < 0 && along * along > kLeast * (d.x * d.x + d.y * d.y) * (e.x * e.x + e.y * e.y);
    }
    FLIPSCOPE_HD bool marks_thin(uint32_t own) const { return thin.count > 0 && own < labels; }
    FLIPSCOPE_HD Point way(uint32_t own, uint32_t other) const {
        return lattice.difference(bins.sites[own], bins.sites[other]);
    }

    /// Processes a corner. Sides come before diagonals: links found at a side save the search for the nearest site.
    void operator()(uint32_t i) const {
        const uint32_t pixel = corners[i], x = lattice.x_of(pixel), y = lattice.y_of(pixel);
        const Stencil s = read_stencil(lattice, colours, x, y);
        if (s.own >= labels) return;
        mark_far(s.own, pixel);
        uint32_t others = ~s.places_of(s.own);
        if (marks_thin(s.own)) mark_thin(s, others);
        for (int k = 0; k < kRing; ++k) {
            const int place = 2 * k % kRing + k / 4;
            if ((others >> place & 1) && links(s, x, y, place)) others &= ~s.places_of(s.at(place));
        }
    }
    void mark_thin(const Stencil& s, uint32_t others) const {
        Point ways[kRing];
        uint32_t count = 0;
        for (int place = 0; place < kRing; ++place) {
            if (!(others >> place & 1)) continue;
            const uint32_t other = s.at(place);
            others &= ~s.places_of(other);
            if (other >= labels) continue;
            ways[count] = way(s.own, other);
            for (uint32_t k = 0; k < count; ++k)
                if (make_thin(ways[k], ways[count])) return atomic_store(thin[s.own], 1u);
            ++count;
        }
    }
    bool links(const Stencil& s, uint32_t x, uint32_t y, int place) const {
        const uint32_t other = s.at(place);
        if (other >= labels || !ring_conditions(s, rules, place).linked() || parted(s.own, other)) return false;
        // Each link occurs at many pixels; the thread that inserts it into one row also inserts it into the other.
        if (rows.holds(s.own, other)) return true;
        const bool tests_inner = (place & 1) && rules.inner_frame;
        if (tests_inner && !inner_condition(s, rules, place, bins.nearest(inner_point(lattice, x, y, place))))
            return false;
        rows.insert(s.own, other);
        rows.insert(other, s.own);
        return true;
    }
};

struct ArrangeRow {
    LinkRows rows;
    View<const uint32_t> starts;
    View<uint32_t> neighbours;
    void operator()(uint32_t label) const { rows.take(label, &neighbours[starts[label]]); }
};

#if defined(__CUDACC__)

inline constexpr uint32_t kAllLanes = 0xFFFFFFFFu, kLinkLanes = 128;

/// Not inlined: rarely called, and would cost registers.
static __device__ __noinline__ uint32_t nearest_by_one(const BinsView& bins, Point p) { return bins.nearest(p); }

/// The site nearest to p, by the eight threads of a corner with the same p. All threads of a warp must call it.
static __device__ uint32_t nearest_by_eight(const BinsView& bins, Point p, uint32_t lane, bool asks) {
    p = bins.lattice.wrapped(p);
    const BinGrid& grid = *bins.grid;
    const int32_t columns = grid.columns, rows = grid.rows, x = grid.column(p.x), y = grid.row(p.y);
    const auto [around_x, around_y] = bins.lattice.periodic;
    const bool together = asks && bins.tree.levels == 0;
    ExactNearest best;
    if (together) {
        const auto consider = [&](uint32_t slot) {
            best.consider(bins.lattice, p, bins.points[slot], bins.labels[slot]);
        };
        const int32_t left = max(x - 1, 0), right = min(x + 1, columns - 1);
        const int32_t around = x == 0 ? columns - 1 : x + 1 == columns ? 0 : -1;  // the column across the border
        uint32_t slots[3], ends[3], total = 0;
        for (int32_t j = 0; j < 3; ++j) {
            int32_t row = y + j - 1;
            if (around_y) row = row < 0 ? rows - 1 : row == rows ? 0 : row;
            const bool there = row >= 0 && row < rows;
            slots[j] = there ? bins.starts[row * columns + left] : 0;
            ends[j] = there ? bins.starts[row * columns + right + 1] : 0;
            if (around_x && there && around >= 0)
                for (uint32_t slot = bins.starts[row * columns + around] + lane % kRing;
                     slot < bins.starts[row * columns + around + 1]; slot += kRing)
                    consider(slot);
        }
        for (int32_t j = 0; j < 3; ++j) {  // concatenates the slots of three rows
            slots[j] -= total;
            total = ends[j] -= slots[j];
        }
        for (uint32_t k = lane % kRing; k < total; k += kRing)
            consider(k + (k < ends[0] ? slots[0] : k < ends[1] ? slots[1] : slots[2]));
    }
    for (uint32_t step = 1; step < kRing; step *= 2) {
        const uint32_t other = __shfl_xor_sync(kAllLanes, best.label, step);
        const Point at{__shfl_xor_sync(kAllLanes, best.at.x, step), __shfl_xor_sync(kAllLanes, best.at.y, step)};
        if (other != kNone) best.consider(bins.lattice, p, at, other);
    }
    if (asks && !(together && bins.settled(p, x, y, best)) && lane % kRing == 0) best.label = nearest_by_one(bins, p);
    return __shfl_sync(kAllLanes, best.label, 0, kRing);
}

/// Eight threads per corner, one per place of its ring, rotated so that the place next to k, or the diagonal one after
/// it, comes first. All sides of a block's corners are linked before their diagonals: most of these are linked then,
/// and pixels of one vertex are close together in the list.
static __global__ __launch_bounds__(kLinkLanes,
                                    kLinkBlocks) void link_corners(const __grid_constant__ LinkCorners kernel,
                                                                   uint32_t* next_corner_count) {
    detail::wait_for_previous();
    const uint32_t count = kernel.corner_count[0], labels = kernel.labels, lane = threadIdx.x % 32;
    if (blockIdx.x == 0 && threadIdx.x == 0) *next_corner_count = 0;
    const int place = static_cast<int>(lane % kRing), turn = place & 6;
    const bool diagonal = place & 1;
    constexpr uint32_t kBlockCorners = kLinkLanes / kRing;
    for (uint32_t first = blockIdx.x * kBlockCorners; first < count; first += gridDim.x * kBlockCorners) {
        const uint32_t corner = first + threadIdx.x / kRing, pixel = kernel.corners[corner < count ? corner : first];
        const uint32_t x = kernel.lattice.x_of(pixel), y = kernel.lattice.y_of(pixel);
        const uint32_t there = ring_pixel(kernel.lattice, x, y, place);
        const uint32_t colour = there == kNone ? kNone : kernel.colours[there];
        Stencil s;
        s.own = kernel.colours[pixel];
        const uint32_t inside = __ballot_sync(kAllLanes, there != kNone) >> (lane & 24) & 0xFF;
        s.inside = static_cast<uint8_t>(inside >> turn | inside << (kRing - turn));
        for (int k = 0; k < kRing; ++k) s.ring[k] = __shfl_sync(kAllLanes, colour, (k + turn) & 7, kRing);

        if (place == 0 && corner < count) kernel.mark_far(s.own, pixel);
        if (kernel.thin.count > 0) {
            const bool other = corner < count && s.own < labels && colour < labels && colour != s.own;
            const Point d = other ? kernel.way(s.own, colour) : Point{};
            bool tip = false;
            for (int k = 1; k <= kRing / 2; ++k) {
                const int there = (place + k) % kRing;
                tip |= LinkCorners::make_thin(
                    d, {__shfl_sync(kAllLanes, d.x, there, kRing), __shfl_sync(kAllLanes, d.y, there, kRing)});
            }
            if (tip) atomic_store(kernel.thin[s.own], 1u);
        }
        const bool may_link =
            corner < count && s.own < labels && colour < labels && colour != s.own && !kernel.parted(s.own, colour);
        bool links =
            may_link && (diagonal ? ring_conditions(s, kernel.rules, 1) : ring_conditions(s, kernel.rules, 0)).linked();
        // Of several places with one colour a side counts, and of several sides the first.
        const uint32_t linked = __ballot_sync(kAllLanes, links) >> (lane & 24) & 0x55;
        for (int k = 0; k < kRing; k += 2) {
            const int side = (k + turn) & 7;
            if ((linked >> side & 1) && (diagonal || side < place) && s.ring[k] == colour) links = false;
        }
        // The idle thread of the diagonal place inserts a side's link into the other row.
        if (__shfl_sync(kAllLanes, links, turn, kRing))
            kernel.rows.insert(diagonal ? s.ring[0] : s.own, diagonal ? s.own : s.ring[0]);
        __syncthreads();
        links = links && diagonal && !kernel.rows.holds(s.own, colour);
        const uint32_t asking = __ballot_sync(kAllLanes, links && kernel.rules.inner_frame);
        uint32_t rest = asking >> (lane & 24) & 0xFF;  // of this corner
        while (__any_sync(kAllLanes, rest != 0)) {
            const int asked = rest ? __ffs(static_cast<int>(rest)) - 1 : 1;
            const Point inner = inner_point(kernel.lattice, x, y, asked);
            const uint32_t nearest = nearest_by_eight(kernel.bins, inner, lane, rest != 0);
            if (rest && place == asked) links = inner_condition(s, kernel.rules, 1, nearest);
            rest &= rest - 1;
        }
        if (!links) continue;
        kernel.rows.insert(s.own, colour);
        kernel.rows.insert(colour, s.own);
    }
}

inline constexpr uint32_t kSumLabels = 1024;                     // degrees summed in advance,
inline constexpr uint32_t kMostUnsummed = 8192;                  // if there are more labels than this
inline constexpr uint32_t kRowLanes = 8, kBlockRows = 64;        // of arrange_rows
inline constexpr uint32_t kBlockLanes = kRowLanes * kBlockRows;  // its threads
inline constexpr uint32_t kBlockWarps = kBlockLanes / 32;
static_assert(kBlockWarps == 2 * kRowLanes && kRowPlaces == 2 * kRowLanes);

static __device__ uint32_t sum_of_warp(uint32_t value, uint32_t width) {
    for (uint32_t step = width / 2; step > 0; step /= 2) value += __shfl_xor_sync(kAllLanes, value, step);
    return value;
}

/// A block per kSumLabels labels, with half as many threads.
static __global__ void sum_degrees(LinkRows rows, Extent labels, uint32_t* sums) {
    detail::wait_for_previous();
    __shared__ uint32_t sum_by[kSumLabels / 64];
    const uint32_t n = labels.resolve(), label = blockIdx.x * kSumLabels + threadIdx.x;
    uint32_t sum = label < n ? rows.degrees[label] : 0;
    if (label + kSumLabels / 2 < n) sum += rows.degrees[label + kSumLabels / 2];
    sum = sum_of_warp(sum, 32);
    if (threadIdx.x % 32 == 0) sum_by[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = sum_of_warp(threadIdx.x < kSumLabels / 64 ? sum_by[threadIdx.x] : 0, 32);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// Eight threads per row, two places each. `sums`: degrees of every kSumLabels labels, or nullptr. Also clears the
/// counters of the next pass.
static __global__ void arrange_rows(LinkRows rows, Extent labels, const uint32_t* sums, View<uint32_t> starts,
                                    View<uint32_t> neighbours, View<uint64_t> next_counts) {
    detail::wait_for_previous();
    __shared__ uint32_t entries_by[kBlockWarps], degrees[kBlockRows];
    const uint32_t thread = threadIdx.x, lane = thread % kRowLanes, mine = thread / kRowLanes;
    const uint32_t first = blockIdx.x * kBlockRows, label = first + mine;
    for (size_t k = size_t(blockIdx.x) * kBlockLanes + thread; k < next_counts.count; k += gridDim.x * kBlockLanes)
        next_counts[k] = 0;
    const uint32_t n = labels.resolve();
    if (first >= n) return;

    uint2* const places = reinterpret_cast<uint2*>(&rows.slots[0]) + size_t(label) * kRowLanes + lane;
    const uint2 two = label < n ? *places : uint2{kNone, kNone};
    // The number of entries in all rows before the block's, by parts, and in the block's rows before this one.
    uint32_t entries = 0, from = 0;
    if (sums) {
        from = first / kSumLabels * kSumLabels;
        for (uint32_t k = thread; k < first / kSumLabels; k += kBlockLanes) entries += sums[k];
    }
    for (uint32_t k = from + thread; k < first; k += kBlockLanes) entries += rows.degrees[k];
    if (thread < kBlockRows) degrees[thread] = first + thread < n ? rows.degrees[first + thread] : 0;
    entries = sum_of_warp(entries, 32);
    if (thread % 32 == 0) entries_by[thread / 32] = entries;
    __syncthreads();
    entries = entries_by[lane] + entries_by[lane + kRowLanes];
    for (uint32_t k = lane; k < mine; k += kRowLanes) entries += degrees[k];
    const uint32_t start = sum_of_warp(entries, kRowLanes), degree = degrees[mine];

    uint2 rank{0, 0};  // free places come after all neighbours
    for (uint32_t k = 0; k < kRowLanes; ++k) {
        const uint32_t a = __shfl_sync(kAllLanes, two.x, k, kRowLanes), b = __shfl_sync(kAllLanes, two.y, k, kRowLanes);
        rank.x += (a < two.x) + (b < two.x);
        rank.y += (a < two.y) + (b < two.y);
    }
    if (label >= n) return;
    if (lane == 0) starts[label + 1] = start + degree;  // starts[0] is always 0
    if (degree <= kRowPlaces) {
        if (two.x != kNone) neighbours[start + rank.x] = two.x;
        if (two.y != kNone) neighbours[start + rank.y] = two.y;
        *places = {kNone, kNone};
    } else if (lane == 0) {
        rows.take_long(label, degree, &neighbours[start]);
    }
}

#endif

}  // namespace flipscope
