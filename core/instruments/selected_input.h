// What is selected in a scene as an input of its own: the points with what the input has beside their places, and of a
// surface the triangles between them. The window makes it the next input or copies it, and exports write it.
#pragma once

#include <cstdint>

#include "instruments/exploration.h"
#include "lab/scene.h"

namespace flipscope {

/// The selected vertices, or those that selected edges and triangles end at, in the order of the input. One that is a
/// point of `input`, at its place, has the coordinates, name and attributes that it has there; else those that the
/// scene has, no name, and NaN. On a torus coordinates are those of the image in the box.
/// Of cells of a lattice the sites, where they lie now in units of the input, with what it has of the points they were.
/// On a surface there are the triangles of this state whose corners are all selected, or, where triangles are selected,
/// these. `exploration`: updated with this scene. `input`: may be nullptr. Waits for the device.
Geometry selected_input(const Exploration& exploration, const Scene& scene, const Geometry* input);

/// Whether what is selected in the scene can be an input: vertices of a mesh, or sites that are points of the input.
bool can_be_input(const Scene& scene);

/// Leaves out points that no triangle uses; how many there were.
size_t leave_out_unused_points(Geometry& geometry);

}  // namespace flipscope
