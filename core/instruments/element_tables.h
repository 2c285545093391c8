// Tables of what SceneStatistics has measured, a line for every point, edge, triangle or cell: what it is in the input
// (row, name, columns), where it lies, and every number that it has, each with its unit. Exports write them as CSV, as
// JSON and as NumPy's archives; arrays of single numbers are their columns.
//
// Points come first in the order of the input's rows, also those that are no vertex (copies, points that wait), then
// vertices that the lab has made. Edges and triangles come in the order of the mesh and name their corners by these
// rows. Coordinates are world units; y goes down again where the input's does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/report.h"
#include "lab/scene.h"

namespace flipscope {

class SceneStatistics;

enum class ElementTable { kPoints, kEdges, kTriangles, kCells };
inline constexpr const char* kElementTableNames[] = {"points", "edges", "triangles", "cells"};

class ElementTables {
  public:
    /// `scene`: the one that was measured. Both must stay.
    ElementTables(const SceneStatistics& statistics, const Scene& scene);
    ~ElementTables();

    /// Its rows stay valid without this. Throws Error where there are no Voronoi cells.
    Table table(ElementTable which) const;
    /// (row of cells) The corners of each cell, counter-clockwise and clipped to the window; empty where it has none.
    /// Throws Error where there are no Voronoi cells.
    std::vector<std::vector<Point>> polygons() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flipscope
