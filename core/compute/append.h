// append_unordered(): a list whose order means nothing. Apart from primitives.h, because few sources need it and what
// it includes takes long to compile.
#pragma once

#include "compute/primitives.h"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>
#endif

namespace flipscope {

namespace detail {
template <class Kernel>
struct AppendUnordered {
    Kernel kernel;
    View<uint32_t> total;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t code = code_of(kernel, i, sums);
        kernel.emit(i, reserve(count_of<Kernel>(code)), code);
    }
    FLIPSCOPE_HD uint32_t reserve(uint32_t taken) const {
#if defined(__CUDA_ARCH__)
        // One atomic a warp: the pass would wait for a word that every thread adds to.
        const cuda::atomic_ref<uint32_t, cuda::thread_scope_device> sum(total[0]);
        return cooperative_groups::exclusive_scan_update(cooperative_groups::coalesced_threads(), sum, taken);
#else
        return atomic_add(total[0], taken);
#endif
    }
};
}  // namespace detail

/// As compact(), but the ranks may be in any order (on CUDA; on CPU threads they are in order): for lists that are
/// sets, and for extents that the host does not know, which cost nothing beyond their true size.
template <class Kernel>
void append_unordered(Context& context, const char* label, Extent extent, const Kernel& kernel, View<uint32_t> total,
                      View<uint64_t> block_sums = {}) {
#if defined(__CUDACC__)
    if (context.on_cuda()) {
        context.fill(total.data, 0, sizeof(uint32_t));
        launch(context, label, extent, detail::AppendUnordered<Kernel>{kernel, total}, block_sums);
        return;
    }
#endif
    compact(context, label, extent, kernel, total, block_sums);
}

}  // namespace flipscope
