// launch_dependent(): starts a CUDA kernel while its predecessor on the stream still runs; the kernel waits for it
// before it touches memory (programmatic dependent launch, CUDA programming guide). Otherwise chains of small kernels
// spend a third of their time between kernels. Included by the launch headers.
#pragma once

#include "compute/context.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>

namespace flipscope::detail {

/// Must be the first call in every kernel that launch_dependent() launches: the preceding kernel may write until here.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Launches `blocks` in clusters of `cluster`, which must be 1 if Context::forms_clusters() is false.
/// cudaPeekAtLastError() reports a refused launch.
template <class... Parameters, class... Arguments>
void launch_clusters(Context& context, uint32_t blocks, uint32_t cluster, uint32_t threads,
                     void (*function)(Parameters...), const Arguments&... arguments) {
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = cluster;
    attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = static_cast<cudaStream_t>(context.stream());
    config.attrs = attributes;
    config.numAttrs = context.prepares_launches() ? (cluster > 1 ? 2 : 1) : 0;
    cudaLaunchKernelEx(&config, function, static_cast<Parameters>(arguments)...);
}
template <class... Parameters, class... Arguments>
void launch_dependent(Context& context, uint32_t blocks, uint32_t threads, void (*function)(Parameters...),
                      const Arguments&... arguments) {
    launch_clusters(context, blocks, 1, threads, function, arguments...);
}

}  // namespace flipscope::detail

#endif
