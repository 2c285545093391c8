#include "voronoi/colouring/bins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/launch_on_cuda.h"
#include "compute/primitives.h"
#include "voronoi/colouring/bins_kernels.h"
#include "voronoi/colouring/bins_on_threads.h"

namespace flipscope {

namespace {

constexpr uint32_t kFewCentres = 64;     // for which no order is worth its making
constexpr double kOccupiedShare = 0.85;  // of the bins that evenly random centres occupy; below: there are voids

struct Bounds {
    double low_x, low_y, high_x, high_y;
};

/// Of the centres whose coordinates are of any use.
struct BoundsOfCentres {
    View<const Point> centres;

    FLIPSCOPE_HD Bounds operator()(uint32_t i) const {
        const Point p = centres[i];
        if (!(magnitude(p.x) < kFarAway && magnitude(p.y) < kFarAway))
            return {kFarAway, kFarAway, -kFarAway, -kFarAway};
        return {p.x, p.y, p.x, p.y};
    }
    FLIPSCOPE_HD static Bounds combine(const Bounds& a, const Bounds& b) {
        return {lesser(a.low_x, b.low_x), lesser(a.low_y, b.low_y), greater(a.high_x, b.high_x),
                greater(a.high_y, b.high_y)};
    }
};

/// 31 bits of each coordinate, alternating.
struct MakeMortonKeys {
    View<const Point> centres;
    Bounds bounds;
    View<uint64_t> keys;
    View<uint32_t> labels;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        keys[i] = spread(share(centres[i].x, bounds.low_x, bounds.high_x)) |
                  spread(share(centres[i].y, bounds.low_y, bounds.high_y)) << 1;
        labels[i] = i;
    }
    FLIPSCOPE_HD static uint32_t share(double at, double low, double high) {
        return BinGrid::place((at - low) / (high - low) * 2147483648.0, 2147483648u);
    }
    FLIPSCOPE_HD static uint64_t spread(uint64_t bits) {
        bits = (bits | bits << 16) & 0x0000FFFF0000FFFFull;
        bits = (bits | bits << 8) & 0x00FF00FF00FF00FFull;
        bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0Full;
        bits = (bits | bits << 2) & 0x3333333333333333ull;
        return (bits | bits << 1) & 0x5555555555555555ull;
    }
};

FLIPSCOPE_HD inline CentreNode empty_box() {
    constexpr double far = std::numeric_limits<double>::infinity();
    return {{far, far}, {-far, -far}, kNone};
}
FLIPSCOPE_HD inline void enclose(CentreNode& box, Point low, Point high, uint32_t lowest_label) {
    box.low = {lesser(box.low.x, low.x), lesser(box.low.y, low.y)};
    box.high = {greater(box.high.x, high.x), greater(box.high.y, high.y)};
    if (lowest_label < box.lowest_label) box.lowest_label = lowest_label;
}

/// In Morton order, and the boxes of level 0.
struct BoxCentres {
    View<const Point> centres;
    View<const uint32_t> labels;
    View<Point> points;
    View<CentreNode> nodes;
    uint32_t count;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        CentreNode box = empty_box();
        for (uint32_t slot = i * CentreTree::kFan; slot < (i + 1) * CentreTree::kFan && slot < count; ++slot) {
            const Point p = centres[labels[slot]];
            points[slot] = p;
            enclose(box, p, p, labels[slot]);
        }
        nodes[i] = box;
    }
};

struct BoxBoxes {
    View<CentreNode> nodes;
    uint32_t below, first;  // the level below is nodes[below…first)

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        CentreNode box = empty_box();
        const uint32_t from = below + i * CentreTree::kFan;
        for (uint32_t k = from; k < from + CentreTree::kFan && k < first; ++k)
            enclose(box, nodes[k].low, nodes[k].high, nodes[k].lowest_label);
        nodes[first + i] = box;
    }
};

}  // namespace

void CentreBins::build(Context& context, const Lattice& lattice, View<const Point> centres, Extent count) {
    lattice_ = lattice;
    bound_ = count.bound;
    tree_ = {};
    const uint32_t most_bins = bin_bound(bound_);
    grid_.resize(context, 1);
    count_.resize(context, 1);
    tallies_.resize(context, kTallyWidth);
    labels_.resize(context, bound_, false);
    for (Buffer<Point>* buffer : {&centres_, &points_}) buffer->resize(context, bound_, false);
    starts_.resize(context, size_t(most_bins) + 1, false);

    const bool here = !context.on_cuda();
    const bool asks = bound_ >= kFewCentres && (here || !count.counted);  // the host, how even they lie
    const ShapeGrid shape{lattice, count, grid_.view(), count_.view()};
    bool placed = place_by_block(context, shape, centres, asks);
    if (!placed) launch(context, "bins.shape", 1, shape);
    const BinGrid* const grid = grid_.view().data;
    const uint32_t bins = here ? grid->columns * grid->rows : most_bins;  // only the CPU can look how many there are
    if (here) {
        place_by_threads(context, *grid, centres);
        placed = true;
    } else if (!placed) {
        count_into_bins(context, centres, count, bins);
    }
    if (asks) {
        uint64_t tallies[2];  // bins occupied, centres in a crowd
        tallies_.download(tallies, 2);
        const double n = here ? grid->count : bound_;
        const double expected = bins * (1 - std::exp(-n / bins));
        if (n >= kFewCentres && (double(tallies[1]) > kFewCentres + n / 1024 ||
                                 double(tallies[0]) < kOccupiedShare * expected - std::sqrt(expected)))
            return build_tree(context, static_cast<uint32_t>(n));
    }
    if (placed) return;
    scan(context, bins + 1);
    const View<const uint32_t> bin_of = bins_.view(), ranks = ranks_.view(), starts = starts_.view();
    const View<const Point> by_label = centres_.view();
    launch(context, "bins.place", count, PlaceInBins{by_label, bin_of, ranks, starts, points_.view(), labels_.view()});
}

void CentreBins::place_by_threads(Context& context, const BinGrid& grid, View<const Point> centres) {
    const uint32_t n = grid.count, bins = grid.columns * grid.rows;
    const BinBands bands(n, bins);
    const size_t parts = size_t(bands.count) * bands.chunks;
    bins_.resize(context, bound_, false);
    sorted_.resize(context, bound_, false);
    band_starts_.resize(context, parts, false);
    tallies_.fill_bytes(0);
    const View<uint32_t> starts = band_starts_.view();
    const auto run = [&](const char* label, uint32_t tasks, const auto& kernel, void (*body)(const void*, uint32_t)) {
        Context::Stopwatch stopwatch(context, label, n);
        context.run_chunks(tasks, body, &kernel);
    };
    run("bins.count", bands.chunks,
        CountIntoBands{lattice_, grid, bands, centres, centres_.view(), bins_.view(), starts}, &CountIntoBands::run);
    std::exclusive_scan(starts.begin(), starts.begin() + parts, starts.begin(), 0u);
    run("bins.bands", bands.chunks, SortIntoBands{n, bands, centres_.view(), bins_.view(), starts, sorted_.view()},
        &SortIntoBands::run);
    run("bins.place", bands.count,
        PlaceInBand{n, bins, bands, starts, sorted_.view(), starts_.view(), points_.view(), labels_.view(),
                    tallies_.view()},
        &PlaceInBand::run);
}

/// By a single block on CUDA, if they are few.
bool CentreBins::place_by_block([[maybe_unused]] Context& context, [[maybe_unused]] const ShapeGrid& shape,
                                [[maybe_unused]] View<const Point> centres, [[maybe_unused]] bool tallied) {
#if defined(__CUDACC__)
    if (!context.on_cuda() || bound_ > kMostInBlock) return false;
    const View<uint64_t> tallies = tallied ? tallies_.view() : View<uint64_t>{};
    launch_on_cuda(
        context, "bins.place", bound_, 1, kBinThreads, bin_in_block,
        BinInBlock{shape, centres, centres_.view(), points_.view(), starts_.view(), labels_.view(), tallies});
    return true;
#else
    return false;
#endif
}

void CentreBins::count_into_bins(Context& context, View<const Point> centres, Extent count, uint32_t bins) {
    for (Buffer<uint32_t>* buffer : {&bins_, &ranks_}) buffer->resize(context, bound_, false);
    context.fill(starts_.view().data, 0, (size_t(bins) + 1) * sizeof(uint32_t));
    tallies_.fill_bytes(0);
    launch(context, "bins.count", count,
           CountIntoBins{lattice_, grid_.view(), centres, centres_.view(), bins_.view(), ranks_.view(), starts_.view()},
           tallies_.view());
}

/// Sizes to starts, in place, on CUDA.
void CentreBins::scan([[maybe_unused]] Context& context, [[maybe_unused]] uint32_t n) {
#if defined(__CUDACC__)
    Context::Stopwatch stopwatch(context, "bins.scan", n);
    uint32_t* const places = starts_.view().data;
    const auto stream = static_cast<cudaStream_t>(context.stream());
    size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, places, places, static_cast<int>(n), stream);
    cub::DeviceScan::ExclusiveSum(context.scratch(bytes), bytes, places, places, static_cast<int>(n), stream);
    stopwatch.check_launch();
#endif
}

void CentreBins::build_tree(Context& context, uint32_t count) {
    const View<const Point> centres = centres_.view();
    const Bounds bounds = reduce(context, "bins.bounds", count, BoundsOfCentres{centres},
                                 Bounds{kFarAway, kFarAway, -kFarAway, -kFarAway});
    keys_.resize(context, count, false);
    labels_.resize(context, count, false);
    launch(context, "bins.order", count, MakeMortonKeys{centres, bounds, keys_.view(), labels_.view()});
    sort_by_key(context, "bins.order", keys_, labels_, 62);

    uint32_t size = count;
    do {
        size = (size + CentreTree::kFan - 1) / CentreTree::kFan;
        tree_.firsts[tree_.levels + 1] = tree_.firsts[tree_.levels] + size;
        ++tree_.levels;
    } while (size > 1);
    nodes_.resize(context, tree_.firsts[tree_.levels], false);
    const View<const uint32_t> labels = labels_.view();
    launch(context, "bins.boxes", tree_.size(0), BoxCentres{centres, labels, points_.view(), nodes_.view(), count});
    for (uint32_t level = 1; level < tree_.levels; ++level)
        launch(context, "bins.boxes", tree_.size(level),
               BoxBoxes{nodes_.view(), tree_.firsts[level - 1], tree_.firsts[level]});
}

BinsView CentreBins::view() const {
    BinsView view{lattice_, grid_.view().data, centres_.view(), starts_.view(), points_.view(), labels_.view(), tree_};
    view.tree.nodes = nodes_.view();
    return view;
}

Extent CentreBins::count() const { return {count_.view(), bound_}; }

}  // namespace flipscope
