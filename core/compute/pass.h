// The result of one pass of an engine: which pass ran, its counters, and which is next;
// and the loop of finish(), which reports rounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
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
    /// Sets the next pass and the round; without a next pass the run ends.
    void close(uint32_t next_pass, uint32_t in_round) {
        next = next_pass;
        round = in_round;
        if (next == kNone) ended = Level::kEnd;
    }
};

/// Runs the pass of `result` from an engine's table.
template <class Engine, size_t count>
void run_from(Engine& engine, void (Engine::*const (&passes)[count])(PassResult&), PassResult& result) {
    const auto own = passes[result.pass];  // apart: UndefinedBehaviorSanitizer of g++ misreads an index in the call
    (engine.*own)(result);
}

/// Called by an engine's finish() with the counters of every round, summed over its passes. May be empty.
using AfterRound = std::function<void(const PassResult&)>;

/// Calls `run()`, which runs one pass or several, while `goes_on()`. `first`: (counters) a round's counters before its
/// first pass, 0 or kNotCounted. `gauges`: counters that are not summed; their last value counts.
template <class GoesOn, class Run>
void run_rounds(const std::vector<int64_t>& first, std::initializer_list<uint32_t> gauges,
                const AfterRound& after_round, const GoesOn& goes_on, const Run& run) {
    PassResult round;
    round.counters = first;
    while (goes_on()) {
        const PassResult result = run();
        for (uint32_t k = 0; k < first.size(); ++k) {
            const int64_t counted = result.counters[k];
            if (counted == kNotCounted) continue;
            int64_t& sum = round.counters[k];
            const bool is_gauge = std::find(gauges.begin(), gauges.end(), k) != gauges.end();
            sum = is_gauge || sum == kNotCounted ? counted : sum + counted;
        }
        if (result.ended < Level::kRound) continue;
        round.pass = result.pass;
        round.next = result.next;
        round.ended = result.ended;
        round.round = result.round;
        if (after_round) after_round(round);
        round.counters = first;
    }
}

}  // namespace flipscope
