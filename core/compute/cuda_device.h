// What a context asks of CUDA: one stream, memory, events. The only implementation is in cuda_device.cpp; without nvcc
// that file says that there is no such device. Used by context.cpp alone.
#pragma once

#include <memory>
#include <string>

#include "compute/context.h"

namespace flipscope {

class CudaDevice {
  public:
    virtual ~CudaDevice() = default;
    virtual void* stream() = 0;
    /// Whether kernels of this device wait for the one before by themselves: see launch_dependent.h.
    virtual bool prepares_launches() = 0;
    virtual void synchronize() = 0;
    /// `pinned`: in the host's memory, where copies arrive in a third of the time that others take.
    virtual std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, bool pinned) = 0;
    virtual void copy(void* to, const void* from, size_t bytes) = 0;
    /// And fills `cleared_bytes` at `cleared` with 0, after what was read.
    virtual const void* read_back(const void* from, size_t bytes, void* cleared, size_t cleared_bytes) = 0;
    virtual void fill(void* to, int byte, size_t bytes) = 0;
    /// Not `timed`: no events, and -1.
    virtual int start(const char* label, size_t row, uint64_t elements, Timings& timings, bool timed) = 0;
    virtual void stop(int events) = 0;
    virtual void check(const char* label) = 0;
    virtual void collect(Timings& timings) = 0;
    /// For tests: runs a kernel that traps. What is asked next throws DeviceLost.
    virtual void lose() = 0;
};

/// The first CUDA device, and whether it can be used: compiled in, driver present, device there, architecture built.
DeviceInfo describe_cuda();
/// Throws std::runtime_error with CUDA's own words. Call only when describe_cuda().usable.
std::unique_ptr<CudaDevice> make_cuda_device(Context& context);
/// After a failure: whether CUDA does what it is asked still, or the device is lost (device_lost.h). Waits for it.
bool cuda_answers();

}  // namespace flipscope
