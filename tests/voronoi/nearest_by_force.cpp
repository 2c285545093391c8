// Separate from the tests that use it, since exact arithmetic takes long to compile.
#include <boost/multiprecision/cpp_int.hpp>

#include "voronoi/site_sets.h"

namespace flipscope {

namespace {

using Rational = boost::multiprecision::cpp_rational;

/// Of the nearest of all images.
Rational squared_distance(const Lattice& lattice, Point a, Point b) {
    const auto along = [](double from, double to, double period, bool periodic) {
        const Rational d = Rational(to) - Rational(from);
        Rational least = d * d;
        for (const int turn : {-1, 1}) {
            const Rational turned = d + Rational(turn * period);
            if (periodic && turned * turned < least) least = turned * turned;
        }
        return least;
    };
    return along(a.x, b.x, lattice.width, lattice.periodic.x) + along(a.y, b.y, lattice.height, lattice.periodic.y);
}

}  // namespace

uint32_t nearest_by_force(const Lattice& lattice, const std::vector<Point>& sites, Point p) {
    double least = std::numeric_limits<double>::infinity();
    for (const Point site : sites) {
        const double squared = lattice.squared_distance(p, site);
        if (squared < least) least = squared;
    }
    const double periods =
        lattice.periodic.any() ? double(lattice.width) * lattice.width + lattice.height * lattice.height : 0;
    const double doubtful = least + 1e-12 * (least + periods);
    uint32_t best = kNone;
    Rational best_squared;  // once there is another one about as near
    bool known = false;
    for (uint32_t label = 0; label < sites.size(); ++label) {
        if (!(lattice.squared_distance(p, sites[label]) <= doubtful)) continue;
        if (best == kNone) {
            best = label;
            continue;
        }
        if (sites[label] == sites[best]) continue;
        if (!known) best_squared = squared_distance(lattice, p, sites[best]);
        known = true;
        const Rational squared = squared_distance(lattice, p, sites[label]);
        if (squared < best_squared) {
            best = label;
            best_squared = squared;
        }
    }
    return best;
}

}  // namespace flipscope
