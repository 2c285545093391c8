// Parameters that several labs have, in one place: the same thing has the same name, the same values and the same
// sentence in every lab. What differs, such as the default or the range, the lab says itself.
#pragma once

#include <string>
#include <vector>

#include "geometry/torus_box.h"
#include "lab/parameter_visitor.h"
#include "lab/report.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// "width" and "height" of a lattice, in pixels. `rule` says of either what determines it; `side` is what the lattice
/// has in that direction at present, or empty.
using DecidedSide = Decided (*)(const Circumstances& now, const std::string& side);
void visit_lattice_size(ParameterVisitor& visitor, int& width, int& height, DecidedSide rule);

/// "borders", or others of the same values: open or periodic, along which axes.
void visit_borders(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                   const std::string& sentence, PeriodicAxes& periodic);
/// The value that says it: "open", "periodic", "periodic_x" or "periodic_y".
const char* name_of_borders(PeriodicAxes periodic);

/// "count": how many of something the lab makes. `title` is what it makes, `more` a sentence about it, or empty.
void visit_count(ParameterVisitor& visitor, const std::string& title, const std::string& more, int& count, int least,
                 int most);

/// "box": the sides of a periodic box, 0 for "auto". `more` says what this means, and what else there is to say.
void visit_box(ParameterVisitor& visitor, const std::string& more, Point& sides, double most);

/// Of the results: "box" of a square, "circumference" of a cylinder, and "box_width" and "box_height" of any.
void add_box(Properties& numbers, const TorusBox& box);

/// "seed" of the random numbers. `title` is what they are for.
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

/// A choice of two as a bool: the second is true.
void visit_either(ParameterVisitor& visitor, const std::string& name, const std::string& title,
                  const std::string& sentence, bool& value, const std::vector<ParameterVisitor::Option>& options);

}  // namespace flipscope
