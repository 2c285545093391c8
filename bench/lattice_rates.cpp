#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>

#include "bench/experiments.h"
#include "compute/text.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/graph_comparison.h"
#include "voronoi/graph/lattice_graph.h"

namespace flipscope::bench {

namespace {

constexpr double kLongDual = 1.5;         // lattice units: links of this length must not be missed
constexpr double kSitesPerCase = 20'000;  // minimum, over all lattices of one density
constexpr uint32_t kDensities[] = {2, 5, 10, 20, 50, 100, 500, 1000};   // pixels a cell
constexpr double kBins[] = {0, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2};  // lower ends; lattice units
constexpr size_t kBinCount = std::size(kBins);

struct Variant {
    const char* name;
    StencilRules rules;
};
const Variant kVariants[] = {
    {"colours alone", {}},
    {"mirror", {.mirror = true}},
    {"lenient", {.lenient_strip = true}},
    {"mirror, lenient", {.mirror = true, .lenient_strip = true}},
    {"no inner ring", {.inner_frame = false}},
    {"all edge sites", {.gaps = 2}},
    {"near cells exact", {.exact_cells = int(ExactCells::kNear)}},
    {"all cells exact", {.exact_cells = int(ExactCells::kAll)}},
};
constexpr size_t kVariantCount = std::size(kVariants);

struct Rates {
    uint64_t exact = 0, missed = 0, spurious = 0;
    double longest = 0, longest_resolved = 0;  // missed, lattice units
    std::array<uint64_t, kBinCount> by_dual{}, missed_by_dual{}, spurious_by_shortfall{};

    void add(const Rates& more) {
        exact += more.exact;
        missed += more.missed;
        spurious += more.spurious;
        longest = std::max(longest, more.longest);
        longest_resolved = std::max(longest_resolved, more.longest_resolved);
        for (size_t bin = 0; bin < kBinCount; ++bin) {
            by_dual[bin] += more.by_dual[bin];
            missed_by_dual[bin] += more.missed_by_dual[bin];
            spurious_by_shortfall[bin] += more.spurious_by_shortfall[bin];
        }
    }
};

size_t bin_of(double length) {
    return size_t(std::upper_bound(std::begin(kBins), std::end(kBins), length) - std::begin(kBins)) - 1;
}
double sites_per_case(const Task& task) { return std::min(kSitesPerCase, task.most); }
double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * double(part) / double(whole) : 0; }

Rates rates_of(const ExactGraph& exact, const GraphComparison& comparison) {
    Rates rates;
    rates.exact = comparison.exact_links;
    rates.missed = comparison.missed;
    rates.spurious = comparison.spurious;
    rates.longest = comparison.longest_missed_interior;
    rates.longest_resolved = comparison.longest_missed_resolved;
    for (size_t e = 0; e < exact.edges.size(); ++e)
        if (exact.in_sight[e]) ++rates.by_dual[bin_of(exact.dual_lengths[e])];
    for (const LinkError& error : comparison.errors)
        ++(error.missed ? rates.missed_by_dual[bin_of(error.dual_length)]
                        : rates.spurious_by_shortfall[bin_of(error.shortfall)]);
    return rates;
}

/// Colours random sites on successive lattices and runs all variants.
class Linker {
  public:
    explicit Linker(const Task& task) : context_(task.device, task.threads) {}

    void set(const Lattice& lattice, const std::vector<Point>& sites) {
        points_ = sites;
        sites_.upload(context_, sites.data(), sites.size());
        colouring_.reset(context_, lattice);
        graph_.reset(context_, lattice);
        colouring_.colour(context_, ColouringMethod::kExact, sites_.view(), count());
        exact_ = exact_graph(context_, sites, lattice);
    }
    GraphComparison compare(const StencilRules& rules) {
        const View<const uint32_t> colours = colouring_.colours().view();
        graph_.find_corners(context_, colours, rules);
        graph_.link(context_, colours, colouring_.bins().view(), count(), rules);
        graph_.arrange(context_);
        graph_.read_counts(context_);
        return compare_graphs(exact_, points_, pairs_of(graph_.adjacency()));
    }
    const ExactGraph& exact() const { return exact_; }

  private:
    uint32_t count() const { return static_cast<uint32_t>(points_.size()); }
    Context context_;
    std::vector<Point> points_;
    Buffer<Point> sites_{"centres"};
    Colouring colouring_;
    LatticeGraph graph_;
    ExactGraph exact_;
};

using AllRates = std::array<std::array<Rates, std::size(kDensities)>, kVariantCount>;

AllRates measure_rates(const Task& task) {
    AllRates all;
    Linker linker(task);
    std::mt19937_64 random(task.seed);
    for (size_t d = 0; d < std::size(kDensities); ++d) {
        const uint32_t side = kDensities[d] < 5 ? 128 : kDensities[d] < 100 ? 256 : 512;
        const Lattice lattice{side, side, true};
        const uint32_t n = lattice.pixel_count() / kDensities[d];
        for (uint32_t done = 0; done < sites_per_case(task); done += n) {
            linker.set(lattice, random_sites(lattice, n, random));
            for (size_t v = 0; v < kVariantCount; ++v)
                all[v][d].add(rates_of(linker.exact(), linker.compare(kVariants[v].rules)));
        }
    }
    return all;
}

/// On an open lattice: the effect of two or three gaps on cells that meet at the border.
void rate_borders(const Task& task, Json& json) {
    Table table(json,
                "Open borders: contacts whose Voronoi edge leaves the lattice, missed, %; spurious links there, %");
    Linker linker(task);
    std::mt19937_64 random(task.seed);
    for (const uint32_t density : kDensities) {
        const Lattice lattice{128, 128, false};
        const uint32_t n = std::max(3u, lattice.pixel_count() / density);
        uint64_t contacts = 0, missed[2] = {0, 0}, spurious[2] = {0, 0};
        for (uint32_t done = 0; done < sites_per_case(task); done += n) {
            linker.set(lattice, random_sites(lattice, n, random, 0.5));
            const ExactGraph& exact = linker.exact();
            for (size_t e = 0; e < exact.edges.size(); ++e) contacts += exact.in_sight[e] && exact.at_border[e];
            for (int text = 0; text < 2; ++text) {
                StencilRules rules;
                rules.open_gaps = text ? 3 : 2;
                for (const LinkError& error : linker.compare(rules).errors)
                    if (error.at_border) ++(error.missed ? missed : spurious)[text];
            }
        }
        Json row{{"sites_per_cell", density}, {"border_contacts", contacts}};
        for (int text = 0; text < 2; ++text) {  // the paper's text has three
            const std::string gaps = text ? "_3_gaps" : "_2_gaps";
            row["missed" + gaps] = percent(missed[text], contacts);
            row["spurious" + gaps] = percent(spurious[text], contacts);
        }
        table.add(std::move(row));
    }
}

}  // namespace

bool rate_links(const Task& task, const Lattice&, Json& json) {
    const AllRates all = measure_rates(task);
    std::printf("\nLinks of random centres against the exact graph, periodic, %s centres or more a density\n",
                with_commas(uint64_t(sites_per_case(task))).c_str());
    Table by_density(json["by_density"],
                     "Missed and spurious, % of the exact links; longest missed Voronoi edge, lattice units, and the "
                     "same between centres at least √2 from all others",
                     16);
    std::array<Rates, kVariantCount> pooled;
    for (size_t v = 0; v < kVariantCount; ++v)
        for (size_t d = 0; d < std::size(kDensities); ++d) {
            const Rates& rates = all[v][d];
            pooled[v].add(rates);
            by_density.add({{"rules", kVariants[v].name},
                            {"sites_per_cell", kDensities[d]},
                            {"exact_links", rates.exact},
                            {"missed", percent(rates.missed, rates.exact)},
                            {"spurious", percent(rates.spurious, rates.exact)},
                            {"longest_missed", rates.longest},
                            {"longest_resolved", rates.longest_resolved}});
        }
    Table by_length(
        json["by_length"],
        "All densities: missed, % of the exact links of that dual length; spurious, % of all exact links, by "
        "what their Voronoi edge falls short of 0",
        16);
    for (size_t v = 0; v < kVariantCount; ++v)
        for (size_t bin = 0; bin < kBinCount; ++bin)
            by_length.add({{"rules", kVariants[v].name},
                           {"length_from", kBins[bin]},
                           {"missed", percent(pooled[v].missed_by_dual[bin], pooled[v].by_dual[bin])},
                           {"spurious", percent(pooled[v].spurious_by_shortfall[bin], pooled[v].exact)}});
    rate_borders(task, json["borders"]);
    bool kept = true;
    for (size_t v = 0; v < kVariantCount; ++v) {
        const double longest = kVariants[v].rules.exact_cells ? pooled[v].longest : pooled[v].longest_resolved;
        if (longest < kLongDual) continue;
        kept = false;
        std::printf("  %s: missed a link of %.3f lattice units, which should not be\n", kVariants[v].name, longest);
    }
    return kept;
}

}  // namespace flipscope::bench
