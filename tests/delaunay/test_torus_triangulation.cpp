// Delaunay triangulations of periodic boxes: the same triangles as in the middle of copies of the box in the plane, for
// any number of points from 0 on, on every device, with images wherever edges cross the border.
#include "delaunay/torus/torus_triangulation.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <set>

#include "delaunay/torus/torus_rules.h"
#include "flipscope/triangulate_torus.h"
#include "torus.h"

using namespace flipscope;

namespace {

/// That reach `far` longer sides.
Reach copies_along(const TorusBox& box, int far) {
    const auto along = [&](double side) { return far * int(std::ceil(box.longer() / side)); };
    return {along(box.sides.x), along(box.sides.y)};
}

bool circles_are_empty(const TorusTriangulation& torus) {
    return circles_are_empty(torus, torus.box().is_square() ? Reach{3, 3} : copies_along(torus.box(), 2));
}

}  // namespace

TEST_CASE("periodic box: its sides and places are on the grid, and differences with images are exact") {
    std::mt19937_64 random(1);
    for (const Point lengths :
         {Point{1, 1}, Point{0.75, 0.75}, Point{105.9, 105.9}, Point{1e-3, 1e-3}, Point{4096, 4096}, Point{4097, 4097},
          Point{30, 12}, Point{8.66, 10}, Point{0.3, 30}, Point{3071.25, 31.7}}) {
        const TorusBox box = TorusBox::of(lengths);
        CHECK(box.sides.x == doctest::Approx(lengths.x).epsilon(1e-11));
        CHECK(box.sides.y == doctest::Approx(lengths.y).epsilon(1e-11));
        CHECK(box.is_square() == (lengths.x == lengths.y));
        CHECK(box.on_grid(box.sides) == box.sides);
        CHECK(box.longer() / box.grid <= 0x1p46);
        CHECK(box.longer() / box.grid > 0x1p45);
        for (const Point p : wrapped(box, random_points(random, lengths, 100, 3)))
            for (const Point q : wrapped(box, random_points(random, lengths, 10))) {
                CHECK(box.holds(p));
                const ImageShift shift{int8_t(random() % 33 - 16), int8_t(random() % 33 - 16)};
                const Point d = box.to_image(p, q, shift);
                using Whole = boost::multiprecision::int256_t;
                const auto whole = [&](double v) { return Whole(static_cast<int64_t>(v / box.grid)); };
                CHECK(whole(d.x) * 1 == whole(q.x) - whole(p.x) + shift.x * whole(box.sides.x));
                CHECK(whole(d.y) * 1 == whole(q.y) - whole(p.y) + shift.y * whole(box.sides.y));
                CHECK(d.x / box.grid == std::rint(d.x / box.grid));
                const Point s = box.shortest(p, q);
                CHECK(std::abs(s.x) <= box.sides.x / 2);
                CHECK(std::abs(s.y) <= box.sides.y / 2);
            }
    }
}

TEST_CASE("torus: no point, and one, two and three points have a triangulation") {
    const TorusBox box = TorusBox::of(10);
    on_every_device([&](Context& context) {
        for (const Points& points : {Points{}, Points{{0, 0}}, Points{{3, 4}}, Points{{0, 0}, {5, 5}},
                                     Points{{1, 2}, {1, 2.5}}, Points{{0, 0}, {5, 0}}, Points{{1, 1}, {2, 1}, {3, 1}},
                                     Points{{0, 0}, {3.5, 3.5}, {7, 7}}, Points{{9.5, 9.5}, {0.25, 0.5}, {5, 9}}}) {
            const TorusTriangulation torus = built(context, box, wrapped(box, points));
            INFO(points.size(), " points");
            CHECK(torus.mesh().triangle_count == 2 * points.size());
            CHECK(torus.mesh().edge_count == 3 * points.size());
            check_sound(torus);
            CHECK(circles_are_empty(torus));
        }
    });
}

TEST_CASE("torus: the triangles are those in the middle of copies of the box in the plane") {
    std::mt19937_64 random(7);
    Context context(DeviceRequest::kCpu, 2);
    const auto check = [&](const TorusBox& box, Points points, int reach) {
        points = wrapped(box, points);
        const TorusTriangulation torus = built(context, box, points);
        INFO(box.sides.x, " by ", box.sides.y, ", ", points.size(), " points");
        check_sound(torus);
        const std::set<Corners> triangles = triangles_of(torus);
        CHECK(triangles.size() == 2 * points.size());
        CHECK(triangles == triangles_of_copies(box, points, copies_along(box, points.size() < 40 ? reach : 1)));
        for (const ImageShift shift : torus.mesh().shifts.download())
            CHECK((std::abs(shift.x) <= 1 && std::abs(shift.y) <= 1));
    };
    for (size_t round = 0; round < case_count(400); ++round) {
        CAPTURE(round);
        const TorusBox box = TorusBox::of(round % 3 == 0 ? 1 : round % 3 == 1 ? 105.9 : 37.25);
        const size_t count = 2 + random() % (round % 10 == 0 ? 300 : 30);
        Points points = random_points(random, box.sides.x, count, round % 4 == 3 ? 0.05 : 1);
        if (round % 4 == 2)  // clusters, across the border
            for (size_t i = 0; i < points.size(); ++i) {
                const double far = i % 3 == 0 ? 0 : i % 3 == 1 ? box.sides.x * 0.99 : box.sides.x / 2;
                points[i] = {far + points[i].x * 0.03, far + points[i].y * 0.03};
            }
        check(box, points, 3);
    }
    for (const Point sides : {Point{30, 12}, Point{12, 30}, Point{10, 8.66}, Point{100, 1}, Point{1, 100},
                              Point{7, 0.5}, Point{3, 2.999999}})
        for (size_t round = 0; round < case_count(24); ++round) {
            CAPTURE(round);
            const TorusBox box = TorusBox::of(sides);
            const bool is_long = box.longer() > 20 * box.shorter();
            if (is_long && round >= 8) break;  // of so many copies
            Points points = random_points(random, sides, 2 + random() % (round % 6 == 0 && !is_long ? 200 : 20),
                                          round % 4 == 3 ? 0.05 : 1);
            if (round % 4 == 2)  // in a line along one axis, nearly
                for (Point& p : points) (round % 8 == 2 ? p.x : p.y) *= 1e-9;
            check(box, points, 2);
        }
}

TEST_CASE("torus: lattices in rectangles, and few points in long ones, are triangulated alike on every device") {
    const auto lattice = [](const TorusBox& box, int columns, int rows, double shift) {
        Points points;
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                points.push_back({(x + y % 2 * shift) / columns * box.sides.x, double(y) / rows * box.sides.y});
        return wrapped(box, points);
    };
    for (const Point sides : {Point{30, 12}, Point{8, 6.928203230275509}, Point{100, 1}, Point{1, 64}}) {
        const TorusBox box = TorusBox::of(sides);
        for (const Points& points :
             {Points{}, Points{{0, 0}}, wrapped(box, {{0.3, 0.9}}), wrapped(box, {{0, 0}, {box.sides.x / 2, 0}}),
              wrapped(box, {{0, 0}, {box.sides.x / 2, box.sides.y / 2}}), lattice(box, 5, 2, 0), lattice(box, 2, 6, 0),
              lattice(box, 8, 8, 0.5), lattice(box, 8, 8, 0), lattice(box, 40, 1, 0), lattice(box, 1, 40, 0)}) {
            INFO(sides.x, " by ", sides.y, ", ", points.size(), " points");
            build_alike(box, points, [&](const TorusTriangulation& torus) {
                CHECK(torus.mesh().triangle_count == 2 * points.size());
                if (points.size() < 12) CHECK(circles_are_empty(torus));
            });
        }
    }
}

TEST_CASE("torus: boxes that no torus can have are refused with what they can be") {
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_WITH_AS(triangulate_torus(context, Points{{0, 0}}, {101, 1}),
                         doctest::Contains("101 by 1 is too long; its longer side can be 100 times"), Error);
    CHECK_THROWS_WITH_AS(triangulate_torus(context, Points{{0, 0}}, {1e31, 1e31}),
                         doctest::Contains("the side of the periodic box cannot be 1e+31"), Error);
}

TEST_CASE("torus: lattices, with cocircular cells, have one triangulation, in every order and at every place") {
    const TorusBox box = TorusBox::of(64);
    std::mt19937_64 random(3);
    for (const int kind : {0, 1, 2, 3}) {
        Points points;
        const int n = 8;
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                if (kind == 1) points.push_back({8.0 * x + (y % 2) * 4, 8.0 * y});
                if (kind == 0 || (kind == 2 && (x + y) % 3)) points.push_back({8.0 * x, 8.0 * y});
                if (kind == 3 && x == 3) points.push_back({8.0 * x, 8.0 * y});  // a line around the box
            }
        INFO(kind);
        build_alike(box, points);
        Context context(DeviceRequest::kCpu, 1);
        const TorusTriangulation torus = built(context, box, points);
        CHECK(circles_are_empty(torus));
        const std::set<Corners> triangles = triangles_of(torus);
        for (int round = 0; round < 4; ++round) {  // shuffled and shifted: the same triangles by another name
            std::vector<uint32_t> order(points.size());
            for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
            std::shuffle(order.begin(), order.end(), random);
            Points other(points.size());
            std::vector<ImageShift> sides(points.size());
            const Point by{double(random() % 640) / 10, double(random() % 64)};
            for (uint32_t i = 0; i < order.size(); ++i) {
                Point p = {points[order[i]].x + box.on_grid(by.x), points[order[i]].y + by.y};
                sides[i] = sides_to_add(box, p);
                other[i] = box.image(p, sides[i]);
            }
            std::set<Corners> renamed;
            for (Corners corners : triangles_of(built(context, box, other))) {
                for (Corner& corner : corners) {
                    const ImageShift side = sides[size_t(corner[0])];
                    corner = {order[size_t(corner[0])], corner[1] + side.x, corner[2] + side.y};
                }
                renamed.insert(canonical(corners));
            }
            CHECK(renamed == triangles);
        }
    }
}

TEST_CASE("torus: the check finds what is wrong, and says what and where") {
    const TorusBox box = TorusBox::of(20);
    std::mt19937_64 random(17);
    Context context(DeviceRequest::kCpu, 2);
    const Points points = wrapped(box, random_points(random, box.sides.x, 100));
    TorusTriangulation torus = built(context, box, points);
    Points moved = points;
    moved[7] = {moved[8].x, std::fmod(moved[8].y + box.on_grid(0.01), box.sides.x)};
    torus.positions().upload(context, moved.data(), moved.size());
    const CheckReport report = torus.check();
    CHECK(!report.passed);
    CHECK(report.inverted_triangles > 0);
    CHECK(report.failures.size() == report.failure_count);
    CHECK(contains(report.sentence, "inverted"));
    torus.positions().upload(context, points.data(), points.size());
    check_sound(torus);
    // one flip too many
    torus.queue_all();
    Buffer<uint8_t> none("none");
    const MeshView mesh = torus.mesh().view();
    uint32_t edge = 0;
    for (;; ++edge) {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        if (orient2d({0, 0}, quad.right, quad.left) > 0 && orient2d(quad.to, quad.left, quad.right) > 0) break;
    }
    flip_edge(mesh, edge);
    repair_flipped(mesh, edge);
    const CheckReport flipped = torus.check();
    CHECK(flipped.illegal_edges == 1);
    CHECK(flipped.inverted_triangles == 0);
    REQUIRE(flipped.failures.size() == 1);
    CHECK(flipped.failures[0].elements[0].id == edge);
}

TEST_CASE("torus: two points at one place are refused, and moved apart when a motion brought them together") {
    const TorusBox box = TorusBox::of(20);
    Context context(DeviceRequest::kCpu, 1);
    TorusTriangulation torus;
    CHECK_THROWS_WITH_AS(torus.build(context, box, {{1, 2}, {3, 4}, {1, 2}}, false),
                         doctest::Contains("point 2 at 1, 2 lies where point 0 does"), Error);
    CHECK_THROWS_WITH_AS(torus.build(context, box, {{1, 20}}, false), doctest::Contains("does not lie in"), Error);
    CHECK_THROWS_WITH_AS(torus.build(context, box, {{0.1, 1}}, false), doctest::Contains("grid"), Error);
    torus.build(context, box, {{1, 2}, {3, 4}, {5, 6}, {7, 1}}, false);
    const Points together{{1, 2}, {3, 4}, {1, 2}, {1, 2}};
    torus.positions().upload(context, together.data(), together.size());
    CHECK(torus.rebuild() >= 2);  // one may have to move twice
    check_sound(torus);
    const Points apart = torus.mesh().positions.download();
    for (size_t i = 0; i < apart.size(); ++i) CHECK(std::abs(apart[i].x - together[i].x) <= 2 * box.grid);
}

TEST_CASE("torus: the function for programs wraps points, and says which image each corner is") {
    Context context(DeviceRequest::kCpu, 1);
    const Points points{{0.5, 0.5}, {9.5, 9.75}, {-1, 3}, {14, 15.5}, {5, 1}};
    const TorusTriangles made = triangulate_torus(context, points, {10, 10});
    REQUIRE(made.triangles.size() == 10);
    double area = 0;
    for (size_t t = 0; t < made.triangles.size(); ++t) {
        CHECK(made.images[t][0] == ImageShift{});
        Point at[3];
        for (size_t k = 0; k < 3; ++k) {
            const Point p = made.points[made.triangles[t][k]];
            at[k] = {p.x + made.sides.x * made.images[t][k].x, p.y + made.sides.y * made.images[t][k].y};
        }
        CHECK(orient2d(at[0], at[1], at[2]) > 0);
        area += orient2d_value(at[0], at[1], at[2]) / 2;
    }
    CHECK(area == doctest::Approx(100));
    CHECK(made.points[2] == Point{9, 3});
    CHECK(made.points[3] == Point{4, 5.5});
    CHECK(triangulate_torus(context, {}, {10, 10}).triangles.empty());
    CHECK_THROWS_WITH_AS(triangulate_torus(context, points, {10, 0}), doctest::Contains("side of the periodic box"),
                         Error);
    CHECK_THROWS_WITH_AS(triangulate_torus(context, points, {NAN, 10}), doctest::Contains("side of the periodic box"),
                         Error);
    const Points far{{0, 0}, {1e9, 0}}, twice{{0, 0}, {10, -10}};
    CHECK_THROWS_WITH_AS(triangulate_torus(context, far, {10, 10}), doctest::Contains("point 1 at"), Error);
    CHECK_THROWS_WITH_AS(triangulate_torus(context, twice, {10, 10}),
                         doctest::Contains("point 1 at 0, 0 lies where point 0"), Error);
}

TEST_CASE("torus: a place is found in the lowest triangle that holds it, on either side of the border") {
    std::mt19937_64 random(5);
    for (const uint32_t n : {1u, 2u, 3u, 9u, 60u}) {
        Points points;
        const auto on_grid = [&] { return static_cast<double>(random() % 8); };
        for (uint32_t i = 0; i < n; ++i) {
            Point p{on_grid() / 2, on_grid()};
            while (std::find(points.begin(), points.end(), p) != points.end())
                p = n == 60 ? Point{on_grid() + on_grid() / 8, on_grid() + on_grid() / 8}
                            : Point{on_grid() / 2, on_grid()};
            points.push_back(p);
        }
        Context context(DeviceRequest::kCpu, 2);
        const TorusTriangles made = triangulate_torus(context, points, {n == 60 ? 8.0 : 4.0, 8.0});
        const auto corner = [&](size_t t, size_t k, int x, int y) {
            const Point p = made.points[made.triangles[t][k]];
            return Point{p.x + made.sides.x * (made.images[t][k].x + x),
                         p.y + made.sides.y * (made.images[t][k].y + y)};
        };
        for (size_t t = 0; t < made.triangles.size(); ++t)
            for (size_t k = 0; k < 3; ++k) {
                const uint32_t other = made.across[t][k];
                CHECK(made.triangles[other / 3][other % 3] == made.triangles[t][(k + 2) % 3]);
                CHECK(made.across[other / 3][(other + 2) % 3] == 3 * t + (k + 1) % 3);
            }
        Points queries = points;  // vertices, places on edges, and others
        for (int i = 0; i < 200; ++i) queries.push_back({on_grid() / 4, on_grid() - 3});
        for (int i = 0; i < 200; ++i)
            queries.push_back({0.01 * static_cast<double>(random() % 1600) - 4, on_grid() + 0.3});
        const TorusPlaces found = locate_on_torus(context, made, queries);
        for (size_t q = 0; q < queries.size(); ++q) {
            uint32_t lowest = kNone;
            for (uint32_t t = 0; t < made.triangles.size() && lowest == kNone; ++t)
                for (int x = -3; x <= 3; ++x)
                    for (int y = -3; y <= 3; ++y) {
                        bool holds = true;
                        for (size_t k = 0; k < 3; ++k)
                            holds = holds &&
                                    orient2d(corner(t, k, x, y), corner(t, (k + 1) % 3, x, y), found.places[q]) >= 0;
                        if (holds) lowest = t;
                    }
            CHECK(found.triangles[q] == lowest);
            for (size_t k = 0; k < 3; ++k)
                CHECK(orient2d(corner(lowest, k, found.images[q].x, found.images[q].y),
                               corner(lowest, (k + 1) % 3, found.images[q].x, found.images[q].y),
                               found.places[q]) >= 0);
        }
        CHECK(locate_on_torus(context, made, Points{{NAN, 1}, {1e9, 0}}).triangles ==
              std::vector<uint32_t>{kNone, kNone});
    }
}
