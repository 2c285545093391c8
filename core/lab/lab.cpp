#include "lab/lab.h"

#include <cstddef>
#include <utility>

#include "mesh/hash.h"

namespace flipscope {

void Lab::finish(const std::function<void(const StepResult&)>& after_round) {
    const std::vector<CounterInfo>& counters = info().counters;
    StepResult sum;
    while (!done()) {
        const StepResult one = step();
        if (!after_round) continue;
        sum.counters.resize(counters.size(), kNotCounted);
        for (size_t i = 0; i < counters.size(); ++i) {
            if (one.counters[i] == kNotCounted) continue;
            const bool adds = sum.counters[i] != kNotCounted && !counters[i].is_gauge;
            sum.counters[i] = adds ? sum.counters[i] + one.counters[i] : one.counters[i];
        }
        sum.message.add(one.message);
        sum.breakpoint_hit |= one.breakpoint_hit;
        if (one.ended < Level::kRound && one.round > 0) continue;
        sum.pass = one.pass;
        sum.next = one.next;
        sum.ended = one.ended;
        sum.round = one.round;
        sum.iteration = one.iteration;
        sum.measures = one.measures;
        sum.must_stop = one.must_stop;
        after_round(std::exchange(sum, {}));
    }
}

uint64_t Lab::state_hash() const {
    uint64_t hash = 0;
    for (const std::vector<std::byte>& block : save().blocks) {
        hash = mix64(hash ^ block.size());
        for (const std::byte byte : block) hash = mix64(hash ^ uint64_t(byte));
    }
    return hash;
}

}  // namespace flipscope
