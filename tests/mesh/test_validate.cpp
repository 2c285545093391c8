// What is a triangulation and what is not, against a judge that looks at every pair.
#include "mesh/validate.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "delaunay/runs.h"
#include "mesh/connect.h"
#include "mesh/inspect.h"

using namespace flipscope;

namespace {

using Triangle = std::array<uint32_t, 3>;

std::string complaint(const Geometry& geometry) {
    return error_of([&] { require_triangulation(geometry); }, "");
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int turn_of(const Geometry& g, const Triangle& c) { return orient2d(g.points[c[0]], g.points[c[1]], g.points[c[2]]); }
Triangle upright(const Geometry& g, Triangle c) {
    if (turn_of(g, c) < 0) std::swap(c[1], c[2]);
    return c;
}
/// Do the interiors meet? Either may be turned, neither flat.
bool overlap(const Geometry& g, uint32_t a, uint32_t b) {
    const Triangle s = upright(g, g.triangles[a]), t = upright(g, g.triangles[b]);
    const auto parts = [&](const Triangle& c, const Triangle& d) {
        for (int k = 0; k < 3; ++k) {
            int outside = 0;
            for (const uint32_t v : d) outside += orient2d(g.points[c[k]], g.points[c[(k + 1) % 3]], g.points[v]) <= 0;
            if (outside == 3) return true;
        }
        return false;
    };
    return !parts(s, t) && !parts(t, s);
}
/// Is v in the triangle or on its rim?
bool within(const Geometry& g, uint32_t v, const Triangle& t) {
    const Triangle c = upright(g, t);
    for (int k = 0; k < 3; ++k)
        if (orient2d(g.points[c[k]], g.points[c[(k + 1) % 3]], g.points[v]) < 0) return false;
    return true;
}

/// By the definition: two triangles share nothing, a vertex or a whole edge.
bool is_triangulation(const Geometry& g) {
    int seen[3] = {0, 0, 0};
    for (const Triangle& c : g.triangles) {
        for (const uint32_t v : c)
            if (v >= g.points.size()) return false;
        ++seen[1 + turn_of(g, c)];
    }
    if (seen[1] || (seen[0] && seen[2])) return false;
    for (uint32_t a = 0; a < g.triangles.size(); ++a) {
        for (uint32_t b = 0; b < g.triangles.size(); ++b) {
            if (a == b) continue;
            if (overlap(g, a, b)) return false;
            for (const uint32_t v : g.triangles[a]) {
                const Triangle& t = g.triangles[b];
                if (std::find(t.begin(), t.end(), v) == t.end() && within(g, v, t)) return false;
            }
        }
    }
    return true;
}

/// All three judges agree, whichever way round the triangles are.
bool judged(Geometry geometry) {
    const bool valid = is_triangulation(geometry);
    const std::string message = complaint(geometry);
    INFO(message);
    CHECK(message.empty() == valid);
    CHECK(inspect_mesh(geometry).report.passed == valid);
    turn_all(geometry);
    CHECK(complaint(geometry).empty() == valid);
    return valid;
}

}  // namespace

TEST_CASE("validate: nothing is wrong with nothing, points alone, one triangle, or a triangulation seen from behind") {
    CHECK(complaint(plane_mesh({}, {})).empty());
    CHECK(complaint(plane_mesh({{1, 1}, {1, 1}}, {})).empty());
    CHECK(complaint(plane_mesh({{0, 0}, {1, 0}, {0, 1}}, {{0, 1, 2}})).empty());
    Geometry behind = plane_mesh({{0, 0}, {1, 0}, {0, 1}}, {{0, 2, 1}});
    CHECK(complaint(behind).empty());
    CHECK(all_clockwise(behind));
    turn_all(behind);
    CHECK_FALSE(all_clockwise(behind));
    CHECK(behind.triangles[0] == Triangle{0, 1, 2});
    CHECK_FALSE(all_clockwise(plane_mesh({{0, 0}}, {})));
}

TEST_CASE("validate: every Delaunay triangulation of hard inputs is one") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Input& input : hard_inputs()) {
        INFO(input->name);
        CHECK(complaint(triangulated(context, *input)) == "");
    }
    CHECK(complaint(triangulated(context, *generated("uniform:20000"))) == "");
}

TEST_CASE("validate: each kind of fault is found, and named by its numbers") {
    const auto says = [](const Geometry& geometry, const std::string& part) {
        const std::string message = complaint(geometry);
        INFO(message);
        INFO("expected: ", part);
        CHECK(contains(message, part));
        CHECK(contains(message, "test is not a valid triangulation: "));
    };
    const std::vector<Point> square{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2}, {2, 0}, {0, 0}, {9, 9}};
    says(plane_mesh(square, {{0, 1, 2}, {0, 2, 8}}),
         "triangle 1 (vertices 0, 2, 8) names vertex 8, but the last one is 7");
    says(plane_mesh({}, {{0, 1, 2}}), "names vertex 0, but there are no vertices");
    says(plane_mesh(square, {{0, 1, 1}}), "triangle 0 has vertex 1 at two of its corners");
    says(plane_mesh(square, {{0, 1, 2}, {0, 4, 2}}),
         "triangle 1 (vertices 0, 4, 2) is flat: its corners lie on one line");
    says(plane_mesh(square, {{0, 1, 4}, {1, 2, 4}, {2, 4, 3}}),
         "triangle 2 (vertices 2, 4, 3) at (4, 4) is clockwise, unlike the 2 others");
    says(plane_mesh(square, {{1, 0, 4}, {2, 1, 4}, {2, 3, 4}}),
         "triangle 2 (vertices 2, 3, 4) at (4, 4) is counter-clockwise, unlike 2 others");
    says(plane_mesh(square, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}), "edge 0-1 at (0, 0) has 3 triangles: 0, 1, 2");
    says(plane_mesh(square, {{0, 1, 2}, {0, 1, 3}}), "triangles 0 and 1 lie on the same side of their edge 0-1");
    says(plane_mesh(square, {{0, 1, 4}, {6, 4, 3}}), "vertices 0 and 6 are both at (0, 0) and both used");
    says(plane_mesh({{0, 0}, {4, 0}, {4, 4}, {2, -2}, {3, -2}, {3, 0}}, {{0, 1, 2}, {3, 4, 5}}),
         "vertex 5 at (3, 0) lies on the edge 0-1 of triangle 0");
    says(plane_mesh({{0, 0}, {4, 0}, {4, 4}, {2, -2}, {3, -2}, {3, 1}}, {{0, 1, 2}, {3, 4, 5}}), "crosses edge");
    says(plane_mesh({{0, 0}, {9, 0}, {0, 9}, {2, 2}, {3, 2}, {2, 3}}, {{0, 1, 2}, {3, 4, 5}}),
         "triangle 1 (vertices 3, 4, 5) at (2, 2) overlaps triangle 0 (vertices 0, 1, 2)");
    // Places that differ are told apart.
    says(plane_mesh({{0, 0}, {5402320.0625, 0.1}, {10804640.125, 0.2}}, {{0, 1, 2}}),
         "at (0, 0), (5402320.0625, 0.1) and (10804640.125, 0.2)");
    says(plane_mesh({{0, 0}, {1e201 / 3, 0}, {0, 1}}, {{0, 1, 2}}), "vertex 1 has coordinate 3.3333333333333335e+200");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    says(plane_mesh({{0, 0}, {1, nan}, {0, 1}}, {{0, 1, 2}}), "vertex 1 has coordinate nan");
}

TEST_CASE("validate: of two triangles that overlap, both are where the message says") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:60", "uniform:200", "grid:64"}) {
        const Geometry sound = triangulated(context, *generated(text));
        for (uint32_t k = 0; k < 20; ++k) {
            Geometry geometry = sound;
            const auto n = static_cast<uint32_t>(sound.points.size());
            Triangle over{k, (k * 7 + 11) % n, (k * 13 + 29) % n};
            geometry.triangles.push_back(over);
            if (turn_of(geometry, over) < 0) std::swap(geometry.triangles.back()[1], geometry.triangles.back()[2]);
            const std::string message = complaint(geometry);
            CAPTURE(message);
            REQUIRE(!message.empty());
            // Every fault of the kind: "triangle 60 (vertices …) at (x, y) overlaps triangle 45 (vertices …)".
            for (size_t at = message.find(" overlaps "); at != message.npos; at = message.find(" overlaps ", at + 1)) {
                REQUIRE(!contains(message.substr(at, 20), "others"));
                const size_t begin = message.rfind(") at (", at) + 6;
                const Point p{std::stod(message.substr(begin)),
                              std::stod(message.substr(message.find(',', begin) + 1))};
                const auto triangle_at = [&](size_t from) {
                    return static_cast<uint32_t>(std::stoul(message.substr(message.find("triangle ", from) + 9)));
                };
                const uint32_t one = triangle_at(message.rfind("triangle ", at)), other = triangle_at(at);
                CHECK(overlap(geometry, one, other));
                for (const uint32_t t : {one, other}) {
                    const Triangle& c = geometry.triangles.at(t);
                    for (uint32_t i = 0; i < 3; ++i) {
                        const Point a = geometry.points[c[i]], b = geometry.points[c[(i + 1) % 3]];
                        CHECK((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > -1e-6);  // places are rounded
                    }
                }
            }
        }
    }
}

TEST_CASE("validate: corners are named as the file has them, whichever way round its triangles are") {
    const Geometry geometry = plane_mesh({{0, 0}, {9, 0}, {0, 9}, {2, 2}, {3, 2}, {2, 3}}, {{0, 2, 1}, {3, 5, 4}});
    CHECK(contains(complaint(geometry),
                   "triangle 1 (vertices 3, 5, 4) at (2, 2) overlaps triangle 0 (vertices 0, 2, 1)"));
}

TEST_CASE("validate: the message names five offenders and says how many more there are") {
    Context context(DeviceRequest::kCpu, 2);
    Geometry geometry = triangulated(context, *generated("uniform:2000"));
    for (int i = 0; i < 12; ++i) std::swap(geometry.triangles[100 * i][1], geometry.triangles[100 * i][2]);
    const std::string message = complaint(geometry);
    CHECK(std::count(message.begin(), message.end(), ';') == 5);
    CHECK(contains(message, "triangle 400 "));
    CHECK_FALSE(contains(message, "triangle 500 "));
    CHECK(contains(message, "and at least 7 more"));
}

TEST_CASE(
    "validate: holes, pieces, bow ties and a slit's mouth are fine; winding twice and islands in covered water are "
    "not") {
    const std::vector<Point> ring{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 1}, {2, 1}, {2, 2}, {1, 2}};
    std::vector<Triangle> around{{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                 {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    CHECK(judged(plane_mesh(ring, around)));
    std::vector<Point> with_island = ring;
    with_island.insert(with_island.end(), {{1.25, 1.25}, {1.5, 1.25}, {1.25, 1.5}});
    auto island = around;
    island.push_back({8, 9, 10});
    CHECK(judged(plane_mesh(with_island, island)));
    with_island[10] = {2.5, 2.25};
    CHECK_FALSE(judged(plane_mesh(with_island, island)));
    with_island[8] = {2.25, 1.5}, with_island[9] = {2.5, 1.5}, with_island[10] = {2.5, 2};
    CHECK_FALSE(judged(plane_mesh(with_island, island)));
    // the hole filled, with and without its corners
    auto filled = around;
    filled.push_back({4, 5, 6}), filled.push_back({4, 6, 7});
    CHECK(judged(plane_mesh(ring, filled)));
    CHECK(judged(plane_mesh({{0, 0}, {2, -1}, {2, 1}, {-2, 1}, {-2, -1}}, {{0, 1, 2}, {0, 3, 4}})));

    // ten triangles wind twice around vertex 0, with an outline that comes back to its start
    Geometry twice = plane_mesh({{0, 0}}, {});
    for (int i = 0; i < 10; ++i) {
        const double a = 4 * 3.14159265358979 * i / 10 + 0.1, r = 1 + 0.1 * i;
        twice.points.push_back({r * std::cos(a), r * std::sin(a)});
        twice.triangles.push_back({0, uint32_t(1 + i), uint32_t(1 + (i + 1) % 10)});
    }
    CHECK_FALSE(judged(twice));
    twice.triangles.pop_back();  // open: a spiral
    CHECK_FALSE(judged(twice));
    twice.triangles.resize(4);
    CHECK(judged(twice));
}

TEST_CASE("validate: agrees with the judge of all pairs on parts of triangulations, spoilt in every way") {
    Context context(DeviceRequest::kCpu, 2);
    std::mt19937_64 random(31337);
    const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    size_t valid = 0, invalid = 0;
    for (size_t i = 0; i < case_count(1500); ++i) {
        const int n = 4 + below(24);
        Geometry g;
        // Two of three from few places: collinear points, and edges that meet by chance.
        std::vector<Point> points;
        const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
        for (int k = 0; k < n; ++k)
            points.push_back(i % 3 == 0 ? Point{uniform(), uniform()} : Point{double(below(6)), double(below(6))});
        g = triangulated(context, {"test", points});
        if (g.triangles.empty()) continue;
        const size_t spoils = below(4);
        for (size_t k = 0; k < spoils && !g.triangles.empty(); ++k) {
            Triangle& t = g.triangles[below(g.triangles.size())];
            const Point anywhere{double(below(13)) / 2, double(below(13)) / 2};
            switch (below(8)) {
                case 0:  // holes
                    std::shuffle(g.triangles.begin(), g.triangles.end(), random);
                    g.triangles.resize(1 + below(g.triangles.size()));
                    break;
                case 1:
                    g.triangles.push_back(t);
                    break;
                case 2:
                    g.points[t[0]] = i % 3 == 0 ? Point{anywhere.x / 6, anywhere.y / 6} : anywhere;
                    break;
                case 3:
                    std::swap(t[0], t[1]);
                    break;
                case 4:
                    t[below(3)] = below(g.points.size());
                    break;
                case 5: {  // the same again, moved a little or far
                    const uint32_t first = static_cast<uint32_t>(g.points.size());
                    const Point by{double(below(15)) - 7, double(below(15)) - 7};
                    const std::vector<Triangle> old = g.triangles;
                    for (uint32_t v = 0; v < first; ++v)
                        g.points.push_back({g.points[v].x + by.x, g.points[v].y + by.y});
                    for (const Triangle& c : old) g.triangles.push_back({c[0] + first, c[1] + first, c[2] + first});
                    break;
                }
                case 6: {  // a triangle over one of the edges
                    g.points.push_back(anywhere);
                    g.triangles.push_back({t[1], t[0], static_cast<uint32_t>(g.points.size() - 1)});
                    break;
                }
                default: {  // a small triangle somewhere, perhaps with a corner in common
                    const uint32_t first = static_cast<uint32_t>(g.points.size());
                    g.points.insert(g.points.end(),
                                    {anywhere, {anywhere.x + 0.5, anywhere.y}, {anywhere.x, anywhere.y + 0.5}});
                    g.triangles.push_back({below(2) ? first : below(first), first + 1, first + 2});
                    break;
                }
            }
        }
        bool twice = false;
        for (const Triangle& c : g.triangles) twice = twice || c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
        if (twice) continue;
        INFO("case ", i, ", ", spoils, " spoils");
        ++(judged(g) ? valid : invalid);
    }
    MESSAGE(valid, " valid, ", invalid, " not");
    CHECK(valid > case_count(1500) / 5);
    CHECK(invalid > case_count(1500) / 5);
}

TEST_CASE("validate: any soup of lattice triangles is judged as by all pairs") {
    std::mt19937_64 random(99);
    const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    size_t valid = 0;
    for (size_t i = 0; i < case_count(6000); ++i) {
        Geometry g = plane_mesh({}, {});
        const uint32_t side = 3 + below(5), t = 1 + below(i % 8 ? 6 : 60);
        const bool own = below(2) == 0;  // each triangle its own vertices
        if (!own)
            for (uint32_t k = 0; k < side * side; ++k) g.points.push_back({double(k % side), double(k / side)});
        while (g.triangles.size() < t) {
            Triangle c;
            for (uint32_t& v : c) {
                v = own ? static_cast<uint32_t>(g.points.size()) : below(g.points.size());
                if (own) g.points.push_back({double(below(side * 3)), double(below(side * 3))});
            }
            const int turn = turn_of(g, c);
            if (turn < 0) std::swap(c[1], c[2]);
            if (turn) g.triangles.push_back(c);
        }
        INFO("case ", i);
        valid += judged(g);
    }
    CHECK(valid > case_count(6000) / 20);
}

TEST_CASE(
    "validate: a surface needs vertices that exist, three a triangle, with sound places; empty ones are counted") {
    Geometry g{
        "bunny.ply", {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {2, 0}}, {0, 0, 0, 1, 0}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
    CHECK(require_surface(g) == 1);
    g.triangles.pop_back();
    CHECK(require_surface(g) == 0);
    const auto message = [&] { return error_of([&] { require_surface(g); }, ""); };
    g.heights[3] = std::numeric_limits<double>::infinity();
    CHECK(contains(message(), "bunny.ply is not a valid surface: vertex 3 has coordinate inf"));
    g.heights[3] = 1;
    g.triangles.push_back({1, 2, 5});
    CHECK(contains(message(), "triangle 2 (vertices 1, 2, 5) names vertex 5, but the last one is 4"));
    g.triangles.back() = {4, 1, 4};
    CHECK(contains(message(), "triangle 2 has vertex 4 at two"));
    CHECK(require_surface({}) == 0);
}
