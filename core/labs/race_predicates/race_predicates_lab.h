// The Predicate race: the Build lab twice on the same points, once with exact predicates and once with floats or
// doubles, side by side on one timeline. It finds the first pass after which the two have other triangles, and lists
// the edges that differ then, with what each side's predicate says of them. It decides nothing for either side.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& race_predicates_lab_info();
std::unique_ptr<Lab> make_race_predicates_lab();

}  // namespace flipscope
