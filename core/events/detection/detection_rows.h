// The first kernel of change_detector.h: translates past rows and compares them with present ones. Only
// change_detector.cu includes it.
#pragma once

#include "compute/launch.h"
#include "events/detection/change_detector.h"
#include "events/detection/thread_group.h"
#include "voronoi/graph/sort_row.h"

namespace flipscope {

/// A comparison as kernels see it.
struct Comparison {
    AdjacencyView past, now;
    View<const Point> past_sites, now_sites;
    View<const uint32_t> to_now, to_past;  // Φ and back
    View<const uint8_t> trigger;           // by past label
    Lattice lattice;
};

/// A changed link as found: its entry in the row of its lower label, and that label; ordered by entries.
FLIPSCOPE_HD inline uint64_t found_link(uint32_t entry, uint32_t label) { return uint64_t(entry) << 32 | label; }

/// Computes (E_P)_PN, the neighbours of each past label by their present labels, those without a partner last;
/// local_trigger; and lists of the active vertices and the changed links, in any order. A group shares a row. Counters
/// must be 0; clears those of the next comparison.
struct CompareRow {
    Comparison frames;
    View<const uint32_t> past_sizes, now_sizes;
    View<const uint64_t> matches;
    uint32_t lanes;
    View<uint32_t> translated;
    View<uint8_t> trigger;         // by past label
    View<uint32_t> kinds, active;  // by past label; a list
    View<uint64_t> lost, created;
    View<uint32_t> counters, next_counters;

    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        if (thread == 0) write_sizes();
        const ThreadGroup group(thread, lanes);
        const uint32_t p = group.index;
        if (p >= past_sizes[0]) return;
        const bool changed = lanes == 1 ? compare_alone(p) : group.any(compare(p, group));
        if (group.lane > 0) return;
        trigger[p] = changed;
        if (!changed) return;
        kinds[p] = kActiveVertex;
        active[atomic_add(counters[kActiveCount], 1u)] = p;
    }

  private:
    FLIPSCOPE_HD void write_sizes() const {
        for (int k = 0; k < 2; ++k) {
            counters[kPastSizes + k] = past_sizes[k];
            counters[kNowSizes + k] = now_sizes[k];
            counters[kMatches + k] = static_cast<uint32_t>(matches[k]);
        }
        for (int k = 0; k < kPastSizes; ++k) next_counters[k] = 0;
    }

    FLIPSCOPE_HD uint32_t translation(uint32_t e) const {
        const uint32_t q = frames.to_now[frames.past.neighbours[e]];
        return q == kNone ? kMaxLink : q;
    }
    FLIPSCOPE_HD void translate_alone(uint32_t p) const {
        const uint32_t begin = frames.past.starts[p], end = frames.past.starts[p + 1];
        for (uint32_t e = begin; e < end; ++e) translated[e] = translation(e);
        sort_row(translated.data + begin, end - begin);
    }
    FLIPSCOPE_HD bool compare_alone(uint32_t p) const {
        translate_alone(p);
        const uint32_t q = frames.to_now[p];
        return q != kNone && walk(p, q);
    }
    /// Compares one entry of either row per thread with the whole group. Returns whether this thread found a change.
    FLIPSCOPE_HD bool compare(uint32_t p, const ThreadGroup& group) const {
        const uint32_t begin = frames.past.starts[p], degree = frames.past.starts[p + 1] - begin;
        const uint32_t q = frames.to_now[p], now_begin = q == kNone ? 0 : frames.now.starts[q];
        const uint32_t now_degree = q == kNone ? 0 : frames.now.starts[q + 1] - now_begin;
        if (degree > group.lanes || now_degree > group.lanes) return group.lane == 0 && compare_alone(p);
        const uint32_t neighbour = group.lane < degree ? frames.past.neighbours[begin + group.lane] : kNone;
        const uint32_t is = group.lane < now_degree ? frames.now.neighbours[now_begin + group.lane] : kNone;
        const uint32_t was = neighbour == kNone ? kNone : translation(begin + group.lane);
        const bool matched = is != kNone && frames.to_past[is] != kNone;
        uint32_t rank = 0;
        bool stays = false, known = false;
        const uint32_t most = degree > now_degree ? degree : now_degree;
        for (uint32_t k = 0; k < most; ++k) {
            const uint32_t other_was = group.from(k, was), other_is = group.from(k, is);
            rank += k < degree && before(other_was, k, was, group.lane);
            stays |= was == other_is;
            known |= is == other_was;
        }
        if (neighbour != kNone) translated[begin + rank] = was;
        const bool is_lost = q != kNone && neighbour != kNone && was != kMaxLink && !stays,
                   is_created = matched && !known;
        if (is_lost && p < neighbour) lost[atomic_add(counters[kLostCount], 1u)] = found_link(begin + group.lane, p);
        if (is_created && q < is)
            created[atomic_add(counters[kCreatedCount], 1u)] = found_link(now_begin + group.lane, q);
        return is_lost || is_created;
    }
    FLIPSCOPE_HD static bool before(uint32_t a, uint32_t place_of_a, uint32_t b, uint32_t place_of_b) {
        return a < b || (a == b && place_of_a < place_of_b);
    }

    /// Merges two sorted rows, skipping present neighbours without a partner. Lists the changes; returns whether there
    /// are any.
    FLIPSCOPE_HD bool walk(uint32_t p, uint32_t q) const {
        uint32_t e = frames.past.starts[p], f = frames.now.starts[q];
        const uint32_t e_end = frames.past.starts[p + 1], f_end = frames.now.starts[q + 1];
        bool changed = false;
        while (e < e_end || f < f_end) {
            const uint32_t was = e < e_end ? translated[e] : kMaxLink;
            const uint32_t is = f < f_end ? frames.now.neighbours[f] : kMaxLink;
            if (was == is) {
                if (was == kMaxLink) break;  // only vanished ones are left
                ++e, ++f;
            } else if (was < is) {
                changed = true;
                list_lost(p, frames.to_past[was]);
                ++e;
            } else {
                if (frames.to_past[is] != kNone) {
                    changed = true;
                    if (q < is) created[atomic_add(counters[kCreatedCount], 1u)] = found_link(f, q);
                }
                ++f;
            }
        }
        return changed;
    }
    FLIPSCOPE_HD void list_lost(uint32_t p, uint32_t neighbour) const {
        if (neighbour < p) return;
        uint32_t e = frames.past.starts[p];
        while (frames.past.neighbours[e] != neighbour) ++e;
        lost[atomic_add(counters[kLostCount], 1u)] = found_link(e, p);
    }
};

}  // namespace flipscope
