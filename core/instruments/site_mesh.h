// The Delaunay triangulation of the sites whose cells a lattice shows. A lattice lab has no mesh: its cells are
// measured, coloured and selected by the exact Voronoi cells of the same sites, the dual of this triangulation.
// Obstacles and pixels are ignored.
//
// A periodic lattice is triangulated with eight copies around it, or two if only one axis is periodic: it need not be
// square, and no site is moved. Along a periodic axis a cell of the middle lies within half the lattice's size of its
// site on each side, so its neighbours lie in these copies. Cocircular sites, as in a regular grid, may have different
// diagonals in a copy; then only degrees may be off by those edges.
//
// Lengths and areas are in world units, by the size of a pixel; the mesh uses the lattice's x, and y stretched if
// pixels are not square.
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
    /// The layer of cells with sites, which are the first points of the view; nullptr: none.
    static const Layer* cells_of(const SceneView& view);
    /// The places of the sites, for a view with cells_of().
    static const Buffer<Point>& sites_of(const SceneView& view);
    static Layer* cells_of(SceneView& view) { return const_cast<Layer*>(cells_of(std::as_const(view))); }

    /// For a view with cells_of(). Clips cells to the lattice or, if no axis is periodic, to its part in `within`,
    /// world units. Waits. Throws Error for sites that cannot be triangulated.
    void build(Context& context, const SceneView& view, const std::optional<StudyArea>& within = {});
    /// The result of build(); vertices are the sites in another order, without duplicates.
    const MeasuredMesh& measured() const { return measured_; }
    const TriangleMesh& mesh() const;
    /// (v) which site a vertex is; kNone: a copy of one.
    View<const uint32_t> sites() const { return sites_.view(); }
    std::vector<uint32_t> host_sites() const { return sites_.download(); }
    uint32_t site_count() const { return site_count_; }
    /// (site) its index in the input, or a greater number; empty: no site is in the input.
    View<const uint32_t> inputs() const { return inputs_; }
    /// The observation window: the lattice or a part of it; world units.
    const Window& window() const { return window_; }
    /// (site) places, world units, along periodic axes from the corner of the lattice.
    View<const Point> places() const { return places_.view(); }
    /// Aspect ratio of a pixel, height over width: y of the mesh in units of the lattice's y.
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
