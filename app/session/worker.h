// A thread for work that takes longer than a frame. It runs one job at a time: the window starts a job, continues to
// draw, and collects the outcome. Independent of the kind of job.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace flipscope::app {

class Worker {
  public:
    /// `finished` is called on the worker's thread after each job, to wake the window.
    explicit Worker(std::function<void()> finished);
    /// Waits for the running job; the caller has asked it to end.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Throws std::logic_error while a job is running or uncollected.
    void start(std::function<void()> job);
    /// A job was started and not yet collected.
    bool busy() const { return busy_; }
    /// The job has ended and can be collected.
    bool finished() const { return finished_; }
    /// Returns the exception of a finished job, or nullptr, and frees the worker.
    std::exception_ptr collect();

  private:
    void run();

    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable started_;
    std::function<void()> job_;
    std::exception_ptr failure_;
    bool busy_ = false;  // used by the window's thread only
    std::atomic<bool> finished_{false};
    bool quit_ = false;
    std::thread thread_;  // last: it uses the other members
};

}  // namespace flipscope::app
