// One thread beside the window's, for whatever takes longer than a frame. It runs one job at a time; the window starts
// it, goes on drawing, and collects the outcome. Knows nothing of what the jobs do.
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
    /// Waits for the job under way; the caller has asked it to end.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Throws std::logic_error while a job is under way or not collected.
    void start(std::function<void()> job);
    /// A job was started and not collected yet.
    bool busy() const { return busy_; }
    /// The job has run to its end and waits to be collected.
    bool finished() const { return finished_; }
    /// Of a finished job: what it threw, or nullptr. The worker is free again.
    std::exception_ptr collect();

  private:
    void run();

    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable started_;
    std::function<void()> job_;
    std::exception_ptr failure_;
    bool busy_ = false;  // of the window's thread alone
    std::atomic<bool> finished_{false};
    bool quit_ = false;
    std::thread thread_;  // the last member: it uses the others
};

}  // namespace flipscope::app
