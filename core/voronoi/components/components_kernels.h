// The passes between those of component_joining.h and component_labelling.h: joining tiles and ranking roots; and those
// after them. Included only by components.cu.
#pragma once

#include "geometry/point.h"
#include "voronoi/components/component_tiles.h"

namespace flipscope {

namespace component_kernels {

/// Index: pixel. Displays the selection.
struct ShowChosen {
    RunRows rows;
    View<uint32_t> labels;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const uint32_t x = rows.lattice.x_of(pixel), word = rows.lattice.y_of(pixel) * rows.row_words + x / kWordPixels;
        labels[pixel] = rows.bits[word] >> x % kWordPixels & 1 ? 0 : kNone;
    }
};

/// Index: row of the lattice at a border between horizontally adjacent tiles; then word of a row at the upper border of
/// tiles, with several threads per word. Joins runs that touch across these borders. Also clears data of the last
/// components.
struct JoinTiles {
    RunRows rows;
    uint32_t shares;
    View<uint32_t> wound, windings, counts;  // wound: empty on an open lattice
    View<uint64_t> sums, shifts;

    FLIPSCOPE_HD uint32_t sides() const { return rows.tile_columns() * rows.lattice.height; }
    FLIPSCOPE_HD uint32_t indices() const { return sides() + rows.tile_rows() * rows.row_words * shares; }

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        for (uint32_t label = i; label < counts[0]; label += indices()) {
            windings[label] = 0;
            for (uint32_t k = 0; k < 3; ++k) sums[3 * size_t(label) + k] = 0;
            for (uint32_t k = 0; shifts && k < 2; ++k) shifts[2 * size_t(label) + k] = 0;
        }
        if (i < sides())
            join_sides(i % rows.tile_columns() << rows.tile_shift, i / rows.tile_columns());
        else
            join_rows((i - sides()) / shares % rows.row_words,
                      (i - sides()) / shares / rows.row_words * rows.tile_height(), (i - sides()) % shares);
    }

    /// The word above in the same column; going up adds one height to the offset, left or right one width.
    FLIPSCOPE_HD uint32_t above(uint32_t word, uint32_t y) const {
        return y > 0 ? word - rows.row_words : word + (rows.lattice.height - 1) * rows.row_words;
    }
    FLIPSCOPE_HD static uint32_t up(uint32_t y) { return y > 0 ? 0 : ~0u; }

    /// Joins the last pixel of the word before with the first one of the word at x, in row y and diagonally with the
    /// row above.
    FLIPSCOPE_HD void join_sides(uint32_t x, uint32_t y) const {
        if (x == 0 && !rows.lattice.periodic.x) return;
        const uint32_t word = y * rows.row_words + x, before = x > 0 ? word - 1 : word + rows.row_words - 1;
        const uint32_t last = x > 0 ? kWordPixels - 1 : (rows.lattice.width - 1) % kWordPixels;
        const uint32_t left = x > 0 ? 0 : 0u - rows.stride();
        const bool has_above = y > 0 || rows.lattice.periodic.y;
        const uint32_t above_word = has_above ? above(word, y) : word,
                       above_before = has_above ? above(before, y) : before;
        const bool here = rows.bits[word] & 1, there = rows.bits[before] >> last & 1;
        const bool above_here = has_above && rows.bits[above_word] & 1;
        const bool above_there = has_above && rows.bits[above_before] >> last & 1;
        if (here && there) {
            if (y > 0 && above_here && above_there) return;  // joined already, one row above
            join(word, 0, before, last, left);
        }
        // Diagonally only if neither pixel has the other's neighbour as its own.
        else if (here && above_there && !above_here)
            join(word, 0, above_before, last, left + up(y));
        else if (there && above_here && !above_there)
            join(before, last, above_word, 0, up(y) - left);
    }

    /// Joins the word at x in row y, the first row of a tile, with those above it, except corners where tiles meet
    /// horizontally.
    FLIPSCOPE_HD void join_rows(uint32_t x, uint32_t y, uint32_t share) const {
        if (y == 0 && !rows.lattice.periodic.y) return;
        const uint32_t word = y * rows.row_words + x, over = above(word, y), column = x & (rows.tile_width() - 1);
        uint32_t rest = rows.bits[word];
        if (rest == 0) return;
        Surroundings around;
        around.above = rows.bits[over];
        if (column > 0) around.before_above = rows.bits[over - 1] >> (kWordPixels - 1);
        if (column + 1 < rows.tile_width() && x + 1 < rows.row_words) around.after_above = rows.bits[over + 1] & 1;
        for (uint32_t k = 0; rest; ++k) {
            const uint32_t run = take_run(rest);
            if (k % shares != share) continue;
            around.each_touched(run, [&](Side side, uint32_t place) {
                const uint32_t from = lowest_bit(run);
                if (side == Side::kAbove) join(word, from, over, place, up(y));
                if (side == Side::kBeforeAbove) join(word, from, over - 1, kWordPixels - 1, up(y));
                if (side == Side::kAfterAbove) join(word, from, over + 1, 0, up(y));
            });
        }
    }

    FLIPSCOPE_HD void join(uint32_t word, uint32_t place, uint32_t other, uint32_t other_place, uint32_t step) const {
        const uint32_t node = rows.node_at(word, place);
        const uint32_t difference = rows.join(rows.top_of(node), rows.top_of(rows.node_at(other, other_place)), step);
        if (difference == 0) return;
        const RunRows::Windows around = rows.windows(difference);
        const uint32_t winding = (around.x != 0 ? kWindsInX : 0u) | (around.y != 0 ? kWindsInY : 0u);
        atomic_or(wound[word], winding << 2 * (node % kWordNodes));
    }
};

/// Index: segment. Makes the root the parent of every top; from here on the offset of a root is the number of roots
/// before it in its segment.
struct RankRoots {
    RunRows rows;
    View<uint32_t> totals;  // (segments) roots

    struct Shared {
        uint32_t room[kBlockThreads / 32];
    };

    FLIPSCOPE_HD void operator()(uint32_t segment, Block block, Shared& shared) const {
        const uint32_t begin = segment << rows.segment_shift, left = rows.words() - begin;
        const uint32_t size = left < 1u << rows.segment_shift ? left : 1u << rows.segment_shift;
        uint32_t total = 0;
        for (uint32_t step = 0; step < size; step += block.threads) {
            const uint32_t word = begin + step + block.thread;
            uint32_t roots = 0, count = 0;
            for (uint32_t tops = step + block.thread < size ? rows.tops[word] : 0; tops; tops &= tops - 1) {
                const uint32_t node = word * kWordNodes + lowest_bit(tops);
                if (rows.climb(node) == node) roots |= tops & (0u - tops);
            }
            uint32_t rank = total + block.sum_before(count_bits(roots), count, shared.room);
            for (; roots; roots &= roots - 1, ++rank) {
                const uint32_t node = word * kWordNodes + lowest_bit(roots);
                atomic_store(rows.nodes[node], RunRows::pack(node, rank));
            }
            total += count;
        }
        if (block.thread == 0) totals[segment] = total;
    }
};

/// Index: 0 for the count; then one more than a label.
struct FindCentresOfMass {
    Lattice lattice;
    View<const uint64_t> sums, shifts;  // shifts: empty if the sums include them
    View<const uint32_t> windings, counts;
    View<uint32_t> areas;
    View<Point> centres_of_mass;
    View<uint32_t> clamped;  // or empty
    uint32_t room;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i == 0) {
            if (clamped) clamped[0] = counts[0] < room ? counts[0] : room;
            return;
        }
        const uint32_t label = i - 1, winding = windings[label];
        const uint64_t* const sum = &sums[3 * size_t(label)];
        const uint64_t area = sum[0];
        uint64_t x = sum[1], y = sum[2];
        if (shifts && !(winding & kWindsInX)) x += shifts[2 * size_t(label)] * lattice.width;
        if (shifts && !(winding & kWindsInY)) y += shifts[2 * size_t(label) + 1] * lattice.height;
        areas[label] = static_cast<uint32_t>(area);
        centres_of_mass[label] = {mean(x, area, lattice.width), mean(y, area, lattice.height)};
    }
    /// The sum is wrapped into the box before the division: so the result is bitwise the same for every window in which
    /// the component was measured, and rounding never leads out of the box.
    FLIPSCOPE_HD static double mean(uint64_t sum, uint64_t area, uint32_t period) {
        const uint64_t box = area * period;
        if (sum >= box) {  // or below 0
            int64_t inside = static_cast<int64_t>(sum) % static_cast<int64_t>(box);
            if (inside < 0) inside += static_cast<int64_t>(box);
            sum = static_cast<uint64_t>(inside);
        }
        return static_cast<double>(static_cast<int64_t>(sum)) / static_cast<double>(area);
    }
};

}  // namespace component_kernels

}  // namespace flipscope
