// Coordinates on a torus for the sums of forces, and their nearest-image differences. In float they are whole multiples
// of 2^-32 of the side, in 32 bits, so that differences wrap around automatically; the units of both axes are equal
// only in a square, so sums over a rectangle are taken in double. In double they are whole multiples of the box's grid,
// whose differences are exact.
#pragma once

#include <cstdint>

#include "geometry/torus_box.h"
#include "particles/model.h"

namespace flipscope {

/// The precision of the sums of forces in a box.
inline Precision precision_in(const TorusBox& box, Precision wanted) {
    return box.is_square() ? wanted : Precision::kDouble;
}

template <class Real>
struct TorusMetric;

template <>
struct TorusMetric<float> {
    using Coordinate = uint32_t;

    /// Units per world unit along each axis.
    static Point scale(const TorusBox& box) { return {0x1p32 / box.sides.x, 0x1p32 / box.sides.y}; }
    /// Of a coordinate in [0, side), in world units; the nearest multiple, and the side itself is 0.
    FLIPSCOPE_HD static uint32_t coordinate(double value, double scale) {
        return static_cast<uint32_t>(static_cast<uint64_t>(value * scale + 0.5));
    }
    /// A difference to the nearest image; half a side becomes minus half a side.
    template <int kAxis>
    FLIPSCOPE_HD float wrap(uint32_t d) const {
        return static_cast<float>(static_cast<int32_t>(d));
    }
    template <int kAxis>
    FLIPSCOPE_HD float difference(uint32_t a, uint32_t b) const {
        return wrap<kAxis>(a - b);
    }
};

template <>
struct TorusMetric<double> {
    using Coordinate = double;
    double side[2] = {1, 1}, half[2] = {0.5, 0.5};  // along x and y, multiples of the grid

    static Point scale(const TorusBox& box) { return {1 / box.grid, 1 / box.grid}; }
    static TorusMetric of(const TorusBox& box) {
        const double width = box.sides.x / box.grid, height = box.sides.y / box.grid;
        return {{width, height}, {width / 2, height / 2}};
    }
    FLIPSCOPE_HD static double coordinate(double value, double scale) { return value * scale; }
    template <int kAxis>
    FLIPSCOPE_HD double wrap(double d) const {
        return d - (d >= half[kAxis] ? side[kAxis] : d < -half[kAxis] ? -side[kAxis] : 0.0);
    }
    template <int kAxis>
    FLIPSCOPE_HD double difference(double a, double b) const {
        return wrap<kAxis>(a - b);
    }
};

/// own - partner. Of two equally near images, the particle with the lower place (or id) chooses one, so that both use
/// the same one and their forces are exactly opposite.
template <int kAxis, class Real>
FLIPSCOPE_HD inline Real difference_of_pair(const TorusMetric<Real>& metric, bool partner_first,
                                            typename TorusMetric<Real>::Coordinate own,
                                            typename TorusMetric<Real>::Coordinate partner) {
    return partner_first ? -metric.template difference<kAxis>(partner, own)
                         : metric.template difference<kAxis>(own, partner);
}

}  // namespace flipscope
