// Sums of a kernel over all its indices, read by the host: for the sources of this folder.
#pragma once

#include "compute/launch.h"

namespace flipscope {

/// Waits for the device.
template <class Kernel>
BlockSums sums_of(Context& context, const char* label, uint32_t n, const Kernel& kernel) {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.resize(context, kSumCount);
    block_sums.fill_bytes(0);
    launch(context, label, n, kernel, block_sums.view());
    BlockSums sums;
    block_sums.download(sums.value, kSumCount);
    return sums;
}

}  // namespace flipscope
