// `flipscope run lesson.json`: runs every step of a lesson without a window, checks its expectations, and makes a page
// with pictures and captions to hand out.
#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "app/run/lesson.h"
#include "lab/report.h"

namespace flipscope {
class Timeline;
}

namespace flipscope::app {

/// Values of a state that a lesson may expect, by name: "passes", "round", "done", "last pass", "hash", the results
/// printed by `flipscope run`, and the counters and measures of the last pass. "check", "failures" and "events" or
/// "differences" (of labs that detect them) are computed on demand by expected_value().
Properties lesson_values(const Timeline& timeline);
/// The value of this name; throws Error that lists the known names.
Value expected_value(const std::string& name, const Timeline& timeline);
/// Empty if the value is as expected; else a sentence: "triangles: expected 14, found 12".
std::string contradiction(const Expectation& expected, const Value& found);

/// The outcome of a step.
struct LessonStepOutcome {
    uint64_t passes = 0;                     // position at its end
    std::string hash;                        // of that state
    bool has_picture = true;                 // false: nothing was drawn
    std::vector<std::string> failures = {};  // sentences
};

/// Returns the exit status: kCheckFailed if an expectation does not hold. The page appears complete or not at all.
/// Throws Error for what cannot be read, run or written.
int run_lesson(const LessonOptions& options);

}  // namespace flipscope::app
