// Runs work of the core without the interpreter's lock, on another thread, while the calling thread polls for Ctrl-C.
#pragma once

#include <chrono>
#include <future>

#include <nanobind/nanobind.h>

#include "flipscope/context.h"

namespace flipscope::python {

/// Runs `work()`; `brief`: takes a few milliseconds at most, so that a thread is not worth its cost. If a signal
/// handler raises meanwhile (Python notifies only the main thread), cancels the context and rethrows the exception.
template <class Work>
void run(Context& context, bool brief, const Work& work) {
    bool interrupted = false;
    std::future<void> ended;
    {
        const nanobind::gil_scoped_release released;
        if (brief) return work();
        ended = std::async(std::launch::async, [&] { work(); });
        while (ended.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            if (interrupted) continue;
            const nanobind::gil_scoped_acquire locked;
            interrupted = PyErr_CheckSignals() != 0;
            if (interrupted) context.cancel();
        }
        context.clear_cancel();
    }
    if (interrupted) throw nanobind::python_error();
    ended.get();
}

}  // namespace flipscope::python
