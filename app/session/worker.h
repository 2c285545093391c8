// A thread for work that takes longer than a frame. It runs one job at a time: the window starts a job, continues to
// draw, and collects the outcome. Independent of the kind of job.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace flipscope::app {

/// Its destructor waits for the running job; the caller has asked it to end.
class Worker {
  public:
    /// `finished` is called on the job's thread after each job, to wake the window.
    explicit Worker(std::function<void()> finished) : wake_(std::move(finished)) {}

    /// Throws std::logic_error while a job is running or uncollected.
    void start(std::function<void()> job) {
        if (busy_) throw std::logic_error("Worker: a job is running");
        busy_ = true;
        thread_ = std::jthread([this, job = std::move(job)]() mutable {
            try {
                job();
            } catch (...) {
                failure_ = std::current_exception();
            }
            job = nullptr;  // destroys captures before signalling
            finished_ = true;
            if (wake_) wake_();
        });
    }
    /// A job was started and not yet collected.
    bool busy() const { return busy_; }
    /// The job has ended and can be collected.
    bool finished() const { return finished_; }
    /// Returns the exception of a finished job, or nullptr, and frees the worker.
    std::exception_ptr collect() {
        if (!finished_) throw std::logic_error("Worker: no finished job to collect");
        thread_.join();
        busy_ = finished_ = false;
        return std::exchange(failure_, nullptr);
    }

  private:
    std::function<void()> wake_;
    std::exception_ptr failure_;
    bool busy_ = false;  // used by the window's thread only
    std::atomic<bool> finished_{false};
    std::jthread thread_;  // last: it uses the other members
};

}  // namespace flipscope::app
