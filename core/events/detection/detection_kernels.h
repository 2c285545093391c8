// The kernels of change_detector.h after the comparison of rows: they describe and classify links, and group them into
// events. Only change_detector.cu includes it. Counts are in device memory; each kernel does nothing if they exceed
// the room.
#pragma once

#include "compute/forest.h"
#include "events/detection/detection_rows.h"
#include "events/detection/triangles.h"

namespace flipscope {

/// The changed links, unordered as found and then by index: lost ones first, each part in the order of its entries.
struct Changes {
    View<const uint32_t> counters;
    View<const uint64_t> lost, created;    // as found
    bool in_order;                         // sorted by the host
    View<uint32_t> entries;                // by index
    View<uint32_t> past_slots, now_slots;  // by entry: index of the link, valid if entries[index] == entry

    FLIPSCOPE_HD uint32_t lost_count() const { return counters[kLostCount]; }
    FLIPSCOPE_HD uint32_t count() const {
        const uint32_t all = counters[kLostCount] + counters[kCreatedCount];
        return all <= entries.count ? all : 0;
    }
    FLIPSCOPE_HD uint32_t active_count() const { return count() > 0 ? counters[kActiveCount] : 0; }
    FLIPSCOPE_HD uint64_t as_found(uint32_t i) const { return i < lost_count() ? lost[i] : created[i - lost_count()]; }
    /// Index of the link with this entry; kNone: unchanged.
    FLIPSCOPE_HD uint32_t index(bool is_lost, uint32_t entry) const {
        const uint32_t i = is_lost ? past_slots[entry] : now_slots[entry];
        const bool listed = i < count() && (i < lost_count()) == is_lost && entries[i] == entry;
        return listed ? i : kNone;
    }
    /// The same by its ends; kNone also if the graph has no such link.
    FLIPSCOPE_HD uint32_t find(bool is_lost, const AdjacencyView& graph, uint32_t a, uint32_t b) const {
        const uint32_t row = a < b ? a : b, other = a < b ? b : a, end = graph.starts[row + 1];
        const uint32_t entry = lower_bound(graph.neighbours.data, graph.starts[row], end, other);
        return entry == end || graph.neighbours[entry] != other ? kNone : index(is_lost, entry);
    }
};

/// Marks active vertices on the boundary in each frame: those with a link on the boundary. One half of the threads of a
/// vertex works on each frame; no group.
struct FindBoundary {
    Comparison frames;
    Changes changes;
    View<const uint32_t> active;
    uint32_t lanes, threads;
    View<uint32_t> kinds;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t half = lanes / 2, lane = thread % lanes;
        const uint32_t count = changes.active_count();
        for (uint32_t i = thread / lanes; i < count; i += threads / lanes) {
            const uint32_t p = active[i];
            if (lane < half)
                find(frames.past, frames.past_sites, p, lane, half, kinds[p], kOnPastBoundary);
            else
                find(frames.now, frames.now_sites, frames.to_now[p], lane - half, half, kinds[p], kOnPresentBoundary);
        }
    }
    FLIPSCOPE_HD void find(const AdjacencyView& graph, View<const Point> sites, uint32_t label, uint32_t first,
                           uint32_t stride, uint32_t& bits, uint32_t bit) const {
        uint32_t apexes[2];
        for (uint32_t e = graph.starts[label] + first; e < graph.starts[label + 1]; e += stride) {
            if (atomic_load(bits) & bit) return;  // another thread has found one
            if (empty_triangles(graph, sites, frames.lattice, label, graph.neighbours[e], apexes) >= 2) continue;
            atomic_or(bits, bit);
            return;
        }
    }
};

/// The paper's two rules, applied to both frames: the quadrilateral of a T1 has three active neighbours at two of its
/// corners before, and at the other two after. A group shares a vertex.
struct ClassifyVertex {
    Comparison frames;
    Changes changes;
    View<const uint32_t> active;
    uint32_t lanes, threads;
    View<uint32_t> kinds;  // each group writes its own, in bits that others do not read
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const ThreadGroup group(thread, lanes);
        const uint32_t count = changes.active_count();
        for (uint32_t i = group.index; i < count; i += threads / lanes) classify(active[i], group);
    }
    FLIPSCOPE_HD void classify(uint32_t p, const ThreadGroup& group) const {
        const uint32_t q = frames.to_now[p], own = atomic_load(kinds[p]);
        uint32_t before[2] = {0, 0}, after[2] = {0, 0};  // active neighbours; those on the boundary
        for (uint32_t e = frames.past.starts[p] + group.lane; e < frames.past.starts[p + 1]; e += lanes)
            add(frames.past.neighbours[e], kOnPastBoundary, before);
        for (uint32_t e = frames.now.starts[q] + group.lane; e < frames.now.starts[q + 1]; e += lanes)
            add(frames.to_past[frames.now.neighbours[e]], kOnPresentBoundary, after);
        const uint32_t active_before = group.sum(before[0]), active_after = group.sum(after[0]);
        uint32_t bits = own;
        if (active_before >= 3 || active_after >= 3) bits |= kT1;
        const bool was = (own & kOnPastBoundary) && before[1], is = (own & kOnPresentBoundary) && after[1];
        if (group.any(was || is)) bits |= kBoundary;
        if (group.lane == 0) atomic_store(kinds[p], bits);
    }
    FLIPSCOPE_HD void add(uint32_t other, uint32_t bit, uint32_t (&found)[2]) const {
        if (other == kNone || !frames.trigger[other]) return;
        ++found[0];
        found[1] += (atomic_load(kinds[other]) & bit) != 0;
    }
};

/// Writes a link at its index, with its empty triangles. A group shares a link.
struct DescribeLink {
    Comparison frames;
    Changes changes;
    uint32_t lanes, threads;
    View<ChangedLink> links;
    View<uint64_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const ThreadGroup group(thread, lanes);
        const uint32_t count = changes.count();
        for (uint32_t i = group.index; i < count; i += threads / lanes) {
            const uint32_t rank = rank_of(i, group);
            if (group.lane == 0) describe(i < changes.lost_count(), changes.as_found(i), rank);
        }
    }
    FLIPSCOPE_HD uint32_t rank_of(uint32_t i, const ThreadGroup& group) const {
        if (changes.in_order) return i;
        const uint32_t split = changes.lost_count();
        const uint32_t first = i < split ? 0 : split, end = i < split ? split : changes.count();
        const uint64_t own = changes.as_found(i);
        const View<const uint64_t> list = i < split ? changes.lost : changes.created;
        uint32_t before = 0;
        for (uint32_t k = group.lane; k < end - first; k += lanes) before += list[k] < own;
        return first + group.sum(before);
    }
    FLIPSCOPE_HD void describe(bool lost, uint64_t found, uint32_t i) const {
        const AdjacencyView& graph = lost ? frames.past : frames.now;
        const auto entry = static_cast<uint32_t>(found >> 32);
        changes.entries[i] = entry;
        (lost ? changes.past_slots : changes.now_slots)[entry] = i;
        ChangedLink link;
        uint32_t corners[4] = {static_cast<uint32_t>(found), graph.neighbours[entry], kNone, kNone};
        link.lost = lost;
        link.triangles = empty_triangles(graph, lost ? frames.past_sites : frames.now_sites, frames.lattice, corners[0],
                                         corners[1], corners + 2);
        for (int k = 0; k < 4; ++k) {
            const uint32_t other = corners[k] == kNone ? kNone
                                   : lost              ? frames.to_now[corners[k]]
                                                       : frames.to_past[corners[k]];
            link.past[k] = lost ? corners[k] : other;
            link.now[k] = lost ? other : corners[k];
        }
        links[i] = link;
        parents[i] = i;
    }
};

/// Groups links into events. Lost links of one region of the triangulation share empty triangles, and so do created
/// ones. A lost and a created link belong together if each has an end of the other as an apex, or if all corners of one
/// are corners of the other. This always connects two triangulations of a polygon: where an old link cuts off a corner,
/// a new one ends in that corner. Threads share the tests of a link; no group.
struct JoinLinks {
    Comparison frames;
    Changes changes;
    View<const ChangedLink> links;
    uint32_t lanes, threads;
    Forest<uint64_t> events;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t count = changes.count();
        for (uint32_t i = thread / lanes; i < count; i += threads / lanes) ask(i, thread % lanes);
    }
    FLIPSCOPE_HD void ask(uint32_t i, uint32_t lane) const {
        const ChangedLink& link = links[i];
        const bool lost = link.lost != 0;
        const AdjacencyView& own = lost ? frames.past : frames.now;
        const AdjacencyView& other = lost ? frames.now : frames.past;
        const uint32_t* corners = lost ? link.past : link.now;
        const uint32_t* there = lost ? link.now : link.past;  // the corners, in the other frame
        // Four sides, the other diagonal, and for a lost link the links at its apexes: such pairs are found from their
        // past link.
        const uint32_t first = lost && there[2] != kNone ? other.degree(there[2]) : 0;
        const uint32_t second = lost && there[3] != kNone ? other.degree(there[3]) : 0;
        for (uint32_t k = lane; k < 5 + first + second; k += lanes) {
            if (k < 4) {
                if (corners[2 + k / 2] != kNone) join(i, changes.find(lost, own, corners[2 + k / 2], corners[k % 2]));
            } else if (k == 4) {
                if (there[2] != kNone && there[3] != kNone) join(i, changes.find(!lost, other, there[2], there[3]));
            } else {
                const bool on_left = k - 5 < first;
                const uint32_t apex = there[on_left ? 2 : 3];
                const uint32_t e = other.starts[apex] + (on_left ? k - 5 : k - 5 - first);
                const uint32_t j = apex < other.neighbours[e] ? changes.index(false, e)
                                                              : changes.find(false, other, apex, other.neighbours[e]);
                if (j != kNone && (is_apex(links[j], there[0]) || is_apex(links[j], there[1]))) join(i, j);
            }
        }
    }
    FLIPSCOPE_HD static bool is_apex(const ChangedLink& created, uint32_t q) {
        return created.now[2] == q || created.now[3] == q;
    }
    FLIPSCOPE_HD void join(uint32_t i, uint32_t j) const {
        if (j != kNone) events.join(i, j);
    }
};

/// Writes a link for the host. Neighbours of a vanished bubble close the gap, and those of a new one part: the rules do
/// not apply to such links. Otherwise a link is of the kind of both its ends or, if the ends are of both kinds, of the
/// kind of its own triangles. A group shares a link.
struct FinishLink {
    Comparison frames;
    Changes changes;
    View<const uint32_t> names;  // of the present frame
    View<const uint32_t> past_names;
    View<const uint32_t> kinds;
    View<const uint64_t> parents;
    uint32_t lanes, threads;
    View<ChangedLink> links;
    View<uint32_t> host_counters;  // copy of the counters, in the block that the host reads
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        for (uint32_t k = thread; k < host_counters.count; k += threads) host_counters[k] = changes.counters[k];
        const ThreadGroup group(thread, lanes);
        const uint32_t count = changes.count();
        for (uint32_t i = group.index; i < count; i += threads / lanes) finish(i, links[i], group);
    }
    FLIPSCOPE_HD void finish(uint32_t i, ChangedLink& link, const ThreadGroup& group) const {
        for (uint32_t k = group.lane; k < 4; k += lanes) {
            const uint32_t p = link.past[k], q = link.now[k];
            link.names[k] = q != kNone ? names[q] : p != kNone ? past_names[p] : kNone;
            link.before[k] = p != kNone ? frames.past_sites[p] : Point{};
            link.after[k] = q != kNone ? frames.now_sites[q] : Point{};
            link.corner_kinds[k] = kinds_of(p);
        }
        const bool beside = group.any(link.lost ? beside_unmatched(frames.now, frames.to_past, link.now, group)
                                                : beside_unmatched(frames.past, frames.to_now, link.past, group));
        if (group.lane > 0) return;
        uint64_t root = i;
        while (parents[root] != root) root = parents[root];
        link.event = static_cast<uint32_t>(root);
        uint32_t bits = kinds_of(link.past[0]) & kinds_of(link.past[1]) & (kT1 | kBoundary);
        if (bits == (kT1 | kBoundary)) bits = link.triangles >= 2 ? kT1 : kBoundary;
        link.kinds = beside ? uint32_t(kBesideUnmatched) : bits;
    }
    FLIPSCOPE_HD uint32_t kinds_of(uint32_t p) const { return p != kNone && frames.trigger[p] ? kinds[p] : 0; }
    /// Whether both ends have a common neighbour without a partner, among those tested by this thread.
    FLIPSCOPE_HD bool beside_unmatched(const AdjacencyView& graph, View<const uint32_t> partners,
                                       const uint32_t (&ends)[4], const ThreadGroup& group) const {
        for (uint32_t e = graph.starts[ends[0]] + group.lane; e < graph.starts[ends[0] + 1]; e += lanes)
            if (partners[graph.neighbours[e]] == kNone && graph.linked(ends[1], graph.neighbours[e])) return true;
        return false;
    }
};

/// Neighbours of a link's corners, first past then present ones, each once and without the corners; blocks of links are
/// in any order. A group shares a link.
struct ScanSurroundings {
    Comparison frames;
    Changes changes;
    View<const ChangedLink> links;
    uint32_t lanes, threads;
    View<Surroundings> surroundings;
    View<Point> places;
    View<uint32_t> place_count;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const ThreadGroup group(thread, lanes);
        const uint32_t all = changes.count(), count = all < surroundings.count ? all : surroundings.count;
        for (uint32_t i = group.index; i < count; i += threads / lanes) {
            Rows rows[2] = {{frames.past, frames.past_sites, links[i].past},
                            {frames.now, frames.now_sites, links[i].now}};
            const uint32_t before = rows[0].count_all(), room = before + rows[1].count_all();
            uint32_t first = group.from(0, group.lane == 0 ? atomic_add(place_count[0], room) : 0);
            Surroundings out{first, 0, 0, 0};
            out.past_count = rows[0].write(places, first, group);
            out.now_count = rows[1].write(places, first + out.past_count, group);
            if (group.lane == 0) surroundings[i] = out;
        }
    }

  private:
    /// The first kAround of each corner's row.
    struct Rows {
        const AdjacencyView& graph;
        View<const Point> sites;
        const uint32_t* corners;
        uint32_t starts[4], degrees[4];

        FLIPSCOPE_HD Rows(const AdjacencyView& of, View<const Point> at, const uint32_t* around)
            : graph(of), sites(at), corners(around) {
            for (int k = 0; k < 4; ++k) {
                starts[k] = corners[k] == kNone ? 0 : graph.starts[corners[k]];
                const uint32_t degree = corners[k] == kNone ? 0 : graph.starts[corners[k] + 1] - starts[k];
                degrees[k] = degree < kAround ? degree : kAround;
            }
        }
        FLIPSCOPE_HD uint32_t count_all() const { return degrees[0] + degrees[1] + degrees[2] + degrees[3]; }
        FLIPSCOPE_HD bool holds(int row, uint32_t label) const {
            const uint32_t end = starts[row] + degrees[row];
            const uint32_t e = lower_bound(graph.neighbours.data, starts[row], end, label);
            return e < end && graph.neighbours[e] == label;
        }
        FLIPSCOPE_HD bool is_new(int row, uint32_t label) const {
            for (int k = 0; k < 4; ++k)
                if (corners[k] == label || (k < row && holds(k, label))) return false;
            return true;
        }
        FLIPSCOPE_HD uint32_t write(View<Point> places, uint32_t first, const ThreadGroup& group) const {
            uint32_t written = 0;
            for (int k = 0; k < 4; ++k)
                for (uint32_t begin = 0; begin < degrees[k]; begin += group.lanes) {
                    const uint32_t e = begin + group.lane;
                    const uint32_t label = e < degrees[k] ? graph.neighbours[starts[k] + e] : kNone;
                    const bool wanted = label != kNone && is_new(k, label);
                    uint32_t all;
                    const uint32_t place = first + written + group.before(wanted, all);
                    if (wanted) places[place] = sites[label];
                    written += all;
                }
            return written;
        }
    };
};

/// Two independent kernels in one launch. If groups follow, the first must have a multiple of 32 threads.
template <class First, class Second>
struct FusedKernels {
    First first;
    uint32_t first_count;
    Second second;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i < first_count)
            first(i);
        else
            second(i - first_count);
    }
};

}  // namespace flipscope
