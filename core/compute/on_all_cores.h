// Work of the host on all cores, for what runs before there is a context: reading files.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "compute/cancel.h"

namespace flipscope {

/// Runs body(i) for 0 … count - 1 on all cores, and waits for all. What the body throws, of several the one of the
/// lowest i, and Cancelled end it early.
template <class Body>
void on_all_cores(size_t count, const Body& body) {
    std::atomic<size_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> errors(count);
    const auto work = [&](bool looks) {
        for (size_t i; !stop && (i = next++) < count;) {
            try {
                if (looks) throw_if_cancelled();
                body(i);
            } catch (...) {
                errors[i] = std::current_exception();
                stop = true;
            }
        }
    };
    const size_t threads = std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> others;
    for (size_t t = 1; t < threads; ++t) others.emplace_back(work, false);
    work(true);  // this thread knows the flag
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

/// resize_or_cancel() of a vector without elements, whose memory all cores touch first: the system clears it then.
template <class T>
void resize_on_all_cores(std::vector<T>& values, size_t size) {
    values.reserve(size);
    volatile char* const begin = reinterpret_cast<char*>(values.data());
    const size_t bytes = size * sizeof(T);
    constexpr size_t kPart = size_t(16) << 20, kPage = 4096;
    on_all_cores((bytes + kPart - 1) / kPart, [&](size_t i) {
        for (size_t at = i * kPart; at < std::min(bytes, (i + 1) * kPart); at += kPage) begin[at] = 0;
    });
    resize_or_cancel(values, size);
}

}  // namespace flipscope
