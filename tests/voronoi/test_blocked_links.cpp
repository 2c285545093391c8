// Links that obstacles block, distinguished from those that a lattice's graph misses.
#include <string>

#include "delaunay/runs.h"
#include "voronoi/graphs.h"
#include "voronoi/obstacles.h"

using namespace flipscope;

namespace {

/// Obstacles on all pixels with low_x <= x <= high_x and low_y <= y <= high_y.
std::vector<uint8_t> block_of(const Lattice& lattice, uint32_t low_x, uint32_t high_x, uint32_t low_y,
                              uint32_t high_y) {
    std::vector<uint8_t> obstacles(lattice.pixel_count(), 0);
    for (uint32_t y = low_y; y <= high_y; ++y)
        for (uint32_t x = low_x; x <= high_x; ++x) obstacles[lattice.pixel(x, y)] = 1;
    return obstacles;
}

/// How many pairs of pixels beside or above each other have these two colours.
uint32_t contacts(const Lattice& lattice, const std::vector<uint32_t>& colours, const LinkedCells& link) {
    uint32_t count = 0;
    const auto look = [&](uint32_t a, uint32_t b) {
        count += std::min(colours[a], colours[b]) == link[0] && std::max(colours[a], colours[b]) == link[1];
    };
    for (uint32_t y = 0; y < lattice.height; ++y)
        for (uint32_t x = 0; x < lattice.width; ++x) {
            const uint32_t right = (x + 1) % lattice.width, up = (y + 1) % lattice.height;
            if (lattice.periodic.x || right > 0) look(lattice.pixel(x, y), lattice.pixel(right, y));
            if (lattice.periodic.y || up > 0) look(lattice.pixel(x, y), lattice.pixel(x, up));
        }
    return count;
}

}  // namespace

TEST_CASE("blocked links: a wall along the Voronoi edge blocks it, and a gap in the wall does not") {
    Context context(DeviceRequest::kCpu, 1);
    const Lattice lattice{40, 20, false};
    const std::vector<Point> sites{{10, 10}, {29, 10}};  // the edge is x = 19.5, as long as the lattice is high
    const ExactGraph exact = exact_graph(context, sites, lattice);
    REQUIRE(exact.edges.size() == 1);
    const auto compared = [&](const std::vector<uint8_t>& obstacles) {
        return compare_graphs(exact, sites, {}, obstacles);
    };
    GraphComparison comparison = compared(block_of(lattice, 18, 20, 0, 19));
    CHECK(comparison.missed == 0);
    CHECK(comparison.errors.empty());
    REQUIRE(comparison.blocked.size() == 1);
    CHECK(comparison.blocked[0].labels == LinkedCells{0, 1});
    CHECK(comparison.blocked[0].free_length == 0);
    CHECK(comparison.longest_missed == 0);
    CHECK(comparison.exact_links == 1);
    // Beside it the wall covers nothing; only half of it leaves ten units free.
    CHECK(compared(block_of(lattice, 10, 18, 0, 19)).missed == 1);
    CHECK(compared(block_of(lattice, 10, 18, 0, 19)).blocked.empty());
    comparison = compared(block_of(lattice, 18, 20, 0, 9));
    REQUIRE(comparison.missed == 1);
    CHECK(comparison.errors[0].free_length == doctest::Approx(9.5).epsilon(0.02));
    CHECK(comparison.errors[0].dual_length == doctest::Approx(20));
    // Free are the places with four free pixels around: in a gap of three pixels two units, of two pixels one.
    std::vector<uint8_t> wall = block_of(lattice, 18, 20, 0, 19);
    for (uint32_t y = 8; y < 10; ++y)
        wall[lattice.pixel(18, y)] = wall[lattice.pixel(19, y)] = wall[lattice.pixel(20, y)] = 0;
    CHECK(compared(wall).blocked.size() == 1);
    wall[lattice.pixel(18, 10)] = wall[lattice.pixel(19, 10)] = wall[lattice.pixel(20, 10)] = 0;
    CHECK(compared(wall).missed == 1);
    // A link on the lattice counts despite an obstacle.
    CHECK(compare_graphs(exact, sites, {{0, 1}}, block_of(lattice, 18, 20, 0, 19)).blocked.empty());
}

TEST_CASE("blocked links: between posts and walls no long free link is missed, and blocked ones have no contact") {
    Grapher grapher(DeviceRequest::kCpu, 2);
    size_t blocked = 0;
    for (const ObstacleKind kind : {ObstacleKind::kPosts, ObstacleKind::kWalls})
        for (const PeriodicAxes periodic : kAllBorders)
            for (uint64_t seed = 0; seed < case_count(6); ++seed) {
                INFO("periodic ", periodic, ", seed ", seed);
                const Lattice lattice{120, 90, periodic};
                const ObstacleOptions options{kind, 5, 30, uint32_t(3 + 2 * seed), 0};
                const std::vector<uint8_t> obstacles = make_obstacles(lattice, options, {});
                const std::vector<Point> sites = scattered(150, lattice, 1.4142135623730951, seed);
                const ExactGraph exact = exact_graph(grapher.context, sites, lattice);
                grapher.set(lattice, sites, obstacles);
                StencilRules rules{.obstacles_end = true};
                const std::vector<LinkedCells> links = grapher.links(rules);
                const GraphComparison comparison = compare_graphs(exact, sites, links, obstacles),
                                      blind = compare_graphs(exact, sites, links);
                CHECK(comparison.blocked.size() > 0);
                CHECK(comparison.missed + comparison.blocked.size() == blind.missed);
                CHECK(comparison.spurious == blind.spurious);
                for (const LinkError& error : comparison.errors)
                    if (error.missed) CHECK(error.free_length < kLeastContact);
                const std::vector<uint32_t> colours = colours_by_force(lattice, sites, obstacles);
                for (const LinkError& error : comparison.blocked) {
                    CHECK(error.free_length < kLeastContact);
                    CHECK(contacts(lattice, colours, error.labels) <= 4);
                }
                blocked += comparison.blocked.size();
            }
    CHECK(blocked > 30);
}

TEST_CASE("blocked links: the Voronoi lab counts, shows and explains them apart from missed ones") {
    Context context(DeviceRequest::kCpu, 2);
    for (const std::string kind : {"posts", "walls"}) {
        INFO(kind);
        const auto lab = finished(context, make_input("nothing", {}), "voronoi",
                                  {"count=200", "width=96", "height=72", "obstacles=" + kind, "obstacle_height=50",
                                   "obstacle_width=7", "obstacle_count=6", "obstacles_end=on"});
        const auto number = [&](const char* name) { return number_of(*lab, name); };
        CHECK(number("blocked links") > 10);
        CHECK(number("missed links") < number("blocked links"));
        CHECK(facet<Detector>(*lab).detection_count() == size_t(number("missed links") + number("spurious links")));
        CHECK(contains(facet<Checkable>(*lab).check().sentence, "blocked by obstacles"));
        const Scene scene = lab->scene();
        const std::vector<LegendEntry> legend = scene.legend();
        const auto entry = std::find_if(legend.begin(), legend.end(),
                                        [](const LegendEntry& each) { return each.name == "blocked link"; });
        REQUIRE(entry != legend.end());
        REQUIRE(scene.layer("overlay"));
        const auto& over = std::get<SegmentsLayer>(scene.layer("overlay")->shape);
        const std::vector<State> states = over.states->download();
        size_t drawn = 0;
        for (size_t e = 0; e < over.count; ++e) drawn += (states[e] & entry->bit) != 0;
        CHECK(drawn == size_t(number("blocked links")));
        bool told = false;
        for (uint32_t label = 0; label < 200; ++label)
            for (const Property& fact : facet<Inspectable>(*lab).inspect({ElementKind::kVertex, label, 0}).properties())
                told = told || fact.name == "Blocked links";
        CHECK(told);
    }
    const auto open = finished(context, make_input("nothing", {}), "voronoi", {"count=50", "width=64", "height=48"});
    for (const LegendEntry& each : open->scene().legend()) CHECK(each.name != "blocked link");
}
