// Runs work of the core without the interpreter's lock, on another thread, while the calling thread polls for Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <nanobind/nanobind.h>

#include "flipscope/context.h"

namespace flipscope::python {

/// Runs `work()`; `brief`: takes a few milliseconds at most, so that a thread is not worth its cost. If a signal
/// handler raises meanwhile (Python notifies only the main thread), cancels the context and rethrows the exception.
template <class Work>
void run(Context& context, bool brief, const Work& work) {
    if (brief) {
        const nanobind::gil_scoped_release released;
        work();
        return;
    }
    bool interrupted = false;
    {
        const nanobind::gil_scoped_release released;
        std::mutex mutex;
        std::condition_variable ended;
        bool done = false;
        std::exception_ptr failure;
        std::thread worker([&] {
            try {
                work();
            } catch (...) {
                failure = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done = true;
            ended.notify_one();
        });
        {
            std::unique_lock lock(mutex);
            while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
                if (interrupted) continue;
                lock.unlock();
                {
                    const nanobind::gil_scoped_acquire locked;
                    interrupted = PyErr_CheckSignals() != 0;
                }
                if (interrupted) context.cancel();
                lock.lock();
            }
        }
        worker.join();
        context.clear_cancel();
        if (failure && !interrupted) std::rethrow_exception(failure);
    }
    if (interrupted) throw nanobind::python_error();
}

}  // namespace flipscope::python
