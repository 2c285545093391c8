// The Judge lab: triangles made by any program, beside the exact Delaunay triangulation of the same points, with all
// errors and all differing edges marked and listed. judge() (core/judge) decides; the lab draws and explains.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& judge_lab_info();
std::unique_ptr<Lab> make_judge_lab();

}  // namespace flipscope
