#include "voronoi/torus_lattice.h"

#include <algorithm>
#include <cmath>

#include "compute/error.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

constexpr double kLeast = 8, kMost = 16384;  // pixels

}  // namespace

TorusLattice lattice_of_box(const std::string& name, double pixels, Point low, Point size) {
    if (!(size.x > 0 && size.y > 0))
        throw Error(name + ": a box that is periodic along " + (size.x > 0 ? "x" : "y") +
                    " alone is a cylinder, and a lattice is periodic along both axes or open; set box=WIDTHxHEIGHT to "
                    "join the other two borders, too");
    const double shape = size.x / size.y, preferred = std::sqrt(pixels * shape);
    double least = INFINITY;
    TorusLattice best;
    best.stretch = INFINITY;
    for (double width = std::max(kLeast, std::floor(0.8 * preferred));
         width <= std::min(kMost, std::ceil(1.25 * preferred)); ++width) {
        const double height = std::clamp(std::round(width / shape), kLeast, kMost);
        const double error = std::fabs(width / (height * shape) - 1),
                     cost = error + 1e-4 * std::fabs(width / preferred - 1);
        if (cost >= least) continue;
        least = cost;
        best.stretch = error;
        best.lattice = {static_cast<uint32_t>(width), static_cast<uint32_t>(height), true};
    }
    if (!(best.stretch < 0.01))
        throw Error(name + ": a box of " + format_exactly(size.x) + " × " + format_exactly(size.y) +
                    " has too much of one direction for a lattice of 8 to 16384 pixels in each direction");
    best.units = {low, {size.x / best.lattice.width, size.y / best.lattice.height}};
    return best;
}

}  // namespace flipscope
