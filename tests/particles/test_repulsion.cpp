// sanitizers: address thread
// Soft repulsion and spread radii: against potentials, plain sums over all pairs and exact solutions, and the same to
// the bit on every device.
#include "particles/repulsion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/overlap_audit.h"
#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

ParticleModel soft_model(RepulsionKind kind, uint32_t count, double spread = 0, double strength = 1) {
    ParticleModel model;
    model.count = count;
    model.force = ForceLaw::kNone;
    model.repulsion = kind;
    model.repulsion_strength = strength;
    model.spread = spread;
    model.overlaps = false;
    model.diffusion = 0;
    model.dt = 1e-3;
    return model;
}

double potential(RepulsionKind kind, double strength, double r, double sigma) {
    if (kind == RepulsionKind::kHarmonic) return r < sigma ? strength / 2 * std::pow(1 - r / sigma, 2) : 0;
    if (r >= std::pow(2, 1. / 6) * sigma) return 0;
    return 4 * strength * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6)) + strength;
}

/// Of all pairs by nearest images; from the derivative of the potential, by central differences.
std::vector<Point> plain_forces(const ParticleModel& model, const TorusBox& box, const std::vector<Point>& places,
                                const std::vector<double>& diameters) {
    std::vector<Point> forces(places.size());
    for (size_t i = 0; i < places.size(); ++i)
        for (size_t k = 0; k < places.size(); ++k) {
            const Point way = way_of(box, places[k], places[i]);
            const double r = std::hypot(way.x, way.y), sigma = (diameters[i] + diameters[k]) / 2, h = 1e-5;
            if (i == k || r > 1.2 * sigma) continue;
            const double size = (potential(model.repulsion, model.repulsion_strength, r - h, sigma) -
                                 potential(model.repulsion, model.repulsion_strength, r + h, sigma)) /
                                (2 * h);
            forces[i].x += size * way.x / r;
            forces[i].y += size * way.y / r;
        }
    return forces;
}

}  // namespace

TEST_CASE(
    "repulsion: the force of a pair is the derivative of its potential, up to the limit, and 0 beyond its reach") {
    for (const RepulsionKind kind : {RepulsionKind::kWca, RepulsionKind::kHarmonic})
        for (const double strength : {1.0, 37.0, 1e-3})
            for (const double sigma : {1.0, 0.7, 3.0}) {
                ParticleModel model = soft_model(kind, 2, 0, strength);
                const Repulsion repulsion = Repulsion::of(model, sigma);
                for (double r = 0.6; r < 1.3; r += 0.0137) {
                    const double h = 1e-6 * sigma, at = r * sigma;
                    const double expected =
                        (potential(kind, strength, at - h, sigma) - potential(kind, strength, at + h, sigma)) / (2 * h);
                    const Repulsion::Units force = repulsion.force({0.6 * at, -0.8 * at}, sigma);
                    INFO(int(kind), " ", strength, " ", sigma, " ", r);
                    const double least = 1e-5 * strength / sigma;
                    CHECK(double(force.x) * repulsion.unit ==
                          doctest::Approx(0.6 * expected).epsilon(1e-6).scale(least));
                    CHECK(double(force.y) * repulsion.unit ==
                          doctest::Approx(-0.8 * expected).epsilon(1e-6).scale(least));
                }
                CHECK(repulsion.reach >= (kind == RepulsionKind::kWca ? std::pow(2, 1. / 6) : 1) * sigma);
                const Repulsion::Units near = repulsion.force({0.01 * sigma, 0}, sigma),
                                       none = repulsion.force({}, sigma);
                CHECK(double(near.x) * repulsion.unit <= repulsion.most * (1 + 1e-9));
                CHECK(near.x > 0);
                CHECK(none.x == 0);
            }
}

TEST_CASE("repulsion: forces are those of a plain sum over all pairs, and those of all discs cancel to the bit") {
    std::vector<TorusBox> boxes{TorusBox::of(14.0), TorusBox::of({20, 9}), TorusBox::of_cylinder(20, 9, OpenAxis::kY)};
    for (const RepulsionKind kind : {RepulsionKind::kWca, RepulsionKind::kHarmonic})
        for (const TorusBox& box : boxes) {
            ParticleModel model = soft_model(kind, 0, 0.5, 2.5);
            std::vector<Point> places = random_places(150, box.lengths(), 5);
            if (kind == RepulsionKind::kWca) {  // no pair so close that its force is limited
                std::vector<Point> apart;
                for (const Point p : places)
                    if (std::none_of(apart.begin(), apart.end(), [&](Point q) { return distance_of(box, p, q) < 1.0; }))
                        apart.push_back(p);
                places = apart;
            }
            const ParticleStart start = make_start(model, places, box.lengths(), "", box.open);
            std::vector<Point> first;
            on_every_device([&](Context& context) {
                for (const NearPairs search : {NearPairs::kCells, NearPairs::kVerlet}) {
                    model.near_pairs = search;
                    ParticleDynamics particles;
                    particles.reset(context, model, start);
                    particles.step();
                    const std::vector<Point> forces = particles.forces().download();
                    if (first.empty()) {
                        first = forces;
                        const std::vector<Point> plain =
                            plain_forces(model, particles.box(), places_of(particles), particles.diameters());
                        double largest = 0;
                        for (size_t i = 0; i < forces.size(); ++i) {
                            CHECK(forces[i].x == doctest::Approx(plain[i].x).epsilon(1e-5));
                            CHECK(forces[i].y == doctest::Approx(plain[i].y).epsilon(1e-5));
                            largest = std::max(largest, std::abs(plain[i].x));
                        }
                        CHECK(largest > 0.1);
                    }
                    CHECK(std::equal(forces.begin(), forces.end(), first.begin(), first.end()));
                }
            });
            const std::vector<double> diameters = diameters_of(model, start);
            const double unit = Repulsion::of(model, *std::max_element(diameters.begin(), diameters.end())).unit;
            int64_t x = 0, y = 0;
            for (const Point force : first) {
                CHECK(std::rint(force.x / unit) == force.x / unit);
                x += static_cast<int64_t>(force.x / unit);
                y += static_cast<int64_t>(force.y / unit);
            }
            CHECK(x == 0);
            CHECK(y == 0);
        }
}

TEST_CASE("repulsion: a harmonic pair relaxes exponentially, at the rate 2 ε / σ²") {
    Context context(DeviceRequest::kCpu, 1);
    ParticleModel model = soft_model(RepulsionKind::kHarmonic, 2, 0, 1.5);
    model.species[0].diameter = 1.2;
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model, {{5, 5}, {5.7, 5}}, {20, 20}, ""));
    const double rate = 2 * 1.5 / (1.2 * 1.2);
    for (int step = 1; step <= 1500; ++step) {
        particles.finish_round();
        if (step % 100) continue;
        const std::vector<Point> at = places_of(particles);
        const double overlap = 1.2 - distance_of(particles.box(), at[0], at[1]), time = step * model.dt;
        CHECK(overlap == doctest::Approx(0.5 * std::pow(1 - rate * model.dt, step)).epsilon(1e-8));
        CHECK(overlap == doctest::Approx(0.5 * std::exp(-rate * time)).epsilon(rate * rate * model.dt * time));
    }
}

TEST_CASE("repulsion and spread radii: the hash after every pass is the same on every device, whole steps included") {
    ParticleModel pushed = soft_model(RepulsionKind::kNone, 300, 0.25), wca = soft_model(RepulsionKind::kWca, 300, 0.2),
                  harmonic = soft_model(RepulsionKind::kHarmonic, 250, 0.5, 20), both = named_model("c2");
    pushed.overlaps = true;
    pushed.diffusion = 0.1;
    pushed.dt = 0.01;
    pushed.density = 0.6;
    wca.diffusion = 0.5;
    wca.near_pairs = NearPairs::kCells;
    harmonic.speed = 2;
    harmonic.rotation = 1;
    harmonic.density = 0.85;
    both.count = 200;
    both.repulsion = RepulsionKind::kWca;
    both.overlaps = false;
    both.dt = 1e-3;
    uint64_t flips = 0, pushes = 0;
    ParticleModel sheared = harmonic, sheared_hard = pushed;
    sheared.shear_rate = 0.5;
    sheared_hard.shear_rate = -2;
    for (const ParticleModel& model : {pushed, wca, harmonic, both, sheared, sheared_hard}) {
        const bool has_walls = model.shear_rate != 0;
        const ParticleStart start =
            make_start(model, has_walls ? Point{18, 24} : Point{}, has_walls ? OpenAxis::kX : OpenAxis::kNone);
        std::vector<uint64_t> hashes;
        bool first = true;
        on_every_device([&](Context& context) {
            ParticleDynamics stepped, whole;
            stepped.reset(context, model, start);
            whole.reset(context, model, start);
            size_t at = 0;
            for (int round = 0; round < 5; ++round) {
                for (PassResult result; result.ended < Level::kRound; ++at) {
                    result = stepped.step();
                    if (first)
                        hashes.push_back(stepped.state_hash());
                    else
                        CHECK(stepped.state_hash() == hashes.at(at));
                }
                whole.finish_round();
                CHECK(whole.state_hash() == stepped.state_hash());
                if (round != 2) continue;
                const Snapshot saved = whole.save();  // as if scrubbed
                ParticleDynamics again;
                again.reset(context, model, start);
                again.load(saved);
                CHECK(again.state_hash() == whole.state_hash());
                CHECK(again.diameters() == whole.diameters());
                again.finish_round();
                whole.finish_round();
                CHECK(again.state_hash() == whole.state_hash());
                whole.load(saved);
            }
            first = false;
            flips += whole.total_flips();
            pushes += whole.total_pushes();
        });
    }
    CHECK(flips > 0);
    CHECK(pushes > 0);
}

TEST_CASE("spread radii: pushes leave no pair nearer than the sum of its radii, in a box and in a channel") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = soft_model(RepulsionKind::kNone, 200, 0.28);
    model.overlaps = true;
    model.diffusion = 0.05;
    model.density = 0.6;
    for (const OpenAxis walls : {OpenAxis::kNone, OpenAxis::kY, OpenAxis::kX}) {
        ParticleDynamics particles;
        particles.reset(context, model, make_start(model, walls == OpenAxis::kNone ? Point{} : Point{20, 14}, walls));
        for (int step = 0; step < 20; ++step) particles.finish_round();
        REQUIRE(particles.last_step().overlapping_left == 0);
        const std::vector<Point> at = places_of(particles);
        const std::vector<double> diameters = particles.diameters();
        double nearest = INFINITY, mean = 0;
        for (size_t i = 0; i < at.size(); ++i) {
            for (size_t k = 0; k < i; ++k) {
                const double distance = distance_of(particles.box(), at[i], at[k]);
                nearest = std::min(nearest, 2 * distance / (diameters[i] + diameters[k]));
            }
            mean += diameters[i] / double(at.size());
            if (walls == OpenAxis::kNone) continue;
            const double across = walls == OpenAxis::kX ? at[i].x : at[i].y;
            CHECK(across >= diameters[i] / 2);
            CHECK(across <= particles.box().extent - diameters[i] / 2);
        }
        CHECK(nearest > 1 - 1e-6);
        CHECK(nearest < 1.05);  // some touch, with radii of their own
        CHECK(mean == doctest::Approx(1).epsilon(1e-12));
        const auto [least, greatest] = std::minmax_element(diameters.begin(), diameters.end());
        CHECK(*least == doctest::Approx(1 - 0.28 + 0.28 / 200));
        CHECK(*greatest == doctest::Approx(1 + 0.28 - 0.28 / 200));
        const OverlapAudit audit = audit_overlaps(
            context, particle_state(particles.triangulation(), particles.species().view(), particles.species_table()));
        CHECK(audit.pairs_overlapping == 0);
        CHECK(audit.in_walls == 0);
        if (walls == OpenAxis::kNone)
            CHECK(area_of_discs(diameters) / particles.box().area() == doctest::Approx(0.6).epsilon(1e-10));
    }
}

TEST_CASE("given radii: each disc keeps its own, also where others are added and removed") {
    Context context(DeviceRequest::kCpu, 1);
    ParticleModel model = soft_model(RepulsionKind::kHarmonic, 0);
    model.species[0].diameter = 2;
    const std::vector<double> diameters{1, 2.5, 0.5, 3};
    ParticleDynamics particles;
    particles.reset(context, model,
                    make_start(model, {{3, 3}, {9, 3}, {3, 9}, {9, 9}}, {14, 14}, "", OpenAxis::kNone, {}, diameters));
    CHECK(particles.diameters() == diameters);
    particles.remove_particle(1);
    CHECK(particles.diameters() == std::vector<double>{1, 3, 0.5});
    particles.add_particle({7, 7}, 0);
    CHECK(particles.diameters() == std::vector<double>{1, 3, 0.5, 2});
    model.species[0].diameter = 4;  // twice as large
    particles.change_model(model);
    CHECK(particles.diameters() == std::vector<double>{2, 6, 1, 4});
    particles.finish_round();
    check_sound(particles);

    // An added disc that is larger than all others acts as far as it reaches, and so after loading.
    model.species = {{1, 1, 1, 1}, {0, 1, 1, 3}};
    particles.reset(context, model, make_start(model, {{3, 3}, {9, 3}}, {14, 14}, "", OpenAxis::kNone, {}, {0.9, 1.1}));
    const Snapshot before = particles.save();
    particles.add_particle({4.85, 3}, 1);
    const Snapshot after = particles.save();
    particles.step();
    const std::vector<Point> forces = particles.forces().download();
    CHECK(forces[0].x == doctest::Approx(-1 / 1.95 * (1 - 1.85 / 1.95)).epsilon(1e-8));
    CHECK(forces[2].x == -forces[0].x);
    for (const bool has_three : {false, true}) {
        ParticleDynamics again;
        again.reset(context, model, make_start(model, {{3, 3}, {9, 3}}, {14, 14}, "", OpenAxis::kNone, {}, {0.9, 1.1}));
        if (has_three) again.add_particle({8, 8}, 0);
        again.load(after);
        again.step();
        CHECK(again.forces().download() == forces);
        again.load(before);
        CHECK(again.diameters() == std::vector<double>{0.9, 1.1});
    }

    model = ParticleModel{};
    CHECK(contains(error_of([&] {
                       make_start(model, {{3, 3}, {9, 3}}, {14, 14}, "p.xyz", OpenAxis::kNone, {}, {1, 2});
                   }),
                   "a ratio of 2: expected at most 1.8"));
}

TEST_CASE("shear: discs at the walls move exactly with them, and those between drift with the solvent") {
    on_every_device([&](Context& context) {
        for (const OpenAxis walls : {OpenAxis::kY, OpenAxis::kX}) {
            ParticleModel model = soft_model(RepulsionKind::kHarmonic, 160, 0.2, 10);
            model.shear_rate = 0.4;
            model.dt = 0x1p-8;
            const bool along_y = walls == OpenAxis::kX;
            ParticleDynamics particles;
            particles.reset(context, model, make_start(model, along_y ? Point{10, 16} : Point{16, 10}, walls));
            const std::vector<Point> before = places_of(particles);
            for (int step = 0; step < 256; ++step) particles.finish_round();
            const std::vector<Point> moved = particles.displacements().download();
            size_t at_walls = 0;
            double slope = 0, squares = 0;
            for (size_t i = 0; i < moved.size(); ++i) {
                const double across = (along_y ? before[i].x : before[i].y) - 5, v = along_y ? moved[i].y : moved[i].x;
                slope += v * across;
                squares += across * across;
                if (5 - std::abs(across) > 1.2 - 0.2 / 160) continue;  // the radius of the largest is 0.6
                ++at_walls;
                CHECK(v == doctest::Approx(across > 0 ? 2 : -2).epsilon(1e-10));
                CHECK((along_y ? moved[i].x : moved[i].y) == 0);
            }
            CHECK(at_walls > 20);
            CHECK(slope / squares == doctest::Approx(0.4).epsilon(0.1));  // γ̇ times the time, 1
            check_sound(particles);
        }
    });
}
