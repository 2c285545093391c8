// Cancellation of long operations. Ctrl-C or the window's Cancel sets a flag; long operations poll it and throw
// Cancelled. Launches and the context's copies poll their context's flag. Host code without a context (generators,
// readers, writers, checks) calls throw_if_cancelled(), which polls the flag that a CancelScope has set for this
// thread. Work between two polls must take no more than milliseconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flipscope/error.h"

namespace flipscope {

class CancelFlag {
  public:
    /// For tests: is called at every poll, on the polling thread, to count the work between polls and to set the flag
    /// at a chosen one.
    class Observer {
      public:
        virtual ~Observer() = default;
        virtual void polled() = 0;
    };

    /// From any thread or a signal handler.
    void set() noexcept { set_.store(true, std::memory_order_relaxed); }
    void clear() noexcept { set_.store(false, std::memory_order_relaxed); }
    bool is_set() const {
        if (Observer* observer = observer_.load(std::memory_order_relaxed)) observer->polled();
        return set_.load(std::memory_order_relaxed);
    }
    void throw_if_set() const {
        if (is_set()) throw Cancelled();
    }
    /// nullptr: none. Call it only while nothing polls.
    void observe(Observer* observer) { observer_.store(observer, std::memory_order_relaxed); }

  private:
    std::atomic<bool> set_{false};
    std::atomic<Observer*> observer_{nullptr};
    static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");
};

/// While it exists, throw_if_cancelled() polls `flag` on this thread. Scopes nest.
class CancelScope {
  public:
    explicit CancelScope(const CancelFlag& flag) noexcept;
    ~CancelScope();
    CancelScope(const CancelScope&) = delete;
    CancelScope& operator=(const CancelScope&) = delete;

  private:
    const CancelFlag* outer_;
};

/// Throws Cancelled if the flag of this thread's scope is set. Without a scope it does nothing.
void throw_if_cancelled();

/// Items of a host loop between two polls, for items that take less than a microsecond.
inline constexpr uint32_t kItemsPerPoll = 4096;

/// For loops: call it once per item; it polls the flag once in `every` items.
class CancelPoll {
  public:
    explicit CancelPoll(uint32_t every = kItemsPerPoll) : every_(every), left_(every) {}
    void operator()() {
        if (--left_ > 0) return;
        left_ = every_;
        throw_if_cancelled();
    }

  private:
    uint32_t every_, left_;
};

/// std::sort and std::stable_sort that poll the flag. After Cancelled the order of the elements is undefined.
template <class Iterator, class Less>
void sort_or_cancel(Iterator first, Iterator last, const Less& less) {
    CancelPoll poll;
    std::sort(first, last, [&](const auto& a, const auto& b) {
        poll();
        return less(a, b);
    });
}
template <class Iterator>
void sort_or_cancel(Iterator first, Iterator last) {
    sort_or_cancel(first, last, [](const auto& a, const auto& b) { return a < b; });
}
/// Sorts, and leaves one of equal values.
template <class T>
void sort_distinct_or_cancel(std::vector<T>& values) {
    sort_or_cancel(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}
template <class Iterator, class Less>
void stable_sort_or_cancel(Iterator first, Iterator last, const Less& less) {
    CancelPoll poll;
    std::stable_sort(first, last, [&](const auto& a, const auto& b) {
        poll();
        return less(a, b);
    });
}

/// values.resize(size, value) in parts: the first touch of new memory takes as long as most work on it.
template <class T>
void resize_or_cancel(std::vector<T>& values, size_t size, const T& value = T()) {
    constexpr size_t kPart = std::max<size_t>((size_t(16) << 20) / sizeof(T), 1);
    if (size > values.capacity()) values.reserve(size);
    while (values.size() < size) {
        throw_if_cancelled();
        values.resize(std::min(size, values.size() + kPart), value);
    }
    if (values.size() > size) values.erase(values.begin() + static_cast<ptrdiff_t>(size), values.end());
}

}  // namespace flipscope
