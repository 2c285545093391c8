// Common parts of the readers of points: named formats, and the range check of coordinates.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compute/error.h"
#include "geometry/point.h"

namespace flipscope {

struct FormatInfo {
    std::vector<std::string> extensions;  // lower case with the dot: ".xy", ".txt"
    std::string sentence;
};

/// Throws Error unless coordinate_in_range(value) (geometry/predicates.h). The message begins with `where`:
/// "points.xy:41: x" gives "points.xy:41: x is nan, not a finite number".
void require_in_range(double value, const std::string& where);

/// Returns the points, or throws Error for the first one out of range; for points that are not from a file, such as a
/// generator's with a large scale.
Geometry check_points(Geometry set);

}  // namespace flipscope
