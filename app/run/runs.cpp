#include "app/run/runs.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "app/base/endings.h"
#include "compute/error.h"
#include "compute/printable.h"

namespace flipscope::app {

PreparedRun prepare_run(Scenario scenario, const std::optional<uint32_t>& block_size) {
    if (!scenario.lab.empty()) make_scenario_lab(scenario);
    PreparedRun run{std::move(scenario), {}, nullptr};
    run.input = load_input(run.scenario);
    settle_lab(run.scenario, run.input);
    if (const auto& colour = run.scenario.colour_by) {
        const std::string place = run.scenario.place("colour_by"), id = printable(colour->id());
        explored_of(colour->id(), run.input.geometry.get(), (place.empty() ? "--colour-by " : place + ": ") + id);
    }
    if (block_size) add_block_size(run.scenario, *block_size);
    run.lab = make_scenario_lab(run.scenario);
    if (std::string told = told_of(run.scenario); !told.empty()) run.input.notes.push_back(std::move(told));
    return run;
}

std::unique_ptr<Context> open_device(DeviceRequest device, int threads, const std::optional<uint32_t>& block_size) {
    auto context = demand([&] { return std::make_unique<Context>(device, threads); });
    if (block_size) context->set_block_size(*block_size);
    if (const char* launches = std::getenv("FLIPSCOPE_LOSE_DEVICE"))  // for tests
        context->lose_after(std::strtoull(launches, nullptr, 10));
    return context;
}

CheckReport check_of(const Lab& lab) {
    if (const auto* checkable = find_facet<Checkable>(lab)) return checkable->check();
    CheckReport report;
    report.checked = report.passed = false;
    report.sentence = "the " + lab.info().title + " has no check";
    return report;
}

void require_check(const Lab& lab, const std::string& asked) {
    if (!find_facet<Checkable>(lab)) throw Error(asked + ": the " + lab.info().title + " has no check; run it without");
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
