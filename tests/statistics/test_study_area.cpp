// Study areas: what is refused, how rings are turned, and that the grid finds what all sides give.
#include "flipscope/study_area.h"

#include <cmath>
#include <random>

#include "statistics/area_view.h"
#include "test_support.h"

using namespace flipscope;

namespace {

const std::vector<Point> kSquare{{0, 0}, {4, 0}, {4, 4}, {0, 4}};

std::vector<Point> ring_around(std::mt19937_64& random, Point centre, double least, double most, int count) {
    std::uniform_real_distribution<double> radius(least, most);
    std::vector<Point> ring;
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * 3.14159265358979323846 * k / count, r = radius(random);
        ring.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
    }
    return ring;
}

/// Every point gets the answer that all sides give without the grid.
void check_grid(const StudyArea& area, const std::vector<Point>& points) {
    const AreaIndex index(area);
    const AreaView fast = index.view();
    const std::vector<AreaSide> sides = sides_of(area);
    const AreaView slow{window_of(area), {sides.data(), sides.size()}};
    for (const Point p : points) {
        INFO("at " << p.x << ", " << p.y);
        REQUIRE(fast.contains(p) == slow.contains(p));
        REQUIRE(fast.depth(p) == slow.depth(p));
    }
}

}  // namespace

TEST_CASE("study areas: sides that cross or overlap are refused, with the rings, the sides and the place") {
    const auto refusal = [](std::vector<std::vector<Point>> rings) {
        return error_of([&] { area_of_rings(std::move(rings)); });
    };
    CHECK(refusal({{{0, 0}, {2, 2}, {2, 0}, {0, 2}}}) ==
          "ring 1 of the study area: its side from (0, 0) to (2, 2) and that from (2, 0) to (0, 2) cross near (1, 1)");
    CHECK(contains(refusal({kSquare, {{3, 1}, {5, 1}, {5, 2}, {3, 2}}}),
                   "ring 1 of the study area: its side from (4, 0) to (4, 4) and the side of ring 2 from (3, 1) to "
                   "(5, 1) cross near (4, 1)"));
    CHECK(contains(refusal({kSquare, {{1, 0}, {3, 0}, {2, 1}}}), "overlap from (1, 0) on"));
    CHECK(contains(refusal({{{0, 0}, {4, 0}, {2, 0}, {2, 2}}}), "overlap"));
    CHECK(contains(refusal({{{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}}}), "accepted"));
    CHECK(contains(refusal({{{0, 0}, {2, 2}, {4, 4}, {4, 0}, {2, 2}, {0, 4}}}),
                   "it crosses itself at their common corner"));
    CHECK(contains(refusal({{{0, 0}, {1, 1}}}), "three distinct points, found 2"));
    CHECK(contains(refusal({{{0, 0}, {0, 0}, {1, 1}, {0, 0}}}), "three distinct points"));
    CHECK(contains(refusal({{{0, 0}, {1, 0}, {2, 0}}}), "no area"));
    CHECK(contains(refusal({{{0, 0}, {1e100, 0}, {1, 0x1p300}}}), "out of range"));
    CHECK(contains(refusal({{{0, 0}, {NAN, 0}, {1, 1}}}), "out of range"));
    CHECK(contains(refusal({}), "found none"));
}

TEST_CASE("study areas: rings are turned so that the area is on the left, however they are nested and touch") {
    const std::vector<Point> hole{{1, 1}, {3, 1}, {3, 3}, {1, 3}}, island{{1.5, 1.5}, {2.5, 1.5}, {2, 2.5}};
    const StudyArea nested = area_of_rings({hole, kSquare, island});
    CHECK(nested.area() == 16 - 4 + 0.5);
    CHECK(nested.perimeter() == doctest::Approx(16 + 8 + 1 + 2 * std::hypot(0.5, 1)));
    CHECK(nested.contains({0.5, 0.5}));
    CHECK(nested.contains({1, 2}));  // on the border
    CHECK_FALSE(nested.contains({1.25, 2}));
    CHECK(nested.contains({2, 2}));
    // The hole touches a side, and all its corners lie on the border.
    const StudyArea touching = area_of_rings({kSquare, {{2, 0}, {4, 2}, {2, 4}, {0, 2}}});
    CHECK(touching.area() == 8);
    CHECK(touching.rings[0].size() == 8);
    CHECK_FALSE(touching.contains({2, 2}));
    // A chessboard of squares that touch at corners, repeated points among them.
    const StudyArea chess =
        area_of_rings({{{0, 0}, {1, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}, {{1, 1}, {1, 2}, {2, 2}, {2, 1}}});
    CHECK(chess.area() == 2);
    CHECK(area_of_rings({chess.rings[1], chess.rings[0]}).area() == 2);
}

TEST_CASE("study areas: the grid gives the same answers as all sides") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-0.2, 1.2);
    for (const double offset : {0.0, 1e9}) {
        std::vector<std::vector<Point>> rings{ring_around(random, {offset + 0.5, 0.5}, 0.35, 0.5, 400)};
        for (int k = 0; k < 10; ++k)
            rings.push_back(
                ring_around(random, {offset + 0.5 + 0.2 * std::cos(k), 0.5 + 0.2 * std::sin(k)}, 0.01, 0.02, 9));
        const StudyArea area = area_of_rings(rings);
        std::vector<Point> points{{NAN, 0}, {offset, INFINITY}, {offset - 7, 3}};
        for (int i = 0; i < 3000; ++i) points.push_back({offset + unit(random), unit(random)});
        for (const auto& ring : area.rings)
            for (size_t k = 0; k < ring.size(); ++k) {
                const Point a = ring[k], b = ring[(k + 1) % ring.size()];
                points.push_back(a);
                points.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
                points.push_back({unit(random) + offset, a.y});
            }
        check_grid(area, points);
    }
    // Level and upright sides, of whole numbers: points on sides, and level with corners.
    std::vector<Point> stairs;
    for (int k = 0; k <= 20; ++k) stairs.insert(stairs.end(), {{double(k), double(k)}, {double(k + 1), double(k)}});
    stairs.push_back({21, 30});
    stairs.push_back({0, 30});
    std::vector<Point> points;
    for (int x = -1; x <= 23; ++x)
        for (int y = -1; y <= 31; ++y) points.push_back({x / 1.0, y / 1.0}), points.push_back({x + 0.5, double(y)});
    check_grid(area_of_rings({stairs}), points);
}

TEST_CASE("study areas: kernels on every device see the same area") {
    std::mt19937_64 random(9);
    const StudyArea area = area_of_rings({ring_around(random, {0, 0}, 0.5, 1, 60)});
    on_every_device([&](Context& context) {
        AreaOnDevice resident;
        resident.upload(context, area);
        CHECK(resident.view().area == area.area());
        CHECK(resident.view().sides.count == 60);
        CHECK(resident.view().grid.columns > 1);
    });
    const StudyArea box = area_of_rectangle({0, 1}, {2, 4});
    CHECK(box.area() == 6);
    CHECK(box.contains({2, 4}));
    CHECK_FALSE(box.contains({2, 4.5}));
    CHECK_THROWS_AS(area_of_rectangle({0, 0}, {0, 1}), Error);
}
