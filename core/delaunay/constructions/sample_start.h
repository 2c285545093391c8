// Replaces an insertion's first rounds, which are too small for a parallel machine: a sample of the points, at equal
// steps along the curve, is triangulated by strips; each other point waits at the sampled point before it on the curve,
// which is near it in the plane.
#pragma once

#include <memory>

#include "delaunay/constructions/locate.h"
#include "delaunay/constructions/strips.h"

namespace flipscope {

class SampleStart {
  public:
    /// Triangulates every `stride`-th of the first `count` vertices of `mesh`, whose positions and inputs exist:
    /// vertices 0, stride, 2 · stride … Returns false, and makes nothing, if all of them are on one line. `bounds`: of
    /// all `count` vertices.
    bool triangulate(Context& context, const TriangleMesh& mesh, uint32_t count, const Bounds& bounds, uint32_t stride);
    /// Writes the sample's triangulation into `mesh`, which has room for it and no triangle yet.
    void place_into(Context& context, TriangleMesh& mesh);
    uint32_t size() const { return size_; }
    /// (size) a finite triangle of the mesh at each of the sample's points.
    View<const uint32_t> triangles() const { return triangle_of_.view(); }
    /// In the inside of a triangle of the sample.
    StarCentre centre() const { return centre_; }

  private:
    uint32_t size_ = 0, stride_ = 0;
    Buffer<Point> positions_{"sample"}, corners_{"sample centre"};
    Buffer<uint32_t> names_{"sample names"}, ranks_{"sample ranks"}, triangle_of_{"sample triangles"};
    std::unique_ptr<Strips> strips_;
    StarCentre centre_;
};

}  // namespace flipscope
