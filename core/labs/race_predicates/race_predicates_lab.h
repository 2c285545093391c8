// The Predicate race: the Build lab twice on the same points, with exact predicates and with floats or doubles, side by
// side on one timeline. It finds the first pass after which the triangles differ, and lists the differing edges with
// the verdicts of each side's predicate.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& race_predicates_lab_info();
std::unique_ptr<Lab> make_race_predicates_lab();

}  // namespace flipscope
