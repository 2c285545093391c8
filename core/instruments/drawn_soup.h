// Triangles that need not fit together, put into a mesh to be drawn and clicked: what labs show of broken input and of
// what other programs recorded. Such a mesh has no incidence; no algorithm may run on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct DrawnBounds {  // of all points that are numbers; world units, in the plane both z are 0
    Point low{}, high{};
    double low_z = 0, high_z = 0;
};

/// Vertices, triangles and edges keep their numbers. Planar triangles are made counter-clockwise; one with a corner
/// that does not exist or is no number lies at infinity, where it is not drawn. `edges`: vertex ids. State words, where
/// they are kept, are 0.
DrawnBounds draw_soup(Context& context, const Geometry& geometry, const std::vector<std::array<uint32_t, 2>>& edges,
                      bool with_states, TriangleMesh& mesh);

/// The triangles of such a mesh, joined to one with incidence; its inputs are the numbers of the vertices. Throws Error
/// where they do not fit together.
void join_soup(Context& context, const TriangleMesh& soup, TriangleMesh& joined);

}  // namespace flipscope
