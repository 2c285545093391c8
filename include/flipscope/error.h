// A lost device: after a kernel has failed, CUDA refuses every further call of the same process. The contents of device
// memory are lost; the host's part of a run (input, keyframes, edits) is not.
#pragma once

#include <stdexcept>

namespace flipscope {

/// The message names the operation and quotes CUDA's error.
struct DeviceLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flipscope
