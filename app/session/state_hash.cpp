#include "app/session/state_hash.h"

namespace flipscope::app {

std::optional<uint64_t> StateHash::value() const {
    return worker_.model().loaded && worker_.revision() == revision_ ? hash_ : std::nullopt;
}

bool StateHash::request() {
    constexpr double kAtOnce = 0.02;  // s: enough for a small lab
    const bool computing = worker_.job().task == Task::kHash;
    if (value() || !worker_.model().loaded || (worker_.busy() && !computing)) return true;
    if (!computing)
        worker_.start(
            {.task = Task::kHash}, [](Timeline& timeline) { return timeline.lab().state_hash(); },
            [this](uint64_t hash) {
                hash_ = hash;
                revision_ = worker_.revision();
            });
    worker_.wait(kAtOnce);
    return !worker_.busy();
}

}  // namespace flipscope::app
