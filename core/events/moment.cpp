#include "events/moment.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compute/launch.h"

namespace flipscope {

namespace {

struct TakeCentres {
    View<const Point> from;
    View<const uint32_t> from_starts;
    Extent count;
    View<Point> to;
    View<uint32_t> starts, sizes;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        to[i] = from[i];
        starts[i] = from_starts[i];
        const uint32_t n = count.resolve();
        if (i + 1 != n) return;
        starts[n] = from_starts[n];
        sizes[0] = n;
        sizes[1] = from_starts[n];
    }
};

struct TakeNeighbours {
    View<const uint32_t> from;
    View<uint32_t> to;
    FLIPSCOPE_HD void operator()(uint32_t i) const { to[i] = from[i]; }
};

}  // namespace

void Moment::reset(Context& context, const Lattice& lattice) {
    lattice_ = lattice;
    make_room(context, 0, 0);
    sizes_.resize(context, 2);
    sizes_.fill_bytes(0);
    starts_.fill_bytes(0);
    given_.resize(context, 0);
    given_labels_.resize(context, 0);
    make_bins(context);
}

void Moment::make_room(Context& context, uint32_t centres, size_t entries) {
    room_ = centres;
    entry_room_ = static_cast<uint32_t>(entries);
    centres_.resize(context, centres, false);
    starts_.resize(context, size_t(centres) + 1, false);
    neighbours_.resize(context, entries, false);
    names_.resize(context, centres, false);
}

void Moment::make_bins(Context& context) {
    const auto bins = std::make_shared<CentreBins>();
    bins->build(context, lattice_, centres(), count());
    bins_ = bins;
}

void Moment::take(Context& context, View<const Point> centres, Extent count, const AdjacencyView& graph,
                  std::shared_ptr<const CentreBins> bins) {
    make_room(context, count.bound, graph.neighbours.count);
    sizes_.fill_bytes(0);
    launch(context, "match.take", count,
           TakeCentres{centres, graph.starts, count, centres_.view(), starts_.view(), sizes_.view()});
    launch(context, "match.take_rows", entries(), TakeNeighbours{graph.neighbours, neighbours_.view()});
    bins_ = std::move(bins);
}

void Moment::take(Context& context, const std::vector<Point>& centres, const std::vector<uint32_t>& starts,
                  const std::vector<uint32_t>& neighbours) {
    make_room(context, static_cast<uint32_t>(centres.size()), neighbours.size());
    centres_.upload(context, centres.data(), centres.size());
    starts_.upload(context, starts.data(), starts.size());
    neighbours_.upload(context, neighbours.data(), neighbours.size());
    const uint32_t sizes[2] = {room_, entry_room_};
    sizes_.upload(context, sizes, 2);
    make_bins(context);
}

void Moment::take_given(Context& context, const std::vector<int64_t>& names) {
    std::vector<uint32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return names[a] < names[b]; });
    std::vector<int64_t> sorted(names.size());
    for (size_t i = 0; i < order.size(); ++i) sorted[i] = names[order[i]];
    given_.upload(context, sorted.data(), sorted.size());
    given_labels_.upload(context, order.data(), order.size());
}

}  // namespace flipscope
