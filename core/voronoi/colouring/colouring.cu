#include "voronoi/colouring/colouring.h"

#include <algorithm>
#include <bit>
#include <string>

#include "compute/error.h"
#include "compute/launch_on_cuda.h"
#include "compute/primitives.h"
#include "voronoi/colouring/colouring_flood.h"
#include "voronoi/colouring/colouring_lists.h"
#include "voronoi/colouring/colouring_warps.h"
#include "voronoi/colouring/tile_painter.h"

namespace flipscope {

namespace {

template <StaticBorders kBorders>
struct ColourEverySite {
    static constexpr uint32_t kIndicesPerPoll = 16;  // each pixel tests all sites
    BinsView bins;                                   // holds the copy of the sites
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        if (obstacles && obstacles[pixel]) {
            colours[pixel] = kMaxLink;
            return;
        }
        Lattice lattice = bins.lattice;
        fix_borders<kBorders>(lattice);
        const Point place = lattice.place(pixel);
        const auto best = among_all<ClearNearest>(lattice, place, bins.sites, bins.count());
        colours[pixel] = best.tied ? nearest_exactly(lattice, place, bins.sites, bins.count()) : best.label;
    }
    template <class Best>
    FLIPSCOPE_HD static Best among_all(const Lattice& lattice, Point place, View<const Point> sites, uint32_t n) {
        Best best;
        for (uint32_t label = 0; label < n; ++label) best.consider(lattice, place, sites[label], label);
        return best;
    }
    /// Not inlined: rarely called.
    FLIPSCOPE_HD_NOINLINE static uint32_t nearest_exactly(Lattice lattice, Point place, View<const Point> sites,
                                                          uint32_t n) {
        return among_all<ExactNearest>(lattice, place, sites, n).label;
    }
};

struct CompareColours {
    View<const uint32_t> colours, exact;
    View<State> marks;  // or empty
    State bit;

    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const {
        const bool wrong = colours[pixel] != exact[pixel];
        sums.value[0] += wrong;
        if (marks) marks[pixel] = static_cast<State>(wrong ? marks[pixel] | bit : marks[pixel] & ~bit);
    }
};

#if defined(__CUDACC__)
constexpr uint32_t kBoundedThreads = 128;  // per block
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr uint32_t kThreadsAtOnce = 1024;  // per multiprocessor
#else
constexpr uint32_t kThreadsAtOnce = 2048;
#endif

template <uint32_t kBlocks, class Kernel>
__global__ void __launch_bounds__(kBoundedThreads, std::min(kBlocks, kThreadsAtOnce / kBoundedThreads))
    run_bounded(Kernel kernel, uint32_t n) {
    detail::wait_for_previous();
    const uint32_t i = blockIdx.x * kBoundedThreads + threadIdx.x;
    if (i < n) kernel(i);
}
#endif

/// launch() with few enough registers for kBlocks blocks at once on a multiprocessor. The exact tests of near ties
/// rarely run, but their registers would be reserved for every thread.
template <uint32_t kBlocks, class Kernel>
void launch_bounded(Context& context, const char* label, uint32_t n, const Kernel& kernel) {
#if defined(__CUDACC__)
    if (context.on_cuda() && n > 0) {
        const uint32_t blocks = (n + kBoundedThreads - 1) / kBoundedThreads;
        launch_on_cuda(context, label, n, blocks, kBoundedThreads, run_bounded<kBlocks, Kernel>, kernel, n);
        return;
    }
#endif
    launch(context, label, n, kernel);
}

}  // namespace

void Colouring::reset(Context& context, const Lattice& lattice) {
    const uint64_t pixels = uint64_t(lattice.width) * lattice.height;
    if (pixels == 0 || pixels >= 1ull << 31)
        throw Error("a lattice of " + std::to_string(lattice.width) + " x " + std::to_string(lattice.height) +
                    " pixels: expected at least one and fewer than 2^31 in all");
    lattice_ = lattice;
    steps_left_ = 0;
    obstacles_.resize(context, 0, false);
    colours_.fill(context, pixels, 0xFF);
}

View<const uint8_t> Colouring::obstacle_view() const {
    return obstacles_.empty() ? View<const uint8_t>{} : View<const uint8_t>(obstacles_.view());
}

void Colouring::colour(Context& context, ColouringMethod method, View<const Point> sites, Extent count) {
    begin(context, method, sites, count);
    while (step(context)) {
    }
}

void Colouring::begin(Context& context, ColouringMethod method, View<const Point> sites, Extent count) {
    method_ = method;
    if (bins_.use_count() > 1) {
        std::swap(bins_, spare_bins_);
        if (!bins_ || bins_.use_count() > 1) bins_ = std::make_shared<SiteBins>();
    }
    bins_->build(context, lattice_, sites, count);
    steps_left_ = 1;
    if (method != ColouringMethod::kJumpFlooding) return;
    const uint32_t pixels = lattice_.pixel_count();
    steps_left_ += static_cast<uint32_t>(std::bit_width(std::max(lattice_.width, lattice_.height) - 1));
    for (Buffer<uint32_t>& flood : flood_) flood.resize(context, pixels, false);
    const ShowFlood show{obstacle_view(), colours_.view()};
    launch(context, "colour.seeds", pixels, EmptyFlood{flood_[0].view(), show});
    launch(context, "colour.seeds", bins_->count(), SeedFlood{bins_->view(), flood_[0].view(), show});
}

uint32_t Colouring::jump() const {
    if (method_ != ColouringMethod::kJumpFlooding || steps_left_ == 0) return 0;
    return steps_left_ == 1 ? 1 : 1u << (steps_left_ - 2);
}

bool Colouring::step(Context& context) {
    if (steps_left_ == 0) return false;
    const uint32_t pixels = lattice_.pixel_count();
    const BinsView bins = bins_->view();
    if (method_ == ColouringMethod::kExact) {
        colour_exactly(context, colours_.view());
    } else if (method_ == ColouringMethod::kEverySite) {
        with_static_borders(lattice_.periodic, [&]<StaticBorders kBorders>() {
            launch_bounded<16>(context, "colour.every", pixels,
                               ColourEverySite<kBorders>{bins, obstacle_view(), colours_.view()});
        });
    } else {
        const View<const uint32_t> before = flood_[0].view();
        with_static_borders(lattice_.periodic, [&]<StaticBorders kBorders>() {
            launch(context, "colour.jump", pixels,
                   JumpFlood<kBorders>{lattice_, jump(), bins.sites, before, flood_[1].view(),
                                       ShowFlood{obstacle_view(), colours_.view()}});
        });
        std::swap(flood_[0], flood_[1]);
    }
    return --steps_left_ > 0;
}

void Colouring::colour_exactly(Context& context, View<uint32_t> out) {
    const BinsView bins = bins_->view();
    if (!context.on_cuda() && tiling_ != Tiling::kSharedLists) {
        paint_tiles(context, "colour.exact", bins, obstacle_view(), out, tiling_ == Tiling::kFourLanes ? 4 : 8);
        return;
    }
    if (colour_by_warps(context, bins, out)) return;
    // Larger tiles have longer lists, but fewer: with 268 pixels a site everything takes 0.85 of the time.
    constexpr uint64_t kManyPixels = 200;  // per site
    if (lattice_.pixel_count() > kManyPixels * bins_->count().bound)
        colour_by_lists<16>(context, bins, out);
    else
        colour_by_lists<8>(context, bins, out);
}

/// Tiles of kSide pixels, each with a list of the sites that may be nearest there.
template <uint32_t kSide>
void Colouring::colour_by_lists(Context& context, const BinsView& bins, View<uint32_t> out) {
    const uint32_t columns = (lattice_.width + kSide - 1) / kSide, rows = (lattice_.height + kSide - 1) / kSide;
    const uint32_t strips = (lattice_.width + kStrip - 1) / kStrip;
    lists_.resize(context, size_t(columns) * rows, false);
    overfull_.resize(context, size_t(columns) * rows, false);
    overfull_parts_.fill(context, 1, 0);
    const View<const Shortlist> lists = lists_.view();
    const View<const uint32_t> overfull = overfull_.view();
    const auto run = [&]<bool kTree, StaticBorders kBorders>() {
        launch(context, "colour.list", columns * rows,
               ListForTiles<kTree, kBorders, kSide>{bins, columns, rows, lists_.view(), overfull_.view(),
                                                    overfull_parts_.view()});
        launch_bounded<10>(context, "colour.exact", strips * ColourStrips<kSide>::kApart * rows,
                           ColourStrips<kSide>{bins, strips, columns, lists, obstacle_view(), out});
        launch(context, "colour.overfull", Extent(overfull_parts_.view(), columns * rows * kParts<kSide>),
               ColourOverfull<kTree, kBorders, kSide>{bins, columns, overfull, obstacle_view(), out});
    };
    const auto run_known = [&]<StaticBorders kBorders>() {
        bins_->uses_tree() ? run.template operator()<true, kBorders>() : run.template operator()<false, kBorders>();
    };
    with_static_borders(lattice_.periodic, run_known);
}

/// On CUDA, where an additional launch would cost more than it saves.
bool Colouring::colour_by_warps([[maybe_unused]] Context& context, [[maybe_unused]] const BinsView& bins,
                                [[maybe_unused]] View<uint32_t> out) {
#if defined(__CUDACC__)
    constexpr uint32_t kMostPixels = 1u << 23, kFewestACell = 64;
    const uint32_t pixels = lattice_.pixel_count();
    if (!context.on_cuda() || tiling_ == Tiling::kSharedLists || bins_->uses_tree() || pixels > kMostPixels ||
        bins_->count().bound > pixels / kFewestACell)
        return false;
    const uint32_t columns = (lattice_.width + kWarpSide - 1) / kWarpSide;
    const uint32_t tiles = columns * ((lattice_.height + kWarpSide - 1) / kWarpSide);
    const uint32_t blocks = (tiles + kWarpsOfBlock - 1) / kWarpsOfBlock;
    const auto run = [&]<StaticBorders kBorders>() {
        launch_on_cuda(context, "colour.exact", pixels, blocks, 32 * kWarpsOfBlock,
                       flipscope::colour_by_warps<kBorders>,
                       ColourByWarps<kBorders>{bins, columns, tiles, obstacle_view(), out});
    };
    with_static_borders(lattice_.periodic, run);
    return true;
#else
    return false;
#endif
}

uint64_t Colouring::count_errors(Context& context, View<State> marks, State bit) {
    const uint32_t pixels = lattice_.pixel_count();
    exact_.resize(context, pixels, false);
    colour_exactly(context, exact_.view());
    const CompareColours compare{colours_.view(), exact_.view(), marks, bit};
    return sums_of(context, "colour.errors", pixels, compare).value[0];
}

}  // namespace flipscope
