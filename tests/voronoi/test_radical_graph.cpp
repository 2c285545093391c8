// sanitizers: address thread
// Radical cells against their definition: a link for every pair whose radical line has a part that no third site takes.
#include "voronoi/graph/radical_graph.h"

#include <random>
#include <set>

#include "test_support.h"

using namespace flipscope;

namespace {

using Wide = __int128;

struct Discs {
    std::vector<Point> sites;  // integers
    std::vector<double> radii;
};

Discs random_discs(uint64_t seed, uint32_t count, const Lattice& lattice, int largest) {
    std::mt19937_64 engine(seed);
    Discs discs;
    for (uint32_t i = 0; i < count; ++i) {
        discs.sites.push_back({double(engine() % lattice.width), double(engine() % lattice.height)});
        discs.radii.push_back(double(engine() % uint64_t(largest + 1)));
    }
    return discs;
}

struct Expected {
    std::set<std::array<uint32_t, 2>> certain, touching;  // links; pairs whose cells meet at one point alone
    std::set<uint32_t> hidden;
};

/// In integers, from the definition. Of site a at the origin and b, the radical line is d t + k b / (2 b·b), with d
/// across b; c leaves the part 2 t (d·c) (b·b) <= k(c) (b·b) - k(b) (b·c), where k(c) = c·c - w(c) + w(a).
Expected by_definition(const Discs& discs, const Lattice& lattice) {
    struct Copy {
        uint32_t site;
        int64_t x, y, weight;
    };
    std::vector<Copy> copies;
    const int turns_x = lattice.periodic.x ? 2 : 0, turns_y = lattice.periodic.y ? 2 : 0;
    for (uint32_t i = 0; i < discs.sites.size(); ++i)
        for (int x = -turns_x; x <= turns_x; ++x)
            for (int y = -turns_y; y <= turns_y; ++y)
                copies.push_back({i, int64_t(discs.sites[i].x) + x * int64_t(lattice.width),
                                  int64_t(discs.sites[i].y) + y * int64_t(lattice.height),
                                  int64_t(discs.radii[i] * discs.radii[i])});
    Expected expected;
    for (uint32_t i = 0; i < discs.sites.size(); ++i) {
        const Copy a{i, int64_t(discs.sites[i].x), int64_t(discs.sites[i].y), int64_t(discs.radii[i] * discs.radii[i])};
        bool has_cell = copies.size() == 1;
        for (const Copy& b : copies) {
            const int64_t bx = b.x - a.x, by = b.y - a.y, bb = bx * bx + by * by, kb = bb - b.weight + a.weight;
            if (bb == 0) continue;
            struct Bound {
                Wide over = 0, under = 0;  // over / under; under 0: none
            } low, high;
            bool empty = false, ties = false;
            for (const Copy& c : copies) {
                const int64_t cx = c.x - a.x, cy = c.y - a.y, cc = cx * cx + cy * cy, kc = cc - c.weight + a.weight;
                const Wide slope = Wide(2 * (bx * cy - by * cx)) * bb,
                           rest = Wide(kc) * bb - Wide(kb) * (bx * cx + by * cy);
                if (slope == 0) {
                    // Of equal discs in one place the lowest has the cell.
                    const auto is_lower = [&](const Copy& of) {
                        return c.x == of.x && c.y == of.y && c.weight == of.weight && c.site < of.site;
                    };
                    empty = empty || rest < 0 || is_lower(a) || is_lower(b);
                    ties = ties || (rest == 0 && (cx != 0 || cy != 0) && !(c.x == b.x && c.y == b.y));
                    continue;
                }
                Bound& bound = slope > 0 ? high : low;
                const Bound made = slope > 0 ? Bound{rest, slope} : Bound{-rest, -slope};
                const Wide difference = bound.under == 0 ? 0 : made.over * bound.under - bound.over * made.under;
                if (bound.under == 0 || (slope > 0 ? difference < 0 : difference > 0)) bound = made;
            }
            if (empty) continue;
            // Three radical lines that are the same: the cell between has no width.
            const Wide length = ties                                ? 0
                                : low.under == 0 || high.under == 0 ? 1
                                                                    : high.over * low.under - low.over * high.under;
            if (length > 0) has_cell = true;
            if (i == b.site || length < 0) continue;
            (length > 0 ? expected.certain : expected.touching).insert({std::min(i, b.site), std::max(i, b.site)});
        }
        if (!has_cell) expected.hidden.insert(i);
    }
    return expected;
}

/// All certain links, no other but touching ones. Where nothing ties, hidden sites are those without a cell.
void check_discs(const Discs& discs, const Lattice& lattice) {
    const RadicalGraph found = radical_graph(discs.sites, discs.radii, lattice);
    const Expected expected = by_definition(discs, lattice);
    std::set<std::array<uint32_t, 2>> left = expected.certain;
    CHECK(std::is_sorted(found.graph.edges.begin(), found.graph.edges.end()));
    for (const auto& edge : found.graph.edges) CHECK((left.erase(edge) || expected.touching.count(edge)));
    CHECK(left.empty());
    for (const uint32_t site : found.hidden) CHECK(expected.hidden.count(site));
    if (expected.touching.empty())
        CHECK(expected.hidden == std::set<uint32_t>(found.hidden.begin(), found.hidden.end()));
    for (const auto& edge : found.graph.edges)
        for (const uint32_t end : edge) CHECK(!std::binary_search(found.hidden.begin(), found.hidden.end(), end));
}

}  // namespace

TEST_CASE("radical graph: links and hidden sites are those of the definition, for open and periodic borders") {
    uint64_t hidden = 0;
    for (const PeriodicAxes periodic :
         {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(true, false), PeriodicAxes(false, true)})
        for (const int largest : {0, 60, 400})
            for (const uint32_t count : {1u, 2u, 3u, 7u, 18u}) {
                const Lattice lattice{997, 811, periodic};
                const Discs discs = random_discs(count + uint64_t(largest), count, lattice, largest);
                INFO(count << " discs of radii up to " << largest << ", periodic " << periodic.x << periodic.y);
                check_discs(discs, lattice);
                hidden += radical_graph(discs.sites, discs.radii, lattice).hidden.size();
            }
    CHECK(hidden > 20);
    // So many that copies within a margin suffice.
    const Lattice torus{997, 811, true};
    check_discs(random_discs(3, 40, torus, 60), torus);
}

TEST_CASE("radical graph: on a coarse grid, on a line and in one place ties end in a graph of the definition") {
    for (const PeriodicAxes periodic : {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(true, false)}) {
        for (uint64_t seed = 0; seed < 6; ++seed) {
            const Lattice coarse{6, 5, periodic};
            check_discs(random_discs(seed, 14, coarse, 3), coarse);
        }
        for (uint64_t seed = 0; seed < 4; ++seed) {
            Discs line = random_discs(seed, 9, Lattice{40, 40, false}, 6);
            for (size_t i = 0; i < line.sites.size(); ++i) line.sites[i] = {line.sites[i].x, 7};
            check_discs(line, Lattice{40, 40, periodic});
            for (Point& p : line.sites) p.y = p.x;
            check_discs(line, Lattice{40, 40, periodic});
        }
    }
    const RadicalGraph one = radical_graph({{3, 3}, {9, 3}, {3, 3}, {3, 3}}, {1, 1, 2, 2}, Lattice{12, 12, false});
    CHECK(one.hidden == std::vector<uint32_t>{0, 3});
    CHECK(one.graph.edges == std::vector<std::array<uint32_t, 2>>{{1, 2}});
    CHECK(radical_graph({}, {}, Lattice{12, 12, true}).graph.edges.empty());
}

TEST_CASE("radical graph: equal radii have the links of the Delaunay triangulation, ties included") {
    Context context(DeviceRequest::kCpu, 1);
    for (const PeriodicAxes periodic : {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(true, false)}) {
        const Lattice lattice{64, 48, periodic};
        std::mt19937_64 engine(5);
        for (const double step : {1.0, 0.25, 1e-9}) {
            std::vector<Point> sites;
            for (int i = 0; i < 700; ++i)
                sites.push_back({std::floor(double(engine() % 64000) / 1000 / step) * step,
                                 std::floor(double(engine() % 48000) / 1000 / step) * step});
            const RadicalGraph found = radical_graph(sites, std::vector<double>(sites.size(), 2.5), lattice);
            INFO("steps of " << step);
            CHECK(found.graph.edges == exact_graph(context, sites, lattice).edges);
        }
    }
}

TEST_CASE("radical graph: a disc that is nearly hidden is decided without rounding") {
    // In the middle of four of radius 4 at a distance of 5 from it, a disc has a cell if its weight exceeds 16 - 25.
    std::vector<Point> sites{{5, 0}, {10, 5}, {5, 10}, {0, 5}, {5, 5}};
    const double big = std::sqrt(41.0);  // weights near 25 more than 16
    for (const double outer : {std::nextafter(big, 0), std::nextafter(big, 9)}) {
        const std::vector<double> radii{outer, outer, outer, outer, 4};
        const bool seen = std::nextafter(big, 0) == outer;
        CHECK(radical_graph(sites, radii, Lattice{11, 11, false}).hidden.size() == (seen ? 0 : 1));
    }
    CHECK_THROWS_WITH(radical_graph(sites, {1, 1, -1, 1, 1}, Lattice{11, 11, false}),
                      doctest::Contains("site 2: its radius is -1"));
}
