// The number of points that tests of all generators request from each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "geometry/generators.h"

namespace flipscope {

/// `count`, or fewer for a slow generator: large sets of point processes are no harder to triangulate than small ones.
inline uint64_t tested_count(const GeneratorInfo& generator, uint64_t count) {
    constexpr uint64_t kMostOfProcesses = 1000;
    if (!generator.process) return std::min(count, generator.max_count);
    return std::min(count, generator.second_count > 0 ? generator.second_count / 10 : kMostOfProcesses);
}

}  // namespace flipscope
