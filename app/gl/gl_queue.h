// What other threads ask of the thread that OpenGL's context is current on: they wait, and it does the work when it
// comes by. Several makers of shared memory have one queue in common, so that waiting for one is waiting for all.
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
    /// This thread is the OpenGL thread.
    GlQueue() : gl_thread_(std::this_thread::get_id()) {}

    /// Does it at once on the OpenGL thread; from another one it waits until that calls service(). Throws what the work
    /// throws.
    void run(const std::function<void()>& work);
    /// On the OpenGL thread: does what was asked. Waits up to `seconds` for something to be asked.
    void service(double seconds = 0);
    /// Wakes service() early; from any thread.
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
