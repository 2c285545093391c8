// sanitizers: address thread
// Particles in a periodic box over time: the invariants of a step (no overlap left, a Delaunay triangulation), physics
// (diffusion, persistence, momentum), and runs that repeat to the bit on every path.
#include "particles/dynamics.h"

#include <algorithm>
#include <cmath>

#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

ParticleModel small_model(const std::string& name, uint32_t count) {
    ParticleModel model = named_model(name);
    model.count = count;
    return model;
}

/// Without forces and overlaps: what is left is noise.
ParticleModel only_noise(uint32_t count) {
    ParticleModel model = small_model("c1", count);
    model.force = ForceLaw::kNone;
    model.overlaps = false;
    return model;
}

ParticleDynamics started(Context& context, const ParticleModel& model) {
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model));
    return particles;
}

}  // namespace

TEST_CASE("particles: the hash after every pass is the same on every device, and whole steps end there, too") {
    for (const std::string& name : {std::string("c0"), std::string("c3"), std::string("abp-dense")}) {
        const ParticleModel model = small_model(name, 400);
        std::vector<uint64_t> hashes;
        bool first = true;
        uint64_t flips = 0, pushes = 0;
        INFO(name);
        on_every_device([&](Context& context) {
            ParticleDynamics stepped = started(context, model), whole = started(context, model);
            CHECK(stepped.state_hash() == whole.state_hash());
            size_t at = 0;
            for (int round = 0; round < 6; ++round) {
                std::vector<int64_t> sums(ParticleDynamics::kCounters, kNotCounted);
                for (PassResult result; result.ended < Level::kRound;) {
                    CHECK(stepped.next_pass() != kNone);
                    result = stepped.step();
                    CHECK(result.round == uint32_t(round + 1));
                    for (size_t k = 0; k < sums.size(); ++k)
                        if (result.counters[k] != kNotCounted)
                            sums[k] = std::max<int64_t>(sums[k], 0) + result.counters[k];
                    if (first)
                        hashes.push_back(stepped.state_hash());
                    else
                        CHECK(stepped.state_hash() == hashes.at(at));
                    ++at;
                }
                const PassResult result = whole.finish_round();
                CHECK(whole.state_hash() == stepped.state_hash());
                CHECK(result.counters == sums);
                CHECK(whole.last_step().flip_passes == stepped.last_step().flip_passes);
                CHECK(whole.last_step().pushes == stepped.last_step().pushes);
            }
            CHECK(at == hashes.size());
            CHECK(whole.round() == 6);
            first = false;
            flips = whole.total_flips();
            pushes = whole.total_pushes();
        });
        CHECK(flips > 0);
        CHECK(pushes > 0);
    }
}

TEST_CASE("particles: after a step no two are closer than touching, and the triangulation is Delaunay") {
    for (const std::string& name : model_names()) {
        const ParticleModel model = small_model(name, 150);
        Context context(DeviceRequest::kCpu, 2);
        ParticleDynamics particles = started(context, model);
        INFO(name);
        uint64_t pushed = 0;
        const size_t rounds = case_count(60);
        for (size_t round = 0; round < rounds; ++round) {
            particles.finish_round();
            pushed += particles.last_step().pushes;
            if (particles.last_step().overlapping_left == 0) CHECK(nearest_pair(particles) > 1 - 1e-6);
            check_sound(particles);
        }
        CHECK(particles.last_step().overlapping_left == 0);
        // c4 is so dilute that none meet so soon; under a sanitizer there are few steps.
        if (name != "c4" && rounds == 60) CHECK(pushed > 0);
    }
}

TEST_CASE("particles: whole steps end as pass by pass, with many overlaps and few, turned triangles and two sizes") {
    const auto few = [](const ParticleDynamics& particles, int64_t pairs) { return pairs <= particles.count() / 32; };
    const auto many_count = static_cast<uint32_t>(std::max<size_t>(100, case_count(1500)));
    ParticleModel many = small_model("abp-dense", many_count), turning = small_model("c2", many_count);
    turning.dt *= 30;
    ParticleModel fast = small_model("abp-dense", 120), two_sizes = small_model("c1", 200);
    fast.speed = 4;
    two_sizes.species[0].diameter = 0.8;
    two_sizes.species[1].diameter = 1.2;
    two_sizes.density = 0.6;
    ParticleModel gentle = two_sizes;
    gentle.delta = 0.5;
    on_every_device([&](Context& context) {
        uint64_t crowded = 0;  // steps that begin with so many overlaps that all edges are watched
        int grown = 0;         // pushes of few pairs that leave many overlapping
        uint64_t inverted = 0;
        for (const auto& [model, standard] :
             {std::pair{many, 60}, {turning, 60}, {fast, 300}, {two_sizes, 40}, {gentle, 40}}) {
            INFO(model.count, " particles, Δt = ", model.dt);
            ParticleDynamics stepped = started(context, model), whole = started(context, model);
            for (size_t round = 0; round < case_count(size_t(standard)); ++round) {
                crowded += whole.last_step().overlapping_first > whole.count() / 8;
                int64_t pairs = 0;  // before the last push
                for (PassResult result; result.ended < Level::kRound;) {
                    result = stepped.step();
                    if (result.pass != ParticleDynamics::kPush) continue;
                    const int64_t now = result.counters[ParticleDynamics::kOverlapping];
                    grown += pairs > 0 && few(stepped, pairs) && !few(stepped, now);
                    pairs = now;
                }
                inverted += static_cast<uint64_t>(whole.finish_round().counters[ParticleDynamics::kInverted]);
                REQUIRE(whole.state_hash() == stepped.state_hash());
                CHECK(whole.last_step().flips == stepped.last_step().flips);
                CHECK(whole.last_step().pushes == stepped.last_step().pushes);
                CHECK(whole.last_step().overlapping_first == stepped.last_step().overlapping_first);
                if (whole.count() == 200 && whole.last_step().overlapping_left == 0)
                    CHECK(nearest_pair(whole) > 1 - 1e-6);
            }
            check_sound(whole);
        }
        if (case_count(60) < 60) return;
        CHECK(crowded > 5);
        CHECK(grown > 0);
        CHECK(inverted > 100);
    });
}

TEST_CASE("particles: displacements during a step include all pushes so far") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleDynamics particles = started(context, small_model("c2", 200));
    const TorusBox box = particles.box();
    size_t pushes = 0;
    for (size_t round = 0; round < case_count(50); ++round) {
        const std::vector<Point> places = particles.triangulation().mesh().positions.download();
        const std::vector<Point> since = particles.displacements().download();
        for (uint32_t pass = kNone; pass != ParticleDynamics::kMeasure;) {
            pass = particles.step().pass;
            if (pass == ParticleDynamics::kForces) continue;  // moves are those of the step before
            pushes += pass == ParticleDynamics::kPush;
            const std::vector<Point> now = particles.triangulation().mesh().positions.download();
            const std::vector<Point> moves = particles.moves().download(), all = particles.displacements().download();
            for (size_t i = 0; i < now.size(); ++i) {
                const Point by = box.shortest(places[i], now[i]);
                CHECK(moves[i] == by);
                CHECK(all[i] == Point{since[i].x + by.x, since[i].y + by.y});
            }
        }
    }
    CHECK(pushes > 0);
}

TEST_CASE("particles: diffusion alone has the mean-squared displacement of equation 1") {
    for (const NoiseTails tails : {NoiseTails::kClamped, NoiseTails::kRerolled}) {
        ParticleModel model = only_noise(10000);
        model.density = 0.3;
        model.noise = tails;
        Context context(DeviceRequest::kCpu, 2);
        ParticleDynamics particles = started(context, model);
        double sum = 0, fourth = 0, along = 0;
        size_t samples = 0;
        for (size_t round = 0; round < case_count(50); ++round) {
            particles.finish_round();
            for (const Point& move : particles.moves().download())
                for (const double v : {move.x, move.y}) {
                    const double squared = v * v / (model.diffusion * model.dt);
                    sum += squared, fourth += squared * squared, along += v, ++samples;
                }
        }
        const double mean = sum / double(samples);
        const double error = std::sqrt((fourth / double(samples) - mean * mean) / double(samples));
        CHECK(std::abs(mean - noise_variance(tails)) < 3.5 * error);
        CHECK(std::abs(along / double(samples)) < 4 * std::sqrt(model.diffusion * model.dt / double(samples)));
        const double expected = expected_squared_displacement(model, particles.round());
        CHECK(particles.last_step().mean_squared_displacement == doctest::Approx(expected).epsilon(0.05));
        check_sound(particles);
    }
}

TEST_CASE("particles: an active particle keeps its direction as long as its rotation lets it") {
    ParticleModel model = only_noise(4000);
    model.density = 0.2;
    model.diffusion = 0;
    model.speed = 2;
    model.rotation = 1.5;
    Context context(DeviceRequest::kCpu, 2);
    ParticleDynamics particles = started(context, model);
    const size_t rounds = 200;
    for (size_t round = 0; round < rounds; ++round) particles.finish_round();
    CHECK(particles.last_step().mean_speed == doctest::Approx(2).epsilon(1e-6));
    CHECK(particles.last_step().mean_squared_displacement ==
          doctest::Approx(expected_squared_displacement(model, rounds)).epsilon(0.08));
}

TEST_CASE("particles: where the box's border lies changes nothing") {
    ParticleModel model = small_model("abp-dense", 200);
    model.diffusion = 0.01;
    Context context(DeviceRequest::kCpu, 2);
    for (const Point sides : {Point{}, Point{24, 10}}) {
        ParticleStart start = make_start(model, sides), shifted = start;
        const TorusBox box = start.box;
        const Point by = box.on_grid(Point{0.37 * box.sides.x, 0.81 * box.sides.y});
        for (Point& p : shifted.positions) p = box.wrapped({p.x + by.x, p.y + by.y});
        ParticleDynamics one, other;
        one.reset(context, model, start);
        other.reset(context, model, shifted);
        for (int round = 0; round < 20; ++round) {
            one.finish_round();
            other.finish_round();
            const std::vector<Point> at = one.triangulation().mesh().positions.download(),
                                     there = other.triangulation().mesh().positions.download();
            size_t same = 0;
            for (size_t i = 0; i < at.size(); ++i) same += there[i] == box.wrapped({at[i].x + by.x, at[i].y + by.y});
            CHECK(same == at.size());
        }
    }
}

TEST_CASE("particles: far too long a time step ends all the same, and says how many moves were cut") {
    ParticleModel model = small_model("abp-dense", 300);
    model.speed = 1;
    model.dt = 1e6;
    Context context(DeviceRequest::kCpu, 2);
    ParticleDynamics particles = started(context, model);
    for (int round = 0; round < 3; ++round) {
        particles.finish_round();
        CHECK(particles.last_step().cut > 200);
        check_sound(particles);
    }
    CHECK(particles.total_rebuilds() > 0);
    // A cut move must stay on the grid, also where half the side is no multiple of it.
    ParticleModel odd = small_model("c1", 60);
    odd.force = ForceLaw::kNone;
    odd.dt = 100;
    odd.diffusion = 10;
    ParticleDynamics few = started(context, odd);
    few.finish_round();
    CHECK(few.last_step().cut == 60);
    check_sound(few);
    model.dt = INFINITY;
    CHECK_THROWS_AS(particles.change_model(model), Error);
    particles.finish_round();
    check_sound(particles);
}

TEST_CASE("particles: forces and species change between steps, as in a run that begins with them") {
    ParticleModel model = small_model("c1", 200), other = model;
    other.species[0].alpha = -2;
    other.species[1].mu = 3;
    other.dt = 0.002;
    other.cutoff = 2;
    Context context(DeviceRequest::kCpu, 2);
    ParticleDynamics changed = started(context, model), fresh = started(context, model);
    for (int round = 0; round < 3; ++round) changed.finish_round(), fresh.finish_round();
    changed.change_model(other);
    const Snapshot there = fresh.save();
    ParticleDynamics begun = started(context, other);
    begun.load(there);
    CHECK(changed.state_hash() == fresh.state_hash());
    for (int round = 0; round < 3; ++round) {
        changed.finish_round();
        fresh.finish_round();
        begun.finish_round();
        CHECK(changed.state_hash() != fresh.state_hash());
        CHECK(changed.state_hash() == begun.state_hash());
        check_sound(changed);
    }
    other.species.push_back({});
    CHECK_THROWS_WITH_AS(changed.change_model(other), doctest::Contains("there are 2 species"), Error);
    changed.finish_round();
}

TEST_CASE("particles: forces are those of where they are, also after they were moved by hand, or a run was loaded") {
    on_every_device([&](Context& context) {
        const ParticleModel model = small_model("c2", 400);
        ParticleDynamics particles = started(context, model);
        const auto check_forces = [&] {
            PairForces fresh;
            fresh.reset(context, particles.box(), model, particles.count());
            Buffer<Point> expected("expected forces");
            expected.resize(context, particles.count());
            fresh.compute(particles.triangulation().mesh().positions.view(), particles.species().view(),
                          expected.view());
            CHECK(particles.step().pass == ParticleDynamics::kForces);
            CHECK(particles.forces().download() == expected.download());
            particles.finish_round();
        };
        for (int round = 0; round < 5; ++round) check_forces();
        const Snapshot before = particles.save();
        particles.move_particle(3, {particles.box().sides.x / 2, 1.5});
        check_forces();
        particles.move_particle(3, {1.5, particles.box().sides.x / 2});
        check_forces();
        particles.load(before);
        check_forces();
        particles.add_particle({2.25, 3.5}, 1);
        check_forces();
        particles.remove_particle(0);
        check_forces();
    });
}

TEST_CASE("particles: they are moved, frozen, added and removed by hand between steps, and by nothing within one") {
    const ParticleModel model = small_model("c2", 100);
    Context context(DeviceRequest::kCpu, 2);
    ParticleDynamics particles = started(context, model);
    particles.finish_round();
    const double side = particles.box().sides.x;
    const auto place = [&](uint32_t i) { return particles.triangulation().mesh().positions.read(i); };
    particles.move_particle(3, {side + 0.25, -0.5});
    CHECK(place(3).x == doctest::Approx(0.25));
    CHECK(place(3).y == doctest::Approx(side - 0.5));
    check_sound(particles);
    particles.move_particle(3, {side / 2, side / 2});
    check_sound(particles);
    CHECK_THROWS_WITH_AS(particles.move_particle(3, place(4)), doctest::Contains("particle 4 is at"), Error);
    CHECK_THROWS_WITH_AS(particles.move_particle(100, {1, 1}), doctest::Contains("no particle 100"), Error);
    CHECK_THROWS_AS(particles.move_particle(3, {NAN, 1}), Error);

    const Point fixed = place(7);
    particles.freeze_particle(7, true);
    for (int round = 0; round < 10; ++round) particles.finish_round();
    CHECK(place(7) == fixed);
    CHECK(particles.is_frozen(7));
    particles.freeze_particle(7, false);
    for (int round = 0; round < 3; ++round) particles.finish_round();
    CHECK(place(7) != fixed);

    // Two frozen ones overlap for as long as they are, and no pushes are wasted on them.
    particles.move_particle(8, {place(7).x + 0.5, place(7).y});
    particles.freeze_particle(7, true);
    particles.freeze_particle(8, true);
    const Point one = place(7), two = place(8);
    for (int round = 0; round < 4; ++round) {
        particles.finish_round();
        CHECK(particles.last_step().overlapping_left == 1);
        CHECK(particles.last_step().pushes < 200);
        check_sound(particles);
    }
    CHECK(place(7) == one);
    CHECK(place(8) == two);
    particles.freeze_particle(8, false);
    particles.finish_round();
    CHECK(particles.last_step().overlapping_left == 0);
    CHECK(place(7) == one);
    particles.freeze_particle(7, false);

    const Point last = place(99);
    CHECK(particles.add_particle({1.5, 2.5}, 1) == 100);
    CHECK(particles.count() == 101);
    CHECK(particles.species().read(100) == 1);
    check_sound(particles);
    particles.remove_particle(5);
    CHECK(particles.count() == 100);
    CHECK(place(5).x == doctest::Approx(1.5));
    CHECK(place(99) == last);
    check_sound(particles);
    particles.finish_round();
    check_sound(particles);
    CHECK_THROWS_AS(particles.add_particle({1, 1}, 9), Error);
    particles.step();
    CHECK_THROWS_WITH_AS(particles.remove_particle(0), doctest::Contains("between time steps"), Error);
    while (particles.next_pass() != ParticleDynamics::kForces) particles.step();
    const Snapshot hundred = particles.save();
    for (int k = 0; k < 98; ++k) particles.remove_particle(0);
    CHECK(particles.count() == 2);
    particles.finish_round();
    particles.load(hundred);
    CHECK(particles.count() == 100);
    particles.finish_round();
    check_sound(particles);
}
