#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "bench/particles.h"
#include "compute/error.h"
#include "compute/text.h"
#include "particles/dynamics.h"
#include "particles/overlap_audit.h"

namespace flipscope::bench {

namespace {

constexpr int kWarmUpSteps = 3;
constexpr double kWarmUpShare = 0.1;     // share of a row's time; at least one step
constexpr int kSteps = 100;              // limit per run, from the paper; fewer if patience runs out
constexpr double kPackedSpacing = 1.02;  // diameters, between neighbouring sites
constexpr size_t kFewestFitted = 3;      // sizes
constexpr size_t kLargestFitted = 4;     // sizes fitted for growth; below them launches and threads dominate

/// The result of the triangulation's own check and of a grid search for overlaps; empty: no complaint.
std::string complaint_of(Context& context, const ParticleDynamics& dynamics, uint64_t& missed) {
    const CheckReport report = dynamics.triangulation().check();
    if (!report.passed) return report.sentence;
    const OverlapAudit audit = audit_overlaps(
        context, particle_state(dynamics.triangulation(), dynamics.species().view(), dynamics.species_table()), 1);
    missed = audit.missed_by_edges;
    // With overlaps left, a third particle between a pair may separate it, so that it has no edge.
    if (dynamics.last_step().overlapping_left > 0 || audit.pairs_overlapping == 0) return "";
    return std::to_string(audit.pairs_overlapping) + " pairs overlap after a step that left none";
}

/// N sites of a nearly close-packed triangular lattice, drawn by reservoir sampling, in the lattice's order: neighbours
/// touch from the first step on. make_start() draws from a lattice of hardly more than N sites, so that discs begin as
/// far apart as possible; the paper does not give its lattice's number of sites.
ParticleStart packed_start(const ParticleModel& model) {
    const double side = side_of_box(model, model.count), spacing = kPackedSpacing;
    const auto columns = static_cast<uint32_t>(side / spacing);
    const uint32_t rows =
        static_cast<uint32_t>(side / (spacing * std::sqrt(3.0) / 2)) / 2 * 2;  // even, so that the lattice closes
    const uint64_t sites = uint64_t(columns) * rows;
    if (sites < model.count) return make_start(model);
    std::mt19937_64 random(model.seed);
    std::vector<Point> places;
    for (uint64_t site = 0; site < sites; ++site) {
        if (random() % (sites - site) >= model.count - places.size()) continue;
        const uint64_t row = site / columns, column = site % columns;
        places.push_back({(double(column) + 0.5 * double(row % 2)) * side / columns, double(row) * side / rows});
    }
    return make_start(model, places, {side, side}, "the packed lattice");
}

/// One configuration at one size: counts are means over the steps, but for what is left.
Json run_steps(const Task& task, Context& context, const ParticleModel& model, const std::string& name, bool packed) {
    ParticleDynamics dynamics;
    dynamics.set_records_states(false);
    dynamics.reset(context, model, packed ? packed_start(model) : make_start(model));
    const auto step_ms = [&] {
        const auto start = Clock::now();
        dynamics.finish_round();
        context.synchronize();
        return ms_since(start);
    };
    context.synchronize();
    const auto begin = Clock::now();
    int warm_up = 0;
    do {
        step_ms();
        ++warm_up;
    } while (warm_up < kWarmUpSteps && ms_since(begin) < 1e3 * kWarmUpShare * task.patience.seconds);
    context.timings().clear();
    Measurement steps;
    std::map<std::string, double> means;
    uint64_t left = 0, missed = 0;
    const auto start = Clock::now();
    const size_t most = task.runs > 0 ? task.runs : kSteps;
    while (steps.samples_ms.size() < most) {
        if (steps.samples_ms.size() >= size_t(task.patience.fewest) && ms_since(start) > 1e3 * task.patience.seconds)
            break;
        steps.samples_ms.push_back(step_ms());
        context.collect_timings();
        const ParticleDynamics::StepSummary& summary = dynamics.last_step();
        means["pushes"] += summary.pushes;
        means["flip_passes"] += summary.flip_passes;
        means["flips"] += static_cast<double>(summary.flips);
        means["rebuilds"] += summary.rebuilds;
        means["overlapping_first"] += static_cast<double>(summary.overlapping_first);
        left += summary.overlapping_left;
    }
    const auto count = static_cast<double>(steps.samples_ms.size());
    double sum_ms = 0;
    for (const double ms : steps.samples_ms) sum_ms += ms;
    Profile profile;
    profile.add(context, sum_ms);
    profile.runs = steps.samples_ms.size();
    const std::string complaint = complaint_of(context, dynamics, missed);
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016" PRIx64, dynamics.state_hash());
    Json row{{"configuration", name},       {"force", model.force == ForceLaw::kLongRange ? "long" : "short"},
             {"particles", model.count},    {"ms_per_step", sum_ms / count},
             {"median_ms", steps.median()}, {"ns_each", sum_ms / count * 1e6 / model.count}};
    for (const char* mean : {"pushes", "flip_passes", "flips", "rebuilds", "overlapping_first"})
        row[mean] = means[mean] / count;
    row.update(Json{{"overlapping_left", left},
                    {"missed_by_edges", missed},
                    {"warm_up", warm_up},
                    {"steps", steps.samples_ms.size()},
                    {"complete", steps.samples_ms.size() == most},
                    {"check", complaint.empty()},
                    {"state_hash", hash}});
    if (task.kernels) row["kernels"] = profile.to_json();
    if (!complaint.empty()) std::printf("  CHECK FAILED: %s\n", complaint.c_str());
    return row;
}

/// Growth of a configuration. Fits counts only of complete runs: pushes increase as particles meet.
Json fit_steps(const std::string& name, const Json& rows) {
    std::vector<double> sizes, times, complete, pushes, passes;
    for (const Json& row : rows) {
        if (row.at("configuration") != name) continue;
        sizes.push_back(row.at("particles"));
        times.push_back(row.at("median_ms"));
        if (!row.at("complete")) continue;
        complete.push_back(row.at("particles"));
        pushes.push_back(row.at("pushes"));
        passes.push_back(row.at("flip_passes"));
    }
    const auto skipped = static_cast<ptrdiff_t>(sizes.size() - std::min(sizes.size(), kLargestFitted));
    sizes.erase(sizes.begin(), sizes.begin() + skipped);
    times.erase(times.begin(), times.begin() + skipped);
    const bool times_fit = sizes.size() >= kFewestFitted, counts_fit = complete.size() >= kFewestFitted;
    const auto if_fit = [](bool fits, double value) { return fits && std::isfinite(value) ? Json(value) : Json(); };
    return {{"configuration", name},
            {"sizes_of_times", times_fit ? sizes.size() : 0},
            {"time_exponent", if_fit(times_fit, growth_exponent(sizes, times))},
            {"sizes_of_counts", counts_fit ? complete.size() : 0},
            {"push_exponent", if_fit(counts_fit, growth_exponent(complete, pushes))},
            {"pushes_per_doubling", if_fit(counts_fit, slope_of(complete, pushes))},
            {"flip_passes_per_doubling", if_fit(counts_fit, slope_of(complete, passes))}};
}

/// Time of a whole step of particles (forces, motion, untangling, flips and pushes) for the configurations of table 1
/// of the paper (its figures 9 to 11), and its growth compared with theirs. Returns false if a triangulation is not
/// Delaunay after the steps, or if a grid search finds an overlap that the edges miss.
bool step_particles(const Task& task, const std::vector<std::string>& configurations, ForceLaw force, bool packed,
                    Json& json) {
    Context context(task.device, task.threads);
    context.set_timed(task.kernels);
    Table table(json["rows"],
                std::string("Time steps with the ") + (force == ForceLaw::kLongRange ? "long" : "short") +
                    "-range force" + (packed ? " from a packed lattice" : "") +
                    ", means over the steps (figures 9 to 11)",
                6);
    std::map<std::string, double> next_seconds;  // estimate of a step at the next size
    std::map<std::string, uint64_t> stopped;     // size at which it stopped
    bool agree = true;
    for (const uint64_t n : task.sizes_by(2))
        for (const std::string& name : configurations) {
            if (next_seconds[name] > task.patience.seconds) {
                stopped.emplace(name, n);
                continue;
            }
            Json row =
                run_steps(task, context, particle_model(task, name, static_cast<uint32_t>(n), force), name, packed);
            next_seconds[name] = 1e-3 * row.at("ms_per_step").get<double>() * (force == ForceLaw::kLongRange ? 4 : 2);
            agree &= row.at("check").get<bool>();
            const Json kernels = row.value("kernels", Json::array());
            table.add(std::move(row));
            if (task.kernels) print_kernels("kernels", kernels);
        }
    for (const auto& [name, n] : stopped)
        std::printf("  %s ends below N = %s, where one step would take more than %g s\n", name.c_str(),
                    with_commas(n).c_str(), task.patience.seconds);
    Table fits(json["fits"], "Growth: times as powers of N; pushes and flip passes for each doubling of N", 6);
    for (const std::string& name : configurations) fits.add(fit_steps(name, json["rows"]));
    return agree;
}

bool step_short_range(const Task& task, const std::vector<std::string>& configurations, Json& json) {
    return step_particles(task, configurations, ForceLaw::kShortRange, false, json);
}
bool step_long_range(const Task& task, const std::vector<std::string>& configurations, Json& json) {
    return step_particles(task, configurations, ForceLaw::kLongRange, false, json);
}
/// The order of configurations by pushes depends on the start.
bool step_packed_starts(const Task& task, const std::vector<std::string>& configurations, Json& json) {
    return step_particles(task, configurations, ForceLaw::kShortRange, true, json);
}

struct ParticleSection {
    const char* name;
    bool (*run)(const Task&, const std::vector<std::string>& configurations, Json& json);
};
constexpr ParticleSection kParticleSections[] = {
    {"short-range", step_short_range}, {"long-range", step_long_range}, {"packed-starts", step_packed_starts},
    {"all-pairs", sum_all_pairs},      {"near-pairs", sum_near_pairs},  {"peer", compare_with_peer},
};

}  // namespace

ParticleModel particle_model(const Task& task, const std::string& configuration, uint32_t n, ForceLaw law) {
    ParticleModel model = named_model(configuration);
    model.count = n;
    model.force = law;
    model.seed = task.seed;
    return model;
}

#ifndef FLIPSCOPE_WITH_LAMMPS
bool compare_with_peer(const Task&, const std::vector<std::string>&, Json&) {
    std::printf("\nNear pairs beside LAMMPS: it was not built in (Debian: liblammps-dev)\n");
    return true;
}
#endif

bool run_particles(const Task& task, Json& json) {
    const std::vector<std::string> all{"c0", "c1", "c2", "c3", "c4"};
    std::vector<std::string> known = all, configurations;
    for (const ParticleSection& section : kParticleSections) known.emplace_back(section.name);
    require_known(task.only, known);
    Task sections = task;  // task.only without configurations
    sections.only.clear();
    for (const std::string& word : task.only)
        (std::find(all.begin(), all.end(), word) == all.end() ? sections.only : configurations).push_back(word);
    if (configurations.empty()) configurations = all;
    bool agree = true;
    for (const ParticleSection& section : kParticleSections)
        if (sections.wants(section.name)) agree &= section.run(task, configurations, json[section.name]);
    return agree;
}

std::vector<Figure> figures_of_particles(const Json& json) {
    struct Drawn {
        const char* key;
        const char* title;
        const char* y_label;
        bool y_linear;
    };
    std::vector<Figure> figures;
    for (const Drawn& one : {Drawn{"median_ms", "A time step of particles (figure 9)", "ms a step, median", false},
                             {"pushes", "Rounds of pushes (figure 10)", "pushes a step, mean", true},
                             {"flip_passes", "Flip passes (figure 11)", "flip passes a step, mean", true}}) {
        Figure figure{one.title, "particles", one.y_label, {}, {}, one.y_linear};
        std::vector<std::string> names{"c0", "c1", "c2", "c3", "c4"};
        for (const char* section : {"long-range", "short-range"}) {
            if (!json.contains(section)) continue;
            for (const Json& row : json.at(section).at("rows")) {
                const std::string name = row.at("configuration"), force = row.at("force");
                figure.curve(name + ", " + force, index_of(name, names), force == "short")
                    .add(row.at("particles"), row.at(one.key));
            }
        }
        if (!figure.curves.empty()) figures.push_back(std::move(figure));
    }
    if (!json.contains("all-pairs")) return figures;
    Figure pairs{"The sum over all pairs (figure 12)", "particles", "ms, median"};
    for (const Json& row : json.at("all-pairs"))
        for (const auto& [name, times] : row.at("times").items())
            pairs.curve(name, static_cast<int>(pairs.curves.size()), 0).add(row.at("particles"), times.at("median_ms"));
    figures.push_back(std::move(pairs));
    return figures;
}

}  // namespace flipscope::bench
