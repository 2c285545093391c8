// sanitizers: none
#include <string>

#include "voronoi/graphs.h"

using namespace flipscope;

TEST_CASE("graph comparison: random centres miss no interior link of 1.5 lattice units that the lattice resolves") {
    Grapher grapher(DeviceRequest::kCpu, 2);
    const size_t rounds = case_count(3);
    for (size_t round = 0; round < rounds; ++round)
        for (const PeriodicAxes periodic : kAllBorders)
            for (const uint32_t pixels_per_cell : {8u, 20u, 60u}) {
                const Lattice lattice{150, 150, periodic};
                const uint32_t n = lattice.pixel_count() / pixels_per_cell;
                INFO("periodic ", periodic, ", pixels_per_cell ", pixels_per_cell);
                // Anywhere: links of cells that hide between the lattice's pixels are listed as such.
                const std::vector<Point> anywhere = scattered(n, lattice, 0, 100 * round + pixels_per_cell);
                grapher.set(lattice, anywhere);
                GraphComparison comparison =
                    compare_graphs(exact_graph(grapher.context, anywhere, lattice), anywhere, grapher.links());
                CHECK(comparison.longest_missed_resolved < 1.5);
                CHECK(comparison.exact_links > 2.5 * n);
                CHECK(comparison.missed < 0.06 * comparison.exact_links);
                CHECK(comparison.spurious < 0.06 * comparison.exact_links);
                // None nearer than √2: then every cell has a pixel, and no link of that length is missed at all.
                const std::vector<Point> apart =
                    scattered(n, lattice, 1.4142135623730951, 100 * round + pixels_per_cell);
                const ExactGraph exact = exact_graph(grapher.context, apart, lattice);
                grapher.set(lattice, apart);
                for (const bool mirror : {false, true})
                    for (const bool lenient : {false, true})
                        for (const bool inner : {false, true}) {
                            StencilRules rules;
                            rules.mirror = mirror;
                            rules.lenient_strip = lenient;
                            rules.inner_frame = inner;
                            comparison = compare_graphs(exact, apart, grapher.links(rules));
                            CHECK(comparison.longest_missed_interior < 1.5);
                            CHECK(comparison.longest_missed < 1.5);  // nor at borders
                        }
            }
}

TEST_CASE("graph comparison: at open borders two gaps find every contact, and three, as in the text, do not") {
    Grapher grapher(DeviceRequest::kCpu, 2);
    size_t missed_by_text = 0;
    for (size_t round = 0; round < 40; ++round) {
        const Lattice lattice{80, 60, false};
        const std::vector<Point> sites = scattered(24, lattice, 3, round);
        const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
        grapher.set(lattice, sites);
        const auto missed_at_border = [&](int open_gaps) {
            StencilRules rules;
            rules.open_gaps = open_gaps;
            const GraphComparison comparison = compare_graphs(exact, sites, grapher.links(rules));
            size_t missed = 0;
            for (const LinkError& e : comparison.errors) missed += e.missed && e.at_border && e.dual_length >= 1.5;
            return missed;
        };
        CHECK(missed_at_border(2) == 0);
        missed_by_text += missed_at_border(3);
    }
    CHECK(missed_by_text > 0);
}

TEST_CASE("graph comparison: missed and spurious links are distinguished, with lengths") {
    Context context(DeviceRequest::kCpu, 1);
    const Lattice lattice{20, 20, false};
    const std::vector<Point> sites = {{5, 10}, {15, 10}, {10, 4}, {10, 16}};  // 2 and 3 are farther apart: 0 to 1
    const ExactGraph exact = exact_graph(context, sites, lattice);
    REQUIRE(exact.edges == std::vector<LinkedCells>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}});
    const double dual = exact.dual_lengths[exact.find(0, 1)];
    const GraphComparison comparison = compare_graphs(exact, sites, {{0, 2}, {0, 3}, {1, 3}, {2, 3}});
    CHECK(comparison.links == 4);
    CHECK(comparison.exact_links == 5);
    REQUIRE(comparison.missed == 2);
    REQUIRE(comparison.spurious == 1);
    CHECK(comparison.errors[0].labels == LinkedCells{0, 1});
    CHECK(comparison.errors[0].missed);
    CHECK(comparison.errors[0].dual_length == doctest::Approx(dual));
    CHECK_FALSE(comparison.errors[0].at_border);
    CHECK(comparison.errors[1].labels == LinkedCells{1, 2});
    CHECK(comparison.errors[1].at_border);
    CHECK(comparison.errors[2].labels == LinkedCells{2, 3});
    CHECK_FALSE(comparison.errors[2].missed);
    // The circumcentres of 2, 3 with 0 and with 1 lie at x = 7.5 - 3.6 and its mirror image, the wrong way round.
    CHECK(comparison.errors[2].shortfall == doctest::Approx(2.2));
    CHECK(comparison.longest_missed == doctest::Approx(comparison.errors[1].dual_length));
    CHECK(comparison.longest_missed_interior == doctest::Approx(dual));
    CHECK(comparison.longest_missed_resolved == doctest::Approx(dual));
    const GraphComparison perfect = compare_graphs(exact, sites, exact.edges);
    CHECK(perfect.errors.empty());
    CHECK(compare_graphs(exact_graph(context, {}, lattice), {}, {}).errors.empty());
}

TEST_CASE("graph comparison: missed contacts are those that exact cells promise to find, and no others") {
    GraphComparison comparison;
    const auto add = [&](bool missed, bool at_border, bool unresolved, double length) {
        LinkError error;
        error.missed = missed;
        error.at_border = at_border;
        error.unresolved = unresolved;
        error.dual_length = length;
        comparison.errors.push_back(error);
    };
    add(true, false, false, 1.499);
    add(true, true, false, 9);
    add(false, false, false, 9);
    add(true, false, false, 9);
    comparison.errors.back().covered = true;  // its corners may lie under an obstacle, where no rule sees them
    CHECK(count_missed_contacts(comparison, ExactCells::kNear) == 0);
    CHECK(count_missed_contacts(comparison, ExactCells::kAll) == 0);
    add(true, false, true, 1.5);
    CHECK(count_missed_contacts(comparison, ExactCells::kNone) == 0);
    CHECK(count_missed_contacts(comparison, ExactCells::kNear) == 1);
    add(true, false, false, 2.86);
    CHECK(count_missed_contacts(comparison, ExactCells::kNone) == 1);
    CHECK(count_missed_contacts(comparison, ExactCells::kAll) == 2);
}

TEST_CASE("graph comparison: shortfalls are those of the definition, over all other centres") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(3);
    size_t compared = 0;
    for (const PeriodicAxes periodic : kAllBorders)
        for (const char* kind : {"random", "on sites", "clusters", "collinear", "ring", "half"}) {
            const Lattice lattice{90, 70, periodic};
            std::vector<Point> sites = site_set(kind, 120, lattice, random);
            const ExactGraph exact = exact_graph(context, sites, lattice);
            std::vector<LinkedCells> links;
            for (uint32_t a = 0; a < sites.size(); a += 3)
                for (uint32_t b = a + 1; b < sites.size(); b += 7)
                    if (exact.representatives[a] == a && exact.representatives[b] == b) links.push_back({a, b});
            for (const LinkError& error : compare_graphs(exact, sites, links).errors) {
                if (error.missed) continue;
                const Point from = sites[error.labels[0]];
                const Point step = lattice.difference(from, sites[error.labels[1]]);
                const Point middle{from.x + step.x / 2, from.y + step.y / 2};
                const double length = std::hypot(step.x, step.y);
                double low = -1e300, high = 1e300;
                bool certain = true;
                for (const Point c : sites) {
                    if (c == sites[error.labels[0]] || c == sites[error.labels[1]]) continue;
                    const Point d = lattice.difference(lattice.wrapped(middle), c);
                    const double away = (step.x * d.y - step.y * d.x) / length;
                    const double at = (d.x * d.x + d.y * d.y - length * length / 4) / (2 * away);
                    certain = certain && std::fabs(away) > 1e-6;
                    if (away > 0) high = std::min(high, at);
                    if (away < 0) low = std::max(low, at);
                }
                if (!certain) continue;
                ++compared;
                CAPTURE(std::string(kind));
                REQUIRE(error.shortfall ==
                        doctest::Approx(std::clamp(low - high, 0.0, 2.0 * (lattice.width + lattice.height))));
            }
        }
    CHECK(compared > 1000);
}

TEST_CASE("graph comparison: of a hundred thousand centres as many wrong links as there are") {
    // A spurious link may not ask all sites: with so many that would take minutes.
    Context context(DeviceRequest::kCpu, 2);
    const Lattice lattice{512, 512, false};
    for (const bool line : {false, true}) {
        std::vector<Point> sites = scattered(100000, lattice, 0, 1);
        if (line)
            for (Point& p : sites) p.y = 0.3 * p.x + 100;
        const ExactGraph exact = exact_graph(context, sites, lattice);
        std::vector<LinkedCells> links;
        for (uint32_t a = 0; a + 5 < sites.size(); a += 5) links.push_back({a, a + 5});
        const GraphComparison comparison = compare_graphs(exact, sites, links);
        CHECK(comparison.spurious > 19000);
        CHECK(comparison.spurious + comparison.missed == comparison.errors.size());
    }
}
