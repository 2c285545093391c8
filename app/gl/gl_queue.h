// Runs other threads' work on the OpenGL thread while they wait. Several SharedMemory objects share one queue, so that
// waiting for one serves all.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace flipscope::app {

class GlQueue {
  public:
    /// The constructing thread is the OpenGL thread.
    GlQueue() : gl_thread_(std::this_thread::get_id()) {}

    /// Runs the work at once on the OpenGL thread; from another thread, waits until the OpenGL thread calls service().
    /// Rethrows the work's exceptions.
    void run(const std::function<void()>& work);
    /// On the OpenGL thread: runs pending work, waiting up to `seconds` for some.
    void service(double seconds = 0);
    /// Ends service()'s waiting; from any thread.
    void wake();

  private:
    struct Task {
        const std::function<void()>* work;
        std::exception_ptr failure;
        bool done = false;
    };
    std::thread::id gl_thread_;
    std::mutex mutex_;
    std::condition_variable asked_, done_;
    std::vector<Task*> tasks_;
    bool woken_ = false;
};

}  // namespace flipscope::app
