// Interpolation of values at scattered points of the plane, on CPU threads or CUDA, from host or device memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/triangulate.h"

namespace flipscope {

/// How the value at a place follows from those at the points, the sites of a Delaunay triangulation:
/// - kNearest: that of the nearest site; of equally near ones that of the lowest index.
/// - kLinear: linear within each triangle.
/// - kNatural: the mean of the natural neighbours, weighted by the areas that the Voronoi cell of the place would take
///   from their cells (R. Sibson, A vector identity for the Dirichlet tessellation, 1980). Smooth except at the sites.
/// - kLaplace: weighted by the side that the cell would share with each neighbour over its distance (N. Christ,
///   R. Friedberg and T. D. Lee, 1982).
/// - kCubic: cubic in each third of each triangle, with a continuous gradient (P. Alfeld, A trivariate Clough–Tocher
///   scheme, 1984); the gradients at the sites minimise the curvature along the edges (G. M. Nielson, A method for
///   interpolating scattered data based upon a minimum norm network, 1983).
/// All but kNearest and kCubic are between the least and the greatest value of the sites that they use, and all but
/// kNearest reproduce linear functions.
enum class Interpolation : uint32_t { kNearest, kLinear, kNatural, kLaplace, kCubic };
inline constexpr const char* kInterpolationNames[] = {"nearest", "linear", "natural", "laplace", "cubic"};

/// Interpolates the values of the points of a triangulation at many places.
class Interpolator {
  public:
    /// `points` (n) and `triangulation` of them with its neighbours: in the device's memory (of a CPU context
    /// anywhere), and constant. `values` (n, columns): any doubles, in host or device memory, copied. The context must
    /// outlive it. Of equal points the first counts. Sorts the points; for kCubic estimates the gradients, to which a
    /// point whose value is not finite contributes nothing.
    Interpolator(Context& context, View<const Point> points, const DeviceTriangulation& triangulation,
                 View<const double> values, uint32_t columns, Interpolation method);

    /// `made`: (m, columns) the values at `places` (m), fewer than 2^32 - 1; each in host or device memory. NaN outside
    /// the convex hull, but not for kNearest; at a coordinate that is NaN or greater than 2^200; and where a value that
    /// is used is NaN. At a site its value, and on an edge of the hull the linear mean of its ends, except for kNearest
    /// and kCubic. For points on one line all methods but kNearest are linear along it, and NaN elsewhere. The same
    /// bits on every device and for any number of threads. Waits for the device. Throws Error for a coordinate that is
    /// not 0 and smaller than 2^-200, Cancelled.
    void interpolate(View<const Point> places, View<double> made);

  private:
    void estimate_gradients();
    Context* context_;
    PointLocator locator_;
    Buffer<double> values_{"values"};
    uint32_t columns_;
    Interpolation method_;
    Buffer<uint32_t> path_{"points along the line"};
    Buffer<Point> gradients_{"gradients"};  // (columns, n), of kCubic
};

/// The same in one call, for arrays in host memory: triangulates `points` (n), and returns (m, columns). Throws also as
/// triangulate(), and Error unless `values` is (n, columns).
std::vector<double> interpolate(Context& context, std::span<const Point> points, std::span<const double> values,
                                std::span<const Point> places, Interpolation method, uint32_t columns = 1);

}  // namespace flipscope
