// The fewest points that still show a failure of a lab, found in the background: a search on a thread and a CPU context
// of its own, which the window starts, asks how far it is, ends, and takes the result of. Calls come from one thread,
// the window's. Knows no ImGui, no OpenGL and nothing of the lab that is shown: it makes its own.
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

/// What is to be shrunk.
struct ShrinkTask {
    std::string lab;                    // id in the registry
    std::vector<Parameter> parameters;  // of it
    std::vector<Point> points;          // that fail
    std::string source;                 // where they come from: "near-ring:2000"
    std::string fails = "check";        // as FailingLab's `asked`
};

class Shrinking {
  public:
    enum class State {
        kNone,  // nothing was asked, or it has been closed
        kRuns,
        kEnded,  // with the fewest points, after cancel() with the best so far, or with none: see Progress::why
    };
    struct Progress {
        State state = State::kNone;
        std::string stage;        // "running it once more", "leaving points out", "simplifying coordinates"
        size_t given = 0;         // points
        size_t points = 0;        // of the best so far; 0: none has been seen to fail yet
        uint64_t tests = 0;       // runs of the lab
        double seconds = 0;       // since it began, or in all
        bool complete = false;    // no point can be left out
        bool cancelling = false;  // it is about to end, or has been ended
        std::string sentence;     // what the check says of the best so far
        std::string why;          // why there is no result, where it has ended without one
        bool any() const { return points > 0; }
    };

    /// `wake`: called from the search's thread when it has ended.
    explicit Shrinking(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
    ~Shrinking() { stop(); }
    Shrinking(const Shrinking&) = delete;
    Shrinking& operator=(const Shrinking&) = delete;

    /// Ends and forgets the search before. What is wrong with the lab or the points is said in Progress::why.
    void start(ShrinkTask task);
    Progress progress() const;
    bool runs() const { return progress().state == State::kRuns; }
    /// The best so far stays. It ends soon, not at once.
    void cancel();
    /// Ends and forgets it.
    void close();
    /// The best so far, in the order in which the points were given; empty: none yet.
    std::vector<Point> best() const;
    /// What was asked for, until it is closed.
    const ShrinkTask& task() const { return *task_; }
    /// "9 points that fail, of near-ring:2000": of so many.
    std::string title(size_t points) const;

  private:
    void stop();
    void search(const ShrinkTask& task);
    void run(const ShrinkTask& task);

    std::function<void()> wake_;
    std::shared_ptr<const ShrinkTask> task_ = std::make_shared<const ShrinkTask>();
    CancelFlag cancel_;
    std::thread thread_;

    mutable std::mutex mutex_;  // of what follows
    Progress progress_;
    std::vector<Point> best_;
    std::chrono::steady_clock::time_point began_{};
};

}  // namespace flipscope::app
