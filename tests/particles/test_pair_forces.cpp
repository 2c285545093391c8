// sanitizers: address thread
// The forces of pairs: against a plain sum in double over all pairs, the same to the bit on every device, and by every
// way to find pairs.
#include "particles/pair_forces.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "particles/all_pairs.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Input {
    std::string name;
    TorusBox box;
    std::vector<Point> positions;
    std::vector<uint8_t> species;
    uint32_t count() const { return static_cast<uint32_t>(positions.size()); }
};

Point wrapped(const TorusBox& box, Point place) { return box.wrapped(box.on_grid(place)); }

Input make_input(const std::string& name, const TorusBox& box, const std::vector<Point>& places, uint32_t species = 2) {
    Input input{name, box, {}, {}};
    std::mt19937_64 random(17);
    for (const Point& place : places) {
        input.positions.push_back(wrapped(input.box, place));
        input.species.push_back(static_cast<uint8_t>(random() % species));
    }
    return input;
}

Input make_input(const std::string& name, double side, const std::vector<Point>& places, uint32_t species = 2) {
    return make_input(name, TorusBox::of(side), places, species);
}

/// No two nearer than 2e-4 of the side: float forces resolve places to 2^-32 of it.
std::vector<Point> random_places(uint32_t n, double side, double centre, double extent, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> coordinate(centre - extent / 2, centre + extent / 2);
    std::vector<Point> places;
    while (places.size() < n) {
        const Point place{coordinate(random), coordinate(random)};
        if (std::none_of(places.begin(), places.end(), [&](const Point& other) {
                return std::hypot(other.x - place.x, other.y - place.y) < 2e-4 * side;
            }))
            places.push_back(place);
    }
    return places;
}

Input random_input(uint32_t n, uint32_t species = 2, double side = 0) {
    if (side == 0) side = std::sqrt(n * 1.5) + 6;
    return make_input("random", side, random_places(n, side, side / 2, side, n), species);
}

Input lattice_input(uint32_t columns, double spacing, uint32_t species = 2) {
    std::vector<Point> places;
    for (uint32_t i = 0; i < columns * columns; ++i) places.push_back({i % columns * spacing, i / columns * spacing});
    return make_input("lattice", columns * spacing, places, species);
}

std::vector<Input> inputs() {
    std::vector<Input> all{random_input(600), lattice_input(16, 1.25)};
    std::vector<Point> clusters;
    for (uint32_t k = 0; k < 6; ++k) {
        const auto cluster = random_places(70, 40, 5.0 + 6 * k, 2, k);
        clusters.insert(clusters.end(), cluster.begin(), cluster.end());
    }
    all.push_back(make_input("clusters", 40, clusters, 3));
    all.push_back(make_input("around the corner", 30, random_places(300, 30, 0, 5, 3)));
    std::vector<Point> line;
    for (uint32_t k = 0; k < 150; ++k) line.push_back({k * 0.3, 12});
    all.push_back(make_input("in a line", 45, line));
    return all;
}

/// α and μ of several species: one for all; the paper's c1 and c3; two of three alike; one that exerts nothing.
std::vector<std::vector<Species>> charges() {
    return {{{0.5, 1, 1, 1}, {0.25, 1, 1, 1}, {0.25, 1, 1, 1}},
            {{0.5, 1, 1, 1}, {0.25, 1, -1, 1}, {0.25, 1, 2, 1}},
            {{0.5, -1, 1, 1}, {0.25, 1, -2, 1}, {0.25, -1, 0.5, 1}},
            {{0.5, 0.3, 1, 1}, {0.25, 0, -3, 1}, {0.25, -2.5, 0, 1}}};
}

ParticleModel make_model(ForceLaw law, Precision precision, const std::vector<Species>& species) {
    return ParticleModel{.species = species, .force = law, .near_pairs = NearPairs::kCells, .precision = precision};
}

std::vector<Point> forces_of(PairForces& forces, Context& context, const Input& input) {
    Buffer<Point> positions("positions"), out("forces");
    Buffer<uint8_t> species("species");
    positions.upload(context, input.positions.data(), input.count());
    species.upload(context, input.species.data(), input.count());
    out.fill(context, input.count(), 0x55);
    forces.compute(positions.view(), species.view(), out.view());
    return out.download();
}

std::vector<Point> forces_of(Context& context, const Input& input, const ParticleModel& model) {
    PairForces forces;
    forces.reset(context, input.box, model, input.count());
    return forces_of(forces, context, input);
}

bool same_bits(const std::vector<Point>& a, const std::vector<Point>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Point)) == 0);
}

/// own - partner to the nearest image, the lower of the pair saying which of two equally near ones.
double nearest(double side, double own, double partner, bool partner_first) {
    if (partner_first) return -nearest(side, partner, own, false);
    const double d = own - partner;
    return d >= side / 2 ? d - side : d < -side / 2 ? d + side : d;
}

struct Expected {
    Point force;
    double magnitudes = 0;  // Σ |μ_i α_k f|: what rounding is relative to where forces cancel
};

Expected expected_force(const Input& input, const ParticleModel& model, uint32_t i) {
    // Where the α differ, the all-pairs sum goes by α first.
    const auto rank = [&](uint32_t k) {
        uint32_t first = 0;
        while (model.species[first].alpha != model.species[input.species[k]].alpha) ++first;
        return model.force == ForceLaw::kLongRange ? first : 0;
    };
    Expected expected;
    for (uint32_t k = 0; k < input.count(); ++k) {
        const bool partner_first = rank(k) < rank(i) || (rank(k) == rank(i) && k < i);
        // Straight along an open axis.
        const Point sides{input.box.open == OpenAxis::kX ? INFINITY : input.box.sides.x,
                          input.box.open == OpenAxis::kY ? INFINITY : input.box.sides.y};
        const double dx = nearest(sides.x, input.positions[i].x, input.positions[k].x, partner_first);
        const double dy = nearest(sides.y, input.positions[i].y, input.positions[k].y, partner_first);
        const double squared = dx * dx + dy * dy;
        if (k == i || squared == 0) continue;
        if (model.force == ForceLaw::kShortRange && squared > model.cutoff * model.cutoff) continue;
        const double r = std::sqrt(squared);
        const double charge = model.species[input.species[i]].mu * model.species[input.species[k]].alpha;
        const double f = charge / (model.force == ForceLaw::kLongRange ? r * squared : r * squared * squared * squared);
        expected.force.x += f * dx;
        expected.force.y += f * dy;
        expected.magnitudes += std::abs(f) * r;
    }
    return expected;
}

/// Of each `stride`th particle's force, the error over the sum of magnitudes, at most.
double worst_error(const Input& input, const ParticleModel& model, const std::vector<Point>& forces,
                   uint32_t stride = 1) {
    double worst = 0;
    for (uint32_t i = 0; i < input.count(); i += stride) {
        const Expected expected = expected_force(input, model, i);
        const double error = std::hypot(forces[i].x - expected.force.x, forces[i].y - expected.force.y);
        if (!(error <= 0)) worst = std::max(worst, error / expected.magnitudes);
        if (std::isnan(error)) return INFINITY;
    }
    return worst;
}

constexpr ForceLaw kLaws[] = {ForceLaw::kLongRange, ForceLaw::kShortRange};
constexpr Precision kPrecisions[] = {Precision::kFloat, Precision::kDouble};
constexpr NearPairs kWays[] = {NearPairs::kCells, NearPairs::kVerlet};

double tolerance(Precision precision) { return precision == Precision::kFloat ? 1e-5 : 1e-12; }

}  // namespace

TEST_CASE("pair forces: a plain sum in double over all pairs, for either law, precision and way to find near pairs") {
    Context context(DeviceRequest::kCpu, 2);
    size_t turn = 0;
    for (const Input& input : inputs())
        for (const auto& species : charges())
            for (const ForceLaw law : kLaws)
                for (const Precision precision : kPrecisions) {
                    if (turn++ % case_stride(3)) continue;
                    ParticleModel model = make_model(law, precision, species);
                    INFO(input.name, ", law ", static_cast<int>(law), ", precision ", static_cast<int>(precision),
                         ", alpha ", species[0].alpha);
                    const std::vector<Point> forces = forces_of(context, input, model);
                    CHECK(worst_error(input, model, forces) <= tolerance(precision));
                    if (law == ForceLaw::kLongRange) continue;
                    model.near_pairs = NearPairs::kVerlet;
                    CHECK(same_bits(forces_of(context, input, model), forces));
                }
}

TEST_CASE("pair forces: in a rectangle as in a square, the same on every device, and in either precision") {
    std::vector<Input> inputs;
    std::vector<Point> rows, narrow;
    for (uint32_t k = 0; k < 400; ++k) rows.push_back({1.2 * (k % 25) + 0.01 * (k % 7), 1.1 * (k / 25)});
    for (const Point& place : random_places(400, 40, 20, 40, 5)) narrow.push_back({3 * place.x, place.y / 10});
    inputs.push_back(make_input("rows", TorusBox::of(Point{30, 17.6}), rows, 3));
    inputs.push_back(make_input("narrow", TorusBox::of(Point{120, 4}), narrow, 3));
    inputs.push_back(make_input("across", TorusBox::of(Point{9, 40}), random_places(300, 40, 0, 30, 3), 3));
    inputs.push_back(make_input("few", TorusBox::of(Point{40, 5}), {{0, 0}, {39.5, 4.75}, {20, 2.5}}, 3));
    size_t turn = 0;
    for (const Input& input : inputs)
        for (const auto& species : charges())
            for (const ForceLaw law : kLaws) {
                if (turn++ % case_stride(3)) continue;
                INFO(input.name, ", law ", static_cast<int>(law), ", alpha ", species[0].alpha);
                ParticleModel model = make_model(law, Precision::kDouble, species);
                model.cutoff = std::min(2.5, input.box.shorter() / 2);
                std::vector<Point> forces;
                on_every_device([&](Context& context) {
                    const std::vector<Point> here = forces_of(context, input, model);
                    if (!forces.empty()) CHECK(same_bits(here, forces));
                    forces = here;
                });
                CHECK(worst_error(input, model, forces) <= 1e-12);
                Context context(DeviceRequest::kCpu, 2);
                model.precision = Precision::kFloat;
                CHECK(same_bits(forces_of(context, input, model), forces));
                if (law == ForceLaw::kLongRange) continue;
                for (const double skin : {0.0, 0.3, 5.0}) {
                    model.near_pairs = NearPairs::kVerlet;
                    model.skin = skin;
                    CHECK(same_bits(forces_of(context, input, model), forces));
                }
                model.cutoff = input.box.shorter() / 2 * 1.001;
                CHECK_THROWS_WITH_AS(forces_of(context, input, model), doctest::Contains("beyond half of it"), Error);
            }
}

TEST_CASE("pair forces: in a channel they are the straight ones across it, of the nearest image along it") {
    Context context(DeviceRequest::kCpu, 2);
    for (const OpenAxis walls : {OpenAxis::kX, OpenAxis::kY})
        for (const ForceLaw law : kLaws)
            for (const NearPairs way : kWays)
                for (const uint32_t count : {2u, 90u}) {
                    std::vector<Point> places = random_places(count, 8, 4, 7, 3);
                    for (Point& p : places) p.x *= 3.5;
                    if (count == 2) places = {{5, 1}, {6, 7.5}};  // near opposite walls, which a torus would join
                    Input input = make_input("channel", TorusBox::of_cylinder(30, 8, walls), places);
                    if (walls == OpenAxis::kX)
                        for (Point& p : input.positions) std::swap(p.x, p.y);
                    ParticleModel model = make_model(law, Precision::kDouble, charges()[2]);
                    model.near_pairs = way;
                    model.cutoff = 7;
                    const std::vector<Point> forces = forces_of(context, input, model);
                    CHECK(worst_error(input, model, forces) <= 1e-12);
                    CHECK(forces[0].y != 0);
                }
}

TEST_CASE("pair forces: the same bits on every device, for any number of threads, with either tiling") {
    for (const uint32_t n : {0u, 1u, 2u, 3u, 33u, 64u, 65u, 128u, 129u, 300u, 1000u}) {
        const Input input = random_input(n, 3);
        for (const auto& species : charges())
            for (const ForceLaw law : kLaws)
                for (const Precision precision : kPrecisions) {
                    ParticleModel model = make_model(law, precision, species);
                    INFO("n = ", n, ", law ", static_cast<int>(law), ", precision ", static_cast<int>(precision));
                    std::vector<Point> first;
                    on_every_device([&](Context& context) {
                        model.tiling = Tiling::kShuffle;
                        model.near_pairs = NearPairs::kCells;
                        const std::vector<Point> forces = forces_of(context, input, model);
                        if (first.empty()) first = forces;
                        CHECK(same_bits(forces, first));
                        model.tiling = Tiling::kShared;
                        model.near_pairs = NearPairs::kVerlet;
                        CHECK(same_bits(forces_of(context, input, model), first));
                    });
                }
    }
}

TEST_CASE("all pairs: many segments of many blocks, the same bits on every device, and the plain sum") {
    // More blocks than a sum of so many has segments.
    const Input input = make_input("many", 240, [] {
        std::vector<Point> places;
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> jitter(-0.3, 0.3);
        for (uint32_t i = 0; i < 160 * 150; ++i)
            places.push_back({i % 160 * 1.5 + jitter(random), i / 160 * 1.6 + jitter(random)});
        return places;
    }());
    const ParticleModel model = make_model(ForceLaw::kLongRange, Precision::kFloat, charges()[2]);
    std::vector<Point> first;
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        INFO(device.name);
        const std::vector<Point> forces = forces_of(context, input, model);
        if (first.empty()) {
            first = forces;
            CHECK(worst_error(input, model, forces, 997) <= 1e-6);
        }
        CHECK(same_bits(forces, first));
        if (case_stride(2) > 1 || AllPairs::instruction_sets() == 1) break;
    }
}

TEST_CASE("all pairs: every set of instructions gives the same bits") {
    Context context(DeviceRequest::kCpu, 2);
    CHECK(std::string(AllPairs::instruction_set(AllPairs::instruction_sets() - 1)) == "portable");
    for (const uint32_t n : {1u, 2u, 5u, 16u, 63u, 64u, 65u, 127u, 128u, 129u, 300u}) {
        const Input input = random_input(n, 3);
        Buffer<Point> positions("positions"), out("forces");
        Buffer<uint8_t> species("species");
        positions.upload(context, input.positions.data(), n);
        species.upload(context, input.species.data(), n);
        out.resize(context, n);
        for (const auto& kinds : charges())
            for (const Precision precision : kPrecisions) {
                std::vector<Point> first;
                for (size_t choice = 0; choice < AllPairs::instruction_sets(); ++choice) {
                    INFO(AllPairs::instruction_set(choice), ", n = ", n, ", precision ", static_cast<int>(precision));
                    AllPairs all;
                    all.reset(context, input.box, make_model(ForceLaw::kLongRange, precision, kinds), n);
                    all.use_instructions(choice);
                    all.compute(positions.view(), species.view(), out.view());
                    if (choice == 0) first = out.download();
                    CHECK(same_bits(out.download(), first));
                }
            }
    }
}

TEST_CASE("pair forces: two at one place, and three, add nothing; as near as can be, what is due") {
    on_every_device([&](Context& context) {
        for (const ForceLaw law : kLaws)
            for (const Precision precision : kPrecisions)
                for (const NearPairs way : kWays) {
                    ParticleModel model = make_model(law, precision, charges()[2]);
                    model.near_pairs = way;
                    const auto zero = [](const Point& force) { return force.x == 0 && force.y == 0; };
                    for (const uint32_t n : {1u, 2u, 3u}) {
                        const Input input = make_input("one place", 20, std::vector<Point>(n, Point{20, 7}));
                        const std::vector<Point> forces = forces_of(context, input, model);
                        CHECK(std::all_of(forces.begin(), forces.end(), zero));
                    }
                    Input input = make_input("near", 20, {{0, 7}, {0, 7}, {1, 7}, {10, 7}, {0, 7}});
                    CHECK(worst_error(input, model, forces_of(context, input, model)) <= tolerance(precision));
                    // One step of the grid, across the border: for float forces, one place.
                    input.positions[1].x = input.box.sides.x - input.box.grid;
                    const std::vector<Point> forces = forces_of(context, input, model);
                    if (precision == Precision::kDouble) CHECK(worst_error(input, model, forces) <= 1e-12);
                    for (const Point& force : forces) CHECK(std::isfinite(force.x + force.y));
                    // The smallest difference that float forces resolve.
                    input.positions[1].x = input.box.sides.x * (1 - 0x1p-32);
                    const std::vector<Point> least = forces_of(context, input, model);
                    CHECK(worst_error(input, model, least) <= tolerance(precision));
                }
    });
}

TEST_CASE("pair forces: moving the whole box changes nothing") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = random_input(500, 3, 32);
    for (const ForceLaw law : kLaws)
        for (const Precision precision : kPrecisions) {
            const ParticleModel model = make_model(law, precision, charges()[3]);
            const std::vector<Point> forces = forces_of(context, input, model);
            // By a difference that both precisions resolve exactly, and by half a unit of float forces and some more.
            for (const double by : {0x1p-32 * 32 * 3e9, 32 * 0x1p-33 + 3 * input.box.grid}) {
                Input moved = input;
                for (Point& p : moved.positions) p = wrapped(input.box, {p.x + input.box.on_grid(by), p.y + 16});
                const std::vector<Point> after = forces_of(context, moved, model);
                const bool exact = by > 1 || precision == Precision::kDouble;
                INFO("law ", static_cast<int>(law), ", precision ", static_cast<int>(precision), ", by ", by);
                if (exact)
                    CHECK(same_bits(after, forces));
                else
                    CHECK(worst_error(input, model, after) <= 1e-5);
            }
        }
}

TEST_CASE("near pairs: lists of any age give what cells give, to the bit, and so does a fresh start") {
    on_every_device([&](Context& context) {
        for (const Precision precision : kPrecisions)
            for (const double skin : {0.0, 0.3, 1.5, 1e9}) {
                Input input = random_input(400, 3, 22);
                ParticleModel model = make_model(ForceLaw::kShortRange, precision, charges()[3]);
                model.skin = skin;
                model.near_pairs = NearPairs::kVerlet;
                PairForces lists;
                lists.reset(context, input.box, model, input.count());
                std::mt19937_64 random(3);
                std::normal_distribution<double> step(0, 0.03);
                for (uint32_t round = 0; round < 12; ++round) {
                    const std::vector<Point> forces = forces_of(lists, context, input);
                    ParticleModel fresh = model;
                    CHECK(same_bits(forces_of(context, input, fresh), forces));
                    fresh.near_pairs = NearPairs::kCells;
                    CHECK(same_bits(forces_of(context, input, fresh), forces));
                    for (Point& p : input.positions) p = wrapped(input.box, {p.x + step(random), p.y + step(random)});
                    // One goes far at once: none but it tells that lists are stale.
                    if (round == 7) input.positions[5] = wrapped(input.box, {input.positions[5].x + 9, 3});
                }
            }
    });
}

TEST_CASE("near pairs: more partners than a list has room for, and than are remembered") {
    on_every_device([&](Context& context) {
        std::vector<Point> places = random_places(250, 100, 30, 2, 1);
        for (const Point& place : random_places(300, 100, 50, 100, 2)) places.push_back(place);
        const Input input = make_input("a crowd", 100, places);
        for (const Precision precision : kPrecisions) {
            ParticleModel model = make_model(ForceLaw::kShortRange, precision, charges()[2]);
            const std::vector<Point> forces = forces_of(context, input, model);
            CHECK(worst_error(input, model, forces, 7) <= tolerance(precision));
            model.near_pairs = NearPairs::kVerlet;
            CHECK(same_bits(forces_of(context, input, model), forces));
        }
    });
}

TEST_CASE("near pairs: boxes of few cells, up to a cutoff of half the side") {
    Context context(DeviceRequest::kCpu, 2);
    for (const double cells : {2.0, 2.001, 2.5, 2.999, 3.0, 3.5, 4.0, 4.01, 5.5, 1000.0})
        for (const uint32_t n : {2u, 3u, 90u})
            for (const NearPairs way : kWays) {
                INFO("cells ", cells, ", n = ", n);
                const Input input = random_input(n, 3, 10);
                ParticleModel model = make_model(ForceLaw::kShortRange, Precision::kDouble, charges()[1]);
                model.cutoff = 10 / cells;
                model.near_pairs = way;
                CHECK(worst_error(input, model, forces_of(context, input, model)) <= 1e-12);
                model.precision = Precision::kFloat;
                CHECK(worst_error(input, model, forces_of(context, input, model)) <= 1e-5);
            }
}

TEST_CASE("near pairs: a pair at the cutoff counts, to the last bit of its distance") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Precision precision : kPrecisions) {
        ParticleModel model = make_model(ForceLaw::kShortRange, precision, charges()[0]);
        Input input = make_input("at the cutoff", 16, {{1, 1}, {3.5, 1}});
        CHECK(forces_of(context, input, model)[0].x == doctest::Approx(-std::pow(2.5, -6)).epsilon(1e-5));
        input.positions[1].x += input.box.grid;
        CHECK(forces_of(context, input, model)[0].x == 0);
        // On lattices whole shells lie there, or half of them do by rounding.
        for (const double spacing : {1.25, 0.5, 2.5 / std::sqrt(5.0), 2.5 / 3}) {
            const Input lattice = lattice_input(12, spacing);
            CHECK(worst_error(lattice, model, forces_of(context, lattice, model)) <= tolerance(precision));
        }
    }
}

TEST_CASE("pair forces: a cutoff beyond half the box is refused, a skin beyond it shortened") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = random_input(60, 2, 8);
    ParticleModel model = make_model(ForceLaw::kShortRange, Precision::kFloat, charges()[0]);
    PairForces forces;
    model.cutoff = 4.001;
    CHECK_THROWS_WITH_AS(forces.reset(context, input.box, model, input.count()),
                         doctest::Contains("half of it a particle would meet two images of another"), Error);
    for (const double cutoff : {0.0, -1.0, std::nan("")}) {
        model.cutoff = cutoff;
        CHECK_THROWS_AS(forces.reset(context, input.box, model, input.count()), Error);
    }
    model.cutoff = 3.9;
    model.skin = 5;
    const std::vector<Point> cells = forces_of(context, input, model);
    model.near_pairs = NearPairs::kVerlet;
    CHECK(same_bits(forces_of(context, input, model), cells));
    model.force = ForceLaw::kLongRange;  // which has none
    model.cutoff = 100;
    CHECK(worst_error(input, model, forces_of(context, input, model)) <= 1e-5);
}

TEST_CASE("pair forces: a sum can be cancelled") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = random_input(2000, 3);
    for (const ForceLaw law : kLaws) {
        PairForces forces;
        forces.reset(context, input.box, make_model(law, Precision::kFloat, charges()[0]), input.count());
        const std::vector<Point> before = forces_of(forces, context, input);
        context.cancel();
        CHECK_THROWS_AS(forces_of(forces, context, input), Cancelled);
        context.clear_cancel();
        forces.reset(context, input.box, make_model(law, Precision::kFloat, charges()[0]), input.count());
        CHECK(same_bits(forces_of(forces, context, input), before));
    }
}
