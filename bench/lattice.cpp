#include "bench/lattice.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "bench/tables.h"
#include "compute/error.h"
#include "voronoi/colouring/colouring.h"

namespace flipscope::bench {

namespace {

constexpr uint32_t kDroplets = 2000;  // approximately those of the paper's sample
constexpr uint32_t kWideSide = 16384, kWideSites = 1'000'000;
constexpr uint32_t kSquareSides[] = {256, 512, 1024, 2048, 4096}, kPixelsASite[] = {20, 64, 1000};

/// A method with its own context; keeps its memory between runs.
class Colourist : public Contestant {
  public:
    Colourist(const LatticePlan& plan, const Lattice& lattice, ColouringMethod method, const std::vector<Point>& sites)
        : context_(plan.device, plan.threads), method_(method), count_(static_cast<uint32_t>(sites.size())) {
        colouring_.reset(context_, lattice);
        sites_.upload(context_, sites.data(), sites.size());
    }
    std::string name() const override {
        return method_ == ColouringMethod::kExact       ? "exact"
               : method_ == ColouringMethod::kEverySite ? "every"
                                                        : "flood";
    }
    double run() override {
        const View<const Point> sites = sites_.view();
        const auto start = std::chrono::steady_clock::now();
        colouring_.colour(context_, method_, sites, count_);
        context_.synchronize();
        return ms_since(start);
    }
    uint64_t count_errors() { return colouring_.count_errors(context_); }

  private:
    Context context_;
    ColouringMethod method_;
    Buffer<Point> sites_{"centres"};
    uint32_t count_;
    Colouring colouring_;
};

double ns_per_pixel(double ms, const Lattice& lattice) { return ms * 1e6 / (double(lattice.width) * lattice.height); }

/// The three methods on the paper's number of droplets, and the errors of the approximate one. The slow method runs
/// between two rounds of the others, so that the ratio also holds on a busy machine.
bool compare_methods(const LatticePlan& plan, nlohmann::ordered_json& json) {
    const uint32_t n = static_cast<uint32_t>(std::min<double>(kDroplets, plan.most));
    std::printf("\nColouring %u x %u sites, %s random centres, median ms\n", plan.lattice.width, plan.lattice.height,
                with_commas(n).c_str());
    std::printf("  %-9s %10s %10s %10s %12s %12s %12s\n", "border", "exact", "flooding", "every site", "every/exact",
                "ns a site", "flood errors");
    bool agree = true;
    for (const bool periodic : {false, true}) {
        Lattice lattice = plan.lattice;
        lattice.periodic = periodic;
        const std::vector<Point> sites = random_sites(lattice, n, plan.seed);
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (const auto method : {ColouringMethod::kExact, ColouringMethod::kJumpFlooding, ColouringMethod::kEverySite})
            contestants.push_back(std::make_unique<Colourist>(plan, lattice, method, sites));
        std::vector<std::unique_ptr<Contestant>> slow;
        slow.push_back(std::move(contestants.back()));
        contestants.pop_back();
        Patience half = plan.patience, once = plan.patience;
        half.seconds /= 2;
        once.warm_up = false;
        if (once.fewest < once.most) once.fewest = once.most = 1;
        std::vector<Measurement> measured = measure(contestants, half);
        measured.push_back(measure(slow, once).front());
        for (const Measurement& more : measure(contestants, half))
            for (Measurement& first : measured)
                if (first.name == more.name)
                    first.samples_ms.insert(first.samples_ms.end(), more.samples_ms.begin(), more.samples_ms.end());
        const uint64_t errors = static_cast<Colourist&>(*contestants[1]).count_errors();
        const uint64_t differences = static_cast<Colourist&>(*slow[0]).count_errors();
        const double exact = measured[0].median(), flood = measured[1].median(), every = measured[2].median();
        std::printf("  %-9s %10.3f %10.3f %10.1f %12.0f %12.2f %12s\n", periodic ? "periodic" : "open", exact, flood,
                    every, every / exact, ns_per_pixel(exact, lattice), with_commas(errors).c_str());
        if (differences) {
            std::printf("  DIFFERENT: the exact colouring differs from one thread per site at %s sites\n",
                        with_commas(differences).c_str());
            agree = false;
        }
        nlohmann::ordered_json row{{"border", periodic ? "periodic" : "open"},
                                   {"centres", n},
                                   {"flood_errors", errors},
                                   {"differences", differences}};
        row["times"] = times_json(measured);
        row["every_over_exact"] = every / exact;
        json.push_back(row);
    }
    return agree;
}

/// Cost per pixel for an increasing number of sites on one lattice: nearly constant until cells are as small as pixels.
bool grow_sites(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf("\nColouring %u x %u sites, exact, by the number of random centres, median ms\n", plan.lattice.width,
                plan.lattice.height);
    std::printf("  %10s %12s %10s %10s %10s %12s\n", "centres", "sites a cell", "exact", "ns a site", "flooding",
                "flood errors");
    for (double size = plan.least; size <= plan.most * 1.0001; size *= 10) {
        const uint32_t n = static_cast<uint32_t>(size + 0.5);
        const std::vector<Point> sites = random_sites(plan.lattice, n, plan.seed);
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (const auto method : {ColouringMethod::kExact, ColouringMethod::kJumpFlooding})
            contestants.push_back(std::make_unique<Colourist>(plan, plan.lattice, method, sites));
        const std::vector<Measurement> measured = measure(contestants, plan.patience);
        const uint64_t errors = static_cast<Colourist&>(*contestants[1]).count_errors();
        const double exact = measured[0].median();
        std::printf("  %10s %12.1f %10.3f %10.2f %10.3f %12s\n", with_commas(n).c_str(),
                    double(plan.lattice.pixel_count()) / n, exact, ns_per_pixel(exact, plan.lattice),
                    measured[1].median(), with_commas(errors).c_str());
        nlohmann::ordered_json row{{"centres", n}, {"flood_errors", errors}};
        row["times"] = times_json(measured);
        row["ns_per_site"] = ns_per_pixel(exact, plan.lattice);
        json.push_back(row);
    }
    return true;
}

/// Cost per pixel on larger and larger lattices at a constant density of sites: whether the number of sites itself
/// matters. Lattices take turns, in three rounds per --seconds.
bool grow_lattices(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf("\nColouring square lattices, exact, at the same density: ns a site (and random centres)\n");
    std::printf("  %-12s", "sites");
    for (const uint32_t pixels : kPixelsASite) std::printf(" %15u a centre", pixels);
    std::printf("\n");
    Patience patience = plan.patience;
    patience.seconds /= 3;
    for (const uint32_t side : kSquareSides) {
        const Lattice lattice{side, side, plan.lattice.periodic};
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (const uint32_t pixels : kPixelsASite)
            if (const uint32_t n = lattice.pixel_count() / pixels; n <= plan.most)
                contestants.push_back(std::make_unique<Colourist>(plan, lattice, ColouringMethod::kExact,
                                                                  random_sites(lattice, n, plan.seed)));
        if (contestants.empty()) break;
        const std::vector<Measurement> measured = measure(contestants, patience);
        std::printf("  %-12s", (std::to_string(side) + " x " + std::to_string(side)).c_str());
        size_t next = 0;
        for (const uint32_t pixels : kPixelsASite) {
            const uint32_t n = lattice.pixel_count() / pixels;
            if (n > plan.most) {
                std::printf(" %24s", "-");
                continue;
            }
            const double ns = ns_per_pixel(measured[next].median(), lattice);
            std::printf(" %10.3f %13s", ns, ("(" + with_commas(n) + ")").c_str());
            nlohmann::ordered_json row{{"width", side}, {"height", side}, {"sites_per_centre", pixels}, {"centres", n}};
            row["times"] = times_json({measured[next++]});
            row["ns_per_site"] = ns;
            json.push_back(row);
        }
        std::printf("\n");
    }
    return true;
}

/// A lattice that fills a GPU.
bool colour_wide(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf("\nColouring %u x %u sites, exact, %s random centres, median ms\n", kWideSide, kWideSide,
                with_commas(kWideSites).c_str());
    std::printf("  %-9s %10s %10s %14s\n", "border", "exact", "ns a site", "written, GB/s");
    for (const bool periodic : {false, true}) {
        const Lattice lattice{kWideSide, kWideSide, periodic};
        std::vector<std::unique_ptr<Contestant>> contestants;
        contestants.push_back(std::make_unique<Colourist>(plan, lattice, ColouringMethod::kExact,
                                                          random_sites(lattice, kWideSites, plan.seed)));
        const std::vector<Measurement> measured = measure(contestants, plan.patience);
        const double exact = measured[0].median();
        std::printf("  %-9s %10.3f %10.4f %14.0f\n", periodic ? "periodic" : "open", exact,
                    ns_per_pixel(exact, lattice), 4.0 * lattice.pixel_count() / (exact * 1e6));
        nlohmann::ordered_json row{{"border", periodic ? "periodic" : "open"}, {"centres", kWideSites}};
        row["times"] = times_json(measured);
        json.push_back(row);
    }
    return true;
}

/// A section prints its table, and returns false if two methods disagree.
struct LatticeSection {
    const char* name;
    bool (*run)(const LatticePlan&, nlohmann::ordered_json& json);
    bool on_cuda_only;
};
constexpr LatticeSection kLatticeSections[] = {
    {"methods", compare_methods, false}, {"growth", grow_sites, false},           {"density", grow_lattices, false},
    {"lloyd", iterate_lloyd, false},     {"components", label_components, false}, {"rates", rate_links, false},
    {"wide", colour_wide, true},
};

}  // namespace

std::vector<Point> random_sites(const Lattice& lattice, uint32_t n, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> x(0, lattice.width), y(0, lattice.height);
    std::vector<Point> sites(n);
    for (Point& site : sites) site = {x(random), y(random)};
    return sites;
}

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

bool run_lattice(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::vector<std::string> names;
    for (const LatticeSection& section : kLatticeSections) names.push_back(section.name);
    require_known(plan.only, names);
    bool agree = true;
    for (const LatticeSection& section : kLatticeSections) {
        if (!plan.wants(section.name) || (plan.only.empty() && section.on_cuda_only && !plan.on_cuda())) continue;
        json[section.name] = nlohmann::ordered_json::array();
        agree &= section.run(plan, json[section.name]);
    }
    return agree;
}

}  // namespace flipscope::bench
