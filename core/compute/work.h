// How far long work has come, told where it is done and read by another thread: the window's frame, the line of
// progress on a terminal. Work is told in stages, one within the other: a pass, and in it a kernel or a long loop of
// the host. The thread that drives the work names a meter with a WorkScope, as it names a flag with a CancelScope;
// without a meter stages cost nothing. Launches on CPU threads are stages by themselves, so kernels say nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace flipscope {

class WorkStage;

/// Where the stages of some work are read. It must outlive the scopes that name it.
class WorkMeter {
  public:
    struct Reading {
        std::string what;      // "link.cells"; empty: nothing has been under way for so long
        double fraction = -1;  // of that stage, 0 … 1; -1: not known
        double seconds = 0;    // since that stage began
    };
    /// The innermost stage that has been under way for `least_s` seconds: shorter ones would only flicker. From any
    /// thread.
    Reading read(double least_s) const;

  private:
    friend class WorkStage;
    mutable std::mutex mutex_;
    const WorkStage* innermost_ = nullptr;  // guarded, and so are the links of the stages
};

/// "link.cells 43 %, 6 s left"; without what is not known. Empty: nothing is under way.
std::string stage_text(const WorkMeter::Reading& stage);

/// While it lives, stages on this thread are told to `meter`. Scopes nest.
class WorkScope {
  public:
    explicit WorkScope(WorkMeter& meter) noexcept;
    ~WorkScope();
    WorkScope(const WorkScope&) = delete;
    WorkScope& operator=(const WorkScope&) = delete;

  private:
    WorkMeter* outer_;
};

/// A stretch of work with a name. Made and ended on the thread of the scope.
class WorkStage {
  public:
    /// `what` must live as long as the stage. `total`: how many items there are; 0: not known.
    explicit WorkStage(const char* what, uint64_t total = 0);
    ~WorkStage();
    WorkStage(const WorkStage&) = delete;
    WorkStage& operator=(const WorkStage&) = delete;

    /// So many more items are done. From any thread.
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
