// Host loops over many items on the context's threads, for what is no kernel since it lies on the host or needs memory
// of its own: an item's result depends on the item alone, so not on the number of threads. Kernels have launch.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/context.h"

namespace flipscope {

/// Runs body(begin, end) for ranges that make up 0 … n - 1. Each range takes some milliseconds at most, or looks at the
/// context's flag. Throws Cancelled; a body throws nothing.
template <class Body>
void for_ranges(Context& context, uint32_t n, const Body& body) {
    constexpr uint32_t kItems = 1024;
    struct Task {
        const Body* body;
        uint32_t n;
        static void run(const void* task, uint32_t chunk) {
            const Task& self = *static_cast<const Task*>(task);
            const uint32_t begin = chunk * kItems;
            (*self.body)(begin, std::min(self.n, begin + kItems));
        }
    };
    const Task task{&body, n};
    if (n > 0) context.run_chunks((n - 1) / kItems + 1, &Task::run, &task);
}

}  // namespace flipscope
