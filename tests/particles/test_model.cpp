// The numbers of a model and the first state of a run, against their definitions.
#include "particles/model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "test_support.h"

using namespace flipscope;

namespace {

double distance(const TorusBox& box, Point a, Point b) {
    const Point d = box.shortest(a, b);
    return std::sqrt(d.x * d.x + d.y * d.y);
}

/// The smallest distance of any two places, by force.
double smallest_distance(const ParticleStart& start) {
    double smallest = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < start.positions.size(); ++i)
        for (size_t k = 0; k < i; ++k)
            smallest = std::min(smallest, distance(start.box, start.positions[i], start.positions[k]));
    return smallest;
}

void check_start(const ParticleStart& start, size_t count) {
    REQUIRE(start.positions.size() == count);
    REQUIRE(start.species.size() == count);
    REQUIRE(start.orientations.size() == count);
    size_t outside = 0, off_grid = 0;
    for (const Point p : start.positions) {
        outside += !start.box.holds(p);
        off_grid += !(start.box.on_grid(p) == p);
    }
    for (const double angle : start.orientations) outside += !(angle >= 0 && angle < 2 * std::numbers::pi);
    CHECK(outside == 0);
    CHECK(off_grid == 0);
}

ParticleModel of_count(uint32_t count, double density = 0.5) {
    return ParticleModel{.count = count, .density = density};
}

}  // namespace

TEST_CASE("particle model: the configurations are those of table 1 and of figures 14 and 15") {
    CHECK(model_names() == std::vector<std::string>{"c0", "c1", "c2", "c3", "c4", "abp-dense", "abp-dilute"});
    for (const std::string& name : model_names()) {
        const ParticleModel model = named_model(name);
        CHECK_NOTHROW(check_model(model));
        CHECK(model.dt == 0.01);
        CHECK(model.delta == 1);
        CHECK(model.cap == 0.25);
    }
    const ParticleModel c3 = named_model("c3");
    CHECK(c3.count == 4096);
    CHECK(c3.density == 0.79);
    CHECK(c3.force == ForceLaw::kShortRange);
    CHECK(c3.diffusion == 0.01);
    CHECK(c3.species == std::vector<Species>{{0.5, -1, 1, 1}, {0.5, 1, -2, 1}});
    CHECK(named_model("c0").species == std::vector<Species>{{0.7, 1, 1, 1}, {0.3, 1, -1, 1}});
    CHECK(named_model("c1").species == std::vector<Species>{{0.5, 1, 1, 1}, {0.5, 1, -1, 1}});
    CHECK(named_model("c2").species == std::vector<Species>{{0.5, 1, 1, 1}, {0.5, -1, -2, 1}});
    CHECK(named_model("c4").species == std::vector<Species>{{0.5, 1, 1, 1}, {0.5, -1, -4, 1}});
    CHECK(named_model("c4").density == 0.0873);

    const ParticleModel dense = named_model("abp-dense");
    CHECK(dense.force == ForceLaw::kNone);
    CHECK(dense.diffusion == 0);
    CHECK(dense.rotation == 0.01);
    CHECK(dense.speed > 0);
    CHECK(side_of_box(dense, dense.count) == doctest::Approx(105.9).epsilon(0.001));  // as figure 14 says
    CHECK(named_model("abp-dilute").density == 0.4);

    const std::string unknown = error_of([] { named_model("abp-dens"); }, "");
    CHECK(contains(unknown, "\"abp-dens\""));
    CHECK(contains(unknown, "did you mean \"abp-dense\"?"));
    CHECK(contains(unknown, "c0, c1, c2, c3, c4, abp-dense, abp-dilute"));
}

TEST_CASE("particle model: a number that makes no sense is an error that has it and what is allowed") {
    const auto complaint_of = [](const std::function<void(ParticleModel&)>& change) {
        ParticleModel model = named_model("c1");
        change(model);
        return error_of([&] { check_model(model); }, "");
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(complaint_of([](ParticleModel&) {}).empty());
    CHECK(contains(complaint_of([](ParticleModel& m) { m.density = 0.91; }), "density 0.91: expected"));
    CHECK(contains(complaint_of([&](ParticleModel& m) { m.density = nan; }), "density nan"));
    CHECK(complaint_of([](ParticleModel& m) { m.density = kClosestPacking; }).empty());
    CHECK(contains(complaint_of([](ParticleModel& m) { m.dt = INFINITY; }), "dt inf"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.cutoff = -1; }), "cutoff -1"));
    CHECK(complaint_of([](ParticleModel& m) { m.cutoff = -1, m.force = ForceLaw::kLongRange; }).empty());  // not asked
    CHECK(contains(complaint_of([&](ParticleModel& m) { m.speed = nan; }), "speed nan"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species[1].fraction = -0.1; }), "species 2: fraction -0.1"));
    CHECK(contains(complaint_of([&](ParticleModel& m) { m.species[0].alpha = nan; }), "species 1: alpha nan"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species[0].diameter = 0; }), "species 1: diameter 0"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species[0].diameter = 1.9; }), "a ratio of 1.9"));
    CHECK(complaint_of([](ParticleModel& m) { m.species[0].diameter = 1.8; }).empty());
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species[0].fraction = m.species[1].fraction = 0; }),
                   "fraction 0"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species.clear(); }), "0 species: expected 1 to 8"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.species.resize(9); }), "9 species: expected 1 to 8"));
    CHECK(contains(complaint_of([](ParticleModel& m) { m.count = kMostParticles + 1; }), "count 268435457"));
    ParticleModel wrong = of_count(10);
    wrong.dt = -1;
    CHECK_THROWS_AS(make_start(wrong), Error);
    CHECK_THROWS_AS(make_start(wrong, {{0, 0}}, {}, "file"), Error);
}

TEST_CASE("particle model: shares are rounded to counts whose sum is right, and the box has the area fraction") {
    ParticleModel model{.species = {{0.7}, {0.3}}};
    CHECK(species_counts(model, 10) == std::vector<uint32_t>{7, 3});
    CHECK(species_counts(model, 4096) == std::vector<uint32_t>{2867, 1229});
    CHECK(species_counts(model, 1) == std::vector<uint32_t>{1, 0});
    CHECK(species_counts(model, 0) == std::vector<uint32_t>{0, 0});
    model.species = {{1}, {1}, {1}};  // equal remainders: the first
    CHECK(species_counts(model, 8) == std::vector<uint32_t>{3, 3, 2});
    CHECK(species_counts(model, 7) == std::vector<uint32_t>{3, 2, 2});
    model.species = {{0}, {0.1}, {0.2}};
    CHECK(species_counts(model, 9) == std::vector<uint32_t>{0, 3, 6});

    model.species = {{0.5, 1, 1, 1}, {0.5, 1, 1, 1.5}};
    model.density = 0.3;
    const double side = side_of_box(model, 100);
    const double area = 50 * std::numbers::pi / 4 + 50 * std::numbers::pi / 4 * 1.5 * 1.5;
    CHECK(area / (side * side) == doctest::Approx(0.3).epsilon(1e-12));
    const SpeciesTable table = table_of(model);
    CHECK(table.diameter[1] == 1.5);
    CHECK(table.diameter[2] == 0);
}

TEST_CASE("particle start: places are sites of a lattice on the torus, none overlap, and each model has one start") {
    std::vector<std::pair<uint32_t, double>> cases{{1, 0.5}, {2, 0.5}, {3, 0.5}, {4, 0.5}, {5, 0.4}, {7, 0.5}};
    for (uint32_t count = 8; count < 400; count += 37) cases.emplace_back(count, 0.52);
    cases.insert(cases.end(), {{256, 0.79}, {1000, 0.79}, {1024, 0.79}, {64, 0.0873}, {1000, 0.87}});
    for (const auto& [count, density] : cases) {
        INFO("count ", count, ", density ", density);
        const ParticleModel model = of_count(count, density);
        const ParticleStart start = make_start(model);
        check_start(start, count);
        CHECK(smallest_distance(start) >= kTouching);
        CHECK(start.box.sides.x == doctest::Approx(side_of_box(model, count)).epsilon(1e-12));
        const ParticleStart again = make_start(model);
        CHECK(start.positions == again.positions);
        CHECK(start.species == again.species);
        CHECK(start.orientations == again.orientations);
    }
    const ParticleStart none = make_start(of_count(0));
    check_start(none, 0);
    CHECK(none.box.sides.x == 1);
}

TEST_CASE("particle start: in a rectangle none overlap, and what does not fit is said") {
    for (const auto& [count, sides] : {std::pair<uint32_t, Point>{300, {30, 12}},
                                       {300, {12, 30}},
                                       {50, {100, 1}},
                                       {7, {3, 4}},
                                       {150, {1.5, 120}},
                                       {0, {4, 2}}}) {
        CAPTURE(count);
        const ParticleModel model = of_count(count, 0.1);  // the box decides, not the density
        const ParticleStart start = make_start(model, sides);
        check_start(start, count);
        CHECK(start.box.sides == TorusBox::of(sides).sides);
        CHECK(smallest_distance(start) >= kTouching);
        CHECK(start.positions == make_start(model, sides).positions);
    }
    CHECK(make_start(of_count(300, 0.52), {20, 20}).box.is_square());
    CHECK(contains(error_of(
                       [] {
                           make_start(of_count(500), {30, 12});
                       },
                       ""),
                   "500 discs of diameter 1 would overlap in a box of 30 by 12"));
    CHECK(contains(error_of([] { make_start(of_count(5), {300, 2}); }, ""), "300 by 2 is too long"));
    std::vector<Point> places;
    for (int k = 0; k < 500; ++k) places.push_back({0.06 * k, 5});
    const std::string full = error_of([&] { make_start(of_count(0), places, {30, 12}, "points.xy"); }, "");
    CHECK(contains(full, "500 discs would cover 1.09083 of a box of 30 by 12"));
    CHECK(contains(full, "take a box of at least 32.902 by 13.161"));
}

TEST_CASE("particle start: every count of the table's configurations that a box can hold has a start") {
    // In boxes this small a lattice may not close on itself without loss; the message then says which density does.
    size_t too_dense = 0;
    for (uint32_t count = 1; count <= 150; ++count) {
        CAPTURE(count);
        ParticleModel model = named_model("c3");
        model.count = count;
        const std::string message = error_of([&] { make_start(model); }, "");
        if (message.empty()) continue;
        ++too_dense;
        CHECK(contains(message, "would overlap"));
        const size_t at = message.find("it can be ");
        REQUIRE(at != std::string::npos);
        model.density = std::stod(message.substr(at + 10));
        CHECK(model.density > 0.3);
        CHECK(model.density < 0.79);
        CHECK_NOTHROW(make_start(model));
        model.density += 2e-4;
        CHECK_THROWS_AS(make_start(model), Error);
    }
    CHECK(too_dense < 60);
    for (const uint32_t count : {1u << 10, 1u << 12, 1u << 14, 10000u}) {
        ParticleModel model = named_model("c3");
        model.count = count;
        CHECK_NOTHROW(make_start(model));
    }
}

TEST_CASE("particle start: seeds draw other sites, species and orientations, and every site is as likely as any") {
    const uint32_t count = 23;  // of a few more sites
    std::vector<Point> sites;
    std::vector<size_t> times, first_species, quadrants(4);
    const size_t seeds = case_count(3000);
    for (size_t seed = 1; seed <= seeds; ++seed) {
        ParticleModel model = of_count(count);
        model.species = {{0.25}, {0.75}};
        model.seed = seed;
        const ParticleStart start = make_start(model);
        CHECK(std::count(start.species.begin(), start.species.end(), 0) == 6);
        for (size_t i = 0; i < count; ++i) {
            const auto site = std::find(sites.begin(), sites.end(), start.positions[i]);
            const auto index = static_cast<size_t>(site - sites.begin());
            if (site == sites.end()) {
                sites.push_back(start.positions[i]);
                times.push_back(0);
                first_species.push_back(0);
            }
            ++times[index];
            first_species[index] += start.species[i] == 0;
            ++quadrants[static_cast<size_t>(start.orientations[i] / (std::numbers::pi / 2))];
        }
    }
    REQUIRE(sites.size() > count);
    REQUIRE(sites.size() < 30);
    const auto n = static_cast<double>(seeds);
    const double share = count / static_cast<double>(sites.size());
    for (size_t i = 0; i < sites.size(); ++i) {
        CHECK(std::abs(double(times[i]) / n - share) < 5 * std::sqrt(share * (1 - share) / n));
        CHECK(std::abs(double(first_species[i]) / double(times[i]) - 6. / 23) <
              5 * std::sqrt(0.193 / double(times[i])));
    }
    for (const size_t in_quadrant : quadrants)
        CHECK(std::abs(double(in_quadrant) / (count * n) - 0.25) < 5 * std::sqrt(0.1875 / (count * n)));
}

TEST_CASE("particle start: particles are numbered along a curve, so that neighbours in memory are neighbours") {
    const ParticleStart start = make_start(of_count(4096));
    double sum = 0;
    for (size_t i = 1; i < start.positions.size(); ++i)
        sum += distance(start.box, start.positions[i - 1], start.positions[i]);
    CHECK(sum / 4095 < 2);  // diameters; sites are 1.3 apart, and rows are 80 long
}

TEST_CASE("particle start: places of a file keep their order, and are wrapped into the box") {
    ParticleModel model = of_count(77);
    model.species = {{0.5}, {0.5}};
    const std::vector<Point> places{{0.5, 0.5}, {10.25, -0.25}, {-30, 20}, {4, 9.999999999999999999}, {-1e-30, 3}};
    const ParticleStart start = make_start(model, places, {10, 10}, "points.xy");
    check_start(start, 5);
    CHECK(start.box.sides.x == 10);
    const std::vector<Point> wrapped{{0.5, 0.5}, {0.25, 9.75}, {0, 0}, {4, 0}, {0, 3}};
    for (size_t i = 0; i < wrapped.size(); ++i) {
        CAPTURE(i);
        CHECK(distance(start.box, start.positions[i], wrapped[i]) < 2 * start.box.grid);
    }
    CHECK(std::count(start.species.begin(), start.species.end(), 1) == 2);  // 2.5, rounded: the first gets the rest
    // Without a side the model's area fraction determines the box.
    const ParticleStart derived = make_start(model, places, {}, "points.xy");
    CHECK(derived.box.sides.x == doctest::Approx(std::sqrt(5 * std::numbers::pi / 4 / 0.5)));
    for (size_t count = 0; count < 4; ++count)
        check_start(make_start(model, {places.begin(), places.begin() + long(count)}, {10, 10}, ""), count);
}

TEST_CASE("particle start: two particles at one place and places that are no numbers are named") {
    const ParticleModel model = of_count(0);
    const auto complaint_of = [&](const std::vector<Point>& places, double side) {
        return error_of([&] { make_start(model, places, {side, side}, "points.xy"); }, "");
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string twice = complaint_of({{5, 5}, {1, 2}, {3, 4}, {11, 2}, {5, 15}}, 10);
    CHECK(contains(twice, "points.xy: points 0 (5, 5) and 4 (5, 15) are at one place"));
    CHECK(contains(complaint_of({{1, 2}, {nan, 3}}, 10), "points.xy: point 1 (nan, 3)"));
    CHECK(contains(complaint_of({{1, INFINITY}}, 10), "points.xy: point 0 (1, inf)"));
    CHECK(contains(complaint_of({{1, 1e200}}, 10), "too far away"));
    CHECK(contains(complaint_of({{1, 2}}, -1), "points.xy: the side of the periodic box cannot be -1"));
    CHECK(contains(complaint_of({{1, 2}}, nan), "cannot be nan"));
    CHECK(contains(complaint_of({{1, 2}}, 1e40), "cannot be 1e+40"));
    CHECK(complaint_of({{1, 2}, {1, std::nextafter(2.0, 3)}}, 10).empty() ==
          false);  // less than a step of the grid apart
    CHECK(complaint_of({{1, 2}, {1, 2 + 1e-12}}, 10).empty());
}
