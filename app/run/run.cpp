#include "app/run/run.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/base/endings.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "instruments/area_source.h"

namespace flipscope::app {

Run::Run(Scenario scenario, const std::optional<uint32_t>& block_size) : scenario_(std::move(scenario)) {
    std::unique_ptr<Lab> lab;
    if (!scenario_.lab.empty()) lab = make_scenario_lab(scenario_, &defaults_);
    input_ = load_input(scenario_);
    if (!lab) {
        const bool any_triangles = !scenario_.triangles.empty() || !scenario_.triangles_given.empty();
        scenario_.lab = any_triangles ? "judge" : lab_for(*input_.geometry);  // given triangles may be invalid
        lab = make_scenario_lab(scenario_, &defaults_);
    }
    const LabInfo& info = lab->info();
    placed(scenario_.place("lab"), [&] { require_fit(info, *input_.geometry); });
    timeline_ = std::make_unique<Timeline>(std::move(lab));
    if (scenario_.seed && scenario_.points.empty()) {
        const std::string place = scenario_.place("seed").empty() ? "--seed" : scenario_.place("seed");
        if (!set_default("seed", *scenario_.seed, place))
            add_note(place + ": the seed has no effect: nothing is generated here");
    }
    input_.geometry = fitted(info, input_.geometry, input_.notes);
    if (const auto& colour = scenario_.colour_by) {
        const std::string place = scenario_.place("colour_by"), id = printable(colour->id());
        explored_of(colour->id(), input_.geometry.get(), (place.empty() ? "--colour-by " : place + ": ") + id);
    }
    if (!scenario_.within.empty()) {
        const std::string place = scenario_.place("within");
        area_ = placed(place.empty() ? "--within" : place, [&] {
            return std::make_shared<const StudyArea>(read_area(scenario_.within, input_.geometry.get(), &input_.notes));
        });
    }
    if (block_size) set_default("block_size", *block_size, "");
    if (std::string words = description(scenario_); !words.empty()) add_note(std::move(words));
}

/// False: the lab has no such parameter.
bool Run::set_default(const std::string& name, uint64_t value, const std::string& place) {
    if (std::none_of(defaults_.begin(), defaults_.end(), [&](const auto& one) { return one.name == name; }))
        return false;
    if (scenario_.sets(name)) return true;
    scenario_.set({name, std::to_string(value)}, place);
    set_parameter(lab(), name, std::to_string(value), place);
    return true;
}

const StepResult* Run::last_pass() const {
    const uint64_t at = timeline_->position();
    return at > 0 ? &timeline_->result(at - 1) : nullptr;
}

std::string Run::caption() const {
    const LabInfo& info = lab().info();
    return input_text(info, geometry(), input_.text) + ", " +
           state_text(info, timeline_->position(), last_pass(), timeline_->done());
}

std::unique_ptr<Context> open_device(DeviceRequest device, const DeviceOptions& options) {
    auto context = as_user_error([&] { return std::make_unique<Context>(device, options.threads); });
    if (options.block_size) context->set_block_size(*options.block_size);
    if (const char* launches = std::getenv("FLIPSCOPE_LOSE_DEVICE"))  // for tests
        context->lose_after(std::strtoull(launches, nullptr, 10));
    return context;
}

std::string input_text(const LabInfo& info, const Geometry& input, const std::string& text) {
    return input.has_nothing() ? info.title : text;
}

std::string state_text(const LabInfo& info, uint64_t position, const StepResult* last, bool done, uint64_t known) {
    if (position == 0) return done ? "the end" : "at the start";
    std::string text = "pass " + std::to_string(position);
    if (known > position) text += " of " + std::to_string(known);
    if (last) text += ": " + info.passes.at(last->pass).name;
    return text + (done ? ", the end" : "");
}

CheckReport check_of(const Lab& lab) {
    if (const auto* checkable = find_facet<Checkable>(lab)) return checkable->check();
    CheckReport report;
    report.checked = report.passed = false;
    report.sentence = "the " + lab.info().title + " has no check";
    return report;
}

void require_check(const Lab& lab, const std::string& option) {
    if (!find_facet<Checkable>(lab))
        throw Error(option + ": the " + lab.info().title + " has no check; run it without");
}

bool is_exact(const Lab& lab) {
    const auto* checkable = find_facet<Checkable>(lab);
    return !checkable || checkable->is_exact();
}

bool needs_check(const Lab& lab) {
    const auto* checkable = find_facet<Checkable>(lab);
    return checkable && checkable->needs_check();
}

bool end_needs_check(const Lab& lab) { return needs_check(lab) && lab.done(); }

Report statistics_of(const Lab& lab, const SceneStatistics* shown) {
    const auto* measurable = find_facet<Measurable>(lab);
    Report all = measurable ? measurable->statistics() : Report{};
    if (!shown) return all;
    std::vector<std::string> names;
    for (const Section& section : all.sections) names.push_back(section.title);
    for (const Section& section : shown->report().sections)
        if (std::find(names.begin(), names.end(), section.title) == names.end()) all.sections.push_back(section);
    return all;
}

Properties results_of(const Result& result, const LabInfo& info) {
    Properties all;
    all.add("points", result.points);
    all.add("duplicates", result.duplicates);
    if (info.makes_triangles) {
        all.add("unused vertices", result.unused);
        all.add("triangles", result.triangles);
        all.add("edges", result.edges);
        all.add("hull edges", result.hull_edges);
        all.add("lost hull edges", result.lost_hull_edges);
    }
    all.append(result.numbers);
    return all;
}

}  // namespace flipscope::app
