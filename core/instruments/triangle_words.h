// What is told of a triangle, of a circle and of the sign of a determinant: in the same words for the plane and for a
// torus, whose triangles are told of by the images of their corners that are meant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/predicates.h"
#include "lab/report.h"

namespace flipscope {

/// What the value is where rounding can have changed it by its error at most, or nothing but 0 is left of it, exactly.
Property determinant_property(const detail::Determinant& rounded, int sign);
/// Names the naive predicates whose in-circle sign is not `sign`, the exact one.
void add_wrong_in_circle(Point a, Point b, Point c, Point d, int sign, Properties& properties);

struct Circle {
    Point centre;
    double radius;
};
/// Through three points that are surely no line in doubles; nothing: they may be one.
std::optional<Circle> circumcircle(Point a, Point b, Point c);

/// `side`: length of one of the triangle's. Beyond so many times that, centre and radius no longer carry the circle,
/// and the triangle's longest side is as good as its arc.
void highlight_circle(const Circle& circle, uint32_t triangle, double side, Role role,
                      std::vector<Highlight>& highlights);

/// Orientation, area, minimum angle and circumcircle. What is told in places is moved by `offset`.
void tell_triangle(uint32_t triangle, const std::array<Point, 3>& corners, Point offset, Properties& properties,
                   std::vector<Highlight>& highlights);

}  // namespace flipscope
