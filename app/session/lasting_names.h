// What an element of a mesh is called where ids do not last: by the points of the input that are its corners. An edit
// numbers vertices, edges and triangles anew; the points keep their numbers. Called under the lease.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/scene.h"

namespace flipscope::app {

/// Indices in the input of 1, 2 or 3 corners; kNone is the vertex at infinity. Empty where the scene has no mesh, or no
/// such element.
std::vector<uint32_t> lasting_name(const SceneView& scene, const Element& element);
/// The element of this kind with these corners, in whatever order; id kNone: there is none. Takes time in proportion
/// to the mesh.
Element named_element(const SceneView& scene, ElementKind kind, const std::vector<uint32_t>& name, uint32_t part);

}  // namespace flipscope::app
