#include "app/session/recovery.h"

#include <chrono>
#include <new>

#include "app/base/number_text.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "flipscope/error.h"

namespace flipscope::app {

Recovery::Verdict Recovery::judge(const std::exception_ptr& thrown, const Failure& failure) {
    using Run = Verdict::Run;
    Verdict verdict;
    verdict.run = failure.usable ? Run::kGoesOn : failure.interrupted ? Run::kSuspended : Run::kLost;
    if (verdict.run == Run::kSuspended) next_ = Next::kGoBack;
    const Next start_over = failure.has_input ? Next::kStartOver : Next::kNothing;
    try {
        std::rethrow_exception(thrown);
    } catch (const Cancelled&) {
        verdict.kind = Message::Kind::kWarning;
        if (verdict.run == Run::kGoesOn && is_announced(failure.task))  // a read-only job
            verdict.text = failure.title + " was cancelled";
        if (verdict.run == Run::kSuspended) {
            retraces_ = failure.task != Task::kRecover;
            if (retraces_) cancelled_ = failure.title;
        }
        if (verdict.run == Run::kLost) {
            verdict.text = failure.title + " was cancelled in the middle of a pass: back to the start";
            verdict.abandons_drafts = true;
            next_ = start_over;
        }
    } catch (const Error& error) {
        verdict.text = error.what();
        verdict.refused_step = failure.usable && is_interruptible(failure.task);
    } catch (const DeviceLost& lost) {
        // A run moves with its host copy; an opening is repeated on the other device.
        const bool opening = begins_run(failure.task);
        verdict.device_lost = true;
        retraces_ = false;
        verdict.run = !opening && failure.can_move ? Run::kSuspended : Run::kLost;
        verdict.text = std::string("The device is lost (") + lost.what() + "). ";
        if (failure.task == Task::kEdit) verdict.text += "The edit was not made. ";
        next_ = opening ? Next::kOpenAgain : failure.can_move ? Next::kMove : start_over;
    } catch (const std::bad_alloc&) {
        verdict.text = "there is not enough memory for this; back to what was there before";
        if (verdict.run == Run::kLost) next_ = start_over;
    } catch (const std::exception& error) {
        verdict.text = error.what();
        // Once only: a restart, or steps, would fail again.
        const bool again = failure.task == Task::kStartOver || is_interruptible(failure.task);
        if (verdict.run == Run::kLost && !again) next_ = start_over;
    }
    return verdict;
}

void Recovery::go_back(Timeline& timeline, JobLink& link) const {
    using Clock = std::chrono::steady_clock;
    const uint64_t there = timeline.position();
    timeline.recover();
    const auto begin = Clock::now();
    const auto keep_going = [&] {
        return link.report(timeline.position()) &&
               std::chrono::duration<double>(Clock::now() - begin).count() < most_retracing_s_;
    };
    if (retraces_ && timeline.position() < there && keep_going()) timeline.seek(there, keep_going);
}

std::string Recovery::outcome(uint64_t position, uint64_t known, const StepResult* last) const {
    std::string where = "back at the start";
    if (last)
        where = "back after pass " + number_text(static_cast<double>(position)) + ", round " + number_text(last->round);
    if (position < known) where += "; passes up to " + number_text(static_cast<double>(known)) + " stay known";
    return cancelled_ + " was cancelled in the middle of a pass: " + where;
}

}  // namespace flipscope::app
