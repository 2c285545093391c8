// The kernels of the droplets: moving them, sorting them into cells, painting them. Sums over neighbours are integers,
// so they do not depend on the order of neighbours.
#pragma once

#include <cmath>

#include "compute/atomics.h"
#include "compute/random.h"
#include "compute/view.h"
#include "events/sources/source_parts.h"
#include "events/sources/source_vessel.h"

namespace flipscope::droplets {

constexpr uint32_t kNear = 16;       // droplets listed per tile; for more, the cells are searched
constexpr double kStiffness = 0.2;   // part of an overlap removed per step; six neighbours stay stable up to 0.3
constexpr double kLoose = 0.2;       // part of a push along a channel that remains at its walls
constexpr float kHalfFilm = 0.75f;   // pixels: above √½ no two droplets are 8-neighbours
constexpr float kHalfInterface = 3;  // pixels over which the field rises to its plateau

/// Droplets sorted into cells as linked lists, in no particular order.
struct Cells {
    uint32_t nx = 1, ny = 1;
    double per_x = 1, per_y = 1;  // cells per pixel
    PeriodicAxes around;          // of the lattice
    View<uint64_t> heads;         // (ny, nx) droplet + 1; 0: none
    View<uint32_t> next;          // (n) droplet + 1; 0: none

    FLIPSCOPE_HD uint32_t column(double x) const { return clamped(x * per_x, nx); }
    FLIPSCOPE_HD uint32_t row(double y) const { return clamped(y * per_y, ny); }
    FLIPSCOPE_HD static uint32_t clamped(double at, uint32_t n) {
        const int64_t k = at < 0 ? 0 : static_cast<int64_t>(at);
        return k < n ? static_cast<uint32_t>(k) : n - 1;
    }
    FLIPSCOPE_HD void insert(uint32_t i, Point p) const {
        uint64_t& head = heads[size_t(row(p.y)) * nx + column(p.x)];
        uint64_t seen = 0;
        for (;;) {
            next[i] = static_cast<uint32_t>(seen);
            const uint64_t found = atomic_exchange_if(head, seen, i + uint64_t(1));
            if (found == seen) return;
            seen = found;
        }
    }
    /// Calls visitor(j) once for every droplet of this cell and its neighbours.
    template <class Visitor>
    FLIPSCOPE_HD void around_cell(uint32_t cx, uint32_t cy, Visitor&& visitor) const {
        // With two cells around, the left and the right neighbour are the same cell.
        const int low_x = around.x && nx < 3 ? 0 : -1, high_x = around.x && nx == 1 ? 0 : 1;
        const int low_y = around.y && ny < 3 ? 0 : -1, high_y = around.y && ny == 1 ? 0 : 1;
        for (int dy = low_y; dy <= high_y; ++dy) {
            for (int dx = low_x; dx <= high_x; ++dx) {
                int x = static_cast<int>(cx) + dx, y = static_cast<int>(cy) + dy;
                const int wide = static_cast<int>(nx), tall = static_cast<int>(ny);
                if ((!around.x && (x < 0 || x >= wide)) || (!around.y && (y < 0 || y >= tall))) continue;
                x = x < 0 ? x + wide : x >= wide ? x - wide : x;
                y = y < 0 ? y + tall : y >= tall ? y - tall : y;
                const size_t cell = size_t(y) * nx + size_t(x);
                for (uint32_t j = static_cast<uint32_t>(heads[cell]); j; j = next[j - 1]) visitor(j - 1);
            }
        }
    }
};

struct InsertDroplets {
    Cells cells;
    View<const Point> places;
    FLIPSCOPE_HD void operator()(uint32_t i) const { cells.insert(i, places[i]); }
};

/// The push of the others on droplet i, in integers of 1 / kPixelUnits pixels.
struct Push {
    const Lattice& lattice;
    View<const Point> places;
    View<const double> radii;
    uint32_t i;
    int64_t x = 0, y = 0;

    FLIPSCOPE_HD void operator()(uint32_t j) {
        if (i == j) return;
        Point d = lattice.difference(places[j], places[i]);
        const double reach = radii[i] + radii[j], squared = d.x * d.x + d.y * d.y;
        if (squared >= reach * reach) return;
        double distance = sqrt(squared);
        if (distance == 0) {  // coincident: a random direction, opposite for the two of them
            const uint32_t low = i < j ? i : j, high = i < j ? j : i;
            const RandomPair way = random_pair(low, high);
            const double sign = i < j ? 1 : -1;
            d = {sign * (way.first - 0.5), sign * (way.second - 0.5)};
            distance = sqrt(d.x * d.x + d.y * d.y) + 1e-9;
            d = {d.x / distance, d.y / distance};
            distance = 1;
        }
        const double push = kStiffness * (reach - distance) / distance * kPixelUnits;
        x += static_cast<int64_t>(push * d.x);
        y += static_cast<int64_t>(push * d.y);
    }
};

/// One step of one droplet: with the flow, away from its neighbours, out of walls and posts.
struct MoveDroplets {
    Vessel vessel;
    Flow flow;
    Cells from, to;
    View<const Point> places;
    View<const double> radii;
    View<Point> moved;
    View<uint64_t> sums;  // (kProfileBins, kProfileSums) or empty

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = places[i];
        Push push{vessel.lattice, places, radii, i};
        from.around_cell(from.column(p.x), from.row(p.y), push);
        const Point u = flow.at(p);
        const double most = 0.5 * radii[i];  // keeps crowded starts from exploding
        const double along = flow.kind == Flow::Kind::kChannel ? held(p, radii[i]) : 1;
        Point q{p.x + u.x + limited(push.x / kPixelUnits, most),
                p.y + u.y + along * limited(push.y / kPixelUnits, most)};
        q = vessel.freed(q, radii[i]);
        if (sums) {
            const uint32_t bin =
                Cells::clamped((p.x - vessel.low_x) / (vessel.high_x - vessel.low_x) * kProfileBins, kProfileBins);
            atomic_add(sums[kProfileSums * bin],
                       static_cast<uint64_t>(static_cast<int64_t>((q.y - p.y) * kPixelUnits)));
            atomic_add(sums[kProfileSums * bin + 2], uint64_t(1));
        }
        q = vessel.lattice.wrapped(q);
        moved[i] = q;
        to.insert(i, q);
    }
    /// The part of a push along the channel that a droplet follows: the film between it and a fixed wall holds it back.
    /// Some remains, so that two that overlap at a wall come apart.
    FLIPSCOPE_HD double held(Point p, double radius) const {
        const double gap = vessel.gap_across(p) - radius;
        return gap >= radius ? 1 : gap <= kLoose * radius ? kLoose : gap / radius;
    }
    FLIPSCOPE_HD static double limited(double d, double most) { return d > most ? most : d < -most ? -most : d; }
};

/// Squares of pixels painted together, with the droplets that reach into each.
struct Tiles {
    uint32_t side = 16, nx = 1;  // pixels; tiles of a row
    float half_interface = kHalfInterface;
    FLIPSCOPE_HD float reach(double radius) const { return static_cast<float>(radius) + half_interface + 2; }
};

struct ListNear {
    Lattice lattice;
    Tiles tiles;
    Cells cells;
    View<const Point> places;
    View<const double> radii;
    View<uint32_t> near, count;

    struct Visitor {
        const ListNear& self;
        Point middle;
        double half;
        uint32_t* list;
        uint32_t found = 0;
        FLIPSCOPE_HD void operator()(uint32_t j) {
            const Point d = self.lattice.difference(middle, self.places[j]);
            const double away_x = (d.x < 0 ? -d.x : d.x) - half, away_y = (d.y < 0 ? -d.y : d.y) - half;
            const double x = away_x > 0 ? away_x : 0, y = away_y > 0 ? away_y : 0,
                         reach = self.tiles.reach(self.radii[j]);
            if (x * x + y * y >= reach * reach) return;
            if (found < kNear) list[found] = j;
            ++found;
        }
    };
    FLIPSCOPE_HD Point middle(uint32_t tile) const {
        const double half = 0.5 * (tiles.side - 1);
        return {tile % tiles.nx * double(tiles.side) + half, tile / tiles.nx * double(tiles.side) + half};
    }
    FLIPSCOPE_HD void operator()(uint32_t tile) const {
        const Point m = middle(tile);
        Visitor visitor{*this, m, 0.5 * (tiles.side - 1), near.data + size_t(tile) * kNear};
        cells.around_cell(cells.column(m.x), cells.row(m.y), visitor);
        count[tile] = visitor.found;
    }
};

/// The two greatest depths below droplets' surfaces at a pixel.
struct Depths {
    float first = -1e9f, second = -1e9f;
    FLIPSCOPE_HD void take(float depth) {
        const float lesser = depth < first ? depth : first;
        second = lesser > second ? lesser : second;
        first = depth > first ? depth : first;
    }
    /// 1 deep inside a droplet, 0 outside, ½ on its surface, which keeps a distance from the middle between two
    /// droplets.
    FLIPSCOPE_HD float value(float per_interface) const {
        const float apart = 0.5f * (first - second) - kHalfFilm;
        const float depth = apart < first ? apart : first;
        float t = depth * per_interface;
        t = t < -1 ? -1 : t > 1 ? 1 : t;
        return 0.5f + t * (0.75f - 0.25f * t * t);
    }
};

/// A run of pixels in a row of a tile.
struct PaintDroplets {
    ListNear tiles;
    uint32_t run;  // pixels; divides the side of a tile
    View<const uint8_t> obstacles;
    View<float> field;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t side = tiles.tiles.side, runs = side / run, tile = i / (runs * side);
        const uint32_t in_tile = i % (runs * side), y = in_tile / runs, x = in_tile % runs * run;
        const uint32_t tile_x = tile % tiles.tiles.nx * side, tile_y = tile / tiles.tiles.nx * side;
        const Lattice& lattice = tiles.lattice;
        if (tile_y + y >= lattice.height || tile_x + x >= lattice.width) return;
        const uint32_t end = tile_x + x + run < lattice.width ? run : lattice.width - tile_x - x;
        const uint32_t found = tiles.count[tile], listed = found < kNear ? found : kNear;
        const Point middle = tiles.middle(tile);
        float dx[kNear], squared_dy[kNear], radius[kNear];
        const float half = 0.5f * static_cast<float>(side - 1);
        uint32_t rivals = 0;  // droplets that reach into this row
        for (uint32_t k = 0; k < listed; ++k) {
            const uint32_t j = tiles.near[size_t(tile) * kNear + k];
            const Point d = lattice.difference(middle, tiles.places[j]);
            const float dy = static_cast<float>(d.y) - (static_cast<float>(y) - half);
            const float reach = tiles.tiles.reach(tiles.radii[j]);
            dx[rivals] = static_cast<float>(d.x), squared_dy[rivals] = dy * dy;
            radius[rivals] = static_cast<float>(tiles.radii[j]);
            rivals += dy * dy < reach * reach;
        }
        const float per_interface = 1 / tiles.tiles.half_interface;
        const size_t first = size_t(tile_y + y) * lattice.width + tile_x + x;
        for (uint32_t s = 0; s < end; ++s) {
            const float at = static_cast<float>(x + s) - half;
            Depths depths;
            if (found > kNear) {
                depths = crowded(tile, at, static_cast<float>(y) - half);
            } else {
                for (uint32_t k = 0; k < rivals; ++k)
                    depths.take(radius[k] - sqrtf((dx[k] - at) * (dx[k] - at) + squared_dy[k]));
            }
            field[first + s] = obstacles && obstacles[first + s] ? 0.f : depths.value(per_interface);
        }
    }

    struct Crowd {
        const ListNear& tiles;
        Point middle;
        float x, y;
        Depths depths;
        FLIPSCOPE_HD void operator()(uint32_t j) {
            const Point d = tiles.lattice.difference(middle, tiles.places[j]);
            const float dx = static_cast<float>(d.x) - x, dy = static_cast<float>(d.y) - y;
            depths.take(static_cast<float>(tiles.radii[j]) - sqrtf(dx * dx + dy * dy));
        }
    };
    FLIPSCOPE_HD Depths crowded(uint32_t tile, float x, float y) const {
        const Point middle = tiles.middle(tile);
        Crowd crowd{tiles, middle, x, y, {}};
        tiles.cells.around_cell(tiles.cells.column(middle.x), tiles.cells.row(middle.y), crowd);
        return crowd.depths;
    }
};

}  // namespace flipscope::droplets
