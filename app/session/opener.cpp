#include "app/session/opener.h"

#include <utility>

#include "app/run/inputs.h"
#include "compute/error.h"
#include "compute/text.h"
#include "instruments/selected_input.h"
#include "io/files.h"

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
        const auto& edited = model().edited_input;  // includes the edits queued before this command
        if (to_end) worker_.playback().run_to_end();
        start(keeps_edits && edited ? loader.edited(*edited, model().edits) : loader.start_over(), Task::kStartOver);
    });
}

void Opener::load(const std::string& text, bool is_file) {
    const FileKind kind = is_file ? file_kind(text) : FileKind::kInput;
    if (kind == FileKind::kLesson) {
        opened_lesson_ = text;
        return;
    }
    if (kind == FileKind::kScenario)
        return open_run("Opening " + text, text, [=] { return Run(read_scenario(io::user_path(text))); });
    undo_.confirm_discard_edits("Loading " + text, "Load", [=, this] {
        worker_.request([=, this] { start_reading(worker_.loader().load(text, is_file)); });
    });
}

void Opener::load_files(const std::vector<std::string>& files) {
    if (files.empty()) return;
    if (files.size() == 1) return load(files[0], true);
    if (files.size() > 2)
        return worker_.publisher().say(
            Message::Kind::kNote, std::to_string(files.size()) +
                                      " files were dropped: one is opened at a time, or points and their triangles.");
    open_run("Opening " + files[0], "", [=] {
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
    open_run(title, "", [scenario] { return Run(scenario); });
}

std::string Opener::pair_of_files() const {
    const Scenario& run = worker_.loader().present().run;
    if (run.input.empty() || run.triangles.empty()) return {};
    return run.input.string() + " " + run.triangles.string();
}

void Opener::open_run(const std::string& title, const std::string& source, std::function<Run()> read) {
    undo_.confirm_discard_edits(title, "Open it",
                                [=, this, read = std::move(read)] { request_run(title, source, read); });
}

void Opener::request_run(const std::string& title, const std::string& source, std::function<Run()> read,
                         std::function<void()> opened) {
    const auto area = std::make_shared<std::shared_ptr<const StudyArea>>();
    const auto read_with_area = [read = std::move(read), area] {
        Run run = read();
        *area = run.area();
        return run;
    };
    const auto then = [this, area, opened = std::move(opened)] {
        opened_scenario_ = worker_.loader().present().run;
        if (opened_scenario_->colour_by) selection_.colour_by(opened_scenario_->colour_by);
        selection_.study(opened_scenario_->within, *area);
        if (opened) opened();
    };
    request({.title = title, .read_run = read_with_area, .source = source, .then = then});
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
        opening.run.parameters = parameters;
        if (to_end) worker_.playback().run_to_end();
        start(std::move(opening), Task::kOpen);
    };
    undo_.confirm_discard_edits(
        "Opening another lab", "Open it", [=, this] { worker_.request(start_lab); }, true);
}

void Opener::open(Opening opening) {
    undo_.confirm_discard_edits("Opening " + opening.source, "Open it", [=, this] { request(opening); });
}

void Opener::request(Opening opening) {
    worker_.request([this, opening = std::move(opening)] { start(opening, Task::kOpen); });
}

Opening Opener::present() const {
    Opening again = worker_.loader().present();
    again.title = "Preparing";
    again.run.lab = model().info.id;
    again.run.parameters = model().initial_parameters;
    again.run.at = model().position;
    return again;
}

void Opener::open_selection() {
    if (!selection_.is_ready()) return;
    undo_.confirm_discard_edits("Keeping only what is selected", "Keep", [this] { start_opening_selection(); });
}

/// Uses the present lab and its parameters, or another lab if it does not accept the selection.
void Opener::start_opening_selection() {
    if (!selection_.is_ready()) return;  // the lab may have become busy during the question
    struct Selected {
        std::shared_ptr<Geometry> input;
        size_t unused;  // points of a surface without a triangle
    };
    const auto after = [this](const Selected& selected) {
        const auto& [input, unused] = selected;
        if (input->points.empty())
            return worker_.note(unused == 0 ? "No point is selected."
                                            : "A surface needs triangles, and of none all three corners are selected.");
        const bool fits = model().info.inputs.has(input->in_space() ? InputKind::kSurfaces : InputKind::kPoints);
        Scenario run;
        run.lab = fits ? model().info.id : lab_for(*input);
        if (fits) run.parameters = values_of(model().parameters);
        Opening chosen = worker_.loader().from_memory(std::move(run), input, input->name);
        if (unused > 0)
            chosen.notes.push_back(count_text(unused, "selected point is", "selected points are") +
                                   " left out: no triangle has " + (unused == 1 ? "it" : "them") +
                                   " as a corner and the others selected");
        chosen.notes.push_back("Ctrl+Z brings back what was left out.");
        const auto bring_back = [this, before = worker_.loader().start_over(), lab = model().info.id] {
            Opening opening = before;
            opening.title = "Bringing the points back";
            if (lab != model().info.id) opening.run.lab = lab;
            start(std::move(opening), Task::kOpen);
        };
        undo_.replaces_input(input, bring_back);
        ExplorationChoice rest = selection_.exploration();
        rest.clear_selection();
        selection_.explore(std::move(rest));
        request(std::move(chosen));
    };
    const auto run = [this](Timeline&) {
        Selected selected{std::make_shared<Geometry>(selection_.selected()), 0};
        if (selected.input->in_space()) selected.unused = leave_out_unused_points(*selected.input);
        return selected;
    };
    worker_.start({.task = Task::kLongQuery, .title = "Taking the selected points"}, run, after);
}

void Opener::start_reading(Opening opening) {
    before_reading_ = model().loaded ? present() : Opening{};
    start(std::move(opening), Task::kOpen);
}

void Opener::start(Opening opening, Task task) {
    opening.remakes_lab = model().refused() || worker_.devices().present_is_lost();
    if (opening.remakes_lab) opening.parameters = values_of(model().parameters);
    for (Parameter& draft : parameters_.drafts()) opening.parameters.push_back(std::move(draft));
    const auto request = std::make_shared<Opening>(std::move(opening));
    const auto opened = std::make_shared<Opened>();
    last_opening_ = {request, task, opened};
    const auto run = [=, this, explore = worker_.hooks.follow()] {
        const auto device_for = [this](const LabInfo& info) -> Context& { return worker_.devices().for_lab(info); };
        std::unique_ptr<Timeline> lab_made;
        if (request->read_run) {
            Run prepared = request->read_run();
            Opening read = worker_.loader().from_run(prepared, request->source);
            read.then = std::move(request->then);
            *request = std::move(read);  // repeated from memory if the device is lost
            lab_made = prepared.release_timeline();
        }
        try {
            *opened = worker_.loader().open(*request, worker_.timeline(), device_for, std::move(lab_made));
        } catch (const Error& error) {
            opened->table = layout_of(request->table, request->read);
            opened->refusal = error.what();
            throw;
        }
        const Lab& lab = (opened->timeline ? *opened->timeline : worker_.timeline()).lab();
        explore(device_for(lab.info()), lab, opened->input);
    };
    const auto after = [=, this] {
        adopt(*request, *opened);
        if (request->run.play) worker_.playback().play(true, {});
    };
    worker_.start({.task = task, .title = request->title, .changes_scene = true, .run = run, .after = after});
}

void Opener::adopt(const Opening& opening, Opened& opened) {
    ModelPublisher& publisher = worker_.publisher();
    const bool moved = worker_.switch_to(std::move(opened.timeline));
    Lab& lab = worker_.timeline().lab();
    const bool another = worker_.loader().adopt(opening, opened);
    if (another) {
        selection_.note_missing_columns(opened.notes);
        selection_.follow_input();
    }
    inspector_.forget_history();
    publisher.begin_run(lab, opened.bounds, std::move(opened.refusal), opening.after_failure);
    publisher.check_ends(worker_.loader().present().checks_ends);
    if (another) checks_.choose_when_checked(opening.run.failure);
    edits_.end_drag();
    parameters_.drop_drafts();
    if (std::string remark = worker_.devices().remark(lab.info()); moved && !remark.empty())
        opened.notes.push_back(std::move(remark));
    for (std::string& note : opened.notes) worker_.publisher().say(Message::Kind::kNote, std::move(note));
    if (model().refused()) worker_.publisher().reply(Message::Kind::kError, model().refusal);
    if (on_table) on_table(opening, opened.table, "");
    if (opening.then) opening.then();
    if (opening.run.at.value_or(0) > 0 && worker_.playback().at_rest()) worker_.playback().seek(*opening.run.at);
    if (another && opens_at_end(opening, *opened.input)) worker_.playback().run_to_end();
}

/// A file of many points opens at the end of its run, with the passes on the timeline, unless a scenario, the command
/// line or edits to repeat set the position.
bool Opener::opens_at_end(const Opening& opening, const Geometry& input) const {
    constexpr size_t kMostWatched = 20'000;  // points; the passes of more are not worth watching
    const Scenario& run = opening.run;
    const bool is_plain_file = !run.input.empty() && run.places.empty() && !run.play && !run.at;
    return is_plain_file && input.points.size() > kMostWatched && worker_.playback().at_rest() &&
           worker_.commands().empty() && !model().refused() && worker_.timeline().lab().endless().empty();
}

void Opener::start_after_failure(bool repeats) {
    Opening again = repeats ? *last_opening_.opening : worker_.loader().start_over();
    again.after_failure = true;
    start(std::move(again), repeats ? last_opening_.task : Task::kStartOver);
}

void Opener::report_failure() const {
    const auto& [opening, task, opened] = last_opening_;
    if (opened && !opened->refusal.empty() && on_table) on_table(*opening, opened->table, opened->refusal);
}

void Opener::poll_files() {
    constexpr double kInterval = 0.4;  // seconds; a file that changes in between may be half written
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
    read_files_ = changed;  // report an unreadable file once
    request_start_over(false, model().done);
}

}  // namespace flipscope::app
