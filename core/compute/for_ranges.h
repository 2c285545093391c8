// Parallel host loops on the context's threads, for work that is not a kernel because its data are on the host or it
// allocates. An item's result must depend on the item alone. For kernels see launch.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/context.h"

namespace flipscope {

/// Runs body(begin, end) for ranges that partition 0 … n - 1. A range must take some milliseconds at most, or poll the
/// context's flag. Throws Cancelled; the body must not throw.
template <class Body>
void for_ranges(Context& context, uint32_t n, const Body& body) {
    constexpr uint32_t kItems = 1024;
    if (n == 0) return;
    context.run_chunks((n - 1) / kItems + 1, [&](uint32_t chunk) {
        const uint32_t begin = chunk * kItems;
        body(begin, std::min(n, begin + kItems));
    });
}

}  // namespace flipscope
