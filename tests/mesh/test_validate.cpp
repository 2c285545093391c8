// Which triangles are a triangulation. tests/judge/test_judge.cpp compares the verdict on mutated triangulations with a
// second opinion.
#include "mesh/validate.h"

#include <limits>

#include "delaunay/runs.h"
#include "mesh/inspect.h"

using namespace flipscope;

namespace {

using Triangle = std::array<uint32_t, 3>;

std::string complaint(const Geometry& geometry) {
    return error_of([&] { require_triangulation(geometry); }, "");
}

/// The list of all faults agrees, for both orientations of the triangles.
bool passes(Geometry geometry) {
    const bool valid = complaint(geometry).empty();
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
    CHECK_FALSE(all_clockwise(plane_mesh({{0, 0}, {1, 0}, {2, 0}}, {{0, 1, 2}})));
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
    const std::string once = complaint(plane_mesh(square, {{0, 8, 8}}));
    CHECK(contains(once, "triangle 0 (vertices 0, 8, 8) names vertex 8"));
    CHECK_FALSE(contains(once, "two of its corners"));  // one fault is enough
    says(plane_mesh(square, {{0, 1, 1}}), "triangle 0 has vertex 1 at two of its corners");
    says(plane_mesh(square, {{0, 1, 2}, {0, 4, 2}}),
         "triangle 1 (vertices 0, 4, 2) is flat: its corners lie on one line");
    says(plane_mesh(square, {{0, 1, 4}, {1, 2, 4}, {2, 4, 3}}),
         "triangle 2 (vertices 2, 4, 3) at (4, 4) is clockwise, unlike the 2 others");
    says(plane_mesh(square, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}), "edge 0-1 at (0, 0) has 3 triangles: 0, 1, 2");
    says(plane_mesh(square, {{0, 1, 2}, {0, 1, 3}}), "triangles 0 and 1 lie on the same side of their edge 0-1");
    says(plane_mesh(square, {{0, 1, 4}, {6, 4, 3}}), "vertices 0 and 6 are both at (0, 0) and both used");
    says(plane_mesh({{0, 0}, {4, 0}, {4, 4}, {2, -2}, {3, -2}, {3, 0}}, {{0, 1, 2}, {3, 4, 5}}),
         "vertex 5 at (3, 0) lies on the edge 0-1 of triangle 0");
    says(plane_mesh({{0, 0}, {9, 0}, {0, 9}, {2, 2}, {3, 2}, {2, 3}}, {{0, 1, 2}, {3, 4, 5}}),
         "triangle 1 (vertices 3, 4, 5) at (2, 2) overlaps triangle 0 (vertices 0, 1, 2)");
    says(plane_mesh({{0, 0}, {9, 0}, {0, 9}, {2, 2}, {3, 2}, {2, 3}, {20, 0}, {29, 0}, {20, 9}},
                    {{6, 7, 8}, {0, 1, 2}, {3, 4, 5}}),
         "triangle 2 (vertices 3, 4, 5) at (2, 2) overlaps triangle 1 (vertices 0, 1, 2)");
    // Of several that it overlaps, the one at that place.
    says(plane_mesh({{0, 0}, {9, 0}, {9, 9}, {0, 9}, {2, 4}, {6, 4}, {6, 5}}, {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}}),
         "triangle 2 (vertices 4, 5, 6) at (2, 4) overlaps triangle 1 (vertices 0, 2, 3)");
    says(plane_mesh({{0, 0}, {9, 0}, {9, 9}, {0, 9}, {3, 3}, {5, 6}, {4, 6}}, {{2, 0, 1}, {0, 2, 3}, {4, 5, 6}}),
         "triangle 2 (vertices 4, 5, 6) at (3, 3) overlaps triangle 1 (vertices 0, 2, 3)");
    // Different places are distinguished.
    says(plane_mesh({{0, 0}, {5402320.0625, 0.1}, {10804640.125, 0.2}}, {{0, 1, 2}}),
         "at (0, 0), (5402320.0625, 0.1) and (10804640.125, 0.2)");
    says(plane_mesh({{0, 0}, {1e201 / 3, 0}, {0, 1}}, {{0, 1, 2}}), "vertex 1 has coordinate 3.3333333333333335e+200");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    says(plane_mesh({{0, 0}, {1, nan}, {0, 1}, {2, 2}}, {{0, 1, 2}, {1, 3, 2}}),
         "test is not a valid triangulation: vertex 1 has coordinate nan, which is not 0 and not between 2^-200 and "
         "2^200 in size (triangles and vertices are counted from 0)");  // once
}

TEST_CASE("validate: corners are named as in the file, for both orientations of its triangles") {
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

TEST_CASE("validate: holes, pieces, bow ties and a slit's mouth are fine; winding twice and covered islands are not") {
    const std::vector<Point> ring{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 1}, {2, 1}, {2, 2}, {1, 2}};
    std::vector<Triangle> around{{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                 {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    CHECK(passes(plane_mesh(ring, around)));
    std::vector<Point> with_island = ring;
    with_island.insert(with_island.end(), {{1.25, 1.25}, {1.5, 1.25}, {1.25, 1.5}});
    auto island = around;
    island.push_back({8, 9, 10});
    CHECK(passes(plane_mesh(with_island, island)));
    with_island[10] = {2.5, 2.25};
    CHECK_FALSE(passes(plane_mesh(with_island, island)));
    with_island[8] = {2.25, 1.5}, with_island[9] = {2.5, 1.5}, with_island[10] = {2.5, 2};
    CHECK_FALSE(passes(plane_mesh(with_island, island)));
    // the hole filled, with and without its corners
    auto filled = around;
    filled.push_back({4, 5, 6}), filled.push_back({4, 6, 7});
    CHECK(passes(plane_mesh(ring, filled)));
    CHECK(passes(plane_mesh({{0, 0}, {2, -1}, {2, 1}, {-2, 1}, {-2, -1}}, {{0, 1, 2}, {0, 3, 4}})));

    // ten triangles wind twice around vertex 0, with an outline that comes back to its start
    Geometry twice = plane_mesh({{0, 0}}, {});
    for (int i = 0; i < 10; ++i) {
        const double a = 4 * 3.14159265358979 * i / 10 + 0.1, r = 1 + 0.1 * i;
        twice.points.push_back({r * std::cos(a), r * std::sin(a)});
        twice.triangles.push_back({0, uint32_t(1 + i), uint32_t(1 + (i + 1) % 10)});
    }
    CHECK_FALSE(passes(twice));
    twice.triangles.pop_back();  // open: a spiral
    CHECK_FALSE(passes(twice));
    twice.triangles.resize(4);
    CHECK(passes(twice));
}

TEST_CASE("validate: a surface needs three existing vertices a triangle, at sound places; empty ones are counted") {
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
