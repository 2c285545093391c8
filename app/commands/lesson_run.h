// `flipscope run lesson.json`: runs every step of a lesson without a window, checks its expectations, and makes a page
// with pictures and captions to hand out.
#pragma once

#include "app/commands/options.h"

namespace flipscope::app {

/// Returns the exit status: kCheckFailed if an expectation does not hold. The page appears complete or not at all.
/// Throws Error for what cannot be read, run or written.
int run_lesson(const LessonOptions& options);

}  // namespace flipscope::app
