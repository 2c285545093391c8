#include "app/session/edited_run.h"

#include "app/run/saved_run.h"
#include "compute/error.h"
#include "compute/text.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

constexpr size_t kMostPointsTold = 100'000;  // unnamed input whose coordinates are stored: about 4 MB of text

bool is_points_alone(const Geometry& input) {
    return !input.points.empty() && !input.in_space() && input.triangles.empty() && !input.field && !input.tracks &&
           !input.recording;
}

}  // namespace

std::string EditedRun::edited_text() const {
    if (source != "nothing given") return source;
    const LabInfo& info = lab_info(scenario.lab);
    return info.inputs.has(InputKind::kNothing) ? "the " + info.title : "points made by hand";
}

std::optional<EditedRun> RunRestorer::edited_run() const {
    const LabModel& model = worker_.model();
    if (worker_.busy() || !model.loaded || !worker_.timeline().usable() || worker_.timeline().follows_plan() ||
        !worker_.input())
        return std::nullopt;
    EditedRun run;
    run.input = worker_.input();
    const Opening& present = worker_.loader().present();
    run.scenario = present.run;
    if (!run.scenario.names_input() && !run.input->has_nothing()) {
        run.named = is_points_alone(*run.input) && run.input->points.size() <= kMostPointsTold;
        if (run.named) run.scenario.places_given = run.input->points;
    }
    run.scenario.lab = model.info.id;
    run.scenario.parameters = model.initial_parameters;
    for (const ParameterDescription& now : model.parameters)
        if (now.effect == EffectAt::kView)
            for (Parameter& setting : run.scenario.parameters)
                if (setting.name == now.name) setting.value = now.value;
    run.source = present.source;
    const Timeline& timeline = worker_.timeline();
    for (const auto& [at, edit] : timeline.edits()) run.edits.push_back({at, edit});
    run.position = model.position;
    return run;
}

void RunRestorer::restore(EditedRun run) {
    const auto edited = std::make_shared<const EditedRun>(std::move(run));
    const std::string title = "Restoring " + edited->edited_text();
    const auto read = [edited] {
        Run again(edited->scenario);
        if (contents_hash(again.geometry()) != edited->input_hash)
            throw Error(edited->source + " has changed since it was edited; the edits are kept");
        return again;
    };
    const auto opened = [this, edited] {
        worker_.request_of_run([this, edited, input = worker_.input()] {
            if (worker_.input() == input) start(edited);
        });
    };
    undo_.confirm_discard_edits(title, "Restore",
                                [=, this] { opener_.request_run(title, edited->source, read, opened); });
}

void RunRestorer::start(const std::shared_ptr<const EditedRun>& run) {
    const auto make_edits = [=, this] {
        Timeline& timeline = worker_.timeline();
        const auto keep_going = worker_.run_through();
        for (const PlacedEdit& one : run->edits) {
            timeline.seek(one.at, keep_going);
            if (timeline.position() != one.at)
                throw Error("The edit after " + std::to_string(one.at) +
                            " passes cannot be made again: the run ends after " + std::to_string(timeline.position()) +
                            "; it was kept by another version of Flipscope");
            timeline.edit(one.edit);
        }
        timeline.seek(run->position, keep_going);
    };
    const auto after = [=, this] {
        restored_ = true;
        worker_.publisher().say(Message::Kind::kGood, "Restored: " + run->edited_text() + " with " +
                                                          count_text(run->edits.size(), "edit", "edits") + ".");
    };
    worker_.start({.task = Task::kEdit,
                   .title = "Making the edits again",
                   .changes_scene = true,
                   .target = run->position,
                   .run = make_edits,
                   .after = after});
}

}  // namespace flipscope::app
