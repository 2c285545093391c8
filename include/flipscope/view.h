// Macros by which one source is both a CUDA kernel and a loop body on a CPU thread.
#pragma once

#if defined(__CUDACC__)
#define FLIPSCOPE_HD __host__ __device__
#define FLIPSCOPE_HD_NOINLINE __host__ __device__ __noinline__
/// Before a template whose argument may have host-only or device-only functions: the template is then usable on that
/// side.
#define FLIPSCOPE_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define FLIPSCOPE_HD
#define FLIPSCOPE_EITHER_SIDE
#define FLIPSCOPE_HD_NOINLINE __attribute__((noinline))
#endif
