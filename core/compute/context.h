// What the library's own sources need of a context besides flipscope/context.h: its flag, its timings, its memory, and
// the stopwatch around a launch.
#pragma once

#include <cstdint>

#include "compute/cancel.h"
#include "compute/memory.h"
#include "compute/timings.h"
#include "flipscope/context.h"

namespace flipscope {

/// Encloses one launch: throws Cancelled at construction if the flag is set, then records the time between construction
/// and destruction (CPU) or between two events on the stream (CUDA) under `label`.
struct Context::Stopwatch {
    Stopwatch(Context& context, const char* label, uint64_t elements);
    ~Stopwatch();
    /// CUDA only: throws if the launch was refused or, with FLIPSCOPE_SYNC=1, if the kernel failed.
    void check_launch();

    Context& context;
    const char* label;
    size_t row;
    uint64_t elements;
    int64_t start_ns = 0;
    int events = -1;  // index of the pair in the context's ring
};

}  // namespace flipscope
