#include "voronoi/lattice_graph.h"

#include <algorithm>
#include <string>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/primitives.h"
#include "voronoi/lattice_graph_kernels.h"

namespace flipscope {

// ---- kernels: corners -----------------------------------------------------------------------------------------------

/// One thread a site, for CUDA when site states are to be written.
struct ListCorners {
    Lattice lattice;
    View<const uint32_t> colours;
    StencilRules rules;
    View<State> states;  // (h, w) or empty
    View<uint32_t> corners;
    FLIPSCOPE_HD static uint32_t places(uint32_t token) { return token & kSiteCorner; }
    FLIPSCOPE_HD uint32_t token(uint32_t i) const {
        return judge_site(lattice, colours, rules, bool(states), lattice.x_of(i), lattice.y_of(i));
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t token) const {
        if (states) states[i] = static_cast<State>(token);
        if (token & kSiteCorner) corners[rank] = i;
    }
};
static_assert(kSiteCorner == 1 && kSiteShortDiagonal < 256, "a token counts its corner, and fits a byte");

/// A strip of a row, for CPU threads: all its gaps first, in a loop that the compiler makes vectors of, and then a
/// closer look at the few sites that have enough.
struct ListCornersOfStrip {
    static constexpr uint32_t kStrip = 128;  // sites
    Lattice lattice;
    View<const uint32_t> colours;
    StencilRules rules;
    View<State> states;
    View<uint32_t> corners;
    View<uint32_t> corner_count;

    FLIPSCOPE_HD static uint32_t strips_per_row(const Lattice& lattice) {
        return (lattice.width + kStrip - 1) / kStrip;
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t per_row = strips_per_row(lattice), y = i / per_row, first = i % per_row * kStrip;
        const uint32_t end = first + kStrip < lattice.width ? first + kStrip : lattice.width;
        uint32_t found[kStrip], count = 0;
        const auto look = [&](uint32_t x) {
            const uint32_t bits = judge_site(lattice, colours, rules, bool(states), x, y);
            if (states) states[lattice.site(x, y)] = static_cast<State>(bits);
            if (bits & kSiteCorner) found[count++] = lattice.site(x, y);
        };
        if (y == 0 || y + 1 == lattice.height || lattice.width < 3) {
            for (uint32_t x = first; x < end; ++x) look(x);
        } else {
            const uint32_t from = first == 0 ? 1 : first, to = end == lattice.width ? end - 1 : end;
            if (from > first) look(first);
            look_inside(from, to, y, look);
            if (to < end) look(to);
        }
        if (count == 0) return;
        const uint32_t place = atomic_add(corner_count[0], count);
        for (uint32_t k = 0; k < count; ++k) corners[place + k] = found[k];
    }
    template <class Look>
    FLIPSCOPE_HD void look_inside(uint32_t from, uint32_t to, uint32_t y, const Look& look) const {
        const uint32_t* const middle = &colours[lattice.site(from, y)];
        const uint32_t *const above = middle + lattice.width, *const below = middle - lattice.width;
        const auto asked = static_cast<uint32_t>(states ? 1 : rules.gaps);
        // Obstacles that end edges let fewer gaps do, but only where one is in the ring.
        const auto asked_there = rules.obstacles_end ? static_cast<uint32_t>(rules.open_gaps) : asked;
        uint8_t close[kStrip];
        const int count = static_cast<int>(to - from);
        for (int x = 0; x < count; ++x) {
            const uint32_t a = above[x - 1], b = above[x], c = above[x + 1], d = middle[x - 1], e = middle[x + 1],
                           f = below[x - 1], g = below[x], h = below[x + 1];
            const uint32_t gaps = uint32_t(a != b) + uint32_t(b != c) + uint32_t(c != e) + uint32_t(e != h) +
                                  uint32_t(h != g) + uint32_t(g != f) + uint32_t(f != d) + uint32_t(d != a);
            // Who watches is shown islands as well, within a ring of a single colour.
            close[x] = uint8_t(states ? gaps + uint32_t(a != middle[x]) : gaps);
        }
        const auto beside_obstacle = [&](int x) {
            return above[x - 1] == kMaxLink || above[x] == kMaxLink || above[x + 1] == kMaxLink ||
                   middle[x - 1] == kMaxLink || middle[x + 1] == kMaxLink || below[x - 1] == kMaxLink ||
                   below[x] == kMaxLink || below[x + 1] == kMaxLink;
        };
        for (int x = 0; x < count; ++x) {
            if (close[x] >= asked || (close[x] >= asked_there && beside_obstacle(x)))
                look(from + uint32_t(x));
            else if (states)
                states[lattice.site(from + uint32_t(x), y)] = 0;
        }
    }
};

// ---- kernels: link --------------------------------------------------------------------------------------------------

struct LinkCorner {
    Lattice lattice;
    View<const uint32_t> colours;
    BinsView bins;
    StencilRules rules;
    View<const uint32_t> corners;
    LinkRows rows;
    uint32_t labels;  // room
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t site = corners[i], x = lattice.x_of(site), y = lattice.y_of(site);
        const Stencil s = read_stencil(lattice, colours, x, y);
        if (s.own >= labels) return;
        for (int place = 0; place < kRing; ++place) {
            const uint32_t other = s.ring[place];
            if (other == s.own || other >= labels || !ask_ring(s, rules, place).linked()) continue;
            // Each link shows at many sites; who knows it already need not ask for the nearest centre again.
            if (rows.holds(s.own, other) && rows.holds(other, s.own)) continue;
            if ((place & 1) && rules.inner_frame &&
                !ask_inner(s, rules, place, bins.nearest(inner_point(lattice, x, y, place))))
                continue;
            rows.insert(s.own, other);
            rows.insert(other, s.own);
        }
    }
};

// ---- kernels: arrange -----------------------------------------------------------------------------------------------

/// How many entries 32, 1024 and 32768 labels in a row have together.
struct DegreeSums {
    View<uint32_t> small, middle, large;
};

struct SumDegrees {
    View<const uint32_t> degrees;
    DegreeSums sums;
    Extent count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t n = count.resolve();
        if (uint64_t(i) * 32 >= n) return;
        const uint32_t end = n - i * 32 < 32 ? n : i * 32 + 32;
        uint32_t sum = 0;
        for (uint32_t label = i * 32; label < end; ++label) sum += degrees[label];
        sums.small[i] = sum;
        if (sum == 0) return;
        atomic_add(sums.middle[i / 32], sum);
        atomic_add(sums.large[i / 1024], sum);
    }
};

struct ArrangeRow {
    LinkRows rows;
    DegreeSums sums;
    View<uint32_t> starts, neighbours;
    FLIPSCOPE_HD void operator()(uint32_t label) const {
        uint32_t start = 0;
        for (uint32_t i = 0; i < label >> 15; ++i) start += sums.large[i];
        for (uint32_t i = label >> 15 << 5; i < label >> 10; ++i) start += sums.middle[i];
        for (uint32_t i = label >> 10 << 5; i < label >> 5; ++i) start += sums.small[i];
        for (uint32_t i = label >> 5 << 5; i < label; ++i) start += rows.degrees[i];
        const uint32_t degree = rows.degrees[label];
        starts[label + 1] = start + degree;  // starts[0] is always 0
        if (degree <= kRowPlaces) {
            uint32_t* const row = &rows.slots[size_t(label) * kRowPlaces];
            for (uint32_t i = 0; i < degree; ++i) {
                uint32_t rank = 0;
                for (uint32_t j = 0; j < degree; ++j) rank += row[j] < row[i];
                neighbours[start + rank] = row[i];
            }
            for (uint32_t i = 0; i < degree; ++i) row[i] = kNone;
            return;
        }
        rows.take(label, &neighbours[start]);
        heap_sort(&neighbours[start], degree);
    }
};

// ---- passes ---------------------------------------------------------------------------------------------------------

namespace {

constexpr uint32_t kLinkThreads = 132 * 1024;  // a machine full of them

uint32_t power_of_two_from(uint64_t least) {
    uint32_t power = 1;
    while (power < least) power *= 2;
    return power;
}

/// How counts_ is shared out, in words of 64 bits.
struct Layout {
    size_t keys, degrees, small, middle, large, end;
    Layout(uint32_t labels, uint32_t blocks) {
        const auto words = [](size_t count) { return (count + 1) / 2; };
        keys = 1;
        degrees = keys + blocks;
        small = degrees + words(labels);
        middle = small + words(labels / 32 + 1);
        large = middle + words(labels / 1024 + 1);
        end = large + words(labels / 32768 + 1);
    }
};

View<uint32_t> halves(const Buffer<uint64_t>& words, size_t first, size_t count) {
    return {reinterpret_cast<uint32_t*>(words.view().data + first), count};
}

DegreeSums sums_of(const Buffer<uint64_t>& counts, uint32_t labels, uint32_t blocks) {
    const Layout at(labels, blocks);
    return {halves(counts, at.small, labels / 32 + 1), halves(counts, at.middle, labels / 1024 + 1),
            halves(counts, at.large, labels / 32768 + 1)};
}

}  // namespace

void LatticeGraph::reset(Context& context, const Lattice& lattice) {
    if (uint64_t(lattice.width) * lattice.height > 1u << 31)
        throw Error("a lattice of " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                    " sites is too large; at most 2^31 sites can be linked");
    lattice_ = lattice;
    corner_count_.resize(context, 1, false);
    corner_count_.fill_bytes(0);
    corners_.resize(context, lattice.site_count(), false);
    if (watched_) {
        states_.resize(context, lattice.site_count(), false);
        states_.fill_bytes(0);
    } else {
        states_.release();
    }
    room_ = block_room_ = 0;
    least_blocks_ = 64;
    count_ = 0;
    make_room(context, 0);
    adjacency_.count = adjacency_.entry_count = 0;
}

/// A planar graph has fewer than 6n entries; a row of more than 16 has a block for at most every 16 of them, less than
/// 3n / 8 in all. The blocks made are n / 2 at least.
void LatticeGraph::make_room(Context& context, uint32_t labels) {
    const uint32_t blocks = std::max(least_blocks_, power_of_two_from((uint64_t(labels) + 1) / 2));
    if (!full_ && labels <= room_ && blocks <= block_room_) return;
    room_ = std::max(room_, labels);
    block_room_ = std::max(block_room_, blocks);
    slots_.resize(context, size_t(room_) * kRowPlaces, false);
    slots_.fill_bytes(0xFF);
    blocks_.resize(context, size_t(block_room_) * kRowPlaces, false);
    blocks_.fill_bytes(0xFF);
    counts_.resize(context, Layout(room_, block_room_).end, false);
    adjacency_.starts.resize(context, size_t(room_) + 1, false);
    adjacency_.starts.fill_bytes(0);
    adjacency_.neighbours.resize(context, (size_t(room_) + block_room_) * kRowPlaces, false);
    full_ = false;
}

LinkRows LatticeGraph::rows() const {
    const Layout at(room_, block_room_);
    return {slots_.view(),
            blocks_.view(),
            {counts_.view().data + at.keys, block_room_},
            halves(counts_, at.degrees, room_),
            counts_.view(1)};
}

void LatticeGraph::find_corners(Context& context, View<const uint32_t> colours, const StencilRules& rules) {
    const View<uint32_t> count = corner_count_.view();
    if ((context.on_cuda() || fine_) && !states_.view()) {
        context.fill(count.data, 0, sizeof(uint32_t));
        if (lattice_.site_count() == 0) return;
        const ListCornersOfPatch kernel(lattice_, colours, rules, corners_.view());
        // What append() launches on CUDA; elsewhere it has no room for so many bits of each patch.
        launch(context, "corners.list", kernel.thread_count(), detail::Append<ListCornersOfPatch>{kernel, count});
        return;
    }
    if (context.on_cuda()) {
        append(context, "corners.list", lattice_.site_count(),
               ListCorners{lattice_, colours, rules, states_.view(), corners_.view()}, count);
        return;
    }
    context.fill(count.data, 0, sizeof(uint32_t));
    if (lattice_.site_count() == 0) return;
    launch(context, "corners.list", lattice_.height * ListCornersOfStrip::strips_per_row(lattice_),
           ListCornersOfStrip{lattice_, colours, rules, states_.view(), corners_.view(), count});
}

void LatticeGraph::link(Context& context, View<const uint32_t> colours, const BinsView& bins, Extent count,
                        const StencilRules& rules) {
    if (count.bound > kMaxLink) throw Error(std::to_string(count.bound) + " centres are too many to be linked");
    count_ = count;
    do {
        make_room(context, count.bound);
        full_ = true;
        counts_.fill_bytes(0);
        if (context.on_cuda() || fine_) {
            const uint32_t threads =
                static_cast<uint32_t>(std::min<uint64_t>(uint64_t(lattice_.site_count()) * 4, kLinkThreads));
            for (const bool diagonals : {false, true})
                launch(context, "link.corners", threads,
                       LinkQuarter{lattice_, colours, bins, rules, corners(), corner_count_.view(), rows(), count.bound,
                                   threads, diagonals});
        } else {
            launch(context, "link.corners", corner_count(),
                   LinkCorner{lattice_, colours, bins, rules, corners(), rows(), count.bound});
        }
        // Here the host may look without waiting; on CUDA read_counts() does.
        if (context.on_cuda() || read_lost(context) == 0) break;
        least_blocks_ = block_room_ * 4;
    } while (true);
}

void LatticeGraph::arrange(Context& context) {
    const DegreeSums sums = sums_of(counts_, room_, block_room_);
    launch(context, "arrange.sum", (count_.bound + 31) / 32, SumDegrees{rows().degrees, sums, count_});
    launch(context, "arrange.rows", count_,
           ArrangeRow{rows(), sums, adjacency_.starts.view(), adjacency_.neighbours.view()});
    full_ = false;
    adjacency_.count = count_.bound;
    adjacency_.entry_count = static_cast<uint32_t>(adjacency_.neighbours.size());
}

uint64_t LatticeGraph::read_lost(Context& context) const {
    uint64_t lost = 0;
    context.copy(&lost, counts_.view().data, sizeof lost);
    return lost;
}

void LatticeGraph::read_counts(Context& context) {
    uint32_t count = count_.bound;
    if (count_.counted) context.copy(&count, count_.counted, sizeof count);
    adjacency_.count = count;
    adjacency_.entry_count = count ? adjacency_.starts.read(count) : 0;
    if (const uint64_t lost = count ? read_lost(context) : 0) {
        least_blocks_ = block_room_ * 4;
        throw Error("the graph of this colouring has so many links that " + std::to_string(lost) +
                    " found no room; such colours are no Voronoi diagram. Linking again makes more room");
    }
}

}  // namespace flipscope
