// Periodic boxes given by users, and the places in them of points from anywhere.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "geometry/torus_box.h"

namespace flipscope {

inline constexpr double kLeastSide = 1e-30, kMostSide = 1e30;  // of a box that points are given for, world units

/// Throws Error, which begins with `where`, for sides that no box can have.
void require_box(const std::string& where, Point sides);
/// The same of a cylinder.
void require_cylinder(const std::string& where, double circumference, double extent, OpenAxis open);

/// "side 30", "30 by 12": after "a periodic box of".
std::string box_text(Point sides);
/// "periodic box of side 30", "box of circumference 30 that is periodic along x"
std::string box_words(const TorusBox& box);

/// The point of the box, on its grid, at which an image of p lies; p is relative to the box's corner. nullopt if p is
/// not a number, or farther off than kMostShift longer sides, where rounding to the grid fails.
inline std::optional<Point> wrap_point(const TorusBox& box, Point p) {
    const double farthest = kMostShift * box.longer();
    if (!(std::fabs(p.x) <= farthest && std::fabs(p.y) <= farthest)) return {};
    return box.wrapped(box.on_grid(p));
}

}  // namespace flipscope
