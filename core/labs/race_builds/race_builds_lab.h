// The Construction race: three constructions of the same triangulation side by side on one timeline, so that a class
// can see which is done first, and why: work against passes. It runs the labs "strips", "build" and "subdivide" and
// counts what work.h says; it knows nothing of how they work.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& race_builds_lab_info();
std::unique_ptr<Lab> make_race_builds_lab();

/// What a construction has come to.
struct BuiltTriangulation {
    std::string by;     // the racer's name
    uint64_t hash = 0;  // Result::triangulation_hash
};
/// All must be the same one: else the check fails, and lists each that differs from the first.
void compare_triangulations(const std::vector<BuiltTriangulation>& all, CheckReport& report);

}  // namespace flipscope
