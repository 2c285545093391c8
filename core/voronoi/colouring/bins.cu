#include "voronoi/colouring/bins.h"

#include <cmath>
#include <numeric>

#include "compute/exclusive_sum.h"
#include "compute/launch_on_cuda.h"
#include "compute/primitives.h"
#include "geometry/bounds.h"
#include "voronoi/colouring/bins_kernels.h"
#include "voronoi/colouring/bins_on_threads.h"

namespace flipscope {

namespace {

constexpr uint32_t kFewSites = 64;       // too few for ordering to pay off
constexpr double kOccupiedShare = 0.85;  // of the bins occupied by uniformly random sites; with fewer there are voids

/// Bounds of sites with finite coordinates.
struct BoundsOfSites {
    View<const Point> sites;

    FLIPSCOPE_HD Bounds operator()(uint32_t i) const {
        const Point p = sites[i];
        if (!(magnitude(p.x) < kFarAway && magnitude(p.y) < kFarAway))
            return {{kFarAway, kFarAway}, {-kFarAway, -kFarAway}};
        return {p, p};
    }
    FLIPSCOPE_HD static Bounds combine(const Bounds& a, const Bounds& b) { return a.with(b); }
};

/// 31 bits of each coordinate, interleaved.
struct MakeMortonKeys {
    View<const Point> sites;
    Bounds bounds;
    View<uint64_t> keys;
    View<uint32_t> labels;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        keys[i] = spread(share(sites[i].x, bounds.low.x, bounds.high.x)) |
                  spread(share(sites[i].y, bounds.low.y, bounds.high.y)) << 1;
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

FLIPSCOPE_HD inline SiteNode empty_box() {
    constexpr double far = std::numeric_limits<double>::infinity();
    return {{far, far}, {-far, -far}, kNone};
}
FLIPSCOPE_HD inline void enclose(SiteNode& box, Point low, Point high, uint32_t lowest_label) {
    box.low = {lesser(box.low.x, low.x), lesser(box.low.y, low.y)};
    box.high = {greater(box.high.x, high.x), greater(box.high.y, high.y)};
    if (lowest_label < box.lowest_label) box.lowest_label = lowest_label;
}

/// Sorts sites into Morton order, and makes the boxes of level 0.
struct BoxSites {
    View<const Point> sites;
    View<const uint32_t> labels;
    View<Point> points;
    View<SiteNode> nodes;
    uint32_t count;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        SiteNode box = empty_box();
        for (uint32_t slot = i * SiteTree::kFan; slot < (i + 1) * SiteTree::kFan && slot < count; ++slot) {
            const Point p = sites[labels[slot]];
            points[slot] = p;
            enclose(box, p, p, labels[slot]);
        }
        nodes[i] = box;
    }
};

struct BoxBoxes {
    View<SiteNode> nodes;
    uint32_t below, first;  // the level below is nodes[below…first)

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        SiteNode box = empty_box();
        const uint32_t from = below + i * SiteTree::kFan;
        for (uint32_t k = from; k < from + SiteTree::kFan && k < first; ++k)
            enclose(box, nodes[k].low, nodes[k].high, nodes[k].lowest_label);
        nodes[first + i] = box;
    }
};

}  // namespace

void SiteBins::build(Context& context, const Lattice& lattice, View<const Point> sites, Extent count) {
    lattice_ = lattice;
    bound_ = count.bound;
    tree_ = {};
    const uint32_t most_bins = bin_bound(bound_);
    grid_.resize(context, 1);
    count_.resize(context, 1);
    block_sums_.resize(context, kSumCount);
    labels_.resize(context, bound_, false);
    for (Buffer<Point>* buffer : {&sites_, &points_}) buffer->resize(context, bound_, false);
    starts_.resize(context, size_t(most_bins) + 1, false);

    const bool here = !context.on_cuda();
    const bool asks = bound_ >= kFewSites && (here || !count.counted);  // whether the host reads how even the sites are
    const ShapeGrid shape{lattice, count, grid_.view(), count_.view()};
    bool placed = place_by_block(context, shape, sites, asks);
    if (!placed) launch(context, "bins.shape", 1, shape);
    const BinGrid* const grid = grid_.view().data;
    const uint32_t bins = here ? grid->columns * grid->rows : most_bins;  // only the CPU can read the number
    if (here) {
        place_by_threads(context, *grid, sites);
        placed = true;
    } else if (!placed) {
        count_into_bins(context, sites, count, bins);
    }
    if (asks) {
        uint64_t block_sums[2];  // bins occupied, sites in a crowd
        block_sums_.download(block_sums, 2);
        const double n = here ? grid->count : bound_;
        const double expected = bins * (1 - std::exp(-n / bins));
        if (n >= kFewSites && (double(block_sums[1]) > kFewSites + n / 1024 ||
                               double(block_sums[0]) < kOccupiedShare * expected - std::sqrt(expected)))
            return build_tree(context, static_cast<uint32_t>(n));
    }
    if (placed) return;
    scan(context, bins + 1);
    const View<const uint32_t> bin_of = bins_.view(), ranks = ranks_.view(), starts = starts_.view();
    const View<const Point> by_label = sites_.view();
    launch(context, "bins.place", count, PlaceInBins{by_label, bin_of, ranks, starts, points_.view(), labels_.view()});
}

void SiteBins::place_by_threads(Context& context, const BinGrid& grid, View<const Point> sites) {
    const uint32_t n = grid.count, bins = grid.columns * grid.rows;
    const BinBands bands(n, bins);
    const size_t parts = size_t(bands.count) * bands.chunks;
    bins_.resize(context, bound_, false);
    sorted_.resize(context, bound_, false);
    band_starts_.resize(context, parts, false);
    block_sums_.fill_bytes(0);
    const View<uint32_t> starts = band_starts_.view();
    const auto run = [&](const char* label, uint32_t tasks, const auto& kernel) {
        Context::Stopwatch stopwatch(context, label, n);
        context.run_chunks(tasks, kernel);
    };
    run("bins.count", bands.chunks, CountIntoBands{lattice_, grid, bands, sites, sites_.view(), bins_.view(), starts});
    std::exclusive_scan(starts.begin(), starts.begin() + parts, starts.begin(), 0u);
    run("bins.bands", bands.chunks, SortIntoBands{n, bands, sites_.view(), bins_.view(), starts, sorted_.view()});
    run("bins.place", bands.count,
        PlaceInBand{n, bins, bands, starts, sorted_.view(), starts_.view(), points_.view(), labels_.view(),
                    block_sums_.view()});
}

/// In a single block on CUDA, for few sites.
bool SiteBins::place_by_block([[maybe_unused]] Context& context, [[maybe_unused]] const ShapeGrid& shape,
                              [[maybe_unused]] View<const Point> sites, [[maybe_unused]] bool tallied) {
#if defined(__CUDACC__)
    if (!context.on_cuda() || bound_ > kMostInBlock) return false;
    const View<uint64_t> block_sums = tallied ? block_sums_.view() : View<uint64_t>{};
    launch_on_cuda(context, "bins.place", bound_, 1, kBinThreads, bin_in_block,
                   BinInBlock{shape, sites, sites_.view(), points_.view(), starts_.view(), labels_.view(), block_sums});
    return true;
#else
    return false;
#endif
}

void SiteBins::count_into_bins(Context& context, View<const Point> sites, Extent count, uint32_t bins) {
    for (Buffer<uint32_t>* buffer : {&bins_, &ranks_}) buffer->resize(context, bound_, false);
    context.fill(starts_.view().data, 0, (size_t(bins) + 1) * sizeof(uint32_t));
    block_sums_.fill_bytes(0);
    launch(context, "bins.count", count,
           CountIntoBins{lattice_, grid_.view(), sites, sites_.view(), bins_.view(), ranks_.view(), starts_.view()},
           block_sums_.view());
}

/// Sizes to starts, in place, on CUDA.
void SiteBins::scan([[maybe_unused]] Context& context, [[maybe_unused]] uint32_t n) {
#if defined(__CUDACC__)
    void* const work = context.scratch(detail::exclusive_sum_bytes(n));
    Context::Stopwatch stopwatch(context, "bins.scan", n);
    detail::exclusive_sum(context, starts_.view().data, n, work);
    stopwatch.check_launch();
#endif
}

void SiteBins::build_tree(Context& context, uint32_t count) {
    const View<const Point> sites = sites_.view();
    const Bounds bounds = reduce(context, "bins.bounds", count, BoundsOfSites{sites},
                                 Bounds{{kFarAway, kFarAway}, {-kFarAway, -kFarAway}});
    keys_.resize(context, count, false);
    labels_.resize(context, count, false);
    launch(context, "bins.order", count, MakeMortonKeys{sites, bounds, keys_.view(), labels_.view()});
    sort_by_key(context, "bins.order", keys_, labels_, 62);

    uint32_t size = count;
    do {
        size = (size + SiteTree::kFan - 1) / SiteTree::kFan;
        tree_.firsts[tree_.levels + 1] = tree_.firsts[tree_.levels] + size;
        ++tree_.levels;
    } while (size > 1);
    nodes_.resize(context, tree_.firsts[tree_.levels], false);
    const View<const uint32_t> labels = labels_.view();
    launch(context, "bins.boxes", tree_.size(0), BoxSites{sites, labels, points_.view(), nodes_.view(), count});
    for (uint32_t level = 1; level < tree_.levels; ++level)
        launch(context, "bins.boxes", tree_.size(level),
               BoxBoxes{nodes_.view(), tree_.firsts[level - 1], tree_.firsts[level]});
}

BinsView SiteBins::view() const {
    BinsView view{lattice_, grid_.view().data, sites_.view(), starts_.view(), points_.view(), labels_.view(), tree_};
    view.tree.nodes = nodes_.view();
    return view;
}

Extent SiteBins::count() const { return {count_.view(), bound_}; }

}  // namespace flipscope
