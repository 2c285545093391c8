// A square box that closes on itself, the flat torus, with coordinates whose differences are exact. Positions lie on a
// grid of 2^-46 of the power of two that is not below the side, and the side is a whole number of grid steps too. So a
// position is a whole number below 2^46 times a power of two; a difference of two positions, with up to 16 sides added
// or taken away, is one below 2^51, which a double holds without rounding. The predicates of predicates.h, asked about
// such differences from one corner, therefore answer exactly about points of the torus, on whichever side of the border
// these lie; and moving all points by a multiple of the grid changes no answer. One step is below 2e-14 of the side,
// some thousand times less than what a float of the same size resolves.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

/// By how many sides the image of a point that is meant lies off the point itself.
struct alignas(2) ImageShift {  // read at once
    int8_t x = 0, y = 0;
    FLIPSCOPE_HD friend ImageShift operator+(ImageShift a, ImageShift b) {
        return {int8_t(a.x + b.x), int8_t(a.y + b.y)};
    }
    FLIPSCOPE_HD friend ImageShift operator-(ImageShift a) { return {int8_t(-a.x), int8_t(-a.y)}; }
    FLIPSCOPE_HD friend bool operator==(ImageShift a, ImageShift b) { return a.x == b.x && a.y == b.y; }
};
inline constexpr int kMostShift = 16;  // sides; differences are exact up to there

struct TorusBox {
    double side = 1;            // L, world units; a multiple of `grid`
    double grid = 0x1p-46;      // world units; a power of two
    double round_up = 0x1.8p6;  // 1.5 · 2^52 · grid: adding and subtracting it rounds to the grid

    /// The box whose side is the multiple of the grid nearest to `length`, which is above 0 and at most 2^100.
    static TorusBox of(double length) {
        int exponent = 0;
        const double mantissa = std::frexp(length, &exponent);
        if (mantissa == 0.5) --exponent;  // a power of two itself
        TorusBox box;
        box.grid = std::ldexp(1.0, exponent - 46);
        box.round_up = 1.5 * std::ldexp(1.0, exponent + 6);
        box.side = box.on_grid(length);
        return box;
    }

    /// The nearest multiple of the grid; |v| at most 32 sides.
    FLIPSCOPE_HD double on_grid(double v) const { return (v + round_up) - round_up; }
    /// How many sides must be added to v, a multiple of the grid, for it to lie in [0, side).
    FLIPSCOPE_HD int sides_to_add(double v) const {
        int sides = 0;
        for (; v < 0; v += side) ++sides;
        for (; v >= side; v -= side) --sides;
        return sides;
    }
    /// to - from by the shortest way, each coordinate in (-side/2, side/2] or so; both in [0, side). Exact.
    FLIPSCOPE_HD Point shortest(Point from, Point to) const {
        return {shortest_1d(to.x - from.x), shortest_1d(to.y - from.y)};
    }
    FLIPSCOPE_HD double shortest_1d(double d) const {
        const double half = side / 2;
        return d > half ? d - side : d < -half ? d + side : d;
    }
    /// From a point to that image of another one. Exact.
    FLIPSCOPE_HD Point to_image(Point from, Point to, ImageShift shift) const {
        return {(to.x - from.x) + side * shift.x, (to.y - from.y) + side * shift.y};
    }
};

}  // namespace flipscope
