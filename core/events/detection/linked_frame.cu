#include "events/detection/linked_frame.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compute/primitives.h"

namespace flipscope {

namespace {

/// Copies rows without links that are too long, for every entry of the given rows, and for their end.
struct KeepNear {
    View<const Point> sites;
    AdjacencyView graph;
    Extent count;
    Lattice lattice;
    LongestLink longest;
    View<uint32_t> starts, neighbours;
    FLIPSCOPE_HD uint32_t code(uint32_t entry) const {
        const uint32_t n = count.resolve();
        if (n == 0 || entry >= graph.starts[n]) return 0;
        const uint32_t a = graph.last_row(n, entry), b = graph.neighbours[entry];
        return longest.allows(lattice.difference(sites[a < b ? a : b], sites[a < b ? b : a]));
    }
    FLIPSCOPE_HD void emit(uint32_t entry, uint32_t rank, uint32_t code) const {
        if (code) neighbours[rank] = graph.neighbours[entry];
        const uint32_t n = count.resolve();
        if (n == 0 || entry > graph.starts[n]) return;
        for (uint32_t row = graph.last_row(n, entry); row <= n && graph.starts[row] == entry; --row) starts[row] = rank;
    }
};

/// Copies sites, starts of rows and entries side by side, with as many threads as the largest needs.
struct TakeGraph {
    View<const Point> from;
    AdjacencyView graph;
    Extent count;
    View<Point> to;
    View<uint32_t> starts, neighbours, sizes;
    bool has_rows;  // starts, neighbours and sizes[1] are there already
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t n = count.resolve(), entries = n > 0 && !has_rows ? graph.starts[n] : 0;
        if (i < n) to[i] = from[i];
        if (i <= n && (n == 0 || !has_rows)) starts[i] = n > 0 ? graph.starts[i] : 0;
        if (i < entries) neighbours[i] = graph.neighbours[i];
        if (i > 0) return;
        sizes[0] = n;
        if (!has_rows) sizes[1] = entries;
    }
};

}  // namespace

void LinkedFrame::reset(Context& context, const Lattice& lattice) {
    lattice_ = lattice;
    make_room(context, 0, 0);
    sizes_.fill(context, 2, 0);
    starts_.fill_bytes(0);
    given_.resize(context, 0);
    given_labels_.resize(context, 0);
    make_bins(context);
}

void LinkedFrame::make_room(Context& context, uint32_t sites, size_t entries) {
    room_ = sites;
    entry_room_ = static_cast<uint32_t>(entries);
    sites_.resize(context, sites, false);
    starts_.resize(context, size_t(sites) + 1, false);
    neighbours_.resize(context, entries, false);
    names_.resize(context, sites, false);
}

void LinkedFrame::make_bins(Context& context) {
    const auto bins = std::make_shared<SiteBins>();
    bins->build(context, lattice_, sites(), count());
    bins_ = bins;
}

void LinkedFrame::take(Context& context, View<const Point> sites, Extent count, const AdjacencyView& graph,
                       std::shared_ptr<const SiteBins> bins, const LongestLink& longest) {
    make_room(context, count.bound, graph.neighbours.count);
    if (!longest.is_any())
        compact(context, "match.near", entry_room_ + 1,
                KeepNear{sites, graph, count, lattice_, longest, starts_.view(), neighbours_.view()},
                View<uint32_t>{sizes_.view().data + 1, 1});
    launch(context, "match.take", std::max(room_ + 1, entry_room_),
           TakeGraph{sites, graph, count, sites_.view(), starts_.view(), neighbours_.view(), sizes_.view(),
                     !longest.is_any()});
    bins_ = std::move(bins);
}

void LinkedFrame::take(Context& context, const std::vector<Point>& sites, const std::vector<uint32_t>& starts,
                       const std::vector<uint32_t>& neighbours) {
    make_room(context, static_cast<uint32_t>(sites.size()), neighbours.size());
    sites_.upload(context, sites.data(), sites.size());
    starts_.upload(context, starts.data(), starts.size());
    neighbours_.upload(context, neighbours.data(), neighbours.size());
    const uint32_t sizes[2] = {room_, entry_room_};
    sizes_.upload(context, sizes, 2);
    make_bins(context);
}

void LinkedFrame::use_names(Context& context, const std::vector<int64_t>& names) {
    std::vector<uint32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0u);
    if (!std::is_sorted(names.begin(), names.end()))
        sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return names[a] < names[b]; });
    std::vector<int64_t> sorted(names.size());
    for (size_t i = 0; i < order.size(); ++i) sorted[i] = names[order[i]];
    given_.upload(context, sorted.data(), sorted.size());
    given_labels_.upload(context, order.data(), order.size());
}

}  // namespace flipscope
