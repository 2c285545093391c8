// The lab behind the window: one timeline on one device, driven by commands from keys and panels. It owns the parts
// that do the work (app/session/) and the worker's thread, and says which job is next: a job runs on the worker's
// thread, under the lease of the shared memory, and is the only one then to touch the lab. A frame waits for it as long
// as the stepping budget allows and otherwise shows the last picture. What the panels read is a copy (LabModel), so
// they may be drawn at any time. All calls on the window's thread. Knows OpenGL only through the shared memory, and no
// ImGui.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/gl/shared_memory.h"
#include "app/run/asked_selection.h"
#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/run/scenario.h"
#include "app/session/command_queue.h"
#include "app/session/devices.h"
#include "app/session/input_loader.h"
#include "app/session/job.h"
#include "app/session/lab_model.h"
#include "app/session/model_publisher.h"
#include "app/session/parameter_drafts.h"
#include "app/session/playback.h"
#include "app/session/recovery.h"
#include "app/session/shrinking.h"
#include "app/session/stops.h"
#include "app/session/table_import.h"
#include "app/session/window_options.h"
#include "app/session/worker.h"
#include "compute/work.h"
#include "instruments/element_history.h"
#include "instruments/kept_scene.h"
#include "instruments/timeline.h"
#include "lab/element_labels.h"
#include "lab/lab.h"

namespace flipscope::app {

/// The panels change the pace at any time.
class Session : public Pace {
  public:
    /// The OpenGL context must be current. `wake` is called from the worker's thread to end a wait for events. Throws
    /// std::runtime_error when the device or the make of shared memory cannot be had.
    Session(const WindowOptions& options, std::function<void()> wake);
    ~Session();

    const LabModel& model() const { return publisher_.model(); }
    /// Holds until an input or a lab is opened.
    void say(Message::Kind kind, std::string text) { publisher_.say(kind, std::move(text)); }
    /// An answer to something that was asked for, which holds for this state of this run only.
    void reply(Message::Kind kind, std::string text) { publisher_.reply(kind, std::move(text)); }
    /// What is to be read now: the newest message that still holds, or nullptr.
    const Message* message() const { return publisher_.message(); }

    /// Whether launches are timed on CUDA, from the next one that this thread starts on: where nothing shows what they
    /// take, they are not.
    void watch_timings(bool watched) { timed_ = watched; }

    // ---- commands; they are executed in later frames
    // -----------------------------------------------------------------------------------------------------------------
    void play(bool on);
    bool playing() const { return playback_.playing(); }
    bool seeking() const { return playback_.is_seeking(); }  // on the way to another position
    void step(Level level) { playback_.step(level); }
    void step_to(uint32_t pass) { playback_.step_to(pass); }
    void back(Level level) { playback_.back(level, playback_state(), model().history); }
    void seek(uint64_t position) { playback_.seek(position); }
    /// Where playing stops; it says why.
    Stops& stops() { return stops_; }
    const Stops& stops() const { return stops_; }
    /// Goes to the first of the passes made after which the check fails, or finds a failure of this code, and says so.
    void find_failure(const std::string& code = "") { playback_.find_failure(code); }
    void run_to_end() { playback_.run_to_end(); }
    // The next five ask first where they would leave manual edits behind: see question().
    void restart();
    /// A generator, or a file: a scenario, too.
    void load(std::string text, bool is_file);
    /// One file, or points and their triangles in two, in either order.
    void load_files(const std::vector<std::string>& files);
    /// Where points and triangles of two files are open: their names with a blank between them; else empty.
    std::string pair_of_files() const;
    /// The scenario that has been opened since the last call, with LabModel::source_text of it: how its picture looks,
    /// and its title are the window's.
    std::optional<std::pair<Scenario, std::string>> take_opened_scenario() {
        return std::exchange(opened_scenario_, std::nullopt);
    }
    /// Reads its input and opens it.
    void open_scenario(const std::string& title, Scenario scenario) {
        prepare(title, "", [scenario = std::move(scenario)] { return Run(scenario); });
    }
    /// The lesson that was asked for since the last call, by name: it is the window's to play.
    std::optional<std::string> take_opened_lesson() { return std::exchange(opened_lesson_, std::nullopt); }
    /// These elements are to be marked in the picture, as long as they are asked for; found out where nothing else is
    /// under way.
    void want_elements(std::vector<std::string> asked) { wanted_elements_ = std::move(asked); }
    /// As far as they have been found, of the scene as it is.
    struct FoundElement {
        std::string asked;
        Inspection found;  // with what explains it
    };
    const std::vector<FoundElement>& found_elements() const {
        return elements_of_ == revision_ ? found_elements_ : no_elements_;
    }
    /// Goes on with the points alone, without the field or the tracks beside them.
    void leave_out_frames();
    /// For a lab that needs none.
    void leave_out_points();
    void open_lab(const std::string& id);  // on the same input
    void verify();
    void inspect(const Probe& probe) { commands_.push(command::Inspect{probe, {}, 0}); }
    /// Asks about an element by what `find` answers on the worker's thread, whose Error is said as a note. Returns the
    /// number that its inspection has, as Inspection::request.
    uint64_t look_up(std::function<Element(const Lab&)> find) {
        commands_.push(command::Inspect{{}, std::move(find), ++requests_});
        return requests_;
    }
    /// Ids and names in these parts of the plane are to be shown; found out where nothing else is under way.
    void want_labels(std::vector<InView> shown) { wanted_labels_ = std::move(shown); }
    void want_no_labels() {
        wanted_labels_.clear();
        labels_.clear();
        labelled_.clear();
    }
    /// As far as they have been found out, of the scene as it is; else none, or of the view before.
    const std::vector<ElementLabel>& labels() const { return labels_of_ == revision_ ? labels_ : no_labels_; }
    /// Opens a lab with parameters set, on the same input, and runs it to its end.
    void open_lab(const std::string& id, std::vector<Parameter> parameters);
    /// Opens a lab with parameters set, on an input in memory, and runs it to its end, which is checked.
    void open_at_end(command::OpenAtEnd what);
    /// The search for the fewest points that still fail. It goes on in the background, whatever is opened meanwhile.
    Shrinking& shrinking() { return shrinking_; }
    const Shrinking& shrinking() const { return shrinking_; }
    /// Why what failed here cannot be shrunk; empty: it can be.
    std::string shrink_refusal() const;
    /// Begins that search with the input and the parameters of this run, in place of the one before. Says why not.
    /// `asked`: what the points must go on to show, as ShrinkChoice::asked.
    void shrink_failure(const std::string& asked);
    /// The best so far, in its lab. Says so where there is none.
    void open_shrunk();
    /// Playing ends.
    void pause() { playback_.pause(); }
    /// Goes back along the timeline, and forth again, to find out what has happened to an element.
    void trace(const Element& element) {
        playback_.pause();
        commands_.push(command::Trace{element});
    }
    /// What was found of this element in this run; nullptr: nothing was asked.
    const ElementHistory* history_of(const Element& element) const {
        const bool same = traced_ && traced_->element.kind == element.kind && traced_->element.id == element.id &&
                          traced_->element.part == element.part && traced_edits_ == model().edits;
        return same ? &*traced_ : nullptr;
    }
    void close_inspection() { publisher_.take_inspection({}); }
    /// Goes to the state of a detection and looks at it closely.
    void go_to_detection(size_t index);
    void close_detail_view() { publisher_.close_detail_view(); }
    /// One of the failures of the check; the picture marks it.
    void choose_failure(size_t index) { publisher_.choose_failure(index); }
    void close_failure() { publisher_.close_failure(); }
    /// Asks for a vertex under the cursor to take hold of, where the lab lets vertices be moved. Until the answer is
    /// there grip() is kAsked; then held() is the vertex, if there was one.
    void grab(const Probe& probe);
    void let_go();
    enum class Grip { kNone, kAsked, kHolds, kMissed };
    Grip grip() const { return grip_; }
    const Inspection& held() const { return held_; }
    /// Moves a vertex; all its moves until let_go() are one step. While the lab is busy, the latest place wins.
    void move_vertex(const Element& vertex, Point3 place);
    /// Flips an edge whether that is good or not, as a step of its own; what the lab makes of it is for the next steps.
    void flip_edge(const Element& edge);
    void add_vertex(Point3 place, uint32_t part);
    void remove_vertex(const Element& vertex);
    /// Removes the vertex under the cursor; says so where there is none.
    void remove_vertex(const Probe& probe);
    /// A frozen vertex stays where it is until it is released.
    void freeze_vertex(const Element& vertex, bool freezes);
    /// Freezes the vertex under the cursor, or releases it where it is frozen; says so where there is none.
    void freeze_or_release(const Probe& probe);
    /// A stroke of the brush (kPaint or kWipe), or more of it, to be seen while it is made: one step of the timeline.
    /// While the lab is busy its places gather.
    void brush(const Edit& stroke);
    /// Takes the last manual edit back, and makes it again; says so where there is none.
    void undo();
    void redo();
    /// What leaves manual edits behind for good asks first, and waits for the answer.
    struct Question {
        std::string text, yes;  // `yes`: what the button says that goes on with it
    };
    const Question* question() const { return question_ ? &*question_ : nullptr; }
    void answer(bool yes);
    /// Whether the window may be closed now; false: a question is asked first. closes() is true once that has been
    /// answered.
    bool may_close();
    bool closes() const { return closes_; }
    /// The run with its manual edits, to be made again elsewhere; nullopt: it has none, or the lab is at work.
    std::optional<EditedRun> edited_run() const;
    /// Opens the input of such a run, makes its edits and goes to where it stood. `check` is given the input on the
    /// worker's thread, and throws Error where it is another one.
    void restore(EditedRun run, std::function<void(const Geometry&)> check);
    /// Whether one has been restored since the last call.
    bool take_restored() { return std::exchange(restored_, false); }
    /// Opens what a text holds, a table or coordinates in another form.
    void paste(std::string text);
    /// The table whose columns are being chosen; nullptr: none is.
    const TableImport* import() const { return import_ ? &*import_ : nullptr; }
    /// Whether the columns of the present input could be chosen.
    bool has_columns() const { return loader_.layout().has_value(); }
    /// The input is read again whenever its files change.
    bool watches = false;
    /// Whether it has files.
    bool has_files() const { return loader_.has_files(); }
    /// With which options the present input was read.
    const ReadOptions& read_options() const { return loader_.read(); }
    /// The columns are chosen; says so where there are none.
    void open_import();
    /// Reads the table again with these options; the former reading stays where it cannot be read so.
    void import_as(ReadOptions read);
    /// Keeps it as it is read now, or goes back to what was there before.
    void end_import(bool keeps);
    /// Asks the lab on the worker's thread; what `find` returns is said as good news (an empty text is not), what it
    /// throws as an error.
    void ask_lab(std::string title, std::function<std::string(const Lab&)> find);
    /// What elements are coloured by, and which are selected.
    void explore(ExplorationChoice choice);
    /// Selects what was asked for in words, or replies why not.
    void select(const AskedSelection& asked);
    const ExplorationChoice& exploration() const { return explored_; }
    /// The same, of its colour alone; what is selected stays.
    void colour_by(const std::optional<Explored>& colour);
    /// The picture of this state is kept, to be drawn beside later ones, and its statistics, where they are measured,
    /// to be compared with theirs; false: no more.
    void compare_from_here(bool compares);
    /// The same of another moment of this run, or of its lab on another input, made beside the live one by a run of its
    /// own: so many passes of another input, or to its end. `scenario`: the run that is open. Statistics stay.
    struct KeepOther {
        Scenario scenario;
        BesideAsked asked;
        std::optional<uint64_t> passes;
        std::string called;  // by its caption, as LessonStep::Other has it
    };
    void keep_other(KeepOther what) { other_due_ = std::move(what); }
    /// Where the kept picture is one of the run that is open, after how many of its passes; else nothing.
    std::optional<uint64_t> kept_position() const;
    /// Whether something is kept, or is about to be.
    bool compares() const { return keep_due_ || other_due_ || kept() || compared_with_; }
    /// The picture that is kept, to be read while drawable(); nullptr: there is none.
    const KeptScene* kept() const { return kept_dropped_ ? nullptr : kept_.get(); }
    /// Of what it is: "Flip lab: uniform:1000, pass 12 of 40: flip".
    const std::string& kept_caption() const { return kept_caption_; }
    /// The same of the present state.
    std::string state_caption() const;
    /// What both are of where they are in one figure, the kept one first, as a run without a window has it: the labs
    /// are named where they are two.
    std::pair<std::string, std::string> figure_captions() const;
    /// As keep_other() was told; empty: the picture was kept by hand.
    const std::string& kept_called() const { return kept_called_; }
    /// What is measured of this state; nullptr: nothing, or not yet.
    std::shared_ptr<const SceneStatistics> measured() const;
    /// Whether statistics of what the scene shows are measured with what else is too dear for every frame.
    void measure_shown(bool measures);
    /// The points that are selected become the input, with their names and attributes; of a surface their triangles,
    /// too.
    void load_selection();
    /// The points that are selected, as selected_input() has them. On the worker's thread, from what ask_lab() asks.
    Geometry selected() const;
    /// Coordinates of the selected points, a line each, for the clipboard.
    void copy_selection();
    /// Text that is to be put into the clipboard, once.
    std::optional<std::string> take_copied() { return std::exchange(copied_, std::nullopt); }
    /// A draft: takes effect with restart() or change_now(); what changes nothing but the picture does at once.
    void set_parameter(size_t index, std::string value);
    /// One parameter that can change during the run does at once, as a step; drafts stay drafts.
    void adjust(size_t index, std::string value);
    /// Drafts of parameters that can change during a run do, as a step of the timeline at the end of this round;
    /// playing goes on. Others stay drafts.
    void change_now();
    /// Whether a parameter can change during the run that there is.
    bool changes_amid(size_t index) const {
        return model().loaded && model().adjustable && model().parameters.at(index).takes == Takes::kStep;
    }
    /// Whether there are such drafts.
    bool can_change_now() const {
        return model().loaded && model().adjustable && drafts_.any_for_step(model().parameters);
    }
    /// The draft, or the value in use.
    std::string parameter(size_t index) const { return drafts_.value(model().parameters, index); }
    bool parameters_changed() const { return drafts_.any(); }
    void drop_drafts() { drafts_.drop(); }
    /// Ends what is under way, gently at first: a pass that does not end soon is broken off, and what was there at the
    /// last keyframe before it is there again.
    void cancel();
    /// On the way to a place ahead, such as the end.
    bool running_on() const;
    /// Whether something is under way that one may want to end.
    bool cancellable() const { return announces() || playback_.is_seeking(); }

    // ---- the window's frame
    // -------------------------------------------------------------------------------------------
    /// Starts and collects work; waits at most about the budget. `elapsed_s`: since the last call.
    void frame(double elapsed_s);
    /// The scene may be drawn: no job holds the buffers. After drawing call drawn().
    bool drawable() const { return !worker_.busy(); }
    void drawn() { devices_->drawn(); }
    /// Increases whenever the scene has changed.
    uint64_t revision() const { return revision_; }
    /// Increases with every new input, so that the picture can be fitted to it.
    uint64_t input_revision() const { return loader_.revision(); }
    bool busy() const { return worker_.busy(); }
    /// Increases whenever the timeline stands elsewhere or knows more or other steps, and whenever a run begins.
    uint64_t state_id() const { return publisher_.state_id(); }
    /// Nothing is under way, and nothing is due.
    bool idle() const;

    struct Progress {
        bool announced = false;  // something is under way that is worth mentioning
        std::string title;       // what
        std::string stage = {};  // "link.cells 43 %, 6 s left": what of it takes long; empty: nothing does
        double fraction = -1;    // of all of it, or else of the stage; -1: not known
        double seconds = 0;      // since it began
        bool cancelling = false;
    };
    Progress progress() const;

    /// The hash of the state that the model shows, as far as it has been asked for; nothing while it is not known.
    const std::optional<uint64_t>& state_hash() const { return hash_; }
    /// Has it computed on the worker's thread. True: it is known, or cannot be told at present; false: it is on its
    /// way, and a later frame has it.
    bool ask_state_hash();
    /// The present input; nullptr before the first one is loaded.
    const std::shared_ptr<const Geometry>& input() const { return loader_.input(); }
    const SharedMemory& sharing() const { return devices_->sharing(); }

  private:
    PlaybackState playback_state() const { return {model().loaded, model().position, model().done}; }
    bool announces() const;

    // Commands. stand_down(): another command comes, so playing and seek runs end.
    void stand_down() { playback_.stand_down(); }
    void request(LabCommand command);
    void open_lab(command::OpenLab what);
    void edit(const Edit& edit);
    void miss_grip();

    // Jobs: each start() takes the lease, and complete() gives it back.
    void start(Job job);
    /// A job that changes nothing and is soon over.
    void ask(std::function<void()> question, std::function<void()> after);
    void start_command(const LabCommand& command);
    void start_next();
    void start_seek_run();
    /// Reads a scenario and its input on the worker's thread, and opens it then. `source`: what the input panel shows;
    /// empty: as the input says.
    void prepare(const std::string& title, const std::string& source, std::function<Run()> read);
    void open_prepared(const Run& run, const std::string& source, const std::shared_ptr<const EditedRun>& edited);
    void start_making_edits_again(const std::shared_ptr<const EditedRun>& run);
    void start_opening(Opening opening, Task task, bool plays = false);
    void start_reading(Opening opening);
    void start_recovery();
    void tell_of_shrinking();
    void start_check(bool asked, bool tells = true);
    void start_measuring();
    void start_detail_view();
    bool labels_due() const {
        return model().loaded && !wanted_labels_.empty() && (labelled_ != wanted_labels_ || labels_of_ != revision_);
    }
    void start_labels();
    void start_exploring();
    void start_keeping();
    void start_keeping_other();
    void drop_kept();
    struct PictureOf {
        std::string lab, text;  // the lab's title; "uniform:1000, pass 12: flip"
    };
    PictureOf picture_of_state() const;
    void follow_exploration(const ExplorationChoice& explored);
    std::optional<ModelPublisher::ShownAsked> shown_asked();
    bool has_selection();
    void start_loading_selection();
    void tell_of_missing_columns(std::vector<std::string>& notes) const;
    /// Opens it in the present lab with its parameters, or where that takes no such input in the one that does.
    /// What Ctrl+Z brings back, as long as the input is the one that was kept of it.
    struct BeforeKeeping {
        Opening opening;
        std::string lab;
        uint64_t revision;   // of the input that was kept
        std::string source;  // what the panel calls it
    };
    std::optional<BeforeKeeping> before_keeping_;
    void watch_files(double now);
    double watched_at_ = 0;  // seconds
    std::optional<FileTimes> told_of_files_;
    std::optional<FileTimes> changed_files_, read_files_;  // at the last look; that reading was tried of
    command::OpenAtEnd opening_of(std::shared_ptr<const Geometry> input, std::string source,
                                  std::vector<std::string> notes) const;
    bool elements_due() const {
        return model().loaded && !wanted_elements_.empty() &&
               (found_wanted_ != wanted_elements_ || elements_of_ != revision_);
    }
    void start_finding_elements();
    void start_grab(const Probe& probe);
    void start_edit(const Edit& edit);
    void start_removal(const Probe& probe);
    void start_freezing(const Probe& probe);
    void start_undo(bool again);
    /// `keeps_input`: what was edited before the run started over stays.
    void leave_edits(std::string what, std::string yes, std::function<void()> go_on, bool keeps_input = false);
    /// The run that there is, to be opened again.
    command::OpenAtEnd present_opening() const;
    void follow_import(const Opening& asked, const std::optional<TableLayout>& table, const std::string& refusal);
    void show_device();
    bool opens_at_end(const Opening& asked, const Geometry& input) const;
    void take_opened(const Opening& asked, Opened& opened);
    void take_check(CheckReport report, bool asked, bool tells);
    void choose_opened_failure();
    void wait_for_worker(double seconds);
    void complete();
    void mark_again();
    void publish();
    void fail(const std::exception_ptr& failure);
    void lose_device();
    void start_moving();

    double opened_ = 0;
    std::unique_ptr<Devices> devices_;
    std::unique_ptr<Timeline> timeline_;
    Exploration exploration_;
    Context* explored_in_ = nullptr;       // where its buffers are
    ExplorationChoice explored_;           // as the user wants it
    std::optional<Explored> coloured_by_;  // when it was last followed
    bool explore_due_ = false, measures_shown_ = false;
    std::optional<std::string> copied_;
    std::shared_ptr<const StatisticsSample> compared_with_;
    std::unique_ptr<KeptScene> kept_;  // its buffers go under the lease, as all
    std::string kept_caption_;
    PictureOf kept_picture_of_;
    std::string kept_called_;
    bool keep_due_ = false, kept_dropped_ = false;
    std::optional<KeepOther> other_due_;
    struct KeptOf {
        uint64_t input_revision = 0, position = 0;
        std::vector<Parameter> parameters;
    };
    std::optional<KeptOf> kept_of_;  // none: it was made by a run of its own, or by manual edits
    JobLink link_;
    CommandQueue commands_;
    Playback playback_{link_};
    Stops stops_;
    InputLoader loader_;
    Recovery recovery_;
    ModelPublisher publisher_;
    ParameterDrafts drafts_;
    std::optional<TableImport> import_;
    command::OpenAtEnd before_reading_, before_import_;  // without an input: nothing was there

    struct LastOpening {
        std::shared_ptr<const Opening> asked;
        Task task{};
        bool plays = false;
        std::shared_ptr<Opened> opened = {};
    } last_opening_;
    uint64_t revision_ = 0;
    Grip grip_ = Grip::kNone;
    Inspection held_;
    bool dragged_ = false;  // it has been moved since it was grabbed
    std::optional<Question> question_;
    std::function<void()> on_yes_;
    bool closes_ = false;
    std::vector<Parameter> begun_with_;  // all parameters, as the run began
    bool restored_ = false;
    uint64_t requests_ = 0;  // look-ups so far
    std::optional<ElementHistory> traced_;
    size_t traced_edits_ = 0;                       // edits on the timeline when it was traced
    std::vector<InView> wanted_labels_, labelled_;  // where labels are to be, and where those are that there are
    std::vector<ElementLabel> labels_, no_labels_;
    uint64_t labels_of_ = 0;                                   // revision() of them
    std::vector<std::string> wanted_elements_, found_wanted_;  // to be marked, and those that were looked for
    std::vector<FoundElement> found_elements_, no_elements_;
    uint64_t elements_of_ = 0;  // revision() of them
    bool marked_ = false;       // state words carry marks of failures
    bool unmarked_ = false;     // and the job under way took them out
    bool timed_ = true;
    double measured_ = 0, measuring_cost_ = 0;  // seconds: when the model's measures were taken, and how long it took

    std::optional<uint64_t> hash_;                // of the model's state
    bool hashing_ = false;                        // the job under way computes it
    std::shared_ptr<ModelPublisher::Seen> seen_;  // what the job under way leaves for publish()
    WorkMeter meter_;                             // what the worker's thread is at

    Job job_;                              // under way
    double began_ = 0, cancelled_at_ = 0;  // seconds; 0: not cancelled
    std::function<void()> wake_;
    Worker worker_;               // its thread uses the members before
    Shrinking shrinking_;         // its thread uses none
    bool shrinking_told_ = true;  // what came of it has been said
    std::optional<std::pair<Scenario, std::string>> opened_scenario_;
    std::optional<std::string> opened_lesson_;
    std::string opened_for_, opened_source_;  // the code of the failure that is chosen when this input is checked
};

}  // namespace flipscope::app
