// Plain threads that run the chunks of a launch in turn, used under ThreadSanitizer, which does not understand TBB's
// synchronisation and would report false races. Only the executor uses it.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

namespace flipscope {

class ThreadPool {
  public:
    /// Threads are created on first use and kept, because the sanitizer makes new threads expensive.
    explicit ThreadPool(uint32_t size) : size_(std::max(size, 1u)), meeting_(size_) {}
    ~ThreadPool() {
        if (members_.empty()) return;
        job_ = {};
        meeting_.arrive_and_wait();
        for (std::thread& member : members_) member.join();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Runs body(task, chunk) for every chunk, round robin: neighbouring chunks run on different threads, so that a
    /// race between them is always found. The caller's thread takes part; returns when all are done.
    void run(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task) {
        while (members_.size() + 1 < size_)
            members_.emplace_back([this, turn = static_cast<uint32_t>(members_.size() + 1)] { work(turn); });
        job_ = {chunks, body, task};
        meeting_.arrive_and_wait();
        run_turn(0);
        meeting_.arrive_and_wait();
    }

  private:
    struct Job {
        uint32_t chunks = 0;
        void (*body)(const void*, uint32_t) = nullptr;  // nullptr: the threads end
        const void* task = nullptr;
    };
    void run_turn(uint32_t turn) const {
        for (uint32_t chunk = turn; chunk < job_.chunks; chunk += size_) job_.body(job_.task, chunk);
    }
    void work(uint32_t turn) {
        for (;;) {
            meeting_.arrive_and_wait();  // until there is a job
            if (!job_.body) return;
            run_turn(turn);
            meeting_.arrive_and_wait();  // until all have done it
        }
    }

    uint32_t size_;
    std::barrier<> meeting_;  // of all threads, before and after each job
    std::vector<std::thread> members_;
    Job job_;
};

}  // namespace flipscope
