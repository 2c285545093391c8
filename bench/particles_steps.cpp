#include "bench/particles.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "bench/tables.h"
#include "particles/dynamics.h"
#include "particles/overlap_audit.h"

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kWarmUpSteps = 3;
constexpr double kWarmUpShare = 0.1;     // share of an entry's time; at least one step
constexpr double kPackedSpacing = 1.02;  // diameters, between neighbouring sites
constexpr size_t kFewestFitted = 3;      // sizes
constexpr size_t kLargestFitted = 4;     // sizes fitted for growth; below them launches and threads dominate

std::string hex(uint64_t hash) {
    char text[20];
    std::snprintf(text, sizeof text, "%016" PRIx64, hash);
    return text;
}

/// One configuration at one size.
struct Entry {
    std::string config;
    uint32_t n = 0;
    uint64_t warm_up = 0;                                         // steps before the measured ones
    std::vector<double> samples_ms;                               // one per step
    bool complete = false;                                        // all requested steps were made
    double pushes = 0, flip_passes = 0, flips = 0, rebuilds = 0;  // means per step
    double overlapping_first = 0;                                 // mean of the pairs before the first push of a step
    uint64_t overlapping_left = 0;                                // pairs, summed over the steps
    uint64_t missed_by_edges = 0;
    std::string hash, complaint;
    std::vector<LabelTiming> kernels;  // of the measured steps; longest first

    double mean_ms() const {
        double sum = 0;
        for (const double ms : samples_ms) sum += ms;
        return sum / static_cast<double>(samples_ms.size());
    }
};

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

/// The start of a run. make_start() draws from a lattice of hardly more than N sites, so that discs begin as far apart
/// as possible; the paper does not give its lattice's number of sites.
enum class Sites { kFewest, kPacked };

/// N sites of a nearly close-packed triangular lattice, drawn by reservoir sampling, in the lattice's order.
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

Entry run_entry(const ParticlesPlan& plan, Context& context, const std::string& config, uint32_t n, ForceLaw force,
                Sites sites) {
    ParticleModel model = named_model(config);
    model.count = n;
    model.force = force;
    model.seed = plan.seed;
    ParticleDynamics dynamics;
    dynamics.set_records_states(false);
    dynamics.reset(context, model, sites == Sites::kPacked ? packed_start(model) : make_start(model));
    Entry entry{config, n, 0, {}, false, 0, 0, 0, 0, 0, 0, 0, "", "", {}};
    context.synchronize();
    const double begin = seconds_now();
    do {
        dynamics.finish_round();
        context.synchronize();
        ++entry.warm_up;
    } while (entry.warm_up < kWarmUpSteps && seconds_now() - begin < kWarmUpShare * plan.patience.seconds);
    context.timings().clear();
    const double start = seconds_now();
    for (int step = 0; step < plan.steps; ++step) {
        const double from = seconds_now();
        if (step >= plan.patience.fewest && from - start > plan.patience.seconds) break;
        dynamics.finish_round();
        context.synchronize();
        entry.samples_ms.push_back((seconds_now() - from) * 1e3);
        context.collect_timings();
        const ParticleDynamics::StepSummary& summary = dynamics.last_step();
        entry.pushes += summary.pushes;
        entry.flip_passes += summary.flip_passes;
        entry.flips += static_cast<double>(summary.flips);
        entry.rebuilds += summary.rebuilds;
        entry.overlapping_first += static_cast<double>(summary.overlapping_first);
        entry.overlapping_left += summary.overlapping_left;
    }
    if (plan.kernels) {
        entry.kernels = context.timings().rows();
        std::sort(entry.kernels.begin(), entry.kernels.end(),
                  [](const LabelTiming& a, const LabelTiming& b) { return a.total_ms > b.total_ms; });
    }
    const auto steps = static_cast<double>(entry.samples_ms.size());
    for (double* mean : {&entry.pushes, &entry.flip_passes, &entry.flips, &entry.rebuilds, &entry.overlapping_first})
        *mean /= steps;
    entry.complete = entry.samples_ms.size() == static_cast<size_t>(plan.steps);
    entry.complaint = complaint_of(context, dynamics, entry.missed_by_edges);
    entry.hash = hex(dynamics.state_hash());
    return entry;
}

void print_entry(const Entry& entry) {
    const double ms = entry.mean_ms();
    std::printf("  %-6s %10s %12.3f %12.3f %10.2f %8.2f %8.2f %12.1f %10s %6zu  %s\n", entry.config.c_str(),
                with_commas(entry.n).c_str(), ms, median(entry.samples_ms), ms * 1e6 / entry.n, entry.pushes,
                entry.flip_passes, entry.flips, with_commas(entry.overlapping_left).c_str(), entry.samples_ms.size(),
                entry.hash.c_str());
    if (!entry.complaint.empty()) std::printf("  CHECK FAILED: %s\n", entry.complaint.c_str());
    const auto steps = static_cast<double>(entry.samples_ms.size());
    double kernels = 0;
    for (const LabelTiming& kernel : entry.kernels) {
        kernels += kernel.total_ms / steps;
        std::printf("    %-16s %8.2f launches %10.4f ms a step\n", kernel.label.c_str(),
                    static_cast<double>(kernel.calls) / steps, kernel.total_ms / steps);
    }
    if (!entry.kernels.empty()) std::printf("    all kernels %33.4f ms a step, of %.4f\n", kernels, ms);
}

Json entry_json(const Context& context, const char* force, const Entry& entry) {
    Json kernels = Json::array();
    for (const LabelTiming& kernel : entry.kernels)
        kernels.push_back({{"label", kernel.label}, {"calls", kernel.calls}, {"total_ms", kernel.total_ms}});
    return {{"configuration", entry.config},
            {"force", force},
            {"particles", entry.n},
            {"device", context.device_name()},
            {"ms_per_step", entry.mean_ms()},
            {"median_ms", median(entry.samples_ms)},
            {"pushes", entry.pushes},
            {"flip_passes", entry.flip_passes},
            {"flips", entry.flips},
            {"rebuilds", entry.rebuilds},
            {"overlapping_first", entry.overlapping_first},
            {"overlapping_left", entry.overlapping_left},
            {"missed_by_edges", entry.missed_by_edges},
            {"warm_up", entry.warm_up},
            {"steps", entry.samples_ms.size()},
            {"state_hash", entry.hash},
            {"kernels", kernels},
            {"check", entry.complaint.empty()}};
}

/// y = intercept + slope · log2 N by least squares.
struct Line {
    double slope = 0, intercept = 0;
    double explained = 0;  // share of y's variance, 0 … 1
};

Line fit_doublings(const std::vector<double>& sizes, const std::vector<double>& values) {
    const auto count = static_cast<double>(sizes.size());
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        const double doublings = std::log2(sizes[i]);
        x += doublings;
        y += values[i];
        xx += doublings * doublings;
        xy += doublings * values[i];
        yy += values[i] * values[i];
    }
    const double spread = count * xx - x * x, variance = count * yy - y * y;
    Line line;
    line.slope = (count * xy - x * y) / spread;
    line.intercept = (y - line.slope * x) / count;
    line.explained = variance > 0 ? line.slope * line.slope * spread / variance : 1;
    return line;
}

/// The entries of one configuration, with their growth.
struct Series {
    std::string config;
    std::vector<const Entry*> entries;           // by size
    size_t fitted_times = 0, fitted_counts = 0;  // 0: too few sizes
    double time_exponent = 0;                    // over the largest sizes
    double push_exponent = 0;                    // of pushes against N; 0 if a size needed none
    Line pushes, flip_passes;
};

/// Fits counts only of complete runs: pushes increase as particles meet.
Series fit_series(const std::string& config, const std::vector<Entry>& entries) {
    Series series;
    series.config = config;
    for (const Entry& entry : entries)
        if (entry.config == config) series.entries.push_back(&entry);
    std::vector<double> sizes, times;
    const size_t skipped = series.entries.size() > kLargestFitted ? series.entries.size() - kLargestFitted : 0;
    for (size_t i = skipped; i < series.entries.size(); ++i) {
        sizes.push_back(series.entries[i]->n);
        times.push_back(median(series.entries[i]->samples_ms));
    }
    if (sizes.size() >= kFewestFitted) {
        series.fitted_times = sizes.size();
        series.time_exponent = growth_exponent(sizes, times);
    }
    std::vector<double> complete, pushes, passes;
    for (const Entry* entry : series.entries) {
        if (!entry->complete) continue;
        complete.push_back(entry->n);
        pushes.push_back(entry->pushes);
        passes.push_back(entry->flip_passes);
    }
    if (complete.size() >= kFewestFitted) {
        series.fitted_counts = complete.size();
        series.pushes = fit_doublings(complete, pushes);
        series.flip_passes = fit_doublings(complete, passes);
        if (*std::min_element(pushes.begin(), pushes.end()) > 0)
            series.push_exponent = growth_exponent(complete, pushes);
    }
    return series;
}

Json fits_json(const std::vector<Series>& all) {
    Json json = Json::array();
    for (const Series& series : all) {
        Json row{{"configuration", series.config}};
        if (series.fitted_times > 0) {
            row["sizes_of_times"] = series.fitted_times;
            row["time_exponent"] = series.time_exponent;
        }
        if (series.fitted_counts > 0) {
            const auto line = [](const Line& one) {
                return Json{{"per_doubling", one.slope}, {"intercept", one.intercept}, {"explained", one.explained}};
            };
            row["sizes_of_counts"] = series.fitted_counts;
            row["pushes"] = line(series.pushes);
            row["push_exponent"] = series.push_exponent;
            row["flip_passes"] = line(series.flip_passes);
        }
        json.push_back(std::move(row));
    }
    return json;
}

bool run_steps(const ParticlesPlan& plan, ForceLaw force, Sites sites, Json& json) {
    const bool is_long = force == ForceLaw::kLongRange;
    const char* const name = is_long ? "long" : "short";
    Context context(plan.device, plan.threads);
    context.set_timed(plan.kernels);
    std::printf("\nTime steps with the %s-range force%s, means over the first %d steps, or %g s (figures 9 to 11)\n",
                name, sites == Sites::kPacked ? " from a packed lattice" : "", plan.steps, plan.patience.seconds);
    std::printf("  %-6s %10s %12s %12s %10s %8s %8s %12s %10s %6s  %s\n", "", "particles", "ms a step", "median ms",
                "ns each", "pushes", "passes", "flips", "left", "steps", "state hash");
    json = Json::object();
    json["rows"] = Json::array();
    std::vector<Entry> entries;
    std::map<std::string, double> next_seconds;  // estimate of a step at the next size
    std::map<std::string, uint32_t> stopped;     // size at which it stopped
    for (double size = plan.least; size <= plan.most * 1.0001; size *= 2) {
        const auto n = static_cast<uint32_t>(size + 0.5);
        for (const std::string& config : plan.configurations) {
            if (next_seconds[config] > plan.patience.seconds) {
                stopped.emplace(config, n);
                continue;
            }
            entries.push_back(run_entry(plan, context, config, n, force, sites));
            const Entry& entry = entries.back();
            next_seconds[config] = 1e-3 * entry.mean_ms() * (is_long ? 4 : 2);
            print_entry(entry);
            json["rows"].push_back(entry_json(context, name, entry));
        }
    }
    for (const auto& [config, n] : stopped)
        std::printf("  %s ends below N = %s, where one step would take more than %g s\n", config.c_str(),
                    with_commas(n).c_str(), plan.patience.seconds);
    std::vector<Series> all;
    for (const std::string& config : plan.configurations) all.push_back(fit_series(config, entries));
    json["fits"] = fits_json(all);
    for (const Series& series : all)
        if (series.fitted_times > 0)
            std::printf("  %s: median time as N^%.2f, pushes %+.2f and flip passes %+.2f for each doubling of N\n",
                        series.config.c_str(), series.time_exponent, series.pushes.slope, series.flip_passes.slope);
    return std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.complaint.empty(); });
}

struct Drawn {
    const char* key;
    const char* title;
    const char* y_label;
    bool y_linear;
};

}  // namespace

bool step_short_range(const ParticlesPlan& plan, Json& json) {
    return run_steps(plan, ForceLaw::kShortRange, Sites::kFewest, json);
}
bool step_long_range(const ParticlesPlan& plan, Json& json) {
    return run_steps(plan, ForceLaw::kLongRange, Sites::kFewest, json);
}

bool step_packed_starts(const ParticlesPlan& plan, Json& json) {
    return run_steps(plan, ForceLaw::kShortRange, Sites::kPacked, json);
}

std::vector<Figure> figures_of_steps(const Json& short_range, const Json& long_range) {
    const Drawn drawn[] = {{"median_ms", "A time step of particles (figure 9)", "ms a step, median", false},
                           {"pushes", "Rounds of pushes (figure 10)", "pushes a step, mean", true},
                           {"flip_passes", "Flip passes (figure 11)", "flip passes a step, mean", true}};
    std::vector<Figure> figures;
    for (const Drawn& one : drawn) {
        Figure figure{one.title, "particles", one.y_label, {}, {}, one.y_linear};
        std::vector<std::string> configs = {"c0", "c1", "c2", "c3", "c4"};
        for (const Json* section : {&long_range, &short_range}) {
            if (!section->is_object()) continue;
            for (const Json& row : section->at("rows")) {
                const std::string config = row.at("configuration"), force = row.at("force");
                Curve& curve = figure.curve(config + ", " + force, index_of(config, configs), force == "short");
                curve.x.push_back(row.at("particles"));
                curve.y.push_back(row.at(one.key));
            }
        }
        if (!figure.curves.empty()) figures.push_back(std::move(figure));
    }
    return figures;
}

}  // namespace flipscope::bench
