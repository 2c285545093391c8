#include <algorithm>
#include <charconv>
#include <cstdio>
#include <random>

#include "bench/experiments.h"
#include "compute/error.h"
#include "compute/text.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/density.h"
#include "voronoi/lloyd.h"

namespace flipscope::bench {

namespace {

constexpr uint32_t kDroplets = 2000;  // approximately those of the paper's sample
constexpr uint32_t kWideSide = 16384, kWideSites = 1'000'000;
constexpr uint32_t kSquareSides[] = {256, 512, 1024, 2048, 4096}, kPixelsASite[] = {20, 64, 1000};

/// A method with its own context; keeps its memory between runs.
class Colourist {
  public:
    Colourist(const Task& task, const Lattice& lattice, ColouringMethod method, uint32_t n)
        : context_(task.device, task.threads), method_(method), count_(n) {
        colouring_.reset(context_, lattice);
        std::mt19937_64 random(task.seed);
        const std::vector<Point> sites = random_sites(lattice, n, random);
        sites_.upload(context_, sites.data(), sites.size());
    }
    void run() {
        colouring_.colour(context_, method_, sites_.view(), count_);
        context_.synchronize();
    }
    uint64_t count_errors() { return colouring_.count_errors(context_); }

  private:
    Context context_;
    ColouringMethod method_;
    Buffer<Point> sites_{"centres"};
    uint32_t count_;
    Colouring colouring_;
};

const char* border_of(bool periodic) { return periodic ? "periodic" : "open"; }

double ns_per_pixel(double ms, const Lattice& lattice) { return ms * 1e6 / (double(lattice.width) * lattice.height); }

/// The three methods on the paper's number of droplets, and the errors of the approximate one. The slow method runs
/// between two rounds of the others, so that the ratio also holds on a busy machine.
bool compare_methods(const Task& task, const Lattice& size, Json& json) {
    const uint32_t n = static_cast<uint32_t>(std::min<double>(kDroplets, task.most));
    Table table(json, "Colouring random centres, median ms");
    bool agree = true;
    for (const bool periodic : {false, true}) {
        const Lattice lattice{size.width, size.height, periodic};
        Colourist exact(task, lattice, ColouringMethod::kExact, n),
            flood(task, lattice, ColouringMethod::kJumpFlooding, n),
            every(task, lattice, ColouringMethod::kEverySite, n);
        const std::vector<Contestant> fast{timed("exact", [&] { exact.run(); }), timed("flood", [&] { flood.run(); })};
        Patience half = task.patience, once = task.patience;
        half.seconds /= 2;
        once.warm_up = false;
        if (once.fewest < once.most) once.fewest = once.most = 1;
        std::vector<Measurement> measured = measure(fast, half);
        measured.push_back(measure({timed("every", [&] { every.run(); })}, once).front());
        const std::vector<Measurement> more = measure(fast, half);
        for (size_t k = 0; k < more.size(); ++k)
            measured[k].samples_ms.insert(measured[k].samples_ms.end(), more[k].samples_ms.begin(),
                                          more[k].samples_ms.end());
        const uint64_t differences = every.count_errors();
        Json row{{"border", border_of(periodic)},
                 {"centres", n},
                 {"flood_errors", flood.count_errors()},
                 {"differences", differences},
                 {"ns_per_site", ns_per_pixel(measured[0].median(), lattice)}};
        add_times(row, measured, "exact");
        table.add(std::move(row));
        if (differences) std::printf("  DIFFERENT: the exact colouring differs from one thread per site\n");
        agree &= differences == 0;
    }
    return agree;
}

/// Cost per pixel for an increasing number of sites on one lattice: nearly constant until cells are as small as pixels.
bool grow_sites(const Task& task, const Lattice& lattice, Json& json) {
    Table table(json, "Colouring, exact, by the number of random centres, median ms");
    for (const uint64_t n : task.sizes_by(10)) {
        Colourist exact(task, lattice, ColouringMethod::kExact, n),
            flood(task, lattice, ColouringMethod::kJumpFlooding, n);
        const std::vector<Measurement> measured =
            measure({timed("exact", [&] { exact.run(); }), timed("flood", [&] { flood.run(); })}, task.patience);
        Json row{{"centres", n},
                 {"sites_per_cell", double(lattice.pixel_count()) / double(n)},
                 {"flood_errors", flood.count_errors()},
                 {"ns_per_site", ns_per_pixel(measured[0].median(), lattice)}};
        add_times(row, measured);
        table.add(std::move(row));
    }
    return true;
}

/// Cost per pixel on larger and larger lattices at a constant density of sites: whether the number of sites itself
/// matters. Lattices take turns, in three rounds per --seconds.
bool grow_lattices(const Task& task, const Lattice& size, Json& json) {
    Table table(json, "Colouring square lattices, exact, at the same density, median ms");
    Patience patience = task.patience;
    patience.seconds /= 3;
    for (const uint32_t side : kSquareSides) {
        const Lattice lattice{side, side, size.periodic};
        std::vector<std::unique_ptr<Colourist>> colourists;
        std::vector<Contestant> contestants;
        std::vector<Json> rows;
        for (const uint32_t pixels : kPixelsASite) {
            const uint32_t n = lattice.pixel_count() / pixels;
            if (n > task.most) continue;
            colourists.push_back(std::make_unique<Colourist>(task, lattice, ColouringMethod::kExact, n));
            contestants.push_back(timed("exact", [one = colourists.back().get()] { one->run(); }));
            rows.push_back({{"width", side}, {"height", side}, {"sites_per_centre", pixels}, {"centres", n}});
        }
        const std::vector<Measurement> measured = measure(contestants, patience);
        for (size_t k = 0; k < rows.size(); ++k) {
            rows[k]["ns_per_site"] = ns_per_pixel(measured[k].median(), lattice);
            add_times(rows[k], {measured[k]});
            table.add(std::move(rows[k]));
        }
    }
    return true;
}

/// Sites that keep moving between runs, so that iterations on the way are timed.
class Rounds {
  public:
    Rounds(const Task& task, const Lattice& lattice, uint32_t sites, bool weighed)
        : context_(task.device, task.threads), count_(sites) {
        std::mt19937_64 random(task.seed);
        const std::vector<Point> start = random_sites(lattice, sites, random);
        sites_.upload(context_, start.data(), start.size());
        colouring_.reset(context_, lattice);
        const DensityKind kind = weighed ? DensityKind::kHill : DensityKind::kUniform;
        lloyd_.reset(context_, lattice, make_density(lattice, {kind, 1, 1}, {}));
    }
    void run() {
        const auto start = Clock::now();
        colouring_.colour(context_, ColouringMethod::kExact, sites_.view(), count_);
        context_.synchronize();
        colour_ms.samples_ms.push_back(ms_since(start));
        lloyd_.sum(context_, colouring_.colours().view(), sites_.view(), count_);
        energies.push_back(lloyd_.judge(context_, sites_.view(), count_).energy);
        sum_ms.samples_ms.push_back(ms_since(start) - colour_ms.samples_ms.back());
        lloyd_.move(context_, sites_.view(), count_);
        context_.synchronize();
    }

    Measurement colour_ms, sum_ms;
    std::vector<double> energies;  // of each run

  private:
    Context context_;
    uint32_t count_;
    Buffer<Point> sites_{"centres"};
    Colouring colouring_;
    Lloyd lloyd_;
};

/// Time of a round of Lloyd's iteration: colouring, centroids and moves, separately and together. Returns false if the
/// energy rises.
bool iterate_lloyd(const Task& task, const Lattice& size, Json& json) {
    Table table(json, "One iteration of Lloyd's, periodic, median ms");
    bool falls = true;
    for (const uint32_t sites : {2000u, 100'000u}) {
        if (sites > task.most) continue;
        const Lattice lattice{size.width, size.height, true};
        Rounds uniform(task, lattice, sites, false), weighed(task, lattice, sites, true);
        const std::vector<Measurement> measured = measure(
            {timed("uniform", [&] { uniform.run(); }), timed("weighed", [&] { weighed.run(); })}, task.patience);
        for (const Measurement& one : measured) {
            const Rounds& rounds = one.name == "uniform" ? uniform : weighed;
            const auto rises = [](double before, double after) { return after > before * (1 + 1e-12); };
            const auto end = rounds.energies.end();
            const bool always = std::adjacent_find(rounds.energies.begin(), end, rises) == end;
            falls &= always;
            table.add({{"centres", sites},
                       {"density", one.name},
                       {"colouring_ms", rounds.colour_ms.median()},
                       {"centroids_ms", rounds.sum_ms.median()},
                       {"round_ms", one.median()},
                       {"energy_falls", always}});
        }
    }
    return falls;
}

/// A lattice that fills a GPU.
bool colour_wide(const Task& task, const Lattice&, Json& json) {
    Table table(json, "Colouring 16384 x 16384 sites, exact, random centres, median ms");
    for (const bool periodic : {false, true}) {
        const Lattice lattice{kWideSide, kWideSide, periodic};
        Colourist exact(task, lattice, ColouringMethod::kExact, kWideSites);
        const std::vector<Measurement> measured = measure({timed("exact", [&] { exact.run(); })}, task.patience);
        Json row{{"border", border_of(periodic)},
                 {"centres", kWideSites},
                 {"ns_per_site", ns_per_pixel(measured[0].median(), lattice)}};
        add_times(row, measured);
        table.add(std::move(row));
    }
    return true;
}

/// A section prints its table, and returns false if two methods disagree.
struct LatticeSection {
    const char* name;
    bool (*run)(const Task&, const Lattice&, Json&);
    bool on_cuda_only;
};
constexpr LatticeSection kLatticeSections[] = {
    {"methods", compare_methods, false}, {"growth", grow_sites, false},           {"density", grow_lattices, false},
    {"lloyd", iterate_lloyd, false},     {"components", label_components, false}, {"rates", rate_links, false},
    {"wide", colour_wide, true},
};

/// "2048x1024".
Lattice parse_lattice_size(const std::string& text) {
    Lattice lattice;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, lattice.width);
    if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, lattice.height);
        if (height.ec == std::errc() && height.ptr == end && lattice.width > 0 && lattice.height > 0) return lattice;
    }
    throw Error("--sites " + text + ": expected a width and a height in sites, like 2048x1024");
}

}  // namespace

std::vector<Point> random_sites(const Lattice& lattice, uint32_t n, std::mt19937_64& random, double inset) {
    std::uniform_real_distribution<double> x(-inset, lattice.width - inset), y(-inset, lattice.height - inset);
    std::vector<Point> sites(n);
    for (Point& site : sites) {
        site.x = x(random);
        site.y = y(random);
    }
    return sites;
}

bool run_lattice(const Task& task, Json& json) {
    std::vector<std::string> names;
    for (const LatticeSection& section : kLatticeSections) names.push_back(section.name);
    require_known(task.only, names);
    const Lattice lattice = parse_lattice_size(task.lattice);
    std::printf("%u x %u sites\n", lattice.width, lattice.height);
    json["sites"] = {lattice.width, lattice.height};
    bool agree = true;
    for (const LatticeSection& section : kLatticeSections)
        if (task.wants(section.name) && (!task.only.empty() || !section.on_cuda_only || task.on_cuda()))
            agree &= section.run(task, lattice, json[section.name]);
    return agree;
}

}  // namespace flipscope::bench
