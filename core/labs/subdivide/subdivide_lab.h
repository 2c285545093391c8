// The Subdivision lab: the plane is split in four, again and again, until every Voronoi vertex stands alone.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& subdivide_lab_info();
std::unique_ptr<Lab> make_subdivide_lab();

}  // namespace flipscope
