// The result of one pass of an engine: which pass ran, its counters, and which is next.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/view.h"

namespace flipscope {

/// The largest unit of work that a pass completed: itself, a flip pass (iteration), or a round of insertion.
enum class Level : uint32_t { kPass = 0, kIteration = 1, kRound = 2, kEnd = 3 };

inline constexpr int64_t kNotCounted = -1;

struct PassResult {
    uint32_t pass = 0;              // what ran: an index into the engine's passes
    uint32_t next = kNone;          // what runs next; kNone: finished
    Level ended = Level::kPass;     // the largest span that ended
    uint32_t round = 0;             // 1, 2, …; 0 before the first
    uint32_t iteration = 0;         // flip pass within the round: 1, 2, …; 0 outside
    std::vector<int64_t> counters;  // the engine's counters; kNotCounted: not of this pass

    static PassResult of(uint32_t pass, size_t counter_count, int64_t count = kNotCounted) {
        PassResult result;
        result.pass = pass;
        result.counters.assign(counter_count, count);
        return result;
    }
};

}  // namespace flipscope
