// The kernels of segmentation.cu, and included only there. Pixels have 8 neighbours unless stated otherwise; along
// periodic axes the first pixel follows the last one.
#pragma once

#include <cstdint>

#include "compute/forest.h"
#include "voronoi/lattice.h"

namespace flipscope {

namespace segmentation_kernels {

/// Two neighbouring pixels of different basins.
struct BasinContact {
    uint32_t a = 0, b = 0;  // the peaks of the basins: pixels
    uint32_t square = 0;    // the squared distance at the lower of the two pixels
};

/// The index in [0, n) of a place in a row that may lie beyond it: wrapped, or mirrored at the ends of the row.
FLIPSCOPE_HD inline uint32_t place_in_row(int64_t place, uint32_t n, bool wraps) {
    if (place >= 0 && place < n) return static_cast<uint32_t>(place);
    const int64_t period = wraps ? int64_t(n) : 2 * int64_t(n);
    place %= period;
    if (place < 0) place += period;
    return static_cast<uint32_t>(place < n ? place : period - 1 - place);
}

/// The neighbours of a pixel: 0 to 3 precede it (left, below left, below, below right), 4 to 7 are their opposites.
struct Surroundings {
    const Lattice& lattice;
    uint32_t pixel, x, y;

    FLIPSCOPE_HD Surroundings(const Lattice& lattice, uint32_t pixel)
        : lattice(lattice), pixel(pixel), x(lattice.x_of(pixel)), y(lattice.y_of(pixel)) {}
    /// kNone: beyond an open border.
    FLIPSCOPE_HD uint32_t operator[](uint32_t k) const {
        const uint32_t dx = k == 0 || k == 1 || k == 7 ? ~0u : k == 2 || k == 6 ? 0 : 1;
        const uint32_t dy = k == 0 || k == 4 ? 0 : k < 4 ? ~0u : 1;
        const uint32_t to_x = place(x + dx, lattice.width, lattice.periodic.x),
                       to_y = place(y + dy, lattice.height, lattice.periodic.y);
        return to_x == kNone || to_y == kNone ? kNone : lattice.pixel(to_x, to_y);
    }
    /// `at`: at most one place beyond the row.
    FLIPSCOPE_HD static uint32_t place(uint32_t at, uint32_t n, bool wraps) {
        if (at < n) return at;
        return !wraps ? kNone : at == n ? 0 : n - 1;
    }
};

/// The smoothed pixels of a row, written as a column. Index: pixel.
struct SmoothRows {
    View<const int32_t> in;        // (h, w) from 0 to 2^30
    View<int32_t> out;             // (w, h)
    View<const uint32_t> weights;  // by distance; all taps together are 2^31
    uint32_t width, height;
    bool wraps;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t x = i % width, radius = static_cast<uint32_t>(weights.count) - 1;
        const int32_t* const row = in.data + (i - x);
        uint64_t sum = (uint64_t(1) << 30) + uint64_t(weights[0]) * static_cast<uint32_t>(row[x]);
        if (x >= radius && x + radius < width) {
            for (uint32_t k = 1; k <= radius; ++k)
                sum += uint64_t(weights[k]) * (static_cast<uint32_t>(row[x - k]) + static_cast<uint32_t>(row[x + k]));
        } else {
            for (uint32_t k = 1; k <= radius; ++k) {
                const int32_t before = row[place_in_row(int64_t(x) - k, width, wraps)],
                              after = row[place_in_row(int64_t(x) + k, width, wraps)];
                sum += uint64_t(weights[k]) * (static_cast<uint32_t>(before) + static_cast<uint32_t>(after));
            }
        }
        out[x * height + i / width] = static_cast<int32_t>(sum >> 31);
    }
};

/// Sums over the 2 · radius + 1 pixels around each one of a row, written as a column. Index: part of a row.
template <class Number>
struct SumRows {
    static constexpr uint32_t kPart = 64;  // pixels
    View<const Number> in;                 // (h, w)
    View<int64_t> out;                     // (w, h)
    uint32_t width, height, radius;
    bool wraps;

    static uint32_t parts(uint32_t width) { return (width + kPart - 1) / kPart; }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t parts = (width + kPart - 1) / kPart, y = i / parts, begin = i % parts * kPart;
        const uint32_t end = begin + kPart < width ? begin + kPart : width;
        const Number* const row = in.data + size_t(y) * width;
        const auto at = [&](int64_t x) -> int64_t { return row[place_in_row(x, width, wraps)]; };
        const int64_t r = radius;
        int64_t sum = 0;
        for (int64_t k = -r; k <= r; ++k) sum += at(begin + k);
        for (int64_t x = begin;; ++x) {
            out[static_cast<size_t>(x) * height + y] = sum;
            if (x + 1 == end) break;
            sum += at(x + 1 + r) - at(x - r);
        }
    }
};

/// Subtracts the mean of the window, rounded.
struct SubtractMean {
    View<int32_t> values;
    View<const int64_t> sums;
    int64_t pixels;  // of a window
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        values[i] -= static_cast<int32_t>((sums[i] + pixels / 2) / pixels);
    }
};

/// Selects the pixels past the global threshold of the field; or, if there are sums, past the mean of the window less
/// the offset.
struct SelectPixels {
    View<const float> field;
    View<const int32_t> values;
    View<const int64_t> sums;  // may be empty
    double pixels, offset;     // of a window; in units of the values
    double threshold;
    bool below;
    View<uint8_t> mask;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const double value = sums.count ? double(values[i]) : double(field[i]);
        const double level = sums.count ? double(sums[i]) / pixels - offset : threshold;
        mask[i] = below ? value < level : value > level;
    }
};

inline constexpr uint32_t kFar = 32767;  // no target in the row: its square is greater than any on the lattice

/// Distances to the nearest target pixel of the same row. Index: row.
struct MeasureAlongRows {
    static constexpr uint32_t kIndicesPerPoll = 1;
    View<const uint8_t> mask;
    View<uint16_t> out;
    uint32_t width;
    uint8_t target;
    bool wraps;
    FLIPSCOPE_HD void operator()(uint32_t y) const {
        const uint8_t* const row = mask.data + size_t(y) * width;
        uint16_t* const to = out.data + size_t(y) * width;
        const uint32_t turns = wraps ? 2 : 1;
        for (uint32_t turn = 0, distance = kFar; turn < turns; ++turn)
            for (uint32_t x = 0; x < width; ++x) {
                distance = row[x] == target ? 0 : distance < kFar ? distance + 1 : kFar;
                to[x] = static_cast<uint16_t>(distance);
            }
        for (uint32_t turn = 0, distance = kFar; turn < turns; ++turn)
            for (uint32_t x = width; x-- > 0;) {
                distance = row[x] == target ? 0 : distance < kFar ? distance + 1 : kFar;
                if (distance < to[x]) to[x] = static_cast<uint16_t>(distance);
            }
    }
};

/// The squared distance to the nearest target pixel, or `limit` if it is not less: a search along the column that ends
/// where rows are farther away than the best pixel so far.
struct MeasureSquares {
    View<const uint16_t> along_x;
    View<uint32_t> squares;
    Lattice lattice;
    uint32_t limit;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t x = lattice.x_of(i), y = lattice.y_of(i), height = lattice.height;
        uint32_t best = limit;
        const auto look = [&](uint32_t row, uint32_t k) {
            const uint32_t across = along_x[lattice.pixel(x, row)], square = across * across + k * k;
            if (square < best) best = square;
        };
        look(y, 0);
        for (uint32_t k = 1; k < height && k * k < best; ++k) {
            if (k <= y || lattice.periodic.y) look(k <= y ? y - k : y + height - k, k);
            if (y + k < height || lattice.periodic.y) look(y + k < height ? y + k : y + k - height, k);
        }
        squares[i] = best;
    }
};

/// After measuring to the background: erodes; to the bubbles: dilates. By a disc of this squared radius.
struct ApplyDisc {
    View<const uint32_t> squares;
    View<uint8_t> mask;
    uint32_t square;
    bool erodes;
    FLIPSCOPE_HD void operator()(uint32_t i) const { mask[i] = (squares[i] > square) == erodes; }
};

struct StartAlone {
    View<uint32_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t i) const { parents[i] = i; }
};

/// Joins each target pixel with its target neighbours, over 4 or 8 neighbours: the lowest pixel becomes the root.
struct JoinPixels {
    View<const uint8_t> mask;
    Forest<uint32_t> forest;
    Lattice lattice;
    uint8_t target;
    bool corners;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (mask[i] != target) return;
        const Surroundings around(lattice, i);
        for (uint32_t k = 0; k < 4; k += corners ? 1 : 2) {
            const uint32_t j = around[k];
            if (j == kNone || mask[j] != target) continue;
            forest.join(i, j);
        }
    }
};

/// The parent of each pixel of a bubble is the neighbour farthest from the background, if that is farther than the
/// pixel; of equally far ones that with the larger index.
struct AscendToPeak {
    View<const uint8_t> mask;
    View<const uint32_t> squares;
    View<uint32_t> parents;
    Lattice lattice;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        uint32_t best = i;
        const Surroundings around(lattice, i);
        for (uint32_t k = 0; mask[i] && k < 8; ++k) {
            const uint32_t j = around[k];
            if (j == kNone || !mask[j]) continue;
            if (squares[j] > squares[best] || (squares[j] == squares[best] && j > best)) best = j;
        }
        parents[i] = best;
    }
};

struct FindRoots {
    View<const uint8_t> mask;
    Forest<uint32_t> forest;
    View<uint32_t> roots;  // kNone: no target
    uint8_t target;
    FLIPSCOPE_HD void operator()(uint32_t i) const { roots[i] = mask[i] == target ? forest.root(i) : kNone; }
};

/// Where neighbours belong to different basins.
struct ListContacts {
    View<const uint32_t> roots, squares;
    Lattice lattice;
    View<BasinContact> out;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) {
        return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3);
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        uint32_t code = 0;
        const Surroundings around(lattice, i);
        for (uint32_t k = 0; roots[i] != kNone && k < 4; ++k) {
            const uint32_t j = around[k];
            code |= uint32_t(j != kNone && roots[j] != kNone && roots[j] != roots[i]) << k;
        }
        return code;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const Surroundings around(lattice, i);
        for (uint32_t k = 0; k < 4; ++k) {
            if (!(code >> k & 1)) continue;
            const uint32_t j = around[k];
            out[rank++] = {roots[i], roots[j], squares[i] < squares[j] ? squares[i] : squares[j]};
        }
    }
    /// Counts only.
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += count_of(code(i)); }
};

/// Areas of holes up to `enough`.
struct CountHolePixels {
    View<const uint32_t> roots;
    View<uint32_t> areas;
    uint32_t enough;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (roots[i] != kNone && atomic_load(areas[roots[i]]) < enough) atomic_add(areas[roots[i]], 1u);
    }
};

struct FillHoles {
    View<const uint32_t> roots, areas;
    View<uint8_t> mask;
    uint32_t enough;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (roots[i] != kNone && areas[roots[i]] < enough) mask[i] = 1;
    }
};

}  // namespace segmentation_kernels

}  // namespace flipscope
