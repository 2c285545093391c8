// Sets of sites for tests of colourings and bins: uniformly random ones, all degenerate kinds; and all borders of a
// lattice.
#pragma once

#include <cmath>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "voronoi/lattice.h"

namespace flipscope {

inline constexpr PeriodicAxes kAllBorders[] = {false, true, {true, false}, {false, true}};

inline std::ostream& operator<<(std::ostream& out, PeriodicAxes periodic) {
    return out << (periodic.both() ? "periodic"
                   : periodic.x    ? "periodic along x"
                   : periodic.y    ? "periodic along y"
                                   : "open");
}

inline std::ostream& operator<<(std::ostream& out, const Lattice& lattice) {
    return out << lattice.width << " × " << lattice.height << ", " << lattice.periodic;
}

inline constexpr const char* kSiteSets[] = {"random",   "coincident", "two piles", "on sites", "collinear",
                                            "in a row", "ring",       "cluster",   "speck",    "clusters",
                                            "half",     "outside",    "corner"};

/// `n` sites of that kind over the lattice. Of "outside" most lie beyond it, far and near.
inline std::vector<Point> site_set(const std::string& kind, uint32_t n, const Lattice& lattice,
                                   std::mt19937_64& random) {
    const double w = lattice.width, h = lattice.height;
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal;
    const auto any = [&] { return Point{unit(random) * w, unit(random) * h}; };
    const auto pixel = [&] { return Point{std::floor(unit(random) * w), std::floor(unit(random) * h)}; };
    const Point here = any(), there = any();
    std::vector<Point> places(1 + random() % 9);
    for (Point& place : places) place = any();
    std::vector<Point> sites(n);
    for (uint32_t i = 0; i < n; ++i) {
        Point& p = sites[i];
        const double t = unit(random), angle = 6.283185307179586 * t;
        const auto around = [&](Point c, double size) {
            return lattice.wrapped({c.x + size * normal(random), c.y + size * normal(random)});
        };
        if (kind == "coincident")
            p = here;
        else if (kind == "two piles")
            p = random() % 2 ? here : there;
        else if (kind == "on sites")  // with many ties
            p = pixel();
        else if (kind == "collinear")
            p = {here.x + t * (there.x - here.x), here.y + t * (there.y - here.y)};
        else if (kind == "in a row")
            p = {std::floor(t * w), std::floor(here.y)};
        else if (kind == "ring")  // of equal distance to a pixel, about
            p = lattice.wrapped(
                {std::floor(w / 2) + w / 3 * std::cos(angle), std::floor(h / 2) + w / 3 * std::sin(angle)});
        else if (kind == "cluster")
            p = around(here, 0.02 * w);
        else if (kind == "speck")
            p = around(here, 1e-7);
        else if (kind == "clusters")
            p = around(places[random() % places.size()], 0.01 * w);
        else if (kind == "half")
            p = {t * w / 2, unit(random) * h};
        else if (kind == "corner")
            p = {t * w / 50, unit(random) * h / 50};
        else if (kind == "outside")
            p = lattice.wrapped({(3 * t - 1) * w, (random() % 3 ? 3 * unit(random) - 1 : -5.0) * h});
        else
            p = any();
    }
    return sites;
}

/// The reference for all methods: all sites, one after the other, and rational numbers where doubles cannot tell.
/// Of equally near ones the lowest label; kNone when none is at a finite distance.
uint32_t nearest_by_force(const Lattice& lattice, const std::vector<Point>& sites, Point p);

}  // namespace flipscope
