// Tables of the measurements of SceneStatistics, one row per point, edge, triangle or cell: its row, name and columns
// in the input, its place, and all its measures with their units. Exported as CSV, JSON and NumPy archives; array
// exports are single columns.
//
// Points come first, in the order of the input's rows, including points that are not vertices (duplicates, waiting
// points); then vertices made by the lab. Edges and triangles are in the order of the mesh and refer to corners by
// these rows. Coordinates are world units; y points down if the input's does.
#pragma once

#include <memory>
#include <vector>

#include "lab/report.h"
#include "lab/scene.h"

namespace flipscope {

class SceneStatistics;

/// The last ones: edges of the structures of these names (instruments/structures.h), and the edges of the Voronoi
/// diagram with their ends.
enum class ElementTable {
    kPoints,
    kEdges,
    kTriangles,
    kCells,
    kHull,
    kNearest,
    kTree,
    kRelative,
    kGabriel,
    kSkeleton,
    kAlphaShape,
    kVoronoi
};
inline constexpr const char* kElementTableNames[] = {"points",  "edges",         "triangles",   "cells",
                                                     "hull",    "nearest",       "mst",         "rng",
                                                     "gabriel", "beta-skeleton", "alpha-shape", "voronoi"};

/// Of one element: rings of each part, the outline first. World units; open.
using PolygonParts = std::vector<std::vector<std::vector<Point>>>;

class ElementTables {
  public:
    /// `scene`: the measured scene. Both arguments must outlive this object.
    ElementTables(const SceneStatistics& statistics, const Scene& scene);
    ~ElementTables();

    /// Its rows stay valid without this object. Throws Error without Voronoi cells, and for structures that the state
    /// does not have.
    Table table(ElementTable which) const;
    /// (row of cells) The parts of each cell within the study area: an outline, counter-clockwise, and holes,
    /// clockwise. A polygon has parts of the cells of points outside of it, so that all cells fill it. Throws Error
    /// without Voronoi cells.
    std::vector<PolygonParts> polygons() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flipscope
