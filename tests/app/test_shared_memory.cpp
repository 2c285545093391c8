#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <thread>

#include "app/gl_context.h"
#include "app/shared_memory.h"
#include "compute/buffer.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// An OpenGL context, or the reason why there is none, said once.
std::unique_ptr<GlContext> context_or_skip() {
    try {
        return std::make_unique<GlContext>();
    } catch (const std::exception& error) {
        MESSAGE("skipped: " << error.what());
        return nullptr;
    }
}

std::vector<uint32_t> read_back(GLuint buffer, size_t count) {
    std::vector<uint32_t> values(count);
    glGetNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(count * 4), values.data());
    return values;
}

std::vector<uint32_t> ramp(uint32_t first, size_t count) {
    std::vector<uint32_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// What every make promises, whichever device writes.
void check_promises(Context& context, const std::string& make) {
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

}  // namespace

TEST_CASE("shared memory: mapped buffers show OpenGL what CPU threads wrote") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 2);
    check_promises(context, "mapped");
}

TEST_CASE("shared memory: a staged copy shows OpenGL what CPU threads wrote") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 2);
    check_promises(context, "staged");
}

TEST_CASE("shared memory: buffers registered with CUDA, and a staged copy from CUDA, show OpenGL what CUDA wrote") {
    const std::vector<DeviceInfo> devices = list_devices();
    const DeviceInfo& cuda = devices.back();
    if (cuda.device != Device::kCuda || !cuda.usable) {
        MESSAGE("skipped: no CUDA device: " << cuda.explanation);
        return;
    }
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCuda);
    check_promises(context, "staged");
    try {
        const SharedMemory probe(context, "cuda");
    } catch (const std::exception& error) {
        MESSAGE("skipped: " << error.what());
        return;
    }
    check_promises(context, "cuda");
}

TEST_CASE("shared memory: without the lease nobody gets a pointer") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    for (const char* make : {"mapped", "staged"}) {
        CAPTURE(make);
        SharedMemory sharing(context, make);
        auto block = sharing.make("positions", 64);
        CHECK_THROWS_WITH_AS(block->data(), doctest::Contains("positions"), std::logic_error);
        sharing.acquire();
        CHECK(block->data() != nullptr);
        sharing.release();
        CHECK_THROWS_AS(block->data(), std::logic_error);
    }
}

TEST_CASE("shared memory: the staged make copies only what may have been written") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    SharedMemory sharing(context, "staged");
    auto touched = sharing.make("touched", 4096), untouched = sharing.make("untouched", 1 << 20);
    sharing.acquire();
    std::memset(touched->data(), 1, 4096);
    sharing.release();
    CHECK(sharing.copied_bytes() == 4096);
    sharing.acquire();
    sharing.release();
    CHECK(sharing.copied_bytes() == 4096);
}

TEST_CASE("shared memory: another thread makes and drops blocks while the OpenGL thread serves it") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    for (const char* make : {"mapped", "staged"}) {
        CAPTURE(make);
        SharedMemory sharing(context, make);
        sharing.acquire();
        std::unique_ptr<Memory> kept;
        std::atomic<bool> over{false};
        std::thread worker([&] {
            for (int i = 0; i < 20; ++i) {
                kept = sharing.make("block", 1024);
                std::memset(kept->data(), i, 1024);
            }
            over = true;
            sharing.wake();
        });
        while (!over) sharing.service(0.05);
        worker.join();
        sharing.release();
        CHECK(sharing.blocks() == 1);
        CHECK(read_back(SharedMemory::buffer_of(kept.get()), 1)[0] == 0x13131313u);
        kept.reset();
        CHECK(sharing.blocks() == 0);
    }
}

TEST_CASE("shared memory: a make that cannot be had is refused with a sentence") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_WITH(SharedMemory(context, "cuda"), doctest::Contains("cannot be had"));
    CHECK_THROWS_WITH(SharedMemory(context, "magic"), doctest::Contains("expected auto, cuda, mapped or staged"));
    CHECK(SharedMemory(context, "auto").sharing() == Sharing::kMapped);
}
