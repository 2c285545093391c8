// The Judge lab: triangles that any program made, beside the exact Delaunay triangulation of the same points, with all
// that is wrong marked and listed, and every edge in which the two differ. judge() (core/judge) decides; the lab draws
// and explains.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& judge_lab_info();
std::unique_ptr<Lab> make_judge_lab();

}  // namespace flipscope
