// The audit of overlaps against a test of all pairs, and the failures that a check lists by it.
#include "particles/overlap_audit.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Pair = OverlapAudit::Pair;

void check_overlaps_by_force(Context& context, const TorusState& torus, uint32_t most_listed = 1000) {
    double smallest = INFINITY;
    std::vector<Pair> overlapping, missed;
    std::vector<uint32_t> into_wall;
    std::set<Pair> edges;
    for (const TorusState::Edge& e : torus.edges())
        if (e.length() < kTouching * torus.mean_diameter(e.from, e.to))
            edges.insert({std::min(e.from, e.to), std::max(e.from, e.to)});
    for (uint32_t i = 0; i < torus.count(); ++i) {
        const OpenAxis walls = torus.box().open;
        const double radius = torus.mean_diameter(i, i) / 2 * kTouching;
        const double across = walls == OpenAxis::kX ? torus.places()[i].x : torus.places()[i].y;
        if (walls != OpenAxis::kNone && (across < radius || torus.box().extent - across < radius))
            into_wall.push_back(i);
        for (uint32_t k = i + 1; k < torus.count(); ++k) {
            const double distance = torus.distance(i, k);
            smallest = std::min(smallest, distance);
            if (distance >= kTouching * torus.mean_diameter(i, k)) continue;
            overlapping.push_back({i, k});
            if (!edges.count({i, k})) missed.push_back({i, k});
        }
    }
    const OverlapAudit audit = audit_overlaps(context, torus.state(), most_listed);
    CHECK(audit.pairs_overlapping == overlapping.size());
    CHECK(audit.missed_by_edges == missed.size());
    overlapping.resize(std::min<size_t>(overlapping.size(), most_listed));
    missed.resize(std::min<size_t>(missed.size(), most_listed));
    CHECK(audit.overlapping == overlapping);
    CHECK(audit.missed == missed);
    CHECK(audit.in_walls == into_wall.size());
    into_wall.resize(std::min<size_t>(into_wall.size(), most_listed));
    CHECK(audit.into_wall == into_wall);
    if (torus.count() < 2)
        CHECK(std::isinf(audit.smallest_distance));
    else
        CHECK(audit.smallest_distance == doctest::Approx(smallest).epsilon(1e-14));
}

std::vector<uint8_t> mixed_species(uint32_t count, uint32_t kinds) {
    std::vector<uint8_t> species(count);
    for (uint32_t i = 0; i < count; ++i) species[i] = uint8_t(i * 7 % kinds);
    return species;
}

}  // namespace

TEST_CASE("overlap audit: overlapping pairs and the nearest pair are those found by force") {
    on_every_device([](Context& context) {
        for (uint32_t count = 0; count < 12; ++count) {
            CAPTURE(count);
            for (const double side : {1.3, 3.0, 50.0})
                check_overlaps_by_force(context, TorusState(context, side, random_places(count, side, 10 + count)));
        }
        for (const double side : {12.0, 25.0, 80.0}) {
            CAPTURE(side);
            check_overlaps_by_force(context, TorusState(context, side, random_places(500, side, 2)));
            // Several diameters, up to the ratio that is allowed.
            check_overlaps_by_force(context, TorusState(context, side, random_places(500, side, 3),
                                                        mixed_species(500, 4), {0.7, 1, 1.26, 0.9}));
        }
        for (const Point sides : kRectangles)
            for (const uint32_t count : {2u, 3u, 5u, 9u, 400u}) {
                INFO("sides.x ", sides.x, ", count ", count);
                check_overlaps_by_force(context, TorusState(context, sides, random_places(count, sides, count)));
                check_overlaps_by_force(context, TorusState(context, sides, random_places(count, sides, 3),
                                                            mixed_species(count, 4), {0.7, 1, 1.26, 0.9}));
            }
        for (const Cylinder& channel : kCylinders)
            for (const uint32_t count : {1u, 2u, 3u, 5u, 200u}) {
                INFO(channel.lengths.x, " x ", channel.lengths.y, ", ", count);
                const std::vector<Point> places = random_places(count, channel.lengths, 7 + count);
                check_overlaps_by_force(context, TorusState(context, channel.box(), places));
            }
        check_overlaps_by_force(context, TorusState(context, 8, lattice_places(8, 8, 8, false)));  // all just touch
        check_overlaps_by_force(context, TorusState(context, 7.99, lattice_places(8, 8, 7.99, false)));
        check_overlaps_by_force(context, TorusState(context, 26, lattice_places(26, 30, 26, true)));
        std::vector<Point> row, cluster;
        for (uint32_t i = 0; i < 60; ++i) {
            row.push_back({i * 0.9, 3});
            const RandomPair u = random_pair(3, i);
            cluster.push_back({59.9995 + u.first / 1000, 2 + u.second / 1000});
        }
        check_overlaps_by_force(context, TorusState(context, 60, row));
        check_overlaps_by_force(context, TorusState(context, 60, cluster));
    });
}

TEST_CASE("overlap audit: a list that is cut has the lowest pairs, and all are counted") {
    on_every_device([](Context& context) {
        const TorusState torus(context, 12, random_places(500, 12, 2));
        for (const uint32_t most : {0u, 1u, 2u, 7u, 50u, 100000u}) {
            CAPTURE(most);
            check_overlaps_by_force(context, torus, most);
        }
        std::vector<Point> cluster;
        for (uint32_t i = 0; i < 300; ++i) {
            const RandomPair u = random_pair(3, i);
            cluster.push_back({5 + u.first / 10, 5 + u.second / 10});
        }
        check_overlaps_by_force(context, TorusState(context, 60, cluster),
                                450);  // the second particle's partners are cut
    });
}

TEST_CASE("overlap audit: a pair that is no edge of the triangulation is missed, and none is said to be without one") {
    on_every_device([](Context& context) {
        // The middle one lies between two that overlap: these are no neighbours, and its own overlaps are found.
        const TorusState torus(context, 20, {{5, 5}, {5.45, 5}, {5.9, 5}, {12, 12}, {7, 15}, {15, 6}});
        const OverlapAudit audit = audit_overlaps(context, torus.state());
        CHECK(audit.pairs_overlapping == 3);
        CHECK(audit.overlapping == std::vector<Pair>{{0, 1}, {0, 2}, {1, 2}});
        CHECK(audit.missed_by_edges == 1);
        CHECK(audit.missed == std::vector<Pair>{{0, 2}});
        ParticleState state = torus.state();
        state.corner_of = {};
        const OverlapAudit without = audit_overlaps(context, state);
        CHECK(without.pairs_overlapping == 3);
        CHECK(without.missed_by_edges == 0);
        CHECK(without.missed.empty());
    });
}

TEST_CASE("overlap audit: while no pair overlaps along an edge, none overlaps, up to the ratio of diameters allowed") {
    // The condition under which a push needs to test edges only. Places are thinned until no edge is too short.
    on_every_device([](Context& context) {
        for (uint64_t seed = 1; seed <= case_count(8); ++seed) {
            CAPTURE(seed);
            std::vector<Point> places = random_places(400, 18, seed);
            std::vector<uint8_t> species(places.size());
            for (size_t i = 0; i < species.size(); ++i) species[i] = uint8_t(random_pair(seed + 99, i).first < 0.5);
            for (bool solved = false; !solved;) {
                const TorusState torus(context, 18, places, species, {0.5, 0.9});
                std::set<uint32_t> dropped;
                for (const TorusState::Edge& e : torus.edges())
                    if (e.length() < kTouching * torus.mean_diameter(e.from, e.to) && !dropped.count(e.from))
                        dropped.insert(e.to);
                solved = dropped.empty();
                if (solved) CHECK(audit_overlaps(context, torus.state()).pairs_overlapping == 0);
                for (auto id = dropped.rbegin(); id != dropped.rend(); ++id) {
                    places.erase(places.begin() + *id);
                    species.erase(species.begin() + *id);
                }
            }
            CHECK(places.size() > 50);
        }
    });
}

TEST_CASE("verifying particles: discs that overlap are listed, with their places, where the model resolves overlaps") {
    Context context(DeviceRequest::kCpu, 2);
    const auto verified = [&](const ParticleModel& model, ParticleStart start, Point corner = {}) {
        ParticleDynamics dynamics;
        dynamics.reset(context, model, std::move(start));
        const ParticleState state = particle_state(dynamics.triangulation(), dynamics.species().view(dynamics.count()),
                                                   dynamics.species_table());
        return verify_particles(dynamics, audit_overlaps(context, state), corner);
    };
    ParticleModel model = named_model("abp-dilute");
    const double diameter = model.species[0].diameter;
    const ParticleStart apart = make_start(model, {{2, 2}, {2 + 2 * diameter, 2}, {9, 9}}, {20, 20}, "p.xy");
    CHECK(verified(model, apart).passed);
    const ParticleStart close = make_start(model, {{2, 2}, {2 + diameter / 2, 2}, {9, 9}}, {20, 20}, "p.xy");
    const CheckReport report = verified(model, close, {100, 0});
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].code == "overlap");
    CHECK(report.failures[0].vertices == std::vector<int64_t>{0, 1});
    CHECK(report.failures[0].places[0].x == doctest::Approx(102));
    CHECK(report.failures[0].value == doctest::Approx(diameter / 2));
    model.overlaps = false;
    const CheckReport unresolved = verified(model, close);
    CHECK(unresolved.passed);
    CHECK(unresolved.failures.empty());
}
