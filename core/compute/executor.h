// The CPU threads of a context, which run the chunks of a launch: oneTBB's; with FLIPSCOPE_SERIAL none but the caller's
// (WebAssembly); under ThreadSanitizer plain threads, because it does not understand oneTBB's synchronisation and would
// report false races. Only the context uses it.
#pragma once

#include <cstdint>

#if defined(FLIPSCOPE_SERIAL)
#elif defined(__SANITIZE_THREAD__)
#include <tbb/info.h>

#include "compute/thread_pool.h"
#else
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <optional>
#endif

namespace flipscope {

/// Calls run(chunk) for every chunk in turn, until it returns false.
template <class Run>
void run_in_order(uint32_t chunks, const Run& run) {
    for (uint32_t chunk = 0; chunk < chunks && run(chunk);) ++chunk;
}

#if defined(FLIPSCOPE_SERIAL)

class Executor {
  public:
    static constexpr const char* kDescription = "one thread";
    static int machine_threads() { return 1; }
    explicit Executor(int /*threads*/) {}
    template <class Run>
    void run(uint32_t chunks, const Run& run) {
        run_in_order(chunks, run);
    }
};

#elif defined(__SANITIZE_THREAD__)

class Executor {
  public:
    static constexpr const char* kDescription = "plain threads on this machine's cores";
    static int machine_threads() { return tbb::info::default_concurrency(); }
    explicit Executor(int threads) : pool_(static_cast<uint32_t>(threads)) {}
    template <class Run>
    void run(uint32_t chunks, const Run& run) {
        pool_.run(
            chunks, [](const void* task, uint32_t chunk) { (*static_cast<const Run*>(task))(chunk); }, &run);
    }

  private:
    ThreadPool pool_;
};

#else

/// Assigns the chunks of a launch to threads. What a core wrote last is in its own cache, so each thread starts with
/// the same share of the chunks in every launch, and then steals from the end of the others' shares.
class Shares {
  public:
    /// If there are more threads than kMost, several threads have one share.
    Shares(uint32_t chunks, uint32_t threads) : count_(std::min({chunks, threads, kMost})) {
        for (uint32_t k = 0; k < count_; ++k)
            shares_[k].rest = rest(uint64_t(chunks) * k / count_, uint64_t(chunks) * (k + 1) / count_);
    }
    /// False: no chunk is left.
    bool take(uint32_t thread, uint32_t& chunk) {
        if (shares_[thread % count_].take_first(chunk)) return true;
        for (uint32_t k = 1; k < count_; ++k)
            if (shares_[(thread + k) % count_].take_last(chunk)) return true;
        return false;
    }

  private:
    static constexpr uint32_t kMost = 64;
    static uint64_t rest(uint64_t begin, uint64_t end) { return end << 32 | begin; }
    struct alignas(64) Share {
        std::atomic<uint64_t> rest{0};

        bool take_first(uint32_t& chunk) {
            return take([&](uint32_t begin, uint32_t end) {
                chunk = begin;
                return Shares::rest(begin + 1, end);
            });
        }
        bool take_last(uint32_t& chunk) {
            return take([&](uint32_t begin, uint32_t end) {
                chunk = end - 1;
                return Shares::rest(begin, end - 1);
            });
        }
        template <class Without>
        bool take(const Without& without) {
            uint64_t seen = rest.load(std::memory_order_relaxed);
            for (;;) {
                const auto begin = static_cast<uint32_t>(seen), end = static_cast<uint32_t>(seen >> 32);
                if (begin == end) return false;
                if (rest.compare_exchange_weak(seen, without(begin, end), std::memory_order_relaxed)) return true;
            }
        }
    };
    uint32_t count_;
    Share shares_[kMost];
};

class Executor {
  public:
    static constexpr const char* kDescription = "oneTBB tasks on this machine's cores";
    static int machine_threads() { return tbb::info::default_concurrency(); }
    explicit Executor(int threads) : arena_(threads), threads_(static_cast<uint32_t>(threads)) {
        // --threads 4 means four threads on a machine with two cores, too. The limit is global and the smallest active
        // one holds, so it is only ever raised.
        if (threads > machine_threads())
            more_threads_than_cores_.emplace(tbb::global_control::max_allowed_parallelism,
                                             static_cast<size_t>(threads));
    }
    /// Calls run(chunk) for every chunk, until it returns false.
    template <class Run>
    void run(uint32_t chunks, const Run& run) {
        const uint32_t workers = std::min(chunks, threads_);
        Shares shares(chunks, workers);
        const auto work = [&](const tbb::blocked_range<uint32_t>& tasks) {
            const auto own = static_cast<uint32_t>(tbb::this_task_arena::current_thread_index());
            for (uint32_t i = tasks.begin(); i != tasks.end(); ++i)
                for (uint32_t chunk = 0; shares.take(own, chunk) && run(chunk);) {
                }
        };
        arena_.execute(
            [&] { tbb::parallel_for(tbb::blocked_range<uint32_t>(0, workers, 1), work, tbb::static_partitioner()); });
    }

  private:
    std::optional<tbb::global_control> more_threads_than_cores_;
    tbb::task_arena arena_;
    uint32_t threads_;
};

#endif

}  // namespace flipscope
