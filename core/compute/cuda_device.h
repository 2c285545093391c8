// A context's interface to CUDA: one stream, memory, events. The only implementation is in cuda_device.cu; built
// without nvcc, that file reports that there is no CUDA device. Used by context.cpp alone.
#pragma once

#include <memory>
#include <string>

#include "compute/context.h"

namespace flipscope {

class CudaDevice {
  public:
    virtual ~CudaDevice() = default;
    virtual void* stream() = 0;
    /// Whether kernels on this device support dependent launch: see launch_dependent.h.
    virtual bool prepares_launches() = 0;
    virtual void synchronize() = 0;
    /// `pinned`: in pinned host memory, to which copies are three times as fast.
    virtual std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, bool pinned) = 0;
    virtual void copy(void* to, const void* from, size_t bytes) = 0;
    /// Also zeroes `cleared_bytes` at `cleared`, after the read.
    virtual const void* read_back(const void* from, size_t bytes, void* cleared, size_t cleared_bytes) = 0;
    virtual void fill(void* to, int byte, size_t bytes) = 0;
    /// Without `timed` it records no events and returns -1.
    virtual int start(const char* label, size_t row, uint64_t elements, Timings& timings, bool timed) = 0;
    virtual void stop(int events) = 0;
    virtual void check(const char* label) = 0;
    virtual void collect(Timings& timings) = 0;
    /// For tests: runs a kernel that traps. The next call throws DeviceLost.
    virtual void lose() = 0;
};

/// The first CUDA device, and whether it is usable: CUDA compiled in, driver and device present, architecture built.
DeviceInfo describe_cuda();
/// Throws std::runtime_error with CUDA's message. Call only if describe_cuda().usable.
std::unique_ptr<CudaDevice> make_cuda_device(Context& context);
/// After a failure: whether CUDA still works, or the device is lost (flipscope/error.h). Waits for it.
bool cuda_is_usable();

}  // namespace flipscope
