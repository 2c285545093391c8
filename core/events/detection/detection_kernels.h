// The kernels of detection.h after the rows: links described and told apart, and put together to events. Only
// detection.cpp includes it. How much there is they learn on the device; each does nothing when that is more than there
// is room for.
#pragma once

#include "events/detection/detection_rows.h"
#include "events/detection/triangles.h"

namespace flipscope {

/// The changed links as they are found and as they are told: by index, breaking ones first, each part in the order of
/// its entries.
struct Changes {
    View<const uint32_t> counters;
    View<const uint64_t> breaking, arising;  // as found
    bool in_order;                           // the host has sorted them
    View<uint32_t> entries;                  // by index
    View<uint32_t> past_slots, now_slots;    // by entry: index of the link, if entries[index] says so; else anything

    FLIPSCOPE_HD uint32_t breaking_count() const { return counters[kBreakingCount]; }
    FLIPSCOPE_HD uint32_t count() const {
        const uint32_t all = counters[kBreakingCount] + counters[kArisingCount];
        return all <= entries.count ? all : 0;
    }
    FLIPSCOPE_HD uint32_t active_count() const { return count() > 0 ? counters[kActiveCount] : 0; }
    FLIPSCOPE_HD uint64_t as_found(uint32_t i) const {
        return i < breaking_count() ? breaking[i] : arising[i - breaking_count()];
    }
    /// Index of the link with such an entry; kNone: it has not changed.
    FLIPSCOPE_HD uint32_t index(bool breaks, uint32_t entry) const {
        const uint32_t i = breaks ? past_slots[entry] : now_slots[entry];
        const bool listed = i < count() && (i < breaking_count()) == breaks && entries[i] == entry;
        return listed ? i : kNone;
    }
    /// The same by its ends; kNone, too, when there is no such link in the graph.
    FLIPSCOPE_HD uint32_t find(bool breaks, const AdjacencyView& graph, uint32_t a, uint32_t b) const {
        const uint32_t row = a < b ? a : b, other = a < b ? b : a, end = graph.starts[row + 1];
        const uint32_t entry = lower_bound(graph.neighbours.data, graph.starts[row], end, other);
        return entry == end || graph.neighbours[entry] != other ? kNone : index(breaks, entry);
    }
};

/// Whether active vertices are on the boundary, then and now: whether a link in their row is. Threads in two halves,
/// one for each moment, look at a vertex; no team.
struct FindBoundary {
    Comparison moments;
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
                find(moments.past, moments.past_centres, p, lane, half, kinds[p], kOnPastBoundary);
            else
                find(moments.now, moments.now_centres, moments.to_now[p], lane - half, half, kinds[p],
                     kOnPresentBoundary);
        }
    }
    FLIPSCOPE_HD void find(const AdjacencyView& graph, View<const Point> centres, uint32_t label, uint32_t first,
                           uint32_t stride, uint32_t& bits, uint32_t bit) const {
        uint32_t apexes[2];
        for (uint32_t e = graph.starts[label] + first; e < graph.starts[label + 1]; e += stride) {
            if (atomic_load(bits) & bit) return;  // another link has told
            if (empty_triangles(graph, centres, moments.lattice, label, graph.neighbours[e], apexes) >= 2) continue;
            atomic_or(bits, bit);
            return;
        }
    }
};

/// The paper's two rules, asked in both moments: the quadrilateral of a T1 has three active neighbours at two of its
/// corners before, and at the other two after. A team shares a vertex.
struct ClassifyVertex {
    Comparison moments;
    Changes changes;
    View<const uint32_t> active;
    uint32_t lanes, threads;
    View<uint32_t> kinds;  // each team writes its own, in bits that the others do not read
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const Team team(thread, lanes);
        const uint32_t count = changes.active_count();
        for (uint32_t i = team.index; i < count; i += threads / lanes) classify(active[i], team);
    }
    FLIPSCOPE_HD void classify(uint32_t p, const Team& team) const {
        const uint32_t q = moments.to_now[p], own = atomic_load(kinds[p]);
        uint32_t before[2] = {0, 0}, after[2] = {0, 0};  // active neighbours; those of them on the boundary
        for (uint32_t e = moments.past.starts[p] + team.lane; e < moments.past.starts[p + 1]; e += lanes)
            add(moments.past.neighbours[e], kOnPastBoundary, before);
        for (uint32_t e = moments.now.starts[q] + team.lane; e < moments.now.starts[q + 1]; e += lanes)
            add(moments.to_past[moments.now.neighbours[e]], kOnPresentBoundary, after);
        const uint32_t active_before = team.sum(before[0]), active_after = team.sum(after[0]);
        uint32_t bits = own;
        if (active_before >= 3 || active_after >= 3) bits |= kBulk;
        const bool was = (own & kOnPastBoundary) && before[1], is = (own & kOnPresentBoundary) && after[1];
        if (team.any(was || is)) bits |= kBoundary;
        if (team.lane == 0) atomic_store(kinds[p], bits);
    }
    FLIPSCOPE_HD void add(uint32_t other, uint32_t bit, uint32_t (&found)[2]) const {
        if (other == kNone || !moments.trigger[other]) return;
        ++found[0];
        found[1] += (atomic_load(kinds[other]) & bit) != 0;
    }
};

/// Puts a link in its place and looks at its triangles. A team shares a link.
struct DescribeLink {
    Comparison moments;
    Changes changes;
    uint32_t lanes, threads;
    View<ChangedLink> links;
    View<uint64_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const Team team(thread, lanes);
        const uint32_t count = changes.count();
        for (uint32_t i = team.index; i < count; i += threads / lanes) {
            const uint32_t rank = rank_of(i, team);
            if (team.lane == 0) describe(i < changes.breaking_count(), changes.as_found(i), rank);
        }
    }
    FLIPSCOPE_HD uint32_t rank_of(uint32_t i, const Team& team) const {
        if (changes.in_order) return i;
        const uint32_t split = changes.breaking_count();
        const uint32_t first = i < split ? 0 : split, end = i < split ? split : changes.count();
        const uint64_t own = changes.as_found(i);
        const View<const uint64_t> list = i < split ? changes.breaking : changes.arising;
        uint32_t before = 0;
        for (uint32_t k = team.lane; k < end - first; k += lanes) before += list[k] < own;
        return first + team.sum(before);
    }
    FLIPSCOPE_HD void describe(bool breaking, uint64_t found, uint32_t i) const {
        const AdjacencyView& graph = breaking ? moments.past : moments.now;
        const auto entry = static_cast<uint32_t>(found >> 32);
        changes.entries[i] = entry;
        (breaking ? changes.past_slots : changes.now_slots)[entry] = i;
        ChangedLink link;
        uint32_t corners[4] = {static_cast<uint32_t>(found), graph.neighbours[entry], kNone, kNone};
        link.breaking = breaking;
        link.triangles = empty_triangles(graph, breaking ? moments.past_centres : moments.now_centres, moments.lattice,
                                         corners[0], corners[1], corners + 2);
        for (int k = 0; k < 4; ++k) {
            const uint32_t other = corners[k] == kNone ? kNone
                                   : breaking          ? moments.to_now[corners[k]]
                                                       : moments.to_past[corners[k]];
            link.past[k] = breaking ? corners[k] : other;
            link.now[k] = breaking ? other : corners[k];
        }
        links[i] = link;
        parents[i] = i;
    }
};

/// Puts together what is of one event. Links that have gone from one place of the triangulation share empty triangles;
/// so do those that have come; and a link that was and one that is are of the same place when each has an end of the
/// other for an apex, or when all corners of one are those of the other. Two triangulations of a polygon always come
/// together so, since where an old link cuts off a corner, a new one ends in that corner. Threads share a
/// link's questions; no team.
struct JoinLinks {
    Comparison moments;
    Changes changes;
    View<const ChangedLink> links;
    uint32_t lanes, threads;
    View<uint64_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t count = changes.count();
        for (uint32_t i = thread / lanes; i < count; i += threads / lanes) ask(i, thread % lanes);
    }
    FLIPSCOPE_HD void ask(uint32_t i, uint32_t lane) const {
        const ChangedLink& link = links[i];
        const bool breaking = link.breaking != 0;
        const AdjacencyView& own = breaking ? moments.past : moments.now;
        const AdjacencyView& other = breaking ? moments.now : moments.past;
        const uint32_t* corners = breaking ? link.past : link.now;
        const uint32_t* there = breaking ? link.now : link.past;  // the corners, in the other moment
        // Four sides, the other diagonal, and of a breaking link what ends in its apexes: such pairs are seen from
        // their past link.
        const uint32_t first = breaking && there[2] != kNone ? other.degree(there[2]) : 0;
        const uint32_t second = breaking && there[3] != kNone ? other.degree(there[3]) : 0;
        for (uint32_t k = lane; k < 5 + first + second; k += lanes) {
            if (k < 4) {
                if (corners[2 + k / 2] != kNone)
                    join(i, changes.find(breaking, own, corners[2 + k / 2], corners[k % 2]));
            } else if (k == 4) {
                if (there[2] != kNone && there[3] != kNone) join(i, changes.find(!breaking, other, there[2], there[3]));
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
    FLIPSCOPE_HD static bool is_apex(const ChangedLink& arising, uint32_t q) {
        return arising.now[2] == q || arising.now[3] == q;
    }
    FLIPSCOPE_HD uint64_t root(uint64_t i) const {
        for (uint64_t parent; (parent = atomic_load(parents[i])) != i;) i = parent;
        return i;
    }
    /// A parent is always lower than its child, so whatever the order, the root is the lowest of all that are joined.
    FLIPSCOPE_HD void join(uint32_t i, uint32_t j) const {
        if (j == kNone) return;
        for (uint64_t a = root(i), b = root(j); a != b; a = root(a), b = root(b)) {
            const uint64_t low = a < b ? a : b, high = a < b ? b : a;
            if (atomic_exchange_if(parents[high], high, low) == high) return;
        }
    }
};

/// What the host is told of a link. Where a bubble has vanished, those around close the gap, and where one appears they
/// part: no rule is asked about such links. Else a link is of the kind of both its ends, and where those say both, of
/// that of its own triangles. A team shares a link.
struct FinishLink {
    Comparison moments;
    Changes changes;
    View<const uint32_t> names;  // of the present moment
    View<const uint32_t> past_names;
    View<const uint32_t> kinds;
    View<const uint64_t> parents;
    uint32_t lanes, threads;
    View<ChangedLink> links;
    View<uint32_t> told;  // the counters, where the host finds all it wants together
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        for (uint32_t k = thread; k < told.count; k += threads) told[k] = changes.counters[k];
        const Team team(thread, lanes);
        const uint32_t count = changes.count();
        for (uint32_t i = team.index; i < count; i += threads / lanes) finish(i, links[i], team);
    }
    FLIPSCOPE_HD void finish(uint32_t i, ChangedLink& link, const Team& team) const {
        for (uint32_t k = team.lane; k < 4; k += lanes) {
            const uint32_t p = link.past[k], q = link.now[k];
            link.names[k] = q != kNone ? names[q] : p != kNone ? past_names[p] : kNone;
            link.before[k] = p != kNone ? moments.past_centres[p] : Point{};
            link.after[k] = q != kNone ? moments.now_centres[q] : Point{};
            link.corner_kinds[k] = kinds_of(p);
        }
        const bool beside = team.any(link.breaking ? beside_unmatched(moments.now, moments.to_past, link.now, team)
                                                   : beside_unmatched(moments.past, moments.to_now, link.past, team));
        if (team.lane > 0) return;
        uint64_t root = i;
        while (parents[root] != root) root = parents[root];
        link.event = static_cast<uint32_t>(root);
        uint32_t bits = kinds_of(link.past[0]) & kinds_of(link.past[1]) & (kBulk | kBoundary);
        if (bits == (kBulk | kBoundary)) bits = link.triangles >= 2 ? kBulk : kBoundary;
        link.kinds = beside ? uint32_t(kBesideUnmatched) : bits;
    }
    FLIPSCOPE_HD uint32_t kinds_of(uint32_t p) const { return p != kNone && moments.trigger[p] ? kinds[p] : 0; }
    /// Whether both ends have a common neighbour without partner, as far as this thread looked.
    FLIPSCOPE_HD bool beside_unmatched(const AdjacencyView& graph, View<const uint32_t> partners,
                                       const uint32_t (&ends)[4], const Team& team) const {
        for (uint32_t e = graph.starts[ends[0]] + team.lane; e < graph.starts[ends[0] + 1]; e += lanes)
            if (partners[graph.neighbours[e]] == kNone && graph.linked(ends[1], graph.neighbours[e])) return true;
        return false;
    }
};

/// Neighbours of a link's corners, those of the past and then those of the present, each once and none that is a
/// corner; one link's after another's as it comes. A team shares a link.
struct LookAround {
    Comparison moments;
    Changes changes;
    View<const ChangedLink> links;
    uint32_t lanes, threads;
    View<Surroundings> surroundings;
    View<Point> places;
    View<uint32_t> place_count;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const Team team(thread, lanes);
        const uint32_t all = changes.count(), count = all < surroundings.count ? all : surroundings.count;
        for (uint32_t i = team.index; i < count; i += threads / lanes) {
            Rows rows[2] = {{moments.past, moments.past_centres, links[i].past},
                            {moments.now, moments.now_centres, links[i].now}};
            const uint32_t before = rows[0].count_all(), room = before + rows[1].count_all();
            uint32_t first = team.from(0, team.lane == 0 ? atomic_add(place_count[0], room) : 0);
            Surroundings out{first, 0, 0, 0};
            out.past_count = rows[0].write(places, first, team);
            out.now_count = rows[1].write(places, first + out.past_count, team);
            if (team.lane == 0) surroundings[i] = out;
        }
    }

  private:
    /// The first kAround of each corner's row.
    struct Rows {
        const AdjacencyView& graph;
        View<const Point> centres;
        const uint32_t* corners;
        uint32_t starts[4], degrees[4];

        FLIPSCOPE_HD Rows(const AdjacencyView& of, View<const Point> at, const uint32_t* around)
            : graph(of), centres(at), corners(around) {
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
        FLIPSCOPE_HD uint32_t write(View<Point> places, uint32_t first, const Team& team) const {
            uint32_t written = 0;
            for (int k = 0; k < 4; ++k)
                for (uint32_t begin = 0; begin < degrees[k]; begin += team.lanes) {
                    const uint32_t e = begin + team.lane;
                    const uint32_t label = e < degrees[k] ? graph.neighbours[starts[k] + e] : kNone;
                    const bool wanted = label != kNone && is_new(k, label);
                    uint32_t all;
                    const uint32_t place = first + written + team.before(wanted, all);
                    if (wanted) places[place] = centres[label];
                    written += all;
                }
            return written;
        }
    };
};

/// Two kernels that ask nothing of each other, in one launch; the first has a multiple of 32 threads where teams
/// follow.
template <class First, class Second>
struct Together {
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
