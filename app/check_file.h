// `flipscope check FILE`: what is wrong with the triangles of a file, with no lab and no device.
#pragma once

#include "app/options.h"

namespace flipscope::app {

/// Returns kSuccess, or kCheckFailed where no lab could start from the file's triangles. Throws Error for a file that
/// cannot be read at all.
int check_file(const CheckOptions& options);

}  // namespace flipscope::app
