// How many points tests that go over all generators ask of each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "geometry/generators.h"

namespace flipscope {

/// `count`, or fewer of a generator that is slow; large sets of point processes are no harder than small ones to what
/// triangulates them, and cut short.
inline uint64_t tested_count(const GeneratorInfo& generator, uint64_t count) {
    constexpr uint64_t kMostOfProcesses = 1000;
    if (!generator.process) return std::min(count, generator.max_count);
    return std::min(count, generator.second_count > 0 ? generator.second_count / 10 : kMostOfProcesses);
}

}  // namespace flipscope
