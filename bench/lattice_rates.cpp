#include "bench/lattice.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>

#include "bench/tables.h"
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
    uint64_t exact = 0, missed = 0, spurious = 0, unresolved = 0;  // unresolved: among the missed ones
    double longest = 0, longest_resolved = 0;                      // missed, lattice units
    std::array<uint64_t, kBinCount> by_dual{}, missed_by_dual{}, spurious_by_shortfall{};

    void add(const Rates& more) {
        exact += more.exact;
        missed += more.missed;
        spurious += more.spurious;
        unresolved += more.unresolved;
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
std::string bin_name(size_t bin) {
    char text[32];
    if (bin + 1 < kBinCount)
        std::snprintf(text, sizeof text, "%g-%g", kBins[bin], kBins[bin + 1]);
    else
        std::snprintf(text, sizeof text, "%g-", kBins[bin]);
    return text;
}
double sites_per_case(const LatticePlan& plan) { return std::min(kSitesPerCase, plan.most); }
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
    for (const LinkError& error : comparison.errors) {
        ++(error.missed ? rates.missed_by_dual[bin_of(error.dual_length)]
                        : rates.spurious_by_shortfall[bin_of(error.shortfall)]);
        rates.unresolved += error.missed && error.unresolved;
    }
    return rates;
}

/// Colours random sites on successive lattices and runs all variants.
class Linker {
  public:
    explicit Linker(const LatticePlan& plan) : context_(plan.device, plan.threads) {}

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

std::vector<Point> sites_in_sight(const Lattice& lattice, uint32_t n, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    const double inset = lattice.periodic.any() ? 0 : 0.5;
    std::vector<Point> sites(n);
    for (Point& p : sites) {
        const double x = unit(random), y = unit(random);
        p = {x * lattice.width - inset, y * lattice.height - inset};
    }
    return sites;
}

using AllRates = std::array<std::array<Rates, std::size(kDensities)>, kVariantCount>;

AllRates measure_rates(const LatticePlan& plan) {
    AllRates all;
    Linker linker(plan);
    std::mt19937_64 random(plan.seed);
    for (size_t d = 0; d < std::size(kDensities); ++d) {
        const uint32_t side = kDensities[d] < 5 ? 128 : kDensities[d] < 100 ? 256 : 512;
        const Lattice lattice{side, side, true};
        const uint32_t n = lattice.pixel_count() / kDensities[d];
        for (uint32_t done = 0; done < sites_per_case(plan); done += n) {
            linker.set(lattice, sites_in_sight(lattice, n, random));
            for (size_t v = 0; v < kVariantCount; ++v)
                all[v][d].add(rates_of(linker.exact(), linker.compare(kVariants[v].rules)));
        }
    }
    return all;
}

template <class Cell>
void print_by_density(const char* title, const AllRates& all, const Cell& cell) {
    std::printf("  %s\n  %-16s", title, "sites a cell");
    for (const uint32_t density : kDensities) std::printf(" %8u", density);
    std::printf("\n");
    for (size_t v = 0; v < kVariantCount; ++v) {
        std::printf("  %-16s", kVariants[v].name);
        for (const Rates& rates : all[v]) std::printf(" %8.3f", cell(rates));
        std::printf("\n");
    }
}

template <class Cell>
void print_by_length(const char* title, const char* length, const std::array<Rates, kVariantCount>& pooled,
                     const Cell& cell) {
    std::printf("  %s\n  %-16s", title, length);
    for (size_t bin = 0; bin < kBinCount; ++bin) std::printf(" %9s", bin_name(bin).c_str());
    std::printf("\n");
    for (size_t v = 0; v < kVariantCount; ++v) {
        std::printf("  %-16s", kVariants[v].name);
        for (size_t bin = 0; bin < kBinCount; ++bin) std::printf(" %9.3f", cell(pooled[v], bin));
        std::printf("\n");
    }
}

nlohmann::ordered_json bins_json(const std::array<uint64_t, kBinCount>& counts) {
    nlohmann::ordered_json json;
    for (size_t bin = 0; bin < kBinCount; ++bin) json[bin_name(bin)] = counts[bin];
    return json;
}

void add_json(const AllRates& all, nlohmann::ordered_json& json) {
    for (size_t v = 0; v < kVariantCount; ++v)
        for (size_t d = 0; d < std::size(kDensities); ++d) {
            const Rates& r = all[v][d];
            nlohmann::ordered_json row{{"rules", kVariants[v].name}, {"border", "periodic"}};
            row["sites_per_cell"] = kDensities[d];
            row["exact_links"] = r.exact;
            row["missed"] = r.missed;
            row["missed_unresolved"] = r.unresolved;
            row["spurious"] = r.spurious;
            row["longest_missed"] = r.longest;
            row["longest_missed_resolved"] = r.longest_resolved;
            row["exact_by_dual_length"] = bins_json(r.by_dual);
            row["missed_by_dual_length"] = bins_json(r.missed_by_dual);
            row["spurious_by_shortfall"] = bins_json(r.spurious_by_shortfall);
            json.push_back(row);
        }
}

/// On an open lattice: the effect of two or three gaps on cells that meet at the border.
void rate_borders(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf(
        "  Open borders: contacts whose Voronoi edge leaves the lattice, missed, %%; spurious links there, %%\n");
    std::printf("  %-16s %10s %12s %12s\n", "", "contacts", "2 gaps", "3 gaps (text)");
    Linker linker(plan);
    std::mt19937_64 random(plan.seed);
    for (const uint32_t density : kDensities) {
        const uint32_t side = 128;
        const Lattice lattice{side, side, false};
        const uint32_t n = std::max(3u, lattice.pixel_count() / density);
        uint64_t contacts = 0, missed[2] = {0, 0}, spurious[2] = {0, 0};
        for (uint32_t done = 0; done < sites_per_case(plan); done += n) {
            linker.set(lattice, sites_in_sight(lattice, n, random));
            const ExactGraph& exact = linker.exact();
            for (size_t e = 0; e < exact.edges.size(); ++e) contacts += exact.in_sight[e] && exact.at_border[e];
            for (int text = 0; text < 2; ++text) {
                StencilRules rules;
                rules.open_gaps = text ? 3 : 2;
                for (const LinkError& error : linker.compare(rules).errors)
                    if (error.at_border) ++(error.missed ? missed : spurious)[text];
            }
        }
        char cells[2][32];
        for (int text = 0; text < 2; ++text)
            std::snprintf(cells[text], sizeof cells[text], "%.3f; %.3f", percent(missed[text], contacts),
                          percent(spurious[text], contacts));
        std::printf("  %-16u %10s %12s %12s\n", density, with_commas(contacts).c_str(), cells[0], cells[1]);
        nlohmann::ordered_json row{{"border", "open"}, {"sites_per_cell", density}, {"border_contacts", contacts}};
        for (int text = 0; text < 2; ++text) {
            const std::string gaps = text ? "3" : "2";
            row["missed_" + gaps + "_gaps"] = missed[text];
            row["spurious_" + gaps + "_gaps"] = spurious[text];
        }
        json.push_back(row);
    }
}

}  // namespace

bool rate_links(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf("\nLinks of random centres against the exact graph, periodic, %s centres or more a density\n",
                with_commas(uint64_t(sites_per_case(plan))).c_str());
    const AllRates all = measure_rates(plan);
    print_by_density("Missed, % of the exact links", all, [](const Rates& r) { return percent(r.missed, r.exact); });
    print_by_density("Spurious, % of the exact links", all,
                     [](const Rates& r) { return percent(r.spurious, r.exact); });
    print_by_density("Longest missed Voronoi edge, lattice units", all, [](const Rates& r) { return r.longest; });
    print_by_density("The same, between centres at least √2 from all others", all,
                     [](const Rates& r) { return r.longest_resolved; });
    std::array<Rates, kVariantCount> pooled;
    for (size_t v = 0; v < kVariantCount; ++v)
        for (const Rates& rates : all[v]) pooled[v].add(rates);
    print_by_length("Missed, % of the exact links of that dual length, all densities", "dual length", pooled,
                    [](const Rates& r, size_t bin) { return percent(r.missed_by_dual[bin], r.by_dual[bin]); });
    print_by_length("Spurious, % of all exact links, by what their Voronoi edge falls short of 0", "shortfall", pooled,
                    [](const Rates& r, size_t bin) { return percent(r.spurious_by_shortfall[bin], r.exact); });
    add_json(all, json);
    rate_borders(plan, json);
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
