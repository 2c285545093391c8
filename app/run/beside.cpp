#include "app/run/beside.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/run/runs.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "instruments/input_scene.h"
#include "instruments/side_by_side.h"

namespace flipscope::app {

namespace {

std::string begin_of(const BesideAsked& asked) { return asked.asker + asked.text; }

Scenario on_other_input(Scenario scenario, const std::string& input) {
    scenario.points.clear();
    scenario.places_given.clear();
    scenario.input.clear();
    scenario.triangles.clear();
    scenario.field.clear();
    scenario.tracks.clear();
    scenario.places.clear();
    scenario.colour_by.reset();  // whether it has such a column is told below
    if (std::error_code ignored; std::filesystem::exists(input, ignored))
        scenario.input = input;
    else
        scenario.points = input;
    return scenario;
}

}  // namespace

BesideAsked parse_beside(const std::string& text, const std::string& asker) {
    BesideAsked asked{text, {}, asker};
    if (text == "end") asked.position = Scenario::kAtEnd;
    if (text.empty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return asked;
    uint64_t position = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), position).ec != std::errc())
        throw Error(begin_of(asked) + ": that is no number of passes");
    asked.position = position;
    return asked;
}

std::string input_text(const LabInfo& info, const Input& input) {
    const Geometry& given = *input.geometry;
    const bool nothing = given.points.empty() && !given.field && !given.tracks && !given.recording;
    return nothing ? info.title : input.text;
}

std::string state_text(const LabInfo& info, uint64_t position, const StepResult* last, bool done) {
    if (position == 0) return done ? "the end" : "at the start";
    std::string text = "pass " + std::to_string(position);
    if (last) text += ": " + info.passes.at(last->pass).name;
    return text + (done ? ", the end" : "");
}

Beside::Beside(Context& context, const Scenario& scenario, const BesideAsked& asked,
               const std::optional<uint64_t>& most_passes, const std::optional<uint64_t>& most_rounds,
               const std::optional<Explored>& colour)
    : asked_(begin_of(asked)) {
    PreparedRun run = [&] {
        try {
            return prepare_run(asked.position ? scenario : on_other_input(scenario, asked.text), {});
        } catch (const Error& error) {
            throw Error(asked_ + ": " + error.what());
        }
    }();
    if (colour)
        if (const std::string missing = missing_column(*colour, run.input.geometry.get()); !missing.empty())
            throw Error(asked_ + (asked.asker.empty() ? ", colour_by " : ", --colour-by ") + colour->id() + ": " +
                        missing);
    run.lab->set_records_states(true);
    Timeline timeline(std::move(run.lab));
    timeline.set_keyframe_budget(0);  // it never goes back
    timeline.reset(context, run.input.geometry);
    const std::optional<uint64_t> passes = asked.position ? asked.position : most_passes;
    const bool asks_for_end = asked.position == Scenario::kAtEnd, to_end = !passes && !most_rounds;
    if (const std::string why = timeline.lab().endless(); (asks_for_end || to_end) && !why.empty())
        throw Error(asked_ + ": " + why + "; give the number of passes instead");
    uint64_t rounds = 0;
    while ((!passes || timeline.position() < *passes) && (asked.position || !most_rounds || rounds < *most_rounds)) {
        throw_if_cancelled();
        if (!timeline.step()) break;
        const StepResult& last = timeline.history().back();
        if (last.ended >= Level::kRound && last.round > 0) ++rounds;
    }
    position_ = timeline.position();
    if (asked.position && !asks_for_end && position_ < *asked.position)
        throw Error(asked_ + ": the run has only " + std::to_string(timeline.position()) + " passes");
    const StepResult* const last = timeline.position() > 0 ? &timeline.history().back() : nullptr;
    // Of what goes to its end by itself passes are no matter.
    caption_ = (asked.named.empty() ? input_text(timeline.lab().info(), run.input) : asked.named) + ", " +
               state_text(timeline.lab().info(), to_end ? 0 : timeline.position(), last, timeline.done());
    try {
        InputScene input;
        kept_ =
            std::make_unique<KeptScene>(context, input.with_input(context, timeline.lab().scene(), run.input.geometry));
    } catch (const Error& error) {
        throw Error(asked_ + ": " + error.what());
    }
    kept_->set_input(run.input.geometry);
    kept_->colour(colour);
}

std::string why_not_one(const Scene& kept, const Scene& live) {
    const size_t views = kept.view_count() + live.view_count();
    if (views > Scene::kMostViews)
        return "the two pictures have " + std::to_string(views) + " views, and there is room for " +
               std::to_string(Scene::kMostViews);
    return kept.in_space != live.in_space ? "one of the two pictures is a surface in space" : "";
}

Scene in_one(Scene kept, const std::string& kept_caption, Scene live, const std::string& caption) {
    if (const std::string why = why_not_one(kept, live); !why.empty()) throw Error(why);
    for (auto& [scene, text] : {std::pair<Scene&, const std::string&>{kept, kept_caption}, {live, caption}})
        for (size_t i = 0; i < scene.view_count(); ++i) {
            SceneView& view = scene.view(i);
            view.title = view.title.empty() ? text : text + ": " + view.title;
        }
    Scene both = side_by_side({std::move(kept), std::move(live)});
    const size_t views = both.view_count();
    const auto drawn = [](const SceneView& view) { return view.linked && !view.layers.empty(); };
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (size_t i = 0; i < views; ++i) {
        if (!drawn(both.view(i))) continue;
        low = {std::min(low.x, both.view(i).low.x), std::min(low.y, both.view(i).low.y)};
        high = {std::max(high.x, both.view(i).high.x), std::max(high.y, both.view(i).high.y)};
    }
    for (size_t i = 0; i < views; ++i)
        if (drawn(both.view(i))) both.view(i).low = low, both.view(i).high = high;
    return both;
}

Scene Beside::with(Scene live, const std::string& caption, const std::string& called) {
    kept_->match(live);
    try {
        return in_one(kept_->scene(), called.empty() ? caption_ : called + ": " + caption_, std::move(live), caption);
    } catch (const Error& error) {
        throw Error(asked_ + ": " + error.what());
    }
}

}  // namespace flipscope::app
