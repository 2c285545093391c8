#include "bench/experiments.h"

#include <algorithm>
#include <cmath>

#include "bench/tables.h"
#include "geometry/bounds.h"
#include "geometry/generators.h"
#include "lab/parameters.h"
#include "lab/registry.h"

#ifdef FLIPSCOPE_WITH_CGAL
#include "bench/cgal.h"
#endif

namespace flipscope::bench {

namespace {

constexpr const char* kOurs = "build";
constexpr uint64_t kWarmUpLimit = 1'000'000;  // from here on a cold start is within the noise

using Contestants = std::vector<std::unique_ptr<Contestant>>;

Settings with(Settings settings, const Settings& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

/// Lets `ours` and its peers take turns.
Case measure_case(const Plan& plan, std::unique_ptr<Ours> ours, Contestants peers, size_t points) {
    ours->set_name("ours");
    const Ours& first = *ours;
    peers.insert(peers.begin(), std::move(ours));
    Patience patience = plan.patience;
    patience.warm_up = points < kWarmUpLimit || plan.on_cuda();
    Case result;
    result.points = points;
    result.measurements = measure(peers, patience);
    result.reset_ms = median(first.reset_ms());
    result.peak_bytes = first.peak_bytes();
    result.profile = first.profile();
    return result;
}

Case run_case(const Plan& plan, const std::shared_ptr<const Geometry>& points, const Settings& more, bool with_peers) {
    Contestants peers;
    if (with_peers && plan.serial)  // on the CPU, whatever the device of ours
        peers.push_back(
            std::make_unique<Ours>(DeviceRequest::kCpu, plan.threads, "serial", Settings{}, points, plan.fresh));
    if (with_peers && plan.library)
        peers.push_back(std::make_unique<LibraryCall>(plan.device, plan.threads, points, plan.fresh));
#ifdef FLIPSCOPE_WITH_CGAL
    if (with_peers && plan.cgal) peers.push_back(make_cgal(*points));
#endif
    Case result = measure_case(
        plan, std::make_unique<Ours>(plan.device, plan.threads, kOurs, with(plan.settings, more), points, plan.fresh),
        std::move(peers), points->points.size());
    result.upload_ms = plan.on_cuda() ? measure_upload(*points) : 0;
    return result;
}

/// The same points scaled to the unit square, so that a square lattice closes on itself.
std::shared_ptr<const Geometry> into_unit_box(const Geometry& set) {
    auto scaled = std::make_shared<Geometry>(set);
    const auto [low, high] = bounds_of(set.points);
    const double row = std::sqrt(static_cast<double>(set.points.size()));
    const double extent = std::max(high.x - low.x, high.y - low.y);
    const double scale = extent > 0 ? (1 - 1 / row) / extent : 1;
    for (Point& p : scaled->points) p = {(p.x - low.x) * scale, (p.y - low.y) * scale};
    return scaled;
}

void keep(std::vector<Case>& cases, Case result, const char* experiment, const std::string& distribution,
          const std::string& variant, const OnCase& tell) {
    result.experiment = experiment;
    result.distribution = distribution;
    result.variant = variant;
    tell(result);
    cases.push_back(std::move(result));
}

std::vector<std::string> predicate_modes() {
    const auto algorithm = make_lab(kOurs);
    std::vector<std::string> modes;
    for (const auto& parameter : list_parameters(*algorithm))
        if (parameter.name == "predicate")
            for (const auto& option : parameter.options) modes.push_back(option.name);
    return modes;
}

}  // namespace

std::shared_ptr<const Geometry> make_points(const std::string& distribution, uint64_t count, uint64_t seed) {
    GeneratorSpec spec = parse_generator(distribution + ":3");
    spec.count = count;
    spec.seed = seed;
    for (const auto& generator : generators())
        if (generator.name == spec.name && count > generator.max_count) return nullptr;
    auto made = std::make_shared<Geometry>(generate(spec));
    return made->in_space() ? nullptr : made;
}

const Measurement* Case::find(const std::string& name) const { return bench::find(measurements, name); }

std::vector<Case> run_growth(const Plan& plan, const OnCase& tell) {
    std::vector<Case> cases;
    for (const auto& distribution : plan.distributions)
        for (const uint64_t size : plan.sizes)
            if (const auto points = make_points(distribution, size, plan.seed))
                keep(cases, run_case(plan, points, {}, true), "growth", distribution, "", tell);
    return cases;
}

std::vector<Case> run_block_sizes(const Plan& plan, uint64_t count, const OnCase& tell) {
    std::vector<Case> cases;
    if (!plan.on_cuda()) return cases;
    const auto points = make_points("uniform", count, plan.seed);
    for (const char* size : {"32", "64", "96", "128", "192", "256", "384", "512", "768", "1024"})
        keep(cases, run_case(plan, points, {{"block_size", size}}, false), "block size", "uniform", size, tell);
    return cases;
}

std::vector<Case> run_precisions(const Plan& plan, const OnCase& tell) {
    std::vector<Case> cases;
    const auto modes = predicate_modes();
    for (const auto& distribution : plan.distributions)
        for (const uint64_t size : plan.sizes)
            if (const auto points = make_points(distribution, size, plan.seed))
                for (const auto& mode : modes)
                    keep(cases, run_case(plan, points, {{"predicate", mode}}, false), "precision", distribution, mode,
                         tell);
    return cases;
}

std::vector<Case> run_torus(const Plan& plan, const OnCase& tell) {
    const Settings on_torus = with(plan.settings, {{"domain", "torus"}, {"box", "1"}});
    std::vector<Case> cases;
    for (const auto& distribution : plan.distributions)
        for (const uint64_t size : plan.sizes) {
            const auto made = make_points(distribution, size, plan.seed);
            if (!made || made->points.empty()) continue;
            const auto points = into_unit_box(*made);
            Contestants peers;
            auto plane = std::make_unique<Ours>(plan.device, plan.threads, kOurs, plan.settings, points, plan.fresh);
            plane->set_name("plane");
            peers.push_back(std::move(plane));
#ifdef FLIPSCOPE_WITH_CGAL
            if (plan.cgal) peers.push_back(make_periodic_cgal(*points, 1));
#endif
            auto ours = std::make_unique<Ours>(plan.device, plan.threads, kOurs, on_torus, points, plan.fresh);
            keep(cases, measure_case(plan, std::move(ours), std::move(peers), points->points.size()), "torus",
                 distribution, "", tell);
        }
    return cases;
}

std::map<std::string, double> exponents(const std::vector<Case>& cases, const std::string& distribution) {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> series;
    for (const auto& one : cases) {
        if (one.distribution != distribution) continue;
        for (const auto& measurement : one.measurements) {
            series[measurement.name].first.push_back(static_cast<double>(one.points));
            series[measurement.name].second.push_back(measurement.median());
        }
    }
    std::map<std::string, double> found;
    for (const auto& [name, points] : series)
        if (points.first.size() > 1) found[name] = growth_exponent(points.first, points.second);
    return found;
}

}  // namespace flipscope::bench
