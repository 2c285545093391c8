// The exact colouring on CUDA, with lists shared by the pixels of a tile: one thread per tile finds the sites that may
// be nearest there, then threads compare them at a few pixels each. Launched only by Colouring. Squared distances are
// compared in single precision, minus that of one site of the list, which keeps the numbers small. A lead greater than
// all rounding errors is certain; other cases are decided exactly.
#pragma once

#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/colouring_tiles.h"
#include "voronoi/colouring/known_borders.h"
#include "voronoi/colouring/shortlist.h"

namespace flipscope {

/// Keeps the sites that are nearer than the rival, or about as near, at a corner of the tile: the difference is linear
/// there, so that a corner decides.
template <uint32_t kSide, uint32_t kMost>
struct ShortlistCollector {
    const BinsView& bins;
    const Rival& rival;
    Point rival_at, rival_off, middle;
    double rival_squared, slack, reach;
    Candidate* candidates;  // (kMost)
    uint32_t size = 0;
    double largest = 0;  // magnitude of any candidate's difference, or a part of it

    FLIPSCOPE_HD bool full() const { return size == kOverfull; }
    FLIPSCOPE_HD void visit(uint32_t slot) {
        if (full()) return;
        Candidate candidate;
        const Verdict verdict = judge(slot, candidate, largest);
        if (verdict == kOut) return;
        if (verdict == kUnclear || size == kMost) {
            size = kOverfull;
            return;
        }
        candidates[size++] = candidate;
    }
    enum Verdict { kOut, kIn, kUnclear };
    FLIPSCOPE_HD Verdict judge(uint32_t slot, Candidate& candidate, double& largest_so_far) const {
        const Point p = bins.points[slot];
        if (p == rival_at) return kOut;  // coincident: the lowest label represents all
        const Point off = bins.lattice.difference(middle, p);
        if (!same_image(bins.lattice, off)) return off.x * off.x + off.y * off.y > reach * reach ? kOut : kUnclear;
        const double x = 2 * (rival_off.x - off.x), y = 2 * (rival_off.y - off.y);
        const double constant = off.x * off.x + off.y * off.y - rival_squared;
        const double change = 0.5 * (kSide - 1) * (magnitude(x) + magnitude(y));
        if (!(constant - change <= slack)) return kOut;  // also excludes NaN
        largest_so_far = greater(largest_so_far, magnitude(constant) + change);
        candidate = {float(x), float(y), float(constant), bins.labels[slot]};
        return kIn;
    }
    FLIPSCOPE_HD bool skips(const SiteNode& node) const {
        return rival.excludes(node.low, node.high) || (node.low == node.high && node.low == rival_at);
    }
    /// From `middle`, which at a border differs slightly from the rival's.
    FLIPSCOPE_HD static double reach_of(const Rival& rival) { return rival.reach() + kSide; }
    /// Whether all pixels of the tile have the same nearest image of the site.
    FLIPSCOPE_HD static bool same_image(const Lattice& lattice, Point off) {
        return (!lattice.periodic.x || magnitude(off.x) < 0.5 * lattice.width - kSide) &&
               (!lattice.periodic.y || magnitude(off.y) < 0.5 * lattice.height - kSide);
    }
};

template <uint32_t kSide>
FLIPSCOPE_HD inline Tile square_tile(const Lattice& lattice, uint32_t left, uint32_t bottom) {
    return {left, bottom, left + kSide <= lattice.width ? left + kSide - 1 : lattice.width - 1,
            bottom + kSide <= lattice.height ? bottom + kSide - 1 : lattice.height - 1};
}

/// Drops the candidates that a site which is nearest at a corner of the tile beats at all corners, by more than
/// `margin`: differences are linear, so it beats them at every pixel. Returns how many are left; of evenly spread sites
/// and tiles as large as their cells it drops a third.
template <uint32_t kSide>
FLIPSCOPE_HD inline uint32_t drop_beaten(Candidate* candidates, uint32_t count, float margin) {
    constexpr float kHalf = 0.5f * (kSide - 1);
    const auto at_corner = [](const Candidate& one, uint32_t corner) {
        return one.constant + (corner & 1 ? kHalf : -kHalf) * one.x + (corner & 2 ? kHalf : -kHalf) * one.y;
    };
    Candidate nearest[4] = {};  // the rival, at first
    float least[4] = {};
    for (uint32_t n = 0; n < count; ++n) {
        const Candidate one = candidates[n];
        for (uint32_t k = 0; k < 4; ++k) {
            const float squared = at_corner(one, k);
            if (!(squared < least[k])) continue;
            least[k] = squared;
            nearest[k] = one;
        }
    }
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; ++n) {
        const Candidate one = candidates[n];
        bool beaten = false;
        for (uint32_t k = 0; k < 4; ++k) {
            float lead = 3e38f;
            for (uint32_t j = 0; j < 4; ++j) lead = fminf(lead, at_corner(one, j) - at_corner(nearest[k], j));
            beaten = beaten || lead > margin;
        }
        if (!beaten) candidates[kept++] = one;
    }
    return kept;
}

/// The sites that may be nearest to a pixel of the square tile that begins at (left, bottom).
template <uint32_t kSide, uint32_t kMost>
FLIPSCOPE_HD inline ShortlistHead make_shortlist(const BinsView& bins, uint32_t left, uint32_t bottom,
                                                 Candidate (&candidates)[kMost]) {
    using Collector = ShortlistCollector<kSide, kMost>;
    const Lattice& lattice = bins.lattice;
    const Tile tile = square_tile<kSide>(lattice, left, bottom);
    ShortlistHead head{kNone, kOverfull, 0, 0};
    Nearest nearest;
    bins.find_nearest(tile.middle(), nearest);
    head.rival = nearest.label;
    if (nearest.label == kNone) {
        if (bins.count() == 0) head.candidates = 0;
        return head;
    }
    const Point at = bins.sites[nearest.label];
    const Point middle{left + 0.5 * (kSide - 1), bottom + 0.5 * (kSide - 1)};
    const Point off = lattice.difference(middle, at);
    if (!Collector::same_image(lattice, off)) return head;
    const Rival rival(lattice, tile, at, nearest.squared);
    Collector collector{
        bins,      rival, at, off, middle, off.x * off.x + off.y * off.y, rival.slack(), Collector::reach_of(rival),
        candidates};
    bins.visit_near(tile.middle(), rival.reach(), collector);
    head.margin = float(collector.largest * kSingleRounding + 4 * rival.slack());
    if (collector.largest < kTooLarge && rival.slack() < kTooLarge)
        head.candidates = collector.full() ? kOverfull : drop_beaten<kSide>(candidates, collector.size, head.margin);
    return head;
}

inline constexpr uint32_t kStrip = 4;  // pixels in a row that a thread writes at once

/// Threads that share an overfull tile.
template <uint32_t kSide>
inline constexpr uint32_t kParts = (kSide / kStrip) * (kSide / kStrip);

/// Specialised for grid or tree, and for plane, torus or any: general code costs registers and time.
template <bool kTree, StaticBorders kBorders, uint32_t kSide>
struct ListForTiles {
    BinsView all;
    uint32_t columns, rows;  // of tiles
    View<Shortlist> lists;
    View<uint32_t> overfull, overfull_parts;

    FLIPSCOPE_HD void operator()(uint32_t thread) const {
        uint32_t column = thread % columns, row = thread / columns;
        if (columns % 8 == 0 && row < rows / 4 * 4) {  // a warp reads the same few bins
            const uint32_t band = row / 4, rest = thread - band * 4 * columns;
            column = rest / 32 * 8 + rest % 8;
            row = band * 4 + rest / 8 % 4;
        }
        const uint32_t i = row * columns + column;
        BinsView bins = all;
        if (!kTree) bins.tree.levels = 0;
        fix_borders<kBorders>(bins.lattice);
        const ShortlistHead head = make_shortlist<kSide>(bins, column * kSide, row * kSide, lists[i].candidate);
        lists[i].head = head;
        if (head.candidates == kOverfull) overfull[atomic_add(overfull_parts[0], kParts<kSide>) / kParts<kSide>] = i;
    }
};

struct alignas(16) StripOfLabels {
    uint32_t label[kStrip];
};

/// The nearest sites of a list at pixels (left, bottom)… and (left, bottom + kApart)…, the first of them at (x, y) from
/// the middle of the tile.
template <uint32_t kApart>
struct StripPair {
    uint32_t left, bottom;
    StripOfLabels strip[2];

    FLIPSCOPE_HD void compare(const BinsView& bins, const Candidate* candidates, const ShortlistHead& head, float x,
                              float y) {
        float best[2][kStrip] = {};  // squared distances minus the rival's
        float closest = 3e38f;
        for (uint32_t r = 0; r < 2; ++r)
            for (uint32_t k = 0; k < kStrip; ++k) strip[r].label[k] = head.rival;
        for (uint32_t n = 0; n < head.candidates; ++n) {
            const Candidate one = candidates[n];
            for (uint32_t r = 0; r < 2; ++r) {
                float squared = one.constant + one.y * (r ? y + kApart : y) + one.x * x;
                for (uint32_t k = 0; k < kStrip; ++k) {
                    const float behind = squared - best[r][k];
                    closest = fminf(closest, fabsf(behind));
                    if (behind < 0) strip[r].label[k] = one.label;
                    best[r][k] = fminf(best[r][k], squared);
                    squared += one.x;
                }
            }
        }
        if (closest <= head.margin) settle(bins, candidates, head);
    }

    // Unrolled: labels indexed in a loop would be in memory instead of registers, even for threads that never come
    // here.
    FLIPSCOPE_HD void settle(const BinsView& bins, const Candidate* candidates, const ShortlistHead& head) {
        const auto row = [&](uint32_t y) {
            return StripOfLabels{nearest(bins, candidates, head, left, y), nearest(bins, candidates, head, left + 1, y),
                                 nearest(bins, candidates, head, left + 2, y),
                                 nearest(bins, candidates, head, left + 3, y)};
        };
        strip[0] = row(bottom);
        strip[1] = row(bottom + kApart);
    }
    FLIPSCOPE_HD static uint32_t nearest(const BinsView& bins, const Candidate* candidates, const ShortlistHead& head,
                                         uint32_t x, uint32_t y) {
        const auto best = among<ClearNearest>(bins.lattice, bins.sites, candidates, head.candidates, head.rival, x, y);
        if (!best.tied) return best.label;
        return nearest_exactly(bins.lattice, bins.sites, candidates, head.candidates, head.rival, x, y);
    }
    template <class Best>
    FLIPSCOPE_HD static Best among(const Lattice& lattice, View<const Point> sites, const Candidate* candidates,
                                   uint32_t count, uint32_t rival, uint32_t x, uint32_t y) {
        const Point pixel{double(x), double(y)};
        Best best;
        best.consider(lattice, pixel, sites[rival], rival);
        for (uint32_t n = 0; n < count; ++n) {
            const uint32_t label = candidates[n].label;
            best.consider(lattice, pixel, sites[label], label);
        }
        return best;
    }
    /// Not inlined: rarely called.
    FLIPSCOPE_HD_NOINLINE static uint32_t nearest_exactly(Lattice lattice, View<const Point> sites,
                                                          const Candidate* candidates, uint32_t count, uint32_t rival,
                                                          uint32_t x, uint32_t y) {
        return among<ExactNearest>(lattice, sites, candidates, count, rival, x, y).label;
    }

    FLIPSCOPE_HD void write(const Lattice& lattice, View<const uint8_t> obstacles, View<uint32_t> colours) {
        if (bottom < lattice.height) write(lattice, obstacles, colours, lattice.pixel(left, bottom), strip[0]);
        if (bottom + kApart < lattice.height)
            write(lattice, obstacles, colours, lattice.pixel(left, bottom + kApart), strip[1]);
    }
    FLIPSCOPE_HD void write(const Lattice& lattice, View<const uint8_t> obstacles, View<uint32_t> colours,
                            uint32_t pixel, StripOfLabels labels) const {
        if (obstacles)
            for (uint32_t k = 0; k < kStrip; ++k)
                if (left + k < lattice.width && obstacles[pixel + k]) labels.label[k] = kMaxLink;
#if defined(__CUDA_ARCH__)
        if (lattice.width % kStrip == 0) {
            *reinterpret_cast<StripOfLabels*>(&colours[pixel]) = labels;
            return;
        }
#endif
        for (uint32_t k = 0; k < kStrip; ++k)
            if (left + k < lattice.width) colours[pixel + k] = labels.label[k];
    }
};

/// One thread colours two strips of a tile, half a tile apart.
template <uint32_t kSide>
struct ColourStrips {
    static constexpr uint32_t kApart = kSide / 2, kAcross = 32 / kApart;  // strips of a row that a warp writes

    BinsView bins;
    uint32_t strips, tile_columns;  // per row
    View<const Shortlist> lists;
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr float kMiddle = 0.5f * (kSide - 1);
        const uint32_t band = i / (strips * kApart), rest = i - band * strips * kApart;
        uint32_t strip = rest % strips, row = rest / strips;
        if (strips % kAcross == 0) {  // a warp writes whole sectors and reads one list, or four
            strip = rest / 32 * kAcross + rest % kAcross;
            row = rest / kAcross % kApart;
        }
        StripPair<kApart> pair{strip * kStrip, band * kSide + row, {}};
        const Shortlist& list = lists[band * tile_columns + pair.left / kSide];
        const ShortlistHead head = list.head;
        if (head.candidates == kOverfull) return;
        pair.compare(bins, list.candidate, head, float(pair.left % kSide) - kMiddle, float(row) - kMiddle);
        pair.write(bins.lattice, obstacles, colours);
    }
};

/// One thread colours a square of kStrip pixels, with a list of its own, or by searches if that is overfull as well.
FLIPSCOPE_HD inline void colour_part(const BinsView& bins, uint32_t left, uint32_t bottom,
                                     View<const uint8_t> obstacles, View<uint32_t> colours) {
    constexpr uint32_t kSide = kStrip, kMost = 16;
    const Lattice& lattice = bins.lattice;
    if (left >= lattice.width || bottom >= lattice.height) return;
    Candidate list[kMost];
    const ShortlistHead head = make_shortlist<kSide>(bins, left, bottom, list);
    for (uint32_t row = 0; row < kSide && bottom + row < lattice.height; row += 2) {
        StripPair<1> pair{left, bottom + row, {}};
        if (head.candidates == kOverfull) {
            for (uint32_t k = 0; k < 2 * kStrip; ++k)
                pair.strip[k / kStrip].label[k % kStrip] =
                    bins.nearest({double(left + k % kStrip), double(bottom + row + k / kStrip)});
        } else {
            constexpr float kMiddle = 0.5f * (kSide - 1);
            pair.compare(bins, list, head, -kMiddle, float(row) - kMiddle);
        }
        pair.write(lattice, obstacles, colours);
    }
}

/// One thread colours a square of an overfull tile.
template <bool kTree, StaticBorders kBorders, uint32_t kSide>
struct ColourOverfull {
    static constexpr uint32_t kSquares = kSide / kStrip;  // in a row

    BinsView all;
    uint32_t columns;  // of tiles
    View<const uint32_t> overfull;
    View<const uint8_t> obstacles;
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        BinsView bins = all;
        if (!kTree) bins.tree.levels = 0;
        fix_borders<kBorders>(bins.lattice);
        const uint32_t tile = overfull[i / kParts<kSide>], part = i % kParts<kSide>;
        colour_part(bins, tile % columns * kSide + part % kSquares * kStrip,
                    tile / columns * kSide + part / kSquares * kStrip, obstacles, colours);
    }
};

}  // namespace flipscope
