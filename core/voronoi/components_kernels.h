// The kernels that turn a field into labels, areas and centres, in the order that components.cpp launches them. For
// components.cpp alone.
#pragma once

#include "compute/launch.h"
#include "geometry/point.h"
#include "voronoi/component_runs.h"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#endif

namespace flipscope {

namespace component_kernels {

/// A word of sites: where it lies, and how many there are.
struct WordPlace {
    uint32_t x, y, site, count;
    FLIPSCOPE_HD WordPlace(const RunRows& rows, uint32_t word)
        : x(word % rows.row_words * kWordSites), y(word / rows.row_words), site(rows.lattice.site(x, y)), count(0) {
        const uint32_t left = rows.lattice.width - x;
        count = left < kWordSites ? left : kWordSites;
    }
};

/// Sites are read and written a word at a time: on the CPU by a thread, on CUDA by eight, four sites each, so that
/// threads side by side touch what lies side by side. Returns how many indices that takes.
inline constexpr uint32_t kPartSites = 4, kWordParts = kWordSites / kPartSites;
inline uint32_t site_indices(const Context& context, uint32_t words) {
    return context.on_cuda() ? words * kWordParts : words;
}

/// Four values in one access, where they lie on a multiple of its size.
template <class T>
struct alignas(16) Four {
    T value[kPartSites];
};
template <class T>
FLIPSCOPE_HD inline bool in_one(const T* at, uint32_t count) {
    return count >= kPartSites && reinterpret_cast<uintptr_t>(at) % sizeof(Four<T>) == 0;
}

/// Index: word, or part of one (site_indices). `bound` is the threshold as the float that decides the same; `sign` -1
/// asks for values above.
struct ChooseSites {
    RunRows rows;
    View<uint32_t> bits;
    View<const float> field;
    View<const uint8_t> obstacles;
    float bound, sign;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
#if defined(__CUDA_ARCH__)
        const uint32_t word = i / kWordParts, first = i % kWordParts * kPartSites;
        const WordPlace place(rows, word);
        uint32_t chosen = first < place.count ? choose_part(place.site + first, place.count - first) << first : 0;
        // The eight threads of a word are in one warp, since block sizes are multiples of 32, and all of them are here.
        const uint32_t together = 0xFFu << (threadIdx.x & 24u);
        for (uint32_t other = 1; other < kWordParts; other *= 2) chosen |= __shfl_xor_sync(together, chosen, other);
        if (first == 0) bits[word] = chosen;
        const uint32_t starts = chosen & ~(chosen << 1);
        if (starts >> first & 3) begin(word * kWordNodes + first / 2);
        if (starts >> first & 12) begin(word * kWordNodes + first / 2 + 1);
#else
        const WordPlace place(rows, i);
        const uint32_t chosen =
            place.count == kWordSites ? choose_word(place.site) : choose_part(place.site, place.count);
        bits[i] = chosen;
        for (uint32_t rest = chosen; rest;) begin(RunRows::node(i, take_run(rest)));
#endif
    }
    FLIPSCOPE_HD void begin(uint32_t node) const { rows.nodes[node] = RunRows::pack(node, 0); }
    FLIPSCOPE_HD uint32_t chooses(uint32_t site, float value) const {
        return value * sign < bound && !(obstacles && obstacles[site]);
    }
    FLIPSCOPE_HD uint32_t choose_part(uint32_t site, uint32_t count) const {
        uint32_t chosen = 0;
#if defined(__CUDA_ARCH__)
        if (in_one(&field[site], count)) {
            const Four<float> four = *reinterpret_cast<const Four<float>*>(&field[site]);
            for (uint32_t k = 0; k < kPartSites; ++k) chosen |= chooses(site + k, four.value[k]) << k;
            return chosen;
        }
        if (count > kPartSites) count = kPartSites;
#endif
        for (uint32_t k = 0; k < count; ++k) chosen |= chooses(site + k, field[site + k]) << k;
        return chosen;
    }
    /// A byte for each site, which the compiler does many at a time; then eight bytes become eight bits at once.
    uint32_t choose_word(uint32_t site) const {
        uint8_t marks[kWordSites];
        for (uint32_t k = 0; k < kWordSites; ++k) marks[k] = field[site + k] * sign < bound;
        if (obstacles)
            for (uint32_t k = 0; k < kWordSites; ++k) marks[k] &= obstacles[site + k] == 0;
        uint32_t chosen = 0;
        for (uint32_t k = 0; k < kWordSites; k += 8) {
            uint64_t eight = 0;
            for (uint32_t j = 0; j < 8; ++j) eight |= uint64_t(marks[k + j]) << 8 * j;
            chosen |= static_cast<uint32_t>(eight * 0x0102040810204080ull >> 56) << k;
        }
        return chosen;
    }
};

/// Index: word. Joins its runs with those of the word before and of the three words above.
struct JoinRuns {
    RunRows rows;
    RankTree tree;
    View<uint32_t> wound;  // empty unless periodic

    FLIPSCOPE_HD void operator()(uint32_t word) const {
        if (word < tree.groups()) tree.counts[tree.elements() + word] = 0;
        uint32_t closed = 0;
        if (rows.bits[word]) join_word(word, closed);
        if (wound) wound[word] = closed;
    }

    FLIPSCOPE_HD void join_word(uint32_t word, uint32_t& closed) const {
        const Lattice& lattice = rows.lattice;
        const WordPlace place(rows, word);
        const uint32_t last = rows.row_words - 1, last_bit = (lattice.width - 1) % kWordSites;
        const bool first_word = place.x == 0, last_word = place.x + kWordSites >= lattice.width;
        const bool has_above = place.y > 0 || lattice.periodic;
        const bool has_left = !first_word || lattice.periodic, has_right = !last_word || lattice.periodic;
        const uint32_t above = place.y > 0 ? word - rows.row_words : word + (lattice.height - 1) * rows.row_words;
        const uint32_t left_bit = first_word ? last_bit : kWordSites - 1;
        const uint32_t right_end = last_word ? last_bit : kWordSites - 1;
        // Steps of the offset: one height up, one width to the left or right.
        const uint32_t up = place.y > 0 ? 0 : ~0u;
        const uint32_t left = first_word ? 0u - rows.stride() : 0, right = last_word ? rows.stride() : 0;
        const uint32_t bits_above = has_above ? rows.bits[above] : 0;

        for (uint32_t rest = rows.bits[word]; rest;) {
            const uint32_t run = take_run(rest), node = RunRows::node(word, run);
            for (uint32_t touched = bits_above & (run | run << 1 | run >> 1); touched;)
                join(closed, node, rows.node_at(above, lowest_bit(take_run(touched))), up);
            // A diagonal neighbour beside one right above is joined to that one, by its own word.
            if (run & 1 && has_left) {
                const uint32_t before = first_word ? word + last : word - 1;
                if (rows.bits[before] >> left_bit & 1) join(closed, node, rows.node_at(before, left_bit), left);
                const uint32_t corner = first_word ? above + last : above - 1;
                if (has_above && !(bits_above & 1) && rows.bits[corner] >> left_bit & 1)
                    join(closed, node, rows.node_at(corner, left_bit), left + up);
            }
            if (run >> right_end & 1 && has_right && has_above && !(bits_above >> right_end & 1)) {
                const uint32_t corner = last_word ? above - last : above + 1;
                if (rows.bits[corner] & 1) join(closed, node, rows.node_at(corner, 0), right + up);
            }
        }
    }

    FLIPSCOPE_HD void join(uint32_t& closed, uint32_t a, uint32_t b, uint32_t step) const {
        const uint32_t difference = rows.join(a, b, step);
        if (difference == 0) return;
        const RunRows::Windows around = rows.windows(difference);
        const uint32_t winding = (around.x != 0 ? kWindsInX : 0u) | (around.y != 0 ? kWindsInY : 0u);
        closed |= winding << 2 * (a % kWordNodes);
    }
};

/// Index: word. Every run gets its root for a parent; roots are counted.
struct FindRoots {
    RunRows rows;
    RankTree tree;
    FLIPSCOPE_HD void operator()(uint32_t word) const {
        uint32_t roots = 0;
        for (uint32_t rest = rows.bits[word]; rest;) {
            const uint32_t node = RunRows::node(word, take_run(rest));
            if (rows.climb(node) == node) ++roots;
        }
        tree.add(word, roots);
    }
};

/// Index: word. From here on the offset of a root, which was 0, is its component's label.
struct RankRoots {
    RunRows rows;
    RankTree tree;
    View<uint32_t> windings, counts;
    FLIPSCOPE_HD void operator()(uint32_t word) const {
        if (word == 0) {
            counts[0] = tree.before(tree.elements());
            counts[1] = 0;
        }
        if (tree.counts[word] == 0) return;
        uint32_t label = tree.before(word);
        for (uint32_t rest = rows.bits[word]; rest;) {
            const uint32_t node = RunRows::node(word, take_run(rest));
            if (RunRows::parent(rows.nodes[node]) != node) continue;
            rows.nodes[node] = RunRows::pack(node, label);
            windings[label] = 0;
            ++label;
        }
    }
};

/// Index: word, or part of one (site_indices).
struct WriteLabels {
    RunRows rows;
    View<const uint32_t> wound;
    View<uint32_t> windings, counts, labels;
    bool chosen_only;  // 0 for every site that belongs

    FLIPSCOPE_HD void operator()(uint32_t i) const {
#if defined(__CUDA_ARCH__)
        const uint32_t word = i / kWordParts, first = i % kWordParts * kPartSites, bits = rows.bits[word];
        const WordPlace place(rows, word);
        if (first >= place.count) return;
        Four<uint32_t> four;
        for (uint32_t j = 0; j < kPartSites; ++j) {
            const uint32_t k = first + j;
            four.value[j] = kNone;
            if (!(bits >> k & 1)) continue;
            const bool goes_on = k > 0 && bits >> (k - 1) & 1;
            four.value[j] = goes_on && j > 0 ? four.value[j - 1] : label(rows.node_at(word, k));
            if (!goes_on) mark(word, word * kWordNodes + k / 2);
        }
        uint32_t* const to = &labels[place.site + first];
        if (in_one(to, place.count - first))
            *reinterpret_cast<Four<uint32_t>*>(to) = four;
        else
            for (uint32_t j = 0; j < kPartSites; ++j)
                if (first + j < place.count) to[j] = four.value[j];
#else
        const WordPlace place(rows, i);
        uint32_t* const to = &labels[place.site];
        for (uint32_t k = 0; k < place.count; ++k) to[k] = kNone;
        for (uint32_t rest = rows.bits[i]; rest;) {
            const uint32_t run = take_run(rest), node = RunRows::node(i, run);
            const uint32_t value = label(node), last = highest_bit(run);
            for (uint32_t k = lowest_bit(run); k <= last; ++k) to[k] = value;
            mark(i, node);
        }
#endif
    }
    FLIPSCOPE_HD uint32_t label(uint32_t node) const { return chosen_only ? 0 : rows.label(node); }
    FLIPSCOPE_HD void mark(uint32_t word, uint32_t node) const {
        if (!wound) return;
        const uint32_t winding = wound[word] >> 2 * (node % kWordNodes) & 3;
        if (winding && atomic_or(windings[rows.label(node)], winding) == 0) atomic_add(counts[1], 1u);
    }
};

inline constexpr uint32_t kSumRows = 4;  // rows that a thread adds up before it goes to the component's own sums

/// Index: a column of words, kSumRows high.
struct AddUp {
    RunRows rows;
    View<const uint32_t> windings;
    View<uint64_t> sums;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t x = i % rows.row_words, first = i / rows.row_words * kSumRows;
        const uint32_t end = rows.lattice.height - first < kSumRows ? rows.lattice.height : first + kSumRows;
        uint32_t held = kNone;
        RunSums sum{0, 0, 0};
        for (uint32_t y = first; y < end; ++y) {
            const uint32_t word = y * rows.row_words + x;
            for (uint32_t rest = rows.bits[word]; rest;) {
                const uint32_t run = take_run(rest), node = RunRows::node(word, run), label = rows.label(node);
                if (label != held) {
                    if (held != kNone) add(held, sum);
                    held = label;
                    sum = {0, 0, 0};
                }
                sum = sum + rows.sums(node, run, windings[label]);
            }
        }
        if (held != kNone) add(held, sum);
    }
    FLIPSCOPE_HD void add(uint32_t label, RunSums sum) const {
#if defined(__CUDA_ARCH__)
        // The threads of a warp that have something for the same component send one of them.
        namespace cg = cooperative_groups;
        const auto group = cg::labeled_partition(cg::coalesced_threads(), label);
        sum.area = cg::reduce(group, sum.area, cg::plus<uint64_t>());
        sum.x = cg::reduce(group, sum.x, cg::plus<uint64_t>());
        sum.y = cg::reduce(group, sum.y, cg::plus<uint64_t>());
        if (group.thread_rank() != 0) return;
#endif
        atomic_add(sums[3 * size_t(label)], sum.area);
        atomic_add(sums[3 * size_t(label) + 1], sum.x);
        atomic_add(sums[3 * size_t(label) + 2], sum.y);
    }
};

/// Index: label. Leaves the sums at 0 for the next time.
struct FindCentres {
    Lattice lattice;
    View<uint64_t> sums;
    View<uint32_t> areas;
    View<Point> centres;
    FLIPSCOPE_HD void operator()(uint32_t label) const {
        uint64_t* const sum = &sums[3 * size_t(label)];
        const uint64_t area = sum[0];
        areas[label] = static_cast<uint32_t>(area);
        centres[label] = {mean(sum[1], area, lattice.width), mean(sum[2], area, lattice.height)};
        sum[0] = sum[1] = sum[2] = 0;
    }
    /// The sum is brought into the box before it is divided: so the outcome is the same to the bit whichever window
    /// the component was measured in, and rounding never leads out of the box.
    FLIPSCOPE_HD static double mean(uint64_t sum, uint64_t area, uint32_t period) {
        const int64_t box = static_cast<int64_t>(area * period);
        int64_t inside = static_cast<int64_t>(sum) % box;
        if (inside < 0) inside += box;
        return static_cast<double>(inside) / static_cast<double>(area);
    }
};

}  // namespace component_kernels

}  // namespace flipscope
