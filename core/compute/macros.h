// What lets one source be a CUDA kernel and a loop body on a CPU thread.
#pragma once

#if defined(__CUDACC__)
#define FLIPSCOPE_HD __host__ __device__
#define FLIPSCOPE_HD_NOINLINE __host__ __device__ __noinline__
/// Before a template that calls what its argument has, which may be of one side alone; then so is the template.
#define FLIPSCOPE_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define FLIPSCOPE_HD
#define FLIPSCOPE_EITHER_SIDE
#define FLIPSCOPE_HD_NOINLINE __attribute__((noinline))
#endif
