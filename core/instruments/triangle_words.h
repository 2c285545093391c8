// Descriptions of a triangle, a circle and the sign of a determinant, the same for the plane and for a torus, where
// corners are definite images.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "flipscope/predicates.h"
#include "lab/report.h"

namespace flipscope {

/// The in-circle sign of the apexes left and right of an edge, with the determinant and its rounding error. `apex`: the
/// right one's name; `circle`: "the circle of triangle 12". Returns the sign.
int add_in_circle(Point from, Point to, Point left, Point right, const std::string& apex, const std::string& circle,
                  Properties& properties);
/// Lists the naive predicates whose in-circle sign differs from the exact `sign`.
void add_wrong_in_circle(Point a, Point b, Point c, Point d, int sign, Properties& properties);
/// The triangles of an edge whose three points lie on one line, if any.
void add_flat(const std::vector<int64_t>& triangles, Properties& properties);

struct Circle {
    Point centre;
    double radius;
};
/// The circle through three points; nullopt: they may be collinear up to rounding.
std::optional<Circle> circumcircle(Point a, Point b, Point c);

/// `side`: the length of a side of the triangle. If the radius is much larger, rounding makes the circle meaningless,
/// and the longest side replaces its arc.
void highlight_circle(const Circle& circle, uint32_t triangle, double side, Role role,
                      std::vector<Highlight>& highlights);
/// The circumcircle of a triangle, if it has one; a and b are ends of an edge.
void highlight_circumcircle(Point a, Point b, Point apex, uint32_t triangle, Role role,
                            std::vector<Highlight>& highlights);

/// Orientation, area, minimum angle and circumcircle. Reported places are moved by `offset`.
void describe_triangle(uint32_t triangle, const std::array<Point, 3>& corners, Point offset, Properties& properties,
                       std::vector<Highlight>& highlights);

}  // namespace flipscope
