#include "instruments/triangle_words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>

#include "compute/text.h"

namespace flipscope {

namespace {

/// The value with its rounding error, or an exact 0.
Property determinant_property(const detail::Determinant& rounded, int sign) {
    if (sign == 0)
        return {"Determinant", 0.0,
                rounded.value == 0 ? "exactly; in doubles, too"
                                   : "exactly; in doubles it is " + format_short(rounded.value) + ", off by at most " +
                                         format_short(rounded.error)};
    return {"Determinant", Value(rounded.value).within(rounded.error),
            std::fabs(rounded.value) > rounded.error
                ? "in doubles, and the most by which rounding has changed it: its sign is sure"
                : "in doubles, and the most by which rounding has changed it: too near to 0, so its sign comes from "
                  "exact arithmetic"};
}

/// Lists the naive predicates with a wrong sign, if any.
void add_wrong_predicates(std::span<const PredicateMode> modes, const std::function<int(PredicateMode)>& naive,
                          int sign, Properties& properties) {
    std::string wrong;
    for (const PredicateMode mode : modes)
        if (naive(mode) != sign) wrong += (wrong.empty() ? "" : ", ") + std::string(name_of(mode));
    if (!wrong.empty()) properties.add("Wrong sign by", wrong, "naive predicates");
}

}  // namespace

int add_in_circle(Point from, Point to, Point left, Point right, const std::string& apex, const std::string& circle,
                  Properties& properties) {
    const int sign = incircle(from, to, left, right);
    const bool no_circle = orient2d(from, to, left) == 0;
    properties.add("In-circle",
                   std::string(sign_name(sign)) + (no_circle  ? " (no circle)"
                                                   : sign > 0 ? " (inside)"
                                                   : sign < 0 ? " (outside)"
                                                              : " (on the circle)"),
                   apex + " against " + circle +
                       (no_circle ? ", which is flat: the sign of the determinant, exactly" : ", exactly"));
    properties.list.push_back(determinant_property(detail::incircle(from, to, left, right), sign));
    return sign;
}

void add_flat(const std::vector<int64_t>& triangles, Properties& properties) {
    if (triangles.empty()) return;
    properties.add("Flat", triangles,
                   triangles.size() == 1 ? "this triangle's three points lie on one line, so it has no circle"
                                         : "each triangle's three points lie on one line, so they have no circle");
}

void add_wrong_in_circle(Point a, Point b, Point c, Point d, int sign, Properties& properties) {
    add_wrong_predicates(
        kNaivePredicates,
        [&](PredicateMode mode) {  // a circumcentre does not depend on the orientation of a, b, c
            return naive_in_circle(mode, a, b, c, d) * (uses_circumcentre(mode) ? orient2d(a, b, c) : 1);
        },
        sign, properties);
}

std::optional<Circle> circumcircle(Point a, Point b, Point c) {
    const detail::Determinant doubled = detail::orient2d(a, b, c);
    if (std::fabs(doubled.value) <= doubled.error) return {};
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    const double b2 = bx * bx + by * by, c2 = cx * cx + cy * cy, four = 2 * doubled.value;
    const double ux = (cy * b2 - by * c2) / four, uy = (bx * c2 - cx * b2) / four;
    return Circle{{a.x + ux, a.y + uy}, std::hypot(ux, uy)};
}

void highlight_circle(const Circle& circle, uint32_t triangle, double side, Role role,
                      std::vector<Highlight>& highlights) {
    constexpr double kMostSides = 1e10;
    if (!(circle.radius < kMostSides * side)) return;
    highlights.push_back({Highlight::Kind::kCircle,
                          {{circle.centre.x, circle.centre.y, 0}},
                          circle.radius,
                          role,
                          "circumcircle of triangle " + std::to_string(triangle)});
}

void highlight_circumcircle(Point a, Point b, Point apex, uint32_t triangle, Role role,
                            std::vector<Highlight>& highlights) {
    if (const auto circle = circumcircle(a, b, apex))
        highlight_circle(*circle, triangle, std::hypot(b.x - a.x, b.y - a.y), role, highlights);
}

void describe_triangle(uint32_t triangle, const std::array<Point, 3>& corners, Point offset, Properties& properties,
                       std::vector<Highlight>& highlights) {
    const Point a = corners[0], b = corners[1], d = corners[2];
    const detail::Determinant doubled = detail::orient2d(a, b, d);
    const int turn = orient2d(a, b, d);
    properties.add("Orientation",
                   turn > 0   ? "counter-clockwise"
                   : turn < 0 ? "clockwise: inverted"
                              : "flat",
                   turn == 0 ? "exactly: its three points lie on one line" : "exact");
    add_wrong_predicates(
        std::span(kNaivePredicates).first(2), [&](PredicateMode mode) { return orient(mode, a, b, d); }, turn,
        properties);
    const char* const squared = "world units squared";
    if (turn == 0) {
        properties.add("Area", Value(0.0, squared),
                       doubled.value == 0 ? "exactly"
                                          : "exactly; in doubles " + format_short(doubled.value / 2) +
                                                ", off by at most " + format_short(doubled.error / 2));
        properties.add("Minimum angle", Value(0.0, "°"));
        for (const char* name : {"Circumcentre", "Circumradius"})
            properties.add(name, "none", "no circle goes through three points of one line");
        return;
    }
    const bool sure = std::fabs(doubled.value) > doubled.error;
    properties.add("Area", Value(doubled.value / 2, squared).within(sure ? 0 : doubled.error / 2),
                   sure ? "" : "in doubles: its sign is that of the orientation");
    double least = 180;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point p = corners[k], q = corners[(k + 1) % 3], r = corners[(k + 2) % 3];
        const double angle = std::atan2(std::fabs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)),
                                        (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y));
        least = std::min(least, angle * 180 / 3.14159265358979323846);
    }
    properties.add("Minimum angle", Value(least, "°"));
    const std::optional<Circle> circle = circumcircle(a, b, d);
    if (!circle) {
        for (const char* name : {"Circumcentre", "Circumradius"})
            properties.add(name, "not known", "the triangle is too nearly flat for doubles");
        return;
    }
    constexpr double kResolution = 1e-6;  // of the radius
    const Circle placed{{circle->centre.x + offset.x, circle->centre.y + offset.y}, circle->radius};
    properties.add("Circumcentre", Value(placed.centre, "world units", kResolution * placed.radius), "rounded");
    properties.add("Circumradius", Value(placed.radius, "world units"));
    highlight_circle(placed, triangle, std::hypot(b.x - a.x, b.y - a.y), Role::kPlain, highlights);
}

}  // namespace flipscope
