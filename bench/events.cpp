#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "bench/parts.h"
#include "events/detection/events_chain.h"
#include "events/sources/source.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "labs/events/source_parameters.h"

namespace flipscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLatticeWidth = 2048, kLatticeHeight = 1024;  // the paper's lattice
constexpr int kBubbles = 2000;                              // about its number of droplets
constexpr int kInterval = 100;                              // steps between comparisons
constexpr int kComparisons = 30;                            // of each run

/// The pass that a kernel belongs to, by its label.
std::string pass_of(const std::string& label) {
    const std::string folder = label.substr(0, label.find('.'));
    if (folder == "bins") return "colour";
    if (folder != "components") return folder;
    if (label == "components.threshold" || label == "components.show") return "threshold";
    const bool labels = label == "components.join" || label == "components.rank" || label == "components.label";
    return labels ? "label" : "measure";
}

struct Run {
    std::vector<double> rounds_ms;            // wall time of each comparison, including the source's steps
    std::map<std::string, double> passes_ms;  // of all comparisons together, by pass
    std::vector<LabelTiming> kernels;
    double bubbles = 0, links = 0, events = 0;
    bool sound = true;
    std::string complaint;
};

Run run_lab(const Task& task, const Settings& settings, bool timed) {
    Context context(task.device, task.threads);
    context.set_timed(timed);
    const std::unique_ptr<Lab> lab = make_lab("events");
    for (const auto& [name, value] : settings) set_parameter(*lab, name, value);
    lab->set_records_states(false);
    lab->reset(context, std::make_shared<Geometry>());
    Run run;
    Clock::time_point start;
    lab->finish([&](const StepResult& result) {
        context.synchronize();
        if (result.round > 0)
            run.rounds_ms.push_back(ms_since(start));
        else
            context.timings().clear();  // the first frame allocates
        start = Clock::now();
    });
    context.synchronize();
    context.collect_timings();
    run.kernels = context.timings().rows();
    for (const LabelTiming& row : run.kernels) run.passes_ms[pass_of(row.label)] += row.total_ms;
    const Result result = lab->result();
    if (const Property* bubbles = result.numbers.find("bubbles")) run.bubbles = bubbles->value.number();
    if (const Property* links = result.numbers.find("links")) run.links = links->value.number();
    run.events = static_cast<double>(facet<Detector>(*lab).detection_count());
    const CheckReport report = facet<Checkable>(*lab).check();
    run.sound = report.passed;
    run.complaint = report.sentence;
    return run;
}

/// Time of the source alone, ms per step: steps shown one by one, or `at_once` together.
double step_ms(const Task& task, const Settings& settings, uint32_t at_once) {
    Context context(task.device, task.threads);
    context.set_timed(false);
    SourceParameters parameters;
    for (const auto& [name, value] : settings)
        set_if_known([&](ParameterVisitor& visitor) { visit_source_parameters(visitor, parameters); }, name, value);
    const std::unique_ptr<Source> source = start_source(context, parameters, nullptr);
    source->advance(context, 1);
    context.synchronize();
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    while (times.size() < 200 && (times.size() < 20 / std::min(at_once, 10u) || ms_since(begin) < 3000)) {
        const Clock::time_point start = Clock::now();
        source->advance(context, at_once);
        context.synchronize();
        times.push_back(ms_since(start) / at_once);
    }
    return median(times);
}

bool run_source(const Task& task, const std::string& source, nlohmann::ordered_json& json) {
    Settings settings{{"source", source},
                      {"width", std::to_string(kLatticeWidth)},
                      {"height", std::to_string(kLatticeHeight)},
                      {"count", std::to_string(task.most > 0 ? static_cast<int>(std::min(task.most, 1e6)) : kBubbles)},
                      {"interval", std::to_string(kInterval)},
                      {"comparisons", std::to_string(task.runs > 0 ? task.runs : kComparisons)}};
    settings.insert(settings.end(), task.settings.begin(), task.settings.end());
    std::string size[2];  // --set takes precedence
    for (const auto& [name, value] : settings)
        if (name == "width" || name == "height") size[name == "height"] = value;
    const Run run = run_lab(task, settings, true);
    const double count = static_cast<double>(std::max<size_t>(run.rounds_ms.size(), 1));
    const double source_ms = run.passes_ms.count("source") ? run.passes_ms.at("source") / count : 0;
    double kernels_ms = 0;
    for (const auto& [pass, ms] : run.passes_ms) kernels_ms += ms / count;
    const double wall = median(run.rounds_ms);
    // Wall times are measured without timing every kernel. Comparing at every step leaves little of the source in a
    // round; the remainder is subtracted.
    Settings dense = settings;
    dense.push_back({"interval", "1"});
    const Run each_step = run_lab(task, dense, false);
    const double step = step_ms(task, settings, 1), chain = median(each_step.rounds_ms) - step;

    std::printf("\n%s: %s x %s sites, %.0f bubbles, %.0f links, %.0f events in %zu comparisons every %d steps\n",
                source.c_str(), size[0].c_str(), size[1].c_str(), run.bubbles, run.links, run.events,
                run.rounds_ms.size(), kInterval);
    std::printf("  %-12s %10s %8s\n", "pass", "ms", "share");
    auto& passes = json["passes_ms"] = nlohmann::ordered_json::object();
    const auto& info = lab_info("events");
    for (const PassInfo& pass : info.passes) {
        if (!run.passes_ms.count(pass.name)) continue;
        const double ms = run.passes_ms.at(pass.name) / count;
        std::printf("  %-12s %10.3f %7.1f%%\n", pass.name.c_str(), ms, 100 * ms / (kernels_ms - source_ms));
        passes[pass.name] = ms;
    }
    for (const auto& [pass, ms] : run.passes_ms) {
        const bool known = std::any_of(info.passes.begin(), info.passes.end(),
                                       [&, name = pass](const PassInfo& one) { return one.name == name; });
        if (!known && pass != "source") std::printf("  %-12s %10.3f\n", pass.c_str(), ms / count);
    }
    std::printf("  %-12s %10.3f   of kernels\n", "chain", kernels_ms - source_ms);
    std::printf("  %-12s %10.3f   wall, every step, with %.0f events a comparison, less a step of the source\n",
                "chain", chain,
                each_step.events / static_cast<double>(std::max<size_t>(each_step.rounds_ms.size(), 1)));
    const uint32_t at_once = kInterval;
    const double together = step_ms(task, settings, at_once);
    // A field given as a formula of time has no steps in between.
    const bool takes_all = together > 0.01 * step;
    if (!takes_all) {
        const Run far_apart = run_lab(task, settings, false);
        const double chain_far_apart = median(far_apart.rounds_ms) - step;
        std::printf("  %-12s %10.3f   wall, every %d steps, with %.0f events a comparison, less a step\n", "chain",
                    chain_far_apart, kInterval, run.events / count);
        json["chain_wall_apart_ms"] = chain_far_apart;
    }
    std::printf("  %-12s %10.3f   the source alone\n", "a step", step);
    if (takes_all) std::printf("  %-12s %10.3f   the source alone, %u at once\n", "a step", together, at_once);
    std::printf("  comparing every %d steps adds %.2f%% to the source", kInterval, 100 * chain / (kInterval * step));
    if (takes_all) std::printf(", %.2f%% to steps taken at once", 100 * chain / (kInterval * together));
    std::printf("\n");
    if (!run.sound) std::printf("  CHECK FAILED: %s\n", run.complaint.c_str());
    json["source"] = source;
    json["sites"] = {std::stoi(size[0]), std::stoi(size[1])};
    json["bubbles"] = run.bubbles;
    json["links"] = run.links;
    json["events"] = run.events;
    json["interval"] = kInterval;
    json["round_wall_ms"] = wall;
    json["chain_kernels_ms"] = kernels_ms - source_ms;
    json["chain_wall_ms"] = chain;
    json["source_step_ms"] = step;
    json["added_share"] = chain / (kInterval * step);
    json["source_step_at_once_ms"] = together;
    json["added_share_at_once"] = chain / (kInterval * together);
    json["check"] = run.sound;
    return run.sound;
}

}  // namespace

bool run_events(const Task& task, nlohmann::ordered_json& json) {
    std::vector<std::string> sources = task.only;
    if (sources.empty()) sources = {"bubbles", "channel"};
    for (const std::string& source : sources) set_parameter(*make_lab("events"), "source", source);
    bool sound = true;
    json["events"] = nlohmann::ordered_json::array();
    for (const std::string& source : sources) {
        nlohmann::ordered_json one;
        sound = run_source(task, source, one) && sound;
        json["events"].push_back(std::move(one));
    }
    return sound;
}

}  // namespace flipscope::bench
