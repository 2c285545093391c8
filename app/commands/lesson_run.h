// `flipscope run lesson.json`: every step of a lesson without a window, what it expects checked, and a page with
// pictures and captions to hand out.
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

/// What a lesson may expect of a state, by name: "passes", "round", "done", "last pass", "hash", the results that
/// `flipscope run` prints, and the counters and measures of the last pass. "check", "failures" and "events" or
/// "differences" (of labs that detect them) are computed when they are asked for: see expected_value().
Properties lesson_values(const Timeline& timeline);
/// The fact of this name; throws Error that lists those there are, where there is none.
Value expected_value(const std::string& name, const Timeline& timeline);
/// Empty: it is as expected; else a sentence: "triangles: expected 14, found 12".
std::string contradiction(const Expectation& expected, const Value& found);

/// What came of a step.
struct LessonStepOutcome {
    uint64_t passes = 0;                     // where its run stood at last
    std::string hash;                        // of that state
    bool has_picture = true;                 // false: nothing was drawn
    std::vector<std::string> failures = {};  // sentences
};

/// Returns the exit status: kCheckFailed where an expectation does not hold. The page appears complete or not at all.
/// Throws Error for what cannot be read, run or written.
int run_lesson(const LessonOptions& options);

}  // namespace flipscope::app
