// Where the bytes of a Buffer live: on the heap, on the CUDA device, or in memory that OpenGL draws from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace flipscope {

/// One block of memory that kernels can write. Destructors report failures, never throw.
class Memory {
  public:
    virtual ~Memory() = default;
    /// Where kernels find it. Of shared memory this holds for one lease (one frame) only: ask again, store it nowhere.
    /// Throws std::logic_error when the lease is not held.
    virtual void* data() = 0;
    size_t bytes() const { return bytes_; }

  protected:
    explicit Memory(size_t bytes) : bytes_(bytes) {}
    size_t bytes_;
};

/// What the program implements with OpenGL: memory that a kernel writes and a draw call reads. The holder takes a lease
/// of all of it (acquire, once a frame), runs kernels, and gives it back (release) before drawing.
class SharedMemorySource {
  public:
    virtual ~SharedMemorySource() = default;
    virtual std::unique_ptr<Memory> make(const std::string& name, size_t bytes) = 0;
};

/// Whether a buffer is drawn. Drawn buffers come from the context's SharedMemorySource where it has one. kHost: it is
/// read by the host, into whose memory the device copies; no kernel writes it. kPassing: of use within one call only;
/// it may lie in memory that is lent meanwhile (lent_memory.h).
enum class Residence { kPrivate, kDrawn, kHost, kPassing };

}  // namespace flipscope
