// Densities, obstacles and brushes: the contents of the Voronoi lab's lattice.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/random.h"
#include "delaunay/runs.h"
#include "geometry/frames.h"
#include "labs/voronoi/voronoi_start.h"
#include "voronoi/density.h"
#include "voronoi/obstacles.h"
#include "voronoi/site_sets.h"

using namespace flipscope;

namespace {

uint64_t sum(const std::vector<uint16_t>& weights) {
    return std::accumulate(weights.begin(), weights.end(), uint64_t(0));
}

}  // namespace

TEST_CASE("density: every site weighs something, uniform is empty, and the shapes are what they are called") {
    const Lattice lattice{120, 80, false};
    CHECK(make_density(lattice, {DensityKind::kUniform, 1, 1}, {}).empty());
    const auto at = [&](const std::vector<uint16_t>& weights, uint32_t x, uint32_t y) {
        return weights[lattice.pixel(x, y)];
    };
    for (const auto kind : {DensityKind::kRamp, DensityKind::kHill, DensityKind::kRing}) {
        const auto weights = make_density(lattice, {kind, 1, 1}, {});
        REQUIRE(weights.size() == lattice.pixel_count());
        CHECK(*std::min_element(weights.begin(), weights.end()) >= 1);
        CHECK(sum(make_density(lattice, {kind, 1, 3}, {})) < sum(weights));
        const auto flat = make_density(lattice, {kind, 0, 1}, {});
        CHECK(std::all_of(flat.begin(), flat.end(), [&](uint16_t w) { return w == flat[0]; }));
    }
    const auto ramp = make_density(lattice, {DensityKind::kRamp, 1, 1}, {});
    CHECK(at(ramp, 0, 40) == 1);
    CHECK(at(ramp, 119, 3) == 65535);
    const auto hill = make_density(lattice, {DensityKind::kHill, 1, 1}, {});
    CHECK(at(hill, 60, 40) > 60000);
    CHECK(at(hill, 60, 40) > at(hill, 80, 40));
    const auto ring = make_density(lattice, {DensityKind::kRing, 1, 1}, {});
    CHECK(at(ring, 60 + 25, 40) > 50000);
    CHECK(at(ring, 60, 40) < 1000);
    CHECK(at(ring, 60, 40) < at(ring, 60, 20));
}

TEST_CASE("density: an image is fitted in the middle, averaged when it shrinks, and white around") {
    FieldStack stack;
    stack.width = 4, stack.height = 2;
    stack.values = {0, 1, 0, 1, 1, 0, 1, 0};
    const auto same = fit_image({4, 2, false}, stack, 0);
    CHECK(same == stack.values);
    const auto half = fit_image({2, 1, false}, stack, 0);
    CHECK(half == std::vector<float>{0.5f, 0.5f});
    const auto tall = fit_image({4, 6, false}, stack, 0);
    CHECK(std::vector<float>(tall.begin(), tall.begin() + 8) == std::vector<float>(8, 1.0f));
    CHECK(std::vector<float>(tall.begin() + 8, tall.begin() + 16) == stack.values);
    CHECK(std::vector<float>(tall.begin() + 16, tall.end()) == std::vector<float>(8, 1.0f));
    const auto large = fit_image({8, 4, false}, stack, 0);
    for (uint32_t y = 0; y < 4; ++y)
        for (uint32_t x = 0; x < 8; ++x) CHECK(large[y * 8 + x] == stack.values[y / 2 * 4 + x / 2]);
    stack.values = {-10, 30, -10, 30, 30, -10, 10, -10};  // of any range
    const auto scaled = fit_image({4, 2, false}, stack, 0);
    CHECK(scaled[0] == 0);
    CHECK(scaled[1] == 1);
    CHECK(scaled[6] == 0.5f);
    const auto dark = make_density({4, 2, false}, {DensityKind::kImage, 1, 1}, scaled);
    CHECK(dark[0] == 65535);
    CHECK(dark[1] == 1);
}

TEST_CASE("obstacles: posts stand on the left border at equal distances, walls by turns below and above") {
    const Lattice lattice{60, 40, false};
    const auto posts = make_obstacles(lattice, {ObstacleKind::kPosts, 4, 12, 5, 0}, {});
    CHECK(std::count(posts.begin(), posts.end(), 1) == 4 * 12 * 5);
    for (uint32_t y = 0; y < 40; ++y) CHECK(posts[lattice.pixel(11, y)] == posts[lattice.pixel(0, y)]);
    for (uint32_t y = 0; y < 30; ++y) CHECK(posts[lattice.pixel(3, y)] == posts[lattice.pixel(3, y + 10)]);
    const auto walls = make_obstacles(lattice, {ObstacleKind::kWalls, 3, 25, 4, 0}, {});
    CHECK(std::count(walls.begin(), walls.end(), 1) == 3 * 25 * 4);
    CHECK(walls[lattice.pixel(10, 0)] == 1);
    CHECK(walls[lattice.pixel(10, 39)] == 0);
    CHECK(walls[lattice.pixel(30, 39)] == 1);
    CHECK(walls[lattice.pixel(30, 0)] == 0);
    CHECK(make_obstacles(lattice, {}, {}).empty());
    // They stay on the lattice for all numbers.
    for (const auto kind : {ObstacleKind::kPosts, ObstacleKind::kWalls})
        for (const uint32_t size : {0u, 1u, 39u, 1000u})
            for (const uint32_t count : {0u, 1u, 500u})
                CHECK(make_obstacles(lattice, {kind, count, size, size, 0}, {}).size() == lattice.pixel_count());
    const auto dark = make_obstacles({2, 2, false}, {ObstacleKind::kImage, 0, 0, 0, 0.5}, {0.1f, 0.9f, 0.5f, 0.49f});
    CHECK(dark == std::vector<uint8_t>{1, 0, 0, 1});
}

TEST_CASE("obstacles: a stroke covers the sites within its radius of its way, in one piece or in several") {
    // From a place to a stretch of the way, over all images.
    const auto distance = [](const Lattice& lattice, Point p, Point a, Point b) {
        double least = 1e300;
        const Point d{b.x - a.x, b.y - a.y};
        const double length2 = d.x * d.x + d.y * d.y;
        const int images_x = lattice.periodic.x ? 4 : 0, images_y = lattice.periodic.y ? 4 : 0;
        for (int i = -images_x; i <= images_x; ++i)
            for (int j = -images_y; j <= images_y; ++j) {
                const Point q{p.x + i * double(lattice.width) - a.x, p.y + j * double(lattice.height) - a.y};
                const double t = length2 > 0 ? std::clamp((q.x * d.x + q.y * d.y) / length2, 0.0, 1.0) : 0;
                least = std::min(least, std::hypot(q.x - t * d.x, q.y - t * d.y));
            }
        return least;
    };
    const std::vector<std::vector<Point>> paths = {{{5, 5}, {30, 17}},           {{2, 2}, {2, 2}, {33, 4}, {20, 20}},
                                                   {{-20, 8}, {60, 9}},          {{18, 11}, {18.001, 11}},
                                                   {{36, 22}, {50, 40}, {1, 3}}, {{1e7, -1e7}, {15, 5}}};
    on_every_device([&](Context& context) {
        for (const PeriodicAxes periodic : kAllBorders)
            for (const std::vector<Point>& path : paths)
                for (const double radius : {0.0, 0.7, 4.25}) {
                    INFO("periodic ", periodic, ", radius ", radius, ", path[0].x ", path[0].x);
                    const Lattice lattice{37, 23, periodic};
                    Buffer<uint8_t> obstacles("obstacles");
                    obstacles.fill(context, lattice.pixel_count(), 0);
                    const uint64_t changed = paint_obstacles(context, lattice, obstacles, path, radius, true);
                    const std::vector<uint8_t> marks = obstacles.download();
                    CHECK(uint64_t(std::count(marks.begin(), marks.end(), 1)) == changed);
                    const bool jumps = std::abs(path[0].x) > 1e6;
                    for (uint32_t pixel = 0; !jumps && pixel < lattice.pixel_count(); ++pixel) {
                        double least = 1e300;
                        for (size_t k = 1; k < path.size(); ++k)
                            least = std::min(least, distance(lattice, lattice.place(pixel), path[k - 1], path[k]));
                        const double width = std::max(radius, 0.5);
                        if (least < width - 1e-9) REQUIRE(marks[pixel] == 1);
                        if (least > std::max(width, 0.7072) + 1e-9) REQUIRE(marks[pixel] == 0);
                    }
                    // As one mouse position after the other gives it.
                    Buffer<uint8_t> again("obstacles");
                    again.fill(context, lattice.pixel_count(), 0);
                    paint_obstacles(context, lattice, again, {path[0]}, radius, true);
                    for (size_t k = 1; k < path.size(); ++k)
                        paint_obstacles(context, lattice, again, {path[k - 1], path[k]}, radius, true);
                    CHECK(again.download() == marks);
                    CHECK(paint_obstacles(context, lattice, obstacles, path, radius, false) == changed);
                }
    });
}

TEST_CASE("Voronoi start: points in a periodic box get a lattice of its shape that closes on itself") {
    std::vector<Point> points;
    for (uint32_t i = 0; i < 300; ++i) {
        const RandomPair at = random_pair(5, i);
        points.push_back({at.first * 30 - 10, at.second * 12 + 3});
    }
    points.push_back({25, 4});  // an image
    Geometry input{.name = "box.xyz", .points = points, .box_low = {-10, 3}, .box = {30, 12}};
    for (const bool given : {false, true}) {
        VoronoiParameters parameters;
        if (given) {
            parameters.box = {30, 12};
            input.box = input.box_low = {};
        }
        const VoronoiStart start = make_voronoi_start(parameters, input);
        CHECK(start.lattice.periodic.both());
        CHECK(double(start.lattice.width) / start.lattice.height == doctest::Approx(2.5).epsilon(0.005));
        CHECK(double(start.lattice.pixel_count()) == doctest::Approx(160000).epsilon(0.05));
        REQUIRE(start.units);
        CHECK(start.units->unit.x * start.lattice.width == doctest::Approx(30));
        CHECK(start.units->unit.y * start.lattice.height == doctest::Approx(12));
        for (size_t i = 0; i < points.size(); ++i) {
            const Point there = start.as_given(start.sites[i]);
            for (const double sides : {(there.x - points[i].x) / 30, (there.y - points[i].y) / 12})
                CHECK(std::abs(sides - std::round(sides)) < 1e-9);
        }
        CHECK(contains(start.message.text(), "The lattice is the periodic box"));
        CHECK(contains(start.message.text(), given ? "wrapped into" : "1 point was wrapped into"));
    }
    CHECK_FALSE(make_voronoi_start({.fit = false}, Geometry{.name = "few", .points = {{5, 5}}, .box = {30, 12}})
                    .lattice.periodic.any());
}

TEST_CASE("Voronoi start: a box along one axis closes the lattice there, and reaches over the points across it") {
    for (const bool upright : {false, true})
        for (const bool given : {false, true})
            for (const bool flat : {false, true}) {
                const auto turned = [&](Point p) { return upright ? Point{p.y, p.x} : p; };
                std::vector<Point> points;
                for (uint32_t i = 0; i < 300; ++i) {
                    const RandomPair at = random_pair(5, i);
                    points.push_back(turned({at.first * 30 + (given ? 0 : -10), flat ? 7 : at.second * 12 + 3}));
                }
                points.push_back(turned({given ? 35.0 : 25.0, 7}));  // an image
                Geometry input{.name = "box.xyz", .points = points};
                VoronoiParameters parameters;
                if (given)
                    parameters.box = turned({30, 0});
                else
                    input.box = turned({30, 0}), input.box_low = turned({-10, 0});
                const VoronoiStart start = make_voronoi_start(parameters, input);
                CHECK(start.lattice.periodic == (upright ? PeriodicAxes(false, true) : PeriodicAxes(true, false)));
                CHECK(double(start.lattice.pixel_count()) == doctest::Approx(160000).epsilon(0.1));
                REQUIRE(start.units);
                CHECK(start.units->unit.x == start.units->unit.y);
                const uint32_t around = upright ? start.lattice.height : start.lattice.width;
                CHECK(start.units->unit.x * around == doctest::Approx(30));
                for (size_t i = 0; i < points.size(); ++i) {
                    const Point there = turned(start.as_given(start.sites[i])), was = turned(points[i]);
                    const double sides = (there.x - was.x) / 30;
                    CHECK(std::abs(sides - std::round(sides)) < 1e-9);
                    CHECK(there.y == doctest::Approx(was.y));
                    const Point on = turned(start.sites[i]);
                    CHECK((on.x >= 0 && on.x < around));
                    CHECK((on.y > 0 && on.y < start.lattice.pixel_count() / around - 1));
                }
                const std::string text = start.message.text();
                CHECK(contains(text, upright ? "Along y the lattice is the periodic box" : "Along x the lattice is"));
                CHECK(contains(text, "1 point was wrapped into the cylinder"));
            }
    const Geometry far{.name = "far.xyz", .points = {{0, 0}, {1, 1e6}}};
    CHECK_THROWS_WITH_AS(make_voronoi_start({.box = {30, 0}}, far), doctest::Contains("far.xyz: a box of 30 × "),
                         Error);
}
