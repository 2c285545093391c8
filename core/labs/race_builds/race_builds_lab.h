// The Construction race: three constructions of the same triangulation side by side on one timeline. It shows a class
// which is done first, and why: work against passes. It runs the labs "strips", "build" and "subdivide", and counts
// work by the rules of work.h.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

/// The result of one construction.
struct BuiltTriangulation {
    std::string by;     // the racer's name
    uint64_t hash = 0;  // Result::triangulation_hash
};
/// The check fails if the triangulations differ, and lists each one that differs from the first.
void compare_triangulations(const std::vector<BuiltTriangulation>& all, CheckReport& report);

}  // namespace flipscope
