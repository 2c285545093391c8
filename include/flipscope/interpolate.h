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

struct InterpolateOptions {
    Interpolation method = Interpolation::kLinear;
    uint32_t columns = 1;                         // k, values at each point
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made if the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
};

/// Interpolates the values of the points of a triangulation at many places.
class Interpolator {
  public:
    /// All in the device's memory (of a CPU context anywhere), and constant: `points` (n), `triangulation` of them with
    /// its neighbours, `values` (n, k), any doubles. The context must outlive it. Of equal points the first counts.
    /// Sorts the points; for kCubic estimates the gradients.
    ///
    /// For kCubic a point whose value is not finite has no influence on the gradients of others. With every method a
    /// value that is not finite matters only where it is used.
    Interpolator(Context& context, View<const Point> points, const DeviceTriangulation& triangulation,
                 View<const double> values, uint32_t columns, Interpolation method);

    /// `made`: (m, k) the values at `places` (m), fewer than 2^32 - 1. NaN outside the convex hull, but not for
    /// kNearest; and at a coordinate that is NaN or greater than 2^200. At a site its value, and on an edge of the hull
    /// the linear mean of its ends, except for kNearest and kCubic. For points on one line all methods but kNearest are
    /// linear along it, and NaN elsewhere. The same bits on every device and for any number of threads. Waits for the
    /// device. Throws Error for a coordinate that is not 0 and smaller than 2^-200, Cancelled.
    void interpolate(View<const Point> places, View<double> made);

  private:
    void estimate_gradients();
    Context* context_;
    PointLocator locator_;
    View<const double> values_;
    uint32_t columns_;
    Interpolation method_;
    Buffer<uint32_t> path_{"points along the line"};
    Buffer<Point> gradients_{"gradients"};  // (k, n), of kCubic
};

/// The same in one call, for arrays in host memory: triangulates `points` (n), and returns (m, k). Throws also as
/// triangulate(), and Error unless `values` is (n, k).
std::vector<double> interpolate(Context& context, std::span<const Point> points, std::span<const double> values,
                                std::span<const Point> places, const InterpolateOptions& options = {});
/// The same on a context made for this call by the options' device and threads.
std::vector<double> interpolate(std::span<const Point> points, std::span<const double> values,
                                std::span<const Point> places, const InterpolateOptions& options = {});

}  // namespace flipscope
