// sanitizers: none
// Particles in a channel, a box that is periodic along one axis and has walls across the other: invariants after every
// step for all shapes, against brute force; and physics.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/dynamics.h"
#include "particles/measures.h"
#include "states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Channel : Cylinder {
    /// Along the channel, then across; of a point that is given so, in the box, too.
    Point turned(Point p) const { return walls == OpenAxis::kX ? Point{p.y, p.x} : p; }
    double length() const { return turned(lengths).x; }
    double height() const { return turned(lengths).y; }
};
const std::vector<Channel> kChannels = [] {
    std::vector<Channel> all{{{{20, 20}, OpenAxis::kY}}};
    for (const Cylinder& one : kCylinders) all.insert(all.end() - 1, Channel{one});
    return all;
}();

ParticleModel model_in(const Channel& channel, const std::string& name, double density) {
    ParticleModel model = named_model(name);
    model.count = static_cast<uint32_t>(density * channel.lengths.x * channel.lengths.y * 4 / std::numbers::pi);
    model.cutoff = std::min(2.5, channel.length() / 2);
    return model;
}

/// How far the disc that reaches farthest into a wall does; world units, below 0: none touches one.
double deepest_in_wall(const ParticleDynamics& particles) {
    const std::vector<Point> at = places_of(particles);
    const std::vector<uint8_t> species = particles.species().download();
    const Channel channel{{particles.box().lengths(), particles.box().open}};
    double deepest = -INFINITY;
    for (size_t i = 0; i < at.size(); ++i) {
        const double v = channel.turned(at[i]).y, height = channel.height();
        const double radius = particles.model().species[species[i]].diameter / 2;
        deepest = std::max({deepest, radius - v, v + radius - height});
    }
    return deepest;
}

bool is_between(const ParticleDynamics& particles) { return deepest_in_wall(particles) <= 4 * particles.box().grid; }

ParticleDynamics started_channel(Context& context, const ParticleModel& model, const Channel& channel) {
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model, channel.lengths, channel.walls));
    return particles;
}

}  // namespace

TEST_CASE("channel: after every pass discs are between the walls, and after a step none overlap, on every device") {
    for (const Channel& channel : kChannels)
        for (const char* const name : {"c0", "c2", "c3", "abp-dense"}) {
            ParticleModel model = model_in(channel, name, 0.5);
            model.diffusion = std::string(name) == "abp-dense" ? 0 : 0.05;
            model.speed *= 5;
            INFO(channel.lengths.x, " x ", channel.lengths.y, ", ", name);
            std::vector<uint64_t> hashes;
            on_every_device([&](Context& context) {
                ParticleDynamics stepped = started_channel(context, model, channel),
                                 whole = started_channel(context, model, channel);
                CHECK(is_between(whole));
                CHECK(nearest_pair(whole) > 1 - 1e-6);
                std::vector<uint64_t> own;
                uint64_t left = 0;
                for (size_t round = 0; round < case_count(25); ++round) {
                    bool between = true;
                    while (stepped.step().ended < Level::kRound) between &= is_between(stepped);
                    CHECK(between);
                    whole.finish_round();
                    CHECK(stepped.state_hash() == whole.state_hash());
                    own.push_back(whole.state_hash());
                    left += whole.last_step().overlapping_left;
                    if (whole.last_step().overlapping_left == 0) CHECK(nearest_pair(whole) > 1 - 1e-6);
                }
                CHECK(left == 0);
                check_sound(whole);
                if (hashes.empty()) hashes = own;
                CHECK(own == hashes);
            });
        }
}

TEST_CASE("channel: displacements are those that walls allow") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = model_in(kChannels[0], "abp-dense", 0.4);
    model.speed = 10;
    ParticleDynamics particles = started_channel(context, model, kChannels[0]);
    const std::vector<Point> start = places_of(particles);
    size_t stopped = 0;
    for (int round = 0; round < 40; ++round) {
        const std::vector<Point> before = places_of(particles);
        particles.finish_round();
        const std::vector<Point> after = places_of(particles), moves = particles.moves().download(),
                                 all = particles.displacements().download();
        for (size_t i = 0; i < after.size(); ++i) {
            const Point by = way_of(particles.box(), before[i], after[i]);
            CHECK(moves[i].x == doctest::Approx(by.x));
            CHECK(moves[i].y == by.y);
            CHECK(all[i].y == doctest::Approx(after[i].y - start[i].y));
            stopped += after[i].y == 0.5 || after[i].y == 11.5;
        }
    }
    CHECK(stopped > 20);
}

TEST_CASE("channel: along y a run is the transposed one of a channel along x") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = model_in(kChannels[0], "c2", 0.5);
    model.diffusion = 0;  // the noise of x is not that of y
    model.dt = 0.02;
    ParticleStart start = make_start(model, kChannels[0].lengths, kChannels[0].walls), turned = start;
    turned.box = kChannels[1].box();
    for (Point& p : turned.positions) std::swap(p.x, p.y);
    ParticleDynamics one, other;
    one.reset(context, model, start);
    other.reset(context, model, turned);
    uint64_t pushes = 0;
    for (int round = 0; round < 25; ++round) {
        pushes += static_cast<uint64_t>(one.finish_round().counters[ParticleDynamics::kPushed]);
        other.finish_round();
        std::vector<Point> at = places_of(one), there = places_of(other);
        for (Point& p : there) std::swap(p.x, p.y);
        CHECK(at == there);
    }
    CHECK(pushes > 0);
}

TEST_CASE("channel: rows between the walls hold so many discs without an overlap, and one more is refused") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Channel& channel : kChannels) {
        INFO(channel.lengths.x, " x ", channel.lengths.y);
        ParticleModel model = model_in(channel, "abp-dense", 0.3);
        const auto fits = [&] {
            const std::string said = error_of([&] { make_start(model, channel.lengths, channel.walls); });
            CHECK((said == "accepted" || contains(said, "would overlap in a channel")));
            return said == "accepted";
        };
        while (fits()) ++model.count;
        --model.count;
        const double density = area_of_discs(model, model.count) / (channel.lengths.x * channel.lengths.y);
        const bool is_broad = std::min(channel.lengths.x, channel.lengths.y) > 8;
        CHECK(density > (is_broad ? 0.72 : 0.5));
        ParticleDynamics particles = started_channel(context, model, channel);
        CHECK(is_between(particles));
        CHECK(nearest_pair(particles) > 1 - 1e-6);
        for (size_t round = 0; round < case_count(10); ++round) {
            particles.finish_round();
            CHECK(is_between(particles));
            if (particles.last_step().overlapping_left == 0) CHECK(nearest_pair(particles) > 1 - 1e-6);
        }
        CHECK(particles.last_step().pushes <= model.most_pushes);
    }
}

TEST_CASE("channel: a disc as wide as the channel moves along it alone, and one that is wider is refused") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = named_model("abp-dilute");
    model.count = 12;
    model.speed = 5;
    for (const OpenAxis walls : {OpenAxis::kX, OpenAxis::kY}) {
        const bool x = walls == OpenAxis::kX;
        const Channel channel{{x ? Point{1, 30} : Point{30, 1}, walls}};
        ParticleDynamics particles = started_channel(context, model, channel);
        for (int round = 0; round < 30; ++round) {
            particles.finish_round();
            CHECK(is_between(particles));
            CHECK(particles.last_step().overlapping_left == 0);
            CHECK(nearest_pair(particles) > 1 - 1e-6);
        }
        for (const Point& p : places_of(particles)) CHECK((x ? p.x : p.y) == 0.5);
        CHECK(particles.last_step().mean_speed > 0.1);
        ParticleModel wider = model;
        wider.species[0].diameter = 1.1;
        CHECK_THROWS_WITH_AS(particles.change_model(wider), doctest::Contains("do not fit between walls"), Error);
        CHECK_THROWS_WITH_AS(make_start(wider, channel.lengths, walls),
                             doctest::Contains(x ? "wider channel" : "higher channel"), Error);
    }
    CHECK_THROWS_WITH_AS(make_start(model, {1, 60}, OpenAxis::kY), doctest::Contains("50 times"), Error);
    CHECK_THROWS_WITH_AS(make_start(model, {30, 0}, OpenAxis::kY), doctest::Contains("cannot be 0"), Error);
}

TEST_CASE("channel: g(r) of discs placed anywhere between the walls is 1") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Channel& channel : {Channel{{{20, 6}, OpenAxis::kY}}, Channel{{{3, 25}, OpenAxis::kX}}}) {
        const TorusBox box = channel.box();
        const std::vector<double> diameters{1, 2};
        for (const bool one_size : {true, false}) {
            const uint32_t count = 6000;
            std::vector<Point> places;
            const std::vector<Point> unit = random_places(count, 1.0, 5);
            for (uint32_t i = 0; i < count; ++i) {
                const double d = diameters[one_size ? 0 : i % 2];
                const Point u = channel.turned(unit[i]);
                places.push_back(channel.turned({u.x * channel.length(), d / 2 + u.y * (channel.height() - d)}));
            }
            const double half = count / 2;
            const PairCorrelation g =
                pair_correlation(context, box, {places.data(), places.size()}, 20, 9,
                                 one_size ? std::vector<Discs>{{double(count), 1}}
                                          : std::vector<Discs>{{half, diameters[0]}, {half, diameters[1]}});
            REQUIRE(g.values.size() == 20);
            for (size_t k = 0; k < g.values.size(); ++k) {
                INFO(g.middle(k));
                // Pairs of one disc are not independent of each other: the spread exceeds that of their number.
                CHECK(std::abs(g.values[k] - 1) < 0.02 + 5 / std::sqrt(double(g.pairs[k])));
            }
        }
    }
}

TEST_CASE("channel: discs at given places come to touch a wall that they reach into, and are refused beyond it") {
    const ParticleModel model = named_model("abp-dilute");
    const ParticleStart start = make_start(model, {{1, 0.2}, {4, 11.9}, {31, 6}}, {30, 12}, "p.xy", OpenAxis::kY);
    CHECK(start.positions == std::vector<Point>{{1, 0.5}, {4, 11.5}, {1, 6}});
    CHECK_THROWS_WITH_AS(make_start(model, {{1, 3}, {4, 12.1}}, {30, 12}, "p.xy", OpenAxis::kY),
                         doctest::Contains("p.xy: point 1 (4, 12.1) lies beyond the walls"), Error);
    CHECK_THROWS_WITH_AS(make_start(model, {{1, 0.1}, {1, 0.2}}, {30, 12}, "p.xy", OpenAxis::kY),
                         doctest::Contains("are at one place"), Error);
}

TEST_CASE("channel: what is moved or added by hand stays between the walls, and a run goes on from what was saved") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Channel& channel : {kChannels[0], kChannels[1]}) {
        ParticleModel model = model_in(channel, "abp-dense", 0.3);
        model.speed = 5;
        ParticleDynamics particles = started_channel(context, model, channel);
        particles.finish_round();
        particles.move_particle(3, channel.turned({-2, 1e6}));
        CHECK(places_of(particles)[3] == channel.turned({28, 11.5}));
        CHECK(particles.add_particle(channel.turned({33, -7}), 0) == model.count);
        CHECK(places_of(particles).back() == channel.turned({3, 0.5}));
        particles.freeze_particle(3, true);
        check_sound(particles);
        const Snapshot saved = particles.save();
        for (int round = 0; round < 20; ++round) {
            particles.finish_round();
            CHECK(is_between(particles));
        }
        CHECK(places_of(particles)[3] == channel.turned({28, 11.5}));
        const uint64_t hash = particles.state_hash();
        particles.load(saved);
        for (int round = 0; round < 20; ++round)
            while (particles.step().ended < Level::kRound) {
            }
        CHECK(particles.state_hash() == hash);
        // Discs that grow into a wall are between the walls again after the next step, but for frozen ones.
        model.species[0].diameter = 1.2;
        particles.change_model(model);
        CHECK(deepest_in_wall(particles) > 0.09);
        particles.freeze_particle(3, false);
        particles.finish_round();
        CHECK(is_between(particles));
    }
}

TEST_CASE("channel: active particles collect at its walls, passive ones do not") {
    Context context(DeviceRequest::kCpu, 2);
    const auto crowding = [&](double speed, double diffusion) {
        ParticleModel model = named_model("abp-dilute");
        model.count = 100;
        model.dt = 0.05;
        model.speed = speed;
        model.rotation = 0.02;
        model.diffusion = diffusion;
        ParticleDynamics particles = started_channel(context, model, Channel{{{30, 15}, OpenAxis::kY}});
        double near_walls = 0, middle = 0;
        for (int round = 0; round < 1500; ++round) {
            particles.finish_round();
            if (round < 500 || round % 10) continue;
            for (const Point p : places_of(particles)) {
                near_walls += std::min(p.y, 15 - p.y) < 1.5;  // centres can be from 0.5 on
                middle += std::abs(p.y - 7.5) < 2;
            }
        }
        return (near_walls / 2) / (middle / 4);  // of densities
    };
    CHECK(crowding(1, 0) > 2.5);
    const double passive = crowding(0, 1);
    CHECK(passive > 0.6);
    CHECK(passive < 1.7);  // hard discs are somewhat denser at a wall
}
