// Links of sites that the lattice does not resolve: StencilRules::exact_cells finds them, independent of the colours.
#include <cmath>
#include <string>

#include "geometry/bounds.h"
#include "voronoi/graphs.h"
#include "voronoi/obstacles.h"

using namespace flipscope;

namespace {

const StencilRules kNear{.exact_cells = int(ExactCells::kNear)};

/// Of two sorted lists.
std::vector<LinkedCells> difference(const std::vector<LinkedCells>& all, const std::vector<LinkedCells>& some) {
    std::vector<LinkedCells> rest;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
    return rest;
}

/// With exact cells no link of 1.5 lattice units is missed, but at borders. Returns whether the colours alone miss one.
bool check_none_missed(Grapher& grapher, const Lattice& lattice, const std::vector<Point>& sites) {
    const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
    grapher.set(lattice, sites);
    const GraphComparison near = compare_graphs(exact, sites, grapher.links(kNear));
    REQUIRE(near.longest_missed_interior < 1.5);
    REQUIRE(count_missed_contacts(near, ExactCells::kNear) == 0);
    return compare_graphs(exact, sites, grapher.links()).longest_missed_interior >= 1.5;
}

/// Clouds of a shape that cells are wide in some places and thin in others: strips, lines, bundles of all sizes, rings,
/// crosses, rows and piles.
std::vector<Point> cloud(int kind, uint32_t n, const Lattice& lattice, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal;
    const double thin = std::pow(10, -3 * unit(random)), angle = 6.283185307179586 * unit(random);
    std::vector<Point> bundles(1 + random() % 6), points(n);
    std::vector<double> sizes(bundles.size());
    for (size_t i = 0; i < bundles.size(); ++i) {
        bundles[i] = {unit(random), unit(random)};
        sizes[i] = std::pow(10, -3 * unit(random));
    }
    for (Point& p : points) {
        const double u = unit(random), v = unit(random), around = 6.283185307179586 * u;
        const size_t k = random() % bundles.size();
        switch (kind) {
            case 0:
                p = {u, thin * v};
                break;
            case 1:
                p = {u, thin * normal(random)};
                break;
            case 2:
                p = {bundles[k].x + 0.1 * sizes[k] * normal(random), bundles[k].y + 0.1 * sizes[k] * normal(random)};
                break;
            case 3:
                p = {std::cos(around) * (1 + 0.1 * thin * normal(random)), 10 * thin * std::sin(around)};
                break;
            case 4:
                p = {std::pow(u, 6), std::pow(v, 6)};
                break;
            case 5:
                p = {u * std::cos(2 * around) + 0.01 * thin * normal(random), u * std::sin(2 * around)};
                break;
            case 6:
                p = random() % 2 ? Point{u, 0.1 * thin * v} : Point{0.5 + 0.1 * thin * normal(random), v};
                break;
            case 7:
                p = {u, thin * std::sin(9 * u) + 0.003 * normal(random)};
                break;
            default:
                p = {bundles[k].x + 3 * sizes[k] * (v - 0.5) * std::cos(7 * bundles[k].y) + 0.001 * normal(random),
                     bundles[k].y + 3 * sizes[k] * (v - 0.5) * std::sin(7 * bundles[k].y) + 0.001 * normal(random)};
        }
        p = {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y};
    }
    const auto [low, high] = bounds_of(points);
    const double scale =
        (0.3 + 0.65 * unit(random)) * std::min(lattice.width / (high.x - low.x), lattice.height / (high.y - low.y));
    for (Point& p : points)
        p = lattice.wrapped({lattice.width / 2.0 + scale * (p.x - (low.x + high.x) / 2),
                             lattice.height / 2.0 + scale * (p.y - (low.y + high.y) / 2)});
    return points;
}

}  // namespace

TEST_CASE("exact cells: random centres miss no link of 1.5 lattice units, however near they are") {
    Grapher grapher(DeviceRequest::kCpu, 2);
    size_t hidden = 0;
    const size_t rounds = case_count(1);
    for (size_t round = 0; round < rounds; ++round)
        for (const Lattice lattice :
             {Lattice{48, 48, false}, Lattice{48, 48, true}, Lattice{100, 7, true}, Lattice{7, 90, false},
              Lattice{1, 40, false}, Lattice{1, 40, true}, Lattice{5, 4, false}, Lattice{3, 3, true},
              Lattice{2, 2, true}, Lattice{16, 16, true}, Lattice{1, 1, true}, Lattice{48, 48, {true, false}},
              Lattice{40, 30, {false, true}}, Lattice{100, 7, {false, true}}, Lattice{100, 7, {true, false}},
              Lattice{7, 90, {true, false}}, Lattice{1, 40, {true, false}}, Lattice{1, 40, {false, true}},
              Lattice{3, 3, {true, false}}})
            for (const double pixels_per_cell : {0.5, 2.0, 3.0, 5.0, 8.0, 20.0, 60.0, 200.0, 500.0, 1500.0}) {
                INFO(pixels_per_cell, ", ", lattice);
                const uint32_t n = std::max(uint32_t(lattice.pixel_count() / pixels_per_cell), uint32_t(2 + round % 3));
                const std::vector<Point> sites = scattered(n, lattice, 0, 1000 * round + uint64_t(pixels_per_cell));
                hidden += check_none_missed(grapher, lattice, sites);
                // Nor at borders.
                REQUIRE(compare_graphs(exact_graph(grapher.context, sites, lattice), sites, grapher.links(kNear))
                            .longest_missed < 1.5);
            }
    CHECK(hidden > 5);  // of the same lattices by their colours alone
}

TEST_CASE("exact cells: on every device the links added are edges of the exact graph, and the others stay") {
    on_every_device<Grapher>([&](Grapher& grapher) {
        Grapher alone;
        std::mt19937_64 random(7);
        const size_t rounds = case_count(3);
        size_t added_in_all = 0;
        for (size_t round = 0; round < rounds; ++round)
            for (const std::string kind : kSiteSets) {
                const Lattice lattice{uint32_t(1 + random() % 70), uint32_t(1 + random() % 50),
                                      kAllBorders[random() % 4]};
                const uint32_t n = uint32_t(random() % (lattice.pixel_count() / (1 + random() % 6) + 4));
                const std::vector<Point> sites = site_set(kind, n, lattice, random);
                INFO(kind, ", ", n, " sites, ", lattice);
                const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
                grapher.set(lattice, sites);
                const std::vector<LinkedCells> by_colours = grapher.links(), links = grapher.links(kNear);
                REQUIRE(compare_graphs(exact, sites, links).longest_missed_interior < 1.5);
                REQUIRE(difference(by_colours, links).empty());
                for (const LinkedCells& link : difference(links, by_colours)) {
                    ++added_in_all;
                    const uint32_t edge = exact.find(link[0], link[1]);
                    REQUIRE(edge != kNone);
                    // Sites on a line but for rounding have circles of any size.
                    if (kind != "collinear") REQUIRE(exact.dual_lengths[edge] > 0.249);
                }
                alone.set(lattice, sites);
                REQUIRE(alone.links(kNear) == links);
                REQUIRE(grapher.links() == by_colours);  // and off again
            }
        CHECK(added_in_all > 300 * rounds);
    });
}

TEST_CASE("exact cells: of all centres, nothing along a quarter of a lattice unit is missed") {
    const StencilRules all{.exact_cells = int(ExactCells::kAll)};
    // Resolved cells can miss each other, too, where one of them ends in a long and narrow wedge.
    const std::vector<Point> wedge = {{8.27514, 6.627},   {4.6977, 6.30595},  {7.96032, 9.71244}, {4.89998, 10.34148},
                                      {4.77082, 2.90381}, {7.36687, 2.69187}, {3.34961, 5.08795}, {7.04904, 6.73762},
                                      {5.15187, 8.46452}, {-0.5, 1.23193},    {7.79368, 6.18597}};
    on_every_device<Grapher>([&](Grapher& grapher) {
        const auto longest_missed = [&](const Lattice& lattice, const std::vector<Point>& sites,
                                        const StencilRules& rules) {
            const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
            grapher.set(lattice, sites);
            return compare_graphs(exact, sites, grapher.links(rules)).longest_missed;
        };
        CHECK(longest_missed({9, 11, false}, wedge, {}) > 1);
        CHECK(longest_missed({9, 11, false}, wedge, kNear) < 1.5);
        CHECK(longest_missed({9, 11, false}, wedge, all) < 0.2501);
        for (const PeriodicAxes periodic : kAllBorders)
            for (const uint32_t n : {30u, 100u, 400u}) {
                const Lattice lattice{90, 70, periodic};
                CHECK(longest_missed(lattice, scattered(n, lattice, 0, n), all) < 0.2501);
            }
    });
}

TEST_CASE("exact cells: the others that no lattice resolves, beyond it and around a torus") {
    on_every_device<Grapher>([&](Grapher& grapher) {
        // The cell of 0 ends in the half unit between the box and the first row of pixels.
        const std::vector<Point> beyond = {{10, -5}, {10, 4.4}, {0, -6}, {20, -6}};
        const Lattice open{21, 21, false};
        const ExactGraph exact = exact_graph(grapher.context, beyond, open);
        grapher.set(open, beyond);
        CHECK(compare_graphs(exact, beyond, grapher.links()).longest_missed_interior > 5);
        CHECK(compare_graphs(exact, beyond, grapher.links()).longest_missed_resolved < 1.5);
        CHECK(compare_graphs(exact, beyond, grapher.links(kNear)).longest_missed_interior < 1.5);
        // Cells that meet only each other have no corners.
        grapher.set({20, 12, true}, {{3, 3}, {12, 8}});
        CHECK(grapher.links().empty());
        CHECK(grapher.links(kNear) == std::vector<LinkedCells>{{0, 1}});
        // Also where there are many sites, but in two places.
        std::vector<Point> piles(300, Point{3, 3});
        piles.resize(600, Point{12, 8});
        grapher.set({20, 12, true}, piles);
        CHECK(grapher.links(kNear) == std::vector<LinkedCells>{{0, 300}});
        grapher.set({20, 12, true}, std::vector<Point>(300, Point{3, 3}));
        CHECK(grapher.links(kNear).empty());
        // Around a cylinder the same, where one cell is a cap; and of sites beyond its open ends.
        for (const bool upright : {false, true}) {
            const Lattice cylinder = upright ? Lattice{12, 20, {false, true}} : Lattice{20, 12, {true, false}};
            const auto turned = [&](Point p) { return upright ? Point{p.y, p.x} : p; };
            for (const double beyond_end : {9.0, 11.8, 400.0}) {
                CAPTURE(beyond_end);
                const std::vector<Point> sites{turned({3, 3}), turned({12, beyond_end}), turned({12, -beyond_end})};
                grapher.set(cylinder, sites);
                const ExactGraph of_it = exact_graph(grapher.context, sites, cylinder);
                CHECK(compare_graphs(of_it, sites, grapher.links(kNear)).longest_missed < 1.5);
            }
        }
    });
}

TEST_CASE("exact cells: obstacles block the links that they block for the comparison") {
    size_t added = 0, blocked = 0;
    on_every_device<Grapher>([&](Grapher& grapher) {
        std::mt19937_64 random(11);
        for (size_t round = 0; round < case_count(12); ++round) {
            const Lattice lattice{60, 50, false};
            const std::vector<uint8_t> obstacles = random_walls(lattice, random);
            const std::vector<Point> sites = scattered(700, lattice, 0, round);
            const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
            grapher.set(lattice, sites, obstacles);
            const StencilRules ends{.obstacles_end = true},
                both{.obstacles_end = true, .exact_cells = int(ExactCells::kNear)};
            const std::vector<LinkedCells> by_colours = grapher.links(ends), links = grapher.links(both);
            const GraphComparison before = compare_graphs(exact, sites, by_colours, obstacles);
            for (const LinkError& error : compare_graphs(exact, sites, links, obstacles).errors)
                if (error.missed) CHECK(error.free_length < kLeastContact);
            const auto is_blocked = [&](const LinkedCells& link) {
                return std::any_of(before.blocked.begin(), before.blocked.end(),
                                   [&](const LinkError& error) { return error.labels == link; });
            };
            for (const LinkedCells& link : difference(links, by_colours)) {
                ++added;
                CHECK_FALSE(is_blocked(link));
            }
            blocked += before.blocked.size();
        }
    });
    CHECK(added > 50 * devices_under_test().size());
    CHECK(blocked > 15 * devices_under_test().size());
}

TEST_CASE("exact cells: a crowd of thousands within a lattice unit, and a star whose middle is one of two") {
    const Lattice lattice{200, 200, false};
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    const auto around = [](Point middle, double radius, double angle) {
        return Point{middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)};
    };
    for (const double radius : {0.4, 1e-4}) {
        std::vector<Point> sites = scattered(50, lattice, 0, 5);
        for (size_t k = 0; k < std::max<size_t>(case_count(8000), 2000); ++k)
            sites.push_back(around({90.3, 70.7}, radius * std::sqrt(unit(random)), 6.283185307179586 * unit(random)));
        on_every_device<Grapher>([&](Grapher& grapher) {
            grapher.set(lattice, sites);
            const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
            if (sites.size() > 8000)  // all of them
                CHECK(compare_graphs(exact, sites, grapher.links()).longest_missed_interior > 1.5);
            CHECK(compare_graphs(exact, sites, grapher.links(kNear)).longest_missed_interior < 1.5);
        });
    }
    std::vector<Point> star = {{100.25, 100.25}, {100.25, 100.26}};
    for (int i = 0; i < 400; ++i) star.push_back(around({100.25, 100.255}, 90, 6.283185307179586 * i / 400));
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, star);
        const std::vector<LinkedCells> links = grapher.links(kNear);
        CHECK(compare_graphs(exact_graph(grapher.context, star, lattice), star, links).missed == 0);
        CHECK(std::count_if(links.begin(), links.end(), [](const LinkedCells& link) { return link[0] == 0; }) >= 201);
    });
}

TEST_CASE("exact cells: clouds of any shape, elongated or of several scales, miss no link of 1.5 lattice units") {
    std::mt19937_64 random(749);
    const size_t rounds = case_count(20);
    size_t hidden = 0;
    on_every_device<Grapher>([&](Grapher& grapher) {
        for (size_t round = 0; round < rounds; ++round)
            for (int kind = 0; kind < 9; ++kind) {
                const Lattice lattice{uint32_t(40 + random() % 300), uint32_t(40 + random() % 300), random() % 4 == 0};
                const std::vector<Point> sites = cloud(kind, uint32_t(8 + random() % 600), lattice, random);
                INFO("kind ", kind, ", round ", round);
                hidden += check_none_missed(grapher, lattice, sites);
            }
    });
    CHECK(hidden > rounds);  // by the colours alone
}
