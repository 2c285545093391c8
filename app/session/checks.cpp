#include "app/session/checks.h"

#include <algorithm>
#include <utility>

#include "app/run/run.h"
#include "instruments/failure_marks.h"

namespace flipscope::app {

void Checks::verify(bool announces) {
    worker_.playback().pause();
    worker_.request_of_run([this, announces] { start(true, announces); });
}

void Checks::start_due() {
    if (due() && worker_.is_free() && !worker_.playback().goal()) start(false, true);
}

void Checks::start(bool requested, bool announces) {
    worker_.publisher().begin_check();
    const bool marked = worker_.mark(true);  // a cancelled check may leave some marks
    const auto check = [this, marked](Timeline& timeline) {
        const Lab& lab = timeline.lab();
        Context& context = worker_.context();
        CheckReport report = check_of(lab);
        if (!marked && report.failures.empty()) return report;
        const Scene scene = lab.scene();
        unmark_failures(context, scene);
        mark_failures(context, scene, report);
        context.synchronize();
        return report;
    };
    worker_.start({.task = Task::kCheck, .title = "Verifying"}, check,
                  [=, this](CheckReport report) { finish(std::move(report), requested, announces); });
}

void Checks::finish(CheckReport report, bool requested, bool announces) {
    // A state without a check is not a success.
    const auto kind = !report.checked ? Message::Kind::kNote
                      : report.passed ? Message::Kind::kGood
                                      : Message::Kind::kError;
    // A refused input already has its reason as the message.
    if (announces && (requested || !worker_.model().refused())) worker_.publisher().reply(kind, report.sentence);
    worker_.mark(!report.failures.empty());
    if (report.checked) worker_.touch_scene();
    worker_.publisher().set_check(std::move(report));
    if (wanted_code_.empty() || !worker_.model().check) return;
    const std::vector<CheckFailure>& failures = worker_.model().check->failures;
    const auto meant = std::ranges::find(failures, wanted_code_, &CheckFailure::code);
    if (meant != failures.end()) choose_failure(static_cast<size_t>(meant - failures.begin()));
    wanted_code_.clear();
}

}  // namespace flipscope::app
