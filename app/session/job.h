// A job of the session's worker, and the link between the window's and the worker's thread while it runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "lab/facets.h"

namespace flipscope::app {

enum class Task {
    kQuery,      // short and read-only: not announced, not cancellable
    kHash,       // a query of the state hash
    kOpen,       // another input or lab
    kStartOver,  // on the present input
    kSeek,       // along the timeline
    kEdit,
    kRecover,  // to a sound state after a cancelled pass
    kCheck,
    kLongQuery,  // read-only, but longer than a query
    kMeasure,    // too expensive for every frame; long for large inputs
};

/// Whether the job can stop between two passes with a sound timeline.
constexpr bool is_interruptible(Task task) {
    return task == Task::kSeek || task == Task::kEdit || task == Task::kRecover;
}
/// Whether the job ends with a new run, which its `after` adopts before the state is published.
constexpr bool begins_run(Task task) { return task == Task::kOpen || task == Task::kStartOver; }
/// Whether the job is shown and can be cancelled, and after how many seconds.
constexpr bool is_announced(Task task) { return task != Task::kQuery && task != Task::kHash; }
constexpr double announced_after(Task task) { return task == Task::kMeasure ? 0.25 : 0; }

struct Job {
    Task task = Task::kQuery;
    std::string title = {};                                // if announced: "Running on"
    bool changes_scene = false;                            // removes failure marks and redraws the picture
    uint64_t target = 0;                                   // position to reach; 0: none or unknown
    std::optional<std::pair<Element, Point3>> moves = {};  // the vertex that it moves, and its new place
    std::function<void()> run = {};                        // on the worker's thread
    std::function<void()> after = {};                      // on the window's thread, unless `run` threw
};

/// One per session. All members but begin() may be called from both threads.
class JobLink {
  public:
    /// Call before a job starts. `target`: as Job::target.
    void begin(uint64_t position = 0, uint64_t target = 0) {
        stop_ = false;
        position_ = position;
        target_ = target;
    }
    /// Asks an interruptible job to stop after the running pass.
    void stop() noexcept { stop_ = true; }
    bool stopped() const noexcept { return stop_; }

    /// Reports the position; returns whether to continue.
    bool report(uint64_t position) {
        position_ = position;
        return !stop_;
    }
    /// Fraction done, 0 … 1; -1: unknown.
    double fraction() const {
        const uint64_t target = target_;
        if (target == 0 || target == UINT64_MAX) return -1;
        return static_cast<double>(position_.load()) / static_cast<double>(target);
    }

  private:
    std::atomic<bool> stop_{false};
    std::atomic<uint64_t> position_{0}, target_{0};
};

}  // namespace flipscope::app
