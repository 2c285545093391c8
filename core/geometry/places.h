// The text of coordinates, with the fewest digits that identify them. Used by the inspector, messages, lists and files.
#pragma once

#include <string>

#include "geometry/point.h"

namespace flipscope {

/// The shortest text that reads back as the same double: "5402320.25", "1e+06".
std::string format_exactly(double value);
/// The same in plain notation: "1000000", not "1e+06". With a `resolution`, rounds a computed value to its last
/// significant digit.
std::string format_plainly(double value, double resolution = 0);

/// "5402320.25, -3": each as format_plainly().
std::string place_text(Point place, double resolution = 0);
/// "(5402320.25, -3)".
std::string place_in_brackets(Point place);

}  // namespace flipscope
