// What the Build lab tells of a triangulation on a torus: of an element, of what a check found, of the points on their
// way into the box.
#pragma once

#include "delaunay/torus/torus_insertion.h"
#include "lab/report.h"
#include "lab/stepper.h"
#include "mesh/checks.h"

namespace flipscope {

/// Properties of a vertex, an edge or a triangle, as ConstructionLab tells them in the plane.
Report inspect_torus(const TorusInsertion& made, const Element& element);
/// The vertex, edge or triangle at a place of the world; id kNone: nothing, or a place outside the box.
Element pick_in_box(const TorusInsertion& made, Probe probe);
/// check_torus(), with places in the world and the corners of an element all on one side of the border.
CheckReport check_in_box(const TorusInsertion& made);
/// Once the points are ordered: which box it is, and how many points are wrapped into it.
StepMessage box_message(const TorusInsertion& made);

}  // namespace flipscope
