// sanitizers: none
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "geometry/generators.h"
#include "geometry/point_patterns.h"
#include "geometry/point_processes.h"
#include "io/points.h"
#include "test_support.h"
#include "tested_count.h"

using namespace flipscope;

namespace {

__extension__ using Wide = __int128;

std::vector<Point> made(const std::string& text) { return generate(parse_generator(text)).points; }

std::vector<Point> sorted(std::vector<Point> points) {
    std::sort(points.begin(), points.end(), [](Point a, Point b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    return points;
}

size_t distinct(const std::vector<Point>& points) {
    std::vector<Point> all = sorted(points);
    return static_cast<size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

/// The coordinate in units of 2^-bits, which must be a whole number.
Wide scaled(double v, int bits = 0) {
    const double whole = std::ldexp(v, bits);
    if (whole != std::floor(whole) || std::fabs(whole) > 0x1p62) FAIL("not a whole number within 2^62: " << whole);
    return static_cast<int64_t>(whole);
}

Wide norm(Point p) { return scaled(p.x) * scaled(p.x) + scaled(p.y) * scaled(p.y); }

bool on_one_circle(const std::vector<Point>& points) {
    return std::all_of(points.begin(), points.end(), [&](Point p) { return norm(p) == norm(points[0]); });
}

uint64_t mixed_bits(const Geometry& made) {
    uint64_t hash = 1469598103934665603u;
    const auto mix = [&](uint64_t bits) { hash = (hash ^ bits) * 1099511628211u; };
    for (const Point p : made.points)
        for (const double v : {p.x, p.y}) mix(std::bit_cast<uint64_t>(v));
    for (const double z : made.heights) mix(std::bit_cast<uint64_t>(z));
    for (const auto& t : made.triangles)
        for (const uint32_t v : t) mix(v);
    return hash;
}

/// The message of the Error that parsing `text` throws.
std::string refusal(const std::string& text) {
    return error_of([&] { generate(parse_generator(text)); });
}

/// Those of points; tests/geometry/test_mesh_generators.cpp has the others.
std::vector<GeneratorInfo> point_generators() {
    std::vector<GeneratorInfo> infos;
    for (const GeneratorInfo& info : generators())
        if (info.makes == GeneratorOutput::kPoints) infos.push_back(info);
    return infos;
}

}  // namespace

TEST_CASE("generators: every one makes exactly the points asked for, in the range of the predicates") {
    CHECK(point_generators().size() >= 16);
    for (const GeneratorInfo& info : point_generators()) {
        CAPTURE(info.name);
        CHECK(!info.sentence.empty());
        for (const uint64_t asked : {0, 1, 2, 3, 4, 5, 10, 97, 1000, 20000}) {
            const uint64_t n = tested_count(info, asked);
            CAPTURE(n);
            const Geometry set = generate({.name = info.name, .count = n});
            CHECK(set.points.size() == n);
            CHECK(set.name == info.name + ":" + std::to_string(n));
            CHECK_NOTHROW(check_points(set));
        }
    }
}

TEST_CASE("generators: the same spec gives the same points, another seed gives others") {
    const std::set<std::string> seedless = {"grid", "halton", "sobol", "r2", "hexagonal"};
    for (const GeneratorInfo& info : point_generators()) {
        CAPTURE(info.name);
        const auto once = generate({.name = info.name, .count = 100, .seed = 5}).points;
        const auto again = generate({.name = info.name, .count = 100, .seed = 5}).points;
        const auto other = generate({.name = info.name, .count = 100, .seed = 6}).points;
        CHECK(once == again);
        CHECK((once == other) == seedless.contains(info.name));
    }
}

TEST_CASE("generators: points and triangles are the same on every machine") {
    const std::pair<std::string, uint64_t> all[] = {
        {"uniform:500", 2092592050671417014u},        {"disk:500", 6373685701149756629u},
        {"disk-centre:500", 4477514058386680162u},    {"disk-rim:500", 5476253126606821380u},
        {"normal:500", 9021238299902230474u},         {"clusters:500", 5923094597261281033u},
        {"jittered-grid:500", 15609290159738298918u}, {"grid:500", 15721841525895041123u},
        {"ring:500", 4037231676839268451u},           {"rings:484", 17146442149394079459u},
        {"line:500", 5199014695410176099u},           {"spiral:500", 1044889243068210192u},
        {"poisson:500", 15944465169720292808u},       {"duplicates:500", 15866334684871072482u},
        {"near-grid:500", 7125276343282654899u},      {"near-ring:500", 8338892060122041247u},
        {"quad:500", 11141697025745826030u},          {"triangular:500", 16020293996434606888u},
        {"worst:500", 9659346398863522608u},          {"sphere:500", 16299128288185558888u},
        {"torus-knot:5000", 884646708024158901u},     {"terrain:500", 12730861567887878610u},
        {"infinity:500", 16516148001927204852u},      {"band:500", 4518870353661426750u},
    };
    CHECK(std::size(all) == generators().size() - point_processes().size());
    for (const auto& [text, hash] : all) {
        CAPTURE(text);
        CHECK(mixed_bits(generate(parse_generator(text))) == hash);
    }
    // Its first sampling has exactly as many.
    CHECK(mixed_bits(generate(parse_generator("poisson:59@seed=110"))) == 9431033783002151060u);
    CHECK(made("uniform:1")[0] == Point{0.53524991944820899, 0.9690685932979004});
    CHECK(made("ring:8")[0] == Point{1, 2});
    CHECK(made("poisson:1000")[0] == made("poisson:1000@scale=1")[0]);
}

TEST_CASE("generators: each is in one group, and slow ones have an estimate of their speed") {
    size_t processes = 0;
    for (const GeneratorInfo& info : generators()) {
        CAPTURE(info.name);
        const auto has_it = [&](const GeneratorGroup& group) { return group.has(info); };
        CHECK(std::count_if(generator_groups().begin(), generator_groups().end(), has_it) == 1);
        processes += info.process;
    }
    CHECK(processes == point_processes().size());
    CHECK(find_generator("uniform").second_count == 0);
    CHECK(find_generator("poisson").second_count > 0);
}

TEST_CASE("generators: all but duplicates make distinct points") {
    for (const GeneratorInfo& info : point_generators()) {
        CAPTURE(info.name);
        const uint64_t n = tested_count(info, 5000);
        const auto points = generate({.name = info.name, .count = n}).points;
        if (info.name == "duplicates") {
            CHECK(distinct(points) > 5000 * 0.62);
            CHECK(distinct(points) < 5000 * 0.71);
        } else {
            CHECK(distinct(points) == n);
        }
    }
}

TEST_CASE("generators: a ring is exactly cocircular") {
    for (uint64_t n : {1, 2, 3, 4, 5, 8, 9, 12, 13, 100, 12345, 1'000'000}) {
        CAPTURE(n);
        const auto points = made("ring:" + std::to_string(n));
        CHECK(points.size() == n);
        CHECK(distinct(points) == n);
        CHECK(on_one_circle(points));
    }
}

TEST_CASE("generators: a ring lies on the smallest circle with enough integer points") {
    for (uint64_t n = 1; n <= 36; ++n) {
        CAPTURE(n);
        uint64_t smallest = 0;
        for (uint64_t count = 0; count < n;) {
            ++smallest;
            count = 0;
            for (int64_t x = -80; x <= 80; ++x)
                for (int64_t y = -80; y <= 80; ++y) count += static_cast<uint64_t>(x * x + y * y) == smallest;
        }
        CHECK(norm(lattice_circle_points(n)[0]) == smallest);
    }
}

TEST_CASE("generators: a ring goes around the whole circle") {
    const auto points = lattice_circle_points(1000);
    for (size_t i = 0; i < points.size(); ++i) {
        const Point a = points[i], b = points[(i + 1) % points.size()];
        CHECK(scaled(a.x) * scaled(b.y) - scaled(a.y) * scaled(b.x) >
              0);  // less than half a turn on, counter-clockwise
        const double step = std::hypot(b.x - a.x, b.y - a.y) / std::sqrt(static_cast<double>(norm(a)));
        CHECK(step < 0.05);
    }
}

TEST_CASE("generators: rings are whole multiples of one exact ring") {
    for (uint64_t n : {1, 2, 3, 10, 1000, 20000}) {
        const auto points = made("rings:" + std::to_string(n));
        std::set<int64_t> radii_squared;
        for (Point p : points) radii_squared.insert(static_cast<int64_t>(norm(p)));
        const int64_t smallest = *radii_squared.begin();
        int64_t k = 1;
        for (int64_t r : radii_squared) {
            CHECK(r == smallest * k * k);
            ++k;
        }
        if (n >= 1000) CHECK(radii_squared.size() > 10);
    }
}

TEST_CASE("generators: a line is exactly collinear, slanted, distinct and shuffled") {
    for (uint64_t n : {3, 10, 1000, 100000}) {
        const auto points = made("line:" + std::to_string(n));
        const auto x = [&](size_t i) { return scaled(points[i].x, 40); };
        const auto y = [&](size_t i) { return scaled(points[i].y, 40); };
        bool collinear = true;
        for (size_t i = 2; i < n; ++i)
            collinear = collinear && (x(1) - x(0)) * (y(i) - y(0)) == (y(1) - y(0)) * (x(i) - x(0));
        CHECK(collinear);
        CHECK(distinct(points) == n);
        CHECK(x(0) != x(1));
        CHECK(y(0) != y(1));
        CHECK((n == 3 || points != sorted(points)));
    }
}

TEST_CASE("generators: a grid is the integer lattice, row by row") {
    const auto points = made("grid:10");
    for (size_t i = 0; i < points.size(); ++i)
        CHECK(points[i] == Point{1.0 + static_cast<double>(i % 4), 1.0 + static_cast<double>(i / 4)});
}

TEST_CASE("generators: near-grid and near-ring are one ulp away at most, and not all at home") {
    for (const std::string name : {"grid", "ring"}) {
        const auto exact = made(name + ":3000"), near = made("near-" + name + ":3000");
        size_t moved = 0, far = 0;
        const auto compare = [&](double v, double w) {
            moved += v != w;
            far += v != w && w != std::nextafter(v, 1e300) && w != std::nextafter(v, -1e300);
        };
        for (size_t i = 0; i < exact.size(); ++i) {
            compare(exact[i].x, near[i].x);
            compare(exact[i].y, near[i].y);
        }
        CHECK(far == 0);
        CHECK(moved > 3500);
        CHECK(moved < 4500);
    }
}

TEST_CASE("generators: poisson points keep their distance and fill the square") {
    const auto points = made("poisson:2000");
    double nearest = 1;
    for (size_t i = 0; i < points.size(); ++i) {
        CHECK((points[i].x >= 0 && points[i].x < 1 && points[i].y >= 0 && points[i].y < 1));
        for (size_t j = 0; j < i; ++j)
            nearest = std::min(nearest, std::hypot(points[i].x - points[j].x, points[i].y - points[j].y));
    }
    CHECK(nearest > 0.7 / std::sqrt(2000.0));  // independent points come about 50 times nearer
}

TEST_CASE("generators: the disks crowd where they say") {
    const auto inner_half = [](const std::string& text) {
        const auto points = made(text);
        size_t count = 0;
        for (Point p : points) {
            const double r = std::hypot(p.x, p.y);
            CHECK(r < 1 + 1e-12);
            count += r < 0.5;
        }
        return static_cast<double>(count) / static_cast<double>(points.size());
    };
    CHECK(inner_half("disk:20000") == doctest::Approx(0.25).epsilon(0.05));
    CHECK(inner_half("disk-centre:20000") == doctest::Approx(0.5).epsilon(0.05));
    CHECK(inner_half("disk-rim:20000") == doctest::Approx(0.0625).epsilon(0.1));
}

TEST_CASE("generators: normal has mean 0 and deviation 1") {
    double sum = 0, squares = 0;
    for (Point p : made("normal:50000")) {
        sum += p.x + p.y;
        squares += p.x * p.x + p.y * p.y;
    }
    CHECK(std::fabs(sum / 1e5) < 0.02);
    CHECK(squares / 1e5 == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("generators: scale and offset move every point, and leave it alone by default") {
    const auto plain = made("uniform:100"), moved = made("uniform:100@scale=4,x=-1,y=2");
    for (size_t i = 0; i < plain.size(); ++i) CHECK(moved[i] == Point{plain[i].x * 4 - 1, plain[i].y * 4 + 2});
    const auto far = made("ring:100@x=1048576,y=-1048576");
    for (Point& p : std::vector(far)) CHECK(norm({p.x - 1048576, p.y + 1048576}) == norm(made("ring:100")[0]));
}

TEST_CASE("generators: counts may have exponents, and a seed all bits") {
    CHECK(parse_generator("uniform:1e5").count == 100000);
    CHECK(parse_generator("uniform:2.5e3").count == 2500);
    CHECK(parse_generator("uniform:0").count == 0);
    CHECK(parse_generator("uniform:5@seed=18446744073709551615").seed == ~uint64_t{0});
}

TEST_CASE("generators: a spec's text reads back as the spec") {
    const GeneratorSpec spec{.name = "near-ring", .count = 77, .seed = 9, .scale = 0.1, .offset = {-1e-7, 3e12}};
    CHECK(generator_text(spec) == "near-ring:77@scale=0.1,x=-1e-07,y=3e+12,seed=9");
    const GeneratorSpec back = parse_generator(generator_text(spec));
    CHECK(generator_text(back) == generator_text(spec));
    CHECK(generate(back).points == generate(spec).points);
    CHECK(generator_text(parse_generator("grid:1e3@seed=1,x=0")) == "grid:1000");
}

TEST_CASE("generators: a mistyped text is answered with a helpful sentence") {
    CHECK(
        contains(refusal("unifrom:10"), "unknown generator \"unifrom\"; did you mean \"uniform\"? (known: uniform, "));
    CHECK(contains(refusal("cauchy:10"), "unknown generator \"cauchy\" (known: "));
    CHECK_FALSE(contains(refusal("cauchy:10"), "--input"));
    CHECK(contains(refusal("cauchy.xy:10"), "; a file of points is given with --input"));
    CHECK(contains(refusal(""), "unknown generator \"\""));
    CHECK(contains(refusal("grid"), "needs a number of points, as in \"grid:1000\""));
    CHECK(contains(refusal("grid:"), "must be a whole number"));
    CHECK(contains(refusal("grid:ten"), "found \"ten\""));
    CHECK(contains(refusal("grid:1.5"), "must be a whole number"));
    CHECK(contains(refusal("grid:1e300"), "must be a whole number"));
    CHECK(contains(refusal("grid:10@"), "unknown option \"\""));
    CHECK(contains(refusal("grid:10@sale=3"), "unknown option \"sale\"; did you mean \"scale\"?"));
    CHECK(contains(refusal("grid:10@scale=big"), "found \"big\""));
    CHECK(contains(refusal("grid:10@scale=0"), "scale must be finite and not zero"));
    CHECK(contains(refusal("grid:10@x=nan"), "x must be a number"));
    CHECK(contains(refusal("grid:10@seed=-1"), "seed must be a whole number"));
}

TEST_CASE("generators: too many points are refused before any memory is taken") {
    for (const GeneratorInfo& info : generators()) {
        CAPTURE(info.name);
        CHECK_NOTHROW(parse_generator(info.name + ":" + std::to_string(info.max_count)));
        const std::string what = info.makes == GeneratorOutput::kPoints ? " points" : " vertices";
        CHECK(contains(refusal(info.name + ":" + std::to_string(info.max_count + 1)),
                       "makes at most " + std::to_string(info.max_count) + what));
    }
    CHECK(refusal("ring:1e7") == "generator \"ring\" makes at most 1000000 points, asked for 10000000");
    CHECK(contains(refusal("uniform:18446744073709551615"), "makes at most 100000000 points"));
    CHECK_THROWS_AS(lattice_circle_points(kMaxLatticeCirclePoints + 1), Error);
}
