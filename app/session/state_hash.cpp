#include "app/session/state_hash.h"

namespace flipscope::app {

bool StateHash::request() {
    constexpr double kAtOnce = 0.02;  // s: enough for a small lab
    if (!worker_.busy() && worker_.model().loaded && !value())
        worker_.start(
            {.task = Task::kHash}, [](Timeline& timeline) { return timeline.lab().state_hash(); },
            [this](uint64_t hash) {
                hash_ = hash;
                revision_ = worker_.revision();
            });
    if (worker_.job().task != Task::kHash) return true;
    worker_.wait(kAtOnce);
    return !worker_.busy();
}

}  // namespace flipscope::app
