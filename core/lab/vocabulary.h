// Parameters shared by several labs, so that they have the same name, values and sentence everywhere. Each lab sets its
// own default and range.
#pragma once

#include <string>
#include <vector>

#include "geometry/torus_box.h"
#include "lab/parameter_visitor.h"
#include "lab/report.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// "width" and "height" of a lattice, in pixels. `rule` is the override of either; `side` is the present size in that
/// direction, or empty.
using SideOverrideRule = Override (*)(const ParameterContext& now, const std::string& side);
void visit_lattice_size(ParameterVisitor& visitor, int& width, int& height, SideOverrideRule rule);

/// "borders", or a parameter with the same values: open or periodic, along which axes.
void visit_borders(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                   const std::string& sentence, PeriodicAxes& periodic);
/// "open", "periodic", "periodic_x" or "periodic_y".
const char* name_of_borders(PeriodicAxes periodic);

/// "count": how many objects the lab makes. `title` names them; `more` is a sentence about them, or empty.
void visit_count(ParameterVisitor& visitor, const std::string& title, const std::string& more, int& count, int least,
                 int most);

/// "box": the sides of a periodic box, 0 for "auto". `more` explains "auto", and anything else.
void visit_box(ParameterVisitor& visitor, const std::string& more, Point& sides, double most);

/// Adds to the results: "box" of a square, "circumference" of a cylinder, and "box_width" and "box_height" of any box.
void add_box(Properties& numbers, const TorusBox& box);

/// "seed" of the random numbers. `title` is their purpose.
void visit_seed(ParameterVisitor& visitor, const std::string& title, int& seed);

/// "obstacle_count".
void visit_obstacle_count(ParameterVisitor& visitor, int& count, int most);

/// "method": how a lattice is coloured. `method` is a ColouringMethod.
void visit_colouring_method(ParameterVisitor& visitor, int& method);

/// "conflict", or "conflict_left" for a side of two. `rule` is a ConflictRule. `side` is "left", "right" or empty.
void visit_conflict_rule(ParameterVisitor& visitor, int& rule, const std::string& side = {});

/// "block_size" of CUDA, under the heading "Device".
void visit_block_size(ParameterVisitor& visitor, int& threads);

/// The named configurations of particles, in the order of model_names().
std::vector<ParameterVisitor::Option> particle_configurations();
/// Soft repulsion of particles: RepulsionKind, and its strength.
void visit_repulsion(ParameterVisitor& visitor, int& kind, double& strength);

/// A choice of two as a bool: the second is true.
void visit_either(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                  const std::string& sentence, bool& value, const std::vector<ParameterVisitor::Option>& options);

}  // namespace flipscope
