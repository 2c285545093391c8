#include <cmath>
#include <limits>
#include <map>

#include "voronoi/graphs.h"

using namespace flipscope;

namespace {

struct Contacts {
    std::map<LinkedCells, double> certain;   // labels a < b, and the length of their Voronoi edges together
    std::map<LinkedCells, double> touching;  // too short for doubles to tell
};

/// Which cells touch, and how long, by the definition: the part of each bisector that no third site is nearer to.
/// Along periodic axes over two copies to both sides.
Contacts contacts_by_definition(const Lattice& lattice, const std::vector<Point>& sites, bool cut_to_box) {
    const double endless = std::numeric_limits<double>::infinity();
    const int around_x = lattice.periodic.x ? 2 : 0, around_y = lattice.periodic.y ? 2 : 0;
    struct Copy {
        Point at;
        uint32_t label;
        bool own;
    };
    std::vector<Copy> copies;
    for (uint32_t i = 0; i < sites.size(); ++i) {
        bool first = true;
        for (uint32_t j = 0; j < i; ++j) first = first && !(sites[j] == sites[i]);
        if (!first) continue;
        for (int dx = -around_x; dx <= around_x; ++dx)
            for (int dy = -around_y; dy <= around_y; ++dy)
                copies.push_back({{sites[i].x + dx * double(lattice.width), sites[i].y + dy * double(lattice.height)},
                                  i,
                                  dx == 0 && dy == 0});
    }
    Contacts contacts;
    for (const Copy& a : copies) {
        if (!a.own) continue;
        for (const Copy& b : copies) {
            if (b.label <= a.label) continue;
            const double length = std::hypot(b.at.x - a.at.x, b.at.y - a.at.y);
            const Point middle{(a.at.x + b.at.x) / 2, (a.at.y + b.at.y) / 2};
            const Point along{(a.at.y - b.at.y) / length, (b.at.x - a.at.x) / length};
            double low = -endless, high = endless;
            const auto keep = [&](double slope, double at_most) {  // slope · s <= at_most
                if (slope > 1e-14)
                    high = std::min(high, at_most / slope);
                else if (slope < -1e-14)
                    low = std::max(low, at_most / slope);
                else if (at_most < 0)
                    high = -endless;
            };
            for (const Copy& c : copies) {
                if (&c == &a || &c == &b) continue;
                // |m + s n - a|² <= |m + s n - c|²
                const double x = c.at.x - middle.x, y = c.at.y - middle.y;
                keep(2 * (along.x * x + along.y * y), x * x + y * y - length * length / 4);
            }
            if (cut_to_box && !lattice.periodic.x) {
                keep(along.x, lattice.width - 0.5 - middle.x);
                keep(-along.x, middle.x + 0.5);
            }
            if (cut_to_box && !lattice.periodic.y) {
                keep(along.y, lattice.height - 0.5 - middle.y);
                keep(-along.y, middle.y + 0.5);
            }
            if (!(high - low > -1e-7)) continue;
            if (high - low > 1e-7)
                contacts.certain[{a.label, b.label}] += high - low;
            else
                contacts.touching[{a.label, b.label}] += 0;
        }
    }
    return contacts;
}

void check_against_definition(Context& context, const Lattice& lattice, const std::vector<Point>& sites) {
    const ExactGraph graph = exact_graph(context, sites, lattice);
    const Contacts whole = contacts_by_definition(lattice, sites, false);
    for (const auto& [link, length] : whole.certain) {
        INFO("link ", link[0], " ", link[1]);
        REQUIRE(graph.linked(link[0], link[1]));
    }
    for (size_t e = 0; e < graph.edges.size(); ++e) {
        const LinkedCells link = graph.edges[e];
        REQUIRE(link[0] < link[1]);
        if (e > 0) REQUIRE(graph.edges[e - 1] < link);
        REQUIRE((whole.certain.count(link) || whole.touching.count(link)));
        REQUIRE(graph.find(link[1], link[0]) == e);
    }
    const Contacts seen = lattice.periodic.both() ? whole : contacts_by_definition(lattice, sites, true);
    for (size_t e = 0; e < graph.edges.size(); ++e) {
        const auto at = seen.certain.find(graph.edges[e]);
        const double length = at == seen.certain.end() ? 0 : at->second;
        INFO("edge ", graph.edges[e][0], " ", graph.edges[e][1]);
        REQUIRE(graph.dual_lengths[e] == doctest::Approx(length).epsilon(1e-6));
        if (length > 0) REQUIRE(graph.in_sight[e]);
        if (lattice.periodic.both()) REQUIRE_FALSE(graph.at_border[e]);
        const auto uncut = whole.certain.find(graph.edges[e]);
        if (uncut != whole.certain.end() && uncut->second > length + 1e-6) REQUIRE(graph.at_border[e]);
        if (uncut != whole.certain.end() && graph.at_border[e]) REQUIRE(uncut->second > length - 1e-6);
    }
    double drawn = 0, sum = 0;
    for (const ExactGraph::Piece& piece : graph.pieces)
        drawn += std::hypot(piece.to.x - piece.from.x, piece.to.y - piece.from.y);
    for (const double length : graph.dual_lengths) sum += length;
    REQUIRE(drawn == doctest::Approx(sum).epsilon(1e-9));
}

/// Whether the edges are a triangulation of the torus: 3n of them, none twice, and no two of them cross. For sites so
/// many and so even that edges are shorter than half a period.
void check_triangulates(const Lattice& lattice, const std::vector<Point>& sites, const ExactGraph& graph) {
    const size_t n = sites.size();
    REQUIRE(graph.edges.size() == 3 * n);
    // v - e + f = 0 with faces of three sides each: every edge has exactly two triangles of three edges that are empty.
    std::vector<std::vector<uint32_t>> rows(n);
    for (const LinkedCells& e : graph.edges) {
        rows[e[0]].push_back(e[1]);
        rows[e[1]].push_back(e[0]);
    }
    size_t turns = 0;
    for (uint32_t a = 0; a < n; ++a) {
        // Around each site, neighbours by their direction are linked one to the next.
        std::sort(rows[a].begin(), rows[a].end(), [&](uint32_t b, uint32_t c) {
            const Point p = lattice.difference(sites[a], sites[b]), q = lattice.difference(sites[a], sites[c]);
            return std::atan2(p.y, p.x) < std::atan2(q.y, q.x);
        });
        for (size_t k = 0; k < rows[a].size(); ++k)
            turns += graph.linked(rows[a][k], rows[a][(k + 1) % rows[a].size()]);
    }
    REQUIRE(turns == 6 * n);
}

}  // namespace

TEST_CASE("exact graph: edges and lengths are those of the definition, for both borders and all kinds of centres") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(11);
    const size_t rounds = case_count(3);
    for (const char* kind : kSiteSets)
        for (const PeriodicAxes periodic : kAllBorders)
            for (size_t round = 0; round < rounds; ++round) {
                const Lattice lattice{uint32_t(1 + random() % 20), uint32_t(1 + random() % 20), periodic};
                if (std::string(kind) == "speck" && periodic.any())
                    continue;                                    // copies would be rounded to the same places
                if (std::string(kind) == "collinear") continue;  // but for rounding: no doubles can tell
                const uint32_t n = uint32_t(random() % 25);
                INFO(kind, ", ", n, " sites, ", lattice);
                if (std::string(kind) != "speck")
                    check_against_definition(context, lattice, site_set(kind, n, lattice, random));
            }
}

TEST_CASE("exact graph: 0, 1, 2, 3 and collinear centres") {
    Context context(DeviceRequest::kCpu, 1);
    const Lattice open{10, 6, false};
    CHECK(exact_graph(context, {}, open).edges.empty());
    CHECK(exact_graph(context, {{3, 3}}, open).edges.empty());
    const ExactGraph two = exact_graph(context, {{2, 3}, {6, 3}}, open);
    REQUIRE(two.edges == std::vector<LinkedCells>{{0, 1}});
    CHECK(two.dual_lengths[0] == doctest::Approx(6));  // from wall to wall
    CHECK(two.at_border[0] == 1);
    REQUIRE(two.pieces.size() == 1);
    CHECK(two.pieces[0].from.x == 4);
    const ExactGraph line = exact_graph(context, {{8, 4}, {0, 0}, {4, 2}, {6, 3}, {4, 2}}, open);
    CHECK(line.edges == std::vector<LinkedCells>{{0, 3}, {1, 2}, {2, 3}});
    CHECK(line.representatives == std::vector<uint32_t>{0, 1, 2, 3, 2});
    const ExactGraph three = exact_graph(context, {{1, 1}, {7, 1}, {4, 4}}, open);
    CHECK(three.edges.size() == 3);
    // The circumcentre (4, 1): the edge of the lower two goes down from it.
    CHECK(three.dual_lengths[three.find(0, 1)] == doctest::Approx(1.5));
    const ExactGraph same = exact_graph(context, {{1, 1}, {1, 1}, {1, 1}}, open);
    CHECK(same.edges.empty());
    CHECK(same.representatives == std::vector<uint32_t>{0, 0, 0});
    const Lattice torus{10, 6, true};
    CHECK(exact_graph(context, {}, torus).edges.empty());
    CHECK(exact_graph(context, {{3, 3}}, torus).edges.empty());
    const ExactGraph pair = exact_graph(context, {{2, 3}, {7, 3}}, torus);
    REQUIRE(pair.edges == std::vector<LinkedCells>{{0, 1}});
    CHECK(pair.dual_lengths[0] == doctest::Approx(12));  // they meet twice, each time all the way around
}

TEST_CASE("exact graph: on an open lattice edges whose Voronoi edge lies outside are known as out of sight") {
    Context context(DeviceRequest::kCpu, 1);
    const Lattice lattice{20, 20, false};
    // Two sites far apart at the bottom, and one between them that hides them from each other until far below.
    const ExactGraph graph = exact_graph(context, {{2, 1}, {18, 1}, {10, 1.5}, {10, 15}}, lattice);
    const uint32_t far = graph.find(0, 1);
    REQUIRE(far != kNone);
    CHECK_FALSE(graph.in_sight[far]);
    CHECK(graph.dual_lengths[far] == 0);
    for (const ExactGraph::Piece& piece : graph.pieces) {
        CHECK(piece.edge != far);
        for (const Point p : {piece.from, piece.to}) {
            CHECK(p.x >= -0.5 - 1e-9);
            CHECK(p.y >= -0.5 - 1e-9);
            CHECK(p.x <= 19.5 + 1e-9);
            CHECK(p.y <= 19.5 + 1e-9);
        }
    }
    const Adjacency all = graph.adjacency(context), seen = graph.adjacency(context, true);
    CHECK(all.entry_count == 2 * graph.edges.size());
    CHECK(pairs_of(all) == graph.edges);
    CHECK(all.entry_count > seen.entry_count);
    CHECK_FALSE(seen.view().linked(0, 1));
    CHECK(all.view().linked(0, 1));
    CHECK(all.view().linked(1, 0));
}

TEST_CASE("exact graph: on a torus of many centres a margin serves, and Euler's count holds") {
    Context context(DeviceRequest::kCpu, 2);
    {
        const Lattice lattice{64, 64, true};
        const ExactGraph graph = exact_graph(context, scattered(400, lattice, 0.01, 3), lattice);
        CHECK(graph.pieces.size() == 1200);  // no two cells touch twice, and none itself
        CHECK(graph.edges.size() == 1200);
    }
    // On narrow tori cells touch twice, and themselves.
    for (const Lattice lattice : {Lattice{60, 2, true}, Lattice{1, 40, true}, Lattice{60, 2, {true, false}},
                                  Lattice{60, 2, {false, true}}, Lattice{1, 40, {true, false}}})
        check_against_definition(context, lattice, scattered(40, lattice, 0.01, 4));
    // All of them in one corner: the margin has to grow to all copies.
    const Lattice lattice{50, 40, true};
    std::vector<Point> crowd = scattered(30, {4, 4, true}, 0.01, 5);
    check_against_definition(context, lattice, crowd);
}

TEST_CASE("exact graph: on a cylinder cells close around it, end at its open borders, and have no ties of their own") {
    Context context(DeviceRequest::kCpu, 1);
    for (const bool upright : {false, true}) {
        const Lattice lattice = upright ? Lattice{6, 10, {false, true}} : Lattice{10, 6, {true, false}};
        const auto turned = [&](Point p) { return upright ? Point{p.y, p.x} : p; };
        CHECK(exact_graph(context, {}, lattice).edges.empty());
        CHECK(exact_graph(context, {turned({3, 3})}, lattice).edges.empty());
        // Side by side they meet twice, each time from end to end.
        const ExactGraph pair = exact_graph(context, {turned({2, 3}), turned({7, 3})}, lattice);
        REQUIRE(pair.edges == std::vector<LinkedCells>{{0, 1}});
        CHECK(pair.dual_lengths[0] == doctest::Approx(12));
        CHECK(pair.at_border[0] == 1);
        CHECK(pair.pieces.size() == 2);
        // One above the other they meet all the way around, and leave no border.
        const ExactGraph stacked = exact_graph(context, {turned({2, 1}), turned({2, 4})}, lattice);
        REQUIRE(stacked.edges == std::vector<LinkedCells>{{0, 1}});
        CHECK(stacked.dual_lengths[0] == doctest::Approx(10));
        CHECK(stacked.at_border[0] == 0);
        // A row around is a ring.
        const ExactGraph ring = exact_graph(
            context, {turned({9, 2}), turned({1, 2}), turned({5, 2}), turned({3, 2}), turned({7, 2})}, lattice);
        CHECK(ring.edges == std::vector<LinkedCells>{{0, 1}, {0, 4}, {1, 3}, {2, 3}, {2, 4}});
        // Sites beyond the open ends hide from sight what lies behind them, and are the whole cylinder's.
        const ExactGraph far = exact_graph(context, {turned({2, 3}), turned({2, 40}), turned({7, 90})}, lattice);
        CHECK(far.linked(0, 1));
        CHECK_FALSE(far.in_sight[far.find(0, 1)]);
    }
}

TEST_CASE("exact graph: centres of a grid on a torus are triangulated, wherever on it they lie") {
    Context context(DeviceRequest::kCpu, 1);
    const struct {
        Lattice lattice;
        uint32_t columns, rows;
        double slant;  // of every other row, columns
    } grids[] = {{{64, 48, true}, 8, 6, 0},    {{64, 48, true}, 10, 8, 0},   {{96, 96, true}, 24, 24, 0},
                 {{80, 60, true}, 12, 7, 0},   {{64, 48, true}, 8, 6, 0.5},  {{64, 48, true}, 12, 12, 0.25},
                 {{100, 100, true}, 15, 9, 0}, {{70, 50, true}, 14, 10, 0.5}};
    for (const auto& grid : grids) {
        INFO(grid.columns, ", ", grid.lattice);
        std::vector<LinkedCells> first;
        for (const Point drift :
             {Point{0, 0}, Point{8, 0}, Point{3, 5}, Point{0.5, 0.25}, Point{17.75, 40.5}, Point{63, 47}}) {
            CAPTURE(drift.x);
            std::vector<Point> sites;
            for (uint32_t y = 0; y < grid.rows; ++y)
                for (uint32_t x = 0; x < grid.columns; ++x)
                    sites.push_back(grid.lattice.wrapped(
                        {(x + y % 2 * grid.slant) * (double(grid.lattice.width) / grid.columns) + drift.x,
                         y * (double(grid.lattice.height) / grid.rows) + drift.y}));
            const ExactGraph graph = exact_graph(context, sites, grid.lattice);
            check_triangulates(grid.lattice, sites, graph);
            // Where nothing is rounded on the way it is the same graph, turned along.
            if (grid.lattice.width % grid.columns || grid.lattice.height % grid.rows) continue;
            if (first.empty()) first = graph.edges;
            REQUIRE(graph.edges == first);
        }
    }
}

TEST_CASE("exact graph: some of a grid's points on a torus have one graph, at every offset and with any rounding") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(5);
    for (size_t round = 0; round < case_count(20); ++round) {
        const Lattice lattice{64, 48, true};
        const double part = round % 2 ? 1 : 4.0 / 3;  // a grid of whole numbers, or one that has to be rounded
        std::vector<Point> sites;
        for (uint32_t y = 0; y < 48 / (4 * part); ++y)
            for (uint32_t x = 0; x < 64 / (4 * part); ++x)
                if (random() % 4) sites.push_back({4 * part * x, 4 * part * y});
        std::vector<LinkedCells> first;
        for (int shift = 0; shift < 4; ++shift) {
            INFO("round ", round, ", shift ", shift);
            const ExactGraph graph = exact_graph(context, sites, lattice);
            check_triangulates(lattice, sites, graph);
            if (first.empty()) first = graph.edges;
            if (part == 1) REQUIRE(graph.edges == first);
            for (Point& p : sites) p = lattice.wrapped({p.x + 21, p.y + 13});
        }
    }
}

TEST_CASE("exact graph: of centres on a line but for rounding, no end of a Voronoi edge lies on the wrong side") {
    // Nearly collinear triangles have circles of any size, far out on the side where their corner lies.
    Context context(DeviceRequest::kCpu, 1);
    const Lattice lattice{400, 400, false};
    const double up = std::nextafter(400, 401);
    for (const double y : {400.0, up, 400 - (up - 400)}) {
        const std::vector<Point> sites = {{0.125, 400}, {80.25, y}, {160.375, 400}, {80, 200}, {0, 0.5}, {160, 0.25}};
        const ExactGraph graph = exact_graph(context, sites, lattice);
        for (size_t e = 0; e < graph.edges.size(); ++e) {
            INFO("edge ", graph.edges[e][0], " ", graph.edges[e][1]);
            if (graph.edges[e] == LinkedCells{0, 2}) CHECK(graph.dual_lengths[e] == 0);
        }
    }
    // The same for many: the edges that the box shows, by definition.
    std::mt19937_64 random(9);
    for (size_t round = 0; round < case_count(30); ++round) {
        std::vector<Point> sites;
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 6; ++x) {
                Point p{10 + 76.0 * x, 10 + 76.0 * y};
                const auto shake = [&](double& v) {
                    const auto turn = random() % 3;
                    v = turn == 0 ? v : std::nextafter(v, turn == 1 ? 0 : 1e9);
                };
                shake(p.x);
                shake(p.y);
                sites.push_back(p);
            }
        const ExactGraph graph = exact_graph(context, sites, lattice);
        const Contacts seen = contacts_by_definition(lattice, sites, true);
        for (size_t e = 0; e < graph.edges.size(); ++e) {
            const auto at = seen.certain.find(graph.edges[e]);
            INFO("edge ", graph.edges[e][0], " ", graph.edges[e][1]);
            CHECK(graph.dual_lengths[e] == doctest::Approx(at == seen.certain.end() ? 0 : at->second).epsilon(1e-6));
        }
    }
}
