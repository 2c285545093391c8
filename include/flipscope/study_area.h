// The study area of a point pattern: a rectangle, which may be periodic, or polygons with holes. Points are counted and
// cells are measured within it; statistics are corrected for its border.
#pragma once

#include <vector>

#include "flipscope/point.h"

namespace flipscope {

struct StudyArea {
    Point low, high;                              // the bounds, world units; the area itself if it has no rings
    bool periodic_x = false, periodic_y = false;  // only without rings; low is 0 along a periodic axis, high its side
    /// Open, in the order given, with the area on the left: outer rings run counter-clockwise, holes clockwise. They
    /// may touch at points but do not cross.
    std::vector<std::vector<Point>> rings = {};

    bool is_polygon() const { return !rings.empty(); }
    double area() const;       // world units squared
    double perimeter() const;  // world units; without the periodic sides of a box
    /// Exact. The border belongs to the area; NaN lies outside.
    bool contains(Point p) const;
};

/// The area of these rings by the even-odd rule. A ring may repeat its first point at its end, and may run either way.
/// Throws Error for a ring of fewer than three distinct points or without area, a coordinate out of the range of the
/// predicates, and for sides that cross or overlap, which it names.
StudyArea area_of_rings(std::vector<std::vector<Point>> rings);

/// Throws Error unless low < high, both finite.
StudyArea area_of_rectangle(Point low, Point high);

}  // namespace flipscope
