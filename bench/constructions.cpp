#include "bench/constructions.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/tables.h"
#include "geometry/generators.h"
#include "lab/registry.h"

#ifdef FLIPSCOPE_WITH_CGAL
#include "bench/cgal.h"
#endif

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCgal = "cgal";
/// Limit for constructions that copy candidates or insert points one by one, if others run.
constexpr uint64_t kMostOfSlow = 10'000'000;

const std::vector<std::string>& known_constructions() {
    static const std::vector<std::string> known{
        "strips", "build", "subdivide", "serial",
#ifdef FLIPSCOPE_WITH_CGAL
        kCgal,
#endif
    };
    return known;
}

struct Row {
    std::vector<std::unique_ptr<Contestant>> contestants;
    std::vector<const Ours*> ours;  // by index; nullptr: a peer
};

Row contestants_for(const Plan& plan, const std::vector<std::string>& constructions,
                    const std::shared_ptr<const Geometry>& points, bool kernels) {
    Row row;
    for (const std::string& id : constructions) {
        const bool parallel = id == "strips" || id == "build";
        if (!parallel && points->points.size() > kMostOfSlow) continue;
#ifdef FLIPSCOPE_WITH_CGAL
        if (id == kCgal) {
            row.contestants.push_back(make_cgal(*points));
            row.ours.push_back(nullptr);
            continue;
        }
#endif
        const DeviceRequest device = lab_info(id).on_cpu_only ? DeviceRequest::kCpu : plan.device;
        auto one = std::make_unique<Ours>(device, plan.threads, id, Settings{}, points, plan.fresh);
        one->set_timed(kernels);
        row.ours.push_back(one.get());
        row.contestants.push_back(std::move(one));
    }
    return row;
}

void print_kernels(const std::string& name, const Profile& profile) {
    std::vector<LabelTiming> kernels = profile.kernels;
    std::sort(kernels.begin(), kernels.end(),
              [](const LabelTiming& a, const LabelTiming& b) { return a.total_ms > b.total_ms; });
    double inside = 0;
    std::printf("  %s:", name.c_str());
    for (const LabelTiming& kernel : kernels) {
        inside += kernel.total_ms;
        if (kernel.total_ms > 0.01 * profile.all_runs_ms)
            std::printf(" %s %.1f %% (%.0f)", kernel.label.c_str(), 100 * kernel.total_ms / profile.all_runs_ms,
                        double(kernel.calls) / double(profile.runs));
    }
    std::printf("; outside kernels %.1f %%\n", 100 * (1 - inside / profile.all_runs_ms));
}

}  // namespace

void choose_constructions(const std::vector<std::string>& only, Plan& plan, std::vector<std::string>& constructions) {
    std::vector<std::string> distributions;
    constructions.clear();
    for (const std::string& word : only) {
        const auto& known = known_constructions();
        if (std::find(known.begin(), known.end(), word) != known.end()) {
            constructions.push_back(word);
            continue;
        }
        parse_generator(word + ":3");  // throws for unknown names
        distributions.push_back(word);
    }
    if (!distributions.empty()) plan.distributions = distributions;
    if (constructions.empty()) constructions = known_constructions();
}

bool run_constructions(const Plan& plan, const std::vector<std::string>& constructions, bool kernels, Json& json) {
    const bool on_cuda = plan.on_cuda();
    std::printf("Medians in ms, in turns, from points in memory to the triangulation; memory %s.\n",
                plan.fresh ? "allocated for every run" : "kept between runs");
    std::printf("%-18s %10s", "input", "points");
    if (on_cuda) std::printf(" %9s", "upload");
    for (const std::string& id : constructions) std::printf(" %10s", id.c_str());
    const bool peer = std::find(constructions.begin(), constructions.end(), kCgal) != constructions.end();
    if (peer && !on_cuda)
        for (const std::string& id : constructions)
            if (id != kCgal) std::printf(" %12s", (id + "/cgal").c_str());
    std::printf("   B/point of %s\n", constructions.front().c_str());
    bool agree = true;
    json["constructions"] = Json::array();
    for (const std::string& distribution : plan.distributions)
        for (const uint64_t size : plan.sizes) {
            const auto points = make_points(distribution, size, plan.seed);
            if (!points) continue;
            Row row = contestants_for(plan, constructions, points, kernels);
            Patience patience = plan.patience;
            patience.warm_up = !plan.fresh || size < 1'000'000;
            const std::vector<Measurement> measured = measure(row.contestants, patience);
            const double upload = on_cuda ? measure_upload(*points) : 0;
            Json line{{"distribution", distribution}, {"points", points->points.size()}, {"upload_ms", upload}};
            std::printf("%-18s %10zu", distribution.c_str(), points->points.size());
            if (on_cuda) std::printf(" %9.3f", upload);
            const auto median_of = [&](const std::string& id) {
                for (const Measurement& one : measured)
                    if (one.name == id) return one.median();
                return 0.0;
            };
            for (const std::string& id : constructions) {
                const double ms = median_of(id);
                ms > 0 ? std::printf(" %10.3f", ms) : std::printf(" %10s", "-");
            }
            if (const double cgal = median_of(kCgal); peer && !on_cuda && cgal > 0)
                for (const std::string& id : constructions)
                    if (id != kCgal) std::printf(" %12.3f", median_of(id) / cgal);
            const Ours* first = row.ours.front();
            const double bytes = first ? double(first->peak_bytes()) / double(points->points.size()) : 0;
            std::printf("   %.0f\n", bytes);
            line["times"] = times_json(measured);
            line["peak_bytes_per_point"] = bytes;
            uint64_t hash = 0;
            for (size_t k = 0; k < row.ours.size(); ++k) {
                if (!row.ours[k]) continue;
                const uint64_t made = row.ours[k]->result().triangulation_hash;
                if (hash != 0 && made != hash) {
                    agree = false;
                    std::printf("  DIFFERENT TRIANGLES from %s\n", measured[k].name.c_str());
                }
                hash = made;
                line["kernels"][measured[k].name] = shares_json(row.ours[k]->profile());
                const bool largest = size == plan.sizes.back() && measured[k].name != "serial";
                if (kernels && largest) print_kernels(measured[k].name, row.ours[k]->profile());
            }
            for (const Measurement& one : measured)
                if (one.triangles != measured.front().triangles) {
                    agree = false;
                    std::printf("  %s: %llu triangles, %s: %llu\n", one.name.c_str(), (unsigned long long)one.triangles,
                                measured.front().name.c_str(), (unsigned long long)measured.front().triangles);
                }
            std::fflush(stdout);
            json["constructions"].push_back(std::move(line));
        }
    return agree;
}

std::vector<Figure> figures_of_constructions(const Json& json) {
    std::vector<Figure> figures;
    for (const Json& line : json.at("constructions")) {
        const std::string title = line.at("distribution");
        if (figures.empty() || figures.back().title != title) {
            figures.emplace_back();
            figures.back().title = title;
            figures.back().x_label = "points";
            figures.back().y_label = "ns a point";
        }
        const auto& known = known_constructions();
        for (const auto& [name, times] : line.at("times").items()) {
            const auto place = std::find(known.begin(), known.end(), name);
            const int colour = static_cast<int>(place - known.begin());
            Curve& curve = figures.back().curve(name, colour, name == kCgal || name == "serial" ? 1 : 0);
            const double n = line.at("points");
            curve.x.push_back(n);
            curve.y.push_back(times.at("median_ms").get<double>() * 1e6 / n);
        }
    }
    return figures;
}

}  // namespace flipscope::bench
