// Recovery after an exception, for every kind of job and on a minimal lab.
#include "app/session/recovery.h"

#include <new>
#include <stdexcept>

#include "app/session/scripted_lab.h"
#include "app/session/worker.h"
#include "flipscope/error.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

using RecoveryRun = Recovery::Verdict::Run;
using Next = Recovery::Next;

constexpr Task kTasks[] = {Task::kQuery, Task::kOpen,    Task::kStartOver, Task::kSeek,
                           Task::kEdit,  Task::kRecover, Task::kCheck};

Recovery::Failure failure(Task task, bool usable, bool interrupted = false, bool has_input = true) {
    return {task, "Doing it", usable, interrupted, has_input};
}

/// Seeks `position`, and is cancelled in the next pass.
void interrupt_run(Rehearsal& stage, uint64_t position) {
    stage.timeline.seek(position);
    stage.lab.cancel_at = position + 1;
    CHECK_THROWS_AS(stage.timeline.step(), Cancelled);
    stage.lab.cancel_at = 0;
    REQUIRE(stage.timeline.can_recover());
}

}  // namespace

TEST_CASE("recovery: after cancelling a read-only job the run continues, with a message only if it was announced") {
    for (const Task task : kTasks) {
        Recovery recovery;
        const auto verdict = recovery.judge(std::make_exception_ptr(Cancelled()), failure(task, true));
        CHECK(verdict.run == RecoveryRun::kGoesOn);
        CHECK(verdict.kind == Message::Kind::kWarning);
        CHECK(verdict.text == (task == Task::kQuery ? "" : "Doing it was cancelled"));
        CHECK(recovery.next() == Next::kNothing);
    }
}

TEST_CASE("recovery: after a cancelled pass the run recovers from a keyframe, or starts over") {
    Recovery recovery;
    auto verdict = recovery.judge(std::make_exception_ptr(Cancelled()), failure(Task::kSeek, false, true));
    CHECK(verdict.run == RecoveryRun::kSuspended);
    CHECK(verdict.text.empty());  // until it has recovered
    CHECK_FALSE(verdict.abandons_drafts);
    CHECK(recovery.next() == Next::kGoBack);
    CHECK(recovery.retraces());
    recovery.begin();
    CHECK(recovery.next() == Next::kNothing);
    // A cancelled recovery is repeated only up to the keyframe; the message names the first job.
    verdict = recovery.judge(std::make_exception_ptr(Cancelled()),
                             {Task::kRecover, "Going back to the last finished pass", false, true, true});
    CHECK(recovery.next() == Next::kGoBack);
    CHECK_FALSE(recovery.retraces());
    CHECK(recovery.outcome(0, 0, nullptr) == "Doing it was cancelled in the middle of a pass: back at the start");
    StepResult last;
    last.round = 3;
    CHECK(recovery.outcome(1200, 1300, &last) ==
          "Doing it was cancelled in the middle of a pass: back after pass 1,200, round 3; passes up to 1,300 stay "
          "known");

    verdict = recovery.judge(std::make_exception_ptr(Cancelled()), failure(Task::kOpen, false));
    CHECK(verdict.run == RecoveryRun::kLost);
    CHECK(verdict.abandons_drafts);
    CHECK(recovery.next() == Next::kStartOver);
    recovery.begin();
    recovery.judge(std::make_exception_ptr(Cancelled()), failure(Task::kOpen, false, false, false));
    CHECK(recovery.next() == Next::kNothing);  // no input
}

TEST_CASE("recovery: an Error is posted unchanged, and for steps and edits it is a refusal") {
    for (const Task task : kTasks) {
        Recovery recovery;
        const auto verdict =
            recovery.judge(std::make_exception_ptr(Error("bad.xy:2: expected two numbers")), failure(task, true));
        CHECK(verdict.run == RecoveryRun::kGoesOn);
        CHECK(verdict.kind == Message::Kind::kError);
        CHECK(verdict.text == "bad.xy:2: expected two numbers");
        CHECK(verdict.refused_step == is_interruptible(task));
        CHECK(recovery.next() == Next::kNothing);
    }
}

TEST_CASE("recovery: a lost run starts over on its input once, unless starting over failed") {
    for (const Task task : kTasks) {
        Recovery recovery;
        const auto verdict =
            recovery.judge(std::make_exception_ptr(std::runtime_error("the device is gone")), failure(task, false));
        CHECK(verdict.run == RecoveryRun::kLost);
        CHECK(verdict.text == "the device is gone");
        const bool again = task == Task::kStartOver || is_interruptible(task);
        CHECK(recovery.next() == (again ? Next::kNothing : Next::kStartOver));
    }
    for (const bool usable : {false, true}) {
        Recovery recovery;
        const auto verdict = recovery.judge(std::make_exception_ptr(std::bad_alloc()), failure(Task::kSeek, usable));
        CHECK(verdict.text == "there is not enough memory for this; back to what was there before");
        CHECK(recovery.next() == (usable ? Next::kNothing : Next::kStartOver));
    }
}

TEST_CASE("recovery: if the device is lost, the run moves, and an opening is repeated") {
    for (const Task task : kTasks)
        for (const bool can_move : {false, true}) {
            Recovery recovery;
            Recovery::Failure what = failure(task, true);
            what.can_move = can_move;
            const auto verdict = recovery.judge(std::make_exception_ptr(DeviceLost("kernel flip: gone")), what);
            const bool opening = task == Task::kOpen || task == Task::kStartOver;
            CHECK(verdict.device_lost);
            CHECK(verdict.kind == Message::Kind::kError);
            CHECK(verdict.text == std::string("The device is lost (kernel flip: gone). ") +
                                      (task == Task::kEdit ? "The edit was not made. " : ""));
            CHECK(recovery.next() == (opening ? Next::kOpenAgain : can_move ? Next::kMove : Next::kStartOver));
            CHECK(verdict.run == (can_move && !opening ? RecoveryRun::kSuspended : RecoveryRun::kLost));
            CHECK_FALSE(recovery.retraces());  // a move cannot be cancelled
        }
    Recovery recovery;
    recovery.judge(std::make_exception_ptr(DeviceLost("gone")), failure(Task::kCheck, true, false, false));
    CHECK(recovery.next() == Next::kNothing);
}

TEST_CASE("recovery: it goes back to the keyframe and forward to the previous position within its time limit") {
    Rehearsal stage;
    JobLink link;
    Recovery patient(1e9), hasty(0);
    interrupt_run(stage, 10);
    patient.judge(std::make_exception_ptr(Cancelled()), failure(Task::kSeek, false, true));
    patient.go_back(stage.timeline, link);
    CHECK(stage.timeline.usable());
    CHECK(stage.timeline.position() == 10);
    CHECK(stage.timeline.known() == 10);
    CHECK(stage.lab.state_hash() == 10 + 1000 * stage.lab.last);

    interrupt_run(stage, 15);
    hasty.judge(std::make_exception_ptr(Cancelled()), failure(Task::kSeek, false, true));
    hasty.go_back(stage.timeline, link);
    CHECK(stage.timeline.usable());
    CHECK(stage.timeline.position() == 0);  // the keyframe
    CHECK(stage.timeline.known() == 15);
}

TEST_CASE("recovery: stopped on the worker's thread, it ends after a pass and keeps the known steps") {
    Rehearsal stage;
    JobLink link;
    Recovery recovery(1e9);
    interrupt_run(stage, 12);
    recovery.judge(std::make_exception_ptr(Cancelled()), failure(Task::kSeek, false, true));
    Bell over, in_pass, go_on;
    stage.lab.before_pass = [&](uint64_t passes) {
        if (passes != 6) return;
        in_pass.ring();
        go_on.wait_for(1);
    };
    Worker worker([&] { over.ring(); });
    link.begin();
    worker.start([&] { recovery.go_back(stage.timeline, link); });
    in_pass.wait_for(1);
    CHECK(recovery.retraces());
    link.stop();
    go_on.ring();
    over.wait_for(1);
    CHECK_FALSE(worker.collect());
    CHECK(stage.timeline.position() == 7);
    CHECK(stage.timeline.known() == 12);
    stage.lab.before_pass = {};
    CHECK(stage.timeline.seek(12));
    CHECK(stage.lab.at == 12);
}
