#include "app/window/lesson_presenter.h"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/base/child_process.h"
#include "app/base/endings.h"
#include "app/base/file_names.h"
#include "app/base/folders.h"
#include "app/figures/pen.h"
#include "app/run/failures.h"
#include "app/window/canvas.h"
#include "app/window/ui.h"
#include "compute/error.h"
#include "geometry/generators.h"
#include "geometry/places.h"
#include "instruments/area_source.h"
#include "io/files.h"
#include "io/output_file.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

// Of the window's height, at most, while a lesson is played: the picture keeps the rest.
constexpr float kLegendShare = 0.15f;
constexpr double kTrail_s = 0.35;          // that the laser pointer's trail is seen
constexpr size_t kMostGivenPoints = 5000;  // that a step holds as coordinates
constexpr double kDegrees = std::numbers::pi / 180;

/// Makes the paths in the steps' inputs relative to another folder.
void rebase(Lesson& lesson, const std::filesystem::path& folder) {
    for (LessonStep& step : lesson.steps) {
        const Scenario& scenario = step.scenario;
        if (step.other && step.other->is_file()) {
            std::error_code ignored;
            const std::filesystem::path near = std::filesystem::proximate(step.other->text, folder, ignored);
            if (!near.empty()) step.other->input_name = near.string();
        }
        if (scenario.input.empty() && scenario.triangles.empty() && scenario.field.empty() && scenario.tracks.empty())
            continue;
        step.run = run_text(scenario, folder);
    }
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace

void LessonPresenter::open(Ui& ui, const std::filesystem::path& file) {
    Lesson lesson = read_lesson(file);
    player_.emplace(std::move(lesson), file);
    save_as = file.string();
    undo_.clear();
    unsaved_ = false;
    beside_.reset();
    beside_request = {SIZE_MAX, 0};
    present(ui);
}

// A scale that a class can read and that leaves the picture most of the window. A scale set by the user stays.
void LessonPresenter::choose_scale(Ui& ui) {
    const float usual = ui.state.usual_scale, before = scale_ > 0 ? scale_before_ : ui.state.scale;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float fits = std::max(usual, std::min(window.x / 1000, window.y / 600));
    const auto of_lesson = static_cast<float>(player_->lesson().presenter_scale);
    const bool stays = of_lesson <= 0 && before != usual;
    const float wanted = stays ? before : of_lesson > 0 ? std::min(of_lesson, fits) : fits;
    scale_before_ = before;
    scale_ = stays ? 0 : wanted;
    ui.state.wanted_scale = wanted == ui.state.scale ? 0 : wanted;
}

void LessonPresenter::present(Ui& ui) {
    UiState& state = ui.state;
    if (!presenting_) {
        panels_[0] = state.show_left;
        panels_[1] = state.show_right;
        panels_[2] = state.show_bottom;
    }
    presenting_ = true;
    writing = false;
    state.show_left = state.show_right = state.show_bottom = false;
    state.opened_left = state.opened_right = false;
    choose_scale(ui);
    player_->restart_clock();
}

void LessonPresenter::leave(Ui& ui) {
    if (presenting_) {
        ui.state.show_left = panels_[0];
        ui.state.show_right = panels_[1];
        ui.state.show_bottom = panels_[2];
    }
    if (scale_ > 0 && ui.state.wanted_scale == scale_)
        ui.state.wanted_scale = 0;  // the scale was never applied
    else if (scale_ > 0 && std::fabs(ui.state.scale - scale_) < 0.01f && scale_before_ != ui.state.scale)
        ui.state.wanted_scale = scale_before_;
    scale_ = 0;
    presenting_ = blank = laser = false;
    ui.session.inspector().request_elements({});
}

// ---- writing

std::string inspected_name(const LabModel& model) {
    const Element& chosen = model.inspection.element;
    if (!model.inspection.any() || chosen.kind == ElementKind::kPixel) return {};
    return std::string(word_of(chosen.kind)) + ":" + std::to_string(chosen.id) +
           (chosen.part > 0 ? "@" + std::to_string(chosen.part) : "");
}

LessonStep LessonPresenter::view_as_step(Ui& ui) const {
    const LabModel& model = ui.model;
    const auto& input = ui.session.input();
    if (!model.loaded || !input) throw Error("Nothing is loaded, so there is no view to add.");
    const bool same_run = any() && player_->is_open(ui.session.loader().revision());
    // Before the first pass, points added or moved by the user are an ordinary input.
    const bool by_hand = !same_run && model.edits > 0 && model.position == model.edits &&
                         model.known() == model.edits && model.edited_input;
    if (by_hand && model.edited_input->points.size() > kMostGivenPoints)
        throw Error(
            "This view has manual edits and more than 5,000 points. Save the points (Ctrl+S) and open the file.");
    Scenario scenario;
    scenario.lab = model.info.id;
    std::error_code ignored;
    const std::string& source = ui.session.loader().present().source;
    const std::filesystem::path file = io::user_path(source);
    const bool same_input = !by_hand && same_run;
    if (same_input) scenario = player_->step().scenario;
    scenario.lab = model.info.id;
    if (!same_input) {
        bool generated = false;
        try {
            parse_generator(source);
            generated = true;
        } catch (const Error&) {
            generated = false;
        }
        if (by_hand)
            scenario.places_given = model.edited_input->points;
        else if (generated)
            scenario.points = source;
        else if (std::filesystem::is_regular_file(file, ignored) && file_kind(file) == FileKind::kInput)
            scenario.input = std::filesystem::absolute(file), scenario.read = ui.session.loader().present().read;
        else if (input->points.empty() && !input->field && !input->tracks)
            scenario.points = model.info.inputs.has(InputKind::kNothing) ? "" : "uniform:0";
        else if (!input->in_space() && !input->field && !input->tracks && input->triangles.empty() &&
                 input->points.size() <= kMostGivenPoints)
            scenario.places_given = input->points;
        else
            throw Error("The input of this view, " + source +
                        ", is neither generated nor one file, so a lesson cannot name it.");
    }
    scenario.parameters = changed_parameters(model);
    std::erase_if(scenario.parameters, [](const Parameter& one) { return one.name == "block_size"; });
    const ExplorationChoice& chosen = ui.session.selection().exploration();
    const bool same_area = any() && player_->step().scenario.within == chosen.area_name;
    scenario.within = !chosen.area ? ""
                      : same_area || chosen.area_name == "hull" || chosen.area_name.starts_with("areas")
                          ? chosen.area_name
                          : area_text(*chosen.area);
    const std::filesystem::path home = any() ? player_->file() : std::filesystem::path("lesson.json");
    std::string run = run_text(scenario, folder_of(home));
    if (same_input && same_area && scenario.lab == player_->step().scenario.lab) {
        const std::vector<ParameterDescription> then = list_parameters(*make_scenario_lab(player_->step().scenario));
        const auto& now = model.parameters;
        if (std::equal(then.begin(), then.end(), now.begin(), now.end(), [](const auto& a, const auto& b) {
                return a.name == b.name && (a.value == b.value || a.name == "block_size");
            }))
            run = player_->step().run;  // the same, however its numbers are written
    }
    LessonStep step = step_of_run(run, home);
    step.at = by_hand ? 0 : model.position;
    if (!by_hand) add_edits(ui, step);
    if (ui.state.beside && ui.session.comparison().kept()) {
        const bool of_step = same_input && !ui.session.comparison().label().empty() && player_->step().other;
        const std::optional<uint64_t> position = ui.session.comparison().position();
        if (position && !(of_step && player_->step().other->position == Scenario::kAtEnd))
            step.other = parse_other(std::to_string(*position), home);
        else if (of_step)
            step.other = player_->step().other;
    }
    for (const auto& [name, on] : ui.state.display.layers) (on ? step.shown : step.hidden).push_back(name);
    if (ui.state.display.angles) step.shown.emplace_back("angles");
    step.beta = ui.state.display.beta;
    step.alpha = ui.state.display.alpha;
    if (const auto& colour = ui.session.selection().exploration().colour;
        colour && missing_column(*colour, input.get()).empty())
        step.colour_by = colour;
    if (!ui.state.fitted && !model.scene.in_space) {
        Camera fit;
        const Box box = part_box(ui, 0);
        const double density = pixels_each();
        fit.fit(model.scene.low, model.scene.high, box.width * density, box.height * density);
        step.camera.center = ui.state.camera.center;
        step.camera.zoom = std::clamp(ui.state.camera.scale / fit.scale, 1e-3, 1e18);
    }
    const bool lifted = paraboloid_choice(ui.state.display).shown;
    if (model.scene.in_space || lifted) {
        const ViewAxes& view = lifted ? ui.state.camera.apart : ui.state.camera.view;
        step.camera.view = {std::round(std::atan2(-view.right.x, view.right.y) / kDegrees * 10) / 10,
                            std::round(std::asin(std::clamp(view.toward.z, -1.0, 1.0)) / kDegrees * 10) / 10};
    }
    if (std::string name = inspected_name(model); !name.empty()) step.highlight = {std::move(name)};
    return step;
}

/// Gives the step the edits before its position, but for those of the chosen step and its predecessors.
void LessonPresenter::add_edits(const Ui& ui, LessonStep& step) const {
    std::vector<PlacedEdit> known;
    if (any() && player_->step().run == step.run) known = player_->step().scenario.edits;
    if (known.empty() && ui.model.edits == 0) return;
    if (ui.session.busy()) throw Error("The run is computing. Add the view when it has stopped.");
    size_t made = 0;
    for (const auto& [at, edit] : ui.session.edits().made()) {
        if (at >= ui.model.position) break;
        if (made >= known.size())
            step.edits.push_back({at, edit});
        else if (!is_same(known[made], edit))
            break;
        ++made;
    }
    if (made < known.size())
        throw Error(
            "This view has other manual edits than the chosen step. Choose the step that the view continues, or write "
            "it into a lesson of its own.");
}

void LessonPresenter::replace(Lesson lesson, size_t index) {
    join_edits(lesson);
    if (any()) undo_.emplace_back(player_->lesson(), player_->index());
    if (undo_.size() > 100) undo_.erase(undo_.begin());
    put(std::move(lesson), index);
}

void LessonPresenter::put(Lesson lesson, size_t index) {
    beside_request = {SIZE_MAX, 0};
    if (!any()) player_.emplace(Lesson{}, std::filesystem::path("lesson.json"));
    player_->replace(std::move(lesson), index);
    changed();
}

/// The chosen step shows the present run, and its edits are saved with it.
void LessonPresenter::stand_here(Ui& ui) {
    const bool by_hand = ui.model.edits > 0 && player_->step().scenario.edits.empty();  // its points are the input
    if (by_hand) return;
    player_->stands_here(ui.session.loader().revision());
    if (ui.model.edits > 0) ui.session.edits().plan(player_->step().scenario.edits);
}

void LessonPresenter::add_view(Ui& ui) {
    LessonStep step = view_as_step(ui);
    Lesson lesson = any() ? player_->lesson() : Lesson{new_title_};
    if (!any() && ui.session.input()->has_nothing()) {
        const Bounds& canvas = ui.session.loader().empty_window();
        lesson.frame = {canvas.low, canvas.high};
    }
    const size_t place = any() ? player_->index() + 1 : 0;
    if (save_as.empty()) save_as = suggested_name("lesson", ".json");
    if (save_as.empty()) save_as = "lesson.json";
    lesson.steps.insert(lesson.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
    replace(std::move(lesson), place);
    stand_here(ui);
    shows_caption = true;
}

void LessonPresenter::take_view(Ui& ui) {
    LessonStep step = view_as_step(ui);
    const LessonStep& now = player_->step();
    step.caption = now.caption;
    step.why = now.why;
    step.notes = now.notes;
    step.question = now.question;
    step.beside = now.beside && !step.other;
    step.flight_s = now.flight_s;
    if (step.highlight.empty()) step.highlight = now.highlight;
    Lesson lesson = player_->lesson();
    lesson.steps[player_->index()] = std::move(step);
    replace(std::move(lesson), player_->index());
    stand_here(ui);
}

void LessonPresenter::move(int by) {
    Lesson lesson = player_->lesson();
    const auto from = static_cast<std::ptrdiff_t>(player_->index()), to = from + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(lesson.steps.size())) return;
    std::swap(lesson.steps[static_cast<size_t>(from)], lesson.steps[static_cast<size_t>(to)]);
    lesson.steps.front().beside = false;  // it has no previous step
    replace(std::move(lesson), static_cast<size_t>(to));
}

void LessonPresenter::remove() {
    Lesson lesson = player_->lesson();
    if (lesson.steps.size() == 1) {
        undo_.emplace_back(lesson, 0);
        new_title_ = lesson.title;
        player_.reset();
        changed();
        return;
    }
    lesson.steps.erase(lesson.steps.begin() + static_cast<std::ptrdiff_t>(player_->index()));
    lesson.steps.front().beside = false;
    replace(std::move(lesson), player_->index());
    player_->go_to(player_->index());
}

void LessonPresenter::undo() {
    if (undo_.empty()) return;
    auto [lesson, index] = std::move(undo_.back());
    undo_.pop_back();
    put(std::move(lesson), index);
    player_->go_to(index);
}

std::string LessonPresenter::text_in(const std::filesystem::path& folder) const {
    Lesson lesson = player_->lesson();
    rebase(lesson, folder);
    return lesson_text(lesson);
}

void LessonPresenter::save(Session& session) {
    if (!any()) throw Error("A lesson without a step is not saved; add one first.");
    const std::filesystem::path path = io::user_path(save_as);
    const std::vector<LessonStep>& steps = player_->lesson().steps;
    for (size_t i = 0; i < steps.size(); ++i)
        if (steps[i].question && (steps[i].question->ask.empty() || steps[i].question->answer.empty()))
            throw Error("step " + std::to_string(i + 1) +
                        ": the question or its answer is empty; write it, or clear the box \"A question\"");
    if (path.extension() == ".html") return make_page(session, path);
    if (io::lower_extension(path) != ".json")
        throw Error(save_as + ": expected a name that ends in .json, or in .html for a page");
    write_whole_file(path, text_in(folder_of(path)));
    unsaved_ = recovery_due_ = false;
    std::error_code ignored;
    std::filesystem::remove(recovery_file(), ignored);
    session.say(Message::Kind::kGood, "the lesson is in " + absolute_name(path.string()));
}

void LessonPresenter::make_page(Session& session, const std::filesystem::path& page) const {
    export_page(session, page, [this](const std::filesystem::path& folder) { return text_in(folder); });
}

void LessonPresenter::make_page_of_run(Ui& ui, const std::filesystem::path& page) const {
    const LessonStep step = view_as_step(ui);
    std::vector<std::string> options{"--steps", std::to_string(ui.model.known())};
    for (const std::string& name : step.shown) options.insert(options.end(), {"--show", name});
    for (const std::string& name : step.hidden) options.insert(options.end(), {"--hide", name});
    options.insert(options.end(), {"--beta", format_exactly(step.beta)});
    if (step.alpha > 0) options.insert(options.end(), {"--alpha", format_exactly(step.alpha)});
    export_page(
        ui.session, page, [&step](const std::filesystem::path& folder) { return run_text(step.scenario, folder); },
        std::move(options));
}

// Runs this program in a child process with its own device, so that the window keeps its run and picture and can end
// the child at any time.
void LessonPresenter::export_page(Session& session, const std::filesystem::path& page,
                                  const std::function<std::string(const std::filesystem::path& folder)>& text,
                                  std::vector<std::string> options) {
    if (!session.model().loaded) throw Error(page.string() + ": nothing is open yet; wait for the first step");
    const auto scratch = std::make_shared<const ScratchFolder>();
    const std::filesystem::path file = scratch->path() / "run.json";
    write_whole_file(file, text(scratch->path()));
    const bool on_cpu = session.model().device_name.starts_with("CPU");
    session.query_lab("Making " + page.string(), [=, page = absolute_name(page.string())](const Lab&) {
        std::vector<std::string> command{"/proc/self/exe",        "run",    file.string(), "--export", page, "--device",
                                         on_cpu ? "cpu" : "auto", "--quiet"};
        command.insert(command.end(), options.begin(), options.end());
        ChildProcess child(command, scratch->path(), scratch->path() / "said");
        child.wait();
        std::string said = child.last_output();
        if (const size_t line = said.rfind("flipscope: "); line != std::string::npos) said.erase(0, line + 11);
        if (const size_t name = said.find(file.string() + ": "); name != std::string::npos)
            said.erase(name, file.string().size() + 2);
        if (child.signal() != 0) said = "its process was ended by signal " + std::to_string(child.signal());
        if (child.signal() != 0 || (child.exit_status() != kSuccess && child.exit_status() != kCheckFailed))
            throw Error(page + ": the page was not made: " + said);
        return "the page is in " + page + (child.exit_status() == kSuccess ? "" : ", but a step failed: " + said);
    });
}

std::filesystem::path LessonPresenter::recovery_file() { return state_folder() / "unsaved-lesson.json"; }

bool LessonPresenter::has_recovery() const {
    std::error_code ignored;
    return !unsaved_ && std::filesystem::is_regular_file(recovery_file(), ignored);
}

void LessonPresenter::open_recovery(Ui& ui) {
    open(ui, recovery_file());
    leave(ui);
    writing = true;
    save_as = "lesson.json";
    changed();
}

void LessonPresenter::write_recovery() {
    recovery_due_ = false;
    if (!any()) return;
    try {
        const std::filesystem::path file = recovery_file();
        std::filesystem::create_directories(file.parent_path());
        write_whole_file(file, text_in(file.parent_path()));
    } catch (const std::exception&) {
        return;  // saving reports an unwritable folder
    }
}

// ---- the frame

bool LessonPresenter::shows(const std::string& element) const {
    if (!presents()) return false;
    const LessonStep& step = player_->step();
    if (step.question && step.question->element == element) return player_->revealed();
    return std::ranges::find(step.highlight, element) != step.highlight.end();
}

bool LessonPresenter::folds_inspector() const {
    if (!presenting() || unfolded_) return false;
    const auto& question = player_->step().question;
    return question && !question->element.empty();
}

void LessonPresenter::judge_click(Ui& ui) {
    const LessonStep& step = player_->step();
    const LabModel& model = ui.model;
    const bool fresh = std::exchange(judged_, model.inspected) != model.inspected && model.inspection.any();
    if (!fresh || !step.question || step.question->element.empty() || player_->revealed()) return;
    for (const Inspector::FoundElement& one : ui.session.inspector().found_elements()) {
        if (one.query != step.question->element) continue;
        const bool hit = one.found.element == model.inspection.element;
        verdict_ = hit ? "Right." : "Not this one.";
        if (hit) player_->reveal();
    }
}

void LessonPresenter::frame(Ui& ui, const CanvasView& canvas) {
    const double elapsed = before_ < 0 ? 0 : std::max(0.0, ui.now - before_);
    before_ = ui.now;
    if (recovery_due_ && unsaved_ && ui.now - recovered_at_ > 0.25) {
        recovered_at_ = ui.now;
        write_recovery();
    }
    if (!any()) return ui.session.inspector().request_elements({});
    if (player_->needs_previous_picture()) {
        if (!beside_) beside_ = std::make_shared<Canvas>();
        const Canvas& now = canvas.canvas();
        beside_->resize(now.width(), now.height());
        glCopyImageSubData(now.texture(), GL_TEXTURE_2D, 0, 0, 0, 0, beside_->texture(), GL_TEXTURE_2D, 0, 0, 0, 0,
                           now.width(), now.height(), 1);
        beside_->smooth(true);
        const Scene& scene = ui.model.scene;
        beside_width_ = static_cast<float>(
            std::min<double>(now.width(), 1.08 * (scene.high.x - scene.low.x) * ui.state.camera.scale + 12));
        if (scene.view_count() > 1 || scene.in_space || !ui.state.fitted)
            beside_width_ = static_cast<float>(now.width());
        beside_camera_ = canvas.drawn_camera();
        beside_low_ = scene.low;
        beside_high_ = scene.high;
        beside_plane_ = scene.view_count() == 1 && !scene.in_space;
    }
    Session& session = ui.session;
    const LabModel& model = ui.model;
    LessonPlayer::Stage stage{session.idle() && !session.undo().question(), model.position, model.done,
                              session.loader().revision()};
    if (stage.idle) stage.edits = session.edits().made();
    const LessonPlayer::Act act = player_->frame(stage, elapsed);
    if (act.kind == LessonPlayer::Act::Kind::kOpen) {
        const Scenario& scenario = player_->lesson().steps[act.step].scenario;
        const std::string title = "Opening step " + std::to_string(act.step + 1) + " of the lesson";
        if (const auto& frame = player_->lesson().frame)
            session.opener().set_empty_window({frame->first, frame->second});
        session.opener().open_scenario(title, scenario);
    }
    if (act.kind == LessonPlayer::Act::Kind::kSeek) {
        session.edits().plan(player_->lesson().steps[act.step].scenario.edits);
        session.playback().seek(act.position);
    }
    if (player_->starts_flight()) {
        const LessonStep& step = player_->lesson().steps[player_->run_step()];
        if (!(ui.state.display == step.display())) ui.state.display = step.display();
        if (step.colour_by && step.colour_by != ui.session.selection().exploration().colour)
            if (const std::string missing = missing_column(*step.colour_by, ui.session.input().get()); !missing.empty())
                ui.session.reply(Message::Kind::kError, "This step is not coloured: " + missing + ".");
        ui.session.selection().colour_by(step.colour_by);
        keep_other(ui, step);
        ui.session.inspector().close();
        verdict_.clear();
        unfolded_ = false;
        lands_ = true;
    }
    std::vector<std::string> wanted;
    if (presents() && player_->at_rest() && !player_->failed()) {
        wanted = player_->step().highlight;
        if (player_->step().question && !player_->step().question->element.empty())
            wanted.push_back(player_->step().question->element);
        judge_click(ui);
    }
    ui.session.inspector().request_elements(std::move(wanted));
}

void LessonPresenter::keep_other(Ui& ui, const LessonStep& step) {
    std::string now;
    if (step.other) {
        const std::optional<uint64_t> passes = passes_beside(step);
        now = step.run + " " + step.other->text +
              (step.other->position ? ""
               : passes             ? " " + std::to_string(*passes)
                                    : " end");
        ui.state.beside = true;
        if (now != kept_for_ || !ui.session.comparison().kept())
            ui.session.comparison().keep_other({step.scenario, *step.other, passes, step.other->label()});
    } else if (!kept_for_.empty()) {
        ui.session.comparison().stop();
    }
    kept_for_ = now;
}

Camera LessonPresenter::target(Ui& ui, CanvasView& canvas) const {
    const Framing& framing = player_->lesson().steps[player_->run_step()].camera;
    const Camera before = ui.state.camera;
    const Scene& scene = ui.model.scene;
    if (scene.in_space)
        ui.state.camera.view = framing.view ? seen_from((*framing.view)[0] * kDegrees, (*framing.view)[1] * kDegrees)
                                            : standard_views()[0];
    if (framing.view) ui.state.camera.apart = seen_from((*framing.view)[0] * kDegrees, (*framing.view)[1] * kDegrees);
    canvas.fit(ui);
    const Point middle{scene.low.x + (scene.high.x - scene.low.x) / 2, scene.low.y + (scene.high.y - scene.low.y) / 2};
    if (!framing.is_fitted() && !scene.in_space)
        ui.state.camera.close_in(framing.zoom, framing.center.value_or(middle), scene.low, scene.high);
    ui.state.fitted = framing.is_fitted();
    return std::exchange(ui.state.camera, before);
}

bool LessonPresenter::fly(Ui& ui, CanvasView& canvas) {
    if (!any() || !ui.session.drawable() || ui.layout.canvas.width < 1) return false;
    const ImVec2 size{ui.layout.canvas.width, ui.layout.canvas.height};
    UiState& state = ui.state;
    if (std::exchange(lands_, false)) {
        const double seconds = player_->flight_s();
        flight_.reset();
        if (seconds > 0)
            flight_ = Flight{state.camera, ui.now, seconds};
        else
            state.camera = target(ui, canvas);
        landed_ = state.camera;
        landed_size_ = size;
        if (!flight_) return true;
    }
    if (flight_) {
        const Camera to = target(ui, canvas);
        const double part = (ui.now - flight_->begin) / flight_->seconds;
        state.camera = camera_between(flight_->from, to, part);
        const bool fitted = state.fitted;
        state.fitted = false;  // nothing else moves the camera during the flight
        if (part >= 1) {
            state.fitted = fitted;
            flight_.reset();
        }
        landed_ = state.camera;
        landed_size_ = size;
        return true;
    }
    const bool resized = size.x != landed_size_.x || size.y != landed_size_.y;
    landed_size_ = size;
    if (!landed_ || !(*landed_ == state.camera)) {
        if (state.fitted) landed_.reset();
        return false;
    }
    if (!resized || state.fitted) return false;
    state.camera = target(ui, canvas);
    landed_ = state.camera;
    return true;
}

// ---- the caption

std::vector<LessonPresenter::Line> LessonPresenter::lines_of(const LessonStep& step, bool revealed) {
    std::vector<Line> all;
    if (!step.why.empty()) all.push_back({Line::Kind::kWhy, step.why});
    if (!step.caption.empty()) all.push_back({Line::Kind::kCaption, step.caption});
    if (step.question) {
        all.push_back({Line::Kind::kQuestion, step.question->ask});
        if (revealed) all.push_back({Line::Kind::kAnswer, step.question->answer});
    }
    return all;
}

std::vector<LessonPresenter::Line> LessonPresenter::lines(const Ui& ui) const {
    std::vector<Line> all = lines_of(player_->step(), player_->revealed());
    if (waits() && !verdict_.empty()) all.push_back({Line::Kind::kQuestion, verdict_});  // of a click
    if (player_->failed()) {
        const Message* const said = ui.session.message();
        all.insert(all.begin(), {Line::Kind::kError, said && said->kind == Message::Kind::kError
                                                         ? said->text
                                                         : "This step could not be shown; the one before stays."});
    }
    return all;
}

float LessonPresenter::height_of(const Ui& ui, const std::vector<Line>& lines, const ImFont& font, float width) const {
    float high = ui.em(10);
    for (const Line& line : lines) high += Pen::measure(font, line.text, width).y + ui.em(4);
    return std::ceil(high + Pen::line(*ui.fonts.small) + ui.em(10));
}

const ImFont* LessonPresenter::fitting_font(const Ui& ui, const std::vector<Line>& lines, float high,
                                            float width) const {
    for (const ImFont* font : {ui.fonts.caption, ui.fonts.body})
        if (height_of(ui, lines, *font, width) <= high) return font;
    return ui.fonts.small;
}

void LessonPresenter::place(const Ui& ui, Layout& layout) {
    band_ = left_ = {};
    if (!presents()) return;
    Box& canvas = layout.canvas;
    const float width = canvas.width - ui.em(36);
    if (width < ui.em(60)) return;
    // Two lines of the largest letters, or as many smaller ones as fit there. Equally high for every step, so that the
    // picture stays where it is from one to the next.
    const float whole = canvas.height + layout.covered;
    const float most =
        height_of(ui, {{Line::Kind::kCaption, "A"}, {Line::Kind::kCaption, "A"}}, *ui.fonts.caption, width);
    float high = 0;
    for (const LessonStep& step : player_->lesson().steps) {
        const std::vector<Line> lines = lines_of(step, false);
        high = std::max(high, std::min(height_of(ui, lines, *fitting_font(ui, lines, most, width), width), most));
    }
    band_ = {canvas.x, canvas.y + canvas.height - high, canvas.width, high};
    canvas.height -= high;
    layout.legend_most = std::min(layout.legend_most, kLegendShare * whole);
    if (player_->step().beside && beside_ && player_->run_step() == player_->index()) {
        left_ = {canvas.x, canvas.y, std::floor(0.5f * canvas.width) - ui.em(1), canvas.height};
        canvas.width -= left_.width + ui.em(2);
        canvas.x += left_.width + ui.em(2);
    }
}

// If both pictures show about the same part of the plane, they share one camera, so that changes appear at the same
// place and size. If this picture is much closer or shows something else, the previous step's picture is shown
// unchanged.
LessonPresenter::Placed LessonPresenter::place_beside(const Ui& ui) const {
    constexpr double kMostGrown = 2;
    const Scene& scene = ui.model.scene;
    const double density = pixels_each();
    const ImVec2 middle{left_.x + 0.5f * left_.width, left_.y + 0.5f * left_.height};
    const auto same = [](Point a, Point b) { return a.x == b.x && a.y == b.y; };
    if (beside_plane_ && scene.view_count() == 1 && !scene.in_space && same(scene.low, beside_low_) &&
        same(scene.high, beside_high_)) {
        const Camera& camera = ui.state.camera;
        const double grown = camera.scale / beside_camera_.scale;
        if (grown <= kMostGrown && grown >= 1 / kMostGrown) {
            const Point at = camera.to_pixels(beside_camera_.to_world({0, 0}));
            return {static_cast<float>(grown / density),
                    {middle.x + static_cast<float>(at.x / density), middle.y - static_cast<float>(at.y / density)}};
        }
    }
    // Empty margins may be cropped.
    return {std::min(left_.width / beside_width_, left_.height / static_cast<float>(beside_->height())), middle};
}

void LessonPresenter::draw(Ui& ui) {
    if (band_.width > 0) ui.boxes.add("lesson_band", band_);
    draw_laser(ui);
    if (!presents()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const Pen pen{draw, ui.colors, ui.fonts, ui.scale};
    if (left_.width > 0 && beside_) {
        draw.AddRectFilled(left_.low(), left_.high(), packed(ui.colors.canvas));
        const Placed placed = place_beside(ui);
        const float wide = placed.factor * static_cast<float>(beside_->width());
        const float tall = placed.factor * static_cast<float>(beside_->height());
        const ImVec2 low{placed.middle.x - 0.5f * wide, placed.middle.y - 0.5f * tall};
        draw.PushClipRect(left_.low(), left_.high());
        draw.AddImage(image_of(*beside_), low, {low.x + wide, low.y + tall}, {0, 1}, {1, 0});
        draw.PopClipRect();
        const std::string text = "the step before";
        pen.write(*ui.fonts.small, {left_.x + ui.em(10), left_.y + ui.em(6)}, ui.colors.quiet_text, text);
        draw.AddRectFilled({left_.x + left_.width, left_.y}, {left_.x + left_.width + ui.em(2), left_.y + left_.height},
                           packed(ui.colors.panel_edge));
    }
    if (blank) {
        ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, ImGui::GetIO().DisplaySize, packed(ui.colors.canvas));
        return;
    }
    if (band_.height <= 0) return;
    const std::vector<Line> all = lines(ui);
    const float width = band_.width - ui.em(36);
    const ImFont* font = fitting_font(ui, lines_of(player_->step(), false), band_.height, width);
    // What does not fit is shown over the lower edge of the picture while the mouse is there, and an answer at once.
    const float needed = height_of(ui, all, *font, width);
    const bool is_cut = needed > band_.height;
    const bool grows = is_cut && (player_->revealed() || !verdict_.empty() || band_.holds(ImGui::GetIO().MousePos));
    Box band = band_;
    if (grows) {
        const float top = std::max(0.f, band_.y + band_.height - needed);
        band = {band_.x, top, band_.width, band_.y + band_.height - top};
    }
    draw.AddRectFilled(band.low(), band.high(), packed(ui.colors.panel));
    draw.AddLine(band.low(), {band.x + band.width, band.y}, packed(ui.colors.panel_edge));
    draw.PushClipRect(band.low(), band.high());
    float y = band.y + ui.em(8);
    for (const Line& line : all) {
        const float high = Pen::measure(*font, line.text, width).y;
        const Color color = line.kind == Line::Kind::kWhy        ? ui.colors.accent
                            : line.kind == Line::Kind::kQuestion ? ui.colors.warning
                            : line.kind == Line::Kind::kAnswer   ? ui.colors.success
                            : line.kind == Line::Kind::kError    ? ui.colors.error
                                                                 : ui.colors.text;
        pen.write(*font, {band_.x + ui.em(18), y}, color, line.text, width);
        y += high + ui.em(4);
    }
    const ImFont& small = *ui.fonts.small;
    if (is_cut && !grows) {  // the position and clock share its last line
        const float top = band_.y + band_.height - Pen::line(small) - ui.em(12);
        draw.AddRectFilled({band_.x, top}, band_.high(), packed(ui.colors.panel));
    }
    const float bottom = band_.y + band_.height - Pen::line(small) - ui.em(6);
    const std::string place =
        std::to_string(player_->index() + 1) + " / " + std::to_string(player_->lesson().steps.size());
    std::string left = place + (player_->lesson().title.empty() ? "" : "   " + player_->lesson().title);
    std::string right = clock_text(player_->elapsed_s());
    if (player_->ended())
        right = "The end; Page \u2191 goes back, Esc leaves.   " + right;
    else if (!verdict_.empty() && !waits())
        right = verdict_ + "   " + right;
    else if (waits())
        right = "Page \u2193: the answer   " + right;
    if (is_cut && !grows) right = "Move the mouse here to read on.   " + right;
    const float right_wide = Pen::measure(small, right).x;
    left = Pen::cut(small, left, std::max(ui.em(40), width - right_wide - ui.em(20)));
    pen.write(small, {band_.x + ui.em(18), bottom}, ui.colors.quiet_text, left);
    pen.write(small, {band_.x + band_.width - ui.em(18) - right_wide, bottom}, ui.colors.quiet_text, right);
    draw.PopClipRect();
}

// A soft red dot with a fading trail.
void LessonPresenter::draw_laser(Ui& ui) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    while (!trail_.empty() && ui.now - trail_.front().second > kTrail_s) trail_.pop_front();
    if (!laser || !ImGui::IsMousePosValid(&at)) return trail_.clear();
    if (trail_.empty() || trail_.back().first.x != at.x || trail_.back().first.y != at.y)
        if (!trail_.empty() || last_pointed_.x != at.x || last_pointed_.y != at.y) trail_.emplace_back(at, ui.now);
    last_pointed_ = at;
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    const Color red = color_of(0xff2a2a);
    for (size_t i = 1; i < trail_.size(); ++i) {
        const auto age = static_cast<float>((ui.now - trail_[i].second) / kTrail_s);
        draw.AddLine(trail_[i - 1].first, trail_[i].first, packed(red.alpha(0.5f * (1 - age))),
                     ui.em(6) * (1 - age) + 1);
    }
    for (const auto& [radius, strength] : {std::pair{11.f, 0.12f}, {8.f, 0.2f}, {5.5f, 0.6f}, {3.5f, 1.f}})
        draw.AddCircleFilled(at, ui.em(radius), packed(red.alpha(strength)), 32);
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace flipscope::app
