// Session, and checks: asked for, or due at the end of a run whose signs are not exact. What fails is kept for the
// list, and marked in the state words until something changes the scene.
#include <algorithm>

#include "app/window_session.h"
#include "labs/failure_marks.h"

namespace flipscope::app {

void Session::start_check(bool asked) {
    check_due_ = false;
    auto report = std::make_shared<CheckReport>();
    start(
        "Verifying", false,
        [=, this, marked = marked_] {
            const Lab& algorithm = timeline_->lab();
            *report = algorithm.check();
            if (!marked && report->failures.empty()) return;
            const Scene scene = algorithm.scene();
            unmark_failures(*context_, scene);
            mark_failures(*context_, scene, *report);
            context_->synchronize();
        },
        [=, this] { take_check(std::move(*report), asked); });
}

void Session::take_check(CheckReport report, bool asked) {
    // In the middle of something there may be nothing to check, which is no good news.
    const bool nothing = report.passed && report.sentence.starts_with("Nothing to check");
    // Of what no lab can start from, the reason was said when it was opened; the headline says what the check found.
    if (asked || model_.refusal.empty())
        reply(nothing         ? Message::Kind::kNote
              : report.passed ? Message::Kind::kGood
                              : Message::Kind::kError,
              report.sentence);
    forget_check();
    if (nothing) return;
    marked_ = !report.failures.empty();
    model_.check = std::move(report);
    checked_at_ = moment_;
    put_failures_into_legend();  // the scene has just been copied, without
    ++revision_;
}

void Session::forget_check() {
    model_.check.reset();
    model_.failure = SIZE_MAX;
}

void Session::put_failures_into_legend() {
    if (model_.check) flipscope::put_failures_into_legend(model_.scene, *model_.check);
}

void Session::choose_failure(size_t index) {
    if (model_.check && index < model_.check->failures.size()) model_.failure = index;
}

}  // namespace flipscope::app
