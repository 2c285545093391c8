// `flipscope run lesson.json`: runs every step of a lesson without a window, checks its expectations, and makes a page
// with pictures and captions to hand out.
#pragma once

#include <string>

#include "app/commands/headless.h"

namespace flipscope::app {

/// `lesson`: a file. Of the options a lesson has those of understand_lesson(); the first export is the page. Returns
/// the exit status: kCheckFailed if an expectation does not hold. The page appears complete or not at all. Throws Error
/// for what cannot be read, run or written.
int run_lesson(const std::string& lesson, const RunOptions& options);

}  // namespace flipscope::app
