// Finds the pixels where cells meet for LatticeGraph, one tile of the lattice at a time. Differences between adjacent
// colours, which several rings share, are computed once and stored as bits; all gaps of a row of pixels are counted at
// once, with one word per binary digit. Included only by lattice_graph.cu.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "compute/launch.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

/// A tile is as many colours wide as a word has bits, and kHigh high; all but the outermost are its own pixels. Beyond
/// an open border the border pixels are repeated, which misses no gap but may create some; so pixels at the rim, like
/// those beside an obstacle, are tested one by one if they may be corners.
template <class Word, uint32_t kHigh>
struct CornerTiles {
    static constexpr uint32_t kWide = 8 * sizeof(Word), kOwnWidth = kWide - 2, kOwnHeight = kHigh - 2;
    Lattice lattice;
    View<const uint32_t> colours;
    StencilRules rules;
    View<State> states;  // (h, w) or empty
    View<uint32_t> corners, corner_count;
    uint32_t per_row = 0, count = 0;  // tiles

    CornerTiles(const Lattice& over, View<const uint32_t> of, const StencilRules& by, View<State> judged,
                View<uint32_t> out, View<uint32_t> out_count)
        : lattice(over), colours(of), rules(by), states(judged), corners(out), corner_count(out_count) {
        per_row = (lattice.width + kOwnWidth - 1) / kOwnWidth;
        count = per_row * ((lattice.height + kOwnHeight - 1) / kOwnHeight);
    }

    /// Bits of a row of the tile, bit k for place k.
    struct Row {
        Word along = 0;               // the colour differs from that of the next place; undefined for the last bit
        Word up = 0;                  // the colour differs from that of the place above
        Word obstacle = 0, none = 0;  // special colours instead of a cell
    };

    /// The pixel of the tile's first own place.
    FLIPSCOPE_HD uint32_t left(uint32_t tile) const { return tile % per_row * kOwnWidth; }
    FLIPSCOPE_HD uint32_t bottom(uint32_t tile) const { return tile / per_row * kOwnHeight; }
    /// The coordinate of a place, where place 1 has `first`; arbitrary for unused places.
    FLIPSCOPE_HD uint32_t coordinate(uint32_t first, uint32_t place, uint32_t size, bool periodic) const {
        if (place == 0 && first == 0) return periodic ? size - 1 : 0;
        const uint32_t after = first + place;  // one more than the coordinate
        return after <= size ? after - 1 : periodic ? 0 : size - 1;
    }
    FLIPSCOPE_HD uint32_t coordinate_x(uint32_t first, uint32_t place) const {
        return coordinate(first, place, lattice.width, lattice.periodic.x);
    }
    FLIPSCOPE_HD uint32_t coordinate_y(uint32_t first, uint32_t place) const {
        return coordinate(first, place, lattice.height, lattice.periodic.y);
    }

    /// Pixels of a row, bit k for place k.
    struct Pixels {
        Word corners = 0;
        Word open = 0;  // to be decided by judge()
    };
    /// Row y of the lattice, between two others in a tile.
    FLIPSCOPE_HD Pixels find(uint32_t left, uint32_t y, const Row& below, const Row& own, const Row& above) const {
        const Gaps gaps = count_gaps(below, own, above);
        const Word own_ones = ((Word(2) << (own_width(left) - 1)) - 1) << 1 & ~(own.obstacle | own.none);
        const Word beside_obstacle = spread(below.obstacle | own.obstacle | above.obstacle);
        const Word beside_none = spread(below.none | own.none | above.none), on_rim = rim(left, y);
        const Word sure = gaps.at_least(rules.gaps) & ~(on_rim | beside_obstacle | beside_none) & own_ones;
        Word open = (on_rim & gaps.at_least(rules.open_gaps)) | beside_none;
        if (beside_obstacle) open |= beside_obstacle & open_beside_obstacle(gaps, below, own, above);
        // If states are recorded, islands are marked as well, within a ring of a single colour.
        if (states) return {0, (gaps.at_least(1) | own.up | on_rim) & own_ones};
        return {sure, open & own_ones};
    }
    /// Whether a pixel is a corner. Writes its state; pixels that are not tested have state 0.
    FLIPSCOPE_HD bool judge(uint32_t x, uint32_t y) const {
        const Stencil s = read_stencil(lattice, colours, x, y);
        const bool corner = is_corner(s, rules);
        if (states) states[lattice.pixel(x, y)] = static_cast<State>((corner ? kPixelCorner : 0) | pathologies(s));
        return corner;
    }

    FLIPSCOPE_HD static uint32_t lowest_bit(Word bits) {
#if defined(__CUDA_ARCH__)
        return static_cast<uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
        return static_cast<uint32_t>(std::countr_zero(bits));
#endif
    }

    /// One tile by a CPU thread.
    void operator()(uint32_t tile) const {
        const uint32_t x = left(tile), y = bottom(tile);
        const uint32_t end = lattice.height - y < kOwnHeight ? lattice.height : y + kOwnHeight;
        uint32_t repeated[2][kWide + 1], found[kOwnWidth * kOwnHeight], found_count = 0;
        const auto line = [&](uint32_t place) {
            const uint32_t* const colours_there = &colours[lattice.pixel(0, coordinate_y(y, place))];
            if (x > 0 && x + kWide <= lattice.width) return colours_there + (x - 1);
            uint32_t* const to = repeated[place % 2];
            for (uint32_t k = 0; k <= kWide; ++k) to[k] = colours_there[coordinate_x(x, k)];
            return static_cast<const uint32_t*>(to);
        };
        const uint32_t* next = line(0);
        Row below, own, above;
        for (uint32_t place = 0; place <= end - y + 1; ++place) {
            const uint32_t* const at = next;
            above = {};
            above.along = differences(at, at + 1);
            if (any_special(at)) {
                above.obstacle = places_where([&](uint32_t k) { return at[k] == kMaxLink; });
                above.none = places_where([&](uint32_t k) { return at[k] > kMaxLink; });
            }
            if (place <= end - y) {
                next = line(place + 1);
                above.up = differences(at, next);
            }
            if (place >= 2) {
                const uint32_t row = y + place - 2;
                if (states) std::memset(&states[lattice.pixel(x, row)], 0, sizeof(State) * own_width(x));
                const Pixels pixels = find(x, row, below, own, above);
                const uint32_t before = lattice.pixel(x, row) - 1;
                for (Word rest = pixels.corners; rest; rest &= rest - 1)
                    found[found_count++] = before + lowest_bit(rest);
                for (Word rest = pixels.open; rest; rest &= rest - 1)
                    if (judge(x + lowest_bit(rest) - 1, row)) found[found_count++] = before + lowest_bit(rest);
            }
            below = own;
            own = above;
        }
        if (found_count == 0) return;
        const uint32_t first = atomic_add(corner_count[0], found_count);
        std::memcpy(&corners[first], found, found_count * sizeof(uint32_t));
    }

  private:
    /// A number for each place of a row: binary digits, lowest first.
    struct Gaps {
        Word digits[5];
        FLIPSCOPE_HD Word at_least(int asked) const {
            if (asked > 31) return 0;
            Word reached = ~Word(0);  // for the digits so far
            for (int k = 0; k < 5; ++k)
                reached = asked > 0 && asked >> k & 1 ? digits[k] & reached : digits[k] | reached;
            return reached;
        }
    };
    FLIPSCOPE_HD static Word majority(Word a, Word b, Word c) { return (a & b) | (c & (a | b)); }
    FLIPSCOPE_HD static Word spread(Word bits) { return bits | bits << 1 | bits >> 1; }

    /// Two differences each along the rows above and below, and along the columns left and right.
    FLIPSCOPE_HD static Gaps count_gaps(const Row& below, const Row& own, const Row& above) {
        const Word low = below.along ^ below.along << 1, low_two = below.along & below.along << 1;
        const Word high = above.along ^ above.along << 1, high_two = above.along & above.along << 1;
        const Word up = below.up ^ own.up, up_two = below.up & own.up;
        const Word left = up << 1, left_two = up_two << 1, right = up >> 1, right_two = up_two >> 1;
        const Word three = low ^ high ^ left, carry = majority(low, high, left), carry_right = three & right;
        const Word twos = low_two ^ high_two ^ left_two, more_twos = right_two ^ carry ^ carry_right;
        const Word four = majority(low_two, high_two, left_two), more = majority(right_two, carry, carry_right);
        const Word carry_twos = twos & more_twos;
        return {three ^ right, twos ^ more_twos, four ^ more ^ carry_twos, majority(four, more, carry_twos), 0};
    }
    /// The pixels beside obstacles that may be corners. A change to an obstacle is not a gap. If edges end at
    /// obstacles, the cells before and after a run of them may be the same, so of the run's two gaps one counts.
    FLIPSCOPE_HD Word open_beside_obstacle(const Gaps& all, const Row& below, const Row& own, const Row& above) const {
        const auto between_cells = [](const Row& row, Word obstacle_above) {
            return Row{row.along & ~(row.obstacle | row.obstacle >> 1), row.up & ~(row.obstacle | obstacle_above)};
        };
        const Gaps gaps =
            count_gaps(between_cells(below, own.obstacle), between_cells(own, above.obstacle), between_cells(above, 0));
        if (!rules.obstacles_end) return gaps.at_least(rules.gaps);
        Gaps sum;
        Word carry = 0;
        for (int k = 0; k < 4; ++k) {
            sum.digits[k] = all.digits[k] ^ gaps.digits[k] ^ carry;
            carry = majority(all.digits[k], gaps.digits[k], carry);
        }
        sum.digits[4] = carry;
        return sum.at_least(2 * rules.open_gaps);
    }

    FLIPSCOPE_HD Word rim(uint32_t left, uint32_t y) const {
        if (!lattice.periodic.y && (y == 0 || y + 1 == lattice.height)) return ~Word(0);
        if (lattice.periodic.x) return 0;
        return (left == 0 ? 2 : 0) | (lattice.width - left <= kOwnWidth ? Word(1) << (lattice.width - left) : 0);
    }

    /// One bit per place, combined by or: the compiler vectorises by four.
    template <class Test>
    static Word places_where(const Test& test) {
        Word bits = 0;
        for (uint32_t first = 0; first < kWide; first += 32) {
            uint32_t part = 0;
            for (uint32_t k = 0; k < 32; ++k) part |= (0 - uint32_t(test(first + k))) & kBits[k];
            bits |= Word(part) << first;
        }
        return bits;
    }
    static Word differences(const uint32_t* a, const uint32_t* b) {
        return places_where([&](uint32_t k) { return a[k] != b[k]; });
    }
    /// Whether there is an obstacle or kNone: as signed numbers they are below 0, or above the largest label.
    static bool any_special(const uint32_t* colours) {
        uint32_t negative = 0;
        for (uint32_t k = 0; k < kWide; ++k) negative |= colours[k] | (kMaxLink - 1 - colours[k]);
        return negative >> 31;
    }
    FLIPSCOPE_HD uint32_t own_width(uint32_t left) const {
        return lattice.width - left < kOwnWidth ? lattice.width - left : kOwnWidth;
    }
};

#if defined(__CUDACC__)

inline constexpr uint32_t kTileWarps = 4;  // of a block
// Blocks of 128 threads per multiprocessor; determines the number of registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr uint32_t kTileBlocks = 8, kLinkBlocks = 8;
#else
inline constexpr uint32_t kTileBlocks = 10, kLinkBlocks = 9;
#endif
using WarpTiles = CornerTiles<uint32_t, 16>;

/// On CUDA, one warp per tile: a thread first reads a column, then processes a row. The threads share the pixels to be
/// judged one by one.
static __global__ __launch_bounds__(32 * kTileWarps, kTileBlocks) void find_corners_of_warps(WarpTiles tiles) {
    detail::wait_for_previous();
    constexpr uint32_t kAll = 0xFFFFFFFFu, kRows = WarpTiles::kOwnHeight + 2;
    __shared__ uint32_t corners_of[kTileWarps][32], found_by[kTileWarps], first;
    __shared__ uint16_t open_of[kTileWarps][WarpTiles::kOwnWidth * WarpTiles::kOwnHeight];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * kTileWarps + warp;
    const Lattice& lattice = tiles.lattice;
    const uint32_t left = tiles.left(tile), bottom = tiles.bottom(tile), y = bottom + lane - 1;
    const auto before_lane = [lane](uint32_t value) {  // including its own
        for (uint32_t step = 1; step < 32; step *= 2) {
            const uint32_t others = __shfl_up_sync(kAll, value, step);
            if (lane >= step) value += others;
        }
        return value;
    };
    uint32_t found = 0;
    if (tile < tiles.count) {
        const uint32_t x = tiles.coordinate_x(left, lane);
        uint32_t colours[kRows], largest = 0;
#pragma unroll
        for (uint32_t k = 0; k < kRows; ++k)
            colours[k] = tiles.colours[lattice.pixel(x, tiles.coordinate_y(bottom, k))];
        WarpTiles::Row below, own, above;
#pragma unroll
        for (uint32_t k = 0; k < kRows; ++k) {
            const uint32_t along = __ballot_sync(kAll, colours[k] != __shfl_down_sync(kAll, colours[k], 1));
            const uint32_t up = __ballot_sync(kAll, colours[k] != colours[k + 1 < kRows ? k + 1 : k]);
            if (lane == k) own.along = along, own.up = up;
            largest = max(largest, colours[k]);
        }
        if (__any_sync(kAll, largest >= kMaxLink)) {
#pragma unroll
            for (uint32_t k = 0; k < kRows; ++k) {
                const uint32_t obstacle = __ballot_sync(kAll, colours[k] == kMaxLink);
                const uint32_t none = __ballot_sync(kAll, colours[k] > kMaxLink);
                if (lane == k) own.obstacle = obstacle, own.none = none;
            }
            below.obstacle = __shfl_up_sync(kAll, own.obstacle, 1), below.none = __shfl_up_sync(kAll, own.none, 1);
            above.obstacle = __shfl_down_sync(kAll, own.obstacle, 1), above.none = __shfl_down_sync(kAll, own.none, 1);
        }
        below.along = __shfl_up_sync(kAll, own.along, 1), below.up = __shfl_up_sync(kAll, own.up, 1);
        above.along = __shfl_down_sync(kAll, own.along, 1);
        WarpTiles::Pixels pixels;
        if (lane > 0 && lane + 1 < kRows && y < lattice.height) pixels = tiles.find(left, y, below, own, above);
        corners_of[warp][lane] = pixels.corners;
        if (tiles.states && lane > 0 && lane + 1 < WarpTiles::kWide && left + lane - 1 < lattice.width)
            for (uint32_t k = 0; k < WarpTiles::kOwnHeight && bottom + k < lattice.height; ++k)
                tiles.states[lattice.pixel(x, bottom + k)] = 0;
        const uint32_t open = before_lane(static_cast<uint32_t>(__popc(pixels.open)));
        uint32_t place = open - static_cast<uint32_t>(__popc(pixels.open));
        for (uint32_t rest = pixels.open; rest; rest &= rest - 1)
            open_of[warp][place++] = static_cast<uint16_t>(lane * 32 + WarpTiles::lowest_bit(rest));
        const uint32_t open_count = __shfl_sync(kAll, open, 31);
        __syncwarp();
        for (uint32_t k = lane; k < open_count; k += 32) {
            const uint32_t row = open_of[warp][k] / 32, column = open_of[warp][k] % 32;
            if (tiles.judge(left + column - 1, bottom + row - 1)) atomicOr(&corners_of[warp][row], 1u << column);
        }
        __syncwarp();
        found = corners_of[warp][lane];
    }
    // One atomic per block, because all blocks add to the same word.
    const uint32_t mine = static_cast<uint32_t>(__popc(found)), before = before_lane(mine);
    if (lane == 31) found_by[warp] = before;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        for (const uint32_t count : found_by) sum += count;
        first = sum ? atomicAdd(tiles.corner_count.data, sum) : 0;
    }
    __syncthreads();
    uint32_t place = first + before - mine;
    for (uint32_t k = 0; k < warp; ++k) place += found_by[k];
    for (; found; found &= found - 1)
        tiles.corners[place++] = lattice.pixel(left + WarpTiles::lowest_bit(found) - 1, y);
}

#endif

}  // namespace flipscope
