// All that is wrong with a mesh: each kind on its smallest input, and soups against a judge that looks at every pair.
#include "mesh/inspect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "compute/error.h"
#include "delaunay/runs.h"
#include "mesh/validate.h"

using namespace flipscope;

namespace {

using Triangle = std::array<uint32_t, 3>;
using Pair = std::array<uint32_t, 2>;

Geometry plane_mesh(std::vector<Point> points, std::vector<Triangle> triangles) {
    return {"test", std::move(points), {}, std::move(triangles)};
}

bool is_valid(const Geometry& geometry) {
    try {
        require_triangulation(geometry);
    } catch (const Error&) {
        return false;
    }
    return true;
}

/// Ids of the first two elements of each failure of a code.
std::vector<Pair> found(const MeshInspection& inspection, const std::string& code) {
    std::vector<Pair> ids;
    for (const CheckFailure& failure : inspection.report.failures)
        if (failure.code == code) {
            REQUIRE_FALSE(failure.elements.empty());
            ids.push_back({failure.elements[0].id, failure.elements.size() > 1 ? failure.elements[1].id : kNone});
        }
    return ids;
}

std::map<std::string, size_t> counts_of(const MeshInspection& inspection) {
    std::map<std::string, size_t> counts;
    for (const CheckFailure& failure : inspection.report.failures) ++counts[failure.code];
    return counts;
}

using Counts = std::map<std::string, size_t>;

/// By the definitions, over all pairs.
struct Oracle {
    const Geometry& g;
    std::vector<Triangle> upright;     // empty of its three vertices where it is flat
    std::vector<uint8_t> flat, again;  // `again`: an earlier one has the same vertices

    explicit Oracle(const Geometry& geometry) : g(geometry) {
        std::set<Triangle> seen;
        for (Triangle c : g.triangles) {
            Triangle sorted = c;
            std::sort(sorted.begin(), sorted.end());
            again.push_back(!seen.insert(sorted).second);
            const int turn = turn_of(c);
            if (turn < 0) std::swap(c[1], c[2]);
            upright.push_back(c);
            flat.push_back(turn == 0);
        }
    }
    int turn_of(const Triangle& c) const { return orient2d(g.points[c[0]], g.points[c[1]], g.points[c[2]]); }
    bool overlap(uint32_t a, uint32_t b) const {
        const auto parts = [&](const Triangle& c, const Triangle& d) {
            for (int k = 0; k < 3; ++k) {
                int outside = 0;
                for (const uint32_t v : d)
                    outside += orient2d(g.points[c[k]], g.points[c[(k + 1) % 3]], g.points[v]) <= 0;
                if (outside == 3) return true;
            }
            return false;
        };
        return !parts(upright[a], upright[b]) && !parts(upright[b], upright[a]);
    }
    std::set<Pair> edges(bool with_flat) const {
        std::set<Pair> all;
        for (uint32_t t = 0; t < upright.size(); ++t)
            for (uint32_t k = 0; k < 3 && (with_flat || !flat[t]); ++k)
                all.insert({std::min(upright[t][k], upright[t][(k + 1) % 3]),
                            std::max(upright[t][k], upright[t][(k + 1) % 3])});
        return all;
    }
    bool crosses(Pair e, Pair f) const {
        const Point p = g.points[e[0]], q = g.points[e[1]], u = g.points[f[0]], v = g.points[f[1]];
        return orient2d(p, q, u) * orient2d(p, q, v) < 0 && orient2d(u, v, p) * orient2d(u, v, q) < 0;
    }
    bool lies_on(uint32_t v, Pair e) const {
        const Point p = g.points[e[0]], q = g.points[e[1]], r = g.points[v];
        if (v == e[0] || v == e[1] || orient2d(p, q, r) != 0 || r == p || r == q) return false;
        return p.x != q.x ? (p.x < r.x) != (q.x < r.x) : (p.y < r.y) != (q.y < r.y);
    }
    size_t triangles_at(Pair e) const {
        size_t count = 0;
        for (size_t t = 0; t < upright.size(); ++t)
            count += !again[t] && std::count(upright[t].begin(), upright[t].end(), e[0]) &&
                     std::count(upright[t].begin(), upright[t].end(), e[1]);
        return count;
    }
};

void compare_with_oracle(const Geometry& geometry) {
    const Oracle oracle(geometry);
    const MeshInspection inspection = inspect_mesh(geometry);
    INFO(inspection.report.sentence);
    CHECK(inspection.report.passed == is_valid(geometry));
    CHECK(inspection.report.failure_count == inspection.report.failures.size());
    // Edges are those of the triangles, in order.
    const std::set<Pair> all_edges = oracle.edges(true);
    REQUIRE(std::equal(inspection.edges.begin(), inspection.edges.end(), all_edges.begin(), all_edges.end()));

    std::vector<Pair> flat, overlaps, duplicates;
    for (uint32_t t = 0; t < geometry.triangles.size(); ++t) {
        if (oracle.again[t]) {
            duplicates.push_back({t, kNone});
            continue;
        }
        if (oracle.flat[t]) flat.push_back({t, kNone});
        for (uint32_t s = 0; s < t; ++s)
            if (!oracle.again[s] && !oracle.flat[s] && !oracle.flat[t] && oracle.overlap(s, t))
                overlaps.push_back({s, t});
    }
    CHECK(found(inspection, "duplicate-triangle") == duplicates);
    std::sort(overlaps.begin(), overlaps.end());
    CHECK(found(inspection, "flat-triangle") == flat);
    CHECK(found(inspection, "overlapping-triangles") == overlaps);

    const std::set<Pair> edges = oracle.edges(false);
    const auto id_of = [&](Pair e) {
        return static_cast<uint32_t>(std::lower_bound(inspection.edges.begin(), inspection.edges.end(), e) -
                                     inspection.edges.begin());
    };
    std::vector<Pair> crossings, touches, crowded;
    std::set<uint32_t> corners;
    for (uint32_t t = 0; t < oracle.upright.size(); ++t)
        if (!oracle.flat[t]) corners.insert(oracle.upright[t].begin(), oracle.upright[t].end());
    for (const Pair& e : edges) {
        for (const Pair& f : edges)
            if (e < f && oracle.crosses(e, f)) crossings.push_back({id_of(e), id_of(f)});
        for (const uint32_t v : corners)
            if (oracle.lies_on(v, e)) touches.push_back({v, id_of(e)});
    }
    std::sort(crossings.begin(), crossings.end());
    std::sort(touches.begin(), touches.end());
    CHECK(found(inspection, "crossing-edges") == crossings);
    CHECK(found(inspection, "vertex-on-edge") == touches);
    size_t three = 0;
    for (const Pair& e : all_edges) three += oracle.triangles_at(e) > 2;
    CHECK(found(inspection, "edge-with-three-triangles").size() == three);

    std::vector<uint8_t> used(geometry.points.size(), 0);
    for (const Triangle& c : geometry.triangles)
        for (const uint32_t v : c) used[v] = 1;
    size_t unused = 0, copies = 0;
    for (uint32_t v = 0; v < geometry.points.size(); ++v) {
        unused += !used[v];
        copies += std::find(geometry.points.begin(), geometry.points.begin() + v, geometry.points[v]) !=
                  geometry.points.begin() + v;
    }
    CHECK(found(inspection, "unused-point").size() == (geometry.triangles.empty() ? 0 : unused));
    CHECK(found(inspection, "duplicate-point").size() == copies);

    // Whatever the threads, the same list.
    Context context(DeviceRequest::kCpu, 3);
    const MeshInspection again = inspect_mesh(geometry, &context);
    REQUIRE(again.report.failures.size() == inspection.report.failures.size());
    for (size_t i = 0; i < again.report.failures.size(); ++i)
        CHECK(again.report.failures[i].sentence == inspection.report.failures[i].sentence);
}

}  // namespace

TEST_CASE("inspection: each kind of fault is listed on its smallest input, with its elements and places") {
    const std::vector<Point> square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    SUBCASE("nothing") {
        CHECK(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 2, 3}})).report.passed);
        CHECK(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 2, 3}})).report.failures.empty());
        CHECK(inspect_mesh(plane_mesh(square, {{0, 2, 1}, {0, 3, 2}})).report.passed);  // seen from behind
        CHECK(inspect_mesh(plane_mesh({}, {})).report.passed);
        CHECK(inspect_mesh(plane_mesh(square, {})).report.failures.empty());
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
        CHECK(found.report.failures[0].value == 3);
        CHECK(counts_of(inspect_mesh(plane_mesh(square, {{0, 1, 2}, {0, 1, 3}}))).at("folded-edge") == 1);
    }
    SUBCASE("unused and duplicate points alone spoil nothing") {
        std::vector<Point> points = square;
        points.insert(points.end(), {{9, 9}, {0, 0}});
        const MeshInspection found = inspect_mesh(plane_mesh(points, {{0, 1, 2}, {0, 2, 3}}));
        CHECK(found.report.passed);
        CHECK(counts_of(found) == Counts{{"unused-point", 2}, {"duplicate-point", 1}});
        CHECK(found.report.sentence.find("; 1 duplicate point; 2 unused points") != std::string::npos);
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
        CHECK(odd.sentence.find("; 1 edge with three triangles or more") != std::string::npos);
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

TEST_CASE("inspection: of random soups every fault is listed that a look at all pairs finds, and no other") {
    std::mt19937 random(7);
    const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (uint32_t round = 0; round < case_count(400); ++round) {
        CAPTURE(round);
        // On a small grid much coincides: flat triangles, touches and copies of points.
        const uint32_t side = round % 3 == 0 ? 4 : round % 3 == 1 ? 9 : 1000;
        std::vector<Point> points(4 + pick(12));
        for (Point& p : points) p = {double(pick(side)), double(pick(side))};
        std::vector<Triangle> triangles(1 + pick(10));
        for (Triangle& c : triangles) do
                c = {pick(uint32_t(points.size())), pick(uint32_t(points.size())), pick(uint32_t(points.size()))};
            while (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]);
        compare_with_oracle(plane_mesh(points, triangles));
    }
}

TEST_CASE(
    "inspection: a triangulation with some corners exchanged is told from a good one as by looking at all pairs") {
    Context context(DeviceRequest::kCpu, 2);
    std::mt19937 random(3);
    for (const char* text : {"uniform:60", "grid:49", "ring:40", "clusters:60"}) {
        INFO(text);
        const Input input = generated(text);
        Geometry geometry = *input;
        geometry.triangles = finished(context, input)->soup().triangles;
        compare_with_oracle(geometry);
        CHECK(inspect_mesh(geometry).report.passed);
        for (int i = 0; i < 12; ++i) {
            Geometry spoilt = geometry;
            Triangle& c = spoilt.triangles[random() % spoilt.triangles.size()];
            const auto v = static_cast<uint32_t>(random() % spoilt.points.size());
            if (std::count(c.begin(), c.end(), v)) continue;
            c[random() % 3] = v;
            compare_with_oracle(spoilt);
        }
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
}
