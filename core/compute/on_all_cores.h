// Parallel host work on all cores without a context: reading files.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "compute/cancel.h"

namespace flipscope {

/// Runs work(looks) on one thread per core, but on no more than `most`. `looks` is true on the calling thread, which
/// alone can poll the cancel flag.
template <class Work>
void run_on_cores(size_t most, const Work& work) {
    const size_t threads = std::min<size_t>(most, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> others;
    for (size_t t = 1; t < threads; ++t) others.emplace_back(work, false);
    work(true);
    for (std::thread& other : others) other.join();
}

/// Runs body(i) for 0 … count - 1 on all cores, and waits. An exception, or Cancelled, ends it early; of several
/// exceptions the one of the lowest i is rethrown.
template <class Body>
void on_all_cores(size_t count, const Body& body) {
    std::atomic<size_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> errors(count);
    const auto work = [&](bool polls) {
        for (size_t i; !stop && (i = next++) < count;) {
            try {
                if (polls) throw_if_cancelled();
                body(i);
            } catch (...) {
                errors[i] = std::current_exception();
                stop = true;
            }
        }
    };
    run_on_cores(count, work);
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

/// As on_all_cores(), but with results consumed in order. Each thread reuses one part: it calls make(part, i) in
/// parallel, then take(part) in the order i = 0, 1, 2 …, one at a time.
template <class MakePart, class Make, class Take>
void on_all_cores_in_order(size_t count, const MakePart& make_part, const Make& make, const Take& take) {
    std::mutex mutex;
    std::condition_variable moved;
    size_t next = 0, turn = 0, failed = count;
    std::exception_ptr error;  // of `failed`, the lowest
    const auto work = [&](bool polls) {
        size_t i = 0;
        try {
            for (auto part = make_part();;) {
                std::unique_lock lock(mutex);
                if (next == count || failed < count) return;
                i = next++;
                lock.unlock();
                if (polls) throw_if_cancelled();
                make(part, i);
                lock.lock();
                moved.wait(lock, [&] { return turn == i || failed < i; });
                if (turn != i) return;
                lock.unlock();
                take(part);
                lock.lock();
                ++turn;
                moved.notify_all();
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (i < failed) {
                failed = i;
                error = std::current_exception();
            }
            moved.notify_all();
        }
    };
    run_on_cores(count, work);
    if (error) std::rethrow_exception(error);
}

}  // namespace flipscope
