// For tests of cancelling: counts the polls of a cancel flag, sets the flag at a chosen poll, and measures the work
// between two polls. Uses no clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

#include "compute/cancel.h"

namespace flipscope {

class PollObserver : public CancelFlag::Observer {
  public:
    /// Observes `flag` during its lifetime. `cancel_at`: the poll, from 1, that finds the flag set; 0: never.
    explicit PollObserver(CancelFlag& flag, uint64_t cancel_at = 0) : flag_(flag), cancel_at_(cancel_at) {
        flag_.observe(this);
    }
    ~PollObserver() override {
        flag_.observe(nullptr);
        flag_.clear();
    }
    uint64_t count() const { return count_; }
    /// Measures the largest increase of `work` between two polls, before the first, or since the last. `work` must not
    /// decrease; use one thread.
    void measure(std::function<uint64_t()> work) { work_ = std::move(work); }
    uint64_t most_between() {
        note();
        return most_;
    }
    void polled() override {
        if (++count_ == cancel_at_) flag_.set();
        note();
    }

  private:
    void note() {
        if (!work_) return;
        const uint64_t now = work_();
        most_ = std::max(most_, now - before_);
        before_ = now;
    }

    CancelFlag& flag_;
    const uint64_t cancel_at_;
    std::atomic<uint64_t> count_{0};
    std::function<uint64_t()> work_;
    uint64_t before_ = 0, most_ = 0;
};

/// Calls run(); the poll `at` finds the flag set. False: it ends before that poll.
template <class Run>
bool is_cancelled_at(CancelFlag& flag, uint64_t at, const Run& run) {
    const PollObserver polls(flag, at);
    try {
        run();
    } catch (const Cancelled&) {
        return true;
    }
    return false;
}

}  // namespace flipscope
