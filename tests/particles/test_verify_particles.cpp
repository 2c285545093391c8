// Overlaps and discs within walls, listed as failures of a state of particles.
#include "particles/verify_particles.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test_support.h"

using namespace flipscope;

namespace {

CheckReport verified(Context& context, const ParticleModel& model, ParticleStart start, Point corner = {}) {
    ParticleDynamics dynamics;
    dynamics.reset(context, model, std::move(start));
    const OverlapAudit found = audit_overlaps(
        context,
        particle_state(dynamics.triangulation(), dynamics.species().view(dynamics.count()), dynamics.species_table()));
    return verify_particles(dynamics, found, corner);
}

}  // namespace

TEST_CASE("verifying particles: discs that overlap are listed, with their places, where the model resolves overlaps") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = named_model("abp-dilute");
    const double diameter = model.species[0].diameter;
    const ParticleStart apart = make_start(model, {{2, 2}, {2 + 2 * diameter, 2}, {9, 9}}, {20, 20}, "p.xy");
    CHECK(verified(context, model, apart).passed);
    const ParticleStart close = make_start(model, {{2, 2}, {2 + diameter / 2, 2}, {9, 9}}, {20, 20}, "p.xy");
    const CheckReport report = verified(context, model, close, {100, 0});
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].code == "overlap");
    CHECK(report.failures[0].vertices == std::vector<int64_t>{0, 1});
    CHECK(report.failures[0].places[0].x == doctest::Approx(102));
    CHECK(report.failures[0].value == doctest::Approx(diameter / 2));
    model.overlaps = false;
    const CheckReport unresolved = verified(context, model, close);
    CHECK(unresolved.passed);
    CHECK(unresolved.failures.empty());
}

TEST_CASE("verifying particles: a disc that reaches into a wall is listed") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model = named_model("abp-dilute");
    ParticleStart start = make_start(model, {{1, 3}, {4, 9}, {15, 6}}, {30, 12}, "p.xy", OpenAxis::kY);
    CHECK(verified(context, model, start).passed);
    start.positions[1].y = model.species[0].diameter / 4;
    const CheckReport report = verified(context, model, start);
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].code == "in-wall");
    CHECK(report.failures[0].vertices == std::vector<int64_t>{1});
}

TEST_CASE("verifying particles: without particles there is nothing to find") {
    Context context(DeviceRequest::kCpu, 1);
    const ParticleModel model = named_model("abp-dilute");
    const CheckReport report = verified(context, model, make_start(model, {}, {20, 20}, "p.xy"));
    CHECK(report.passed);
    CHECK(report.sentence == "there are no particles to check");
}
