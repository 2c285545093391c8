// Delaunay triangulations of cylinders, boxes that are periodic along one axis: the same triangles as in the middle of
// three copies side by side in the plane, straight borders, and the same on every device, also where points move.
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "compute/gather.h"
#include "compute/launch.h"
#include "delaunay/torus/cylinder_predicates.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_insertion.h"
#include "delaunay/torus/torus_motion_kernels.h"
#include "delaunay/torus/torus_rules.h"
#include "moved_points.h"
#include "torus.h"

using namespace flipscope;

namespace {

using Whole = boost::multiprecision::cpp_int;

Point swapped(Point p) { return {p.y, p.x}; }
bool opens_x(const TorusBox& box) { return box.open == OpenAxis::kX; }
double along(const TorusBox& box, Point p) { return opens_x(box) ? p.x : p.y; }

/// Points of a cylinder: given with its open axis along y, wrapped along the other one, each place once.
Points on_cylinder(const TorusBox& box, Points points) {
    std::set<std::pair<double, double>> seen;
    Points kept;
    for (Point p : points) {
        if (opens_x(box)) p = swapped(p);
        p = box.on_grid(p);
        for (double* v : {opens_x(box) ? &p.x : &p.y}) *v = std::min(std::max(*v, 0.0), box.extent);
        p = box.wrapped(p);
        if (seen.insert({p.x, p.y}).second) kept.push_back(p);
    }
    return kept;
}

/// An edge spans at most one circumference, so a triangle of the cylinder that touches the middle one of three copies
/// has all its corners in the three, and no point of them in its circle; and such triangles leave no room for others
/// there.
Reach copies_around(const TorusBox& box, int reach) { return opens_x(box) ? Reach{0, reach} : Reach{reach, 0}; }

bool cylinder_circles_are_empty(const TorusTriangulation& torus) {
    const TorusBox& box = torus.box();
    const double circumference = opens_x(box) ? box.sides.y : box.sides.x;
    return circles_are_empty(torus, copies_around(box, 3 + 2 * int(std::ceil(box.extent / circumference))));
}

using WholePoint = std::array<Whole, 2>;
int turn(const WholePoint& a, const WholePoint& b, const WholePoint& c) {
    return Whole((a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0])).sign();
}
int circle(const WholePoint& a, const WholePoint& b, const WholePoint& c, const WholePoint& d) {
    return circle_determinant(a, b, c, d).sign();
}

int widest_shift(const TriangleMesh& mesh) {
    int widest = 0;
    const std::vector<ImageShift> shifts = mesh.shifts.download();
    for (size_t corner = 0; corner < 3 * size_t(mesh.triangle_count); ++corner)
        widest = std::max({widest, std::abs(shifts[corner].x), std::abs(shifts[corner].y)});
    return widest;
}

}  // namespace

TEST_CASE("cylinder: predicates have the signs that an open side of 2^2000 steps gives, ties settled alike") {
    std::mt19937_64 random(2);
    size_t zeros = 0, ties = 0, unsettled = 0;
    for (size_t round = 0; round < case_count(60000); ++round) {
        const bool is_small = round % 2 == 0;  // where many coefficients are 0
        const OpenAxis open = round % 4 < 2 ? OpenAxis::kX : OpenAxis::kY;
        const TorusBox box = TorusBox::of_cylinder(is_small ? 8 : 105.9, is_small ? 16 : 31.7, open);
        std::array<Point, 3> points;
        std::array<WholePoint, 4> huge, wide, sheared;
        const Whole side = Whole(1) << 2000;
        for (size_t k = 0; k < 4; ++k) {
            Point p;
            int level = 0;
            if (k < 3) {
                level = int(random() % 5) - 2;
                if (is_small) {
                    p = {double(random() % 5) - 2, double(random() % 5) - 2};
                } else {
                    std::uniform_real_distribution<double> far(-1, 1);
                    const double across = 3 * 105.9 * far(random), up = 31.7 * far(random);
                    p = box.on_grid(open == OpenAxis::kX ? Point{up, across} : Point{across, up});
                }
                points[k] =
                    box.image(p, open == OpenAxis::kX ? ImageShift{int8_t(level), 0} : ImageShift{0, int8_t(level)});
            }
            const Whole x = Whole(static_cast<int64_t>(p.x / box.grid)) + (opens_x(box) ? level * side : Whole(0)),
                        y = Whole(static_cast<int64_t>(p.y / box.grid)) + (opens_x(box) ? Whole(0) : level * side);
            huge[k] = {x, y};
            wide[k] = {2 * x, y};
            sheared[k] = {x + y, y};
        }
        const auto& [a, b, c] = points;
        const int expected_turn = turn(huge[0], huge[1], huge[2]);
        CHECK(cylinder_orient2d(box.sides, open, a, b, c) == expected_turn);
        CHECK(torus_orient2d(box, a, b, c) == expected_turn);
        int expected = circle(huge[3], huge[0], huge[1], huge[2]);
        zeros += expected == 0;
        if (expected == 0) expected = circle(wide[3], wide[0], wide[1], wide[2]);
        if (expected == 0) expected = circle(sheared[3], sheared[0], sheared[1], sheared[2]);
        ties += expected != 0;
        unsettled += expected == 0;
        CHECK(cylinder_incircle(box.sides, open, a, b, c) == expected);
        CHECK(torus_incircle(box, a, b, c) == expected);
    }
    CHECK(zeros > 0);
    CHECK(ties > 0);
    CHECK(unsettled > 0);  // of equal or collinear points
}

TEST_CASE("cylinder: no point, one, two, three and collinear points have a triangulation") {
    Points row, column;
    for (int i = 0; i < 20; ++i) row.push_back({0.5 * i * (i % 3 + 1), 0}), column.push_back({3, 0.4 * i});
    on_every_device([&](Context& context) {
        for (const OpenAxis open : {OpenAxis::kX, OpenAxis::kY})
            for (const double extent : {8.0, 0.0, 200.0, 0.01})
                for (const Points& points :
                     {Points{}, Points{{0, 0}}, Points{{3, 4}}, Points{{0, 0}, {5, 5}}, Points{{1, 2}, {1, 2.5}},
                      Points{{0, 0}, {5, 0}}, Points{{1, 1}, {2, 1}, {3, 1}}, Points{{0, 0}, {3.5, 3.5}, {7, 7}},
                      Points{{9.5, 8}, {0.25, 0.5}, {5, 0.005}}, row, column}) {
                    const TorusBox box = TorusBox::of_cylinder(10, extent, open);
                    const Points places = on_cylinder(box, points);
                    const TorusTriangulation torus = built(context, box, places);
                    INFO(places.size(), " points, ", extent);
                    CHECK(torus.mesh().triangle_count == 2 * places.size());
                    CHECK(torus.mesh().edge_count == 3 * places.size());
                    check_sound(torus);
                    if (extent < 100) CHECK(cylinder_circles_are_empty(torus));
                    CHECK(widest_shift(torus.mesh()) <= 1);
                    std::set<double> levels;
                    for (const Point p : places) levels.insert(along(box, p));
                    const TorusCounts within = count_within_borders(context, torus.mesh());
                    CHECK(within.edges == within.triangles + places.size());  // a ring: V - E + T = 0
                    if (levels.size() <= 1) {
                        CHECK(within.triangles == 0);
                    } else {
                        size_t on_borders = 0;
                        for (const Point p : places)
                            on_borders += along(box, p) == *levels.begin() || along(box, p) == *levels.rbegin();
                        CHECK(within.triangles == 2 * places.size() - on_borders);
                    }
                }
    });
}

TEST_CASE("cylinder: the triangles are those in the middle of three copies side by side in the plane") {
    std::mt19937_64 random(7);
    Context context(DeviceRequest::kCpu, 2);
    for (size_t round = 0; round < case_count(600); ++round) {
        const double circumference = round % 3 == 0 ? 1 : round % 3 == 1 ? 105.9 : 37.25;
        const double extent = circumference * std::array{1.0, 20.0, 0.05, 0.5, 3.0, 1e-6}[round / 3 % 6];
        const TorusBox box = TorusBox::of_cylinder(circumference, extent, round % 2 ? OpenAxis::kX : OpenAxis::kY);
        const size_t count = 2 + random() % (round % 10 == 0 ? 400 : 30);
        Points points = random_points(random, Point{circumference, extent}, count, round % 4 == 3 ? 0.05 : 1);
        if (round % 4 == 2)  // clusters, across the seam
            for (size_t i = 0; i < points.size(); ++i) {
                const double far = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.99 : 0.5;
                points[i] = {far * circumference + points[i].x * 0.03, far * extent + points[i].y * 0.03};
            }
        if (round % 7 == 0)  // many on the borders
            for (size_t i = 0; i < points.size(); i += 3) points[i].y = i % 2 ? 0 : extent;
        points = on_cylinder(box, points);
        const TorusTriangulation torus = built(context, box, points);
        INFO(round, ": ", points.size(), " points");
        check_sound(torus);
        CHECK(triangles_within(torus) == triangles_of_copies(box, points, copies_around(box, 1)));
    }
}

TEST_CASE("cylinder: lattices, where all is cocircular, are triangulated as on a torus with a long way around") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(3);
    for (const OpenAxis open : {OpenAxis::kX, OpenAxis::kY})
        for (const int kind : {0, 1, 2, 3, 4}) {
            Points points;
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 8; ++x) {
                    if (kind == 1) points.push_back({8.0 * x + (y % 2) * 4, 8.0 * y});
                    if (kind == 0 || (kind == 2 && (x + y) % 3)) points.push_back({8.0 * x, 8.0 * y});
                    if (kind == 3 && x == 3) points.push_back({8.0 * x, 8.0 * y});
                    if (kind == 4 && y == 3) points.push_back({8.0 * x, 8.0 * y});
                }
            const TorusBox box = TorusBox::of_cylinder(64, 56, open);
            points = on_cylinder(box, points);
            std::shuffle(points.begin(), points.end(), random);
            INFO(kind);
            build_alike(box, points);
            const TorusTriangulation torus = built(context, box, points);
            CHECK(cylinder_circles_are_empty(torus));
            const TorusBox tall = TorusBox::of(open == OpenAxis::kX ? Point{4096, 64} : Point{64, 4096});
            std::set<Corners> expected = triangles_of(built(context, tall, points));
            CHECK(triangles_of(torus) == expected);  // those beyond the borders, too
        }
}

TEST_CASE("cylinder: while points are inserted no edge leads over more sides than it can say") {
    std::mt19937_64 random(17);
    int widest = 0;
    for (size_t round = 0; round < case_count(120); ++round) {
        const OpenAxis open = round % 2 ? OpenAxis::kX : OpenAxis::kY;
        const double extent = std::array{50.0, 2.0, 10.0, 1e-3, 0.0}[round % 5];
        const size_t count = 1 + random() % std::array{1500, 40, 300}[round % 3];
        Points points = random_points(random, Point{1, extent}, count);
        if (round % 4 == 2)
            for (Point& p : points) p.x = 0.25 + 1e-9 * p.x;
        if (round % 4 == 3)
            for (Point& p : points) p.y *= p.y * p.y / (extent * extent + 1e-30);
        auto input = std::make_shared<Geometry>();
        for (const Point p : points) input->points.push_back(open == OpenAxis::kX ? swapped(p) : p);
        input->name = "points";
        Context context(DeviceRequest::kCpu, 1);
        TorusInsertion insertion;
        insertion.reset(context, input, {.place = {TorusBox::of_cylinder(1, extent, open), {0, 0}}});
        while (!insertion.done()) {
            insertion.step();
            if (insertion.mesh().triangle_count) widest = std::max(widest, widest_shift(insertion.mesh()));
        }
        CHECK(check_torus(context, insertion.mesh(), insertion.box()).passed);
    }
    CHECK(widest >= 1);
    CHECK(widest <= 16);
}

TEST_CASE("torus and cylinder: many points are triangulated alike on every device") {
    std::mt19937_64 random(5);
    const size_t count = case_count(100000);
    for (const TorusBox& box :
         {TorusBox::of_cylinder(500, 300, OpenAxis::kY), TorusBox::of_cylinder(5, 200, OpenAxis::kX)}) {
        const double circumference = opens_x(box) ? box.sides.y : box.sides.x;
        build_alike(box, on_cylinder(box, random_points(random, Point{circumference, box.extent}, count)));
    }
    const TorusBox torus = TorusBox::of(500);
    build_alike(torus, wrapped(torus, random_points(random, torus.sides, 20000)));
}

TEST_CASE("cylinder: what is wrong with a triangulation is found, and where points may lie is said") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(9);
    const TorusBox box = TorusBox::of_cylinder(30, 12, OpenAxis::kY);
    TorusTriangulation torus = built(context, box, on_cylinder(box, random_points(random, Point{30, 12}, 200)));
    Points points = torus.mesh().positions.download();
    const size_t top = size_t(
        std::max_element(points.begin(), points.end(), [](Point a, Point b) { return a.y < b.y; }) - points.begin());
    const auto sentence_with = [&](Point p) {
        Points moved = points;
        moved[top] = p;
        torus.positions().upload(context, moved.data(), moved.size());
        const CheckReport report = torus.check();
        torus.positions().upload(context, points.data(), points.size());
        return report.passed ? "" : report.sentence;
    };
    CHECK(sentence_with(points[top]) == "");
    CHECK(sentence_with({points[top].x, 1}).find("not Delaunay on the cylinder") == 0);
    CHECK(contains(sentence_with({points[top].x, 1}), "crooked border edge"));
    CHECK(torus.check().passed);
    CHECK_THROWS_WITH_AS(torus.build(context, box, {{1, 13}}, false),
                         doctest::Contains("does not lie in the periodic box, from (0, 0) to 30, 12"), Error);
}

TEST_CASE("torus and cylinder: points that move stay Delaunay, along every way to follow them") {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    uint64_t followed_flips = 0, untangled_in_all = 0;
    on_every_device([&](Context& context) {
        std::vector<std::pair<double, TorusBox>> cases{{0.01, TorusBox::of({30, 30})},
                                                       {0.1, TorusBox::of({30, 30})},
                                                       {0.4, TorusBox::of({30, 30})},
                                                       {0.4, TorusBox::of({60, 15})},
                                                       {0.4, TorusBox::of({3, 300})}};
        for (const OpenAxis open : {OpenAxis::kX, OpenAxis::kY})
            for (const auto& [far, extent] :
                 {std::pair{0.01, 30.0}, {0.1, 30.0}, {0.4, 30.0}, {0.4, 4.0}, {0.05, 0.5}, {0.3, 200.0}})
                cases.emplace_back(far, TorusBox::of_cylinder(30, extent, open));
        for (const auto& [far, box] : cases) {
            Points points = box.is_cylinder() ? on_cylinder(box, random_points(random, Point{30, box.extent}, 300))
                                              : wrapped(box, random_points(random, box.sides, 300));
            TorusTriangulation torus = built(context, box, points), stars = built(context, box, points),
                               all = built(context, box, points);
            for (int step = 0; step < 12; ++step) {
                const uint64_t every = step % 3 == 0 ? 1 : step % 3 == 1 ? 5 : 40;
                const MovedPoints moves(context, torus, far, every, random, normal);
                for (TorusTriangulation* one : {&torus, &all}) moves.put(context, *one);
                const uint64_t inverted = torus.follow(moves.motion(step % 2 == 1), false);
                CHECK(inverted == torus.count_inverted());

                const FollowTriangles<> follow = all.begin_follow(moves.motion(true));
                launch_gathered(context, "test.follow", all.mesh().triangle_count, follow, follow.illegal, {}, {});
                all.launch_follow(follow, 0);
                const TorusTriangulation::Followed by_all = all.end_follow();
                CHECK(by_all.inverted == inverted);
                std::optional<TorusTriangulation::Followed> by_stars;
                if (moves.count > 0) {
                    moves.launch_moves(context, stars);
                    stars.launch_follow_stars(moves.count, 0, 0);
                    by_stars = stars.end_follow();
                    CHECK(by_stars->inverted == inverted);
                }
                if (inverted) {
                    CHECK(all.state_hash() == torus.state_hash());
                    CHECK(stars.state_hash() == torus.state_hash());
                    const uint64_t untangled = torus.flip_all(TorusTriangulation::Rule::kUpright).flips;
                    untangled_in_all += untangled;
                    if (torus.count_inverted()) torus.rebuild();
                    torus.queue_all();
                    torus.flip_all(TorusTriangulation::Rule::kDelaunay);
                } else {
                    followed_flips += torus.flip_all(TorusTriangulation::Rule::kDelaunay).flips;
                    CHECK(all.state_hash() == torus.state_hash());
                    if (by_stars) CHECK(stars.state_hash() == torus.state_hash());
                }
                INFO(box.sides.x, " by ", box.sides.y, ", ", far, ", step ", step);
                check_sound(torus);
                points = torus.mesh().positions.download();  // rebuild() may have parted two
                points.resize(torus.count());
                CHECK(torus.hash() == built(context, box, points).hash());
                if (inverted) {  // the others go on from there
                    Snapshot snapshot;
                    torus.save(snapshot);
                    for (TorusTriangulation* one : {&stars, &all}) {
                        one->load(context, snapshot, 0, box, false);
                        CHECK(one->hash() == torus.hash());
                        CHECK(one->state_hash() == torus.state_hash());
                    }
                }
            }
        }
    });
    CHECK(followed_flips > 0);
    CHECK(untangled_in_all > 0);
}
