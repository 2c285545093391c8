// What the library throws. Broken invariants of its own are std::logic_error.
#pragma once

#include <stdexcept>
#include <string_view>

namespace flipscope {

/// What the caller or a user did wrong, in one sentence meant for them: a bad file, an unknown name, a value out of
/// range. The sentence carries names and bytes of others, so the constructor makes it printable: bytes that a terminal
/// could obey, or that are no text, are shown as \x1b, and a sentence of more than kMostBytes is shortened.
struct Error : std::runtime_error {
    static constexpr size_t kMostBytes = 8192;  // a megabyte of a name would make the message unreadable
    explicit Error(std::string_view sentence);
};

/// The context was told to cancel. What the call was working on is unusable until it is set anew.
struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
};

/// A kernel has failed: after that CUDA refuses all calls of the process, and the contents of the device's memory are
/// lost. The sentence names the kernel by its label, with CUDA's words.
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flipscope
