// How a window comes by its input and its lab: what is loaded joins what is there, or opens the lab that can take it.
#include <algorithm>

#include "app/inputs.h"
#include "app/window_session.h"
#include "compute/error.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "io/files.h"
#include "io/points.h"
#include "labs/refused_input.h"
#include "labs/registry.h"

namespace flipscope::app {

namespace {

SpaceBounds bounds_of(const Geometry& input) {
    if (input.points.empty() && input.field && input.field->frame_count() > 0)
        return {{-0.5, -0.5}, {input.field->width - 0.5, input.field->height - 0.5}, 0, 0};
    if (input.points.empty() && input.tracks && !input.tracks->places.empty())
        return bounds_of({input.name, input.tracks->places});
    if (input.points.empty()) return {};
    Point low = input.points.front(), high = low;
    for (const Point& p : input.points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (!input.in_space()) return {low, high, 0, 0};
    const auto [low_z, high_z] = std::minmax_element(input.heights.begin(), input.heights.end());
    return {low, high, *low_z, *high_z};
}

/// Whether this lab has no use for it, and another may have.
bool wants_another_lab(const LabInfo& info, const Geometry& input) {
    return input.points.empty() && ((input.field && !info.takes.has(InputKind::kFields)) ||
                                    (input.tracks && !info.takes.has(InputKind::kTracks)));
}

}  // namespace

void Session::start_opening(std::string title, const std::string& lab, MakeInput input, std::string source) {
    // What stands in for a lab that refused its input gives way to that lab, with the parameters that it has.
    const std::string fresh = lab.empty() && !model_.refusal.empty() ? model_.info.id : lab;
    std::vector<std::pair<std::string, std::string>> changes;
    if (lab != fresh)
        for (const ParameterDescription& parameter : model_.parameters)
            changes.emplace_back(parameter.name, parameter.value);
    for (size_t i = 0; i < drafts_.size(); ++i)
        if (!drafts_[i].empty()) changes.emplace_back(model_.parameters[i].name, drafts_[i]);
    struct Made {
        std::shared_ptr<const Geometry> input;
        SpaceBounds bounds;
        std::unique_ptr<Timeline> timeline;  // of another lab
        std::vector<std::string> notes;
        std::string refusal;  // of the lab, which did not start
    };
    auto made = std::make_shared<Made>();
    start(
        std::move(title), true,
        [=, this, before = input_] {
            if (!fresh.empty()) made->timeline = std::make_unique<Timeline>(make_lab(fresh));
            bool same_lab = lab.empty();
            Timeline* timeline = made->timeline ? made->timeline.get() : timeline_.get();
            auto geometry = input(timeline->lab().info(), made->notes);
            throw_if_cancelled();
            if (lab.empty() && wants_another_lab(timeline->lab().info(), *geometry)) {
                made->timeline = std::make_unique<Timeline>(make_lab(lab_for(*geometry)));
                timeline = made->timeline.get();
                same_lab = false;
                require_fit(timeline->lab().info(), *geometry);
                geometry = joined(timeline->lab().info(), before, *geometry);
                geometry = completed(timeline->lab().info(), geometry, made->notes);
                for (std::string& sentence : left_out(timeline->lab().info(), *geometry))
                    made->notes.push_back(std::move(sentence));
                made->notes.push_back(geometry->name + " is opened in the " + timeline->lab().info().title);
            }
            if (same_lab)
                for (const auto& [name, value] : changes) flipscope::set_parameter(timeline->lab(), name, value);
            try {
                timeline->reset(*context_, geometry);
            } catch (const Error& error) {
                made->timeline = shown_as_it_is(timeline->lab(), geometry);
                if (!made->timeline) throw;
                made->refusal = error.what();
            }
            made->bounds = bounds_of(*geometry);
            made->input = std::move(geometry);
        },
        [=, this] {
            if (made->timeline) {
                timeline_ = std::move(made->timeline);
                model_.info = timeline_->lab().info();
                model_.parameters = list_parameters(timeline_->lab());
            }
            take_input(made->input, made->bounds, source);
            for (std::string& note : made->notes) say(Message::Kind::kNote, std::move(note));
            model_.refusal = std::move(made->refusal);
            if (!model_.refusal.empty()) reply(Message::Kind::kError, model_.refusal);
        });
}

/// A broken mesh that this lab has just refused, to be looked at; nullptr where the mesh is not what is wrong.
std::unique_ptr<Timeline> Session::shown_as_it_is(Lab& refusing, std::shared_ptr<const Geometry> input) {
    if (input->triangles.empty() || !refusing.info().takes.has(InputKind::kMeshes)) return nullptr;
    auto lab = make_lab(refusing.info().id);
    for (const ParameterDescription& parameter : list_parameters(refusing))
        flipscope::set_parameter(*lab, parameter.name, parameter.value);
    auto timeline = std::make_unique<Timeline>(make_refused_input(std::move(lab)));
    timeline->reset(*context_, std::move(input));
    if (timeline->lab().check().passed) return nullptr;
    return timeline;
}

void Session::start_reset(std::string title, std::shared_ptr<const Geometry> input, std::string source) {
    start_opening(
        std::move(title), "", [input](const LabInfo&, std::vector<std::string>&) { return input; }, std::move(source));
}

void Session::start_again() {
    start_reset("Starting over", input_, model_.source_text);
    keeps_message_ = true;
}

void Session::start_load(const std::string& text, bool is_file) {
    start_opening(
        is_file ? "Reading " + text : "Making " + text, "",
        [text, is_file, before = input_](const LabInfo& info, std::vector<std::string>& notes) {
            Geometry fresh =
                is_file ? read_input(io::user_path(text), &notes) : check_points(generate(parse_generator(text)));
            auto geometry = joined(info, before, std::move(fresh));
            if (before && !frames_text(*before).empty() && frames_text(*geometry).empty())
                notes.push_back(frames_text(*before) + ": no longer used");
            if (wants_another_lab(info, *geometry)) return geometry;
            geometry = completed(info, geometry, notes);
            for (std::string& sentence : left_out(info, *geometry)) notes.push_back(std::move(sentence));
            return geometry;
        },
        text);
}

void Session::start_leaving_out(bool points) {
    if (!input_) return;
    start_opening(
        "Starting over", "",
        [before = input_, points](const LabInfo& info, std::vector<std::string>& notes) {
            Geometry alone = *before;
            if (points) {
                alone.points.clear();
                alone.triangles.clear();
                alone.heights.clear();
                alone.level = 0;
            } else {
                alone.field.reset();
                alone.tracks.reset();
            }
            if (alone.points.empty()) alone.name = alone.field ? alone.field->name : "";
            return completed(info, std::make_shared<const Geometry>(std::move(alone)), notes);
        },
        points ? "" : model_.source_text);
}

void Session::start_lab(const std::string& id) {
    if (!input_) return;
    start_opening(
        "Opening the lab", id,
        [before = input_](const LabInfo& info, std::vector<std::string>& notes) {
            for (std::string& sentence : left_out(info, *before)) notes.push_back(std::move(sentence));
            return completed(info, before, notes);
        },
        model_.source_text);
}

void Session::take_input(std::shared_ptr<const Geometry> input, const SpaceBounds& bounds, const std::string& source) {
    if (input_ != input || source != model_.source_text) ++input_revision_;
    input_ = std::move(input);
    bounds_ = bounds;
    end_messages_of_run();
    model_.loaded = true;
    model_.source_text = source;
    model_.input_name = input_->name;
    model_.input_count = input_->points.size();
    model_.history = {};
    model_.position = 0;
    model_.inspection = {};
    model_.result.reset();
    model_.numbers.clear();
    model_.histograms.clear();
    model_.curves.clear();
    forget_findings(0);
    model_.found = 0;
    let_go();
    drop_drafts();
}

}  // namespace flipscope::app
