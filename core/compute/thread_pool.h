// Plain threads that run the chunks of a launch in turn, used under ThreadSanitizer, which does not understand TBB's
// synchronisation and would report false races. Only the executor uses it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace flipscope {

class ThreadPool {
  public:
    /// Threads are created on first use and kept, because the sanitizer makes new threads expensive.
    explicit ThreadPool(uint32_t size) : size_(std::max(size, 1u)) {}
    ~ThreadPool() {
        {
            std::lock_guard lock(mutex_);
            leaving_ = true;
        }
        called_.notify_all();
        for (std::thread& member : members_) member.join();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Runs body(task, chunk) for every chunk, round robin: neighbouring chunks run on different threads, so that a
    /// race between them is always found. The caller's thread takes part; returns when all are done.
    void run(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task) {
        const uint32_t turns = std::min(chunks, size_);
        if (turns > 1) {
            {
                std::lock_guard lock(mutex_);
                job_ = {chunks, turns, body, task};
                working_ = turns - 1;
                ++round_;
            }
            while (members_.size() + 1 < size_)
                members_.emplace_back([this, turn = static_cast<uint32_t>(members_.size() + 1)] { work(turn); });
            called_.notify_all();
        }
        run_turn({chunks, turns, body, task}, 0);
        if (turns < 2) return;
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return working_ == 0; });
    }

  private:
    struct Job {
        uint32_t chunks = 0, turns = 0;
        void (*body)(const void*, uint32_t) = nullptr;
        const void* task = nullptr;
    };
    static void run_turn(const Job& job, uint32_t turn) {
        for (uint32_t chunk = turn; chunk < job.chunks; chunk += job.turns) job.body(job.task, chunk);
    }
    void work(uint32_t turn) {
        uint64_t seen = 0;
        for (;;) {
            Job job;
            {
                std::unique_lock lock(mutex_);
                called_.wait(lock, [&] { return leaving_ || round_ != seen; });
                if (leaving_) return;
                seen = round_;
                job = job_;
            }
            if (turn >= job.turns) continue;
            run_turn(job, turn);
            std::lock_guard lock(mutex_);
            if (--working_ == 0) done_.notify_one();
        }
    }

    uint32_t size_;
    std::vector<std::thread> members_;
    std::mutex mutex_;
    std::condition_variable called_, done_;
    Job job_;
    uint32_t working_ = 0;
    uint64_t round_ = 0;
    bool leaving_ = false;
};

}  // namespace flipscope
