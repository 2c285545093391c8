// Reads of views that many kernels share.
#pragma once

#include "flipscope/view.h"

/// Before a template whose argument may have host-only or device-only functions: the template is then usable on that
/// side.
#if defined(__CUDACC__)
#define FLIPSCOPE_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define FLIPSCOPE_EITHER_SIDE
#endif

namespace flipscope {

/// values[2i] and values[2i + 1] in one load. `values` must be aligned to 8 bytes, as buffers are.
struct alignas(8) IndexPair {
    uint32_t first, second;
};
FLIPSCOPE_HD inline IndexPair pair_at(View<const uint32_t> values, size_t i) {
#if defined(__CUDA_ARCH__)
    return reinterpret_cast<const IndexPair*>(values.data)[i];
#else
    return {values[2 * i], values[2 * i + 1]};
#endif
}

/// Lower bound: the first index in [low, high) of the ascending `values` whose value is not below `value`, or high.
template <class Index, class T>
FLIPSCOPE_HD inline Index lower_bound(const T* values, Index low, Index high, T value) {
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace flipscope
