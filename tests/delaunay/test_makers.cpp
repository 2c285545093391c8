// sanitizers: none
#include "delaunay/constructions/makers.h"

#include <map>
#include <set>
#include <utility>

#include "delaunay/runs.h"
#include "flipscope/triangulate.h"
#include "geometry/mesh_facts.h"

using namespace flipscope;

namespace {

constexpr Start kAnyInput[] = {Start::kInsertion, Start::kSweep, Start::kScrambled, Start::kMoved};

bool on_one_line(const std::vector<Point>& points) {
    size_t second = 0;
    while (second < points.size() && points[second] == points[0]) ++second;
    for (size_t i = second + 1; i < points.size(); ++i)
        if (orient2d(points[0], points[second], points[i]) != 0) return false;
    return true;
}

/// A triangulation of the hull that uses every distinct point, each by its first copy; or nothing on one line.
void check_made(const Geometry& made, const Geometry& input) {
    CHECK_FALSE(made.in_space());
    REQUIRE(made.points.size() == input.points.size());
    if (on_one_line(made.points)) {
        CHECK(made.triangles.empty());
        return;
    }
    CHECK(triangulates_hull(made));
    std::set<std::pair<double, double>> seen;
    std::vector<char> first(made.points.size());
    for (size_t i = 0; i < first.size(); ++i)
        first[i] = seen.emplace(made.points[i].x + 0.0, made.points[i].y + 0.0).second;
    bool all_first = true;
    for (const auto& t : made.triangles)
        for (const uint32_t v : t) all_first = all_first && first[v];
    CHECK(all_first);
}

Geometry points_of(const std::string& text) { return generate(parse_generator(text)); }

}  // namespace

TEST_CASE("makers: the same options make the same, on every device, and another seed makes another") {
    const Geometry input = points_of("uniform:3000");
    std::vector<Geometry> first;
    on_every_device([&](Context& context) {
        for (size_t i = 0; i < std::size(kAnyInput); ++i) {
            const Geometry made = make_triangulation(context, input, kAnyInput[i], {});
            if (first.size() == i) first.push_back(made);
            CHECK(made.points == first[i].points);
            CHECK(made.triangles == first[i].triangles);
        }
    });
    Context context(DeviceRequest::kCpu, 2);
    const MakerOptions other{.seed = 2};
    CHECK(make_triangulation(context, input, Start::kScrambled, other).triangles != first[2].triangles);
    CHECK(make_triangulation(context, input, Start::kMoved, other).points != first[3].points);
}

TEST_CASE("makers: the sweep joins each point to all that it sees") {
    Context context(DeviceRequest::kCpu, 1);
    // A line first, then one off it: to the left and to the right of its direction.
    for (const double y : {1.0, -1.0}) {
        const Geometry input{"line", {{3, 0}, {0, 0}, {1, 0}, {2, 0}, {4, y}}};
        const Geometry made = make_triangulation(context, input, Start::kSweep, {});
        check_made(made, input);
        CHECK(made.triangles.size() == 3);
        for (const auto& t : made.triangles) CHECK(std::count(t.begin(), t.end(), 4u) == 1);
    }
    const Geometry strip =
        make_triangulation(context, Geometry{"strip", {{0, 0}, {1, 9}, {2, 0}, {3, 9}}}, Start::kSweep, {});
    CHECK(sorted_triangles(strip.triangles) == sorted_triangles({{0, 2, 1}, {1, 2, 3}}));
}

TEST_CASE("makers: a fan is all diagonals from the lowest vertex") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"ring:3", "ring:4", "ring:5", "ring:100", "ring:1000@x=1e6,y=7"}) {
        const Geometry input = points_of(text);
        INFO(text);
        const Geometry made = make_triangulation(context, input, Start::kFan, {});
        check_made(made, input);
        uint32_t lowest = 0;
        for (uint32_t i = 0; i < input.points.size(); ++i) {
            const Point p = input.points[i], q = input.points[lowest];
            if (p.y < q.y || (p.y == q.y && p.x < q.x)) lowest = i;
        }
        CHECK(std::all_of(made.triangles.begin(), made.triangles.end(),
                          [&](const auto& t) { return std::count(t.begin(), t.end(), lowest) == 1; }));
    }
    for (const char* text : {"ring:0", "ring:1", "ring:2", "line:100"})
        CHECK(make_triangulation(context, points_of(text), Start::kFan, {}).triangles.empty());
    CHECK(make_triangulation(context, Geometry{"copies", std::vector<Point>(9, {1, 2})}, Start::kFan, {})
              .triangles.empty());
}

TEST_CASE("makers: a fan avoids flat triangles where an apex allows it, and says so where none does") {
    Context context(DeviceRequest::kCpu, 1);
    // A square with points on its lower side only: the lowest apex that sees no two of them in a row lies above.
    const Geometry one_side{"side", {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 3}, {0, 3}}};
    check_made(make_triangulation(context, one_side, Start::kFan, {}), one_side);
    const Geometry copies{"copies", {{0, 0}, {1, 0}, {2, 0}, {2, 3}, {1, 0}, {0, 0}}};
    check_made(make_triangulation(context, copies, Start::kFan, {}), copies);
    Geometry all_sides{"all sides", {}};
    for (int i = 0; i < 4; ++i)
        for (const Point p : {Point{double(i), 0}, {4, double(i)}, {4.0 - i, 4}, {0, 4.0 - i}})
            all_sides.points.push_back(p);
    CHECK_THROWS_WITH_AS(make_triangulation(context, all_sides, Start::kFan, {}),
                         doctest::Contains("all sides: the start \"fan\" leaves a flat triangle"), Error);
    Geometry inside = points_of("ring:100");
    inside.points.insert(inside.points.begin() + 37, Point{0, 0});
    CHECK_THROWS_WITH_AS(make_triangulation(context, inside, Start::kFan, {}),
                         doctest::Contains("ring:100: point 37 is not on the convex hull"), Error);
    CHECK_THROWS_WITH_AS(make_triangulation(context, inside, Start::kFan, {}), doctest::Contains("such as ring:1000"),
                         Error);
}

TEST_CASE("makers: scrambling flips the requested share of edges, from none to nearly all") {
    Context context(DeviceRequest::kCpu, 2);
    const Geometry input = points_of("uniform:20000");
    const Triangles delaunay = sorted_triangles(triangulate(context, input.points).triangles);
    double last = -1;
    for (const double share : {0.0, 0.01, 0.1, 1.0, 5.0}) {
        const Geometry made = make_triangulation(context, input, Start::kScrambled, {.scramble = share});
        check_made(made, input);
        const double illegal = lesson_values(made).illegal_share;
        CHECK(illegal > last);
        last = illegal;
        if (share == 0) CHECK(sorted_triangles(made.triangles) == delaunay);
        if (share == 0.01) CHECK(illegal == doctest::Approx(0.007).epsilon(0.3));  // not all quads are convex
    }
}

TEST_CASE("makers: moved points stay near where they were, those on the hull at home, and copies with their first") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:5000", "clusters:2000", "grid:900", "duplicates:3000", "ring:500"})
        for (const double by : {0.0, 0.01, 0.3, 2.0, 1e6}) {
            const Geometry input = points_of(text);
            INFO(text, " by ", by);
            const Geometry made = make_triangulation(context, input, Start::kMoved, {.moved_by = by});
            check_made(made, input);
            double area = 0, farthest = 0;
            for (const auto& t : made.triangles)
                area += orient2d_value(made.points[t[0]], made.points[t[1]], made.points[t[2]]) / 2;
            size_t at_home = 0;
            std::map<std::pair<double, double>, Point> now;
            bool together = true;
            for (size_t i = 0; i < made.points.size(); ++i) {
                const Point p = input.points[i], q = made.points[i];
                farthest = std::max(farthest, std::hypot(p.x - q.x, p.y - q.y));
                at_home += p == q;
                together = together && now.emplace(std::pair{p.x, p.y}, q).first->second == q;
            }
            CHECK(together);
            const double spacing = std::sqrt(area / double(now.size()));
            CHECK(farthest <= by * spacing * (1 + 1e-9));
            if (by == 0) CHECK(at_home == made.points.size());
            // The triangles are those of the points before.
            CHECK(sorted_triangles(made.triangles) == sorted_triangles(triangulate(context, input.points).triangles));
            if (by == 0.3 && std::string(text) == "uniform:5000") {
                CHECK(at_home < 100);
                CHECK(farthest > 0.28 * spacing);
            }
        }
}

TEST_CASE("makers: copies of points do not shorten the moves of others") {
    Context context(DeviceRequest::kCpu, 1);
    Geometry once = points_of("uniform:200"), twice = once;
    twice.points.insert(twice.points.end(), once.points.begin(), once.points.end());
    const std::vector<Point> wanted = make_triangulation(context, once, Start::kMoved, {}).points;
    const std::vector<Point> moved = make_triangulation(context, twice, Start::kMoved, {}).points;
    CHECK(wanted != once.points);
    CHECK(std::equal(wanted.begin(), wanted.end(), moved.begin()));
}
