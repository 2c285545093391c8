#include "app/gl/shared_memory.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "app/shared_memory_promises.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("shared memory: mapped buffers and a staged copy show OpenGL what CPU threads wrote") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 2);
    check_promises(context, "mapped");
    check_promises(context, "staged");
}

TEST_CASE("shared memory: without the lease there is no pointer") {
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

TEST_CASE("shared memory: another thread allocates and frees blocks while the OpenGL thread serves it") {
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

TEST_CASE("shared memory: a kind that is not available is refused with a sentence") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_WITH(SharedMemory(context, "cuda"), doctest::Contains("is not available"));
    CHECK_THROWS_WITH(SharedMemory(context, "magic"), doctest::Contains("expected auto, cuda, mapped or staged"));
    CHECK(SharedMemory(context, "auto").sharing() == Sharing::kMapped);
}
