// Names of mesh elements that survive edits: the input points at their corners. An edit renumbers vertices, edges and
// triangles, while input points keep their numbers. Call under the lease.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/scene.h"

namespace flipscope::app {

/// Input indices of the 1, 2 or 3 corners; kNone is the vertex at infinity. Empty if the scene has no mesh or no such
/// element.
std::vector<uint32_t> lasting_name(const SceneView& scene, const Element& element);
/// The element of this kind with these corners in any order; id kNone if none. Takes time proportional to the mesh.
Element named_element(const SceneView& scene, ElementKind kind, const std::vector<uint32_t>& name, uint32_t part);

}  // namespace flipscope::app
