// A job of the session's worker: what it is, and what the window's thread and the worker's tell each other while it
// runs.
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
    kQuestion,   // over soon and changes nothing: it is not announced, and cannot be cancelled
    kOpen,       // another input, or another lab
    kStartOver,  // the present input once more
    kTravel,     // along the timeline
    kEdit,
    kRecover,  // back to a sound state after a cancelled pass
    kCheck,
    kAsk,      // what takes longer than a question, and changes nothing either
    kMeasure,  // what is too dear for every frame: mostly a question, with large inputs something to wait for
};

/// Whether it can be ended between two passes, with the timeline in a sound state.
constexpr bool is_interruptible(Task task) {
    return task == Task::kTravel || task == Task::kEdit || task == Task::kRecover;
}
/// Whether it is worth being shown, and being cancelled; of some only once they have taken so long, in seconds.
constexpr bool is_announced(Task task) { return task != Task::kQuestion; }
constexpr double announced_after(Task task) { return task == Task::kMeasure ? 0.25 : 0; }

struct Job {
    Task task = Task::kQuestion;
    std::string title = {};                                // of announced ones: "Running on"
    bool changes_scene = false;                            // marks of failures go, and the picture is drawn again
    uint64_t target = 0;                                   // the position that it goes to; 0: none, or not known
    std::optional<std::pair<Element, Point3>> moves = {};  // a vertex that it moves, and where to
    std::function<void()> run = {};                        // on the worker's thread
    std::function<void()> after = {};                      // on the window's thread, where nothing was thrown
};

/// One for a session; all members but begin() may be called from both threads.
class JobLink {
  public:
    /// Before a job starts, at this position. `target`: as Job::target.
    void begin(uint64_t position = 0, uint64_t target = 0) {
        stop_ = false;
        position_ = position;
        target_ = target;
    }
    /// The job is to end after the pass under way, where it is_interruptible().
    void stop() noexcept { stop_ = true; }
    bool stopped() const noexcept { return stop_; }

    /// Reports the position; whether the job is to go on.
    bool tell(uint64_t position) {
        position_ = position;
        return !stop_;
    }
    /// How much of the way is done, 0 … 1; -1: not known.
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
