#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/run/run.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

Session::Session(WindowOptions& options, std::function<void()> wake)
    : worker_(Devices::open(options.device.device, options.device.threads, options.device.shared_memory),
              options.run.release_timeline(), wake),
      shrinker_(worker_, opener_, wake) {
    worker_.hooks.published = [this] { edits_.follow(); };
    worker_.hooks.failed = [this](const std::exception_ptr& failure) { fail(failure); };
    const std::string& notice = worker_.context().notice();
    if (!notice.empty()) worker_.publisher().say(Message::Kind::kNote, notice, Message::Holds::kForGood);
    Opening first = worker_.loader().from_run(options.run);
    if (options.empty_window) {
        worker_.loader().set_empty_window(*options.empty_window);
        auto canvas = std::make_shared<Geometry>();
        canvas->name = "empty canvas";
        first.input = std::move(canvas);
    }
    first.run.lab.clear();  // the timeline has it
    first.chooses_columns = first.read.empty();
    opener_.start(std::move(first), Task::kOpen);
}

Session::~Session() {
    worker_.finish([this] { comparison_.forget(); });
}

bool Session::running_on() const {
    const auto& goal = playback().goal();
    const uint64_t seeks = goal && goal->kind == Goal::Kind::kSeek ? goal->count : 0;
    return (busy() ? worker_.job().target : seeks) > model().position && !model().done;
}

void Session::play(bool on) {
    if (!on && running_on()) cancel();
    if (on && model().done && model().refused()) reply(Message::Kind::kError, model().refusal);
    playback().play(on, playback_state());
}

void Session::query_lab(const std::string& title, std::function<std::string(const Lab&)> find) {
    worker_.request_of_run([this, title, find = std::move(find)] {
        worker_.start(
            {.task = Task::kLongQuery, .title = title}, [find](Timeline& timeline) { return find(timeline.lab()); },
            [this](const std::string& said) {
                if (!said.empty()) say(Message::Kind::kGood, said);
            });
    });
}

bool Session::request_state_hash() {
    constexpr double kAtOnce = 0.02;  // s: enough for a small lab
    if (!busy() && model().loaded && !state_hash())
        worker_.start(
            {.task = Task::kHash}, [](Timeline& timeline) { return timeline.lab().state_hash(); },
            [this](uint64_t hash) {
                state_hash_ = hash;
                hash_revision_ = revision();
            });
    if (worker_.job().task != Task::kHash) return true;
    worker_.wait(kAtOnce);
    return !busy();
}

void Session::cancel() {
    playback().drop();
    worker_.commands().clear();
    edits_.lose_drag();
    if (worker_.announces()) worker_.cancel();  // a short job ends unnoticed
}

void Session::frame(double elapsed_s) {
    const double begin = worker_.seconds();
    // A new scene has arrived in this frame and is not drawn yet.
    bool to_show = busy() && worker_.job().changes_scene;
    worker_.poll(worker_.job().task != Task::kRecover || recovery_.retraces());
    to_show = to_show && !busy();
    if (!busy()) {
        worker_.context().collect_timings();
        worker_.context().set_timed(timed_);
    }
    if (idle()) opener_.poll_files();
    if (!busy() && recovery_.next() != Recovery::Next::kNothing) start_recovery();
    // Show slow drags on the way: leave the buffers free for one frame between steps.
    if (!busy() && !(to_show && worker_.commands().edits() > 0))
        if (const CommandQueue::Start start = worker_.commands().pop()) start();
    playback().tick(elapsed_s, *this, !busy());
    start_due();
    // A job from an earlier frame is long: poll rarely, and leave it the processor.
    if (busy()) worker_.wait(worker_.started_since(begin) ? budget_ms * 1e-3 + 0.004 : 0.015);
    shrinker_.report_end();
}

/// Starts due jobs while no command is queued.
void Session::start_due() {
    if (idle() && parameters_.take_preview()) opener_.restart();
    checks_.start_due();
    if (worker_.is_free() && worker_.publisher().needs_measuring()) {
        const bool at_rest = playback().at_rest() && edits_.drag_state() == ManualEdits::DragState::kNone;
        if (at_rest || worker_.seconds() - measured_ > std::max(0.1, 10 * measuring_cost_)) start_measuring();
    }
    comparison_.start_due();
    inspector_.start_due();
    if (!busy() && playback().goal()) start_seek_run();
}

bool Session::idle() const {
    return !busy() && playback().at_rest() && worker_.commands().empty() &&
           recovery_.next() == Recovery::Next::kNothing && !worker_.publisher().needs_measuring() && !checks_.due() &&
           !inspector_.due() && !selection_.due() && !comparison_.due();
}

void Session::start_measuring() {
    worker_.publisher().begin_measuring();
    const double begin = worker_.seconds();
    const auto measure = [this, context = selection_.measures_shown() ? &worker_.context() : nullptr,
                          how = selection_.plotted(comparison_.sample())](Timeline& timeline) {
        return worker_.publisher().measure(timeline, context, how);
    };
    worker_.start({.task = Task::kMeasure, .title = "Measuring"}, measure,
                  [this, begin](ModelPublisher::Measured found) {
                      worker_.publisher().update_legend(std::move(found.legend), !playback().at_rest());
                      worker_.publisher().set_measured(std::move(found));
                      measured_ = worker_.seconds();
                      measuring_cost_ = measured_ - begin;
                  });
}

void Session::start_seek_run() {
    if (model().loaded && model().done && model().refused() && !playback().goal()->goes_back_from(model().position))
        reply(Message::Kind::kError, model().refusal);
    const std::shared_ptr<SeekRun> seek_run =
        playback().begin_seek_run(playback_state(), *this, stops_.active(model().info));
    if (!seek_run) return;
    const Goal& goal = seek_run->goal();
    const bool seeks = goal.kind == Goal::Kind::kSeek;
    const bool looks = goal.kind == Goal::Kind::kFailure;
    const auto run = [=, this] { seek_run->make(worker_.timeline(), worker_.link()); };
    const auto after = [=, this] {
        playback().end_seek_run(*seek_run, model().done);
        if (!seek_run->why().empty()) reply(Message::Kind::kNote, seek_run->why());
        if (!seek_run->found_failure()) return;
        checks_.choose_when_checked(seek_run->goal().code);
        checks_.verify(false);  // mark it; the sentence was posted above
    };
    worker_.start({.task = Task::kSeek,
                   .title = looks ? "Looking for the pass after which the " + goal.check()
                            : goal.goes_back_from(model().position) ? "Going back"
                            : seeks                                 ? "Running on"
                                                                    : "Stepping",
                   .changes_scene = true,
                   .target = seeks ? goal.count : 0,
                   .run = run,
                   .after = after});
}

void Session::fail(const std::exception_ptr& failure) {
    const Job& job = worker_.job();
    Timeline& timeline = worker_.timeline();
    if (job.task == Task::kOpen) opener_.report_failure();
    edits_.lose_drag();
    Recovery::Verdict verdict = recovery_.judge(failure, {.task = job.task,
                                                          .title = job.title,
                                                          .usable = timeline.usable(),
                                                          .interrupted = timeline.can_recover(),
                                                          .has_input = input() != nullptr,
                                                          .can_move = timeline.can_move()});
    if (recovery_.next() != Recovery::Next::kOpenAgain) playback().drop();
    if (verdict.device_lost) {
        worker_.devices().lose_opened();
        if (comparison_.forget()) verdict.text += "The picture that was kept is gone. ";
        selection_.explore_again();
        worker_.mark(false);
        edits_.end_drag();
        verdict.text += "Labs run on " + worker_.devices().for_lab(timeline.lab().info()).device_name() +
                        " from now on; to use the device again, restart Flipscope.";
    }
    if (verdict.refused_step) worker_.publish();
    if (verdict.abandons_drafts) parameters_.drop_drafts();
    ModelPublisher& publisher = worker_.publisher();
    if (verdict.run == Recovery::Verdict::Run::kGoesOn) publisher.resume();
    if (verdict.run == Recovery::Verdict::Run::kSuspended) publisher.suspend();
    if (verdict.run == Recovery::Verdict::Run::kLost) {
        edits_.end_drag();
        publisher.lose_run();
    }
    // Post after the model is updated.
    if (verdict.device_lost)
        publisher.say(verdict.kind, std::move(verdict.text));
    else if (!verdict.text.empty())
        publisher.reply(verdict.kind, std::move(verdict.text), verdict.refused_step);
}

void Session::start_recovery() {
    const Recovery::Next next = recovery_.next();
    recovery_.begin();
    if (next == Recovery::Next::kMove) return start_moving();
    if (next == Recovery::Next::kOpenAgain || next == Recovery::Next::kStartOver)
        return opener_.start_after_failure(next == Recovery::Next::kOpenAgain);
    const auto run = [this] { recovery_.go_back(worker_.timeline(), worker_.link()); };
    const auto after = [this] {
        worker_.publisher().resume();
        reply(Message::Kind::kWarning, recovery_.outcome(model().position, model().known(), model().last()));
    };
    worker_.start({.task = Task::kRecover,
                   .title = "Going back to the last finished pass",
                   .changes_scene = true,
                   .run = run,
                   .after = after});
}

/// Continues the run at its position on CPU threads, from a keyframe.
void Session::start_moving() {
    worker_.switch_to(nullptr);
    const auto run = [this, parameters = model().initial_parameters, there = model().position] {
        Timeline& timeline = worker_.timeline();
        const LabInfo& info = timeline.lab().info();
        std::unique_ptr<Lab> lab = make_lab(info.id);
        for (const auto& [name, value] : parameters) set_parameter(*lab, name, value);
        timeline.move_to(std::move(lab), worker_.devices().for_lab(info), input());
        timeline.seek(there, [&] { return worker_.link().report(timeline.position()); });
    };
    const auto after = [this] {
        worker_.publisher().set_lab(worker_.timeline().lab());
        worker_.publisher().resume();
    };
    worker_.start({.task = Task::kRecover,
                   .title = "Moving the run to CPU threads",
                   .changes_scene = true,
                   .target = model().position,
                   .run = run,
                   .after = after});
}

}  // namespace flipscope::app
