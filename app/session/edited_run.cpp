// Session, about runs with manual edits that are told, to be kept, and made again.
#include <utility>

#include "app/base/number_text.h"
#include "app/run/inputs.h"
#include "app/session/session.h"
#include "compute/error.h"
#include "compute/text.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

constexpr size_t kMostPointsTold = 100'000;  // coordinates of an input that has no other name: about 4 MB as text

bool is_points_alone(const Geometry& input) {
    return !input.points.empty() && !input.in_space() && input.triangles.empty() && !input.field && !input.tracks &&
           !input.recording;
}

}  // namespace

std::string EditedRun::edited_text() const {
    if (source != "nothing given") return source;
    const LabInfo& info = lab_info(scenario.lab);
    return info.takes.has(InputKind::kNothing) ? "the " + info.title : "points made by hand";
}

std::optional<EditedRun> Session::edited_run() const {
    if (worker_.busy() || !model().loaded || model().edits == 0 || !timeline_->usable() || !loader_.input())
        return std::nullopt;
    EditedRun run;
    run.input = loader_.input();
    if (loader_.origin()) {
        const Scenario& origin = *loader_.origin();
        run.scenario.points = origin.points;
        run.scenario.seed = origin.seed;
        run.scenario.places_given = origin.places_given;
        run.scenario.input = origin.input;
        run.scenario.read = origin.read;
        run.scenario.triangles = origin.triangles;
        run.scenario.field = origin.field;
        run.scenario.tracks = origin.tracks;
    } else if (is_points_alone(*run.input) && run.input->points.size() <= kMostPointsTold) {
        run.scenario.places_given = run.input->points;
    } else {
        run.named = false;
    }
    run.scenario.lab = model().info.id;
    run.scenario.parameters = begun_with_;
    for (const ParameterDescription& now : model().parameters)
        if (now.takes == Takes::kView)
            for (Parameter& setting : run.scenario.parameters)
                if (setting.name == now.name) setting.value = now.value;
    run.source = loader_.source();
    run.edits.assign(timeline_->edits().begin(), timeline_->edits().end());
    run.position = model().position;
    return run;
}

void Session::restore(EditedRun run, std::function<void(const Geometry&)> check) {
    const auto edited = std::make_shared<const EditedRun>(std::move(run));
    const std::string title = "Restoring " + edited->edited_text();
    command::Prepare asked{title, edited->source,
                           [edited, check = std::move(check)] {
                               Run again(edited->scenario);
                               if (check) check(again.geometry());
                               return again;
                           },
                           edited};
    leave_edits(title, "Restore", [this, asked = std::move(asked)] { request(asked); });
}

void Session::start_making_edits_again(const std::shared_ptr<const EditedRun>& run) {
    start({.task = Task::kEdit,
           .title = "Making the edits again",
           .changes_scene = true,
           .target = run->position,
           .run =
               [=, this] {
                   // It goes through unless it is cancelled: half of it would be nowhere that anyone was.
                   const auto keep_going = [&] {
                       link_.tell(timeline_->position());
                       return true;
                   };
                   for (const auto& [at, edit] : run->edits) {
                       timeline_->seek(at, keep_going);
                       if (timeline_->position() != at)
                           throw Error("The edit after " + std::to_string(at) +
                                       " passes cannot be made again: the run ends after " +
                                       std::to_string(timeline_->position()) +
                                       "; it was kept by another version of Flipscope");
                       timeline_->edit(edit);
                   }
                   timeline_->seek(run->position, keep_going);
               },
           .after =
               [=, this] {
                   restored_ = true;
                   say(Message::Kind::kGood, "Restored: " + run->edited_text() + " with " +
                                                 count_text(run->edits.size(), "edit", "edits") + ".");
               }});
}

command::OpenAtEnd Session::opening_of(std::shared_ptr<const Geometry> input, std::string source,
                                       std::vector<std::string> notes) const {
    const bool fits = model().info.takes.has(input->in_space() ? InputKind::kSurfaces : InputKind::kPoints);
    command::OpenAtEnd open{fits ? model().info.id : lab_for(*input), {}, std::move(input), std::move(source)};
    open.at = 0;
    open.notes = std::move(notes);
    if (fits) open.parameters = values_of(model().parameters);
    return open;
}

}  // namespace flipscope::app
