// The Delaunay triangulation of the sites whose cells a lattice shows. A lab of lattices has no mesh: what is measured
// of its cells, and what they are coloured and selected by, are numbers of the exact Voronoi cells of the same sites,
// which this is the dual of. Obstacles and pixels play no part in it.
//
// A lattice that closes on itself is triangulated with eight copies of it around it, or two where it closes along one
// axis alone: it need not be a square, and no site is moved. Along a periodic axis a cell of the middle lies within
// half the lattice's size of its site on each side, so its neighbours lie in these copies. Cocircular sites, as of a
// regular grid, may be joined in one way here and in another in a copy: then degrees may be off by those edges, and
// nothing else is.
//
// Lengths and areas are measured in world units, where a pixel has a size; the mesh itself has the lattice's x, and y
// stretched where pixels are not square.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lab/scene.h"
#include "statistics/element_measures.h"

namespace flipscope {

class Strips;

class SiteMesh {
  public:
    SiteMesh();
    ~SiteMesh();
    /// The layer of cells that have sites, which are the first points of the view; nullptr: there is none.
    static const Layer* cells_of(const SceneView& view);
    /// Where the sites of a view that has cells_of() lie.
    static const Buffer<Point>& sites_of(const SceneView& view);
    static Layer* cells_of(SceneView& view) { return const_cast<Layer*>(cells_of(std::as_const(view))); }

    /// Of a view that has cells_of(). Cells are clipped to the lattice, or, where it does not close on itself, to the
    /// part of it in `within`, world units. Waits. Throws Error for sites that cannot be triangulated.
    void build(Context& context, const SceneView& view, const std::optional<Window>& within = {});
    /// What build() has made; vertices are sites in another order, of several at one place the first.
    const MeasuredMesh& measured() const { return measured_; }
    const TriangleMesh& mesh() const;
    /// (v) which site a vertex is; kNone: a copy of one.
    View<const uint32_t> sites() const { return sites_.view(); }
    std::vector<uint32_t> host_sites() const { return sites_.download(); }
    uint32_t site_count() const { return site_count_; }
    /// (site) which point of the input it is, or a greater number; empty: no site is one.
    View<const uint32_t> inputs() const { return inputs_; }
    /// The lattice, or the part of it, as statistics of its sites have it; world units.
    const Window& window() const { return window_; }
    /// Where its sites are; (site), world units, along periodic axes from the corner of the lattice.
    View<const Point> places() const { return places_.view(); }
    /// How much higher than wide a pixel is: y of the mesh in units of the lattice's y.
    double stretch() const { return stretch_; }
    /// A place of the mesh in world units.
    Point as_given(Point of_mesh) const { return units_.as_given({of_mesh.x, of_mesh.y / stretch_}); }

  private:
    std::unique_ptr<Strips> strips_;
    Buffer<Point> copied_{"copied sites"};
    Buffer<uint32_t> sites_{"sites of vertices"};
    Buffer<Point> lattice_places_{"places of sites"}, places_{"given places of sites"};
    View<const uint32_t> inputs_;
    LatticeUnits units_;
    double stretch_ = 1;
    uint32_t site_count_ = 0;
    Window window_;
    MeasuredMesh measured_;
};

}  // namespace flipscope
