#include "delaunay/torus/wrap_points.h"

#include <algorithm>

#include "compute/error.h"
#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope {

void require_box(const std::string& where, Point sides) {
    const auto given = [&] { return where + (where.empty() ? "" : ": "); };
    for (const double side : {sides.x, sides.y})
        if (!(side >= kLeastSide && side <= kMostSide))
            throw Error(given() + "the side of the periodic box cannot be " + format_exactly(side) +
                        "; it must be a number from " + format_exactly(kLeastSide) + " to " +
                        format_exactly(kMostSide));
    if (std::max(sides.x, sides.y) > kMostAspect * std::min(sides.x, sides.y))
        throw Error(given() + "a periodic box of " + format_exactly(sides.x) + " by " + format_exactly(sides.y) +
                    " is too long; its longer side can be " + format_exactly(kMostAspect) +
                    " times the shorter one at most");
}

Point box_meant(const Geometry& input, Point sides) {
    if (sides.x == 0 && sides.y == 0) sides = input.box;
    if ((sides.x == 0) != (sides.y == 0))
        throw Error(
            (input.name.empty() ? "" : input.name + ": ") + "a box that is periodic along " +
            (sides.x > 0 ? "x" : "y") +
            " alone is a cylinder, and only a torus can be triangulated; set box=WIDTHxHEIGHT to join the other "
            "two borders, too");
    return sides;
}

std::string box_text(Point sides) {
    if (sides.x == sides.y) return "side " + format_short(sides.x);
    return format_short(sides.x) + " by " + format_short(sides.y);
}

}  // namespace flipscope
