// The devices of a window: the one that it was opened on and, where that is a GPU, CPU threads for labs that run on
// nothing else. Each has its context and its memory shared with OpenGL. The session asks where a lab runs, and takes
// the lease of all of them at once. Used on the OpenGL thread, except for_lab() and cancel().
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
    /// `beside`: CPU threads, or nullptr where `opened` can run every lab. `request`: as SharedMemory has it, for the
    /// device that was opened.
    Devices(std::unique_ptr<Context> opened, std::unique_ptr<Context> beside, const std::string& request);
    /// As asked for, with CPU threads beside a GPU. Throws Error or std::runtime_error where it cannot be had.
    static std::unique_ptr<Devices> open(DeviceRequest device, int threads, const std::string& request);

    /// Where such a lab runs.
    Context& for_lab(const LabInfo& info) { return slot_of(info).context(); }
    /// The present lab is of this kind. Returns whether it runs elsewhere than the one before.
    bool take(const LabInfo& info);
    /// A sentence where the present lab does not run on the device that was opened; else empty.
    std::string remark(const LabInfo& info) const;
    /// The device that was opened is lost: every lab runs on CPU threads from now on. Nothing may be drawn from its
    /// buffers again; their owners release them.
    void lose_opened();
    /// The present lab is on a device that is lost.
    bool present_is_lost() const { return lost_ && present_ == &opened_; }

    // Of the present lab:
    Context& context() { return present_->context(); }
    const SharedMemory& sharing() const { return present_->sharing(); }

    // Of all of them:
    void acquire();
    void release();
    void drawn();
    void service(double seconds = 0) { opened_.sharing().service(seconds); }
    void wake() { opened_.sharing().wake(); }
    void cancel() { cancel_.set(); }
    void clear_cancel() { cancel_.clear(); }
    const CancelFlag& cancel_flag() const { return cancel_; }

  private:
    class DeviceSlot {
      public:
        DeviceSlot(std::unique_ptr<Context> context, const std::string& request, std::shared_ptr<GlQueue> gl_queue);
        Context& context() const { return *context_; }
        SharedMemory& sharing() const { return *sharing_; }

      private:
        std::unique_ptr<Context> context_;
        std::unique_ptr<SharedMemory> sharing_;  // gone before its context
    };
    DeviceSlot& slot_of(const LabInfo& info) { return beside_ && (lost_ || info.on_cpu_only) ? *beside_ : opened_; }
    void each(const std::function<void(DeviceSlot&)>& visit);

    CancelFlag cancel_;
    DeviceSlot opened_;
    std::unique_ptr<DeviceSlot> beside_;  // or nullptr
    DeviceSlot* present_ = &opened_;
    bool lost_ = false;  // what was opened; then there is one beside it
};

}  // namespace flipscope::app
