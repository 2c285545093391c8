// Reports of the Build lab on a triangulation on a torus: elements, check failures, and points wrapped into the box.
#pragma once

#include "delaunay/torus/torus_insertion.h"
#include "lab/report.h"
#include "lab/stepper.h"
#include "mesh/checks.h"

namespace flipscope {

/// Properties of a vertex, an edge or a triangle, worded as by ConstructionLab in the plane.
Report inspect_torus(const TorusInsertion& made, const Element& element);
/// The vertex, edge or triangle at a place of the world; id kNone: nothing, or a place outside the box.
Element pick_in_box(const TorusInsertion& made, Probe probe);
/// check_torus(), with places in the world and all corners of an element on one side of the border.
CheckReport check_in_box(const TorusInsertion& made);
/// After the points are ordered: the box, and the number of points wrapped into it.
StepMessage box_message(const TorusInsertion& made);

}  // namespace flipscope
