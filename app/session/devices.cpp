#include "app/session/devices.h"

#include <utility>

#include "app/run/run.h"

namespace flipscope::app {

Devices::DeviceSlot::DeviceSlot(std::unique_ptr<Context> opened, const std::string& request,
                                std::shared_ptr<GlQueue> gl_queue)
    : context(std::move(opened)), sharing(std::make_unique<SharedMemory>(*context, request, std::move(gl_queue))) {
    context->set_shared_memory(sharing.get());
}

Devices::Devices(std::unique_ptr<Context> opened, std::unique_ptr<Context> cpu, const std::string& request)
    : opened_(std::move(opened), request, nullptr) {
    // "staged" applies to CPU threads too; other requests concern the GPU alone.
    if (cpu)
        cpu_ = std::make_unique<DeviceSlot>(std::move(cpu), request == "staged" ? "staged" : "auto",
                                            opened_.sharing->gl_queue());
    each([this](DeviceSlot& slot) { slot.context->set_cancel_flag(cancel_); });
}

std::unique_ptr<Devices> Devices::open(DeviceRequest device, int threads, const std::string& request) {
    std::unique_ptr<Context> opened = open_device(device, {.threads = threads}), cpu;
    if (opened->on_cuda()) {
        cpu = open_device(DeviceRequest::kCpu, {.threads = threads});
        cpu->lose_after(0);
    }
    return std::make_unique<Devices>(std::move(opened), std::move(cpu), request);
}

bool Devices::switch_to(const LabInfo& info) {
    DeviceSlot* const before = std::exchange(present_, &slot_of(info));
    return before != present_;
}

std::string Devices::remark(const LabInfo& info) const {
    if (present_ == &opened_ || lost_) return {};
    return "The " + info.title + " runs on CPU threads alone; other labs run on " + opened_.context->device_name() +
           ".";
}

void Devices::lose_opened() {
    opened_.sharing->abandon();
    lost_ = true;
    if (cpu_) return;
    auto threads = std::make_unique<Context>(DeviceRequest::kCpu, opened_.context->threads());
    cpu_ = std::make_unique<DeviceSlot>(std::move(threads), "auto", opened_.sharing->gl_queue());
    cpu_->context->set_cancel_flag(cancel_);
    if (opened_.sharing->held()) cpu_->sharing->acquire();
}

void Devices::acquire() {
    each([](DeviceSlot& slot) { slot.sharing->acquire(); });
}

void Devices::release() {
    each([](DeviceSlot& slot) { slot.sharing->release(); });
}

void Devices::drawn() {
    each([](DeviceSlot& slot) { slot.sharing->drawn(); });
}

void Devices::each(const std::function<void(DeviceSlot&)>& visit) {
    visit(opened_);
    if (cpu_) visit(*cpu_);
}

}  // namespace flipscope::app
