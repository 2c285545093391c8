// The session behind the window: a lab on a worker's thread, driven by keys and panels. It owns the parts and decides
// which job comes next. A frame waits for a job at most for the stepping budget, and otherwise shows the last picture.
// Panels read a copy of the lab's state (LabModel), so they may be drawn at any time. Make all calls on the window's
// thread. Accesses OpenGL only through the shared memory, and does not use ImGui.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/session/checks.h"
#include "app/session/column_choice.h"
#include "app/session/comparison.h"
#include "app/session/edited_run.h"
#include "app/session/failure_shrinker.h"
#include "app/session/inspector.h"
#include "app/session/lab_worker.h"
#include "app/session/manual_edits.h"
#include "app/session/opener.h"
#include "app/session/playback.h"
#include "app/session/recovery.h"
#include "app/session/run_parameters.h"
#include "app/session/selection.h"
#include "app/session/undo.h"
#include "app/session/window_options.h"

namespace flipscope::app {

/// The panels change the pace at any time.
class Session : public Pace {
  public:
    /// The OpenGL context must be current. `wake` is called from the worker's thread to end a wait for events. Throws
    /// std::runtime_error if the device or this kind of shared memory is missing.
    Session(WindowOptions& options, std::function<void()> wake);
    ~Session();

    const LabModel& model() const { return worker_.model(); }
    /// Posts a message that holds until an input or a lab is opened.
    void say(Message::Kind kind, std::string text) { worker_.publisher().say(kind, std::move(text)); }
    /// Posts a reply that holds for this state of this run only.
    void reply(Message::Kind kind, std::string text) { worker_.publisher().reply(kind, std::move(text)); }
    /// The newest message that still holds, or nullptr.
    const Message* message() const { return worker_.publisher().message(); }

    // Parts; their commands start in later frames.

    Playback& playback() { return worker_.playback(); }
    const Playback& playback() const { return worker_.playback(); }
    /// The breakpoints for playback.
    Stops& stops() { return stops_; }
    ManualEdits& edits() { return edits_; }
    Undo& undo() { return undo_; }
    RunParameters& parameters() { return parameters_; }
    const RunParameters& parameters() const { return parameters_; }
    Inspector& inspector() { return inspector_; }
    Selection& selection() { return selection_; }
    Comparison& comparison() { return comparison_; }
    const Comparison& comparison() const { return comparison_; }
    Checks& checks() { return checks_; }
    Opener& opener() { return opener_; }
    ColumnChoice& columns() { return columns_; }
    RunRestorer& restorer() { return restorer_; }
    FailureShrinker& shrinker() { return shrinker_; }

    // Commands.

    /// Starts playing, or stops playing and a run ahead.
    void play(bool on);
    void back(Level level) { playback().back(level, playback_state(), model().history); }
    /// Running to a position ahead, such as the end.
    bool running_on() const;
    /// Queries the lab on the worker's thread. Posts the text that `find` returns as a success message unless empty,
    /// and an Error that it throws as an error.
    void query_lab(const std::string& title, std::function<std::string(const Lab&)> find);
    /// Cancels the running job and all commands: soft, then hard. A long pass is interrupted, and the run goes back to
    /// the last keyframe before it.
    void cancel();
    /// The hash of the model's state; nothing while unknown. The control line and tests ask for it.
    std::optional<uint64_t> state_hash() const {
        return model().loaded && revision() == hash_revision_ ? state_hash_ : std::nullopt;
    }
    /// Computes the hash on the worker's thread. False: a later frame has it; true: it is known, or cannot be computed
    /// at present.
    bool request_state_hash();
    /// There is something to cancel.
    bool cancellable() const { return worker_.announces() || playback().is_seeking(); }
    /// Times launches on CUDA from now on: only while the window shows the times.
    void watch_timings(bool watched) { timed_ = watched; }

    // The window's frame.

    /// Starts and collects work; waits about the budget at most. `elapsed_s`: since the last call.
    void frame(double elapsed_s);
    /// The scene may be drawn: no job holds the buffers. After drawing call drawn().
    bool drawable() const { return !busy(); }
    void drawn() { worker_.devices().drawn(); }
    /// Increases whenever the scene changes.
    uint64_t revision() const { return worker_.revision(); }
    /// Increases whenever the timeline moves or its known steps change, and whenever a run begins.
    uint64_t state_id() const { return worker_.publisher().state_id(); }
    bool busy() const { return worker_.busy(); }
    /// No job is running or due.
    bool idle() const;
    using Progress = LabWorker::Progress;
    Progress progress() const { return worker_.progress(); }
    /// The input, its source and its files.
    const InputLoader& loader() const { return worker_.loader(); }
    /// The present input; nullptr before the first one.
    const std::shared_ptr<const Geometry>& input() const { return loader().input(); }

  private:
    PlaybackState playback_state() const {
        const bool plans = !busy() && !worker_.timeline().done();  // edits that the model does not know yet
        return {model().loaded, model().position, model().done && !plans};
    }
    void start_due();
    void start_measuring();
    void start_seek_run();
    void start_recovery();
    void start_moving();
    void fail(const std::exception_ptr& failure);

    LabWorker worker_;  // first: the parts use it
    ManualEdits edits_{worker_};
    Undo undo_{worker_, edits_};
    RunParameters parameters_{worker_, edits_};
    Inspector inspector_{worker_};
    Selection selection_{worker_};
    Comparison comparison_{worker_, selection_};
    Checks checks_{worker_};
    Opener opener_{worker_, undo_, edits_, parameters_, inspector_, selection_, checks_};
    ColumnChoice columns_{worker_, undo_, opener_};
    RunRestorer restorer_{worker_, undo_, opener_};
    FailureShrinker shrinker_;
    Stops stops_;
    Recovery recovery_;
    bool timed_ = true;
    std::optional<uint64_t> state_hash_;
    uint64_t hash_revision_ = 0;                // of the scene that has it
    double measured_ = 0, measuring_cost_ = 0;  // seconds: time of the last measurement, and its duration
};

}  // namespace flipscope::app
