#include "app/session/worker.h"

#include <stdexcept>
#include <utility>

namespace flipscope::app {

Worker::Worker(std::function<void()> finished) : wake_(std::move(finished)), thread_([this] { run(); }) {}

Worker::~Worker() {
    {
        std::lock_guard lock(mutex_);
        quit_ = true;
    }
    started_.notify_one();
    thread_.join();
}

void Worker::start(std::function<void()> job) {
    if (busy_) throw std::logic_error("Worker: a job is under way");
    busy_ = true;
    finished_ = false;
    {
        std::lock_guard lock(mutex_);
        job_ = std::move(job);
    }
    started_.notify_one();
}

std::exception_ptr Worker::collect() {
    if (!finished_) throw std::logic_error("Worker: no finished job to collect");
    std::lock_guard lock(mutex_);
    busy_ = false;
    finished_ = false;
    return std::exchange(failure_, nullptr);
}

void Worker::run() {
    for (;;) {
        std::function<void()> job;
        {
            std::unique_lock lock(mutex_);
            started_.wait(lock, [this] { return quit_ || job_; });
            if (!job_) return;
            job = std::exchange(job_, nullptr);
        }
        std::exception_ptr failure;
        try {
            job();
        } catch (...) {
            failure = std::current_exception();
        }
        job = nullptr;  // destroys captures before signalling
        {
            std::lock_guard lock(mutex_);
            failure_ = std::move(failure);  // moved out: the last reference dies on the caller's thread
        }
        finished_ = true;
        if (wake_) wake_();
    }
}

}  // namespace flipscope::app
