// Jump flooding (Rong and Tan 2006): every pixel compares the nearest sites of eight others a jump away with its own,
// and keeps the nearest; the jump halves. The extra jump of 1 at the end is their JFA+1.
#pragma once

#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/known_borders.h"

namespace flipscope {

/// The flood passes through obstacles; only the displayed colours stop there.
struct ShowFlood {
    View<const uint8_t> obstacles;  // (h, w) or empty
    View<uint32_t> colours;

    FLIPSCOPE_HD void operator()(uint32_t pixel, uint32_t label) const {
        colours[pixel] = obstacles && obstacles[pixel] ? kMaxLink : label;
    }
};

struct EmptyFlood {
    View<uint32_t> flood;
    ShowFlood show;

    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        flood[pixel] = kNone;
        show(pixel, kNone);
    }
};

/// Seeds the pixel next to each site. Sites that share a pixel all write the one nearest to it.
struct SeedFlood {
    BinsView bins;
    View<uint32_t> flood;
    ShowFlood show;

    FLIPSCOPE_HD void operator()(uint32_t label) const {
        const Point at = bins.sites[label];
        const Lattice& lattice = bins.lattice;
        const uint32_t x = next_to(at.x, lattice.width, lattice.periodic.x),
                       y = next_to(at.y, lattice.height, lattice.periodic.y);
        if (x == kNone || y == kNone) return;
        const uint32_t pixel = lattice.pixel(x, y);
        ExactNearest nearest;
        bins.find_nearest({double(x), double(y)}, nearest);
        atomic_store(flood[pixel], nearest.label);
        const bool hidden = show.obstacles && show.obstacles[pixel];
        atomic_store(show.colours[pixel], hidden ? kMaxLink : nearest.label);
    }
    FLIPSCOPE_HD uint32_t next_to(double at, uint32_t n, bool periodic) const {
        if (!(magnitude(at) < kFarAway)) return kNone;
        if (at < 0) return 0;
        if (at >= n - 0.5) return periodic ? 0 : n - 1;
        return static_cast<uint32_t>(at + 0.5);
    }
};

template <StaticBorders kBorders>
struct JumpFlood {
    Lattice given;
    uint32_t jump;
    View<const Point> sites;
    View<const uint32_t> before;
    View<uint32_t> after;
    ShowFlood show;

    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        Lattice lattice = given;
        fix_borders<kBorders>(lattice);
        const uint32_t x = lattice.x_of(pixel), y = lattice.y_of(pixel);
        const Point place{double(x), double(y)};
        ExactNearest nearest;
        for (int j = -1; j <= 1; ++j) {
            const uint32_t row = moved(y, j, lattice.height, lattice.periodic.y);
            if (row == kNone) continue;
            for (int i = -1; i <= 1; ++i) {
                const uint32_t column = moved(x, i, lattice.width, lattice.periodic.x);
                if (column == kNone) continue;
                const uint32_t label = before[lattice.pixel(column, row)];
                if (label != kNone && label != nearest.label) nearest.consider(lattice, place, sites[label], label);
            }
        }
        after[pixel] = nearest.label;
        show(pixel, nearest.label);
    }
    FLIPSCOPE_HD uint32_t moved(uint32_t at, int direction, uint32_t n, bool periodic) const {
        if (direction == 0) return at;
        if (periodic) {
            const uint32_t step = jump % n;
            const uint32_t to = direction > 0 ? at + step : at + n - step;
            return to >= n ? to - n : to;
        }
        if (direction > 0) return jump < n - at ? at + jump : kNone;
        return jump <= at ? at - jump : kNone;
    }
};

}  // namespace flipscope
