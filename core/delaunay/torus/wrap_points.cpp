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

void require_cylinder(const std::string& where, double circumference, double extent, OpenAxis open) {
    const auto given = where + (where.empty() ? "" : ": ");
    if (!(circumference >= kLeastSide * (1 - 1e-9) && circumference <= kMostSide * (1 + 1e-9)))
        throw Error(given + "the circumference of a box that is periodic along one axis cannot be " +
                    format_exactly(circumference) + "; it must be a number from " + format_exactly(kLeastSide) +
                    " to " + format_exactly(kMostSide));
    if (!(extent <= kMostAspect * circumference))
        throw Error(given + "the points span " + format_short(extent) + " along " + (open == OpenAxis::kX ? "x" : "y") +
                    ", too much for a box that is periodic along " + (open == OpenAxis::kX ? "y" : "x") +
                    " alone with a circumference of " + format_short(circumference) + ": they can span " +
                    format_exactly(kMostAspect) + " times that at most");
}

std::string box_words(const TorusBox& box) {
    if (!box.is_cylinder()) return "periodic box of " + box_text(box.sides);
    return "box of circumference " + format_short(box.open == OpenAxis::kX ? box.sides.y : box.sides.x) +
           " that is periodic along " + (box.open == OpenAxis::kX ? "y" : "x");
}

std::string box_text(Point sides) {
    if (sides.x == sides.y) return "side " + format_short(sides.x);
    return format_short(sides.x) + " by " + format_short(sides.y);
}

}  // namespace flipscope
