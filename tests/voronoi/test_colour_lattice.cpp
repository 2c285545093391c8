// colour_lattice(), the library's function, against the definition, and its graphs against the rules and exact_graph().
#include "flipscope/colour_lattice.h"

#include <cmath>

#include "voronoi/graph/exact_graph.h"
#include "voronoi/graphs.h"

using namespace flipscope;

namespace {

std::vector<LinkedCells> links_of(const ColouredLattice& made) {
    std::vector<LinkedCells> links;
    for (uint32_t i = 0; i + 1 < made.row_starts.size(); ++i)
        for (uint32_t e = made.row_starts[i]; e < made.row_starts[i + 1]; ++e)
            if (i < made.neighbours[e]) links.push_back({i, made.neighbours[e]});
    return links;
}

}  // namespace

TEST_CASE("colour_lattice: colours and neighbours by the definition, for all sets of sites, on every device") {
    std::mt19937_64 random(11);
    for (const PeriodicAxes periodic : kAllBorders)
        for (const char* kind : kSiteSets)
            for (const uint32_t n : {0u, 1u, 2u, 3u, 40u}) {
                const Lattice lattice{45, 32, periodic};
                const std::vector<Point> sites = site_set(kind, n, lattice, random);
                std::vector<uint8_t> obstacles(n % 2 ? lattice.pixel_count() : 0);
                for (uint8_t& one : obstacles) one = random() % 20 == 0;
                const std::vector<uint32_t> expected = colours_by_force(lattice, sites, obstacles);
                const std::vector<LinkedCells> links = links_by_rules(lattice, expected, sites, {});
                INFO(kind, ", ", n);
                on_every_device([&](Context& context) {
                    const ColouredLattice made = colour_lattice(
                        context, lattice, sites, {.obstacles = obstacles, .neighbours = LatticeNeighbours::kColours});
                    CHECK(made.colours == expected);
                    CHECK(made.row_starts.size() == n + 1);
                    CHECK(links_of(made) == links);
                });
            }
}

TEST_CASE("colour_lattice: the exact neighbours are those of exact_graph() that the box shows") {
    std::mt19937_64 random(5);
    Context context(DeviceRequest::kCpu, 2);
    for (const PeriodicAxes periodic : kAllBorders) {
        const Lattice lattice{64, 48, periodic};
        const std::vector<Point> sites = site_set("random", 100, lattice, random);
        const ColouredLattice made = colour_lattice(context, lattice, sites, {.neighbours = LatticeNeighbours::kExact});
        const ExactGraph graph = exact_graph(context, sites, lattice);
        std::vector<LinkedCells> expected;
        for (size_t e = 0; e < graph.edges.size(); ++e)
            if (graph.in_sight[e]) expected.push_back(graph.edges[e]);
        CHECK(links_of(made) == expected);
        std::vector<Point> turned = sites;  // around periodic axes, the same places
        for (Point& p : turned) p = {p.x + (periodic.x ? 64 : 0), p.y - (periodic.y ? 96 : 0)};
        if (periodic.any())
            CHECK(links_of(colour_lattice(context, lattice, turned, {.neighbours = LatticeNeighbours::kExact})) ==
                  expected);
    }
}

TEST_CASE("colour_lattice: sites in the device's memory, and other methods") {
    std::mt19937_64 random(8);
    const Lattice lattice{96, 64, true};
    const std::vector<Point> sites = site_set("random", 150, lattice, random);
    on_every_device([&](Context& context) {
        const ColouredLattice expected =
            colour_lattice(context, lattice, sites, {.neighbours = LatticeNeighbours::kColours});
        Buffer<Point> resident("sites");
        resident.upload(context, sites.data(), sites.size());
        const DeviceColouredLattice made =
            colour_lattice_on_device(context, lattice, resident.view(), {.neighbours = LatticeNeighbours::kColours});
        CHECK(made.colours.download() == expected.colours);
        CHECK(made.row_starts.size() == sites.size() + 1);
        CHECK(made.neighbours.size() == expected.neighbours.size());
        CHECK(colour_lattice(context, lattice, sites, {.method = ColouringMethod::kEverySite}).colours ==
              expected.colours);
        size_t wrong = 0;
        const auto flooded =
            colour_lattice(context, lattice, sites,
                           {.method = ColouringMethod::kJumpFlooding, .neighbours = LatticeNeighbours::kColours});
        for (size_t i = 0; i < flooded.colours.size(); ++i) wrong += flooded.colours[i] != expected.colours[i];
        CHECK(wrong < flooded.colours.size() / 20);
        CHECK_FALSE(flooded.neighbours.empty());
    });
    CHECK(colour_lattice(lattice, sites, {.device = DeviceRequest::kCpu, .threads = 1}).row_starts.empty());
}

TEST_CASE("colour_lattice: wrong input is an error that says what") {
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Point> sites{{1, 1}, {NAN, 2}};
    const Lattice lattice{4, 4};
    CHECK_THROWS_WITH_AS(colour_lattice(context, lattice, sites), doctest::Contains("site 1: (nan, 2)"), Error);
    CHECK_THROWS_AS(colour_lattice(context, {0, 4}, {}), Error);
    CHECK_THROWS_AS(colour_lattice(context, {65536, 65536}, {}), Error);
    const std::vector<uint8_t> few(15);
    CHECK_THROWS_WITH_AS(colour_lattice(context, lattice, {}, {.obstacles = few}),
                         doctest::Contains("15 obstacle flags for a lattice of 4 × 4 pixels"), Error);
}
