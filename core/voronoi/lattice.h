// The lattice that digital Voronoi diagrams live on: its size, its borders, and how far a pixel of it lies from a
// site. Everything that colours, labels or measures on a lattice shares these few lines, so that all methods agree to
// the bit.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/view.h"
#include "flipscope/view.h"
#include "geometry/point.h"

namespace flipscope {

/// The colour of an obstacle (Bernaschi, Lulli and Sbragaglia 2016): larger than every label.
inline constexpr uint32_t kMaxLink = 0x77777777u;

/// Along which axes a lattice is periodic: beyond the last pixel of a row (x), or of a column (y), the first one
/// follows. Along both it is a torus, along one a cylinder, along none open.
struct PeriodicAxes {
    bool x = false, y = false;

    constexpr PeriodicAxes() = default;
    FLIPSCOPE_HD constexpr PeriodicAxes(bool both) : x(both), y(both) {}
    FLIPSCOPE_HD constexpr PeriodicAxes(bool along_x, bool along_y) : x(along_x), y(along_y) {}
    FLIPSCOPE_HD constexpr bool any() const { return x || y; }
    FLIPSCOPE_HD constexpr bool both() const { return x && y; }
    FLIPSCOPE_HD friend constexpr bool operator==(PeriodicAxes a, PeriodicAxes b) { return a.x == b.x && a.y == b.y; }
};

/// Pixels (x, y) with 0 <= x < width and 0 <= y < height, at the points (x, y) of the world; pixel y · width + x.
struct Lattice {
    uint32_t width = 0, height = 0;
    PeriodicAxes periodic = {};  // true or false: along both axes, or none
    // Obstacles close a torus along its border x = 0, or y = 0: cells that reach around them do not touch.
    bool walled_x = false, walled_y = false;

    FLIPSCOPE_HD uint32_t pixel_count() const { return width * height; }
    FLIPSCOPE_HD uint32_t pixel(uint32_t x, uint32_t y) const { return y * width + x; }
    FLIPSCOPE_HD uint32_t x_of(uint32_t pixel) const { return pixel % width; }
    FLIPSCOPE_HD uint32_t y_of(uint32_t pixel) const { return pixel / width; }
    FLIPSCOPE_HD friend bool operator==(const Lattice& a, const Lattice& b) {
        return a.width == b.width && a.height == b.height && a.periodic == b.periodic && a.walled_x == b.walled_x &&
               a.walled_y == b.walled_y;
    }

    /// b - a on the shortest way, world units; along a periodic axis at most half a period, if both lie in [0, period].
    FLIPSCOPE_HD static double shortest(double a, double b, double period) {
        const double d = b - a;
        return 2 * d > period ? d - period : 2 * d < -period ? d + period : d;
    }
    FLIPSCOPE_HD double difference_x(double a, double b) const { return periodic.x ? shortest(a, b, width) : b - a; }
    FLIPSCOPE_HD double difference_y(double a, double b) const { return periodic.y ? shortest(a, b, height) : b - a; }
    FLIPSCOPE_HD Point difference(Point a, Point b) const { return {difference_x(a.x, b.x), difference_y(a.y, b.y)}; }
    /// Whether the shortest way between two places leads through a wall along the border.
    FLIPSCOPE_HD bool parted(Point a, Point b) const {
        return (walled_x && 2 * std::fabs(b.x - a.x) > width) || (walled_y && 2 * std::fabs(b.y - a.y) > height);
    }
    /// The squared distance, rounded as doubles are: the same on every device, and exact where the coordinates of the
    /// site are multiples of 2^-10 on a lattice of up to 2^14. Colours are decided by nearest.h, which compares what
    /// rounding may have turned around without it.
    FLIPSCOPE_HD double squared_distance(Point a, Point b) const {
        const Point d = difference(a, b);
        return d.x * d.x + d.y * d.y;
    }
    FLIPSCOPE_HD Point place(uint32_t pixel) const { return {double(x_of(pixel)), double(y_of(pixel))}; }
    /// The same place within [0, width) along x and [0, height) along y, where these are periodic, of an infinite place
    /// no number; along an open axis the coordinate itself.
    FLIPSCOPE_HD Point wrapped(Point p) const {
        return {periodic.x ? wrapped(p.x, width) : p.x, periodic.y ? wrapped(p.y, height) : p.y};
    }
    FLIPSCOPE_HD static double wrapped(double x, double period) {
        if (x >= -period && x < 2 * period) {  // exact, and what nearly all are
            if (x < 0) x += period;
            return x >= period ? x - period : x;
        }
        x = std::fmod(x, period);
        if (x < 0) x += period;
        return x >= period ? 0 : x;
    }
};

/// Where a lattice lies in the units of the input: pixel (0, 0), and how far it is to the next in x and in y.
struct LatticeUnits {
    Point origin, unit{1, 1};
    FLIPSCOPE_HD Point as_given(Point place) const {
        return {origin.x + place.x * unit.x, origin.y + place.y * unit.y};
    }
    FLIPSCOPE_HD Point on_lattice(Point given) const {
        return {(given.x - origin.x) / unit.x, (given.y - origin.y) / unit.y};
    }
};

}  // namespace flipscope
