// Runs jobs on the lab in a thread of its own. Owns the devices, the timeline, the input, the model for the panels and
// the queue of commands; the parts of a session push commands and start jobs here. A running job holds the lease of the
// shared memory and alone may touch the lab. Call everything on the window's thread.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "app/session/command_queue.h"
#include "app/session/devices.h"
#include "app/session/input_loader.h"
#include "app/session/job.h"
#include "app/session/model_publisher.h"
#include "app/session/playback.h"
#include "app/session/worker.h"
#include "compute/error.h"
#include "compute/work.h"
#include "instruments/timeline.h"

namespace flipscope::app {

class LabWorker {
  public:
    /// `wake` is called from the worker's thread after each job.
    LabWorker(std::unique_ptr<Devices> devices, std::unique_ptr<Timeline> timeline, std::function<void()> wake);

    /// Callbacks of a session; set them before the first job.
    struct Hooks {
        /// Called before a job that changes the scene. The result explores it at the end, on the worker's thread.
        std::function<std::function<void(Context&, const Lab&, const std::shared_ptr<const Geometry>&)>()> follow;
        /// After a scene change was published; under the lease.
        std::function<void()> published;
        /// After a job or its start threw. Called under the lease, unless acquiring it failed.
        std::function<void(const std::exception_ptr&)> failed;
    } hooks;

    Devices& devices() { return *devices_; }
    Context& context() { return devices_->context(); }
    Timeline& timeline() { return *timeline_; }
    const Timeline& timeline() const { return *timeline_; }
    /// Replaces the timeline unless `timeline` is nullptr, and switches to the device for its lab. Returns whether the
    /// device changed.
    bool switch_to(std::unique_ptr<Timeline> timeline);
    InputLoader& loader() { return loader_; }
    const InputLoader& loader() const { return loader_; }
    const std::shared_ptr<const Geometry>& input() const { return loader_.input(); }
    ModelPublisher& publisher() { return publisher_; }
    const ModelPublisher& publisher() const { return publisher_; }
    const LabModel& model() const { return publisher_.model(); }
    CommandQueue& commands() { return commands_; }
    const CommandQueue& commands() const { return commands_; }
    Playback& playback() { return playback_; }
    const Playback& playback() const { return playback_; }
    JobLink& link() { return link_; }
    /// For a way along the timeline that only a cancelled pass ends, since the user never sees a state in between.
    std::function<bool()> run_through() {
        return [this] { return link_.report(timeline_->position()), true; };
    }

    /// Posts a note that holds for this state of this run only.
    void note(std::string text) { publisher_.reply(Message::Kind::kNote, std::move(text)); }
    /// Seconds since the window opened.
    double seconds() const;

    /// Stops playback and appends a command.
    void request(CommandQueue::Start start, const std::string& tag = "");
    /// Appends a command that is skipped if no run is loaded at its turn.
    void request_of_run(CommandQueue::Start start, const std::string& tag = "");

    bool busy() const { return worker_.busy(); }
    /// A run is loaded, no job runs and no command is queued.
    bool is_free() const { return !busy() && model().loaded && commands_.empty(); }
    const Job& job() const { return job_; }
    /// Acquires the lease and starts the job.
    void start(Job job);
    /// The same with a result: `after` receives the return value of `run`.
    template <class Run, class After>
    void start(Job job, Run run, After after) {
        const auto result = std::make_shared<std::optional<std::invoke_result_t<Run, Timeline&>>>();
        job.run = [this, result, run = std::move(run)] { *result = run(*timeline_); };
        job.after = [result, after = std::move(after)] { after(std::move(**result)); };
        start(std::move(job));
    }
    /// Starts a short read-only job.
    template <class Run, class After>
    void query(Run run, After after) {
        start({}, std::move(run), std::move(after));
    }
    /// The same; an Error thrown by `run` becomes a note.
    template <class Run, class After>
    void query_or_note(Run run, After after) {
        using Answer = std::pair<std::optional<std::invoke_result_t<Run, Timeline&>>, std::string>;
        const auto run_safely = [run = std::move(run)](Timeline& timeline) -> Answer {
            try {
                return {run(timeline), {}};
            } catch (const Error& error) {
                return {std::nullopt, error.what()};
            }
        };
        query(run_safely, [this, after = std::move(after)](Answer answer) {
            answer.first ? after(std::move(*answer.first)) : note(answer.second);
        });
    }
    /// Completes a finished job; otherwise serves its OpenGL requests. With `may_interrupt`, a job cancelled some time
    /// ago is interrupted in the middle of its pass.
    void poll(bool may_interrupt);
    /// Waits at most this long for the running job, then completes it.
    void wait(double seconds);
    /// Ends the running job and drops its result. Then calls `release` and destroys the timeline, both under the lease.
    /// No job can be started afterwards.
    void finish(const std::function<void()>& release);
    /// Soft cancel of the running job; poll() turns it into a hard one.
    void cancel();
    /// Whether the running job is shown and can be cancelled.
    bool announces() const;
    bool started_since(double seconds) const { return busy() && began_ >= seconds; }
    /// Publishes the model again. Requires an idle worker and the lease.
    void publish();
    /// Runs `act` under the lease. Requires an idle worker.
    void under_lease(const std::function<void()>& act);

    struct Progress {
        bool announced = false;  // as announces()
        std::string title;       // of the job
        std::string stage = {};  // "link.cells 43 %, 6 s left": a long stage; or empty
        double fraction = -1;    // of the job or the stage; -1: unknown
        double seconds = 0;      // since the start
        bool cancelling = false;
    };
    Progress progress() const;

    /// Increases whenever the scene changes.
    uint64_t revision() const { return revision_; }
    void touch_scene() { ++revision_; }
    /// Sets whether state words carry failure marks; returns the previous value. False also after the loss of the
    /// device that held them.
    bool mark(bool marked) {
        unmarked_ = false;
        return std::exchange(marked_, marked);
    }

  private:
    void complete();
    void fail(const std::exception_ptr& failure);
    void mark_again();

    double opened_;
    std::unique_ptr<Devices> devices_;
    std::unique_ptr<Timeline> timeline_;
    InputLoader loader_;
    ModelPublisher publisher_;
    CommandQueue commands_;
    JobLink link_;
    Playback playback_{link_};
    WorkMeter meter_;  // progress of the worker's thread

    Job job_;                                               // the running job
    double began_ = 0, cancelled_at_ = 0;                   // seconds(); cancelled_at_ 0: not cancelled
    std::optional<ModelPublisher::TimelineUpdate> update_;  // the result of the running job, for publish()
    uint64_t revision_ = 0;
    bool marked_ = false;
    bool unmarked_ = false;  // the running job removed the marks
    Worker worker_;          // last: its thread uses the other members
};

}  // namespace flipscope::app
