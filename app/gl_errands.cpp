#include "app/gl_errands.h"

#include <chrono>

namespace flipscope::app {

void GlErrands::run(const std::function<void()>& work) {
    if (std::this_thread::get_id() == gl_thread_) return work();
    Errand errand{&work, nullptr};
    std::unique_lock lock(mutex_);
    errands_.push_back(&errand);
    asked_.notify_one();
    done_.wait(lock, [&] { return errand.done; });
    if (errand.failure) std::rethrow_exception(errand.failure);
}

void GlErrands::service(double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds > 0)
        asked_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return woken_ || !errands_.empty(); });
    woken_ = false;
    while (!errands_.empty()) {
        Errand* const errand = errands_.front();
        errands_.erase(errands_.begin());
        lock.unlock();
        try {
            (*errand->work)();
        } catch (...) {
            errand->failure = std::current_exception();
        }
        lock.lock();
        errand->done = true;
        done_.notify_all();
    }
}

void GlErrands::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    asked_.notify_one();
}

}  // namespace flipscope::app
