#include "voronoi/graph/lattice_graph.h"

#include <algorithm>
#include <string>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/launch_on_cuda.h"
#include "voronoi/graph/lattice_graph_cells.h"
#include "voronoi/graph/lattice_graph_corners.h"
#include "voronoi/graph/lattice_graph_links.h"

namespace flipscope {

namespace {

uint32_t power_of_two_from(uint64_t least) {
    uint32_t power = 1;
    while (power < least) power *= 2;
    return power;
}

/// The layout of one half of counts_, in 64-bit words.
struct Layout {
    size_t keys, degrees, end;
    Layout(uint32_t labels, uint32_t blocks) : keys(1), degrees(keys + blocks), end(degrees + (labels + 1) / 2) {}
};

/// On CPU threads: kernel(i) for every i below `count`, with `each` of them per task.
template <class Kernel>
void launch_tasks(Context& context, const char* label, uint32_t count, uint32_t each, const Kernel& kernel) {
    Context::Stopwatch stopwatch(context, label, count);
    context.run_chunks((count + each - 1) / each, [&kernel, count, each](uint32_t part) {
        const uint32_t first = part * each, end = std::min(count, first + each);
        for (uint32_t i = first; i < end; ++i) kernel(i);
    });
}

#if defined(__CUDACC__)

constexpr uint32_t kLinkThreads = 132 * kLinkBlocks * kLinkLanes;  // enough to fill a GPU

uint32_t blocks_of(uint64_t elements, uint32_t each) { return static_cast<uint32_t>((elements + each - 1) / each); }

#endif

}  // namespace

void LatticeGraph::reset(Context& context, const Lattice& lattice) {
    if (uint64_t(lattice.width) * lattice.height > 1u << 31)
        throw Error("a lattice of " + std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                    " pixels is too large; at most 2^31 pixels can be linked");
    lattice_ = lattice;
    corner_counts_.fill(context, 2, 0);
    corners_.resize(context, lattice.pixel_count(), false);
    if (records_states_) {
        states_.fill(context, lattice.pixel_count(), 0);
    } else {
        states_.release();
    }
    room_ = block_room_ = 0;
    least_blocks_ = 64;
    count_ = 0;
    make_room(context, 0);
    adjacency_.count = adjacency_.entry_count = 0;
}

/// A planar graph has fewer than 6n entries; a row of more than 16 has a block per at most 16 of them, less than 3n / 8
/// in all. At least n / 2 blocks are allocated.
void LatticeGraph::make_room(Context& context, uint32_t labels) {
    const uint32_t blocks = std::max(least_blocks_, power_of_two_from((uint64_t(labels) + 1) / 2));
    if (!full_ && labels <= room_ && blocks <= block_room_) return;
    room_ = std::max(room_, labels);
    block_room_ = std::max(block_room_, blocks);
    slots_.fill(context, size_t(room_) * kRowPlaces, 0xFF);
    blocks_.fill(context, size_t(block_room_) * kRowPlaces, 0xFF);
    counts_.resize(context, 2 * Layout(room_, block_room_).end, false);
    next_counts_ready_ = false;
#if defined(__CUDACC__)
    if (context.on_cuda() && room_ > kMostUnsummed) degree_sums_.resize(context, blocks_of(room_, kSumLabels), false);
#endif
    far_.fill(context, 2 * size_t(room_), 0);
    adjacency_.starts.fill(context, size_t(room_) + 1, 0);
    adjacency_.neighbours.resize(context, (size_t(room_) + block_room_) * kRowPlaces, false);
    full_ = false;
}

View<uint64_t> LatticeGraph::counts(uint32_t half) const {
    const size_t size = Layout(room_, block_room_).end;
    return {counts_.view().data + half * size, size};
}

LinkRows LatticeGraph::rows() const {
    const Layout at(room_, block_room_);
    uint64_t* const counts_now = counts(count_half_).data;
    return {slots_.view(),
            blocks_.view(),
            {counts_now + at.keys, block_room_},
            {reinterpret_cast<uint32_t*>(counts_now + at.degrees), room_},
            {counts_now, 1}};
}

void LatticeGraph::find_corners(Context& context, View<const uint32_t> colours, const StencilRules& rules) {
    corner_half_ = 1 - corner_half_;
    const View<uint32_t> count{corner_counts_.view().data + corner_half_, 1};
    if (!next_corners_ready_) context.fill(count.data, 0, sizeof(uint32_t));
    next_corners_ready_ = false;
    if (lattice_.pixel_count() == 0) return;
    const CornerTiles<uint32_t, 16> small(lattice_, colours, rules, states_.view(), corners_.view(), count);
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        launch_on_cuda(context, "corners.list", lattice_.pixel_count(), blocks_of(small.count, kTileWarps),
                       kTileWarps * 32, find_corners_of_warps, small);
        return;
    }
#endif
    if (fine_) return launch_tasks(context, "corners.list", small.count, 4, small);
    const CornerTiles<uint64_t, 64> large(lattice_, colours, rules, states_.view(), corners_.view(), count);
    launch_tasks(context, "corners.list", large.count, 4, large);
}

void LatticeGraph::link(Context& context, View<const uint32_t> colours, const BinsView& bins, Extent count,
                        const StencilRules& rules) {
    if (count.bound > kMaxLink) throw Error(std::to_string(count.bound) + " sites are too many to be linked");
    count_ = count;
    do {
        make_room(context, count.bound);
        full_ = true;
        count_half_ = 1 - count_half_;
        if (!next_counts_ready_)
            context.fill(counts(count_half_).data, 0, counts(count_half_).count * sizeof(uint64_t));
        next_counts_ready_ = false;
        const bool finds_cells = rules.exact_cells != int(ExactCells::kNone);
        const View<uint32_t> marks = far_.view(finds_cells ? 2 * size_t(room_) : 0);
        const View<uint32_t> far{marks.data, marks.count / 2}, thin{marks.data + far.count, far.count};
        if (marked_) far_.fill_bytes(0);
        marked_ = finds_cells;
        const LinkCorners kernel{lattice_, colours, bins, rules,      corners(), {corner_count().counted, 1},
                                 rows(),   far,     thin, count.bound};
        const LinkExactCells cells{
            bins, colours, rows(), far, thin, count.bound, rules.exact_cells == int(ExactCells::kAll)};
#if defined(__CUDACC__)
        if (context.on_cuda()) {
            const uint64_t threads = std::min<uint64_t>(uint64_t(lattice_.pixel_count()) * kRing, kLinkThreads);
            if (threads == 0) return;
            launch_on_cuda(context, "link.corners", corners_.size(), blocks_of(threads, kLinkLanes), kLinkLanes,
                           link_corners, kernel, corner_counts_.view().data + (1 - corner_half_));
            next_corners_ready_ = true;
            if (finds_cells) launch(context, "link.cells", count, cells);
            marked_ = false;
            return;  // the host does not wait: read_counts() tells whether the room sufficed
        }
#endif
        launch_tasks(context, "link.corners", corner_count().resolve(), 256, kernel);
        if (finds_cells) launch_tasks(context, "link.cells", count.resolve(), 64, cells);
        marked_ = false;
        if (read_lost(context) == 0) break;
        least_blocks_ = block_room_ * 4;
    } while (true);
}

void LatticeGraph::arrange(Context& context) {
    adjacency_.count = count_.bound;
    adjacency_.entry_count = static_cast<uint32_t>(adjacency_.neighbours.size());
    if (count_.bound == 0) {
        full_ = false;
        return;
    }
    const View<uint32_t> starts = adjacency_.starts.view(), neighbours = adjacency_.neighbours.view();
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        uint32_t* const sums = count_.bound > kMostUnsummed ? degree_sums_.view().data : nullptr;
        if (sums)
            launch_on_cuda(context, "arrange.sum", count_.bound, blocks_of(count_.bound, kSumLabels), kSumLabels / 2,
                           sum_degrees, rows(), count_, sums);
        launch_on_cuda(context, "arrange.rows", count_.bound, blocks_of(count_.bound, kBlockRows), kBlockLanes,
                       arrange_rows, rows(), count_, sums, starts, neighbours, counts(1 - count_half_));
        next_counts_ready_ = true;
        full_ = false;
        return;
    }
#endif
    const LinkRows filled = rows();
    const uint32_t n = count_.resolve();
    for (uint32_t label = 0; label < n; ++label) starts[label + 1] = starts[label] + filled.degrees[label];
    launch_tasks(context, "arrange.rows", n, 512, ArrangeRow{filled, starts, neighbours});
    full_ = false;
}

uint64_t LatticeGraph::read_lost(Context& context) const {
    uint64_t lost = 0;
    context.copy(&lost, counts(count_half_).data, sizeof lost);
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
