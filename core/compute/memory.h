// Where drawn buffers live: in memory that OpenGL draws from.
#pragma once

#include "flipscope/buffer.h"

namespace flipscope {

/// Memory that kernels write and draw calls read; the program implements it with OpenGL. Its owner acquires a lease of
/// all of it once per frame, runs kernels, and releases the lease before drawing.
class SharedMemorySource {
  public:
    virtual ~SharedMemorySource() = default;
    virtual std::unique_ptr<Memory> make(const std::string& name, size_t bytes) = 0;
};

}  // namespace flipscope
