// Progress of long operations, reported by the working thread and read by another: the window's frame, or the progress
// line on a terminal. Progress is reported in nested stages: a pass, and within it a kernel or a long host loop. The
// working thread sets a meter with a WorkScope, as it sets a flag with a CancelScope; without a meter stages cost
// nothing. Launches on CPU threads are stages, so kernels report nothing themselves.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace flipscope {

class WorkStage;

/// Reads the stages of an operation. It must outlive the scopes that refer to it.
class WorkMeter {
  public:
    struct Reading {
        std::string what;      // "link.cells"; empty: no stage has lasted that long
        double fraction = -1;  // of that stage, 0 … 1; -1: not known
        double seconds = 0;    // since that stage began
    };
    /// The innermost stage that has lasted for `least_s` seconds; shorter ones would flicker. From any thread.
    Reading read(double least_s) const;

  private:
    friend class WorkStage;
    mutable std::mutex mutex_;
    const WorkStage* innermost_ = nullptr;  // guarded, and so are the links of the stages
};

/// "link.cells 43 %, 6 s left", as far as known. Empty: no stage is active.
std::string stage_text(const WorkMeter::Reading& stage);

/// While it exists, stages on this thread report to `meter`. Scopes nest.
class WorkScope {
  public:
    explicit WorkScope(WorkMeter& meter) noexcept;
    ~WorkScope();
    WorkScope(const WorkScope&) = delete;
    WorkScope& operator=(const WorkScope&) = delete;

  private:
    WorkMeter* outer_;
};

/// A named stage of work. Constructed and destroyed on the thread of the scope.
class WorkStage {
  public:
    /// `what` must live as long as the stage. `total`: how many items there are; 0: not known.
    explicit WorkStage(const char* what, uint64_t total = 0);
    ~WorkStage();
    WorkStage(const WorkStage&) = delete;
    WorkStage& operator=(const WorkStage&) = delete;

    /// Reports further completed items. From any thread.
    void advance(uint64_t items = 1) {
        if (meter_) done_.fetch_add(items, std::memory_order_relaxed);
    }

  private:
    friend class WorkMeter;
    WorkMeter* meter_;  // nullptr: no scope has named one
    const char* what_;
    uint64_t total_;
    std::atomic<uint64_t> done_{0};
    std::chrono::steady_clock::time_point begin_;
    const WorkStage* outer_ = nullptr;
};

}  // namespace flipscope
