// Which triangle of a Delaunay triangulation holds a point, for many points at once, on CPU threads or CUDA: for
// programs that have the plain arrays of triangulate(). The constructions have a search of their own (locate.h), which
// walks in the mesh that they are changing.
#pragma once

#include "compute/buffer.h"
#include "delaunay/constructions/order.h"
#include "geometry/point.h"

namespace flipscope {

/// Points are found by a walk from triangle to triangle (the visibility walk of L. De Floriani, B. Falcidieni,
/// G. Nagy and C. Pienovi, 1991, which ends in every Delaunay triangulation), decided by exact orientation tests. It
/// starts at the vertex that is next to the point along a Morton curve, so it is short where points crowd, too.
class PointLocator {
  public:
    /// All in the device's memory (of a CPU context anywhere), and to stay there unchanged: `points` (n), `triangles`
    /// and `neighbours` (t, 3) of triangulate() over them. The context must outlive it. Sorts the points, and waits.
    PointLocator(Context& context, View<const Point> points, View<const uint32_t> triangles,
                 View<const uint32_t> neighbours);

    /// `found`: of each query the triangle that it lies in; kNone: it lies outside of the convex hull, or is no number.
    /// On an edge or at a vertex it is the one of the lowest index of those that meet there, so the answer hangs on
    /// nothing but the triangulation. All in the device's memory, fewer than 2^32 - 1 of them. Waits for the device.
    /// Throws Error for a coordinate that is not 0 and smaller than 2^-200, Cancelled.
    void locate(View<const Point> queries, View<uint32_t> found);

  private:
    Context* context_;
    View<const Point> points_;
    View<const uint32_t> triangles_, neighbours_;
    Bounds bounds_;
    Buffer<uint64_t> keys_{"Morton keys"};                 // (n) ascending; of points without a triangle at the end
    Buffer<uint32_t> vertices_{"vertices by Morton key"};  // (n)
    Buffer<uint32_t> last_{"lowest triangles"};            // (n) the complement of the lowest triangle of each point
};

}  // namespace flipscope
