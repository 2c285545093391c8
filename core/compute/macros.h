// What lets one source be a CUDA kernel and a loop body on a CPU thread.
#pragma once

#if defined(__CUDACC__)
#define FLIPSCOPE_HD __host__ __device__
#define FLIPSCOPE_HD_NOINLINE __host__ __device__ __noinline__
#else
#define FLIPSCOPE_HD
#define FLIPSCOPE_HD_NOINLINE __attribute__((noinline))
#endif
