#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/experiments.h"
#include "compute/error.h"
#include "geometry/bounds.h"
#include "geometry/generators.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::bench {

namespace {

constexpr uint64_t kMostOfSlow = 10'000'000;  // points, for constructions that copy candidates or insert one by one
constexpr uint64_t kWarmUpLimit = 1'000'000;  // from here on a cold start is within the noise

/// A lab with settings, or CGAL.
struct Candidate {
    std::string name;
    std::string lab = name;
    Settings settings = {};
    bool compared = true;  // makes the same triangles as the others

    bool is_cgal() const { return name == "cgal"; }
    bool is_slow() const { return is_cgal() || lab == "serial" || lab == "subdivide"; }
};

struct Plan {
    std::vector<Candidate> candidates;
    bool fresh = false;  // memory is allocated for every run
    double box = 0;      // side of the periodic box; 0: none
};

/// A lab with its own context, so that memory is counted separately. `fresh`: a new lab for every run, with memory as
/// cold as for a peer that allocates every time; otherwise one is reset repeatedly, as in the window.
class Ours {
  public:
    Ours(const Task& task, const Candidate& candidate, std::shared_ptr<const Geometry> points, bool fresh)
        : context_(lab_info(candidate.lab).on_cpu_only ? DeviceRequest::kCpu : task.device, task.threads),
          candidate_(candidate),
          points_(std::move(points)),
          fresh_(fresh) {
        context_.set_timed(task.kernels);
    }

    /// reset(), finish() and synchronisation with the device.
    double run() {
        if (!lab_) lab_ = make_lab_with(candidate_.lab, candidate_.settings);
        context_.synchronize();
        context_.timings().clear();
        context_.reset_peak();
        const auto start = Clock::now();
        lab_->reset(context_, points_);
        if (!lab_->done()) lab_->finish({});
        context_.synchronize();
        const double run_ms = ms_since(start);
        peak_bytes = context_.peak_bytes();
        profile.add(context_, run_ms);
        result = lab_->result();
        if (fresh_) lab_.reset();
        return run_ms;
    }

    size_t peak_bytes = 0;
    Result result;
    Profile profile;

  private:
    Context context_;
    Candidate candidate_;
    std::shared_ptr<const Geometry> points_;
    bool fresh_;
    std::unique_ptr<Lab> lab_;
};

/// Time to upload the points to a CUDA device, median of a few, ms.
double measure_upload(const std::vector<Point>& points) {
    Context context(DeviceRequest::kCuda);
    const size_t bytes = points.size() * sizeof(Point);
    const auto memory = context.allocate("upload", bytes, Residence::kPrivate);
    const Contestant upload = timed("upload", [&] {
        context.copy(memory->data(), points.data(), bytes);
        context.synchronize();
    });
    return measure({upload}, {0, 5, 5, false}).front().median();
}

/// The same points scaled to the unit square, so that a square lattice closes on itself.
void scale_to_unit_box(std::vector<Point>& points) {
    const auto [low, high] = bounds_of(points);
    const double row = std::sqrt(static_cast<double>(points.size()));
    const double extent = std::max(high.x - low.x, high.y - low.y);
    const double scale = extent > 0 ? (1 - 1 / row) / extent : 1;
    for (Point& p : points) p = {(p.x - low.x) * scale, (p.y - low.y) * scale};
}

/// Adds a row, and prints a line for each contestant that makes other triangles than another.
bool run_case(const Task& task, const Plan& plan, const std::string& distribution, uint64_t size, Table& table) {
    Geometry made = made_points(distribution, size, task.seed);
    if (made.in_space()) throw Error("--only " + distribution + ": expected points of the plane");
    if (plan.box > 0) scale_to_unit_box(made.points);
    const auto points = std::make_shared<const Geometry>(std::move(made));
    std::vector<Contestant> contestants;
    std::vector<std::shared_ptr<Ours>> ours;  // by contestant; nullptr: CGAL
    std::vector<bool> compared;
    uint64_t triangles_of_cgal = 0;
    for (const Candidate& one : plan.candidates) {
        if (one.is_slow() && size > kMostOfSlow && plan.candidates.size() > 1) continue;
        compared.push_back(one.compared);
        ours.push_back(one.is_cgal() ? nullptr : std::make_shared<Ours>(task, one, points, plan.fresh));
        if (ours.back()) contestants.push_back({one.name, [lab = ours.back()] { return lab->run(); }});
#ifdef FLIPSCOPE_WITH_CGAL
        else
            contestants.push_back(make_cgal(points->points, plan.box, triangles_of_cgal));
#endif
    }
    Patience patience = task.patience;
    patience.warm_up = !plan.fresh || size < kWarmUpLimit;
    const std::vector<Measurement> measured = measure(contestants, patience);

    const auto count = static_cast<double>(points->points.size());
    Json row{{"distribution", distribution}, {"points", points->points.size()}};
    if (task.on_cuda()) row["upload_ms"] = measure_upload(points->points);
    add_times(row, measured, plan.candidates.back().name);
    row["ns_per_point"] = measured.front().median() * 1e6 / count;
    if (ours.front()) row["bytes_per_point"] = static_cast<double>(ours.front()->peak_bytes) / count;
    for (size_t k = 0; k < ours.size(); ++k)
        if (ours[k]) row["kernels"][measured[k].name] = ours[k]->profile.to_json();
    const Json kernels = row.value("kernels", Json::object());
    table.add(std::move(row));
    for (const auto& [name, of_one] : kernels.items())
        if (task.kernels && name != "serial") print_kernels(name, of_one);

    bool agree = true;
    uint64_t hash = 0, triangles = 0;
    for (size_t k = 0; k < ours.size(); ++k) {
        if (!compared[k]) continue;
        const uint64_t count_of_one = ours[k] ? ours[k]->result.triangles : triangles_of_cgal;
        const uint64_t hash_of_one = ours[k] ? ours[k]->result.triangulation_hash : hash;
        if ((triangles != 0 && count_of_one != triangles) || (hash != 0 && hash_of_one != hash)) {
            agree = false;
            std::printf("  DIFFERENT TRIANGLES from %s: %llu, not %llu\n", measured[k].name.c_str(),
                        static_cast<unsigned long long>(count_of_one), static_cast<unsigned long long>(triangles));
        }
        triangles = count_of_one;
        hash = hash_of_one;
    }
    return agree;
}

/// Growth of each contestant over the sizes of one distribution.
void fit_times(const std::string& distribution, Json& json) {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> series;
    for (const Json& row : json.at("cases")) {
        if (row.at("distribution") != distribution) continue;
        for (const auto& [name, times] : row.at("times").items()) {
            series[name].first.push_back(row.at("points"));
            series[name].second.push_back(times.at("median_ms"));
        }
    }
    for (const auto& [name, points] : series)
        if (points.first.size() > 1) {
            const double exponent = growth_exponent(points.first, points.second);
            std::printf("  %s, %s: time as n^%.3f\n", distribution.c_str(), name.c_str(), exponent);
            json["exponents"][distribution][name] = exponent;
        }
}

bool run_plan(const Task& task, Plan plan, Json& json) {
#ifndef FLIPSCOPE_WITH_CGAL
    std::erase_if(plan.candidates, [](const Candidate& one) { return one.is_cgal(); });
#endif
    std::vector<std::string> distributions;
    std::vector<Candidate> chosen;
    for (const std::string& word : task.only) {
        const auto named = [&](const Candidate& one) { return one.name == word; };
        const auto known = std::find_if(plan.candidates.begin(), plan.candidates.end(), named);
        if (known == plan.candidates.end()) {
            parse_generator(word + ":3");  // throws for unknown names
            distributions.push_back(word);
        } else {
            chosen.push_back(*known);
        }
    }
    if (!chosen.empty()) plan.candidates = chosen;
    if (distributions.empty()) distributions = {"uniform", "normal", "clusters", "grid", "ring"};
    json["exponents"] = Json::object();
    Table table(json["cases"],
                std::string("Medians in ms, in turns, from points in memory to the triangulation; memory ") +
                    (plan.fresh ? "allocated for every run." : "kept between runs."));
    bool agree = true;
    for (const std::string& distribution : distributions) {
        for (const uint64_t size : task.sizes_by(10)) agree &= run_case(task, plan, distribution, size, table);
        fit_times(distribution, json);
    }
    return agree;
}

/// Driver allocations take milliseconds, and no program pays for them in every triangulation.
bool is_fresh(const Task& task) { return !task.kept && !task.on_cuda(); }

}  // namespace

bool run_insertion(const Task& task, Json& json) {
    return run_plan(task, {{{"build", "build", task.settings}, {"serial"}, {"cgal"}}, is_fresh(task)}, json);
}

bool run_constructions(const Task& task, Json& json) {
    return run_plan(task, {{{"strips"}, {"build"}, {"subdivide"}, {"serial"}, {"cgal"}}}, json);
}

bool run_precisions(const Task& task, Json& json) {
    Plan plan{{}, is_fresh(task)};
    for (const ParameterDescription& parameter : list_parameters(*make_lab("build")))
        for (const auto& option : parameter.options) {
            if (parameter.name != "predicate") continue;
            Settings settings = task.settings;
            settings.push_back("predicate=" + option.name);
            plan.candidates.push_back({option.name, "build", settings, false});
        }
    return run_plan(task, plan, json);
}

bool run_torus(const Task& task, Json& json) {
    Settings on_torus = task.settings;
    on_torus.insert(on_torus.end(), {"domain=torus", "box=1"});
    return run_plan(
        task,
        {{{"periodic", "build", on_torus}, {"cgal"}, {"plane", "build", task.settings, false}}, is_fresh(task), 1},
        json);
}

std::vector<Figure> figures_of_constructions(const Json& json) {
    std::vector<Figure> figures;
    std::vector<std::string> names;
    for (const Json& row : json.at("cases")) {
        const std::string title = row.at("distribution");
        if (figures.empty() || figures.back().title != title) figures.push_back({title, "points", "ns a point"});
        const double n = row.at("points");
        for (const auto& [name, times] : row.at("times").items())
            figures.back()
                .curve(name, index_of(name, names), name == "cgal" || name == "serial")
                .add(n, times.at("median_ms").get<double>() * 1e6 / n);
    }
    return figures;
}

}  // namespace flipscope::bench
