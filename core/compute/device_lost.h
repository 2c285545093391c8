// A device that answers no more: after a kernel of it has failed, CUDA refuses whatever is asked in the same process.
// What lies in its memory is gone; what the host has of a run (its input, keyframes, edits) is not.
#pragma once

#include <stdexcept>

namespace flipscope {

/// Its sentence says what was under way and CUDA's words.
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flipscope
