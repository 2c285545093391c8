// sanitizers: address thread
// Pressure and stress: against a sum over all pairs, the second virial coefficient, the derivative of the energy and
// free swimmers.
#include "particles/stress.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/repulsion.h"
#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

ParticleModel repelling(RepulsionKind kind, uint32_t count, double density) {
    ParticleModel model;
    model.count = count;
    model.density = density;
    model.force = ForceLaw::kNone;
    model.repulsion = kind;
    model.overlaps = false;
    return model;
}

ParticleStress stress_of(Context& context, const ParticleDynamics& particles) {
    return measure_stress(
        context, particle_state(particles.triangulation(), particles.species().view(), particles.species_table()),
        particles.model(), particles.orientations().view());
}

/// Σ U of a harmonic pair over all pairs, with the box and all places stretched by these factors.
double energy_of(const ParticleDynamics& particles, Point stretch, double shear = 0) {
    const std::vector<Point> at = places_of(particles);
    const std::vector<double> diameters = particles.diameters();
    double energy = 0;
    for (size_t i = 0; i < at.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            Point way = way_of(particles.box(), at[i], at[k]);
            way = {way.x * stretch.x + way.y * shear, way.y * stretch.y};
            const double overlap = 1 - 2 * std::hypot(way.x, way.y) / (diameters[i] + diameters[k]);
            if (overlap > 0) energy += particles.model().repulsion_strength / 2 * overlap * overlap;
        }
    return energy;
}

}  // namespace

TEST_CASE("stress: that of pairs is the derivative of the energy by strain, the same on every device") {
    for (const OpenAxis walls : {OpenAxis::kNone, OpenAxis::kY}) {
        ParticleModel model = repelling(RepulsionKind::kHarmonic, 200, 0.9);
        model.spread = 0.4;
        model.repulsion_strength = 3;
        model.diffusion = 0.2;
        const ParticleStart start = make_start(model, walls == OpenAxis::kNone ? Point{} : Point{18, 9}, walls);
        ParticleStress first;
        on_every_device([&](Context& context) {
            ParticleDynamics particles;
            particles.reset(context, model, start);
            for (int step = 0; step < 5; ++step) particles.finish_round();
            const ParticleStress stress = stress_of(context, particles);
            if (first.xx == 0) {
                first = stress;
                const double h = 1e-5, area = particles.box().area();
                const auto slope = [&](Point by, double shear) {
                    return (energy_of(particles, {1 - h * by.x, 1 - h * by.y}, -h * shear) -
                            energy_of(particles, {1 + h * by.x, 1 + h * by.y}, h * shear)) /
                           (2 * h * area);
                };
                CHECK(stress.xx == doctest::Approx(slope({1, 0}, 0)).epsilon(1e-6));
                CHECK(stress.yy == doctest::Approx(slope({0, 1}, 0)).epsilon(1e-6));
                CHECK(stress.xy == doctest::Approx(slope({}, 1)).epsilon(1e-6));
                CHECK(stress.xx > 0.01);
                CHECK(stress.ideal == doctest::Approx(200 / area * 0.1 * noise_variance(model.noise)));
                CHECK(stress.swim == 0);
            }
            CHECK(stress.xx == first.xx);
            CHECK(stress.xy == first.xy);
            CHECK(stress.yy == first.yy);
        });
    }
}

TEST_CASE("stress: a dilute gas of WCA discs has the pressure of the second virial coefficient") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = repelling(RepulsionKind::kWca, 400, 0.1);
    model.diffusion = 2;  // kT = 1, but for the tails of the noise
    model.dt = 1e-3;
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model));
    const double kt = noise_variance(model.noise), density = 400 / particles.box().area();
    double second = 0;  // B2 = π ∫ (1 - exp(-U / kT)) r dr
    for (int k = 0; k < 20000; ++k) {
        const double r = (k + 0.5) * 1.2 / 20000, s6 = std::pow(r, -6);
        const double u = r < std::pow(2, 1. / 6) ? 4 * (s6 * s6 - s6) + 1 : 0;
        second += std::numbers::pi * (1 - std::exp(-u / kt)) * r * 1.2 / 20000;
    }
    const int blocks = 10;
    std::vector<double> means(blocks, 0);
    for (int step = 0; step < 1200; ++step) particles.finish_round();  // the discs begin on a lattice
    model.dt = 2e-4;
    particles.change_model(model);
    for (int step = 0; step < 200; ++step) particles.finish_round();
    for (int step = 0; step < 300 * blocks; ++step) {
        particles.finish_round();
        if (step % 10 == 0) means[size_t(step / 300)] += stress_of(context, particles).pressure() / (density * kt) / 30;
    }
    double mean = 0, variance = 0;
    for (const double one : means) mean += one / blocks;
    for (const double one : means) variance += (one - mean) * (one - mean) / (blocks - 1) / blocks;
    // The third coefficient is that of hard discs, 0.782 B2².
    const double expected = 1 + second * density + 0.782 * second * density * second * density;
    INFO("P / ρkT = ", mean, " ± ", std::sqrt(variance), "; expected ", expected);
    CHECK(std::sqrt(variance) < 0.03);
    CHECK(std::abs(mean - expected) < 3 * std::sqrt(variance) + 0.01);
}

TEST_CASE("stress: free swimmers have the swim pressure ρ V0² / (2 D), and without rotation none is defined") {
    Context context(DeviceRequest::kCpu, 1);
    ParticleModel model = repelling(RepulsionKind::kNone, 50, 0.3);
    model.speed = 1.5;
    model.rotation = 0.2;
    model.diffusion = 0;
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model));
    const double density = 50 / particles.box().area();
    CHECK(stress_of(context, particles).pressure() == doctest::Approx(density * 1.5 * 1.5 / (2 * 0.2)));
    model.rotation = 0;
    particles.change_model(model);
    CHECK(std::isnan(stress_of(context, particles).pressure()));
    CHECK(has_stress(model));
    model.overlaps = true;
    CHECK_FALSE(has_stress(model));
    model.overlaps = false;
    model.force = ForceLaw::kShortRange;
    CHECK_FALSE(has_stress(model));
}
