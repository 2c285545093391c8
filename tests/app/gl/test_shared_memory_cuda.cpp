// Shared memory with CUDA; a separate file, since it needs a GPU.
#include "app/shared_memory_promises.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("shared memory: buffers registered with CUDA, and a staged copy from CUDA, show OpenGL what CUDA wrote") {
    const std::vector<DeviceInfo> devices = list_devices();
    const DeviceInfo& cuda = devices.back();
    if (cuda.device != Device::kCuda || !cuda.usable) {
        skip("no CUDA device: " + cuda.explanation);
        return;
    }
    const auto gl = context_or_skip();
    if (!gl) return;
    Context context(DeviceRequest::kCuda);
    check_promises(context, "staged");
    try {
        const SharedMemory probe(context, "cuda");
    } catch (const std::exception& error) {
        skip(error.what());
        return;
    }
    check_promises(context, "cuda");
}
