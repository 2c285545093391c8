#include "bench/flips.h"

#include <algorithm>
#include <cmath>

#include "geometry/mesh_generators.h"

#ifdef FLIPSCOPE_WITH_CGAL
#include "bench/cgal.h"
#endif

namespace flipscope::bench {

namespace {

constexpr uint64_t kWarmUpTriangles = 1'000'000;  // triangles; from here on a cold start is within the noise

constexpr PaperRow kPaper[] = {
    {"Moai", 30'000, 0.867, 0.001},
    {"Horse", 337'920, 15.942, 0.012},
    {"Dragon", 1'309'256, 0.387, 0.046},
    {"Infinite", 4'758'912, 274.1, 0.157},
};
// Substitutes for the paper's meshes, which we may not distribute.
constexpr const char* kSurfaces[] = {"sphere", "torus-knot", "terrain", "infinity"};

/// Vertices of a square grid with about this many triangles.
uint64_t square_of(double triangles) {
    const auto side = static_cast<uint64_t>(std::lround(std::sqrt(triangles / 2))) + 1;
    return side * side;
}

/// Edges of a triangulated grid that fills a square.
uint64_t grid_edges(const GridShape& shape) {
    return 3 * shape.rows * shape.columns + 1 - 2 * (shape.rows + shape.columns);
}

/// Vertices of the nearly square grid whose number of edges is closest.
uint64_t grid_with_edges(uint64_t edges) {
    const auto side = static_cast<uint64_t>(std::sqrt(static_cast<double>(edges) / 3)) + 1;
    uint64_t best = 0, best_miss = UINT64_MAX;
    for (uint64_t rows = side; rows > side - side / 10; --rows) {
        const uint64_t columns = (edges + 2 * rows - 1 + (3 * rows - 2) / 2) / (3 * rows - 2);
        const GridShape shape = choose_grid(rows * columns, 1, 2, 2);
        const uint64_t made = grid_edges(shape), miss = made > edges ? made - edges : edges - made;
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

void compare(const Flipper& ours, Lawson* lawson, FlipCase& result) {
    const auto complain = [&](const std::string& sentence) { result.complaints.push_back(sentence); };
    const Result last = ours.last();
    const bool flat = ours.start().heights.empty(), exact = ours.rule().exact();
    if (last.triangulation_hash != ours.first().triangulation_hash) complain("ours ends in another result every time");
    if (const CheckReport check = ours.check(); !check.passed) complain("ours: " + check.sentence);
    for (const auto& peer : result.measurements)
        if (peer.triangles != result.triangles)
            complain(peer.name + " has " + std::to_string(peer.triangles) + " triangles, ours " +
                     std::to_string(result.triangles));
    if (!lawson) return;
    if (!lawson->result().finished) complain("lawson was stopped: its flips do not come to an end");
    // On a surface, and by rounded angles, the result depends on the order of flips: only compare that no edge is left.
    if (flat && exact && lawson->triangulation_hash() != last.triangulation_hash)
        complain("lawson ends in other triangles than ours");
    if (const uint64_t left = lawson->count_illegal())
        complain("lawson leaves " + std::to_string(left) + " edges that must flip and could");
}

FlipCase run_case(const FlipPlan& plan, const std::shared_ptr<const Geometry>& input, const Settings& more) {
    Settings settings = more;
    settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
    FlipCase result;
    result.input = input->name;
    std::vector<std::unique_ptr<Contestant>> contestants, others;
    contestants.push_back(std::make_unique<Flipper>(plan.device, plan.threads, settings, input));
    const auto& ours = static_cast<const Flipper&>(*contestants.front());
    // Peers on the CPU need not take turns with ours on a GPU; that would only reduce the number of runs.
    const bool on_cuda = plan.on_cuda();
    std::vector<std::unique_ptr<Contestant>>& peers = on_cuda ? others : contestants;
    Lawson* lawson = nullptr;
    if (plan.lawson) {
        peers.push_back(std::make_unique<Lawson>(ours.start(), ours.rule()));
        lawson = static_cast<Lawson*>(peers.back().get());
    }
#ifdef FLIPSCOPE_WITH_CGAL
    if (plan.cgal && !input->in_space()) peers.push_back(make_cgal(ours.start_points()));
#endif
    Patience patience = plan.patience;
    patience.warm_up = ours.triangles() < kWarmUpTriangles || on_cuda;
    result.vertices = ours.first().points;
    result.triangles = ours.first().triangles;
    result.edges = ours.first().edges;
    result.course = ours.course();
    result.measurements = measure(contestants, patience);
    if (!others.empty())
        for (auto& measurement : measure(others, patience)) result.measurements.push_back(std::move(measurement));
    result.profile = ours.profile();
    result.peak_bytes = ours.peak_bytes();
    if (lawson) result.lawson = lawson->result();
    compare(ours, lawson, result);
    return result;
}

}  // namespace

const std::vector<FlipStart>& flip_starts() {
    static const std::vector<FlipStart> starts{
        {"quad", "the paper's subdivided noisy quad", "quad", {}, 1e8},
        {"scrambled",
         "a random flip for every edge of a Delaunay triangulation",
         "uniform",
         {{"start", "scrambled"}, {"scramble", "1"}},
         1e8},
        {"one-percent",
         "a random flip for one in a hundred of its edges",
         "uniform",
         {{"start", "scrambled"}, {"scramble", "0.01"}},
         1e8},
        {"moved",
         "points that moved by a hundredth of their spacing",
         "uniform",
         {{"start", "moved"}, {"moved_by", "0.01"}},
         1e8},
        {"insertion", "points inserted without flips", "uniform", {{"start", "insertion"}}, 1e6},
        {"sweep", "points joined from left to right", "uniform", {{"start", "sweep"}}, 1e6},
    };
    return starts;
}

std::vector<FlipCase> run_flip_growth(const FlipPlan& plan, const OnFlipCase& tell) {
    std::vector<std::string> known;
    for (const auto& start : flip_starts()) known.emplace_back(start.name);
    require_known(plan.only, known);
    std::vector<FlipCase> cases;
    for (const auto& start : flip_starts()) {
        if (!plan.wants(start.name)) continue;
        const bool flat_mesh = std::string(start.generator) == "quad";
        const double most = std::min(plan.most, start.most);
        for (double power = 1; power <= most; power *= 10) {
            for (const double times : {1.0, 2.0, 5.0}) {
                const double triangles = power * times;
                if (triangles < plan.least * 0.9999 || triangles > most * 1.0001 || (times > 1 && !flat_mesh)) continue;
                const uint64_t count = flat_mesh ? square_of(triangles) : static_cast<uint64_t>(triangles / 2 + 0.5);
                const auto input = std::make_shared<Geometry>(made_points(start.generator, count, plan.seed));
                FlipCase result = run_case(plan, input, start.settings);
                result.start = start.name;
                tell(result);
                cases.push_back(std::move(result));
            }
        }
    }
    return cases;
}

std::vector<FlipCase> run_flip_meshes(const FlipPlan& plan, const OnFlipCase& tell) {
    require_known(plan.only, {"flat", "surface"});
    std::vector<FlipCase> cases;
    for (size_t i = 0; i < std::size(kPaper); ++i) {
        const PaperRow& paper = kPaper[i];
        const double triangles = static_cast<double>(paper.edges) * 2 / 3;
        if (triangles < plan.least || triangles > plan.most) continue;
        for (const bool flat : {true, false}) {
            if (!plan.wants(flat ? "flat" : "surface")) continue;
            const char* generator = flat ? "quad" : kSurfaces[i];
            const uint64_t count = flat ? grid_with_edges(paper.edges) : surface_with_edges(generator, paper.edges);
            const auto input = std::make_shared<Geometry>(made_points(generator, count, plan.seed));
            FlipCase result = run_case(plan, input, {});
            result.start = flat ? "flat" : generator;
            result.paper = &paper;
            tell(result);
            cases.push_back(std::move(result));
        }
    }
    return cases;
}

}  // namespace flipscope::bench
