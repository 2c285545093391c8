#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bench/experiments.h"
#include "compute/error.h"
#include "compute/text.h"
#include "delaunay/constructions/lawson.h"
#include "delaunay/flip/flip_rules.h"
#include "geometry/mesh_generators.h"
#include "lab/parameters.h"
#include "mesh/hash.h"

namespace flipscope::bench {

namespace {

constexpr uint64_t kWarmUpTriangles = 1'000'000;  // from here on a cold start is within the noise
constexpr uint64_t kFlipsPerEdge = 100;           // limit for rounded angles, which may not terminate

/// A line of the paper's table 1.
struct PaperRow {
    const char* mesh;
    uint64_t edges;
    double cpu_s;         // its sequential method, on a 2.7 GHz Phenom
    double gpu_s;         // on a GTX 580
    const char* surface;  // our substitute for its mesh, which we may not distribute
};
constexpr PaperRow kPaper[] = {
    {"Moai", 30'000, 0.867, 0.001, "sphere"},
    {"Horse", 337'920, 15.942, 0.012, "torus-knot"},
    {"Dragon", 1'309'256, 0.387, 0.046, "terrain"},
    {"Infinite", 4'758'912, 274.1, 0.157, "infinity"},
};

struct FlipStart {
    const char* name;
    const char* sentence;
    const char* generator;
    Settings settings;
    double most = 1e8;  // triangles: beyond this too many flips
};
const std::vector<FlipStart>& flip_starts() {
    static const std::vector<FlipStart> starts{
        {"quad", "the paper's subdivided noisy quad", "quad", {}},
        {"scrambled",
         "a random flip for every edge of a Delaunay triangulation",
         "uniform",
         {"start=scrambled", "scramble=1"}},
        {"one-percent",
         "a random flip for one in a hundred of its edges",
         "uniform",
         {"start=scrambled", "scramble=0.01"}},
        {"moved", "points that moved by a hundredth of their spacing", "uniform", {"start=moved", "moved_by=0.01"}},
        {"insertion", "points inserted without flips", "uniform", {"start=insertion"}, 1e6},
        {"sweep", "points joined from left to right", "uniform", {"start=sweep"}, 1e6},
    };
    return starts;
}

/// Vertices of a square grid with about this many triangles.
uint64_t square_of(double triangles) {
    const auto side = static_cast<uint64_t>(std::lround(std::sqrt(triangles / 2))) + 1;
    return side * side;
}

/// Vertices of the nearly square grid whose number of edges is closest.
uint64_t grid_with_edges(uint64_t edges) {
    const auto side = static_cast<uint64_t>(std::sqrt(static_cast<double>(edges) / 3)) + 1;
    uint64_t best = 0, best_miss = UINT64_MAX;
    for (uint64_t rows = side; rows > side - side / 10; --rows) {
        const uint64_t columns = (edges + 2 * rows - 1 + (3 * rows - 2) / 2) / (3 * rows - 2);
        const GridShape shape = choose_grid(rows * columns, 1, 2, 2);
        const uint64_t made = 3 * shape.rows * shape.columns + 1 - 2 * (shape.rows + shape.columns);
        const uint64_t miss = made > edges ? made - edges : edges - made;
        if (shape.surplus > 0 || miss >= best_miss) continue;
        best = rows * columns;
        best_miss = miss;
    }
    return best;
}

/// Vertices of the surface whose number of edges is closest: edges / 3 for a closed one, by Euler's formula.
uint64_t surface_with_edges(const std::string& generator, uint64_t edges) {
    if (generator == "terrain") return grid_with_edges(edges);
    return generator == "sphere" ? edges / 3 + 2 : edges / 3;
}

/// The Flip lab by finish(), from a triangulation in memory. Every run starts from the restored initial state and keeps
/// its memory; making and restoring are not timed.
class Flipper {
  public:
    /// Makes the triangulation if `input` has only points, and runs once to record the course of the flips, which is
    /// identical in every run. Throws Error like the lab for unsupported input.
    Flipper(const Task& task, const Settings& settings, std::shared_ptr<const Geometry> input)
        : context_(task.device, task.threads), lab(make_lab_with("flip", settings)) {
        lab->reset(context_, std::move(input));
        start_ = lab->save();
        start_mesh = download_mesh(*lab->scene().mesh);
        start_points = *lab->soup().points;
        context_.reset_peak();
        lab->finish([&](const StepResult& round) {
            if (rounds_++ == 0) illegal = count(round, "illegal");
            tests += count(round, "queued");
            if (const uint64_t granted = count(round, "granted")) flips.push_back(granted);
        });
        first = lab->result();
    }

    double run() {
        lab->load(start_);
        context_.synchronize();
        context_.collect_timings();
        context_.timings().clear();
        const auto start = Clock::now();
        if (!lab->done()) lab->finish({});
        context_.synchronize();
        const double elapsed_ms = ms_since(start);
        profile.add(context_, elapsed_ms);
        return elapsed_ms;
    }

    size_t peak_bytes() const { return context_.peak_bytes(); }

  private:
    uint64_t count(const StepResult& round, const char* name) const {
        const auto& counters = lab->info().counters;
        const auto named =
            std::find_if(counters.begin(), counters.end(), [&](const auto& one) { return one.name == name; });
        const auto place = static_cast<size_t>(named - counters.begin());
        const bool counted = place < round.counters.size() && round.counters[place] != kNotCounted;
        return counted ? static_cast<uint64_t>(round.counters[place]) : 0;
    }

    Context context_;
    Snapshot start_;
    uint64_t rounds_ = 0;

  public:
    std::unique_ptr<Lab> lab;
    HostMesh start_mesh;
    std::vector<Point> start_points;  // moved if the start moves them
    std::vector<uint64_t> flips;      // per iteration
    uint64_t illegal = 0;             // edges to flip in the first iteration
    uint64_t tests = 0;               // edge tests in all iterations
    Profile profile;
    Result first;  // of the run that recorded the course
};

/// The criterion for flipping an edge, from the lab's parameters.
class FlipRule {
  public:
    FlipRule(Lab& lab, bool surface) : surface_(surface) {
        for (const ParameterDescription& parameter : list_parameters(lab)) values_[parameter.name] = parameter.value;
    }
    bool exact() const { return !surface_ && values_.at("criterion") == "incircle"; }
    /// Calls visit(rule) with a rule of flip_rules.h.
    template <class Visit>
    auto with(const Visit& visit) const {
        const double epsilon = std::stod(values_.at("epsilon"));
        const Slack slack{std::cos(epsilon), std::sin(epsilon)};
        if (surface_) return visit(make_surface_rule(epsilon, std::stod(values_.at("dihedral"))));
        if (values_.at("criterion") == "angles") return visit(AngleRule<double>{slack});
        if (values_.at("criterion") == "angles-float") return visit(AngleRule<float>{slack});
        return visit(InCircleRule{});
    }

  private:
    std::map<std::string, std::string> values_;
    bool surface_;
};

uint64_t hash_of(const HostMesh& mesh) {  // as in Result
    uint64_t sum = 0;
    for (size_t t = 0; t < mesh.triangle_count(); ++t) {
        const uint32_t* v = &mesh.triangles[3 * t];
        if (std::count(v, v + 3, mesh.infinite) == 0)
            sum += hash_triangle(mesh.inputs[v[0]], mesh.inputs[v[1]], mesh.inputs[v[2]]);
    }
    return mix64(sum);
}

/// Adds a row for one input, and prints a line for each difference between the results.
bool run_flip_case(const Task& task, const std::string& name, const Geometry& made, Settings settings, Table& table,
                   const PaperRow* paper = nullptr) {
    const auto input = std::make_shared<const Geometry>(made);
    settings.insert(settings.end(), task.settings.begin(), task.settings.end());
    Flipper ours(task, settings, input);
    const bool flat = !input->in_space();
    const FlipRule rule(*ours.lab, !flat);
    HostMesh mesh;  // flipped one edge after the other
    LawsonResult lawson;
    std::vector<Contestant> contestants{{"ours", [&] { return ours.run(); }}};
    // One thread on the CPU, whatever the device of ours. Edges that cannot flip yet are tested again after the others
    // have flipped, as in ours.
    const auto run_lawson = [&] {
        mesh = ours.start_mesh;
        const uint64_t most = rule.exact() ? UINT64_MAX : kFlipsPerEdge * mesh.edge_count();
        const auto start = Clock::now();
        lawson = rule.with([&](const auto& one) { return flip_sequentially_by(mesh, one, most); });
        return ms_since(start);
    };
    contestants.push_back({"lawson", run_lawson, true});
#ifdef FLIPSCOPE_WITH_CGAL
    uint64_t triangles_of_cgal = 0;
    if (flat) contestants.push_back(make_cgal(ours.start_points, 0, triangles_of_cgal));
#endif
    Patience patience = task.patience;
    patience.warm_up = ours.first.triangles < kWarmUpTriangles || task.on_cuda();
    std::vector<Measurement> measured;
    // Peers on the CPU need not take turns with ours on a GPU; that would only reduce the number of runs.
    if (task.on_cuda()) {
        measured = measure({contestants.front()}, patience);
        contestants.erase(contestants.begin());
    }
    for (Measurement& one : measure(contestants, patience)) measured.push_back(std::move(one));

    std::vector<std::string> complaints;
    const Result last = ours.lab->result();
    if (last.triangulation_hash != ours.first.triangulation_hash)
        complaints.push_back("ours ends in another result every time");
    if (const CheckReport check = facet<Checkable>(*ours.lab).check(); !check.passed)
        complaints.push_back("ours: " + check.sentence);
    if (!lawson.finished) complaints.push_back("lawson was stopped: its flips do not come to an end");
    // On a surface, and by rounded angles, the result depends on the order of flips: only compare that no edge is left.
    if (rule.exact() && hash_of(mesh) != last.triangulation_hash)
        complaints.push_back("lawson ends in other triangles than ours");
    const MeshView view = mesh.view();
    const uint64_t left = rule.with([&](const auto& one) {
        uint64_t count = 0;
        for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge)
            count += must_flip(one.judge(view, edge, quad_at(view, edge)));
        return count;
    });
    if (left) complaints.push_back("lawson leaves " + std::to_string(left) + " edges that must flip and could");
#ifdef FLIPSCOPE_WITH_CGAL
    if (flat && triangles_of_cgal != last.triangles)
        complaints.push_back("cgal has " + std::to_string(triangles_of_cgal) + " triangles, ours " +
                             std::to_string(last.triangles));
#endif

    const auto edges = static_cast<double>(ours.first.edges);
    uint64_t flips = 0;
    for (const uint64_t of_one : ours.flips) flips += of_one;
    Json row{{"start", name},
             {"triangles", ours.first.triangles},
             {"edges", ours.first.edges},
             {"illegal_share", static_cast<double>(ours.illegal) / edges},
             {"iterations", ours.flips.size()},
             {"flips", flips},
             {"flips_per_iteration", ours.flips},
             {"edges_tested", ours.tests}};
    add_times(row, measured, "ours");
    row["ns_per_flip"] = nullptr;
    if (flips) row["ns_per_flip"] = measured.front().median() * 1e6 / static_cast<double>(flips);
    row["bytes_per_edge"] = static_cast<double>(ours.peak_bytes()) / edges;
    row["lawson_flips"] = lawson.flips;
    if (paper) row["paper"] = {{"mesh", paper->mesh}, {"gpu_s", paper->gpu_s}, {"cpu_s", paper->cpu_s}};
    row["complaints"] = complaints;
    row["kernels"] = ours.profile.to_json();
    const Json kernels = row["kernels"];
    table.add(std::move(row));
    if (task.kernels) print_kernels("ours", kernels);
    for (const std::string& complaint : complaints)
        std::printf("  DIFFERENT, so times do not compare: %s\n", complaint.c_str());
    return complaints.empty();
}

void describe() {
    std::printf(
        "ours: edge flips by finish(), memory kept between runs\n"
        "lawson: the same triangulation in memory, the same rule, one edge after the other, one thread\n");
#ifdef FLIPSCOPE_WITH_CGAL
    std::printf("cgal: CGAL %s, from the points alone (flat meshes), one thread\n", cgal_version().c_str());
#endif
    std::printf(
        "Medians; contestants take turns. 'ms' is from a triangulation in the device's memory to a Delaunay one; "
        "making it is not counted.\n");
}

}  // namespace

bool run_flips(const Task& task, Json& json) {
    std::vector<std::string> known;
    for (const FlipStart& start : flip_starts()) known.emplace_back(start.name);
    require_known(task.only, known);
    describe();
    for (const FlipStart& start : flip_starts()) std::printf("  %-12s %s\n", start.name, start.sentence);
    Table table(json["cases"], "Time (figure 6)");
    bool agree = true;
    for (const FlipStart& start : flip_starts()) {
        if (!task.wants(start.name)) continue;
        const bool is_quad = start.generator == std::string("quad");
        const double most = std::min(task.most, start.most);
        for (double power = 1; power <= most; power *= 10)
            for (const double times : {1.0, 2.0, 5.0}) {
                const double triangles = power * times;
                if (triangles < task.least * 0.9999 || triangles > most * 1.0001 || (times > 1 && !is_quad)) continue;
                const uint64_t count = is_quad ? square_of(triangles) : static_cast<uint64_t>(triangles / 2 + 0.5);
                agree &= run_flip_case(task, start.name, made_points(start.generator, count, task.seed), start.settings,
                                       table);
            }
    }
    if (json["cases"].empty()) throw Error("nothing lies between --min and --max");
    return agree;
}

bool run_meshes(const Task& task, Json& json) {
    require_known(task.only, {"flat", "surface"});
    describe();
    std::printf(
        "paper: Navarro, Hitschfeld and Scheihing on a GTX 580 and on one core of a Phenom of 2.7 GHz, with meshes "
        "of as many edges that are not ours.\n");
    Table table(json["cases"], "Meshes (table 1)");
    bool agree = true;
    for (const PaperRow& paper : kPaper) {
        const double triangles = static_cast<double>(paper.edges) * 2 / 3;
        if (triangles < task.least || triangles > task.most) continue;
        for (const bool flat : {true, false}) {
            if (!task.wants(flat ? "flat" : "surface")) continue;
            const char* const generator = flat ? "quad" : paper.surface;
            const uint64_t count = flat ? grid_with_edges(paper.edges) : surface_with_edges(generator, paper.edges);
            agree &= run_flip_case(task, flat ? "flat" : generator, made_points(generator, count, task.seed), {}, table,
                                   &paper);
        }
    }
    if (json["cases"].empty()) throw Error("nothing lies between --min and --max");
    return agree;
}

std::vector<Figure> figures_of_flips(const Json& json) {
    const bool meshes = json.at("cases").front().contains("paper");
    Figure figure{meshes ? "Edge flips: time on the meshes of table 1"
                         : "Edge flips: time against the number of triangles (figure 6)",
                  meshes ? "edges" : "triangles",
                  "ms, median",
                  {},
                  {{"30 frames a second", 1000.0 / 30}, {"60 frames a second", 1000.0 / 60}}};
    std::vector<std::string> starts, names;
    const auto add = [&](const std::string& start, const std::string& name, const Json& x, double ms) {
        figure.curve(start + ", " + name, index_of(start, starts), index_of(name, names)).add(x, ms);
    };
    for (const Json& row : json.at("cases")) {
        const std::string start = row.at("start"), shown = !meshes || start == "flat" ? start : "surface";
        const Json& x = row.at(figure.x_label);
        for (const auto& [name, times] : row.at("times").items())
            if (name != "cgal" || start == "quad" || meshes)  // independent of the start of flips
                add(shown, name, x, times.at("median_ms"));
        if (!meshes) continue;
        add("paper", "GTX 580", x, 1e3 * row.at("paper").at("gpu_s").get<double>());
        add("paper", "CPU", x, 1e3 * row.at("paper").at("cpu_s").get<double>());
    }
    return {figure};
}

}  // namespace flipscope::bench
