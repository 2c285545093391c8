// What all readers of points share: formats by name, and which coordinates the predicates accept.
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

/// Throws Error unless coordinate_in_range(value) (geometry/predicates.h), with a sentence that starts with `where`, a
/// place the user knows: "points.xy:41: x" gives "points.xy:41: x is nan, not a finite number".
void require_in_range(double value, const std::string& where);

/// Hands the points back, or throws Error naming the first one that is out of range; for points that did not come from
/// a file, such as a generator's with a large scale.
Geometry check_points(Geometry set);

}  // namespace flipscope
