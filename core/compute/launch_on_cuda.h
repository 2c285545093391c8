// launch_on_cuda(): runs a __global__ function whose threads cooperate within a block or a warp, which launch() cannot
// express. The caller implements the CPU side; its source ends with .cu.
#pragma once

#include "compute/launch.h"

#if defined(__CUDACC__)

namespace flipscope {

/// `elements`: the count in the timing table. `function` must begin with detail::wait_for_previous(). Throws as
/// launch() does.
template <class... Parameters, class... Arguments>
void launch_on_cuda(Context& context, const char* label, uint64_t elements, uint32_t blocks, uint32_t threads,
                    void (*function)(Parameters...), const Arguments&... arguments) {
    Context::Stopwatch stopwatch(context, label, elements);
    detail::launch_dependent(context, blocks, threads, function, arguments...);
    stopwatch.check_launch();
}
/// The same, as one cluster of blocks.
template <class... Parameters, class... Arguments>
void launch_cluster_on_cuda(Context& context, const char* label, uint64_t elements, uint32_t blocks, uint32_t threads,
                            void (*function)(Parameters...), const Arguments&... arguments) {
    Context::Stopwatch stopwatch(context, label, elements);
    detail::launch_clusters(context, blocks, blocks, threads, function, arguments...);
    stopwatch.check_launch();
}

}  // namespace flipscope

#endif
