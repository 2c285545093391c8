// Where points given anywhere lie in a periodic box: for those that take points as users have them.
#pragma once

#include <cmath>
#include <optional>

#include "geometry/torus_box.h"

namespace flipscope {

inline constexpr double kLeastSide = 1e-30, kMostSide = 1e30;  // of a box that points are given for, world units

/// The point of [0, side)², on the box's grid, that an image of p lies at; p is as seen from the box's corner. Nothing
/// where it is no number, or farther off than kMostShift sides, where it could not be rounded to the grid.
inline std::optional<Point> wrap_point(const TorusBox& box, Point p) {
    if (!(std::fabs(p.x) <= kMostShift * box.side && std::fabs(p.y) <= kMostShift * box.side)) return {};
    p = {box.on_grid(p.x), box.on_grid(p.y)};
    return Point{p.x + box.side * box.sides_to_add(p.x), p.y + box.side * box.sides_to_add(p.y)};
}

}  // namespace flipscope
