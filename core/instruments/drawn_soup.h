// Puts arbitrary triangles into a mesh for drawing and picking: broken input, and recordings of other programs. Such a
// mesh has no incidence; no algorithm may run on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "mesh/pick.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct DrawnBounds {  // of all finite points; world units, in the plane both z are 0
    Point low{}, high{};
    double low_z = 0, high_z = 0;
};

/// Vertices, triangles and edges keep their indices. Planar triangles are made counter-clockwise; a triangle with a
/// nonexistent or non-finite corner is put at infinity and not drawn. `edges`: vertex ids. Recorded state words are 0.
DrawnBounds draw_soup(Context& context, const Geometry& geometry, const std::vector<std::array<uint32_t, 2>>& edges,
                      bool with_states, TriangleMesh& mesh);

/// The state words of such a mesh on the host, until upload().
class SoupStates {
  public:
    explicit SoupStates(const TriangleMesh& mesh)
        : words_{std::vector<State>(mesh.vertex_count), std::vector<State>(mesh.edge_count),
                 std::vector<State>(mesh.triangle_count)} {}
    /// Ignores elements that do not exist.
    void set(const Element& element, State bit);
    void upload(Context& context, TriangleMesh& mesh) const;

  private:
    std::vector<State> words_[3];  // by ElementKind
};

/// Builds a mesh with incidence from such a mesh; its inputs are the vertex ids. Throws Error if the triangles do not
/// fit together.
void join_soup(Context& context, const TriangleMesh& soup, TriangleMesh& joined);

}  // namespace flipscope
