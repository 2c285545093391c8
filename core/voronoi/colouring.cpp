#include "voronoi/colouring.h"

#include <algorithm>
#include <bit>
#include <string>

#include "compute/error.h"
#include "compute/primitives.h"
#include "voronoi/colouring_flood.h"
#include "voronoi/colouring_tiles.h"
#include "voronoi/tile_painter.h"

namespace flipscope {

namespace {

struct ColourEverySite {
    BinsView bins;  // for its copy of the centres
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t site) const {
        if (obstacles && obstacles[site]) {
            colours[site] = kMaxLink;
            return;
        }
        const Lattice& lattice = bins.lattice;
        const Point place = lattice.place(site);
        const uint32_t n = bins.count();
        Nearest nearest;
        for (uint32_t label = 0; label < n; ++label)
            nearest.consider(lattice.squared_distance(place, bins.centres[label]), label);
        colours[site] = nearest.label;
    }
};

// ---- the exact one with shared lists: a thread a tile, then a thread a strip of sites -------------------------------

constexpr uint32_t kSide = 8;    // sites in a row of a tile, and rows
constexpr uint32_t kListed = 8;  // centres of a list: what one sector of memory holds
constexpr uint32_t kStrip = 4;   // sites of a thread

struct ListCollector {
    const BinsView& bins;
    const Rival& rival;
    Point rival_at;
    uint32_t rival_label;
    uint32_t* list;
    uint32_t size = 0;

    FLIPSCOPE_HD bool full() const { return size > kListed; }
    FLIPSCOPE_HD void visit(uint32_t slot) {
        const Point p = bins.points[slot];
        if (full() || rival.excludes(p)) return;
        const uint32_t label = bins.labels[slot];
        if (p == rival_at && label != rival_label) return;  // coincident: the lowest label stands for all
        if (size < kListed) list[size] = label;
        ++size;
    }
    FLIPSCOPE_HD bool skips(const CentreNode& node) const {
        return rival.excludes(node.low, node.high) ||
               (node.low == node.high && node.low == rival_at && node.lowest_label > rival_label);
    }
};

/// The labels that can be nearest in each tile, ended by kNone if there is room; kMaxLink at the start of a list that
/// would be too long.
struct ListForTiles {
    BinsView bins;
    uint32_t columns;  // of tiles
    View<uint32_t> lists;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Lattice& lattice = bins.lattice;
        const uint32_t left = i % columns * kSide, bottom = i / columns * kSide;
        const Tile tile{left, bottom, left + kSide <= lattice.width ? left + kSide - 1 : lattice.width - 1,
                        bottom + kSide <= lattice.height ? bottom + kSide - 1 : lattice.height - 1};
        uint32_t* const list = &lists[size_t(i) * kListed];
        Nearest nearest;
        bins.find_nearest(tile.middle(), nearest);
        if (nearest.label == kNone) {
            list[0] = bins.count() ? kMaxLink : kNone;
            return;
        }
        const Point at = bins.centres[nearest.label];
        const Rival rival(lattice, tile, at, nearest.squared);
        ListCollector collector{bins, rival, at, nearest.label, list};
        bins.visit_near(tile.middle(), rival.reach(), collector);
        if (collector.full())
            list[0] = kMaxLink;
        else if (collector.size < kListed)
            list[collector.size] = kNone;
    }
};

struct alignas(16) StripOfLabels {
    uint32_t label[kStrip];
};

struct ColourStrips {
    BinsView bins;
    uint32_t strips, tile_columns;  // in a row
    View<const uint32_t> lists;
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Lattice& lattice = bins.lattice;
        const uint32_t y = i / strips, left = (i - y * strips) * kStrip;
        const uint32_t* const list = &lists[size_t(y / kSide * tile_columns + left / kSide) * kListed];
        StripOfLabels strip;
        if (list[0] == kMaxLink) {
            for (uint32_t k = 0; k < kStrip; ++k)
                strip.label[k] = left + k < lattice.width ? bins.nearest({double(left + k), double(y)}) : 0;
        } else if (list[0] == kNone || list[1] == kNone) {
            for (uint32_t k = 0; k < kStrip; ++k) strip.label[k] = list[0];
        } else {
            compare(list, left, y, strip);
        }
        const uint32_t site = lattice.site(left, y);
        if (obstacles)
            for (uint32_t k = 0; k < kStrip && left + k < lattice.width; ++k)
                if (obstacles[site + k]) strip.label[k] = kMaxLink;
#if defined(__CUDA_ARCH__)
        if (lattice.width % kStrip == 0) {
            reinterpret_cast<StripOfLabels*>(colours.data)[i] = strip;
            return;
        }
#endif
        for (uint32_t k = 0; k < kStrip && left + k < lattice.width; ++k) colours[site + k] = strip.label[k];
    }

    FLIPSCOPE_HD void compare(const uint32_t* list, uint32_t left, uint32_t y, StripOfLabels& strip) const {
        const Lattice& lattice = bins.lattice;
        Nearest nearest[kStrip];
        for (uint32_t n = 0; n < kListed; ++n) {
            const uint32_t label = list[n];
            if (label == kNone) break;
            const Point at = bins.centres[label];
            for (uint32_t k = 0; k < kStrip; ++k)
                nearest[k].consider(lattice.squared_distance({double(left + k), double(y)}, at), label);
        }
        for (uint32_t k = 0; k < kStrip; ++k) strip.label[k] = nearest[k].label;
    }
};

struct CompareColours {
    View<const uint32_t> colours, exact;
    View<State> marks;  // or empty
    State bit;

    FLIPSCOPE_HD void operator()(uint32_t site, Tally& tally) const {
        const bool wrong = colours[site] != exact[site];
        tally.value[0] += wrong;
        if (marks) marks[site] = static_cast<State>(wrong ? marks[site] | bit : marks[site] & ~bit);
    }
};

}  // namespace

void Colouring::reset(Context& context, const Lattice& lattice) {
    const uint64_t sites = uint64_t(lattice.width) * lattice.height;
    if (sites == 0 || sites >= 1ull << 31)
        throw Error("a lattice of " + std::to_string(lattice.width) + " x " + std::to_string(lattice.height) +
                    " sites: expected at least one and fewer than 2^31 in all");
    lattice_ = lattice;
    steps_left_ = 0;
    obstacles_.resize(context, 0, false);
    colours_.resize(context, sites, false);
    colours_.fill_bytes(0xFF);
}

View<const uint8_t> Colouring::obstacle_view() const {
    return obstacles_.empty() ? View<const uint8_t>{} : View<const uint8_t>(obstacles_.view());
}

void Colouring::colour(Context& context, ColouringMethod method, View<const Point> centres, Extent count) {
    begin(context, method, centres, count);
    while (step(context)) {
    }
}

void Colouring::begin(Context& context, ColouringMethod method, View<const Point> centres, Extent count) {
    method_ = method;
    bins_.build(context, lattice_, centres, count);
    steps_left_ = 1;
    if (method != ColouringMethod::kJumpFlooding) return;
    const uint32_t sites = lattice_.site_count();
    steps_left_ += static_cast<uint32_t>(std::bit_width(std::max(lattice_.width, lattice_.height) - 1));
    for (Buffer<uint32_t>& flood : flood_) flood.resize(context, sites, false);
    const ShowFlood show{obstacle_view(), colours_.view()};
    launch(context, "colour.seeds", sites, EmptyFlood{flood_[0].view(), show});
    launch(context, "colour.seeds", bins_.count(), SeedFlood{bins_.view(), flood_[0].view(), show});
}

uint32_t Colouring::jump() const {
    if (method_ != ColouringMethod::kJumpFlooding || steps_left_ == 0) return 0;
    return steps_left_ == 1 ? 1 : 1u << (steps_left_ - 2);
}

bool Colouring::step(Context& context) {
    if (steps_left_ == 0) return false;
    const uint32_t sites = lattice_.site_count();
    const BinsView bins = bins_.view();
    if (method_ == ColouringMethod::kExact) {
        colour_exactly(context, colours_.view());
    } else if (method_ == ColouringMethod::kEverySite) {
        launch(context, "colour.every", sites, ColourEverySite{bins, obstacle_view(), colours_.view()});
    } else {
        const View<const uint32_t> before = flood_[0].view();
        launch(context, "colour.jump", sites,
               JumpFlood{lattice_, jump(), bins.centres, before, flood_[1].view(),
                         ShowFlood{obstacle_view(), colours_.view()}});
        std::swap(flood_[0], flood_[1]);
    }
    return --steps_left_ > 0;
}

void Colouring::colour_exactly(Context& context, View<uint32_t> out) {
    const BinsView bins = bins_.view();
    if (!context.on_cuda() && tiling_ != Tiling::kSharedLists) {
        paint_tiles(context, "colour.exact", bins, obstacle_view(), out);
        return;
    }
    const uint32_t columns = (lattice_.width + kSide - 1) / kSide, rows = (lattice_.height + kSide - 1) / kSide;
    const uint32_t strips = (lattice_.width + kStrip - 1) / kStrip;
    lists_.resize(context, size_t(columns) * rows * kListed, false);
    const View<const uint32_t> lists = lists_.view();
    launch(context, "colour.list", columns * rows, ListForTiles{bins, columns, lists_.view()});
    launch(context, "colour.exact", strips * lattice_.height,
           ColourStrips{bins, strips, columns, lists, obstacle_view(), out});
}

uint64_t Colouring::count_errors(Context& context, View<State> marks, State bit) {
    const uint32_t sites = lattice_.site_count();
    exact_.resize(context, sites, false);
    colour_exactly(context, exact_.view());
    tallies_.resize(context, kTallyWidth);
    tallies_.fill_bytes(0);
    const View<const uint32_t> colours = colours_.view(), exact = exact_.view();
    launch(context, "colour.errors", sites, CompareColours{colours, exact, marks, bit}, tallies_.view());
    return tallies_.read(0);
}

}  // namespace flipscope
