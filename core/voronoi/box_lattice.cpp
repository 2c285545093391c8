#include "voronoi/box_lattice.h"

#include <algorithm>
#include <cmath>

#include "compute/error.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

constexpr double kLeast = 8, kMost = 16384;  // pixels

[[noreturn]] void refuse(const std::string& name, double width, double height) {
    throw Error(name + ": a box of " + format_exactly(width) + " × " + format_exactly(height) +
                " has too much of one direction for a lattice of 8 to 16384 pixels in each direction");
}

BoxLattice torus_of(const std::string& name, double pixels, Point low, Point size) {
    const double shape = size.x / size.y, preferred = std::sqrt(pixels * shape);
    double least = INFINITY;
    BoxLattice best;
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
    if (!(best.stretch < 0.01)) refuse(name, size.x, size.y);
    best.units = {low, {size.x / best.lattice.width, size.y / best.lattice.height}};
    return best;
}

}  // namespace

BoxLattice lattice_of_box(const std::string& name, double pixels, Point low, Point size, const Bounds& bounds,
                          size_t count) {
    if (size.x > 0 && size.y > 0) return torus_of(name, pixels, low, size);
    const bool along_x = size.x > 0;
    const double period = along_x ? size.x : size.y;
    const double first = along_x ? bounds.low.y : bounds.low.x, last = along_x ? bounds.high.y : bounds.high.x;
    const double extent = std::max(last - first, period / 64);  // gives collinear points some height
    const double margin = 0.7 * std::sqrt(period) * std::sqrt(extent / static_cast<double>(std::max<size_t>(count, 1)));
    const double reach = extent + 2 * margin;
    const double around = std::clamp(std::round(std::sqrt(pixels) * std::sqrt(period / reach)), kLeast, kMost);
    const double unit = period / around, across = std::max(std::ceil(reach / unit), kLeast);
    if (!(across <= kMost)) refuse(name, along_x ? period : reach, along_x ? reach : period);
    const double begin = first / 2 + last / 2 - (across - 1) / 2 * unit;
    BoxLattice made;
    if (along_x) {
        made.lattice = {static_cast<uint32_t>(around), static_cast<uint32_t>(across), {true, false}};
        made.units = {{low.x, begin}, {unit, unit}};
    } else {
        made.lattice = {static_cast<uint32_t>(across), static_cast<uint32_t>(around), {false, true}};
        made.units = {{begin, low.y}, {unit, unit}};
    }
    return made;
}

}  // namespace flipscope
