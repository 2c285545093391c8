// A picture of data as a Python script: it reads the same input, triangulates and measures with the module
// flipscope, selects, and draws with matplotlib. For people who go on from what they explored.
#pragma once

#include <string>

#include "app/run/scenario.h"

namespace flipscope::app {

/// `scale`: of the colouring, if there is one. The script draws the Delaunay triangulation of the input's points in the
/// plane, and takes the name of a picture. Throws Error for what a script cannot show: a surface, an input without
/// points, the quantity beta.
std::string python_script(const Scenario& scenario, const Input& input, const ColourScale* scale);

}  // namespace flipscope::app
