#include "app/session/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/run/asked_element.h"
#include "app/run/lesson.h"
#include "app/session/shrink_choices.h"
#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/error.h"
#include "geometry/places.h"
#include "instruments/failure_marks.h"
#include "instruments/selected_input.h"
#include "io/files.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

// Seconds between asking a run to end after its pass and ending the pass on its way, which then has to be made again.
constexpr double kPatienceToCancel = 0.3;
constexpr double kLastingStage = 0.5;  // s: a stage of the work that is worth being told

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Session::Session(const WindowOptions& options, std::function<void()> wake)
    : opened_(now_s()),
      publisher_([this] { return now_s() - opened_; }),
      wake_(std::move(wake)),
      worker_([this] {
          devices_->wake();
          wake_();
      }),
      shrinking_([this] { wake_(); }) {
    devices_ = Devices::open(options.device.device, options.device.threads, options.device.shared_memory);
    publisher_.set_exploration(&exploration_);
    publisher_.set_finish([this](Scene& scene) {
        if (kept()) kept_->match(scene);
    });
    const Scenario& scenario = options.scenario;
    const Input& input = options.input;
    timeline_ = std::make_unique<Timeline>(make_scenario_lab(scenario));
    publisher_.set_lab(timeline_->lab());
    show_device();
    const std::string& notice = devices_->context().notice();
    if (!notice.empty()) publisher_.say(Message::Kind::kNote, notice, Message::Holds::kForGood);
    playback_.play(scenario.play, playback_state());
    if (scenario.at) playback_.seek(*scenario.at);
    if (scenario.at == Scenario::kAtEnd) publisher_.check_ends_of(input.text);
    opened_for_ = scenario.failure;
    opened_source_ = input.text;
    if (options.empty_window) loader_.set_empty_window(*options.empty_window);
    Opening first = loader_.given(input.geometry, input.notes, input.text, scenario);
    first.asks_columns = first.read.empty();
    start_opening(std::move(first), Task::kOpen);
}

Session::~Session() {
    link_.stop();
    devices_->cancel();
    while (worker_.busy()) {
        devices_->service(0.02);
        if (worker_.finished()) worker_.collect();
    }
    devices_->clear_cancel();  // what is still copied is copied whole
    try {
        devices_->acquire();  // blocks are given back under the lease, as everywhere
        kept_.reset();
        timeline_.reset();
        devices_->release();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flipscope: giving back what was drawn from: %s\n", error.what());
    }
}

// ---- commands
// -----------------------------------------------------------------------------------------------------------------

bool Session::running_on() const {
    const auto& goal = playback_.goal();
    const uint64_t seeks = goal && goal->kind == Goal::Kind::kSeek ? goal->count : 0;
    return (worker_.busy() ? job_.target : seeks) > model().position && !model().done;
}

void Session::play(bool on) {
    if (!on && running_on()) cancel();
    if (on && model().done && model().refused()) reply(Message::Kind::kError, model().refusal);
    playback_.play(on, playback_state());
}

void Session::request(LabCommand command) {
    stand_down();
    commands_.push(std::move(command));
}

void Session::restart() {
    // Points that were made by hand stay: they are the input from here on.
    if (model().edited_input) return request(command::StartOver{true});
    leave_edits(
        "Starting over", "Start over", [this] { request(command::StartOver{}); }, true);
}

void Session::load(std::string text, bool is_file) {
    if (is_file && is_lesson_file(text)) {
        opened_lesson_ = text;
        return;
    }
    if (is_file && is_scenario_file(text))
        return prepare("Opening " + text, text, [=] { return Run(read_scenario(io::user_path(text))); });
    const std::string what = "Loading " + text;
    leave_edits(what, "Load", [this, text = std::move(text), is_file] { request(command::Load{text, is_file}); });
}

std::string Session::pair_of_files() const {
    const std::optional<Scenario>& origin = loader_.origin();
    if (!origin || origin->input.empty() || origin->triangles.empty()) return {};
    return origin->input.string() + " " + origin->triangles.string();
}

void Session::load_files(const std::vector<std::string>& files) {
    if (files.empty()) return;
    if (files.size() == 1) return load(files[0], true);
    if (files.size() > 2)
        return say(Message::Kind::kNote,
                   std::to_string(files.size()) +
                       " files were dropped: one is opened at a time, or points and their triangles.");
    prepare("Opening " + files[0], "", [=] {
        Scenario scenario;
        std::string why;
        for (const auto& [points, triangles] : {std::pair{0, 1}, {1, 0}}) {
            scenario.input = io::user_path(files[static_cast<size_t>(points)]);
            scenario.triangles = io::user_path(files[static_cast<size_t>(triangles)]);
            try {
                return Run(scenario);
            } catch (const Error& error) {
                if (why.empty()) why = error.what();
            }
        }
        throw Error("Two files are opened as points and their triangles: " + why);
    });
}

void Session::prepare(const std::string& title, const std::string& source, std::function<Run()> read) {
    leave_edits(title, "Open it", [this, asked = command::Prepare{title, source, std::move(read)}] { request(asked); });
}

void Session::open_prepared(const Run& run, const std::string& source, const std::shared_ptr<const EditedRun>& edited) {
    const Scenario& scenario = run.scenario();
    command::OpenAtEnd open{scenario.lab, scenario.parameters, run.input().geometry,
                            source.empty() ? run.input().text : source};
    open.at = scenario.at.value_or(0);
    open.play = scenario.play;
    open.failure = scenario.failure;
    open.notes = run.input().notes;
    open.origin = scenario;
    opened_scenario_ = {scenario, open.source};
    request(std::move(open));
    if (edited) commands_.push(command::MakeEditsAgain{edited, run.input().geometry});
}

void Session::leave_out_frames() {
    leave_edits("Starting over without them", "Start over",
                [this] { request(command::LeaveOut{command::LeaveOut::What::kFrames}); });
}

void Session::leave_out_points() {
    leave_edits("Starting over without them", "Start over",
                [this] { request(command::LeaveOut{command::LeaveOut::What::kPoints}); });
}

void Session::open_lab(const std::string& id) { open_lab(command::OpenLab{id}); }

void Session::open_lab(const std::string& id, std::vector<Parameter> parameters) {
    open_lab(command::OpenLab{id, std::move(parameters), true});
}

void Session::open_lab(command::OpenLab what) {
    leave_edits(
        "Opening another lab", "Open it", [this, what = std::move(what)] { request(what); }, true);
}

void Session::open_at_end(command::OpenAtEnd what) {
    const std::string title = "Opening " + what.source;
    leave_edits(title, "Open it", [this, what = std::move(what)] { request(what); });
}

std::string Session::shrink_refusal() const {
    const LabInfo& info = model().info;
    const Geometry* input = loader_.input().get();
    if (input && !input->triangles.empty())
        return "These triangles were given, so fewer points cannot be run here. \u201cflipscope shrink --command\u201d "
               "runs the program that made them.";
    if (!info.makes_triangles || info.keeps_triangles || !info.takes.has(InputKind::kPoints))
        return "The " + info.title + " makes no triangles of points, so there is nothing to shrink.";
    if (!model().loaded || !input || input->points.empty() || input->in_space())
        return "Points of the plane can be shrunk; this is something else.";
    if (!model().failed() && !has_cycled(model()))
        return "No check has failed here, so there is nothing to shrink: V checks this state.";
    if (!model().done) return "The run has not ended: what fails at its end can be shrunk.";
    return shrinking_.runs() ? "A search is under way; it has to end first." : "";
}

void Session::shrink_failure(const std::string& asked) {
    if (const std::string why = shrink_refusal(); !why.empty()) return reply(Message::Kind::kNote, why);
    ShrinkTask task{model().info.id, {}, loader_.input()->points, loader_.source(), asked};
    // What is as it always is need not be said.
    const std::unique_ptr<Lab> lab = make_lab(task.lab);
    const std::vector<ParameterDescription> usual = list_parameters(*lab);
    for (const ParameterDescription& now : model().parameters)
        for (const ParameterDescription& then : usual)
            if (then.name == now.name && then.value != now.value) task.parameters.push_back({now.name, now.value});
    shrinking_.start(std::move(task));
    shrinking_told_ = false;
    reply(Message::Kind::kNote, "Shrinking has begun, in the background: Z says how far it is, Esc ends it.");
}

void Session::open_shrunk() {
    const std::vector<Point> best = shrinking_.best();
    if (best.empty()) return reply(Message::Kind::kNote, "There are no points yet that have been seen to fail.");
    const ShrinkTask& task = shrinking_.task();
    const std::string title = shrinking_.title(best.size());
    command::OpenAtEnd open{task.lab, task.parameters, std::make_shared<const Geometry>(Geometry{title, best}), title};
    open.failure = task.fails;
    open_at_end(std::move(open));
}

/// Once, when it has ended: where its panel is folded, too.
void Session::tell_of_shrinking() {
    if (shrinking_told_) return;
    const Shrinking::Progress now = shrinking_.progress();
    if (now.state == Shrinking::State::kRuns) return;
    shrinking_told_ = true;
    if (now.state == Shrinking::State::kNone) return;
    if (!now.any()) return say(Message::Kind::kNote, "Shrinking: " + now.why);
    say(now.complete ? Message::Kind::kGood : Message::Kind::kNote,
        (now.complete ? "Shrunk: " : "Shrinking ended early: ") + shrinking_.title(now.points) + "; Z opens them.");
}

void Session::verify() {
    playback_.pause();
    commands_.push(command::Verify{});
}

void Session::go_to_detection(size_t index) {
    if (index >= model().detections.size()) return;
    publisher_.choose_detection(index);
    stand_down();
    const Detection& detection = model().detections[index];
    const std::optional<uint64_t> target = publisher_.position_of(detection);
    if (!target)
        playback_.seek_round(detection.round);
    else if (*target > 0 && *target != model().position)
        seek(*target);
    else
        commands_.push(command::LookAtDetection{});
}

void Session::set_parameter(size_t index, std::string value) {
    const ParameterDescription& parameter = model().parameters.at(index);
    if (model().loaded && model().adjustable && parameter.takes == Takes::kView)
        commands_.push(command::ShowAs{parameter.name, std::move(value)});
    else
        drafts_.set(model().parameters, index, std::move(value));
}

void Session::adjust(size_t index, std::string value) {
    if (!changes_amid(index)) return;
    Edit change;
    change.kind = Edit::Kind::kAdjust;
    change.values = {{model().parameters.at(index).name, std::move(value)}};
    commands_.push(command::MakeEdit{std::move(change)});
}

void Session::change_now() {
    Edit change;
    change.kind = Edit::Kind::kAdjust;
    change.values = drafts_.for_step(model().parameters);
    if (model().loaded && !change.values.empty()) commands_.push(command::MakeEdit{std::move(change)});
}

void Session::cancel() {
    playback_.drop();
    commands_.clear();
    miss_grip();
    if (!announces()) return;  // it is soon over, and nothing was seen of it
    link_.stop();
    if (cancelled_at_ == 0) cancelled_at_ = now_s();
    if (!is_interruptible(job_.task)) devices_->cancel();
}

// ---- the frame
// -----------------------------------------------------------------------------------------------------------

void Session::frame(double elapsed_s) {
    const double begin = now_s();
    bool to_show = false;  // the scene has changed in this frame, and nothing was drawn since
    if (worker_.busy()) {
        devices_->service();
        const bool cannot_end = job_.task == Task::kRecover && !recovery_.retraces();
        const bool patient = cannot_end || cancelled_at_ == 0 || begin - cancelled_at_ <= kPatienceToCancel;
        if (!worker_.finished() && !patient) devices_->cancel();
        if (worker_.finished()) {
            to_show = job_.changes_scene;
            complete();
        }
    }
    if (!worker_.busy()) {
        devices_->context().collect_timings();
        devices_->context().set_timed(timed_);
    }
    if (watches && idle()) watch_files(begin);
    if (!worker_.busy() && recovery_.next() != Recovery::Next::kNothing) start_recovery();
    // A drag whose steps take longer than a frame is seen on its way: the buffers are free for one frame between them.
    if (!worker_.busy() && !(to_show && commands_.edits() > 0))
        if (const std::optional<LabCommand> next = commands_.take()) start_command(*next);
    playback_.tick(elapsed_s, *this, !worker_.busy());
    start_next();
    // A job begun in an earlier frame is long: look in only now and then, and leave it the processor.
    if (worker_.busy()) wait_for_worker(began_ >= begin ? budget_ms * 1e-3 + 0.004 : 0.015);
    tell_of_shrinking();
}

/// Reads changed files again once they have stayed the same from one look to the next: until then they may be half
/// written.
void Session::watch_files(double now) {
    constexpr double kBetweenLooks = 0.4;  // seconds
    if (now - watched_at_ < kBetweenLooks) return;
    watched_at_ = now;
    const std::optional<FileTimes> changed = loader_.changed_files();
    const bool still = changed && changed == changed_files_;
    changed_files_ = changed;
    if (!still || changed == read_files_) return;
    if (model().edits > 0 || model().edited_input) {
        if (std::exchange(told_of_files_, changed) != changed)
            reply(
                Message::Kind::kNote,
                "The file has changed. It is not read again while there are manual edits; Ctrl+Z takes them back, and "
                "opening the file leaves them behind.");
        return;
    }
    read_files_ = changed;  // where they cannot be read, that is said once
    request(command::StartOver{false, model().done});
}

/// What is due, where no command waits.
void Session::start_next() {
    if (!worker_.busy() && publisher_.check_due() && model().loaded && commands_.empty() && !playback_.goal())
        start_check(false);
    if (!worker_.busy() && publisher_.behind() && model().loaded && commands_.empty()) {
        const bool at_rest = playback_.at_rest() && grip_ == Grip::kNone;
        if (at_rest || now_s() - measured_ > std::max(0.1, 10 * measuring_cost_)) start_measuring();
    }
    if (!worker_.busy() && kept_dropped_) drop_kept();
    if (!worker_.busy() && explore_due_ && model().loaded && commands_.empty()) start_exploring();
    if (!worker_.busy() && keep_due_ && model().loaded && commands_.empty()) start_keeping();
    if (!worker_.busy() && other_due_ && model().loaded && commands_.empty()) start_keeping_other();
    if (!worker_.busy() && labels_due() && commands_.empty() && !playback_.goal()) start_labels();
    if (!worker_.busy() && elements_due() && commands_.empty() && !playback_.goal()) start_finding_elements();
    if (!worker_.busy() && playback_.goal()) start_seek_run();
}

void Session::start_finding_elements() {
    const auto found = std::make_shared<std::vector<FoundElement>>();
    ask(
        [=, this, wanted = wanted_elements_] {
            const Lab& lab = timeline_->lab();
            const Scene scene = lab.scene();
            for (const std::string& asked : wanted) {
                try {
                    const Element element = find_element(parse_element(asked), lab, scene, loader_.input().get());
                    found->push_back({asked, look_at(lab, element)});
                } catch (const Error&) {
                    continue;  // there is none of it in this state
                }
            }
        },
        [=, this, wanted = wanted_elements_] {
            found_elements_ = std::move(*found);
            found_wanted_ = wanted;
            elements_of_ = revision_;
        });
}

void Session::start_labels() {
    const auto found = std::make_shared<std::vector<ElementLabel>>();
    ask(
        [=, this, shown = wanted_labels_] {
            static const std::vector<std::string> kNone;
            const auto& input = loader_.input();
            *found = labels_in_view(devices_->context(), timeline_->lab().scene(), input ? input->names : kNone, shown);
        },
        [=, this, shown = wanted_labels_] {
            labels_ = std::move(*found);
            labelled_ = shown;
            labels_of_ = revision_;
        });
}

bool Session::idle() const {
    return !worker_.busy() && playback_.at_rest() && commands_.empty() &&
           recovery_.next() == Recovery::Next::kNothing && !publisher_.behind() && !publisher_.check_due() &&
           !labels_due() && !elements_due() && !(explore_due_ && model().loaded) &&
           !((keep_due_ || other_due_) && model().loaded) && !kept_dropped_;
}

// ---- colouring, selecting, statistics of what is shown

void Session::explore(ExplorationChoice choice) {
    if (choice == explored_) return;
    explored_ = std::move(choice);
    explore_due_ = true;
}

void Session::colour_by(const std::optional<Explored>& colour) {
    ExplorationChoice choice = explored_;
    choice.colour = colour;
    explore(std::move(choice));
}

void Session::select(const AskedSelection& asked) {
    if (worker_.busy() || !model().loaded)
        return reply(Message::Kind::kNote, "The lab is busy; try again when it is done.");
    const auto choice = std::make_shared<ExplorationChoice>(explored_);
    const auto why = std::make_shared<std::string>();
    ask(
        [=, this] {
            try {
                select_asked(asked, timeline_->lab().scene(), loader_.input().get(), "select ", *choice);
            } catch (const Error& error) {
                *why = error.what();
            }
        },
        [=, this] {
            if (why->empty())
                explore(std::move(*choice));
            else
                reply(Message::Kind::kNote, *why);
        });
}

void Session::measure_shown(bool measures) {
    if (std::exchange(measures_shown_, measures) == measures) return;
    if (model().loaded) publisher_.measure_again();
}

void Session::compare_from_here(bool compares) {
    keep_due_ = compares;
    other_due_.reset();
    if (compares) return;
    compared_with_.reset();
    kept_dropped_ = kept_ != nullptr;
    explore_due_ = true;  // scales of colours are the live picture's own again
}

std::string Session::state_caption() const {
    const LabModel& now = model();
    std::string text = now.info.title + ": " + now.source_text;
    if (now.position == 0) return text + ", at the start";
    text += ", pass " + std::to_string(now.position);
    if (now.known() > now.position) text += " of " + std::to_string(now.known());
    if (const StepResult* const last = now.last()) text += ": " + now.info.passes[last->pass].name;
    return text + (now.done ? ", the end" : "");
}

Session::PictureOf Session::picture_of_state() const {
    const LabModel& now = model();
    Input input;
    input.geometry = loader_.input();
    input.text = now.source_text;
    return {now.info.title,
            input_text(now.info, input) + ", " + state_text(now.info, now.position, now.last(), now.done)};
}

std::pair<std::string, std::string> Session::figure_captions() const {
    const PictureOf now = picture_of_state(), &before = kept_picture_of_;
    const auto caption = [&](const PictureOf& of) {
        const bool named = before.lab == now.lab || of.text.starts_with(of.lab);
        return named ? of.text : of.lab + ": " + of.text;
    };
    return {caption(before), caption(now)};
}

std::shared_ptr<const SceneStatistics> Session::measured() const {
    return publisher_.behind() ? nullptr : model().shown;
}

void Session::start_keeping() {
    keep_due_ = false;
    struct Made {
        std::unique_ptr<KeptScene> picture;
        std::shared_ptr<StatisticsSample> sample;
        std::string refusal;
    };
    const auto made = std::make_shared<Made>();
    const std::string caption = state_caption();
    const PictureOf picture_of = picture_of_state();
    const std::string name = model().source_text + " after " + std::to_string(model().position) + " passes";
    std::shared_ptr<const SceneStatistics> shown = measured();
    if (shown && shown->empty()) shown.reset();
    const auto run = [=, this, bounds = model().scene, check = model().check, colour = explored_.colour,
                      input = loader_.input()] {
        if (shown) {
            made->sample = std::make_shared<StatisticsSample>();
            *made->sample = shown->sample(name);
        }
        Scene scene = timeline_->lab().scene();
        if (check) put_failures_into_legend(scene, *check);
        for (size_t i = 0; i < std::min(scene.view_count(), bounds.view_count()); ++i) {
            SceneView& view = scene.view(i);
            const SceneView& as = bounds.view(i);
            std::tie(view.low, view.high, view.low_z, view.high_z, view.in_space) =
                std::tie(as.low, as.high, as.low_z, as.high_z, as.in_space);
        }
        try {
            made->picture = std::make_unique<KeptScene>(devices_->context(), scene);
            made->picture->set_input(input);
            made->picture->colour(colour);
        } catch (const Error& error) {
            made->refusal = error.what();
        }
    };
    std::optional<KeptOf> of;
    if (model().edits == 0) of = KeptOf{input_revision(), model().position, begun_with_};
    const auto after = [=, this] {
        if (made->sample) {
            compared_with_ = made->sample;
            publisher_.measure_again();
        }
        if (!made->refusal.empty()) return reply(Message::Kind::kError, made->refusal);
        kept_ = std::move(made->picture);
        kept_caption_ = caption;
        kept_picture_of_ = picture_of;
        kept_called_.clear();
        kept_of_ = of;
        kept_dropped_ = false;
        reply(Message::Kind::kNote, std::string("Kept: other states and inputs are shown beside this one") +
                                        (made->sample ? ", and their distributions are compared with its." : "."));
        explore_due_ = true;  // the scales of colours become common ones
    };
    start({.task = Task::kAsk, .title = "Keeping the picture", .run = run, .after = after});
}

void Session::start_keeping_other() {
    struct Made {
        std::unique_ptr<KeptScene> picture;
        std::string caption, refusal;
        uint64_t position = 0;
    };
    const auto made = std::make_shared<Made>();
    const auto what = std::make_shared<KeepOther>(*std::exchange(other_due_, std::nullopt));
    std::optional<KeptOf> of;
    if (what->asked.position && model().edits == 0) of = KeptOf{input_revision(), 0, begun_with_};
    start({.task = Task::kAsk,
           .title = "Making the picture beside this one",
           .run =
               [=, this, colour = explored_.colour] {
                   try {
                       const bool has = !colour || colour->measured();  // a column it may lack is told of later
                       Beside beside(devices_->context(), what->scenario, what->asked, what->passes, std::nullopt,
                                     has ? colour : std::nullopt);
                       made->caption = beside.caption();
                       made->position = beside.position();
                       made->picture = beside.take();
                       made->picture->colour(colour);
                   } catch (const Error& error) {
                       made->refusal = error.what();
                   }
               },
           .after =
               [=, this] {
                   if (!made->refusal.empty()) {
                       kept_dropped_ = kept_ != nullptr;
                       return reply(Message::Kind::kError, "Nothing is shown beside this: " + made->refusal);
                   }
                   kept_ = std::move(made->picture);
                   const std::string& title = model().info.title;  // of a lab that makes its own the caption has it
                   kept_caption_ = made->caption.starts_with(title) ? made->caption : title + ": " + made->caption;
                   kept_picture_of_ = {title, made->caption};
                   kept_called_ = what->called;
                   kept_of_ = of;
                   if (kept_of_) kept_of_->position = made->position;
                   kept_dropped_ = false;
                   explore_due_ = true;  // the scales of colours become common ones
               }});
}

std::optional<uint64_t> Session::kept_position() const {
    if (!kept() || !kept_of_ || kept_of_->input_revision != input_revision()) return std::nullopt;
    return begun_with_ == kept_of_->parameters ? std::optional(kept_of_->position) : std::nullopt;
}

// With the worker idle.
void Session::drop_kept() {
    kept_dropped_ = false;
    devices_->acquire();
    kept_.reset();
    devices_->release();
}

std::optional<ModelPublisher::ShownAsked> Session::shown_asked() {
    if (!measures_shown_) return std::nullopt;
    return ModelPublisher::ShownAsked{&devices_->context(), {{}, true, compared_with_, &exploration_, loader_.input()}};
}

// On the worker's thread, after a job that has changed the state.
void Session::follow_exploration(const ExplorationChoice& explored) {
    Context& context = devices_->context();
    if (std::exchange(explored_in_, &context) != &context) exploration_ = Exploration();
    exploration_.choose(explored);
    exploration_.set_input(loader_.input());
    exploration_.update(context, timeline_->lab().scene());
}

void Session::start_exploring() {
    explore_due_ = false;
    start({.task = Task::kQuestion,
           .changes_scene = true,
           .run =
               [this, colour = explored_.colour] {
                   if (kept()) kept_->colour(colour);
               },
           .after =
               [this, colour = explored_.colour] {
                   if (std::exchange(coloured_by_, colour) == colour || !kept() || !colour) return;
                   const std::string missing = missing_column(*colour, kept()->input());
                   if (!missing.empty())
                       reply(Message::Kind::kNote, "The kept picture is not coloured: " + missing + ".");
               }});
}

bool Session::has_selection() {
    if (worker_.busy()) {
        reply(Message::Kind::kNote, "The lab is busy; try again when it is done.");
        return false;
    }
    if (model().loaded && model().explorable && explored_.selects()) return true;
    reply(Message::Kind::kNote, "Nothing is selected; drag over a distribution, or with Ctrl over the picture.");
    return false;
}

Geometry Session::selected() const {
    return selected_input(exploration_, timeline_->lab().scene(), loader_.input().get());
}

void Session::load_selection() {
    if (!has_selection()) return;
    leave_edits("Keeping only what is selected", "Keep", [this] { start_loading_selection(); });
}

void Session::start_loading_selection() {
    if (!has_selection()) return;  // after a question the lab may be at work
    const auto found = std::make_shared<Geometry>();
    const auto unused = std::make_shared<size_t>(0);
    start({.task = Task::kAsk,
           .title = "Taking the selected points",
           .run =
               [=, this] {
                   *found = selected();
                   if (found->in_space()) *unused = leave_out_unused_points(*found);
               },
           .after =
               [=, this] {
                   if (found->points.empty())
                       return reply(Message::Kind::kNote, *unused == 0
                                                              ? "No point is selected."
                                                              : "A surface needs triangles, and of none all three "
                                                                "corners are selected.");
                   std::vector<std::string> notes;
                   if (*unused > 0)
                       notes.push_back(count_text(*unused, "selected point is", "selected points are") +
                                       " left out: no triangle has " + (*unused == 1 ? "it" : "them") +
                                       " as a corner and the others selected");
                   notes.push_back("Ctrl+Z brings back what was left out.");
                   const uint64_t kept = loader_.revision() + 1;
                   before_keeping_ = BeforeKeeping{loader_.again(), model().info.id, kept, found->name};
                   ExplorationChoice rest = explored_;
                   rest.clear_selection();
                   explore(std::move(rest));
                   stand_down();
                   commands_.push(opening_of(found, found->name, std::move(notes)));
               }});
}

void Session::copy_selection() {
    if (!has_selection()) return;
    const auto text = std::make_shared<std::string>();
    const auto count = std::make_shared<size_t>(0);
    start({.task = Task::kAsk,
           .title = "Copying the selected points",
           .run =
               [=, this] {
                   const Geometry found = selected();
                   for (size_t i = 0; i < found.points.size(); ++i) {
                       *text += format_exactly(found.points[i].x) + " " + format_exactly(found.points[i].y);
                       if (found.in_space()) *text += " " + format_exactly(found.heights[i]);
                       *text += "\n";
                   }
                   *count = found.points.size();
               },
           .after =
               [=, this] {
                   copied_ = *text;
                   reply(Message::Kind::kGood, "The clipboard has the coordinates of " +
                                                   count_text(*count, "selected point", "selected points") + ".");
               }});
}

bool Session::announces() const {
    return worker_.busy() && is_announced(job_.task) && now_s() - began_ >= announced_after(job_.task);
}

Session::Progress Session::progress() const {
    if (!worker_.busy()) return {};
    const WorkMeter::Reading stage = meter_.read(kLastingStage);
    const double whole = link_.fraction();
    return {announces(),      job_.title,       stage_text(stage), whole >= 0 ? whole : stage.fraction,
            now_s() - began_, cancelled_at_ > 0};
}

bool Session::ask_state_hash() {
    constexpr double kAtOnce = 0.02;  // s: a small lab has answered by then
    if (hash_ || !model().loaded || (worker_.busy() && !hashing_)) return true;
    if (!worker_.busy()) {
        const auto hash = std::make_shared<uint64_t>();
        hashing_ = true;
        ask([=, this] { *hash = timeline_->lab().state_hash(); }, [=, this] { hash_ = *hash; });
    }
    wait_for_worker(kAtOnce);
    return !hashing_;
}

void Session::wait_for_worker(double seconds) {
    const double end = now_s() + seconds;
    while (!worker_.finished()) {
        const double left = end - now_s();
        if (left <= 0) return;
        devices_->service(left);
    }
    complete();
}

// ---- jobs
// ----------------------------------------------------------------------------------------------------------------

void Session::start(Job job) {
    job_ = std::move(job);
    began_ = now_s();
    cancelled_at_ = 0;
    link_.begin(model().position, job_.target);
    devices_->clear_cancel();
    try {
        devices_->acquire();
    } catch (const DeviceLost&) {
        fail(std::current_exception());
        job_ = {};
        return;
    }
    // Marks of failures are of one state; what comes of it must not inherit them.
    const bool unmarks = job_.changes_scene && std::exchange(marked_, false);
    unmarked_ = unmarks;
    const auto seen = std::make_shared<ModelPublisher::Seen>();
    seen_ = seen;
    worker_.start([this, unmarks, seen, looks = job_.changes_scene, explored = explored_, run = std::move(job_.run)] {
        const CancelScope scope(devices_->cancel_flag());
        const WorkScope work(meter_);
        if (unmarks && timeline_->usable()) unmark_failures(devices_->context(), timeline_->lab().scene());
        run();
        if (looks && timeline_->usable()) follow_exploration(explored);
        if (looks && timeline_->usable()) *seen = publisher_.see(*timeline_);
    });
}

void Session::ask(std::function<void()> question, std::function<void()> after) {
    start({.task = Task::kQuestion, .run = std::move(question), .after = std::move(after)});
}

void Session::complete() {
    const std::exception_ptr failure = worker_.collect();
    devices_->clear_cancel();
    const auto after = std::exchange(job_.after, nullptr);
    hashing_ = false;
    if (job_.changes_scene || failure) hash_.reset();
    if (failure) {
        fail(failure);
    } else {
        try {
            publish();
            if (after) after();
            if (!is_interruptible(job_.task) && job_.changes_scene) publish();  // a reset has changed what there is
        } catch (...) {
            fail(std::current_exception());
        }
    }
    try {
        if (std::exchange(unmarked_, false)) mark_again();
        devices_->release();
    } catch (const DeviceLost&) {
        fail(std::current_exception());
        devices_->release();
    }
    publisher_.expect_nothing();  // what is expected is of the edit that is over now
    if (job_.changes_scene) ++revision_;
    job_ = {};
    cancelled_at_ = 0;
}

// What a job took out of the picture belongs there still where it changed nothing after all: it was refused, or failed.
// Called with the worker idle and the lease held.
void Session::mark_again() {
    if (!timeline_->usable() || !model().check || model().check->failures.empty()) return;
    mark_failures(devices_->context(), timeline_->lab().scene(), *model().check);
    devices_->context().synchronize();
    marked_ = true;
}

// Called with the worker idle and the lease held.
void Session::publish() {
    if (!timeline_->usable()) return;
    const std::shared_ptr<ModelPublisher::Seen> seen = std::exchange(seen_, nullptr);
    if (seen && seen->valid)
        publisher_.publish(*timeline_, devices_->context(), job_.changes_scene, std::move(*seen));
    else
        publisher_.publish(*timeline_, devices_->context(), job_.changes_scene);
    if (!job_.changes_scene) return;
    if (model().done) playback_.pause();
    if (grip_ != Grip::kHolds) return;
    held_ = publisher_.looked_again(timeline_->lab(), held_);
    if (!held_.any()) grip_ = Grip::kMissed;
}

void Session::fail(const std::exception_ptr& failure) {
    if (job_.task == Task::kOpen && last_opening_.asked) try {
            std::rethrow_exception(failure);
        } catch (const Error& error) {
            follow_import(*last_opening_.asked, last_opening_.opened->table, error.what());
        } catch (...) {  // it says nothing about the table
        }
    seen_.reset();
    if (job_.task == Task::kMeasure) publisher_.take(ModelPublisher::Measured{});
    miss_grip();
    Recovery::Verdict verdict = recovery_.judge(failure, {.task = job_.task,
                                                          .title = job_.title,
                                                          .usable = timeline_->usable(),
                                                          .interrupted = timeline_->can_recover(),
                                                          .has_input = loader_.input() != nullptr,
                                                          .can_move = timeline_->can_move()});
    if (recovery_.next() != Recovery::Next::kOpenAgain) playback_.drop();
    if (verdict.device_lost) {
        verdict.text += kept_ ? "The picture that was kept is gone. " : "";
        lose_device();
        verdict.text += "Labs run on " + devices_->for_lab(timeline_->lab().info()).device_name() +
                        " from now on; to use the device again, restart Flipscope.";
    }
    if (verdict.refused_step) publish();
    if (verdict.abandons_drafts) drop_drafts();
    switch (verdict.run) {
        case Recovery::Verdict::Run::kGoesOn:
            publisher_.resume();
            break;
        case Recovery::Verdict::Run::kSuspended:
            publisher_.suspend();
            break;
        case Recovery::Verdict::Run::kLost:
            let_go();
            publisher_.lose_run();
            break;
    }
    // Said now that the model is what it will be.
    if (verdict.device_lost)
        publisher_.say(verdict.kind, std::move(verdict.text));
    else if (!verdict.text.empty())
        publisher_.reply(verdict.kind, std::move(verdict.text), verdict.refused_step);
}

// Under the lease, or where none could be had.
void Session::lose_device() {
    devices_->lose_opened();
    kept_.reset();
    kept_dropped_ = false;
    explore_due_ = true;
    marked_ = unmarked_ = false;
    let_go();
}

/// The run goes on where it is: on CPU threads, from a keyframe.
void Session::start_moving() {
    devices_->take(timeline_->lab().info());
    show_device();
    start({.task = Task::kRecover,
           .title = "Moving the run to CPU threads",
           .changes_scene = true,
           .target = model().position,
           .run =
               [this, parameters = begun_with_, there = model().position] {
                   const LabInfo& info = timeline_->lab().info();
                   std::unique_ptr<Lab> lab = make_lab(info.id);
                   for (const auto& [name, value] : parameters) flipscope::set_parameter(*lab, name, value);
                   timeline_->move_to(std::move(lab), devices_->for_lab(info), loader_.input());
                   timeline_->seek(there, [this] {
                       link_.tell(timeline_->position());
                       return !link_.stopped();
                   });
               },
           .after =
               [this] {
                   publisher_.set_lab(timeline_->lab());
                   publisher_.resume();
               }});
}

void Session::start_recovery() {
    const Recovery::Next next = recovery_.next();
    recovery_.begin();
    if (next == Recovery::Next::kMove) return start_moving();
    if (next == Recovery::Next::kOpenAgain) {
        Opening again = *last_opening_.asked;
        again.after_failure = true;
        return start_opening(std::move(again), last_opening_.task, last_opening_.plays);
    }
    if (next == Recovery::Next::kStartOver) {
        Opening again = loader_.again();
        again.after_failure = true;
        return start_opening(std::move(again), Task::kStartOver);
    }
    start({.task = Task::kRecover,
           .title = "Going back to the last finished pass",
           .changes_scene = true,
           .run = [this] { recovery_.go_back(*timeline_, link_); },
           .after =
               [this] {
                   publisher_.resume();
                   reply(Message::Kind::kWarning, recovery_.outcome(model().position, model().known(), model().last()));
               }});
}

void Session::start_seek_run() {
    if (model().loaded && model().done && model().refused() && !playback_.goal()->goes_back_from(model().position))
        reply(Message::Kind::kError, model().refusal);
    const std::shared_ptr<SeekRun> seek_run =
        playback_.begin_seek_run(playback_state(), *this, stops_.counting(model().info));
    if (!seek_run) return;
    const Goal& goal = seek_run->goal();
    const bool seeks = goal.kind == Goal::Kind::kSeek;
    const bool looks = goal.kind == Goal::Kind::kFailure;
    start({.task = Task::kTravel,
           .title = looks                                   ? "Looking for the pass after which the " + goal.check()
                    : goal.goes_back_from(model().position) ? "Going back"
                    : seeks                                 ? "Running on"
                                                            : "Stepping",
           .changes_scene = true,
           .target = seeks ? goal.count : 0,
           .run = [=, this] { seek_run->make(*timeline_, link_); },
           .after =
               [=, this] {
                   playback_.end_seek_run(*seek_run, model().done);
                   if (!seek_run->why().empty()) reply(Message::Kind::kNote, seek_run->why());
                   if (seek_run->found_failure()) {  // it is to be seen, and its sentence has been said
                       opened_for_ = seek_run->goal().code;
                       opened_source_ = model().source_text;
                       commands_.push(command::Verify{false});
                   }
               }});
}

void Session::start_command(const LabCommand& command) {
    const auto start_one = [this](const auto& one) {
        using Kind = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Kind, command::Load>) return start_reading(loader_.load(one.text, one.is_file));
        if constexpr (std::is_same_v<Kind, command::ReadTable>) {
            Opening opening = loader_.read_table(one.source, one.read);
            opening.asks_columns = !import_;
            return start_reading(std::move(opening));
        }
        if constexpr (std::is_same_v<Kind, command::Grab>) return start_grab(one.probe);
        if constexpr (std::is_same_v<Kind, command::LeaveOut>)
            if (loader_.input()) return start_opening(loader_.leave_out(one.what), Task::kOpen);
        if constexpr (std::is_same_v<Kind, command::StartOver>)
            if (loader_.input()) {
                const auto& edited = model().edited_input;  // with the edits that were queued before this
                if (one.to_end) playback_.run_to_end();
                return start_opening(
                    one.keeps_edits && edited ? loader_.edited(*edited, model().edits) : loader_.again(),
                    Task::kStartOver);
            }
        if constexpr (std::is_same_v<Kind, command::OpenLab>)
            if (loader_.input()) {
                Opening opening = loader_.in_lab(one.id);
                opening.of_lab = one.parameters;
                if (one.to_end) playback_.run_to_end();
                return start_opening(std::move(opening), Task::kOpen);
            }
        if constexpr (std::is_same_v<Kind, command::OpenAtEnd>) {
            Opening opening = loader_.given(one.input, one.notes, one.source, one.origin);
            opening.lab = one.lab;
            opening.of_lab = one.parameters;
            drop_drafts();
            publisher_.check_ends_of(one.at == UINT64_MAX ? one.source : "");
            opened_for_ = one.failure;
            opened_source_ = one.source;
            if (one.at > 0) playback_.seek(one.at);
            return start_opening(std::move(opening), Task::kOpen, one.play);
        }
        if constexpr (std::is_same_v<Kind, command::Prepare>) {
            const auto made = std::make_shared<std::optional<Run>>();
            return start({.task = Task::kAsk,
                          .title = one.title,
                          .run = [made, read = one.read] { made->emplace(read()); },
                          .after = [this, made, one] { open_prepared(**made, one.source, one.edited); }});
        }
        if (!model().loaded) return;
        if constexpr (std::is_same_v<Kind, command::MakeEditsAgain>)
            if (loader_.input() == one.input) start_making_edits_again(one.run);
        if constexpr (std::is_same_v<Kind, command::Verify>) start_check(true, one.tells);
        if constexpr (std::is_same_v<Kind, command::MakeEdit>) start_edit(one.edit);
        if constexpr (std::is_same_v<Kind, command::RemoveAt>) start_removal(one.probe);
        if constexpr (std::is_same_v<Kind, command::FreezeAt>) start_freezing(one.probe);
        if constexpr (std::is_same_v<Kind, command::Trace>) {
            const auto found = std::make_shared<ElementHistory>();
            start({.task = Task::kTravel,
                   .title = "Looking back",
                   .changes_scene = true,
                   .target = model().position,
                   .run =
                       [=, this] {
                           *found = trace_element(*timeline_, one.element, [this] {
                               link_.tell(timeline_->position());
                               return !link_.stopped();
                           });
                       },
                   .after =
                       [=, this] {
                           traced_ = std::move(*found);
                           traced_edits_ = model().edits;
                       }});
        }
        if constexpr (std::is_same_v<Kind, command::Undo>) start_undo(false);
        if constexpr (std::is_same_v<Kind, command::Redo>) start_undo(true);
        if constexpr (std::is_same_v<Kind, command::AskLab>) {
            const auto said = std::make_shared<std::string>();
            start({.task = Task::kAsk,
                   .title = one.title,
                   .run = [=, this, find = one.find] { *said = find(timeline_->lab()); },
                   .after =
                       [=, this] {
                           if (!said->empty()) say(Message::Kind::kGood, *said);
                       }});
        }
        if constexpr (std::is_same_v<Kind, command::LookAtDetection>) start_detail_view();
        if constexpr (std::is_same_v<Kind, command::ShowAs>)
            start({.task = Task::kQuestion, .changes_scene = true, .run = [=, this] {
                       flipscope::set_parameter(timeline_->lab(), one.name, one.value);
                       facet<Adjustable>(timeline_->lab()).show_as_set();
                   }});
        if constexpr (std::is_same_v<Kind, command::Inspect>) {
            const auto found = std::make_shared<Inspection>();
            const auto why = std::make_shared<std::string>();
            ask(
                [=, this, asked = one, shown = publisher_.behind() ? nullptr : model().shown] {
                    const Lab& lab = timeline_->lab();
                    try {
                        *found = look_at(lab, asked.find ? asked.find(lab) : pick(lab, asked.probe));
                        if (shown)
                            found->report.add("Statistics", "Where it stands among all is marked in the plots.",
                                              shown->of_element(found->element, lab.scene()));
                        found->request = asked.request;
                    } catch (const Error& error) {
                        *why = error.what();
                    }
                },
                [=, this] {
                    if (why->empty())
                        publisher_.take_inspection(std::move(*found));
                    else
                        reply(Message::Kind::kNote, *why);
                });
        }
    };
    std::visit(start_one, command);
}

void Session::start_opening(Opening opening, Task task, bool plays) {
    opening.afresh = model().refused() || devices_->present_is_lost();
    if (opening.afresh) opening.parameters = values_of(model().parameters);
    for (auto& change : drafts_.changes(model().parameters)) opening.parameters.push_back(std::move(change));
    const auto asked = std::make_shared<const Opening>(std::move(opening));
    const auto opened = std::make_shared<Opened>();
    last_opening_ = {asked, task, plays, opened};
    start({.task = task,
           .title = asked->title,
           .changes_scene = true,
           .run =
               [=, this] {
                   const auto device_for = [this](const LabInfo& info) -> Context& { return devices_->for_lab(info); };
                   try {
                       *opened = loader_.open(*asked, *timeline_, device_for);
                   } catch (const Error&) {
                       opened->table = layout_of(asked->table, asked->read);
                       throw;
                   }
               },
           .after =
               [=, this] {
                   take_opened(*asked, *opened);
                   if (plays) playback_.play(true, {});
               }});
}

void Session::take_opened(const Opening& asked, Opened& opened) {
    if (opened.timeline) {
        timeline_ = std::move(opened.timeline);
        publisher_.set_lab(timeline_->lab());
    }
    const LabInfo& info = timeline_->lab().info();
    const bool moved = devices_->take(info);
    if (moved) show_device();
    const bool another = loader_.input() != opened.input;
    loader_.take(asked, opened);
    if (another) tell_of_missing_columns(opened.notes);
    explore_due_ = explore_due_ || explored_.any();  // by the attributes of this input
    begun_with_ = values_of(list_parameters(timeline_->lab()));
    traced_.reset();
    publisher_.begin_run(*opened.input, opened.bounds, asked.source, asked.after_failure);
    let_go();
    drop_drafts();
    if (std::string remark = devices_->remark(info); moved && !remark.empty())
        opened.notes.push_back(std::move(remark));
    for (std::string& note : opened.notes) say(Message::Kind::kNote, std::move(note));
    publisher_.set_refusal(std::move(opened.refusal));
    if (model().refused()) reply(Message::Kind::kError, model().refusal);
    follow_import(asked, opened.table, "");
    if (another && opens_at_end(asked, *opened.input)) playback_.run_to_end();
}

/// A file of many points is to be seen as what becomes of them, with the way there on the timeline. Not where something
/// else says where the run is to stand: a scenario, the command line, edits to be made again.
bool Session::opens_at_end(const Opening& asked, const Geometry& input) const {
    constexpr size_t kMostWatched = 20'000;  // points whose passes can be followed from the first one on
    const bool is_plain_file = asked.origin && !asked.origin->input.empty() && asked.origin->places.empty() &&
                               !asked.origin->play && !asked.origin->at;
    return is_plain_file && input.points.size() > kMostWatched && playback_.at_rest() && commands_.empty() &&
           !model().refused() && timeline_->lab().endless().empty();
}

/// What is coloured or selected by stays chosen: a later input may have it.
void Session::tell_of_missing_columns(std::vector<std::string>& notes) const {
    const Geometry* const input = loader_.input().get();
    const std::string colour = explored_.colour ? missing_column(*explored_.colour, input) : "",
                      range = explored_.range ? missing_column(explored_.range->quantity, input) : "";
    if (!colour.empty()) notes.push_back("Nothing is coloured: " + colour);
    if (!range.empty() && range != colour) notes.push_back("Nothing is selected: " + range);
}

void Session::show_device() {
    const SharedMemory& sharing = devices_->sharing();
    publisher_.set_device(devices_->context().device_name(), name_of(sharing.sharing()), sharing.description());
}

void Session::start_check(bool asked, bool tells) {
    publisher_.begin_check();
    const bool marked = std::exchange(marked_, true);  // it may be cancelled with marks half made
    const auto report = std::make_shared<CheckReport>();
    start({.task = Task::kCheck,
           .title = "Verifying",
           .run =
               [=, this] {
                   const Lab& lab = timeline_->lab();
                   *report = check_of(lab);
                   if (!marked && report->failures.empty()) return;
                   const Scene scene = lab.scene();
                   unmark_failures(devices_->context(), scene);
                   mark_failures(devices_->context(), scene, *report);
                   devices_->context().synchronize();
               },
           .after = [=, this] { take_check(std::move(*report), asked, tells); }});
}

void Session::take_check(CheckReport report, bool asked, bool tells) {
    // In the middle of something there may be nothing to check, which is no good news.
    const auto kind = !report.checked ? Message::Kind::kNote
                      : report.passed ? Message::Kind::kGood
                                      : Message::Kind::kError;
    // Of what no lab can start from, the reason was said when it was opened; the headline says what the check found.
    if (tells && (asked || !model().refused())) reply(kind, report.sentence);
    marked_ = !report.failures.empty();
    if (report.checked) ++revision_;
    publisher_.take(std::move(report));
    choose_opened_failure();
}

/// Once, where it was opened to be seen.
void Session::choose_opened_failure() {
    if (opened_for_.empty() || model().source_text != opened_source_ || !model().check) return;
    const std::vector<CheckFailure>& failures = model().check->failures;
    const auto meant = std::find_if(failures.begin(), failures.end(),
                                    [&](const CheckFailure& failure) { return failure.code == opened_for_; });
    if (meant != failures.end()) publisher_.choose_failure(static_cast<size_t>(meant - failures.begin()));
    opened_for_.clear();
}

void Session::start_measuring() {
    publisher_.begin_measuring();
    const auto found = std::make_shared<ModelPublisher::Measured>();
    const double begin = now_s();
    start({.task = Task::kMeasure,
           .title = "Measuring",
           .run = [=, this, asked = shown_asked()] { *found = ModelPublisher::measure(*timeline_, asked); },
           .after =
               [=, this] {
                   publisher_.take(std::move(*found));
                   measured_ = now_s();
                   measuring_cost_ = measured_ - begin;
               }});
}

void Session::start_detail_view() {
    if (!model().detail_view.any()) return;
    const auto detail_view = std::make_shared<DetailView>(model().detail_view);
    ask([=, this] { *detail_view = ModelPublisher::looked_closely(timeline_->lab(), *detail_view); },
        [=, this] { publisher_.take(std::move(*detail_view)); });
}

}  // namespace flipscope::app
