// Time of the statistics of points and their triangulation, part by part, compared with making the triangulation.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/measure.h"
#include "compute/context.h"

namespace flipscope::bench {

struct StatisticsPlan {
    std::vector<uint64_t> sizes{100'000, 1'000'000};  // points
    DeviceRequest device = DeviceRequest::kAuto;
    int threads = 0;  // 0: one per processor
    uint64_t seed = 1;
    Patience patience;
};

/// Prints a line for each size and part, and adds them to `json`.
void run_statistics(const StatisticsPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
