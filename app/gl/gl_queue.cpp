#include "app/gl/gl_queue.h"

#include <chrono>

namespace flipscope::app {

void GlQueue::run(const std::function<void()>& work) {
    if (std::this_thread::get_id() == gl_thread_) return work();
    Task task{&work, nullptr};
    std::unique_lock lock(mutex_);
    tasks_.push_back(&task);
    asked_.notify_one();
    done_.wait(lock, [&] { return task.done; });
    if (task.failure) std::rethrow_exception(task.failure);
}

void GlQueue::service(double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds > 0)
        asked_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return woken_ || !tasks_.empty(); });
    woken_ = false;
    while (!tasks_.empty()) {
        Task* const task = tasks_.front();
        tasks_.erase(tasks_.begin());
        lock.unlock();
        try {
            (*task->work)();
        } catch (...) {
            task->failure = std::current_exception();
        }
        lock.lock();
        task->done = true;
        done_.notify_all();
    }
}

void GlQueue::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    asked_.notify_one();
}

}  // namespace flipscope::app
