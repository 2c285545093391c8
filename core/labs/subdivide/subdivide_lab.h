// The Subdivision lab: splits the plane in four, again and again, until every Voronoi vertex has a cell of its own.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& subdivide_lab_info();
std::unique_ptr<Lab> make_subdivide_lab();

}  // namespace flipscope
