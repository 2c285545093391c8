// Sums of the values before each one. CUB's scan on CUDA is compiled once: callers need not include CUB's headers,
// which take longer to compile than most kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/context.h"
#include "compute/view.h"

namespace flipscope {

/// Replaces each value by the sum of the values before it. On CPU threads one of them does.
void exclusive_sum(Context& context, const char* label, View<uint32_t> values);

namespace detail {

/// Bytes of working memory that exclusive_sum() needs for `n` values.
size_t exclusive_sum_bytes(uint32_t n);
/// Replaces each of the `n` values (device memory) by the sum of the values before it, on the context's CUDA stream.
/// `work`: exclusive_sum_bytes(n) bytes of device memory. The caller's stopwatch times and checks it.
void exclusive_sum(Context& context, uint32_t* values, uint32_t n, void* work);

}  // namespace detail

}  // namespace flipscope
