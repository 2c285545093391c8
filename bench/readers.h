// Time to read a table, compared with reading only its bytes, which is the limit.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/measure.h"

namespace flipscope::bench {

struct ReadersPlan {
    std::vector<uint64_t> sizes{1'000'000};  // rows
    uint64_t seed = 1;
    Patience patience;
};

/// Writes tables to the temporary folder, reads them, and removes them. Prints a line for each size and table, and adds
/// them to `json`.
void run_readers(const ReadersPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
