// The links of sites that the lattice does not resolve. If another site is nearer than √2, a cell may lie between
// pixels, where no rule on colours can find it (resolution.h has the other cases). And a cell that extends far between
// two near ones ends in a tip thinner than a pixel. For these few sites, or for all, the cells are computed from the
// sites themselves. Included only by lattice_graph.cu.
//
// A cell is traversed edge by edge: along the bisector of the site and a neighbour to the place where a third site
// becomes nearest, whose bisector is next. That place is approached from too far ahead, by finding the nearest site
// there and going back to where it becomes nearest, until no site is nearer than the two. So a cell may have any number
// of neighbours, nothing is stored, and since results of BinsView do not depend on the order in bins, all devices find
// bitwise the same cell.
#pragma once

#include <cstdint>

#include "voronoi/colouring/bins.h"
#include "voronoi/graph/bisector.h"
#include "voronoi/graph/link_rows.h"
#include "voronoi/graph/resolution.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

/// A shorter Voronoi edge makes no link here, in lattice units. Two cells of a torus touch in at most four places (a
/// triangulation of two points and their copies has six edges, at least two of them from a point to its own copy). So
/// if they touch along kLeastContact, and must not be missed, one place has at least 3/8.
inline constexpr double kLeastPiece = 0.25;

struct LinkExactCells {
    BinsView bins;
    View<const uint32_t> colours;  // for obstacles
    LinkRows rows;
    View<uint32_t> far, thin;  // by label: cells marked by LinkCorners as far-reaching or thin; cleared here
    uint32_t labels;           // room
    bool all;                  // also cells that the lattice resolves

    FLIPSCOPE_HD void operator()(uint32_t label) const {
        if (label >= bins.count() || label >= labels) return;
        const bool reaches_far = far[label] != 0, is_thin = thin[label] != 0;
        if (reaches_far) far[label] = 0;
        if (is_thin) thin[label] = 0;
        const Point site = bins.sites[label];
        NearSites near{bins.lattice, bins.points, site};
        if (bins.tree.levels > 0)
            bins.visit_near(site, kReach, near);
        else
            visit_bins(site, near);
        if (near.hemmed_in()) return;
        const bool every_link =
            all || reaches_far || near.found || lies_outside(bins.lattice, site) || may_reach_around(site);
        if (!every_link && !is_thin) return;
        if (!(magnitude(site.x) < kFarthest && magnitude(site.y) < kFarthest)) return;
        if (bins.nearest(site) != label) return;  // of coincident sites, the lowest label has the cell
        // The colours show all of a tip except its end, where only links that must not be missed remain to be found.
        Walk{*this, site, label, every_link ? kLeastPiece : kLeastContact - kRounded}.around();
    }

  private:
    static constexpr double kReach = 1.5;      // more than √2
    static constexpr double kRounded = 1e-6;   // a bound on the rounding of a length, world units
    static constexpr double kFarthest = 1e60;  // world units; keeps products of coordinates finite

    /// Whether another site is nearer than √2; and whether sites are so near in all directions that the cell has no
    /// room for an edge of kLeastPiece, as in a cluster. A cell ends within √½ of the distance of a site that is seen
    /// at 45° or less.
    struct NearSites {
        static constexpr double kHem = 0.17;  // world units: 2 · √½ · kHem is less than kLeastPiece
        Lattice lattice;
        View<const Point> points;
        Point p;
        bool found = false;
        uint32_t sectors = 0;  // eight bits of 45° each: set if a site is nearer than kHem

        FLIPSCOPE_HD static uint32_t sector(Point d) {
            return 1u << ((d.x < 0) + 2 * (d.y < 0) + 4 * (magnitude(d.x) < magnitude(d.y)));
        }
        FLIPSCOPE_HD bool hemmed_in() const { return sectors == 0xFF; }
        FLIPSCOPE_HD bool full() const { return hemmed_in(); }
        FLIPSCOPE_HD void visit(uint32_t slot) { see(points[slot]); }
        FLIPSCOPE_HD void see(Point other) {
            const Point d = lattice.difference(p, other);
            const double squared = d.x * d.x + d.y * d.y;
            if (!(squared > 0 && squared < kResolvedSquared)) return;
            found = true;
            if (squared < kHem * kHem) sectors |= sector(d);
        }
        FLIPSCOPE_HD bool skips(const SiteNode& node) const {
            if (node.low == p && node.high == p) return true;
            const double least = found ? kHem * kHem : kResolvedSquared;
            if (!(squared_gap(lattice, p, node.low, node.high) < least)) return true;
            if (!found) return false;
            const Point low = lattice.difference(p, node.low), high = lattice.difference(p, node.high);
            const bool around = low.x > high.x || low.y > high.y ||  // a torus
                                2 * (node.high.x - node.low.x) >= lattice.width ||
                                2 * (node.high.y - node.low.y) >= lattice.height;
            return !around && (sectors_of(low, high) & ~sectors) == 0;  // nothing new
        }
        /// All sectors that a box may meet.
        FLIPSCOPE_HD static uint32_t sectors_of(Point low, Point high) {
            const double x = low.x <= 0 && high.x >= 0 ? 0 : lesser(magnitude(low.x), magnitude(high.x));
            const double y = low.y <= 0 && high.y >= 0 ? 0 : lesser(magnitude(low.y), magnitude(high.y));
            const uint32_t right = high.x >= 0 ? 0x55 : 0, left = low.x < 0 ? 0xAA : 0;
            const uint32_t above = high.y >= 0 ? 0x33 : 0, below = low.y < 0 ? 0xCC : 0;
            const uint32_t flat = (high.x >= y ? 0x05 : 0) | (-low.x >= y ? 0x0A : 0);
            const uint32_t steep = (high.y >= x ? 0x30 : 0) | (-low.y >= x ? 0xC0 : 0);
            return (right | left) & (above | below) & (flat | steep);
        }
    };

    /// Four slots at a time, repeating the last one if necessary: no thread waits for memory slot by slot.
    FLIPSCOPE_HD void visit_bins(Point site, NearSites& near) const {
        const auto take = [&](uint32_t first, uint32_t end) {
            for (uint32_t slot = first; slot < end; slot += 4) {
                Point four[4];
                for (uint32_t k = 0; k < 4; ++k) four[k] = bins.points[slot + k < end ? slot + k : end - 1];
                for (const Point& other : four) near.see(other);
            }
        };
        const BinWindow window = bins.window_around(site, kReach);
        for (int32_t row = window.low; row <= window.high; ++row)
            bins.take_columns(row, window.left, window.right, take);
    }

    /// Whether the cell may touch itself around the lattice, or another cell in two places: then it may have corners
    /// without a third colour, and edges that are long only together. The two places where it touches one cell are a
    /// period apart, so one of them has an empty circle through the site with a radius of at least a quarter period.
    /// Then in one of eight directions, 45° apart, the place as far from the site has no other site within 0.6 times
    /// that.
    FLIPSCOPE_HD bool may_reach_around(Point site) const {
        const Lattice& lattice = bins.lattice;
        if (!lattice.periodic.any()) return false;
        const double around_x = lattice.periodic.x ? lattice.width : kUnbounded;
        const double around_y = lattice.periodic.y ? lattice.height : kUnbounded;
        const double radius = lesser(around_x, around_y) / 4.0, reach = 0.6 * radius;
        const int32_t columns = columns_within(reach, 1);
        uint32_t met = 0;  // a bit mask: loads run in parallel, because no test depends on another
        for (int k = 0; k < kRing && columns >= 0; ++k) {
            const Point p = place_around(site, radius, k);
            met |= uint32_t(row_is_bounded(bins.grid->row(p.y)) && row_holds(bins.grid->row(p.y), p.x, columns)) << k;
        }
        for (int k = 0; k < kRing; ++k)
            if (!(met >> k & 1) && !has_site_within(place_around(site, radius, k), reach)) return true;
        return false;
    }
    FLIPSCOPE_HD Point place_around(Point site, double radius, int direction) const {
        const double step = direction & 1 ? radius * 0.7071067811865476 : radius;
        return bins.lattice.wrapped({site.x + step * ring_dx(direction), site.y + step * ring_dy(direction)});
    }
    /// The number of bins to either side of any place that lie within `reach` of it, in its own row, or in all rows up
    /// to `rows` - 1 away. Negative: not even its own bin.
    FLIPSCOPE_HD int32_t columns_within(double reach, int32_t rows) const {
        const BinGrid& grid = *bins.grid;
        const double height = rows * grid.height, squared = reach * reach - height * height;
        if (bins.tree.levels > 0 || !(squared > 0)) return -1;
        const double most = 0.99 * sqrt(squared) / grid.width;
        return most < grid.columns ? static_cast<int32_t>(most) - 1 : static_cast<int32_t>(grid.columns);
    }
    /// Whether all sites in the row's bins lie within its height: bins at an open border have no outer bound.
    FLIPSCOPE_HD bool row_is_bounded(int32_t row) const {
        return bins.lattice.periodic.y || (row > 0 && row + 1 < static_cast<int32_t>(bins.grid->rows));
    }
    /// Whether there is a site in the row's bins around x, except bins across a period or at an open border.
    FLIPSCOPE_HD bool row_holds(int32_t row, double x, int32_t columns) const {
        const int32_t first = bins.lattice.periodic.x ? 0 : 1,
                      last = static_cast<int32_t>(bins.grid->columns) - 1 - first;
        const int32_t width = bins.grid->columns, column = bins.grid->column(x);
        if (column < first || column > last) return false;
        const int32_t left = column - columns > first ? column - columns : first;
        const int32_t right = column + columns < last ? column + columns : last;
        return bins.starts[row * width + left] < bins.starts[row * width + right + 1];
    }
    /// Whether there is a site within `reach` of p, which must lie within the lattice along periodic axes.
    FLIPSCOPE_HD bool has_site_within(Point p, double reach) const {
        const int32_t columns = columns_within(reach, 2), rows = bins.grid->rows, row = bins.grid->row(p.y);
        const auto holds = [&](int32_t other) { return row_is_bounded(other) && row_holds(other, p.x, columns); };
        if (columns >= 0 && row_is_bounded(row)) {
            if (row + 1 < rows && holds(row + 1)) return true;
            if (row > 0 && holds(row - 1)) return true;
        }
        Nearest best;
        bins.find_nearest(p, best);
        return best.squared < reach * reach;
    }

    /// The point across an edge of the cell: a site, or a copy of it around a period. To bound every cell, also the
    /// mirror image of the cell's own site in a side of a box around the lattice, or along a periodic axis its own
    /// copy.
    struct Across {
        Point base;
        double turns_x = 0, turns_y = 0;  // periods
        uint32_t label = kNone;           // kNone: a mirror image

        FLIPSCOPE_HD friend bool operator==(const Across& a, const Across& b) {
            return a.label == b.label && a.base == b.base && a.turns_x == b.turns_x && a.turns_y == b.turns_y;
        }
    };

    struct Walk {
        const LinkExactCells& graph;
        Point site;
        uint32_t label;
        double least;  // length of a Voronoi edge that makes a link, world units

        /// Traverses the cell once, counter-clockwise.
        FLIPSCOPE_HD void around() const {
            Across first = side(0);
            const double begin = set_out(first);
            const Point ahead = seen(first);
            Across across = first;
            double from = begin, first_end = begin;
            bool half_way = false;
            const uint64_t most = 4 * uint64_t(graph.bins.count()) + 8;  // edges
            for (uint64_t edge = 0; edge < most; ++edge) {
                Across next;
                const double to = follow(across, from, next);
                if (edge == 0)
                    first_end = to;
                else
                    link(across, from, to);
                const double turn = cross(ahead, seen(next));
                half_way = half_way || turn < 0;
                if (half_way && turn >= 0) {
                    if (next == first) return link(first, where(first, across), first_end);
                    break;  // rounding has removed the first edge
                }
                from = where(next, across);
                across = next;
            }
            link(first, begin, first_end);
        }

      private:
        FLIPSCOPE_HD const Lattice& lattice() const { return graph.bins.lattice; }
        FLIPSCOPE_HD static double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
        FLIPSCOPE_HD static double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

        /// The vector from one to the other, exact for points close to each other.
        FLIPSCOPE_HD Point way(const Across& a, const Across& b) const {
            return {(b.base.x - a.base.x) + (b.turns_x - a.turns_x) * lattice().width,
                    (b.base.y - a.base.y) + (b.turns_y - a.turns_y) * lattice().height};
        }
        FLIPSCOPE_HD Across own() const { return {site, 0, 0, label}; }
        FLIPSCOPE_HD Point seen(const Across& across) const { return way(own(), across); }

        /// Right, top, left, bottom. The box extends one unit beyond both the lattice and the site.
        FLIPSCOPE_HD Across side(int k) const {
            const double sign = k < 2 ? 1 : -1;
            if (k % 2 ? lattice().periodic.y : lattice().periodic.x)
                return {site, k % 2 ? 0 : sign, k % 2 ? sign : 0, label};
            const double size = k % 2 ? lattice().height : lattice().width, at = k % 2 ? site.y : site.x;
            const double bound = k < 2 ? greater(at, size - 0.5) + 1 : lesser(at, -0.5) - 1;
            const double mirrored = bound + (bound - at);
            return {k % 2 ? Point{site.x, mirrored} : Point{mirrored, site.y}, 0, 0, kNone};
        }
        /// The copy of a site that is nearest to p.
        FLIPSCOPE_HD Across nearest_image(uint32_t other, Point p) const {
            const Point base = graph.bins.sites[other];
            const auto [around_x, around_y] = lattice().periodic;
            return {base, around_x ? floor((p.x - base.x) / lattice().width + 0.5) : 0,
                    around_y ? floor((p.y - base.y) / lattice().height + 0.5) : 0, other};
        }
        /// The site nearest to a place, relative to this one; this one itself if it cannot be decided.
        FLIPSCOPE_HD Across nearest(Point place) const {
            const Point p{site.x + place.x, site.y + place.y};
            const Point q = lattice().wrapped(p);
            Nearest best{lattice().squared_distance(q, site),
                         label};  // starts from this site, so that farther ones need not be searched
            graph.bins.find_nearest(q, best);
            return nearest_image(best.label, p);
        }

        /// Points of the bisector of the site and `across`, relative to the site: the midpoint, plus t times the vector
        /// to `across` turned by a right angle.
        FLIPSCOPE_HD Point place(const Across& across, double t) const {
            const Point b = seen(across);
            return {b.x / 2 - t * b.y, b.y / 2 + t * b.x};
        }
        /// The parameter at which a third point is equidistant; beyond it the third is nearer, if it lies ahead.
        FLIPSCOPE_HD double where(const Across& across, const Across& third) const {
            const Point between = way(across, third);
            return dot(seen(third), between) / (2 * cross(seen(across), between));
        }
        FLIPSCOPE_HD bool lies_ahead(const Across& across, const Across& third) const {
            return cross(seen(across), way(across, third)) > 0;
        }

        FLIPSCOPE_HD bool is_news(const Across& other, const Across& across, const Across& third) const {
            return !(other == own() || other == across || other == third);
        }

        /// Goes from the site towards `first` to the end of the cell, sets `first` to the point across, and returns the
        /// parameter on its bisector.
        FLIPSCOPE_HD double set_out(Across& first) const {
            const Point direction = seen(first);
            double t = 0.5, step = 0.5 / (direction.x + direction.y);  // half a unit; see follow()
            for (;;) {
                const bool all_the_way = !(step < t);
                const double at = all_the_way ? t : step;
                const Across other = nearest({at * direction.x, at * direction.y});
                const Point d = seen(other);
                const double along = dot(direction, d), sooner = dot(d, d) / (2 * along);
                if (!(other == own()) && along > 0 && sooner < t) {
                    t = sooner;
                    first = other;
                    step = kUnbounded;
                } else if (all_the_way) {
                    break;
                } else {
                    step *= 4;
                }
            }
            const Point b = seen(first), from{t * direction.x - b.x / 2, t * direction.y - b.y / 2};
            return cross(b, from) / dot(b, b);
        }
        /// Goes from a place of the cell on the bisector of `across` to the end of the edge, where a third point
        /// begins.
        FLIPSCOPE_HD double follow(const Across& across, double from, Across& third) const {
            double to = kUnbounded;
            for (int k = 0; k < 4; ++k) {
                const Across at = side(k);
                if (!lies_ahead(across, at)) continue;
                const double end = where(across, at);
                if (!(end < to)) continue;
                to = end;
                third = at;
            }
            // From far ahead it takes many steps back, so search near first, then farther and farther.
            double step = 1;
            while (to > from) {
                const bool all_the_way = !(from + step < to);
                const Across other = nearest(place(across, all_the_way ? to : from + step));
                const double sooner =
                    is_news(other, across, third) && lies_ahead(across, other) ? where(across, other) : kUnbounded;
                if (sooner < to) {
                    to = sooner;
                    third = other;
                    step = kUnbounded;
                } else if (all_the_way) {
                    break;
                } else {
                    step *= 4;
                }
            }
            return to;
        }

        /// Links the two if the part of the Voronoi edge on the lattice is long enough.
        FLIPSCOPE_HD void link(const Across& across, double from, double to) const {
            if (across.label == kNone || across.label == label || across.label >= graph.labels) return;
            const Point b = seen(across);
            const double x = site.x + b.x / 2, y = site.y + b.y / 2;
            if (!lattice().periodic.x) clip_to_range(x, -b.y, -0.5, lattice().width - 0.5, from, to);
            if (!lattice().periodic.y) clip_to_range(y, b.x, -0.5, lattice().height - 0.5, from, to);
            if (!(to > from && (to - from) * (to - from) * dot(b, b) >= least * least)) return;
            const Point begin = place(across, from), end = place(across, to);
            FreePart free;
            look_along(
                lattice(), [&](uint32_t pixel) { return graph.colours[pixel] == kMaxLink; },
                {site.x + begin.x, site.y + begin.y}, {site.x + end.x, site.y + end.y}, kLeastContact, free);
            if (free.blocked() || lattice().parted(site, graph.bins.sites[across.label])) return;
            graph.rows.insert(label, across.label);
            graph.rows.insert(across.label, label);
        }
    };
};

}  // namespace flipscope
