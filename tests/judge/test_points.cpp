// Degeneracies of points alone: small sets whose lines, circles and bits are counted by hand, and naive signs counted
// again one by one.
#include "judge/points.h"

#include <algorithm>

#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "test_support.h"

using namespace flipscope;

namespace {

PointsJudgement judged(const std::vector<Point>& points) {
    Context context(DeviceRequest::kCpu, 1);
    return judge_points(context, points);
}
using Lists = std::vector<std::vector<uint32_t>>;

}  // namespace

TEST_CASE("points: three on a side of a triangle are one line, in order, and one of them is no corner of the hull") {
    for (const bool upright : {false, true}) {
        std::vector<Point> points{{1, 0}, {0, 0}, {3, 0}, {1, 5}};
        if (upright)
            for (Point& p : points) p = {p.y, p.x};
        const PointsJudgement found = judged(points);
        CHECK(found.points == 4);
        CHECK(found.duplicates == 0);
        CHECK(found.triangles == 2);
        CHECK(found.edges == 5);
        CHECK(found.hull_edges == 4);
        CHECK(found.runs == 1);
        CHECK(found.lines == Lists{{1, 0, 2}});
        CHECK(found.hull_points_on_lines == 1);
        CHECK(found.circles == 0);
        CHECK(found.unit == 0);
        CHECK(found.coordinate_bits == 3);
        CHECK(found.turn_bits == 9);
        CHECK(found.circle_bits == 20);
        CHECK(found.filtered_turns == 2);
        CHECK(found.filtered_circles == 1);
        CHECK_FALSE(found.in_one_line);
        for (const NaiveSigns& signs : found.naive)
            CHECK(signs.wrong_turns + signs.wrong_circles + signs.wrong_ties == 0);
    }
}

TEST_CASE("points: the largest circles and the longest lines come first, and copies name the first point") {
    std::vector<Point> points{{100, 0}, {101, 0}, {101, 1}, {100, 1},  {5, 0},  {3, 4},
                              {-3, 4},  {-4, -3}, {4, -3},  {-50, 70}, {101, 1}};
    const PointsJudgement found = judged(points);
    CHECK(found.duplicates == 1);
    CHECK(found.duplicate_pairs == std::vector<std::array<uint32_t, 2>>{{10, 2}});
    CHECK(found.circles == 2);
    CHECK(found.cocircular == Lists{{4, 5, 6, 7, 8}, {0, 1, 2, 3}});

    points = {{0, 0}, {0.25, 0}, {0.5, 0}, {8, 1}, {8, 2}, {8, 3}, {8, 5}};
    const PointsJudgement lines = judged(points);
    CHECK(lines.runs == 2);
    CHECK(lines.lines == Lists{{3, 4, 5, 6}, {0, 1, 2}});
    CHECK(lines.unit == -2);
    CHECK(lines.coordinate_bits == 6);
}

TEST_CASE("points: all on one line are one run; at one place they are none") {
    const PointsJudgement line = judged({{2, 2}, {0, 0}, {1, 1}});
    CHECK(line.in_one_line);
    CHECK(line.runs == 1);
    CHECK((line.lines == Lists{{1, 2, 0}} || line.lines == Lists{{0, 2, 1}}));
    CHECK(line.hull_points_on_lines == 0);
    const PointsJudgement copies = judged({{0, 0}, {0, 0}, {0, 0}});
    CHECK(copies.in_one_line);
    CHECK(copies.runs == 0);
    CHECK(copies.duplicates == 2);
    CHECK(copies.coordinate_bits == 0);
    CHECK(copies.turn_bits == 0);
}

TEST_CASE("points: wrong signs of naive predicates are those of its triangles and edges, and examples are listed") {
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Point> points = generate(parse_generator("uniform:3000@scale=1000,x=5e6,y=5e6")).points;
    const PointsJudgement found = judge_points(context, points);
    const Triangulation exact = triangulate(context, points);
    uint64_t in_floats = 0;
    for (size_t k = 0; k < std::size(kNaivePredicates); ++k) {
        const NaiveSigns& signs = found.naive[k];
        const auto wrong = [&](const auto& c) {
            return orient(kNaivePredicates[k], points[c[0]], points[c[1]], points[c[2]]) <= 0;
        };
        CHECK(signs.wrong_turns ==
              static_cast<uint64_t>(std::count_if(exact.triangles.begin(), exact.triangles.end(), wrong)));
        CHECK(signs.turns.size() == std::min<size_t>(signs.wrong_turns, kMostExamples));
        CHECK(std::all_of(signs.turns.begin(), signs.turns.end(), wrong));
        CHECK(signs.circles.size() == std::min<size_t>(signs.wrong_circles, kMostExamples));
        for (const auto& [from, to, left, right] : signs.circles) {
            const Point a = points[from], b = points[to], c = points[left], d = points[right];
            CHECK(naive_in_circle(kNaivePredicates[k], a, b, c, d) != incircle(a, b, c, d));
            CHECK(orient2d(a, b, c) > 0);
            CHECK(orient2d(b, a, d) > 0);
        }
        in_floats += signs.wrong_circles;
    }
    CHECK(in_floats > kMostExamples);
}
