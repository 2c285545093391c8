// make_delaunay(), the library's function for given triangles, in the plane and on surfaces.
#include "flipscope/make_delaunay.h"

#include <cmath>

#include "delaunay/constructions/makers.h"
#include "delaunay/runs.h"
#include "delaunay/surfaces.h"
#include "flipscope/triangulate.h"

using namespace flipscope;

namespace {

uint64_t count_wrong_neighbours(const FlippedTriangulation& made) {
    uint64_t wrong = made.neighbours.size() != made.triangles.size();
    for (uint32_t t = 0; t < made.neighbours.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const uint32_t other = made.neighbours[t][k];
            if (other == kNone) continue;
            bool shared = false;
            const uint32_t from = made.triangles[t][(k + 1) % 3], to = made.triangles[t][(k + 2) % 3];
            for (int l = 0; l < 3; ++l)
                shared = shared || (made.triangles[other][l] == to && made.triangles[other][(l + 1) % 3] == from &&
                                    made.neighbours[other][(l + 2) % 3] == t);
            wrong += !shared;
        }
    return wrong;
}

}  // namespace

TEST_CASE("make_delaunay: any triangulation of a convex hull becomes the one of triangulate()") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"uniform:2000", "grid:400", "duplicates:1000", "clusters:1500"})
            for (const Start start : {Start::kSweep, Start::kInsertion, Start::kScrambled}) {
                INFO(device.name, ", ", text);
                Context context(device.request, device.threads);
                const Geometry given = make_triangulation(context, *generated(text), start, {});
                const FlippedTriangulation made = make_delaunay(context, given.points, given.triangles);
                CHECK(sorted_triangles(made.triangles) ==
                      sorted_triangles(triangulate(context, given.points).triangles));
                CHECK(made.flips > 0);
                CHECK(made.iterations > 1);
                CHECK(made.settled);
                CHECK(made.blocked == 0);
                CHECK(count_wrong_neighbours(made) == 0);
                const FlippedTriangulation again = make_delaunay(context, given.points, made.triangles);
                CHECK(again.flips == 0);
                CHECK(sorted_triangles(again.triangles) == sorted_triangles(made.triangles));
            }
}

TEST_CASE("make_delaunay: clockwise triangles are reoriented, and an outline with a hole stays") {
    Context context(DeviceRequest::kCpu, 2);
    Geometry given = make_triangulation(context, *generated("uniform:800"), Start::kScrambled, {});
    std::erase_if(given.triangles, [&](const std::array<uint32_t, 3>& t) {
        return std::hypot(given.points[t[0]].x - 0.5, given.points[t[0]].y - 0.5) < 0.2;
    });
    const FlippedTriangulation made = make_delaunay(context, given.points, given.triangles);
    CHECK(made.triangles.size() == given.triangles.size());
    CHECK(count_wrong_neighbours(made) == 0);
    Geometry clockwise = given;
    for (auto& t : clockwise.triangles) std::swap(t[1], t[2]);
    const FlippedTriangulation turned =
        make_delaunay(context, clockwise.points, clockwise.triangles, {.neighbours = false});
    CHECK(sorted_triangles(turned.triangles) == sorted_triangles(made.triangles));
    CHECK(turned.neighbours.empty());
}

TEST_CASE("make_delaunay: a surface ends as in the Flip lab, its creases kept") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"terrain:2000", "torus-knot:1000"}) {
            INFO(device.name, ", ", text);
            Context context(device.request, device.threads);
            const Input input = generated(text);
            REQUIRE(input->in_space());
            std::vector<Point3> points;
            for (size_t i = 0; i < input->points.size(); ++i) points.push_back(input->at(i));
            const FlippedTriangulation made = make_delaunay(context, points, input->triangles);
            const auto lab = finished(context, input, "flip");
            CHECK(sorted_triangles(made.triangles) == triangles_of(*lab));
            CHECK(made.settled);
            CHECK(count_wrong_neighbours(made) == 0);
            CHECK(made.triangles.size() == input->triangles.size());
        }
}

TEST_CASE("make_delaunay: what is no triangulation is an error that says where") {
    Context context(DeviceRequest::kCpu, 1);
    using Triples = std::vector<std::array<uint32_t, 3>>;
    const std::vector<Point> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    CHECK_THROWS_WITH_AS(make_delaunay(context, square, Triples{}), doctest::Contains("there are no triangles"), Error);
    CHECK_THROWS_WITH_AS(make_delaunay(context, square, Triples{{0, 1, 7}}), doctest::Contains("names vertex 7"),
                         Error);
    CHECK_THROWS_WITH_AS(make_delaunay(context, square, Triples{{0, 1, 2}, {0, 1, 3}}), doctest::Contains("triangle"),
                         Error);
    std::vector<Point> bad = square;
    bad.push_back({0, NAN});  // no triangle uses it
    CHECK_THROWS_WITH_AS(make_delaunay(context, bad, Triples{{0, 1, 2}, {0, 2, 3}}), doctest::Contains("point 4: (0, "),
                         Error);
    const std::vector<Point3> space{{0, 0, 0}, {1, 0, INFINITY}, {1, 1, 0}};
    CHECK_THROWS_AS(make_delaunay(context, space, Triples{{0, 1, 2}}), Error);
    CHECK(make_delaunay(square, Triples{{0, 1, 2}, {0, 2, 3}}, {.device = DeviceRequest::kCpu, .threads = 1})
              .triangles.size() == 2);
}
