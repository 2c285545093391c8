// The Delaunay triangulation of the sites whose cells a lattice shows. A lab of lattices has no mesh: what is measured
// of its cells, and what they are coloured and selected by, are numbers of the exact Voronoi cells of the same sites,
// which this is the dual of. Obstacles and pixels play no part in it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "delaunay/strips.h"
#include "delaunay/torus/torus_triangulation.h"
#include "labs/scene.h"
#include "statistics/element_measures.h"

namespace flipscope {

class SiteMesh {
  public:
    /// The layer of cells that have sites, which are the first points of the view; nullptr: there is none. Of a lattice
    /// that closes on itself only where it is as wide as high: a torus is a square here.
    static const Layer* cells_of(const SceneView& view);
    static Layer* cells_of(SceneView& view) { return const_cast<Layer*>(cells_of(std::as_const(view))); }

    /// Of a view that has cells_of(). Clips cells to the lattice; one that closes on itself is a torus, with sites
    /// moved to its grid (torus_box.h), less than 2e-14 of the side. Waits. Throws Error for sites that cannot be
    /// triangulated.
    void build(Context& context, const SceneView& view);
    /// What build() has made; vertices are sites in another order, of several at one place the first.
    const MeasuredMesh& measured() const { return measured_; }
    const TriangleMesh& mesh() const { return measured_.window.periodic ? torus_.mesh() : strips_.mesh(); }
    /// (v) which site a vertex is.
    View<const uint32_t> sites() const;
    std::vector<uint32_t> host_sites() const;
    uint32_t site_count() const { return site_count_; }

  private:
    void build_torus(Context& context, const Buffer<Point>& places, double side);

    Strips strips_;
    TorusTriangulation torus_;
    Buffer<uint32_t> of_torus_{"sites of vertices"};
    uint32_t site_count_ = 0;
    MeasuredMesh measured_;
};

}  // namespace flipscope
