// Statistics of points alone, without a triangulation: the structure factor S(k), the number variance and the L2 star
// discrepancy; flipscope/spatial.h has the others. The same bits on every device and for any number of threads: counts
// are integers, and sums have a fixed order or are in fixed point. Statistics that are slow for dense points sample
// fewer of them, and report it.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "flipscope/structure_factor.h"
#include "statistics/point_grid.h"

namespace flipscope {

/// The share of the points of which about 4·10⁸ pairs lie near each other, within `reach`; 1 at most.
double share_with_few_pairs(Context& context, const PointGrid& grid, double reach);

/// σ²(R): the variance of the number of points in a circle of radius R, over circles on a lattice within the area;
/// ρπR² for random points, and of slower growth than R² for hyperuniform ones (Torquato and Stillinger 2003).
struct NumberVariance {
    std::vector<double> radii, means, variances;  // world units; points; points²
    uint32_t circles = 0;                         // of each radius
};
NumberVariance number_variance(Context& context, const StudyArea& area, const PointGrid& grid, double reach,
                               uint32_t radii = 24);

/// The same of points in the memory of the device. `grid`: those in the area, sorted, if they are at hand.
StructureFactor structure_factor(Context& context, const StudyArea& area, View<const Point> points,
                                 const PointGrid* grid = nullptr);

/// Star discrepancy in the mean square: over all boxes between the lower left corner of the window and a point of it,
/// the deviation of the share of points in the box from its share of the area (Warnock 1972; computed in O(n log n)).
/// √(5/36n) for n random points, in the mean square. NaN without points in the window. Waits.
double l2_star_discrepancy(Context& context, const Window& window, View<const Point> points);

}  // namespace flipscope
