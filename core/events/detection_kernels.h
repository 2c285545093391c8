// The kernels of detection.h: rows translated and compared, links told apart, links put together to events. Only
// detection.cpp includes it.
#pragma once

#include "compute/primitives.h"
#include "events/detection.h"
#include "events/triangles.h"

namespace flipscope {

/// A comparison as kernels see it.
struct Comparison {
    AdjacencyView past, now;
    View<const Point> past_centres, now_centres;
    View<const uint32_t> to_now, to_past;  // Φ and back
    View<const uint8_t> trigger;           // by past label
    Lattice lattice;

    /// Whether the link to the neighbour `b` of the past breaks, seen from `a`, who has a partner.
    FLIPSCOPE_HD bool breaks(uint32_t a, uint32_t b) const {
        return to_now[b] != kNone && !now.linked(to_now[a], to_now[b]);
    }
    FLIPSCOPE_HD bool arises(uint32_t a, uint32_t b) const {
        return to_past[b] != kNone && !past.linked(to_past[a], to_past[b]);
    }
};

/// Moves the value at `root` of the heap values[0 … count) down to its place.
FLIPSCOPE_HD inline void sift(uint32_t* values, uint32_t root, uint32_t count) {
    const uint32_t value = values[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && values[child + 1] > values[child]) ++child;
        if (values[child] <= value) break;
        values[root] = values[child];
    }
    values[root] = value;
}
FLIPSCOPE_HD inline void sort_row(uint32_t* values, uint32_t count) {
    if (count <= 24) {
        for (uint32_t i = 1; i < count; ++i) {
            const uint32_t value = values[i];
            uint32_t k = i;
            for (; k > 0 && values[k - 1] > value; --k) values[k] = values[k - 1];
            values[k] = value;
        }
        return;
    }
    for (uint32_t i = count / 2; i-- > 0;) sift(values, i, count);
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t last = values[i];
        values[i] = values[0];
        values[0] = last;
        sift(values, 0, i);
    }
}

/// (E_P)_PN: the neighbours of each past label, called as they are now; those without partner come last.
struct TranslateRow {
    AdjacencyView past;
    View<const uint32_t> to_now;
    View<uint32_t> translated;
    FLIPSCOPE_HD void operator()(uint32_t p) const {
        const uint32_t begin = past.starts[p], end = past.starts[p + 1];
        for (uint32_t e = begin; e < end; ++e) {
            const uint32_t q = to_now[past.neighbours[e]];
            translated[e] = q == kNone ? kMaxLink : q;
        }
        sort_row(translated.data + begin, end - begin);
    }
};

/// local_trigger: two sorted rows are walked along together; present neighbours without partner are passed over.
struct CompareRow {
    AdjacencyView past, now;
    View<const uint32_t> translated, to_now, to_past;
    View<uint8_t> trigger;
    FLIPSCOPE_HD void operator()(uint32_t p, Tally& tally) const {
        trigger[p] = 0;
        const uint32_t q = to_now[p];
        if (q == kNone) return;
        uint32_t e = past.starts[p], f = now.starts[q], lost = 0, gained = 0;
        const uint32_t e_end = past.starts[p + 1], f_end = now.starts[q + 1];
        while (e < e_end || f < f_end) {
            const uint32_t was = e < e_end ? translated[e] : kMaxLink;
            const uint32_t is = f < f_end ? now.neighbours[f] : kMaxLink;
            if (was == is) {
                if (was == kMaxLink) break;  // only those that vanished are left
                ++e, ++f;
            } else if (was < is) {
                ++lost, ++e;
            } else {
                gained += to_past[is] != kNone;
                ++f;
            }
        }
        trigger[p] = lost + gained > 0;
        tally.value[0] += lost + gained > 0;
        tally.value[1] += lost;
        tally.value[2] += gained;
    }
};

struct CopySizes {
    View<const uint32_t> past, now;
    View<const uint64_t> matches;
    View<uint64_t> to;
    FLIPSCOPE_HD void operator()(uint32_t i) const { to[i] = i < 2 ? past[i] : i < 4 ? now[i - 2] : matches[i - 4]; }
};

/// Of each changed link one of its two entries, the one in the row of its lower label. As many threads as there are
/// lanes share a row. Marks are all 0 before.
struct MarkChanged {
    Comparison moments;
    uint32_t lanes;
    View<uint8_t> past_marks, now_marks;
    View<uint32_t> kinds;  // by past label
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t p = i / lanes, lane = i % lanes;
        if (!moments.trigger[p]) return;
        const uint32_t q = moments.to_now[p];
        if (lane == 0) kinds[p] = kActiveVertex;
        for (uint32_t e = moments.past.starts[p] + lane; e < moments.past.starts[p + 1]; e += lanes)
            if (p < moments.past.neighbours[e] && moments.breaks(p, moments.past.neighbours[e])) past_marks[e] = 1;
        for (uint32_t e = moments.now.starts[q] + lane; e < moments.now.starts[q + 1]; e += lanes)
            if (q < moments.now.neighbours[e] && moments.arises(q, moments.now.neighbours[e])) now_marks[e] = 1;
    }
};

/// Lists active vertices, breaking entries and arising entries, one after the other, and says of each entry which
/// changed link it is. Clears the marks.
struct ListChanged {
    View<const uint8_t> trigger;
    View<uint8_t> marks;  // of past entries, then of present ones
    uint32_t past_count, past_entries, active_count;
    View<uint32_t> lists, slots;
    FLIPSCOPE_HD uint32_t token(uint32_t i) const { return i < past_count ? trigger[i] : marks[i - past_count]; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (i < past_count) {
            if (token) lists[rank] = i;
            return;
        }
        const uint32_t e = i - past_count;
        slots[e] = token ? rank - active_count : kNone;
        if (!token) return;
        lists[rank] = e < past_entries ? e : e - past_entries;
        marks[e] = 0;
    }
};

/// Whether active vertices are on the boundary, then and now: whether a link in their row is.
struct FindBoundary {
    Comparison moments;
    View<const uint32_t> active;
    uint32_t lanes;
    View<uint32_t> kinds;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t p = active[i / lanes], lane = i % lanes;
        find(moments.past, moments.past_centres, p, lane, kinds[p], kOnPastBoundary);
        find(moments.now, moments.now_centres, moments.to_now[p], lane, kinds[p], kOnPresentBoundary);
    }
    FLIPSCOPE_HD void find(const AdjacencyView& graph, View<const Point> centres, uint32_t label, uint32_t lane,
                           uint32_t& bits, uint32_t bit) const {
        uint32_t apexes[2];
        for (uint32_t e = graph.starts[label] + lane; e < graph.starts[label + 1]; e += lanes) {
            if (atomic_load(bits) & bit) return;  // another link has told
            if (empty_triangles(graph, centres, moments.lattice, label, graph.neighbours[e], apexes) >= 2) continue;
            atomic_or(bits, bit);
            return;
        }
    }
};

/// The paper's two rules, asked in both moments: the quadrilateral of a T1 has three active neighbours at two of its
/// corners before, and at the other two after.
struct ClassifyVertex {
    Comparison moments;
    View<const uint32_t> active;
    View<uint32_t> kinds;  // each thread writes its own, in bits that the others do not read
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t p = active[i], q = moments.to_now[p], own = kinds[p];
        uint32_t neighbours[2] = {0, 0}, on_boundary[2] = {0, 0};
        for (uint32_t e = moments.past.starts[p]; e < moments.past.starts[p + 1]; ++e)
            count(moments.past.neighbours[e], kOnPastBoundary, neighbours[0], on_boundary[0]);
        for (uint32_t e = moments.now.starts[q]; e < moments.now.starts[q + 1]; ++e)
            count(moments.to_past[moments.now.neighbours[e]], kOnPresentBoundary, neighbours[1], on_boundary[1]);
        uint32_t bits = own;
        if (neighbours[0] >= 3 || neighbours[1] >= 3) bits |= kBulk;
        if (((own & kOnPastBoundary) && on_boundary[0]) || ((own & kOnPresentBoundary) && on_boundary[1]))
            bits |= kBoundary;
        atomic_store(kinds[p], bits);
    }
    FLIPSCOPE_HD void count(uint32_t other, uint32_t bit, uint32_t& neighbours, uint32_t& on_boundary) const {
        if (other == kNone || !moments.trigger[other]) return;
        ++neighbours;
        on_boundary += (atomic_load(kinds[other]) & bit) != 0;
    }
};

/// The changed links as entries: where each lies in the list, and which it is.
struct ChangedList {
    View<const uint32_t> breaking, arising;      // entries of past and present rows, ascending
    View<const uint32_t> past_slots, now_slots;  // by entry: index among all changed links, kNone: has not changed

    /// Index of the link between a and b among all changed ones; kNone: it has not changed, or is no link.
    FLIPSCOPE_HD static uint32_t find(const AdjacencyView& graph, View<const uint32_t> slots, uint32_t a, uint32_t b) {
        const uint32_t row = a < b ? a : b, other = a < b ? b : a, end = graph.starts[row + 1];
        uint32_t low = graph.starts[row], high = end;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (graph.neighbours[middle] < other)
                low = middle + 1;
            else
                high = middle;
        }
        return low == end || graph.neighbours[low] != other ? kNone : slots[low];
    }
    FLIPSCOPE_HD uint32_t count() const { return static_cast<uint32_t>(breaking.count + arising.count); }
};

/// The row that an entry lies in: the last that does not begin behind it.
FLIPSCOPE_HD inline uint32_t row_of(View<const uint32_t> starts, uint32_t rows, uint32_t entry) {
    uint32_t low = 0, high = rows;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct DescribeLink {
    Comparison moments;
    ChangedList list;
    uint32_t past_count, now_count;
    View<ChangedLink> links;
    View<uint64_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const bool breaking = i < list.breaking.count;
        const AdjacencyView& graph = breaking ? moments.past : moments.now;
        const uint32_t entry = breaking ? list.breaking[i] : list.arising[i - list.breaking.count];
        ChangedLink link;
        uint32_t corners[4] = {row_of(graph.starts, breaking ? past_count : now_count, entry), graph.neighbours[entry],
                               kNone, kNone};
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
/// together so, since where an old link cuts off a corner, a new one ends in that corner. As many threads as there are
/// lanes share a link's questions.
struct JoinLinks {
    Comparison moments;
    ChangedList list;
    View<const ChangedLink> links;
    uint32_t lanes;
    View<uint64_t> parents;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t i = thread / lanes;
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
        for (uint32_t k = thread % lanes; k < 5 + first + second; k += lanes) {
            if (k < 4) {
                if (corners[2 + k / 2] != kNone) join(i, find(breaking, own, corners[2 + k / 2], corners[k % 2]));
            } else if (k == 4) {
                if (there[2] != kNone && there[3] != kNone) join(i, find(!breaking, other, there[2], there[3]));
            } else {
                const bool on_left = k - 5 < first;
                const uint32_t apex = there[on_left ? 2 : 3];
                const uint32_t e = other.starts[apex] + (on_left ? k - 5 : k - 5 - first);
                const uint32_t j =
                    apex < other.neighbours[e] ? list.now_slots[e] : find(false, other, apex, other.neighbours[e]);
                if (j != kNone && (is_apex(links[j], there[0]) || is_apex(links[j], there[1]))) join(i, j);
            }
        }
    }
    FLIPSCOPE_HD static bool is_apex(const ChangedLink& arising, uint32_t q) {
        return arising.now[2] == q || arising.now[3] == q;
    }
    FLIPSCOPE_HD uint32_t find(bool breaking, const AdjacencyView& graph, uint32_t a, uint32_t b) const {
        return ChangedList::find(graph, breaking ? list.past_slots : list.now_slots, a, b);
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

/// Whether a and b have a common neighbour without partner.
FLIPSCOPE_HD inline bool beside_unmatched(const AdjacencyView& graph, View<const uint32_t> partners, uint32_t a,
                                          uint32_t b) {
    for (uint32_t e = graph.starts[a]; e < graph.starts[a + 1]; ++e)
        if (partners[graph.neighbours[e]] == kNone && graph.linked(b, graph.neighbours[e])) return true;
    return false;
}

/// What the host is told of a link. Where somebody has vanished, those around close up, and where somebody appears they
/// part: no rule is asked about such links. Else a link is of the kind of both its ends, and where those say both, of
/// that of its own triangles.
struct FinishLink {
    Comparison moments;
    View<const uint32_t> names;  // of the present moment
    View<const uint32_t> past_names;
    View<const uint32_t> kinds;
    View<const uint64_t> parents;
    View<ChangedLink> links;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        ChangedLink& link = links[i];  // others look at its corners meanwhile
        uint64_t root = i;
        while (parents[root] != root) root = parents[root];
        link.event = static_cast<uint32_t>(root);
        uint32_t corner_kinds[4];
        for (int k = 0; k < 4; ++k) {
            const uint32_t p = link.past[k], q = link.now[k];
            link.names[k] = q != kNone ? names[q] : p != kNone ? past_names[p] : kNone;
            link.before[k] = p != kNone ? moments.past_centres[p] : Point{};
            link.after[k] = q != kNone ? moments.now_centres[q] : Point{};
            link.corner_kinds[k] = corner_kinds[k] = p != kNone && moments.trigger[p] ? kinds[p] : 0;
        }
        uint32_t bits = corner_kinds[0] & corner_kinds[1] & (kBulk | kBoundary);
        if (bits == (kBulk | kBoundary)) bits = link.triangles >= 2 ? kBulk : kBoundary;
        if (link.breaking ? beside_unmatched(moments.now, moments.to_past, link.now[0], link.now[1])
                          : beside_unmatched(moments.past, moments.to_now, link.past[0], link.past[1]))
            bits = kBesideUnmatched;
        link.kinds = bits;
    }
};

/// Neighbours of a corner in one moment; entries behind their count mean nothing.
struct LookAround {
    Comparison moments;
    View<const ChangedLink> links;
    uint32_t lanes;
    View<Surroundings> surroundings;
    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        const uint32_t lane = thread % lanes, k = thread / lanes % 4, i = thread / lanes / 4;
        const ChangedLink& link = links[i];
        Surroundings& out = surroundings[i];
        look(moments.past, moments.past_centres, link.past[k], lane, out.past_count[k], out.past[k]);
        look(moments.now, moments.now_centres, link.now[k], lane, out.now_count[k], out.now[k]);
    }
    FLIPSCOPE_HD void look(const AdjacencyView& graph, View<const Point> centres, uint32_t label, uint32_t lane,
                           uint32_t& count, Point (&out)[kAround]) const {
        const uint32_t first = label == kNone ? 0 : graph.starts[label];
        const uint32_t degree = label == kNone ? 0 : graph.starts[label + 1] - first;
        const uint32_t kept = degree < kAround ? degree : kAround;
        if (lane == 0) count = kept;
        for (uint32_t e = lane; e < kept; e += lanes) out[e] = centres[graph.neighbours[first + e]];
    }
};

/// Two kernels that ask nothing of each other, in one launch.
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
