#include "app/session/opener.h"

#include <utility>

#include "app/run/inputs.h"
#include "app/run/lesson.h"
#include "compute/error.h"
#include "compute/text.h"
#include "instruments/selected_input.h"
#include "io/files.h"
#include "lab/registry.h"

namespace flipscope::app {

void Opener::restart() {
    if (model().edited_input) return request_start_over(true);
    undo_.confirm_discard_edits(
        "Starting over", "Start over", [this] { request_start_over(false); }, true);
}

void Opener::request_start_over(bool keeps_edits, bool to_end) {
    worker_.request([=, this] {
        const InputLoader& loader = worker_.loader();
        if (!loader.input()) return;
        const auto& edited = model().edited_input;  // with the edits that were queued before this
        if (to_end) worker_.playback().run_to_end();
        start(keeps_edits && edited ? loader.edited(*edited, model().edits) : loader.again(), Task::kStartOver);
    });
}

void Opener::load(const std::string& text, bool is_file) {
    if (is_file && is_lesson_file(text)) {
        opened_lesson_ = text;
        return;
    }
    if (is_file && is_scenario_file(text))
        return prepare("Opening " + text, text, [=] { return Run(read_scenario(io::user_path(text))); });
    undo_.confirm_discard_edits("Loading " + text, "Load", [=, this] {
        worker_.request([=, this] { start_reading(worker_.loader().load(text, is_file)); });
    });
}

void Opener::load_files(const std::vector<std::string>& files) {
    if (files.empty()) return;
    if (files.size() == 1) return load(files[0], true);
    if (files.size() > 2)
        return worker_.say(Message::Kind::kNote,
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

void Opener::open_scenario(const std::string& title, const Scenario& scenario) {
    prepare(title, "", [scenario] { return Run(scenario); });
}

std::string Opener::pair_of_files() const {
    const std::optional<Scenario>& origin = worker_.loader().origin();
    if (!origin || origin->input.empty() || origin->triangles.empty()) return {};
    return origin->input.string() + " " + origin->triangles.string();
}

void Opener::prepare(const std::string& title, const std::string& source, std::function<Run()> read) {
    undo_.confirm_discard_edits(title, "Open it",
                                [=, this, read = std::move(read)] { request_prepared(title, source, read); });
}

void Opener::request_prepared(const std::string& title, const std::string& source, std::function<Run()> read,
                              std::function<void(const Run&)> opened) {
    worker_.request([=, this, read = std::move(read), opened = std::move(opened)] {
        worker_.start(
            {.task = Task::kAsk, .title = title}, [read](Timeline&) { return read(); },
            [=, this](const Run& run) {
                open_prepared(run, source);
                if (opened) opened(run);
            });
    });
}

void Opener::open_prepared(const Run& run, const std::string& source) {
    const std::string shown = source.empty() ? run.input().text : source;
    opened_scenario_ = {run.scenario(), shown};
    request({run.scenario(), run.input().geometry, shown, run.input().notes, run.scenario()});
}

void Opener::leave_out(InputLoader::Part part) {
    undo_.confirm_discard_edits("Starting over without them", "Start over", [=, this] {
        worker_.request([=, this] {
            if (worker_.input()) start(worker_.loader().leave_out(part), Task::kOpen);
        });
    });
}

void Opener::open_lab(const std::string& id, const std::vector<Parameter>& parameters, bool to_end) {
    const auto start_lab = [=, this] {
        if (!worker_.input()) return;
        Opening opening = worker_.loader().in_lab(id);
        opening.of_lab = parameters;
        if (to_end) worker_.playback().run_to_end();
        start(std::move(opening), Task::kOpen);
    };
    undo_.confirm_discard_edits(
        "Opening another lab", "Open it", [=, this] { worker_.request(start_lab); }, true);
}

void Opener::open(KnownRun run) {
    const std::string title = "Opening " + run.source;
    undo_.confirm_discard_edits(title, "Open it", [this, run = std::move(run)] { request(run); });
}

void Opener::request(KnownRun run) {
    worker_.request([this, run = std::move(run)] { start(run); });
}

void Opener::start(const KnownRun& known) {
    const Scenario& run = known.run;
    Opening opening = worker_.loader().given(known.input, known.notes, known.source, known.origin);
    opening.lab = run.lab;
    opening.of_lab = run.parameters;
    parameters_.drop_drafts();
    worker_.publisher().check_ends_of(run.at == Scenario::kAtEnd ? known.source : "");
    checks_.choose_when_checked(run.failure, known.source);
    if (run.at.value_or(0) > 0) worker_.playback().seek(*run.at);
    start(std::move(opening), Task::kOpen, run.play);
}

KnownRun Opener::present() const {
    const InputLoader& loader = worker_.loader();
    KnownRun known{{}, loader.input(), loader.source(), {}, loader.origin()};
    known.run.lab = model().info.id;
    known.run.parameters = model().begun_with;
    known.run.at = model().position;
    return known;
}

void Opener::open_selection() {
    if (!selection_.is_ready()) return;
    undo_.confirm_discard_edits("Keeping only what is selected", "Keep", [this] { start_opening_selection(); });
}

/// Opens them in the present lab with its parameters, or where that takes no such input in the one that does.
void Opener::start_opening_selection() {
    if (!selection_.is_ready()) return;  // after a question the lab may be at work
    struct Taken {
        std::shared_ptr<Geometry> input;
        size_t unused;  // points of a surface without a triangle
    };
    const auto after = [this](const Taken& taken) {
        const auto& [input, unused] = taken;
        if (input->points.empty())
            return worker_.note(unused == 0 ? "No point is selected."
                                            : "A surface needs triangles, and of none all three corners are selected.");
        const bool fits = model().info.inputs.has(input->in_space() ? InputKind::kSurfaces : InputKind::kPoints);
        KnownRun known{{}, input, input->name};
        known.run.lab = fits ? model().info.id : lab_for(*input);
        if (fits) known.run.parameters = values_of(model().parameters);
        if (unused > 0)
            known.notes.push_back(count_text(unused, "selected point is", "selected points are") +
                                  " left out: no triangle has " + (unused == 1 ? "it" : "them") +
                                  " as a corner and the others selected");
        known.notes.push_back("Ctrl+Z brings back what was left out.");
        const auto bring_back = [this, before = worker_.loader().again(), lab = model().info.id] {
            Opening opening = before;
            opening.title = "Bringing the points back";
            if (lab != model().info.id) opening.lab = lab;
            start(std::move(opening), Task::kOpen);
        };
        undo_.replaces_input(worker_.loader().revision() + 1, input->name, bring_back);
        ExplorationChoice rest = selection_.exploration();
        rest.clear_selection();
        selection_.explore(std::move(rest));
        request(std::move(known));
    };
    const auto run = [this](Timeline&) {
        Taken taken{std::make_shared<Geometry>(selection_.selected()), 0};
        if (taken.input->in_space()) taken.unused = leave_out_unused_points(*taken.input);
        return taken;
    };
    worker_.start({.task = Task::kAsk, .title = "Taking the selected points"}, run, after);
}

void Opener::start_reading(Opening opening) {
    before_reading_ = model().loaded ? present() : KnownRun{};
    start(std::move(opening), Task::kOpen);
}

void Opener::start(Opening opening, Task task, bool plays) {
    opening.afresh = model().refused() || worker_.devices().present_is_lost();
    if (opening.afresh) opening.parameters = values_of(model().parameters);
    for (Parameter& draft : parameters_.drafts()) opening.parameters.push_back(std::move(draft));
    const auto asked = std::make_shared<const Opening>(std::move(opening));
    const auto opened = std::make_shared<Opened>();
    last_opening_ = {asked, task, plays, opened};
    const auto run = [=, this] {
        const auto device_for = [this](const LabInfo& info) -> Context& { return worker_.devices().for_lab(info); };
        try {
            *opened = worker_.loader().open(*asked, worker_.timeline(), device_for);
        } catch (const Error&) {
            opened->table = layout_of(asked->table, asked->read);
            throw;
        }
    };
    const auto after = [=, this] {
        take(*asked, *opened);
        if (plays) worker_.playback().play(true, {});
    };
    worker_.start({.task = task, .title = asked->title, .changes_scene = true, .run = run, .after = after});
}

void Opener::take(const Opening& asked, Opened& opened) {
    ModelPublisher& publisher = worker_.publisher();
    worker_.take(std::move(opened.timeline));
    const LabInfo& info = worker_.timeline().lab().info();
    const bool moved = worker_.switch_device(info);
    const bool another = worker_.input() != opened.input;
    worker_.loader().take(asked, opened);
    if (another) selection_.note_missing_columns(opened.notes);
    if (selection_.exploration().any()) selection_.explore_again();  // by the attributes of this input
    inspector_.forget_history();
    publisher.begin_run(*opened.input, opened.bounds, asked.source, asked.after_failure);
    edits_.end_drag();
    parameters_.drop_drafts();
    if (std::string remark = worker_.devices().remark(info); moved && !remark.empty())
        opened.notes.push_back(std::move(remark));
    for (std::string& note : opened.notes) worker_.say(Message::Kind::kNote, std::move(note));
    publisher.set_refusal(std::move(opened.refusal));
    if (model().refused()) worker_.reply(Message::Kind::kError, model().refusal);
    if (on_table) on_table(asked, opened.table, "");
    if (another && opens_at_end(asked, *opened.input)) worker_.playback().run_to_end();
}

/// A file of many points is to be seen as what becomes of them, with the way there on the timeline. Not where something
/// else says where the run is to stand: a scenario, the command line, edits to be made again.
bool Opener::opens_at_end(const Opening& asked, const Geometry& input) const {
    constexpr size_t kMostWatched = 20'000;  // points whose passes can be followed from the first one on
    const bool is_plain_file = asked.origin && !asked.origin->input.empty() && asked.origin->places.empty() &&
                               !asked.origin->play && !asked.origin->at;
    return is_plain_file && input.points.size() > kMostWatched && worker_.playback().at_rest() &&
           worker_.commands().empty() && !model().refused() && worker_.timeline().lab().endless().empty();
}

void Opener::open_again() {
    Opening again = *last_opening_.asked;
    again.after_failure = true;
    start(std::move(again), last_opening_.task, last_opening_.plays);
}

void Opener::start_over_after_failure() {
    Opening again = worker_.loader().again();
    again.after_failure = true;
    start(std::move(again), Task::kStartOver);
}

void Opener::report_failure(const std::exception_ptr& failure) const {
    if (!last_opening_.asked || !on_table) return;
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        on_table(*last_opening_.asked, last_opening_.opened->table, error.what());
    } catch (...) {  // it says nothing about the table
    }
}

void Opener::poll_files() {
    constexpr double kInterval = 0.4;  // seconds: files that change in between may be half written
    const double now = worker_.seconds();
    if (!watches || now - polled_at_ < kInterval) return;
    polled_at_ = now;
    const std::optional<FileTimes> changed = worker_.loader().changed_files();
    const bool still = changed && changed == changed_files_;
    changed_files_ = changed;
    if (!still || changed == read_files_) return;
    if (model().edits > 0 || model().edited_input) {
        if (std::exchange(refused_files_, changed) != changed)
            worker_.note(
                "The file has changed. It is not read again while there are manual edits; Ctrl+Z takes them back, and "
                "opening the file leaves them behind.");
        return;
    }
    read_files_ = changed;  // a file that cannot be read is reported once
    request_start_over(false, model().done);
}

}  // namespace flipscope::app
