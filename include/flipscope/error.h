// The exceptions of the library. Its own broken invariants are std::logic_error.
#pragma once

#include <stdexcept>
#include <string_view>

namespace flipscope {

/// An error of the caller or a user, in one sentence for them: a bad file, an unknown name, a value out of range. The
/// sentence can contain foreign names and bytes, so the constructor makes it printable: control bytes and invalid text
/// are shown as \x1b, and a sentence of more than kMostBytes is shortened.
struct Error : std::runtime_error {
    static constexpr size_t kMostBytes = 8192;  // a megabyte of a name would make the message unreadable
    explicit Error(std::string_view sentence);
};

/// The context was cancelled. The object of the call is unusable until its next reset().
struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
};

/// A kernel has failed: after that CUDA refuses all calls of the process, and the contents of the device's memory are
/// lost. The message names the kernel's label, with CUDA's words.
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flipscope
