// How tests wait for another thread, without a clock.
#pragma once

#include <condition_variable>
#include <mutex>

namespace flipscope {

/// Waits without a clock until it has been rung so often.
class Bell {
  public:
    void ring() {
        std::lock_guard lock(mutex_);
        ++rung_;
        changed_.notify_all();
    }
    void wait_for(int times) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return rung_ >= times; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int rung_ = 0;
};

}  // namespace flipscope
