#include "app/gl/shared_memory.h"

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

TEST_CASE("shared memory: a kind that is not available is refused with a sentence") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_WITH(SharedMemory(context, "cuda"), doctest::Contains("is not available"));
    CHECK_THROWS_WITH(SharedMemory(context, "magic"), doctest::Contains("expected auto, cuda, mapped or staged"));
    CHECK(SharedMemory(context, "auto").sharing() == Sharing::kMapped);
}
