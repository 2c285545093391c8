// The timeline alone: steps a second of a lab that does nothing. Short and long runs must have the same rate, in
// bounded memory.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/measure.h"

namespace flipscope::bench {

struct TimelinePlan {
    std::vector<uint64_t> steps{100'000, 10'000'000};  // of each run
    Patience patience;
};

/// Prints a line for each length, and adds them to `json`.
void run_timeline(const TimelinePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
