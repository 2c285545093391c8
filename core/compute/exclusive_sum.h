// CUB's scan on CUDA, compiled once: a source that only calls it need not read CUB's headers, which take longer to
// compile than most kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/context.h"

namespace flipscope::detail {

/// Working memory that exclusive_sum() of `n` values takes, bytes.
size_t exclusive_sum_bytes(uint32_t n);
/// Enqueued on the stream of a context on CUDA: every one of the `n` values (device memory) becomes the sum of those
/// before it. `work` is device memory of exclusive_sum_bytes(n). Neither timed nor checked: the caller's stopwatch is.
void exclusive_sum(Context& context, uint32_t* values, uint32_t n, void* work);

}  // namespace flipscope::detail
