// How coordinates are written wherever a person reads them: with as many digits as tell one from its neighbours, and no
// more. The inspector, messages, lists and files use these and nothing else.
#pragma once

#include <string>

#include "geometry/point.h"

namespace flipscope {

/// The shortest text that reads back as the same double: "5402320.25", "1e+06".
std::string format_exactly(double value);
/// The same for readers, who read "1000000" more easily than "1e+06". With a `resolution`, of the value rounded to the
/// last digit that counts by that: for what was computed, and whose further digits are rounding.
std::string format_plainly(double value, double resolution = 0);

/// "5402320.25, -3": each as format_plainly().
std::string place_text(Point place, double resolution = 0);

}  // namespace flipscope
