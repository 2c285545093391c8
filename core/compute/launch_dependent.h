// launch_dependent(): a CUDA kernel that gets ready while the one before it on the stream still runs, and waits for it
// before it does anything (programmatic dependent launch, CUDA programming guide). Chains of small kernels spend a
// third of their time between kernels otherwise. For launch.h and its kin.
#pragma once

#include "compute/context.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>

namespace flipscope::detail {

/// The first thing in every kernel that launch_dependent() launches: until here the kernel before may still be writing.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// All `blocks`, in clusters of `cluster`; 1 where Context::forms_clusters() is false. A refused launch shows in
/// cudaPeekAtLastError().
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
