// Time to judge a triangulation, compared with making the exact one of the same points; and to make the picture of a
// predicate's exact signs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/measure.h"

namespace flipscope::bench {

struct JudgingPlan {
    std::vector<uint64_t> sizes{10'000, 100'000, 1'000'000};  // points
    int threads = 0;                                          // 0: one per processor
    uint64_t seed = 1;
    Patience patience;
};

/// Prints a line for each size and kind of triangles, and adds them to `json`.
void run_judging(const JudgingPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
