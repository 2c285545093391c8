// The first triangle of a construction: three of the points, far apart and around the middle, or the corners of a
// finite supertriangle that contains all (algorithm 5 of Drozd 2025, without its O(n²) kernel).
#pragma once

#include "delaunay/constructions/locate.h"
#include "delaunay/constructions/order.h"

namespace flipscope {

struct FirstTriangle {
    uint32_t a = kNone, b = kNone, c = kNone;  // vertex ids, counter-clockwise; kNone: all points lie on one line
    StarCentre centre;
    bool found() const { return c != kNone; }
};

/// a: the point nearest to the middle of the bounds; b: the farthest from a; c: the farthest from the line through both
/// that is certainly not on it. Equal distances: the lowest id. Needs at least one point.
FirstTriangle find_first_triangle(Context& context, View<const Point> positions, uint32_t count, const Bounds& bounds);

/// Corners, counter-clockwise, of an equilateral triangle around the circle that is centred in the bounds, with a
/// radius of twice the greatest distance from there to a point, so at least the largest distance between two points.
void make_supertriangle(Context& context, View<const Point> positions, uint32_t count, const Bounds& bounds,
                        Point (&corners)[3]);

}  // namespace flipscope
