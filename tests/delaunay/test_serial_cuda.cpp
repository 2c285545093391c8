// The serial construction's error on a GPU; a separate file, since it needs one.
#include "delaunay/runs.h"
using namespace flipscope;

TEST_CASE("serial: a CUDA context is refused with a sentence, and the lab is as before") {
    const DeviceInfo cuda = list_devices().back();
    if (cuda.device != Device::kCuda || !cuda.usable) return skip("no CUDA device: " + cuda.explanation);
    Context context(DeviceRequest::kCuda);
    const auto lab = lab_with("serial");
    CHECK_THROWS_AS(lab->reset(context, generated("uniform:10")), Error);
    CHECK(lab->next_pass() == lab_with("serial")->next_pass());
}
