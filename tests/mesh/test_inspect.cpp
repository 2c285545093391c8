// All faults of a mesh: each kind on its smallest input. tests/judge/test_judge.cpp compares the list for mutated
// triangulations with a second opinion.
#include "mesh/inspect.h"

#include <limits>
#include <map>
#include <random>

#include "delaunay/runs.h"

using namespace flipscope;

namespace {

using Triangle = std::array<uint32_t, 3>;

std::map<std::string, size_t> counts_of(const MeshInspection& inspection) {
    std::map<std::string, size_t> counts;
    for (const CheckFailure& failure : inspection.report.failures) ++counts[failure.code];
    return counts;
}

using Counts = std::map<std::string, size_t>;

}  // namespace

TEST_CASE("inspection: each kind of fault is listed on its smallest input, with its elements and places") {
    const std::vector<Point> square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    SUBCASE("nothing") {
        CHECK(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 2, 3}})).report.passed);
        CHECK(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 2, 3}})).report.failures.empty());
        CHECK(inspect_mesh(plane_mesh(square, {{0, 2, 1}, {0, 3, 2}})).report.passed);  // seen from behind
        CHECK(inspect_mesh(plane_mesh({}, {})).report.passed);
        CHECK(inspect_mesh(plane_mesh(square, {})).report.failures.empty());
        const MeshInspection none = inspect_mesh(plane_mesh({}, {}), {.points = false});
        CHECK(none.overlaps + none.of_points + none.harmless == 0);
    }
    SUBCASE("crossing edges and overlapping triangles") {
        const MeshInspection found =
            inspect_mesh(plane_mesh({{0, 0}, {4, 0}, {2, 3}, {0, 2}, {2, -1}, {4, 2}}, {{0, 1, 2}, {3, 4, 5}}));
        CHECK_FALSE(found.report.passed);
        const Counts counts = counts_of(found);
        CHECK(counts.at("overlapping-triangles") == 1);
        CHECK(counts.at("crossing-edges") == 6);
        const CheckFailure& first = found.report.failures[0];
        CHECK(first.code == "overlapping-triangles");
        CHECK(first.elements.size() == 2);
        CHECK(first.places.size() == 6);
        CHECK(first.vertices == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
        CHECK(found.report.failures[1].places.size() == 4);
        CHECK(found.report.sentence ==
              "test is no valid triangulation: 1 pair of overlapping triangles, 6 pairs of crossing edges");
    }
    SUBCASE("one triangle within another: nothing crosses") {
        const MeshInspection found =
            inspect_mesh(plane_mesh({{0, 0}, {9, 0}, {0, 9}, {2, 2}, {3, 2}, {2, 3}}, {{0, 1, 2}, {3, 4, 5}}));
        CHECK(counts_of(found) == Counts{{"overlapping-triangles", 1}});
    }
    SUBCASE("inverted") {
        std::vector<Point> points = square;
        points.push_back({2, 2});
        const MeshInspection found = inspect_mesh(plane_mesh(points, {{0, 1, 4}, {1, 2, 4}, {2, 4, 3}}));
        CHECK(counts_of(found) == Counts{{"inverted-triangle", 1}});
        CHECK(found.report.failures[0].elements[0].id == 2);
        CHECK(found.report.failures[0].sentence ==
              "triangle 2 (vertices 2, 4, 3) is inverted: its corners run clockwise, unlike most");
        CHECK(counts_of(inspect_mesh(plane_mesh(points, {{1, 0, 4}, {2, 1, 4}, {2, 3, 4}}))) ==
              Counts{{"inverted-triangle", 1}});
    }
    SUBCASE("flat") {
        const MeshInspection found = inspect_mesh(plane_mesh({{0, 0}, {4, 0}, {2, 0}}, {{0, 1, 2}}));
        CHECK(counts_of(found) == Counts{{"flat-triangle", 1}});
        CHECK_FALSE(found.report.passed);
    }
    SUBCASE("three triangles on an edge, two on one side of it") {
        std::vector<Point> points = square;
        points.push_back({2, -3});
        const MeshInspection found = inspect_mesh(plane_mesh(points, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}}));
        const Counts counts = counts_of(found);
        CHECK(counts.at("edge-with-three-triangles") == 1);
        CHECK(counts.at("overlapping-triangles") == 1);
        CHECK(found.report.failures[0].elements.size() == 4);  // the edge and its triangles
        CHECK(contains(found.report.sentence, "1 edge with three triangles or more"));
        CHECK(found.report.failures[0].value == 3);
        CHECK(counts_of(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 1, 3}}))).at("folded-edge") == 1);
    }
    SUBCASE("unused and duplicate points alone spoil nothing") {
        std::vector<Point> points = square;
        points.insert(points.end(), {{9, 9}, {0, 0}});
        const MeshInspection found = inspect_mesh(plane_mesh(points, {{0, 1, 2}, {0, 2, 3}}));
        CHECK(found.report.passed);
        CHECK(counts_of(found) == Counts{{"unused-point", 2}, {"duplicate-point", 1}});
        CHECK(contains(found.report.sentence, "; 1 duplicate point; 2 unused points"));
        // Two that triangles use are a fault: a crack.
        CHECK_FALSE(inspect_mesh(plane_mesh(points, {{0, 1, 2}, {5, 2, 3}})).report.passed);
    }
    SUBCASE("a vertex on an edge") {
        const MeshInspection found =
            inspect_mesh(plane_mesh({{0, 0}, {4, 0}, {4, 4}, {2, -2}, {3, -2}, {3, 0}}, {{0, 1, 2}, {3, 4, 5}}));
        CHECK(counts_of(found) == Counts{{"vertex-on-edge", 1}});
        CHECK(found.report.failures[0].elements[0].id == 5);
    }
    SUBCASE("corners that are no vertices") {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Counts counts =
            counts_of(inspect_mesh(plane_mesh({{0, 0}, {4, 0}, {4, nan}}, {{0, 1, 7}, {0, 1, 1}, {0, 1, 2}})));
        CHECK(counts == Counts{{"missing-vertex", 1}, {"repeated-vertex", 1}, {"coordinate-out-of-range", 1}});
        CHECK(contains(inspect_mesh(plane_mesh(square, {{0, 1, 1}})).report.failures.at(0).sentence,
                       " has vertex 1 at two of its corners"));
        const MeshInspection below = inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 2, kNone}}));
        CHECK(below.report.failures.at(0).sentence ==
              "triangle 1 (vertices 0, 2, none) has an index below 0, or beyond all 32-bit ones");
    }
    SUBCASE("a surface") {
        Geometry surface = plane_mesh(square, {{0, 1, 2}, {0, 1, 3}, {1, 0, 2}});  // three at an edge, which is cut
        surface.heights = {0, 0, 1, 2};
        const CheckReport odd = inspect_mesh(surface).report;
        CHECK(odd.passed);
        REQUIRE(odd.failures.size() == 1);
        CHECK(odd.failures[0].code == "edge-with-three-triangles");
        CHECK(odd.failures[0].value == 3);
        CHECK(odd.failures[0].places.at(0).z == surface.heights[static_cast<size_t>(odd.failures[0].vertices.at(0))]);
        CHECK(contains(odd.sentence, "; 1 edge with three triangles or more"));
        Geometry twisted = plane_mesh(square, {{0, 1, 2}, {2, 0, 3}});  // both run from 2 to 0
        twisted.heights = {0, 0, 1, 2};
        const CheckReport opposed = inspect_mesh(twisted).report;
        CHECK(opposed.passed);
        REQUIRE(opposed.failures.size() == 1);
        CHECK(opposed.failures[0].code == "opposed-triangles");
        CHECK(opposed.failures[0].elements.size() == 3);
        Geometry flat = plane_mesh(square, {{0, 1, 2}, {0, 2, 3}});
        flat.points[3] = {0.5 * (square[0].x + square[2].x), 0.5 * (square[0].y + square[2].y)};
        flat.heights = {0, 5, 2, 1};
        const CheckReport thin = inspect_mesh(flat).report;
        CHECK(thin.passed);
        REQUIRE(thin.failures.size() == 1);
        CHECK(thin.failures[0].code == "flat-triangle");
        CHECK(thin.failures[0].elements.at(0).id == 1);
        surface.triangles.push_back({0, 0, 1});
        CHECK_FALSE(inspect_mesh(surface).report.passed);
    }
}

TEST_CASE("inspection: hard triangulations pass, and where boxes meet without end the search does end") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Input& input : hard_inputs()) {
        INFO(input->name);
        Geometry geometry = *input;
        geometry.triangles = finished(context, input)->soup().triangles;
        CHECK(inspect_mesh(geometry, &context).report.passed);
    }
    // A soup of large triangles: more pairs than are listed.
    std::mt19937 random(5);
    const auto n = static_cast<uint32_t>(case_count(3000));
    Geometry soup = plane_mesh({}, {});
    for (uint32_t i = 0; i < 3 * n; ++i) soup.points.push_back({double(random() % 100000), double(random() % 100000)});
    for (uint32_t t = 0; t < n; ++t) soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    const MeshInspection inspection = inspect_mesh(soup, &context);
    CHECK_FALSE(inspection.report.passed);
    const bool whole = n >= 3000;  // fewer under sanitizers
    if (whole) CHECK(inspection.report.failure_count > kMostFailures);
    // No kind of fault takes the room of another.
    std::map<std::string, size_t> listed;
    for (const CheckFailure& failure : inspection.report.failures) ++listed[failure.code];
    CHECK(listed.size() > 2);
    if (whole) CHECK(listed["overlapping-triangles"] == kMostOfOneCode);
    for (const auto& [code, count] : listed) CHECK(count <= kMostOfOneCode);
    // The list is the same for any number of threads.
    const MeshInspection again = inspect_mesh(soup);
    REQUIRE(again.report.failures.size() == inspection.report.failures.size());
    for (size_t i = 0; i < again.report.failures.size(); ++i)
        CHECK(again.report.failures[i].sentence == inspection.report.failures[i].sentence);
}
