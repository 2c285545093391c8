// sanitizers: none
// The lattice Boltzmann emulsion: what its fluid conserves, flows with a known solution, droplets that keep their shape
// and their distance, and the same frame to the bit on every path.
#include <algorithm>
#include <cmath>
#include <utility>

#include "delaunay/runs.h"
#include "events/inputs.h"
#include "events/sources/source_emulsion.h"
#include "geometry/generators.h"
#include "lab/parameters.h"
using namespace flipscope;

namespace {

using Start = EmulsionFluid::Start;
constexpr double kStep = Emulsion::kDense - Emulsion::kThin;

/// Whether there is no time for thousands of steps: sanitizers see the same kernels in the other tests.
bool in_a_hurry() {
    if (case_count(1000) >= 1000) return false;
    MESSAGE("skipped: it takes thousands of steps, and FLIPSCOPE_TEST_SCALE asks for less");
    return true;
}

SourceParameters small_emulsion(int vessel) {
    SourceParameters parameters{.kind = SourceParameters::kEmulsion, .vessel = vessel};
    parameters.width = 150, parameters.height = 98;  // no multiples of a vector
    parameters.count = 30;
    parameters.posts = 2;
    parameters.force = 30;
    return parameters;
}

/// At rest everywhere: so much of either fluid, nothing that acts.
Start still(uint32_t width, uint32_t height, float first, float second) {
    Start start;
    start.width = width, start.height = height;
    const size_t pixels = size_t(width) * height;
    start.densities.assign(2 * pixels, first);
    std::fill(start.densities.begin() + static_cast<ptrdiff_t>(pixels), start.densities.end(), second);
    start.owners.assign(pixels, 1);
    start.push.assign(height, {0, 0});
    return start;
}

/// A droplet in the middle of a box.
Start droplet(uint32_t side, double radius) {
    Start start = still(side, side, Emulsion::kThin, Emulsion::kDense);
    const size_t pixels = size_t(side) * side;
    for (size_t k = 0; k < pixels; ++k) {
        const double dx = double(k % side) - side / 2, dy = double(k / side) - side / 2;
        const double share = 0.5 + 0.5 * std::tanh((radius - std::sqrt(dx * dx + dy * dy)) / 1.5);
        start.densities[k] = static_cast<float>(Emulsion::kThin + kStep * share);
        start.densities[pixels + k] = static_cast<float>(Emulsion::kDense - kStep * share);
    }
    start.mixture = {1, 0.58f, 0.9f};
    return start;
}

std::vector<float> emulsion_field(Source& source) { return source.field()->download(); }

/// Density of a component at a pixel, from populations that have not been pulled yet: right where nothing changes.
double density_at(const EmulsionFluid& fluid, const Start& start, uint32_t component, size_t pixel) {
    const std::vector<float> all = fluid.populations();
    const size_t pixels = size_t(start.width) * start.height;
    double sum = 0;
    for (uint32_t way = 0; way < emulsion::kWays; ++way)
        sum += all[(component * emulsion::kWays + way) * pixels + pixel];
    return sum;
}

size_t count_droplets(const std::vector<float>& field, const Lattice& lattice) {
    return count_components(field, lattice, Emulsion::kThreshold);
}

/// Summed over all pixels, mass on its way through obstacles included.
struct FluidTotals {
    double mass[2] = {0, 0}, along_x = 0, along_y = 0;
};
FluidTotals totals_of(const EmulsionFluid& fluid) {
    const std::vector<float> all = fluid.populations();
    const size_t pixels = all.size() / (2 * emulsion::kWays);
    constexpr int kX[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kY[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    FluidTotals totals;
    for (size_t k = 0; k < all.size(); ++k) {
        const size_t way = k / pixels % emulsion::kWays;
        totals.mass[k / pixels / emulsion::kWays] += all[k];
        totals.along_x += kX[way] * double(all[k]);
        totals.along_y += kY[way] * double(all[k]);
    }
    return totals;
}

}  // namespace

TEST_CASE("emulsion: neither fluid gains or loses mass, in a box or between walls") {
    for (const int vessel : {int(SourceParameters::kPosts), int(SourceParameters::kBox)}) {
        Context context(DeviceRequest::kCpu, 2);
        Emulsion source(context, small_emulsion(vessel), {});
        const auto before = totals_of(source.fluid());
        source.advance(context, static_cast<uint32_t>(case_count(1000)));
        const auto after = totals_of(source.fluid());
        for (const int k : {0, 1}) CHECK(after.mass[k] == doctest::Approx(before.mass[k]).epsilon(1e-6));
    }
}

TEST_CASE("emulsion: momentum stays without a force, and grows by what the force gives") {
    Context context(DeviceRequest::kCpu, 2);
    Start start = droplet(48, 14);
    start.mixture.apart = 0.05f;
    for (size_t k = 0; k < start.owners.size(); ++k) start.owners[k] = k % 48 < 24 ? 1 : 2;  // halves of it quarrel
    EmulsionFluid fluid;
    fluid.reset(context, start);
    for (int k = 0; k < 100; ++k) fluid.step(context);
    const auto free = totals_of(fluid);
    CHECK(std::fabs(free.along_x) < 2e-3);
    CHECK(std::fabs(free.along_y) < 2e-3);
    start.push.assign(48, {2e-5f, -1e-5f});
    fluid.reset(context, start);
    for (int k = 0; k < 100; ++k) fluid.step(context);
    const auto pushed = totals_of(fluid);
    const double mass = pushed.mass[0] + pushed.mass[1];
    CHECK(pushed.along_x == doctest::Approx(100 * 2e-5 * mass).epsilon(1e-3));
    CHECK(pushed.along_y == doctest::Approx(-100 * 1e-5 * mass).epsilon(1e-3));
}

TEST_CASE("emulsion: a droplet stays round, and the pressure in it goes as one over its radius (Laplace)") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    std::vector<double> tension;
    for (const double radius : {12., 20.}) {
        const Start start = droplet(64, radius);
        EmulsionFluid fluid;
        fluid.reset(context, start);
        for (int k = 0; k < 2500; ++k) fluid.step(context);
        const auto pressure = [&](size_t pixel) {
            const double first = density_at(fluid, start, 0, pixel), second = density_at(fluid, start, 1, pixel);
            return (first + second) / 3 + start.mixture.between * first * second;
        };
        Buffer<float> field;
        CHECK(fluid.show(context, field) == 0);
        const std::vector<float> values = field.download();
        double area = 0, xx = 0, yy = 0, xy = 0;
        for (size_t k = 0; k < values.size(); ++k) {
            if (values[k] <= Emulsion::kThreshold) continue;
            const double x = double(k % 64) - 32, y = double(k / 64) - 32;
            area += 1, xx += x * x, yy += y * y, xy += x * y;
        }
        const double found = std::sqrt(area / 3.14159265);
        CHECK(found == doctest::Approx(radius).epsilon(0.15));
        CHECK(xx == doctest::Approx(yy).epsilon(0.01));
        CHECK(std::fabs(xy) < 0.01 * xx);
        tension.push_back((pressure(32 * 64 + 32) - pressure(0)) * found);
        CHECK(tension.back() > 0.01);
    }
    CHECK(tension[0] == doctest::Approx(tension[1]).epsilon(0.15));
}

TEST_CASE("emulsion: one fluid between two walls flows as a parabola, half way between pixels and walls at rest") {
    if (in_a_hurry()) return;
    constexpr uint32_t kWidth = 24, kHeight = 8, kWall = 3;
    for (const float viscosity : {1.f / 6, 0.1f}) {
        on_every_device([&](Context& context) {
            Start start = still(kWidth, kHeight, 0.5f, 0.5f);
            start.obstacles.resize(size_t(kWidth) * kHeight);
            for (uint32_t k = 0; k < start.obstacles.size(); ++k) start.obstacles[k] = k % kWidth < kWall;
            start.push.assign(kHeight, {0, 1e-5f});
            start.mixture.relaxed = 1 / (0.5f + 3 * viscosity);
            EmulsionFluid fluid;
            fluid.reset(context, start);
            for (int k = 0; k < 3000; ++k) fluid.step(context);
            const std::vector<float> all = fluid.populations();
            const size_t pixels = size_t(kWidth) * kHeight;
            const double wide = kWidth - kWall;
            for (uint32_t x = kWall; x < kWidth; ++x) {
                const size_t pixel = 3 * kWidth + x;
                double density = 0, along = 0;
                for (uint32_t component = 0; component < 2; ++component) {
                    const float* f = all.data() + component * emulsion::kWays * pixels + pixel;
                    for (uint32_t way = 0; way < emulsion::kWays; ++way) density += f[way * pixels];
                    along +=
                        f[2 * pixels] - f[4 * pixels] + f[5 * pixels] + f[6 * pixels] - f[7 * pixels] - f[8 * pixels];
                }
                const double from = x - kWall + 0.5, speed = along / density - 0.5e-5;
                CHECK(speed == doctest::Approx(1e-5 / (2 * viscosity) * from * (wide - from)).epsilon(0.03));
            }
        });
    }
}

TEST_CASE("emulsion: two droplets side by side stay two with a film between their fluids, and merge without") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    for (const float film : {0.9f, 0.f}) {
        Start start = still(72, 40, Emulsion::kThin, Emulsion::kDense);
        const size_t pixels = start.owners.size();
        for (size_t k = 0; k < pixels; ++k) {
            const double x = double(k % 72), dy = double(k / 72) - 20,
                         dx = std::min(std::fabs(x - 25), std::fabs(x - 47));
            const double share = 0.5 + 0.5 * std::tanh((10 - std::sqrt(dx * dx + dy * dy)) / 1.5);
            start.densities[k] = static_cast<float>(Emulsion::kThin + kStep * share);
            start.densities[pixels + k] = static_cast<float>(Emulsion::kDense - kStep * share);
            start.owners[k] = x < 36 ? 1 : 2;
        }
        start.mixture = {1, 0.58f, film};
        EmulsionFluid fluid;
        fluid.reset(context, start);
        for (int k = 0; k < 1500; ++k) fluid.step(context);
        Buffer<float> field;
        CHECK(fluid.show(context, field) == 0);
        CHECK(count_droplets(field.download(), {72, 40, true}) == (film > 0 ? 2 : 1));
    }
}

TEST_CASE("emulsion: walls and posts let nothing through, and nothing of them is drawn") {
    Context context(DeviceRequest::kCpu, 2);
    // Two chambers with a wall of three pixels between them, on a torus: the fluids keep to their own.
    Start start = still(30, 12, 0, 1);
    const size_t pixels = start.owners.size();
    start.obstacles.resize(pixels);
    for (size_t k = 0; k < pixels; ++k) {
        const size_t x = k % 30;
        start.obstacles[k] = x < 3 || (x >= 15 && x < 18);
        if (x > 15) start.densities[k] = 1, start.densities[pixels + k] = 0;
    }
    start.push.assign(12, {1e-4f, 1e-4f});
    EmulsionFluid fluid;
    fluid.reset(context, start);
    for (int k = 0; k < 500; ++k) fluid.step(context);
    Buffer<float> field;
    CHECK(fluid.show(context, field) == 0);
    const std::vector<float> values = field.download();
    for (size_t k = 0; k < pixels; ++k) {
        if (start.obstacles[k] || k % 30 < 15)
            CHECK(values[k] == 0);
        else
            CHECK(values[k] > 0.9f);
    }
}

TEST_CASE("emulsion: droplets flow, keep apart, and the profile is one in the middle and little at the walls") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    SourceParameters parameters = small_emulsion(SourceParameters::kPosts);
    parameters.posts = 0;
    Emulsion source(context, parameters, {});
    const Lattice lattice = source.lattice();
    CHECK(count_droplets(emulsion_field(source), lattice) == 30);
    const std::vector<float> before = emulsion_field(source);
    source.advance(context, 1000);
    const std::vector<float> after = emulsion_field(source);
    CHECK(count_droplets(after, lattice) == 30);
    CHECK(before != after);
    const std::vector<ProfilePoint> profile = source.profile().points;
    REQUIRE(profile.size() > 40);
    for (const ProfilePoint& point : profile) {
        if (std::fabs(point.place) < 0.1) CHECK(point.speed == doctest::Approx(1).epsilon(0.2));
        if (std::fabs(point.place) > 0.47) CHECK(std::fabs(point.speed) < 0.5);
    }
}

TEST_CASE("emulsion: droplets start from points that are given") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<Point> start = generate(parse_generator("grid:16")).points;
    Emulsion source(context, small_emulsion(SourceParameters::kBox), start);
    CHECK(count_droplets(emulsion_field(source), source.lattice()) == 16);
}

TEST_CASE("emulsion: too many droplets and too small a lattice are refused with a sentence, the smallest one works") {
    Context context(DeviceRequest::kCpu, 1);
    SourceParameters parameters = small_emulsion(SourceParameters::kBox);
    parameters.count = 200;
    CHECK_THROWS_WITH_AS(Emulsion(context, parameters, {}), doctest::Contains("they dissolve below 6"), Error);
    parameters.width = 20;
    CHECK_THROWS_WITH_AS(Emulsion(context, parameters, {}), doctest::Contains("32 × 32 pixels or more"), Error);
    for (const int vessel : {int(SourceParameters::kPosts), int(SourceParameters::kBox)}) {
        SourceParameters least = small_emulsion(vessel);
        least.width = least.height = 64;
        least.count = 4;
        Emulsion source(context, least, {});
        source.advance(context, 100);
        CHECK(source.time() == 100);
    }
}

TEST_CASE("emulsion: a run that becomes unstable ends with its last sound frame, and says so") {
    const Settings settings{"source=emulsion", "vessel=channel", "width=96",        "height=64",
                            "count=8",         "interval=100",   "body_force=1000", "viscosity=0.05",
                            "film=1.2",        "repulsion=0.65", "comparisons=40"};
    uint64_t expected = 0;
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, std::make_shared<Geometry>(), "events", settings);
        std::vector<uint64_t> hashes{timeline.lab().state_hash()};
        std::vector<std::byte> before, profile = facet<Exporter>(timeline.lab()).array("profile").values;
        while (timeline.step()) {
            hashes.push_back(timeline.lab().state_hash());
            before = std::exchange(profile, facet<Exporter>(timeline.lab()).array("profile").values);
        }
        CHECK(profile == before);  // the last step was of no use
        const StepResult last = timeline.history().back();
        CHECK(contains(last.message.text(), "became unstable"));
        CHECK(last.ended == Level::kEnd);
        CHECK(last.round < 40);
        REQUIRE(last.round > 0);
        CHECK(facet<Checkable>(timeline.lab()).check().passed);
        const auto values = values_of<float>(timeline.lab(), "field");
        CHECK(*std::max_element(values.begin(), values.end()) > Emulsion::kThreshold);
        CHECK(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }));
        for (const size_t position : {hashes.size() / 2, hashes.size() - 1, size_t(3), hashes.size() - 2}) {
            timeline.seek(position);
            CHECK(timeline.lab().state_hash() == hashes[position]);
        }
        if (expected == 0) expected = hashes.back();
        CHECK(hashes.back() == expected);
        std::string told;
        auto lab = started(context, std::make_shared<Geometry>(), "events", settings);
        lab->finish([&](const StepResult& result) { told = result.message.text(); });
        CHECK(told == last.message.text());
        CHECK(lab->done());
        CHECK(lab->state_hash() == expected);
    });
}
