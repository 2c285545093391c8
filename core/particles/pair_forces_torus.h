// Coordinates on a torus as the sums of forces take them, and differences of them by the nearest image. In float they
// are whole multiples of 2^-32 of the side, in 32 bits, so that a difference wraps round by itself; in double whole
// multiples of the box's grid, whose differences are exact.
#pragma once

#include <cstdint>

#include "geometry/torus_box.h"

namespace flipscope {

template <class Real>
struct TorusMetric;

template <>
struct TorusMetric<float> {
    using Coordinate = uint32_t;

    /// How many units a world unit has.
    static double scale(const TorusBox& box) { return 0x1p32 / box.side; }
    /// Of a place in [0, side), in world units; the nearest multiple, and the side itself is 0.
    FLIPSCOPE_HD static uint32_t coordinate(double value, double scale) {
        return static_cast<uint32_t>(static_cast<uint64_t>(value * scale + 0.5));
    }
    /// A difference to the nearest image; half a side becomes minus half a side.
    FLIPSCOPE_HD float wrap(uint32_t d) const { return static_cast<float>(static_cast<int32_t>(d)); }
    FLIPSCOPE_HD float difference(uint32_t a, uint32_t b) const { return wrap(a - b); }
};

template <>
struct TorusMetric<double> {
    using Coordinate = double;
    double side = 1, half = 0.5;  // multiples of the grid

    static double scale(const TorusBox& box) { return 1 / box.grid; }
    static TorusMetric of(const TorusBox& box) { return {box.side / box.grid, box.side / box.grid / 2}; }
    FLIPSCOPE_HD static double coordinate(double value, double scale) { return value * scale; }
    FLIPSCOPE_HD double wrap(double d) const { return d - (d >= half ? side : d < -half ? -side : 0.0); }
    FLIPSCOPE_HD double difference(double a, double b) const { return wrap(a - b); }
};

/// own - partner, where the one of the pair with the lower place (or id) says which of two images equally near is
/// meant: both then see the same one, and their forces are opposite to the last bit.
template <class Real>
FLIPSCOPE_HD inline Real difference_of_pair(const TorusMetric<Real>& metric, bool partner_first,
                                            typename TorusMetric<Real>::Coordinate own,
                                            typename TorusMetric<Real>::Coordinate partner) {
    return partner_first ? -metric.difference(partner, own) : metric.difference(own, partner);
}

}  // namespace flipscope
