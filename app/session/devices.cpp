#include "app/session/devices.h"

#include <utility>

#include "app/run/run.h"

namespace flipscope::app {

Devices::DeviceSlot::DeviceSlot(std::unique_ptr<Context> context, const std::string& request,
                                std::shared_ptr<GlQueue> gl_queue)
    : context_(std::move(context)), sharing_(std::make_unique<SharedMemory>(*context_, request, std::move(gl_queue))) {
    context_->set_shared_memory(sharing_.get());
}

Devices::Devices(std::unique_ptr<Context> opened, std::unique_ptr<Context> beside, const std::string& request)
    : opened_(std::move(opened), request, nullptr) {
    // A copy where that was asked for; nothing else that the request may say is for CPU threads beside a GPU.
    if (beside)
        beside_ = std::make_unique<DeviceSlot>(std::move(beside), request == "staged" ? "staged" : "auto",
                                               opened_.sharing().gl_queue());
    each([this](DeviceSlot& slot) { slot.context().set_cancel_flag(cancel_); });
}

std::unique_ptr<Devices> Devices::open(DeviceRequest device, int threads, const std::string& request) {
    std::unique_ptr<Context> opened = open_device(device, {.threads = threads}), beside;
    if (opened->on_cuda()) {
        beside = open_device(DeviceRequest::kCpu, {.threads = threads});
        beside->lose_after(0);
    }
    return std::make_unique<Devices>(std::move(opened), std::move(beside), request);
}

bool Devices::take(const LabInfo& info) {
    DeviceSlot* const before = std::exchange(present_, &slot_of(info));
    return before != present_;
}

std::string Devices::remark(const LabInfo& info) const {
    if (present_ == &opened_ || lost_) return {};
    return "The " + info.title + " runs on CPU threads alone; other labs run on " + opened_.context().device_name() +
           ".";
}

void Devices::lose_opened() {
    opened_.sharing().abandon();
    lost_ = true;
    if (beside_) return;
    auto threads = std::make_unique<Context>(DeviceRequest::kCpu, opened_.context().threads());
    beside_ = std::make_unique<DeviceSlot>(std::move(threads), "auto", opened_.sharing().gl_queue());
    beside_->context().set_cancel_flag(cancel_);
    if (opened_.sharing().held()) beside_->sharing().acquire();
}

void Devices::acquire() {
    each([](DeviceSlot& slot) { slot.sharing().acquire(); });
}

void Devices::release() {
    each([](DeviceSlot& slot) { slot.sharing().release(); });
}

void Devices::drawn() {
    each([](DeviceSlot& slot) { slot.sharing().drawn(); });
}

void Devices::each(const std::function<void(DeviceSlot&)>& visit) {
    visit(opened_);
    if (beside_) visit(*beside_);
}

}  // namespace flipscope::app
