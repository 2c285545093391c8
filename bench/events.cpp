#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/experiments.h"
#include "events/detection/events_chain.h"
#include "events/sources/source.h"
#include "lab/parameters.h"
#include "labs/events/source_parameters.h"

namespace flipscope::bench {

namespace {

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
    Measurement rounds;                       // of each comparison, including the source's steps
    std::map<std::string, double> passes_ms;  // of all comparisons together, by pass
    double bubbles = 0, links = 0, events = 0;
    CheckReport check;

    double count() const { return static_cast<double>(std::max<size_t>(rounds.samples_ms.size(), 1)); }
};

Run run_lab(const Task& task, const Settings& settings, bool timed) {
    Context context(task.device, task.threads);
    context.set_timed(timed);
    const std::unique_ptr<Lab> lab = make_lab_with("events", settings);
    lab->reset(context, std::make_shared<Geometry>());
    Run run;
    Clock::time_point start;
    lab->finish([&](const StepResult& result) {
        context.synchronize();
        if (result.round > 0)
            run.rounds.samples_ms.push_back(ms_since(start));
        else
            context.timings().clear();  // the first frame allocates
        start = Clock::now();
    });
    context.synchronize();
    context.collect_timings();
    for (const LabelTiming& row : context.timings().rows()) run.passes_ms[pass_of(row.label)] += row.total_ms;
    const Result result = lab->result();
    if (const Property* bubbles = result.numbers.find("bubbles")) run.bubbles = bubbles->value.number();
    if (const Property* links = result.numbers.find("links")) run.links = links->value.number();
    run.events = static_cast<double>(facet<Detector>(*lab).detection_count());
    run.check = facet<Checkable>(*lab).check();
    return run;
}

/// Time of the source alone, ms per step: steps shown one by one, or `at_once` together.
double step_ms(const Task& task, const Settings& settings, int at_once) {
    Context context(task.device, task.threads);
    context.set_timed(false);
    SourceParameters parameters;
    for (const std::string& setting : settings) {
        const size_t sign = setting.find('=');
        set_if_known([&](ParameterVisitor& visitor) { visit_source_parameters(visitor, parameters); },
                     setting.substr(0, sign), setting.substr(sign + 1));
    }
    const std::unique_ptr<Source> source = start_source(context, parameters, nullptr);
    source->advance(context, 1);
    context.synchronize();
    const Contestant steps = timed("", [&] {
        source->advance(context, static_cast<uint32_t>(at_once));
        context.synchronize();
    });
    return measure({steps}, {3, 20 / std::min(at_once, 10), 200, false}).front().median() / at_once;
}

bool run_source(const Task& task, const std::string& source, Table& table) {
    const int count = task.most > 0 ? static_cast<int>(std::min(task.most, 1e6)) : kBubbles;
    Settings settings{"source=" + source,
                      "width=" + std::to_string(kLatticeWidth),
                      "height=" + std::to_string(kLatticeHeight),
                      "count=" + std::to_string(count),
                      "interval=" + std::to_string(kInterval),
                      "comparisons=" + std::to_string(task.runs > 0 ? task.runs : kComparisons)};
    settings.insert(settings.end(), task.settings.begin(), task.settings.end());  // take precedence
    const Run run = run_lab(task, settings, true);
    double kernels_ms = 0;
    for (const auto& [pass, ms] : run.passes_ms)
        if (pass != "source") kernels_ms += ms / run.count();
    // Wall times are measured without timing every kernel. Comparing at every step leaves little of the source in a
    // round; the remainder is subtracted.
    Settings dense = settings;
    dense.push_back("interval=1");
    const Run each_step = run_lab(task, dense, false);
    const double step = step_ms(task, settings, 1), chain = each_step.rounds.median() - step;
    const double together = step_ms(task, settings, kInterval);
    Json row{{"source", source},
             {"bubbles", run.bubbles},
             {"links", run.links},
             {"events_each", run.events / run.count()},
             {"chain_kernels_ms", kernels_ms},
             {"chain_wall_ms", chain},
             {"events_of_wall", each_step.events / each_step.count()},
             {"step_ms", step},
             {"added_share", chain / (kInterval * step)}};
    // A field given as a formula of time has no steps in between.
    const bool takes_all = together > 0.01 * step;
    row["step_at_once_ms"] = takes_all ? Json(together) : Json();
    row["added_share_at_once"] = takes_all ? Json(chain / (kInterval * together)) : Json();
    row["chain_wall_apart_ms"] = takes_all ? Json() : Json(run_lab(task, settings, false).rounds.median() - step);
    row["passes_ms"] = Json::array();
    for (const auto& [pass, ms] : run.passes_ms) row["passes_ms"].push_back({{"pass", pass}, {"ms", ms / run.count()}});
    table.add(std::move(row));
    for (const auto& [pass, ms] : run.passes_ms)
        if (pass != "source")
            std::printf("    %-12s %10.3f ms %5.1f %%\n", pass.c_str(), ms / run.count(),
                        100 * ms / run.count() / kernels_ms);
    if (!run.check.passed) std::printf("  CHECK FAILED: %s\n", run.check.sentence.c_str());
    return run.check.passed;
}

}  // namespace

bool run_events(const Task& task, Json& json) {
    std::vector<std::string> sources = task.only;
    if (sources.empty()) sources = {"bubbles", "channel"};
    for (const std::string& source : sources)
        make_lab_with("events", {"source=" + source});  // throws for unknown names
    Table table(
        json["events"],
        "The chain from field to events, without the source: kernels of a comparison every 100 steps, wall time "
        "of one at every step; the share that comparing every 100 steps adds to the source");
    bool sound = true;
    for (const std::string& source : sources) sound &= run_source(task, source, table);
    return sound;
}

}  // namespace flipscope::bench
