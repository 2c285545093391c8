// What spares an insertion its first rounds, in which there is too little to do for a parallel machine: every so many
// points along the curve are a sample, which is triangulated by strips; all others wait beside a sampled point that is
// near them on the curve, and so in the plane.
#pragma once

#include <memory>

#include "delaunay/constructions/locate.h"
#include "delaunay/constructions/strips.h"

namespace flipscope {

class SampleStart {
  public:
    /// Triangulates every `stride`-th of the first `count` vertices of `mesh`, whose positions and inputs are made:
    /// vertices 0, stride, 2 · stride … False, and nothing is made, where all of them lie on one line.
    /// `bounds`: of all of these.
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
