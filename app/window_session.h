// The lab behind the window: one timeline on one device, driven by wishes from keys and panels. Every touch of the
// algorithm happens on the worker's thread, under the lease of the shared memory; a frame waits for it as long as the
// stepping budget allows and otherwise shows the last picture. What the panels read is a copy (LabModel), so they may
// be drawn at any time. All calls on the window's thread. Knows OpenGL only through the shared memory, and no ImGui.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/findings.h"
#include "app/shared_memory.h"
#include "app/window.h"
#include "app/worker.h"
#include "labs/lab.h"
#include "labs/parameters.h"
#include "labs/timeline.h"

namespace flipscope::app {

struct Message {
    enum class Kind { kNote, kGood, kWarning, kError } kind;
    std::string text;
    double time;  // seconds since the window opened
    /// How long it holds, unless a newer one takes its place: for good; until an input or a lab is opened, or the run
    /// starts over; until the timeline stands elsewhere or knows more; or while the step that said it lies behind.
    enum class Holds { kForGood, kForRun, kForMoment, kBehindStep } holds = Holds::kForGood;
    uint64_t since = 0;  // kForMoment: Session::moment(); kBehindStep: index of the step
    bool over = false;   // it holds no more, wherever the timeline goes
};

/// What came of a click.
struct Inspection {
    Element element{ElementKind::kVertex, kNone};
    std::vector<Fact> facts;
    std::vector<Point3> corners;  // 1 to 4 places, world units; without those at infinity; in the plane z is 0
    std::vector<Sketch> sketches;
    bool any() const { return element.id != kNone; }
};

/// A finding that somebody has chosen, and the drawings that show it.
struct Loupe {
    size_t finding = SIZE_MAX;  // index into LabModel::findings; SIZE_MAX: none
    bool looked = false;        // the drawings have been asked for
    std::vector<Sketch> sketches;
    bool any() const { return finding != SIZE_MAX; }
};

struct SpaceBounds {  // world units; in the plane both z are 0
    Point low{}, high{};
    double low_z = 0, high_z = 0;
};

/// What the panels may read: a copy of this moment, or of the last one when the worker is busy.
struct LabModel {
    LabInfo info;
    bool loaded = false;      // there is something to step
    std::string source_text;  // generator or file of the present input
    std::string input_name;
    uint64_t input_count = 0;  // points as given
    History history;           // a copy, which shares what it holds
    uint64_t position = 0;
    uint32_t next_pass = kNone;
    bool done = false;
    Scene scene;  // its bounds are those of the input, from the first
    uint32_t vertices = 0, triangles = 0,
             edges = 0;                   // finite vertices; triangles and edges of the mesh, ghosts included
    std::optional<Result> result;         // at the end
    std::vector<Result::Number> numbers;  // of this moment, of labs that make no triangles; else at the end
    std::vector<Histogram> histograms;    // of this moment
    std::vector<Curve> curves;            // of this moment
    std::vector<Finding> findings;        // as far as known, like the history
    size_t found = 0;                     // of these, up to this moment
    PlaceSpread spread;                   // of all of them
    Loupe loupe;
    std::vector<ParameterDescription> parameters;  // as the algorithm has them
    std::vector<LabelTiming> timings;
    std::vector<Message> messages;
    Inspection inspection;
    std::optional<CheckReport> check;  // of this moment; nothing: it has not been checked
    size_t failure = SIZE_MAX;         // the one of its failures that was chosen; SIZE_MAX: none
    bool exact = true;                 // the run's signs are; else its end is checked unasked
    std::string refusal;               // why no lab can start from this input, which is shown as it is; or empty
    bool takes_moves = false, takes_flips = false;   // vertices may be dragged, edges flipped by hand
    bool takes_adds = false, takes_removes = false;  // vertices may be put somewhere, and taken away
    bool takes_paint = false, takes_wipes = false;   // obstacles may be painted, and wiped off
    std::string device_name, sharing;
    size_t live_bytes = 0;

    uint64_t known() const { return history.size(); }
    bool failed() const { return check && !check->passed; }
    const CheckFailure* chosen_failure() const {
        return check && failure < check->failures.size() ? &check->failures[failure] : nullptr;
    }
    const StepResult* last() const { return position > 0 ? history.find(position - 1) : nullptr; }
};

class Session {
  public:
    /// The OpenGL context must be current. `wake` is called from the worker's thread to end a wait for events. Throws
    /// std::runtime_error when the device or the make of shared memory cannot be had.
    Session(const WindowOptions& options, std::function<void()> wake);
    ~Session();

    const LabModel& model() const { return model_; }
    /// Holds until an input or a lab is opened.
    void say(Message::Kind kind, std::string text) { say(kind, std::move(text), Message::Holds::kForRun, 0); }
    /// An answer to something that was asked for, which holds for this moment of this run only.
    void reply(Message::Kind kind, std::string text) {
        say(kind, std::move(text), Message::Holds::kForMoment, moment_);
    }
    /// What is to be read now: the newest message that still holds, or nullptr.
    const Message* message() const;

    // ---- wishes; they are granted in later frames
    // ---------------------------------------------------------------------
    void play(bool on);
    bool playing() const { return playing_; }
    void step(Level level);
    void back(Level level);
    void seek(uint64_t position);
    void run_to_end();
    void restart();
    void load(std::string text, bool is_file);
    /// Goes on with the points alone, without the field or the tracks beside them.
    void leave_out_frames();
    void leave_out_points();               // for a lab that needs none
    void open_lab(const std::string& id);  // another algorithm on the same input
    void verify();
    void inspect(const Probe& probe);
    void close_inspection();
    /// Goes to the moment of a finding and looks at it closely.
    void visit_finding(size_t index);
    void close_loupe();
    /// One of the failures of the check; the picture marks it.
    void choose_failure(size_t index);
    void close_failure() { model_.failure = SIZE_MAX; }
    /// Asks for a vertex under the cursor to take hold of, where the lab lets vertices be moved. Until the answer is
    /// there grip() is kAsked; then held() is the vertex, if there was one.
    void grab(const Probe& probe);
    void let_go();
    enum class Grip { kNone, kAsked, kHolds, kMissed };
    Grip grip() const { return grip_; }
    const Inspection& held() const { return held_; }
    /// Moves a vertex, as a step of its own. While the lab is busy, the latest place wins.
    void move_vertex(const Element& vertex, Point3 place);
    /// Flips an edge whether that is good or not, as a step of its own; what the lab makes of it is for the next steps.
    void flip_edge(const Element& edge);
    void add_vertex(Point3 place, uint32_t part);
    void remove_vertex(const Element& vertex);
    /// Removes the vertex that somebody points at; says so where there is none.
    void remove_vertex(const Probe& probe);
    /// A stroke of the brush (kPaint or kWipe), or more of it, to be seen while it is made: one step of the timeline.
    /// While the lab is busy its places gather.
    void brush(const Edit& stroke);
    void set_parameter(size_t index, std::string value);  // a draft: takes effect with restart()
    std::string parameter(size_t index) const;            // the draft, or the value in use
    bool parameters_changed() const;
    void drop_drafts();
    /// Ends what is under way, gently at first: a pass that does not end soon is broken off, and what was there at the
    /// last keyframe before it is there again.
    void cancel();
    /// Whether something is under way that somebody may want to end.
    bool cancellable() const;

    double speed = 4;                 // passes a second while playing
    bool unlimited = false;           // as many passes as the budget holds
    double budget_ms = 10;            // of a frame, for stepping
    double patience_ms = 0;           // what drawing a frame costs; long runs draw so rarely that it stays a small part
    bool pause_when_notable = false;  // playing ends at a step at which something happened

    // ---- the window's frame
    // -------------------------------------------------------------------------------------------
    /// Starts and collects work; waits at most about the budget. `elapsed_s`: since the last call.
    void frame(double elapsed_s);
    /// The scene may be drawn: nobody holds the buffers. After drawing call drawn().
    bool drawable() const { return !worker_.busy(); }
    void drawn() { sharing_->drawn(); }
    /// Increases whenever the scene has changed.
    uint64_t revision() const { return revision_; }
    /// Increases with every new input, so that the picture can be fitted to it.
    uint64_t input_revision() const { return input_revision_; }
    bool busy() const { return worker_.busy(); }
    /// Increases whenever the timeline stands elsewhere or knows more or other steps, and whenever a run begins.
    uint64_t moment() const { return moment_; }
    bool idle() const { return !worker_.busy() && !goal_ && wishes_.empty() && !playing_ && !behind_ && !check_due_; }

    struct Progress {
        std::string title;     // empty: nothing worth mentioning
        double fraction = -1;  // -1: not known
        double seconds = 0;    // since it began
        bool cancelling = false;
    };
    Progress progress() const;
    double last_wait_ms() const { return last_wait_ms_; }

    /// Waits until nothing is under way and asks for the hash; nothing after `patience_s`.
    std::optional<uint64_t> state_hash(double patience_s);
    /// The present input; nullptr before the first one is loaded.
    const std::shared_ptr<const Geometry>& input() const { return input_; }
    const SharedMemory& sharing() const { return *sharing_; }

  private:
    struct Goal {
        enum class Kind { kPasses, kLevel, kSeek, kBack, kRound } kind;
        uint64_t count = 0;  // passes, or the position or the round to reach
        Level level = Level::kPass;
        bool paced = false;  // of playing: keeps within the budget
    };
    struct Wish {
        enum class Kind {
            kLoad,
            kLeaveOut,
            kRestart,
            kLab,
            kVerify,
            kInspect,
            kGrab,
            kEdit,
            kRemove,
            kHash,
            kLoupe
        } kind;
        std::string text = {};
        bool is_file = false;
        Probe probe = {};
        Edit edit = {};
    };
    void start(std::string title, bool changes_scene, std::function<void()> job, std::function<void()> after = {});
    void start_goal();
    void start_wish(const Wish& wish);
    void start_grab(const Probe& probe);
    void start_edit(const Edit& edit);
    void start_removal(const Probe& probe);
    void edit(const Edit& edit);
    void miss_grip();
    void start_catching_up();
    /// What is to be loaded, asked for on the worker's thread; it may say things in the notes.
    using MakeInput = std::function<std::shared_ptr<const Geometry>(const LabInfo&, std::vector<std::string>& notes)>;
    void start_opening(std::string title, const std::string& lab, MakeInput input, std::string source);
    std::unique_ptr<Timeline> shown_as_it_is(Lab& refusing, std::shared_ptr<const Geometry> input);
    void start_reset(std::string title, std::shared_ptr<const Geometry> input, std::string source);
    /// After something went wrong.
    void start_again();
    void start_load(const std::string& text, bool is_file);
    void start_leaving_out(bool points);
    void start_lab(const std::string& id);
    void take_input(std::shared_ptr<const Geometry> input, const SpaceBounds& bounds, const std::string& source);
    void start_recovery();
    void say(Message::Kind kind, std::string text, Message::Holds holds, uint64_t since);
    bool holds(const Message& message) const;
    void end_messages_of_run();  // another run begins
    void conclude();
    void fail(const std::exception_ptr& failure);
    void copy_model();
    bool copy_history();
    void forget_findings(uint64_t round);
    void copy_findings();
    std::optional<uint64_t> position_of(const Finding& finding) const;
    void start_loupe();
    void start_check(bool asked);
    void take_check(CheckReport report, bool asked);
    void forget_check();
    void put_failures_into_legend();
    void stand_down();  // ends playing and journeys: another wish comes
    void wait_for_worker(double seconds);
    void go(Goal goal);
    /// The element that is meant; none where the lab picks nothing.
    Element pick(const Probe& probe) const;
    Inspection look(Element element) const;  // on the worker's thread

    std::function<void()> wake_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<SharedMemory> sharing_;
    std::unique_ptr<Timeline> timeline_;
    std::shared_ptr<const Geometry> input_;
    SpaceBounds bounds_;  // of the input
    LabModel model_;
    std::vector<std::string> drafts_;  // as model_.parameters; empty: not changed

    bool playing_ = false;
    double due_ = 0;  // passes that playing owes
    std::optional<Goal> goal_;
    std::deque<Wish> wishes_;
    uint64_t revision_ = 0, input_revision_ = 0, moment_ = 0;
    Grip grip_ = Grip::kNone;
    Inspection held_;
    bool behind_ = false;                          // histograms and result are not those of this moment
    double caught_up_ = 0, catching_up_cost_ = 0;  // seconds: when they were, and how long it took
    double last_wait_ms_ = 0;

    // The job under way.
    std::string title_;
    std::string broken_off_;  // title of the job that was cancelled last, in the middle of a pass
    bool retrace_ = false;    // from the keyframe on to where it was
    bool changes_scene_ = false, is_journey_ = false, is_recovering_ = false;
    bool keeps_message_ = false;  // the job starts over after something went wrong
    std::function<void()> after_;
    double began_ = 0, cancelled_at_ = 0;  // seconds; 0: not cancelled
    std::atomic<bool> stop_{false};        // asked of journeys, after every pass
    std::optional<uint64_t> hash_;
    bool check_due_ = false;   // the end of a run whose signs are not exact
    bool marked_ = false;      // state words carry marks of failures
    uint64_t checked_at_ = 0;  // moment() of model_.check
    bool recover_ = false;     // the algorithm must be made whole before anything else

    mutable std::mutex live_mutex_;  // what journeys tell on their way
    struct Live {
        uint64_t position = 0, known = 0, target = 0, from = 0;
    } live_;
    std::string pending_source_;
    double opened_ = 0;
    Worker worker_;  // the last member: its thread uses the others
};

}  // namespace flipscope::app
