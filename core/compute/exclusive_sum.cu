#include "compute/exclusive_sum.h"

#include <stdexcept>

#include "compute/launch.h"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#endif

namespace flipscope::detail {

#if defined(__CUDACC__)

size_t exclusive_sum_bytes(uint32_t n) {
    size_t bytes = 0;
    uint32_t* const none = nullptr;
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, static_cast<int>(n));
    return bytes;
}

void exclusive_sum(Context& context, uint32_t* values, uint32_t n, void* work) {
    size_t bytes = exclusive_sum_bytes(n);
    cub::DeviceScan::ExclusiveSum(work, bytes, values, values, static_cast<int>(n),
                                  static_cast<cudaStream_t>(context.stream()));
}

#else

size_t exclusive_sum_bytes(uint32_t) { return 0; }

void exclusive_sum(Context&, uint32_t*, uint32_t, void*) {
    throw std::logic_error("exclusive_sum: this program was built without CUDA");
}

#endif

}  // namespace flipscope::detail
