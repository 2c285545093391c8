// The selection of a scene as a new input: the points with their names and attributes, and on a surface the triangles
// between them. The window starts from it or copies it, and exports write it.
#pragma once

#include "instruments/exploration.h"
#include "lab/scene.h"

namespace flipscope {

/// The selected vertices, or the corners of selected edges and triangles, in the order of the input. An unmoved point
/// of `input` keeps its coordinates, name and attributes; other vertices have the scene's coordinates, no name, and
/// NaN. On a torus, coordinates are those of the image in the box. For cells of a lattice: the sites at their present
/// places in units of the input, with the attributes of their original points. On a surface: also the selected
/// triangles, or those with all corners selected. `exploration`: updated with this scene. `input` may be nullptr. Waits
/// for the device.
Geometry selected_input(const Exploration& exploration, const Scene& scene, const Geometry* input);

/// Whether a selection in the scene can be an input: vertices of a mesh, or sites that are points of the input.
bool can_be_input(const Scene& scene);

/// Removes points that no triangle uses; returns their number.
size_t leave_out_unused_points(Geometry& geometry);

}  // namespace flipscope
