#include "voronoi/graphs.h"

using namespace flipscope;

namespace {

const StencilRules kVariants[] = {
    {},
    {false, false, true, 3, 3, false},  // the text, on borders too
    {true, false, true, 3, 2, false},
    {false, true, true, 3, 2, false},
    {true, true, true, 3, 2, false},
    {false, false, false, 3, 2, false},
    {false, false, true, 2, 2, true},
    {false, false, true, 3, 2, true},  // the Events lab's
    {false, false, false, 4, 1, true},
};

/// Rows symmetric, ascending, without repetitions, none to itself, and with room to spare.
void check_rows(const Adjacency& graph) {
    if (graph.count == 0) return;
    const std::vector<uint32_t> starts = graph.starts.download();
    REQUIRE(starts[0] == 0);
    REQUIRE(starts[graph.count] == graph.entry_count);
    REQUIRE(graph.entry_count <= graph.neighbours.size());
    const std::vector<uint32_t> neighbours = graph.neighbours.download(graph.entry_count);
    const AdjacencyView view{{starts.data(), graph.count + 1}, {neighbours.data(), neighbours.size()}, graph.count};
    bool sound = true;
    for (uint32_t a = 0; a < graph.count && sound; ++a) {
        sound = starts[a] <= starts[a + 1];
        for (uint32_t k = starts[a]; k < starts[a + 1] && sound; ++k)
            sound = neighbours[k] < graph.count && neighbours[k] != a &&
                    (k == starts[a] || neighbours[k - 1] < neighbours[k]) && view.linked(neighbours[k], a);
    }
    REQUIRE(sound);
}

}  // namespace

TEST_CASE("lattice graph: on every device its links are those of the rules applied site by site") {
    on_every_device<Grapher>([&](Grapher& grapher) {
        std::mt19937_64 random(5);
        const size_t rounds = case_count(6);
        for (const char* kind : kSiteSets)
            for (size_t round = 0; round < rounds; ++round) {
                const auto size = [&](uint32_t most) {
                    const uint32_t of_tiles[] = {30, 31, 60, 61, 62, 63, 93, 125};  // where tiles of corners end
                    return uint32_t(random() % 3 ? 1 + random() % most : of_tiles[random() % std::size(of_tiles)]);
                };
                const Lattice lattice{size(70), size(40), kAllBorders[random() % 4]};
                const uint32_t n = uint32_t(random() % (lattice.pixel_count() / 6 + 4));
                const std::vector<Point> sites = site_set(kind, n, lattice, random);
                const std::vector<uint8_t> obstacles =
                    round % 2 ? random_walls(lattice, random) : std::vector<uint8_t>{};
                const StencilRules rules = kVariants[random() % std::size(kVariants)];
                INFO(kind, ", ", n, " sites, ", lattice);
                grapher.graph.set_records_states(round % 3 == 0);
                grapher.graph.set_fine(random() % 2 == 0);
                grapher.set(lattice, sites, obstacles);
                const std::vector<uint32_t> colours = colours_by_force(lattice, sites, obstacles);
                REQUIRE(grapher.links(rules) == links_by_rules(lattice, colours, sites, rules));
                REQUIRE(grapher.graph.adjacency().count == n);
                check_rows(grapher.graph.adjacency());
                uint32_t corners = 0;
                bool marked = true;
                const std::vector<State> states = grapher.graph.pixel_states().download();
                REQUIRE(states.empty() == (round % 3 != 0));
                for (uint32_t pixel = 0; pixel < lattice.pixel_count(); ++pixel) {
                    const Stencil s = read_stencil(lattice, view_of(colours), lattice.x_of(pixel), lattice.y_of(pixel));
                    const bool corner = is_corner(s, rules);
                    corners += corner;
                    marked =
                        marked && (states.empty() || states[pixel] == (pathologies(s) | (corner ? kPixelCorner : 0)));
                }
                REQUIRE(marked);
                REQUIRE(grapher.graph.read_corner_count() == corners);
            }
    });
}

TEST_CASE("lattice graph: of 0, 1, 2 and 3 centres, and of lattices of a single site") {
    on_every_device<Grapher>([&](Grapher& grapher) {
        for (const PeriodicAxes periodic : kAllBorders) {
            grapher.set({20, 10, periodic}, {});
            CHECK(grapher.links().empty());
            CHECK(grapher.graph.adjacency().count == 0);
            grapher.set({20, 10, periodic}, {{3, 3}});
            CHECK(grapher.links().empty());
            CHECK(grapher.graph.adjacency().count == 1);
            grapher.set({20, 10, periodic}, {{3, 3}, {3, 3}, {3, 3}});
            CHECK(grapher.links().empty());
            grapher.set({1, 1, periodic}, {{0, 0}, {0.25, 0}});
            CHECK(grapher.links().empty());
        }
        grapher.set({20, 10, false}, {{3, 3}, {15, 4}});
        CHECK(grapher.links() == std::vector<LinkedCells>{{0, 1}});  // they meet at two borders and at no vertex
        grapher.set({20, 10, false}, {{3, 3}, {15, 4}, {9, 8}});
        CHECK(grapher.links() == std::vector<LinkedCells>{{0, 1}, {0, 2}, {1, 2}});
        for (const Lattice lattice : {Lattice{2, 1, false}, Lattice{1, 2, false}}) {
            grapher.set(lattice, {{0, 0}, {double(lattice.width - 1), double(lattice.height - 1)}});
            CHECK(grapher.links() == std::vector<LinkedCells>{{0, 1}});
        }
        grapher.set({30, 1, false}, {{25, 0}, {3, 0}, {14, 0}, {14, 0}});
        CHECK(grapher.links() == std::vector<LinkedCells>{{0, 2}, {1, 2}});  // a path; the copy has no links
        grapher.set({30, 20, false}, {{25, 5}, {5, 5}, {15, 5}});
        CHECK(grapher.links() == std::vector<LinkedCells>{{0, 2}, {1, 2}});  // all on one line
        // Around a torus two cells have vertices with each other only, and only every pixel of their edges tells.
        grapher.set({20, 12, true}, {{3, 3}, {12, 8}});
        StencilRules edges{.gaps = 2};
        CHECK(grapher.links(edges) == std::vector<LinkedCells>{{0, 1}});
    });
}

TEST_CASE("lattice graph: cells that only an obstacle parts are not linked") {
    const Lattice lattice{40, 20, false};
    const std::vector<Point> sites = {{9, 10}, {30, 10}};
    std::vector<uint8_t> wall(lattice.pixel_count());
    for (uint32_t y = 0; y < lattice.height; ++y) wall[lattice.pixel(20, y)] = 1;
    std::vector<uint8_t> diagonal(lattice.pixel_count());  // a staircase without a step to the side
    for (uint32_t y = 0; y < lattice.height; ++y) diagonal[lattice.pixel(10 + y, y)] = 1;
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, sites);
        CHECK(grapher.links().size() == 1);
        grapher.set(lattice, sites, wall);
        for (const StencilRules& rules : kVariants) CHECK(grapher.links(rules).empty());
        std::vector<uint8_t> open = wall;  // a gap in the wall: no vertex but with the obstacle itself
        for (uint32_t y = 8; y < 12; ++y) open[lattice.pixel(20, y)] = 0;
        grapher.set(lattice, sites, open);
        CHECK(grapher.links().empty());
        StencilRules ends{.obstacles_end = true};
        CHECK(grapher.links(ends) == std::vector<LinkedCells>{{0, 1}});
        // At either side of a diagonal wall, which runs along their bisector.
        grapher.set(lattice, {{12, 12}, {22, 2}});
        CHECK(grapher.links().size() == 1);
        grapher.set(lattice, {{12, 12}, {22, 2}}, diagonal);
        for (const StencilRules& rules : kVariants) CHECK(grapher.links(rules).empty());
    });
}

TEST_CASE("lattice graph: a cell among 500 others has a row of 500") {
    // One cell in the middle of a lattice, and thin ones all around it.
    const Lattice lattice{1000, 8, false};
    std::vector<uint32_t> colours(lattice.pixel_count(), 0);
    for (uint32_t x = 0; x < lattice.width; ++x)
        for (uint32_t y = 4; y < 8; ++y) colours[lattice.pixel(x, y)] = 500 - x / 2;
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, {{0, 0}});
        StencilRules rules{.inner_frame = false};
        for (int again = 0; again < 3; ++again) {  // rows are emptied for the next time
            const std::vector<LinkedCells> links = grapher.links_of(colours, 501, rules);
            REQUIRE(links.size() == 500 + 499);
            for (uint32_t k = 0; k < 500; ++k) CHECK(links[k] == LinkedCells{0, k + 1});
            check_rows(grapher.graph.adjacency());
            CHECK(grapher.graph.adjacency().view().count == 501);
        }
    });
}

TEST_CASE("lattice graph: colours that are noise have all their links, however many") {
    const Lattice lattice{120, 90, true};
    std::mt19937_64 random(3);
    std::vector<uint32_t> colours(lattice.pixel_count());
    const uint32_t labels = 300;
    for (uint32_t& colour : colours) colour = uint32_t(random() % labels);
    StencilRules rules{.inner_frame = false};
    const std::vector<LinkedCells> expected = links_by_rules(lattice, colours, {{0, 0}}, rules);
    CHECK(expected.size() > labels * 30);
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, {{0, 0}});
        std::vector<LinkedCells> links;
        for (int tries = 0; tries < 8 && links.empty(); ++tries) {
            try {
                links = grapher.links_of(colours, labels, rules);
            } catch (const Error&) {
                CHECK(grapher.context.on_cuda());  // where the host does not look before it is asked
            }
        }
        CHECK(links == expected);
        check_rows(grapher.graph.adjacency());
    });
}

TEST_CASE("lattice graph: the number of labels may lie on the device, and passes may be taken up again") {
    const Lattice lattice{90, 60, false};
    const std::vector<Point> sites = scattered(80, lattice, 3, 2);
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, sites);
        const std::vector<LinkedCells> links = grapher.links();
        Buffer<uint32_t> count("count");
        const uint32_t n = 80;
        count.upload(grapher.context, &n, 1);
        CHECK(grapher.link(grapher.colouring.colours().view(), Extent(count.view(), 5000), {}) == links);
        CHECK(grapher.graph.adjacency().count == n);
        // As after going back in time between two passes: links that were never arranged are discarded.
        StencilRules all{.inner_frame = false, .gaps = 2};
        grapher.graph.find_corners(grapher.context, grapher.colouring.colours().view(), all);
        grapher.graph.link(grapher.context, grapher.colouring.colours().view(), grapher.colouring.bins().view(), n,
                           all);
        CHECK(grapher.link(grapher.colouring.colours().view(), n, {}) == links);
        const uint32_t none = 0;
        count.upload(grapher.context, &none, 1);
        CHECK(grapher.link(grapher.colouring.colours().view(), Extent(count.view(), 5000), {}).empty());
    });
    Grapher grapher;
    CHECK_THROWS_AS(grapher.graph.reset(grapher.context, Lattice{70000, 70000, false}), Error);
}

TEST_CASE("lattice graph: labels up to 70000, with gaps between them, have the rows that low labels have") {
    const Lattice lattice{180, 120, true};
    const std::vector<Point> sites = scattered(2000, lattice, 0, 9);
    const auto renamed = [](uint32_t label) { return 35 * label + 3; };
    on_every_device<Grapher>([&](Grapher& grapher) {
        grapher.set(lattice, sites);
        StencilRules rules{.inner_frame = false};
        std::vector<LinkedCells> links = grapher.links(rules);
        CHECK(links.size() > 5000);
        std::vector<uint32_t> colours = grapher.colouring.colours().download();
        for (uint32_t& colour : colours) colour = renamed(colour);
        for (LinkedCells& link : links) link = {renamed(link[0]), renamed(link[1])};
        CHECK(grapher.links_of(colours, 70000, rules) == links);
        check_rows(grapher.graph.adjacency());
    });
}
