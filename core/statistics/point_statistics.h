// Statistics of points alone, without a triangulation: the pair correlation g(r), the structure factor S(k), the number
// variance and the L2 star discrepancy. The same bits on every device and for any number of threads: counts are
// integers, and sums have a fixed order or are in fixed point. Statistics that are slow for dense points sample fewer
// of them, and report it.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "flipscope/structure_factor.h"
#include "statistics/point_grid.h"

namespace flipscope {

/// g(r): the number of pairs at a distance, relative to as many uniform random points, for which it is 1. Pairs are
/// counted from points farther than `reach` from the border of the window (minus sampling, Ripley 1981), so that no
/// circle leaves it.
struct WindowCorrelation {
    double width = 0;             // of a bin, world units
    std::vector<uint64_t> pairs;  // (bins) ordered pairs whose first point is a centre
    std::vector<double> values;   // (bins) g
    uint64_t centres = 0;         // points from which pairs were counted
    uint32_t every = 1;           // only points whose index is a multiple of this
    double middle(size_t bin) const { return (double(bin) + 0.5) * width; }  // world units
};
WindowCorrelation window_correlation(Context& context, const PointGrid& grid, double reach, uint32_t bins = 80);

/// σ²(R): the variance of the number of points in a circle of radius R, over circles on a lattice within the window;
/// ρπR² for random points, and of slower growth than R² for hyperuniform ones (Torquato and Stillinger 2003).
struct NumberVariance {
    std::vector<double> radii, means, variances;  // world units; points; points²
    uint32_t circles = 0;                         // of each radius
};
NumberVariance number_variance(Context& context, const PointGrid& grid, double reach, uint32_t radii = 24);

/// Of points in the memory of the device. Empty for fewer than two points in the window. Waits.
StructureFactor structure_factor(Context& context, const Window& window, View<const Point> points);

/// Star discrepancy in the mean square: over all boxes between the lower left corner of the window and a point of it,
/// the deviation of the share of points in the box from its share of the area (Warnock 1972; computed in O(n log n)).
/// √(5/36n) for n random points, in the mean square. NaN without points in the window. Waits.
double l2_star_discrepancy(Context& context, const Window& window, View<const Point> points);

}  // namespace flipscope
