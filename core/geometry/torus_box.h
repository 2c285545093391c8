// A rectangular box that closes on itself, the flat torus, with coordinates whose differences are exact. Positions lie
// on one grid along both axes, of 2^-46 of the power of two that is not below the longer side, and both sides are whole
// numbers of grid steps too. So a position is a whole number below 2^46 times a power of two; a difference of two
// positions, with up to 16 longer sides added or subtracted, is one below 2^51, which a double holds without rounding.
// Therefore the predicates of predicates.h, applied to such differences from one corner, are exact for points of the
// torus on either side of a border; and moving all points by a multiple of the grid does not change the result. One
// step is below 2e-14 of the longer side, some thousand times less than what a float of the same size resolves.
//
// An edge of a Delaunay triangulation of the torus leads over at most one side along each axis: its circle holds no
// point, so it ends on each line along the axis within one side of where it begins. While points are inserted edges are
// no longer than the greatest empty circle before is wide, which is at most the diagonal of the box. Shifts are counted
// in 8 bits, so the longer side is at most kMostAspect shorter ones, and so is the extent of a cylinder.
//
// A cylinder is a box that is open along one axis: there points lie within its extent, and its side stands for an
// infinite one. It is four times the extent or more. So the shortest way between two points along that axis is the
// straight one, and all that measures distances on the torus measures them on the cylinder; and a difference of two
// images shows by its size how many sides it spans (changes_level()). Only predicates must not take the side for a
// number (cylinder_predicates.h): a triangulation of this torus whose open side is infinite contains that of the
// cylinder, and triangles with an edge whose shift along the open axis is not 0 lie beyond its two borders.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

inline constexpr int kMostShift = 16;       // longer sides; differences are exact up to there
inline constexpr double kMostAspect = 100;  // of a box: its longer side over the shorter one; extent over circumference

/// The axis along which a box is not periodic.
enum class OpenAxis : uint8_t { kNone, kX, kY };

struct TorusBox {
    Point sides{1, 1};          // width and height, world units; multiples of `grid`
    double grid = 0x1p-46;      // world units; a power of two
    double round_up = 0x1.8p6;  // 1.5 · 2^52 · grid: adding and subtracting it rounds to the grid
    double extent = 0;          // of a cylinder, along its open axis: points lie from 0 to it; a multiple of `grid`
    OpenAxis open = OpenAxis::kNone;

    /// The box whose sides are the multiples of the grid nearest to `lengths`, which are above 0 and at most 2^100, and
    /// within kMostAspect of each other.
    static TorusBox of(Point lengths) {
        int exponent = 0;
        const double mantissa = std::frexp(lengths.x > lengths.y ? lengths.x : lengths.y, &exponent);
        if (mantissa == 0.5) --exponent;  // a power of two itself
        TorusBox box;
        box.grid = std::ldexp(1.0, exponent - 46);
        box.round_up = 1.5 * std::ldexp(1.0, exponent + 6);
        box.sides = box.on_grid(lengths);
        return box;
    }
    static TorusBox of(double side) { return of(Point{side, side}); }
    /// The cylinder of this circumference along the axis that is not open, and this extent along the other one, at most
    /// kMostAspect circumferences.
    static TorusBox of_cylinder(double circumference, double extent, OpenAxis open) {
        const double side = 4 * extent > circumference ? 4 * extent : circumference;
        TorusBox box = of(open == OpenAxis::kX ? Point{side, circumference} : Point{circumference, side});
        box.extent = box.on_grid(extent);
        box.open = open;
        return box;
    }

    FLIPSCOPE_HD bool is_cylinder() const { return open != OpenAxis::kNone; }
    /// Width and height of the domain of points, world units.
    FLIPSCOPE_HD Point lengths() const {
        return {open == OpenAxis::kX ? extent : sides.x, open == OpenAxis::kY ? extent : sides.y};
    }
    bool is_square() const { return sides.x == sides.y && !is_cylinder(); }
    /// Width and height of the period; 0 along an open axis.
    Point periods() const { return {open == OpenAxis::kX ? 0 : sides.x, open == OpenAxis::kY ? 0 : sides.y}; }
    FLIPSCOPE_HD double shorter() const { return sides.x < sides.y ? sides.x : sides.y; }
    FLIPSCOPE_HD double longer() const { return sides.x < sides.y ? sides.y : sides.x; }
    FLIPSCOPE_HD double area() const { return lengths().x * lengths().y; }
    /// Whether a place is in [0, width) × [0, height); along an open axis in [0, extent].
    FLIPSCOPE_HD bool holds(Point p) const {
        return p.x >= 0 && (open == OpenAxis::kX ? p.x <= extent : p.x < sides.x) && p.y >= 0 &&
               (open == OpenAxis::kY ? p.y <= extent : p.y < sides.y);
    }
    /// Whether an edge of this shift, or a triangle with one, lies beyond the borders of a cylinder.
    FLIPSCOPE_HD bool is_beyond(ImageShift shift) const {
        return (open == OpenAxis::kX && shift.x != 0) || (open == OpenAxis::kY && shift.y != 0);
    }

    /// On a cylinder: whether two images with this difference lie on different levels of its open axis.
    FLIPSCOPE_HD bool changes_level(Point d) const {
        return (open == OpenAxis::kX && fabs(d.x) > sides.x / 2) || (open == OpenAxis::kY && fabs(d.y) > sides.y / 2);
    }

    /// The nearest multiple of the grid; |v| at most 32 longer sides.
    FLIPSCOPE_HD double on_grid(double v) const { return (v + round_up) - round_up; }
    FLIPSCOPE_HD Point on_grid(Point p) const { return {on_grid(p.x), on_grid(p.y)}; }
    /// The number of sides to add to v, a multiple of the grid, to move it into [0, side).
    FLIPSCOPE_HD static int sides_to_add(double v, double side) {
        int sides = 0;
        for (; v < 0; v += side) ++sides;
        for (; v >= side; v -= side) --sides;
        return sides;
    }
    /// Wraps a place on the grid into the box. Exact.
    FLIPSCOPE_HD Point wrapped(Point p) const {
        return {p.x + sides.x * sides_to_add(p.x, sides.x), p.y + sides.y * sides_to_add(p.y, sides.y)};
    }
    /// The shortest to - from, each coordinate in about (-side/2, side/2]; both in the box. Exact.
    FLIPSCOPE_HD Point shortest(Point from, Point to) const {
        return {shortest_1d(to.x - from.x, sides.x), shortest_1d(to.y - from.y, sides.y)};
    }
    FLIPSCOPE_HD static double shortest_1d(double d, double side) {
        const double half = side / 2;
        return d > half ? d - side : d < -half ? d + side : d;
    }
    /// The difference from a point to an image of another one. Exact.
    FLIPSCOPE_HD Point to_image(Point from, Point to, ImageShift shift) const {
        return {(to.x - from.x) + sides.x * shift.x, (to.y - from.y) + sides.y * shift.y};
    }
    /// An image of a point. Exact.
    FLIPSCOPE_HD Point image(Point p, ImageShift shift) const {
        return {p.x + sides.x * shift.x, p.y + sides.y * shift.y};
    }
};

/// A torus known at compile time: the compiler removes the code for cylinders.
struct ClosedBox : TorusBox {
    ClosedBox() = default;
    FLIPSCOPE_HD explicit ClosedBox(const TorusBox& box) : TorusBox(box) {}
    FLIPSCOPE_HD static constexpr bool is_cylinder() { return false; }
    FLIPSCOPE_HD Point lengths() const { return sides; }
    FLIPSCOPE_HD static constexpr bool changes_level(Point) { return false; }
};

/// Calls run(box), with a ClosedBox for a torus: for kernels that need more registers for cylinders.
template <class Run>
auto with_static_box(const TorusBox& box, const Run& run) {
    return box.is_cylinder() ? run(box) : run(ClosedBox(box));
}

}  // namespace flipscope
