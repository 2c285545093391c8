// Ctrl+S: asks for a name, whose extension chooses what is saved: the picture, the mesh, a table, an array, a page of
// the lesson.
#include <filesystem>

#include "app/base/file_names.h"
#include "app/base/number_text.h"
#include "app/images/png.h"
#include "app/judging/failing.h"
#include "app/judging/saved_failure.h"
#include "app/run/exports.h"
#include "app/run/failures.h"
#include "app/run/python_script.h"
#include "app/run/selection_query.h"
#include "app/run/table_files.h"
#include "app/session/run_parameters.h"
#include "app/window/window_main.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

std::string suggested_name(const std::string& start, const char* extension) {
    try {
        return free_name(start, extension);
    } catch (const Error&) {
        return {};
    }
}

std::filesystem::path new_path(const std::string& name) {
    const std::filesystem::path path = io::user_path(name);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
        throw Error(path.string() + ": there is such a file already; choose another name");
    return path;
}

void open_saving(Ui& ui) {
    UiState& state = ui.state;
    state.save_as = suggested_name("flipscope", ui.model.info.makes_triangles ? ".ply" : ".png");
    state.saving = true;
    state.focus = UiState::Field::kSaveName;
}

void open_saving_as(Ui& ui, const std::string& name) {
    open_saving(ui);
    ui.state.save_as = name;
}

// In the format of `flipscope shrink`.
void Window::save_shrunk() {
    const Shrinking& shrinking = session_->shrinker().search();
    const std::vector<Point> best = shrinking.best();
    if (best.empty()) return;
    save_new("shrunk", ".json", "the points are in ", last_shrunk_, [&](const std::string& name) {
        const Scenario& task = shrinking.task();
        const std::string sentence = shrinking.progress().sentence;
        write_whole_file(
            name, scenario_text({.lab = task.lab,
                                 .parameters = task.parameters,
                                 .points = best,
                                 .triangles = {},
                                 .failure = sentence_of_failure(task.failure).empty() ? "" : task.failure,
                                 .title = number_text(best.size()) + " " + points_that(best.size(), task.failure),
                                 .note = as_sentence(sentence) + " Shrunk from " + task.title + " (" +
                                         counted(task.places_given.size(), "point") + ").",
                                 .colour = session_->selection().exploration().colour}));
    });
}

/// The present view as a scenario or as a Python script. The result runs on the worker's thread and may throw Error.
std::function<std::string()> Window::view_as(bool python, const std::filesystem::path& file) {
    const LabModel& model = session_->model();
    const Opening& present = session_->loader().present();
    Input input{current_points(make_ui()), present.source, 1, {}, present.layout};
    if (!model.loaded || !input.geometry) throw Error("nothing is loaded, so there is no view to describe");
    Scenario scenario = present.run;
    scenario.lab = model.info.id;
    scenario.parameters = changed_parameters(model);
    scenario.at = model.done ? Scenario::kAtEnd : model.position;
    scenario.edits.clear();
    if (model.edits > 0 || (!scenario.names_input() && !input.geometry->has_nothing())) {
        scenario.start_on("");
        scenario.places_given = input.geometry->points;
        scenario.at = Scenario::kAtEnd;
        input.layout.reset();
    }
    scenario.display = state_.display;
    const ExplorationChoice& shown = session_->selection().exploration();
    scenario.colour_by = shown.colour;
    scenario.data = state_.data;
    scenario.data.style = shown.style;
    scenario.data.size_by = shown.size_by;
    scenario.data.curve = state_.curve;
    return [=, session = session_.get()]() mutable {
        const Exploration& explored = session->selection().explored();
        ExplorationChoice choice = explored.choice();
        if (choice.region.size() > 2) {  // its vertices, since files name elements
            choice.clear_selection();
            choice.ids = explored.selected_vertices();
        }
        scenario.data.select = selection_text(choice);
        if (!python) return scenario_file(scenario, file.parent_path());
        const bool coloured = scenario.colour_by && explored.colours(scenario.colour_by->element());
        return python_script(scenario, input, coloured ? &explored.scale() : nullptr);
    };
}

void Window::save_as() {
    const LabModel& model = session_->model();
    try {
        const std::filesystem::path path = new_path(state_.save_as);
        const std::string file = path.string();
        if (path.extension() == ".png") {
            const Pixels shown = canvas_->pixels(make_ui());
            write_png(path, shown.rgba, shown.width, shown.height);
            last_picture_ = absolute_name(file);
            session_->say(Message::Kind::kGood, "the picture is in " + last_picture_);
            return;
        }
        if (!model.loaded) throw Error(file + ": there is nothing to save yet");
        if (path.extension() == ".py" || path.extension() == ".json") {
            session_->query_lab("Saving " + file,
                                [file, write = view_as(path.extension() == ".py", path)](const Lab&) mutable {
                                    write_whole_file(file, write());
                                    return "saved: " + absolute_name(file);
                                });
            return;
        }
        if (path.extension() == ".html") {
            if (state_.lesson.any()) return state_.lesson.make_page(*session_, path);
            Ui ui = make_ui();
            return state_.lesson.make_page_of_run(ui, path);
        }
        session_->query_lab(
            "Saving " + file,
            [file, check = model.check, report = model.inspection.report, shown = session_->selection().measured(),
             input = session_->input(), points = current_points(make_ui()), session = session_.get(),
             selects = session_->selection().exploration().selects()](const Lab& lab) {
                const bool lists_points = means_points_csv(file) && (!shown || shown->empty());
                if (lists_points || means_points_xy(file)) {
                    if (!points || points->points.empty()) throw Error(file + ": there are no points to save");
                    write_whole_file(file, lists_points ? points_csv(*points) : points_xy(*points));
                    return "saved: " + absolute_name(file);
                }
                const std::string of_run = run_table_of_file(file, lab);
                if (of_run == "inspected") {
                    if (report.empty()) throw Error(file + ": nothing is inspected; click an element first");
                    write_whole_file(file, csv_of(report));
                } else if (of_run == "selection") {
                    if (!selects) throw Error(file + ": nothing is selected");
                    write_whole_file(file, points_csv(session->selection().selected()));
                } else if (of_run != "failures")
                    write_export(file, lab, shown.get(), Caller::kWindow, input.get());
                else if (check)
                    write_whole_file(file, failures_csv(*check));
                else
                    throw Error(file + ": this state has not been checked; V checks it");
                return "saved: " + absolute_name(file);
            });
    } catch (const Error& error) {
        session_->say(Message::Kind::kError, error.what());
        state_.saving = true;  // keeps the name, so that the user can correct it
        state_.focus = UiState::Field::kSaveName;
    }
}

}  // namespace flipscope::app
