// launch_on_cuda(): runs a __global__ function, for what launch() cannot say because the threads of a block or a warp
// work together. The CPU side of such a pass is its caller's, which must include compute/launch.h itself.
#pragma once

#include "compute/launch.h"

#if defined(__CUDACC__)

namespace flipscope {

/// `elements`: what the timing table says there were. `function` begins with detail::wait_for_previous(). Throws as
/// launch() does.
template <class... Parameters, class... Arguments>
void launch_on_cuda(Context& context, const char* label, uint64_t elements, uint32_t blocks, uint32_t threads,
                    void (*function)(Parameters...), const Arguments&... arguments) {
    Context::Stopwatch stopwatch(context, label, elements);
    detail::launch_dependent(context, blocks, threads, function, arguments...);
    stopwatch.check_launch();
}
/// The same by one cluster of blocks.
template <class... Parameters, class... Arguments>
void launch_cluster_on_cuda(Context& context, const char* label, uint64_t elements, uint32_t blocks, uint32_t threads,
                            void (*function)(Parameters...), const Arguments&... arguments) {
    Context::Stopwatch stopwatch(context, label, elements);
    detail::launch_clusters(context, blocks, blocks, threads, function, arguments...);
    stopwatch.check_launch();
}

}  // namespace flipscope

#endif
