// Where drawn buffers live: in memory that OpenGL draws from.
#pragma once

#include "flipscope/buffer.h"

namespace flipscope {

/// What the program implements with OpenGL: memory that a kernel writes and a draw call reads. The holder takes a lease
/// of all of it (acquire, once a frame), runs kernels, and gives it back (release) before drawing.
class SharedMemorySource {
  public:
    virtual ~SharedMemorySource() = default;
    virtual std::unique_ptr<Memory> make(const std::string& name, size_t bytes) = 0;
};

}  // namespace flipscope
