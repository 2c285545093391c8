// The choice between the opened device and CPU threads. Two contexts on CPU threads stand in for them, so no GPU is
// needed.
#include "app/session/devices.h"

#include <thread>

#include "app/shared_memory_promises.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

std::unique_ptr<Context> threads(int count) { return std::make_unique<Context>(DeviceRequest::kCpu, count); }

}  // namespace

TEST_CASE("devices: a lab for CPU threads only runs on the second device, others on the opened one") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Devices devices(threads(1), threads(2), "staged");
    const LabInfo& serial = lab_info("serial");
    REQUIRE(serial.on_cpu_only);
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        CHECK(devices.for_lab(entry.info()).threads() == (entry.info().on_cpu_only ? 2 : 1));
    }
    CHECK(devices.context().threads() == 1);
    CHECK(devices.remark(lab_info("build")).empty());
    CHECK(devices.switch_to(serial));
    CHECK(devices.context().threads() == 2);
    CHECK(devices.remark(serial).find("The " + serial.title + " runs on CPU threads alone; other labs run on CPU") ==
          0);
    CHECK_FALSE(devices.switch_to(serial));
    CHECK(devices.switch_to(lab_info("flip")));  // and back
    CHECK(devices.context().threads() == 1);
    CHECK(devices.remark(lab_info("flip")).empty());
    CHECK(devices.sharing().sharing() == Sharing::kStaged);
}

TEST_CASE("devices: without a second device every lab runs on the opened one") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Devices devices(threads(1), nullptr, "auto");
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        CHECK(&devices.for_lab(entry.info()) == &devices.context());
        CHECK_FALSE(devices.switch_to(entry.info()));
        CHECK(devices.remark(entry.info()).empty());
    }
    // A window on CPU threads has no second device.
    const auto opened = Devices::open(DeviceRequest::kCpu, 1, "auto");
    CHECK(&opened->for_lab(lab_info("serial")) == &opened->context());
}

TEST_CASE("devices: a lab frees its buffers while another allocates, off the OpenGL thread") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Devices devices(threads(1), threads(2), "auto");
    auto points = std::make_shared<Geometry>();
    points->points = {{0, 0}, {1, 0}, {0, 1}, {1, 1.5}};
    std::unique_ptr<Lab> lab;
    for (const char* id : {"build", "serial", "flip", "serial"}) {
        INFO(id);
        devices.acquire();
        std::atomic<bool> over{false};
        std::thread worker([&] {
            auto made = make_lab(id);
            made->reset(devices.for_lab(made->info()), points);
            made->finish({});
            lab = std::move(made);
            over = true;
            devices.wake();
        });
        while (!over) devices.service(0.02);
        worker.join();
        devices.switch_to(lab->info());
        CHECK(lab->result().triangles == 2);
        CHECK(devices.sharing().blocks() > 0);
        devices.release();
        devices.drawn();
    }
    devices.acquire();
    lab.reset();
    CHECK(devices.sharing().blocks() == 0);
    devices.release();
}

TEST_CASE("devices: one cancel stops work on both devices") {
    const auto gl = context_or_skip();
    if (!gl) return;
    Devices devices(threads(1), threads(2), "auto");
    devices.cancel();
    for (const char* id : {"build", "serial"})
        CHECK_THROWS_AS(devices.for_lab(lab_info(id)).throw_if_cancelled(), Cancelled);
    devices.clear_cancel();
    for (const char* id : {"build", "serial"}) CHECK_NOTHROW(devices.for_lab(lab_info(id)).throw_if_cancelled());
}
