#include "app/run/beside.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/run/run.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "instruments/input_scene.h"
#include "instruments/side_by_side.h"

namespace flipscope::app {

namespace {

Scenario on_other_input(Scenario scenario, const std::string& input) {
    scenario.start_on(input);
    scenario.places.clear();
    scenario.colour_by.reset();  // a missing column is reported below
    return scenario;
}

}  // namespace

BesideRequest parse_beside(const std::string& text, const std::string& error_prefix) {
    BesideRequest request{text, {}, error_prefix};
    if (text == "end") request.position = Scenario::kAtEnd;
    if (text.empty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return request;
    uint64_t position = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), position).ec != std::errc())
        throw Error(request.error_prefix + request.text + ": that is no number of passes");
    request.position = position;
    return request;
}

Beside::Beside(Context& context, const Scenario& scenario, const BesideRequest& request,
               const std::optional<uint64_t>& most_passes, const std::optional<uint64_t>& most_rounds,
               const std::optional<Explored>& colour)
    : request_text_(request.error_prefix + request.text) {
    Run run = placed(request_text_,
                     [&] { return Run(request.position ? scenario : on_other_input(scenario, request.text)); });
    if (colour)
        if (const std::string missing = missing_column(*colour, &run.geometry()); !missing.empty())
            throw Error(request_text_ + (request.error_prefix.empty() ? ", colour_by " : ", --colour-by ") +
                        colour->id() + ": " + missing);
    run.lab().set_records_states(true);
    Timeline& timeline = run.timeline();
    timeline.set_keyframe_budget(0);  // never goes back
    run.start(context);
    const std::optional<uint64_t> passes = request.position ? request.position : most_passes;
    const bool asks_for_end = request.position == Scenario::kAtEnd, to_end = !passes && !most_rounds;
    if (const std::string why = run.lab().endless(); (asks_for_end || to_end) && !why.empty())
        throw Error(request_text_ + ": " + why + "; give the number of passes instead");
    uint64_t rounds = 0;
    while ((!passes || timeline.position() < *passes) && (request.position || !most_rounds || rounds < *most_rounds)) {
        throw_if_cancelled();
        if (!timeline.step()) break;
        const StepResult& last = timeline.history().back();
        if (last.ended >= Level::kRound && last.round > 0) ++rounds;
    }
    position_ = timeline.position();
    if (request.position && !asks_for_end && position_ < *request.position)
        throw Error(request_text_ + ": the run has only " + std::to_string(timeline.position()) + " passes");
    // A run to its end needs no pass count.
    caption_ = (request.input_name.empty() ? input_text(run.lab().info(), run.geometry(), run.input().text)
                                           : request.input_name) +
               ", " + state_text(run.lab().info(), to_end ? 0 : position_, run.last_pass(), timeline.done());
    kept_ = placed(request_text_, [&] {
        InputScene input;
        const Scene scene = input.with_input(context, run.lab().scene(), run.input().geometry);
        return std::make_unique<KeptScene>(context, scene);
    });
    kept_->set_input(run.input().geometry);
}

std::string joining_refusal(const Scene& kept, const Scene& live) {
    const size_t views = kept.view_count() + live.view_count();
    if (views > Scene::kMostViews)
        return "the two pictures have " + std::to_string(views) + " views, and there is room for " +
               std::to_string(Scene::kMostViews);
    return kept.in_space != live.in_space ? "one of the two pictures is a surface in space" : "";
}

Scene join_scenes(Scene kept, const std::string& kept_caption, Scene live, const std::string& caption) {
    if (const std::string why = joining_refusal(kept, live); !why.empty()) throw Error(why);
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

Scene Beside::with(Scene live, const ExplorationChoice& choice, Paraboloid::Choice lift, const std::string& caption,
                   const std::string& label) {
    kept_->show_as(choice, lift);
    kept_->match(live);
    return placed(request_text_, [&] {
        return join_scenes(kept_->scene(), label.empty() ? caption_ : label + ": " + caption_, std::move(live),
                           caption);
    });
}

}  // namespace flipscope::app
