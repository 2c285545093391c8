// Searches in the background, on a thread and CPU context of its own, for the fewest points that still show a failure.
// It makes its own lab and does not use the shown one, ImGui or OpenGL. Make all calls on the window's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/run/scenario.h"
#include "compute/cancel.h"
#include "geometry/point.h"

namespace flipscope::app {

class Shrinking {
  public:
    enum class State {
        kNone,  // not started, or closed
        kRuns,
        kEnded,  // with the fewest points, the best so far after cancel(), or none: see Progress::why
    };
    struct Progress {
        State state = State::kNone;
        std::string stage;        // "running it once more", "leaving points out", "simplifying coordinates"
        size_t given = 0;         // points
        size_t points = 0;        // of the best so far; 0: none has failed yet
        uint64_t tests = 0;       // runs of the lab
        double seconds = 0;       // since the start, or in total
        bool complete = false;    // no point can be left out
        bool cancelling = false;  // cancelled, perhaps not ended yet
        std::string sentence;     // the check's sentence on the best so far
        std::string why;          // why it ended without a result
        bool any() const { return points > 0; }
    };

    /// `wake`: called from the search's thread at its end.
    explicit Shrinking(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
    ~Shrinking() { stop(); }
    Shrinking(const Shrinking&) = delete;
    Shrinking& operator=(const Shrinking&) = delete;

    /// Replaces an earlier search. `task`: a lab with its parameters, failing points as `places_given`, their source
    /// ("near-ring:2000") as the title, and the criterion for FailingLab as the failure. Progress::why reports errors
    /// in the lab or the points.
    void start(Scenario task);
    Progress progress() const;
    bool runs() const { return progress().state == State::kRuns; }
    /// Ends the search soon and keeps the best so far.
    void cancel();
    /// Ends the search and drops its result.
    void close();
    /// The best so far, in the given order; empty: none yet.
    std::vector<Point> best() const;
    /// The task, until close().
    const Scenario& task() const { return *task_; }
    /// "9 points that fail, of near-ring:2000".
    std::string title(size_t points) const;

  private:
    void stop();
    void search(const Scenario& task);
    void run(const Scenario& task);

    std::function<void()> wake_;
    std::shared_ptr<const Scenario> task_ = std::make_shared<const Scenario>();
    CancelFlag cancel_;
    std::thread thread_;

    mutable std::mutex mutex_;  // guards the following members
    Progress progress_;
    std::vector<Point> best_;
    std::chrono::steady_clock::time_point began_{};
};

}  // namespace flipscope::app
