// The guarantees of every kind of shared memory.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "app/gl/gl_context.h"
#include "app/gl/shared_memory.h"
#include "app/made_or_skip.h"
#include "compute/buffer.h"

namespace flipscope::app {

inline std::unique_ptr<GlContext> context_or_skip() { return made_or_skip<GlContext>(); }

inline std::vector<uint32_t> read_back(GLuint buffer, size_t count) {
    std::vector<uint32_t> values(count);
    glGetNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(count * 4), values.data());
    return values;
}

inline std::vector<uint32_t> ramp(uint32_t first, size_t count) {
    std::vector<uint32_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// On every device.
inline void check_promises(Context& context, const std::string& make) {
    SharedMemory sharing(context, make);
    CAPTURE(sharing.description());
    context.set_shared_memory(&sharing);
    constexpr size_t kCount = 1001;
    {
        sharing.acquire();
        Buffer<uint32_t> drawn("drawn", Residence::kDrawn), other("other", Residence::kDrawn);
        drawn.resize(context, kCount);
        other.resize(context, 7);
        CHECK(sharing.blocks() == 2);
        CHECK(drawn.read(0) == 0);  // blocks come zeroed
        const std::vector<uint32_t> first = ramp(3, kCount), second = ramp(1000, kCount);
        drawn.upload(context, first.data(), kCount);
        sharing.release();
        CHECK(read_back(SharedMemory::buffer_of(drawn.memory()), kCount) == first);
        sharing.drawn();

        // A second frame finds what the first one wrote, and OpenGL sees what the second one writes.
        sharing.acquire();
        CHECK(drawn.download() == first);
        drawn.upload(context, second.data(), kCount);
        sharing.release();
        CHECK(read_back(SharedMemory::buffer_of(drawn.memory()), kCount) == second);

        // Growing keeps the contents.
        sharing.acquire();
        drawn.resize(context, 5 * kCount, true);
        sharing.release();
        CHECK(read_back(SharedMemory::buffer_of(drawn.memory()), kCount) == second);
        CHECK(sharing.blocks() == 2);
        CHECK(sharing.bytes() == 5 * kCount * 4 + 7 * 4);
        sharing.acquire();
    }
    CHECK(sharing.blocks() == 0);
    CHECK(sharing.bytes() == 0);
    sharing.release();
    CHECK(glGetError() == GL_NO_ERROR);
    context.set_shared_memory(nullptr);
}

}  // namespace flipscope::app
