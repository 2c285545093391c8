// The memory of a Buffer: on the heap, on the CUDA device, or shared with OpenGL.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace flipscope {

/// One block of memory that kernels can write. Destructors report failures, never throw.
class Memory {
  public:
    virtual ~Memory() = default;
    /// The address for kernels. In shared memory it is valid for one lease (one frame): never store it. Throws
    /// std::logic_error if the lease is not held.
    virtual void* data() = 0;
    size_t bytes() const { return bytes_; }

  protected:
    explicit Memory(size_t bytes) : bytes_(bytes) {}
    size_t bytes_;
};

/// Memory that kernels write and draw calls read; the program implements it with OpenGL. Its owner acquires a lease of
/// all of it once per frame, runs kernels, and releases the lease before drawing.
class SharedMemorySource {
  public:
    virtual ~SharedMemorySource() = default;
    virtual std::unique_ptr<Memory> make(const std::string& name, size_t bytes) = 0;
};

/// How a buffer is used. kDrawn: allocated from the context's SharedMemorySource, if there is one. kHost: the host
/// reads it and the device copies into it; no kernel writes it. kPassing: used within one call only; may be allocated
/// from scratch memory (lent_memory.h).
enum class Residence { kPrivate, kDrawn, kHost, kPassing };

}  // namespace flipscope
