// The devices of a window: the one it was opened on and, beside a GPU, CPU threads for labs that run on nothing else.
// Each has a context and memory shared with OpenGL. The session selects the device of a lab and holds the lease of all
// of them at once. Used on the OpenGL thread, except for_lab() and cancel().
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/gl/shared_memory.h"
#include "compute/context.h"
#include "lab/lab.h"

namespace flipscope::app {

class Devices {
  public:
    /// `cpu`: CPU threads, or nullptr if `opened` can run every lab. `request`: the kind of shared memory for `opened`,
    /// as in SharedMemory.
    Devices(std::unique_ptr<Context> opened, std::unique_ptr<Context> cpu, const std::string& request);
    /// Opens `device`, with CPU threads beside a GPU. Throws Error or std::runtime_error if it is not available.
    static std::unique_ptr<Devices> open(DeviceRequest device, int threads, const std::string& request);

    /// The context for labs of this kind.
    Context& for_lab(const LabInfo& info) { return *slot_of(info).context; }
    /// Switches to the device for labs of this kind. Returns whether the device changed.
    bool switch_to(const LabInfo& info);
    /// A sentence if the present lab does not run on the opened device; otherwise empty.
    std::string remark(const LabInfo& info) const;
    /// Handles the loss of the opened device: from now on every lab runs on CPU threads. Nothing may be drawn from its
    /// buffers; their owners release them.
    void lose_opened();
    /// The present lab is on a lost device.
    bool present_is_lost() const { return lost_ && present_ == &opened_; }

    // Of the present lab:
    Context& context() { return *present_->context; }
    const SharedMemory& sharing() const { return *present_->sharing; }

    // Of all devices:
    void acquire();
    void release();
    void drawn();
    void service(double seconds = 0) { opened_.sharing->service(seconds); }
    void wake() { opened_.sharing->wake(); }
    void cancel() { cancel_.set(); }
    void clear_cancel() { cancel_.clear(); }
    const CancelFlag& cancel_flag() const { return cancel_; }

  private:
    struct DeviceSlot {
        DeviceSlot(std::unique_ptr<Context> opened, const std::string& request, std::shared_ptr<GlQueue> gl_queue);
        std::unique_ptr<Context> context;
        std::unique_ptr<SharedMemory> sharing;  // destroyed before its context
    };
    DeviceSlot& slot_of(const LabInfo& info) { return cpu_ && (lost_ || info.on_cpu_only) ? *cpu_ : opened_; }
    void each(const std::function<void(DeviceSlot&)>& visit);

    CancelFlag cancel_;
    DeviceSlot opened_;
    std::unique_ptr<DeviceSlot> cpu_;  // CPU threads; nullptr if opened_ runs every lab
    DeviceSlot* present_ = &opened_;
    bool lost_ = false;  // opened_ is lost; cpu_ then exists
};

}  // namespace flipscope::app
