// sanitizers: none
// The lattice Boltzmann emulsion: the same densities as by another program in double precision, what its fluid
// conserves, flows and pressures with a known solution, and droplets that keep their shape and their distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "delaunay/runs.h"
#include "events/event_statistics.h"
#include "events/inputs.h"
#include "events/sources/flow_record.h"
#include "events/sources/source_emulsion.h"
#include "geometry/generators.h"
#include "lab/parameters.h"
using namespace flipscope;

namespace {

using Start = EmulsionFluid::Start;

/// Whether there is no time for thousands of steps: sanitizers see the same kernels in the other tests.
bool in_a_hurry() {
    if (case_count(1000) >= 250) return false;
    MESSAGE("skipped: it takes thousands of steps, and FLIPSCOPE_TEST_SCALE asks for less");
    return true;
}

SourceParameters small_emulsion(int vessel) {
    SourceParameters parameters{.kind = SourceParameters::kEmulsion, .vessel = vessel};
    parameters.width = 150, parameters.height = 98;  // no multiples of a vector
    parameters.count = 24;
    parameters.posts = 2;
    return parameters;
}

/// At rest everywhere, with these densities, and nothing that drives.
Start still(uint32_t width, uint32_t height, float first, float second) {
    Start start;
    start.width = width, start.height = height;
    const size_t pixels = size_t(width) * height;
    start.densities.assign(2 * pixels, first);
    std::fill(start.densities.begin() + static_cast<ptrdiff_t>(pixels), start.densities.end(), second);
    start.push.assign(height, {0, 0});
    start.walls.density[0] = first, start.walls.density[1] = second;
    return start;
}

/// Droplets where `depth` (pixels below the surface) is positive.
template <class Depth>
Start droplets_where(uint32_t width, uint32_t height, const Depth& depth) {
    Start start = still(width, height, Emulsion::kDense, Emulsion::kThin);
    const size_t pixels = size_t(width) * height;
    for (size_t k = 0; k < pixels; ++k) {
        const double share = 0.5 + 0.5 * std::tanh(depth(double(k % width), double(k / width)) / 1.5);
        const double step = Emulsion::kDense - Emulsion::kThin;
        start.densities[k] = static_cast<float>(Emulsion::kDense - step * share);
        start.densities[pixels + k] = static_cast<float>(Emulsion::kThin + step * share);
    }
    return start;
}

Start droplet(uint32_t side, double radius) {
    return droplets_where(side, side,
                          [&](double x, double y) { return radius - std::hypot(x - side / 2, y - side / 2); });
}

EmulsionFluid run_fluid(Context& context, const Start& start, size_t steps) {
    EmulsionFluid fluid;
    fluid.reset(context, start);
    for (size_t k = 0; k < steps; ++k) fluid.step(context);
    return fluid;
}

std::vector<float> emulsion_field(Source& source) { return source.field()->download(); }

std::vector<float> field_of(Context& context, EmulsionFluid& fluid) {
    Buffer<float> field;
    CHECK(fluid.show(context, field).unsound == 0);
    return field.download();
}

size_t count_droplets(const std::vector<float>& field, const Lattice& lattice) {
    return count_components(field, lattice, Emulsion::kThreshold);
}

/// Total masses in units of 2^-22, to which all densities are multiples; obstacles are left out.
std::array<int64_t, 2> masses_of(const EmulsionFluid& fluid) {
    const std::vector<float> all = fluid.densities();
    const std::vector<uint8_t> solid(fluid.obstacles().data, fluid.obstacles().data + fluid.obstacles().count);
    std::array<int64_t, 2> masses{};
    const size_t pixels = all.size() / 2;
    for (size_t k = 0; k < all.size(); ++k) {
        if (!solid.empty() && solid[k % pixels]) continue;
        const double units = std::ldexp(all[k], 22);
        CHECK(units == std::round(units));
        masses[k / pixels] += static_cast<int64_t>(units);
    }
    return masses;
}

/// (5, h, w) velocity along x and y, and the pressure tensor's xx, yy and xy.
std::vector<float> flow_of(Context& context, const EmulsionFluid& fluid) {
    FlowFields flow;
    fluid.show_flow(context, {}, flow);
    std::vector<float> all;
    for (size_t i = 0; i < FlowFields::kParts; ++i) {
        const std::vector<float> part = flow.fields[i].download();
        if (fluid.obstacles().count == 0) {
            CHECK(*std::min_element(part.begin(), part.end()) == flow.low[i]);
            CHECK(*std::max_element(part.begin(), part.end()) == flow.high[i]);
        }
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// Mean velocity: momentum over mass.
std::array<double, 2> drift_of(Context& context, const EmulsionFluid& fluid) {
    const std::vector<float> densities = fluid.densities(), flow = flow_of(context, fluid);
    const size_t pixels = densities.size() / 2;
    double mass = 0, x = 0, y = 0;
    for (size_t k = 0; k < pixels; ++k) {
        const double density = double(densities[k]) + densities[pixels + k];
        mass += density, x += density * flow[k], y += density * flow[pixels + k];
    }
    return {x / mass, y / mass};
}

/// The same model in the plainest way, in double precision: populations that are kept, and forces from a list of links.
class PlainFluid {
  public:
    explicit PlainFluid(const Start& start) : start_(start), w_(int(start.width)), h_(int(start.height)) {
        for (int c = 0; c < 2; ++c) {
            density_[c].resize(pixels());
            for (size_t k = 0; k < pixels(); ++k)
                density_[c][k] = solid(k) ? start.walls.density[c] : double(start.densities[size_t(c) * pixels() + k]);
            for (auto& way : f_[c]) way.assign(pixels(), 0);
            for (size_t k = 0; k < pixels(); ++k)
                for (int i = 0; i < 9; ++i) f_[c][i][k] = kWeights[i] * density_[c][k];
        }
    }
    void step() {
        for (int c = 0; c < 2; ++c) {
            auto moved = f_[c];
            for (int y = 0; y < h_; ++y)
                for (int x = 0; x < w_; ++x)
                    for (int i = 0; i < 9; ++i) {
                        const size_t to = at(x, y), from = at(x - kX[i], y - kY[i]);
                        if (solid(to)) continue;
                        const double wall = kX[i] > 0 ? start_.walls.left : kX[i] < 0 ? start_.walls.right : 0;
                        moved[i][to] = !solid(from)
                                           ? f_[c][i][from]
                                           : f_[c][kOpposite[i]][to] + 6 * kWeights[i] * density_[c][to] * kY[i] * wall;
                    }
            f_[c] = moved;
        }
        for (int c = 0; c < 2; ++c)
            for (size_t k = 0; k < pixels(); ++k)
                if (!solid(k)) {
                    density_[c][k] = 0;
                    for (int i = 0; i < 9; ++i) density_[c][k] += f_[c][i][k];
                }
        for (int y = 0; y < h_; ++y)
            for (int x = 0; x < w_; ++x) collide(x, y);
    }
    double density(int c, size_t k) const { return density_[c][k]; }
    size_t pixels() const { return size_t(w_) * size_t(h_); }

  private:
    static constexpr int kX[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kY[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static constexpr int kOpposite[] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    static constexpr double kWeights[] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    size_t at(int x, int y) const { return size_t((y + h_) % h_) * size_t(w_) + size_t((x + w_) % w_); }
    bool solid(size_t k) const { return !start_.obstacles.empty() && start_.obstacles[k]; }
    static double psi(double density) { return 0.83 * (1 - std::exp(-density / 0.83)); }

    void collide(int x, int y) {
        const size_t k = at(x, y);
        if (solid(k)) return;
        double force[2][2] = {}, momentum[2] = {};
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                const int length = dx * dx + dy * dy;
                const size_t other = at(x + dx, y + dy);
                const double far = length == 1   ? 4. / 63
                                   : length == 2 ? 4. / 135
                                   : length == 4 ? 1. / 180
                                   : length == 5 ? 2. / 945
                                   : length == 8 ? 1. / 15120
                                                 : 0;
                const double near = length == 1 ? 1. / 9 : length == 2 ? 1. / 36 : 0;
                for (int c = 0; c < 2; ++c) {
                    const double own = (start_.strengths.attraction[c] * near + start_.strengths.repulsion[c] * far) *
                                       psi(density_[c][k]) * psi(density_[c][other]);
                    const double between =
                        start_.strengths.between / (0.83 * 0.83) * near * density_[c][k] * density_[1 - c][other];
                    force[c][0] -= (own + between) * dx;
                    force[c][1] -= (own + between) * dy;
                }
            }
        }
        for (int c = 0; c < 2; ++c)
            for (int i = 0; i < 9; ++i) momentum[0] += kX[i] * f_[c][i][k], momentum[1] += kY[i] * f_[c][i][k];
        const double mass = density_[0][k] + density_[1][k];
        for (int c = 0; c < 2; ++c) {
            const double u = momentum[0] / mass + force[c][0] / density_[c][k] + start_.push[size_t(y)].x;
            const double v = momentum[1] / mass + force[c][1] / density_[c][k] + start_.push[size_t(y)].y;
            for (int i = 0; i < 9; ++i) {
                const double along = kX[i] * u + kY[i] * v;
                f_[c][i][k] =
                    kWeights[i] * density_[c][k] * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
            }
        }
    }

    Start start_;
    int w_, h_;
    std::vector<double> density_[2];
    std::array<std::vector<double>, 9> f_[2];
};

/// A channel along y with a wall of three pixels at its left.
Start channel(uint32_t width, uint32_t height, float first, float second) {
    Start start = still(width, height, first, second);
    start.obstacles.resize(size_t(width) * height);
    for (uint32_t k = 0; k < start.obstacles.size(); ++k) start.obstacles[k] = k % width < 3;
    return start;
}

}  // namespace

TEST_CASE("emulsion: densities are those of the same model in double precision, in a box and between walls that move") {
    const auto two = [](double x, double y) {
        return 6 - std::min(std::hypot(x - 11, y - 9), std::hypot(x - 24, y - 12));
    };
    Start box = droplets_where(33, 22, two), walls = box;
    for (size_t y = 0; y < 22; ++y) box.push[y] = {y < 11 ? 1e-5f : -1e-5f, 0};
    walls.obstacles.resize(size_t(33) * 22);
    for (size_t k = 0; k < walls.obstacles.size(); ++k) walls.obstacles[k] = k % 33 < 3;
    walls.walls = {{0.612f, 0.612f}, -0.02f, 0.03f};
    for (const Start& start : {box, walls}) {
        on_every_device([&](Context& context) {
            const EmulsionFluid fluid = run_fluid(context, start, 400);
            PlainFluid plain(start);
            for (int k = 0; k < 400; ++k) plain.step();
            const std::vector<float> found = fluid.densities();
            double worst = 0;
            for (int c = 0; c < 2; ++c)
                for (size_t k = 0; k < plain.pixels(); ++k)
                    worst = std::max(worst, std::fabs(found[size_t(c) * plain.pixels() + k] - plain.density(c, k)));
            CHECK(worst < 2e-4);
        });
    }
}

TEST_CASE("emulsion: neither fluid gains or loses anything, in a box, between posts and between walls that move") {
    Context context(DeviceRequest::kCpu, 2);
    for (const int drive : {int(SourceParameters::kStress), int(SourceParameters::kRate)}) {
        for (const int vessel : {int(SourceParameters::kPosts), int(SourceParameters::kBox)}) {
            SourceParameters parameters = small_emulsion(vessel);
            parameters.drive = drive;
            Emulsion source(context, parameters, {});
            const auto before = masses_of(source.fluid());
            source.advance(context, static_cast<uint32_t>(case_count(300)));
            CHECK(masses_of(source.fluid()) == before);
        }
    }
}

TEST_CASE("emulsion: momentum stays without a force, and grows by what the force gives") {
    Context context(DeviceRequest::kCpu, 2);
    Start start = droplets_where(48, 48, [](double x, double y) {
        return 8 - std::min(std::hypot(x - 13, y - 20), std::hypot(x - 33, y - 27));
    });
    const auto before = masses_of(run_fluid(context, start, 0));
    const EmulsionFluid resting = run_fluid(context, start, case_count(2000));
    CHECK(masses_of(resting) == before);
    const auto free = drift_of(context, resting);
    CHECK(std::fabs(free[0]) < 1e-7);
    CHECK(std::fabs(free[1]) < 1e-7);
    start.push.assign(48, {2e-5f, -1e-5f});
    const auto pushed = drift_of(context, run_fluid(context, start, 200));
    CHECK(pushed[0] == doctest::Approx(199.5 * 2e-5).epsilon(1e-4));  // half of the last step's force counts
    CHECK(pushed[1] == doctest::Approx(-199.5 * 1e-5).epsilon(1e-4));
}

TEST_CASE("emulsion: the greatest speed is that of the fastest pixel, also above 1") {
    Context context(DeviceRequest::kCpu, 1);
    Start start = still(8, 8, 0.5f, 0.5f);
    start.push.assign(8, {0, 1.5f});
    EmulsionFluid fluid = run_fluid(context, start, 1);
    Buffer<float> field("field");
    CHECK(fluid.show(context, field).greatest_speed == doctest::Approx(0.75));  // half of the force counts
    fluid.step(context);
    CHECK(fluid.show(context, field).greatest_speed == doctest::Approx(2.25));
}

TEST_CASE("emulsion: one fluid between walls flows as Poiseuille and Couette say, and its stress is the walls'") {
    if (in_a_hurry()) return;
    constexpr uint32_t kWidth = 24, kHeight = 8;
    constexpr double kWide = kWidth - 3, kViscosity = Emulsion::kViscosity, kPush = 1e-5, kSpeed = 0.02;
    on_every_device([&](Context& context) {
        for (const bool moving : {false, true}) {
            Start start = channel(kWidth, kHeight, 0.5f, 0.5f);
            start.strengths = {{0, 0}, {0, 0}, 0};
            if (moving)
                start.walls.left = -kSpeed, start.walls.right = kSpeed;
            else
                start.push.assign(kHeight, {0, kPush});
            EmulsionFluid fluid = run_fluid(context, start, 4000);
            const std::vector<float> flow = flow_of(context, fluid);
            const size_t pixels = size_t(kWidth) * kHeight;
            FlowRecord record;
            record.reset(context, 1, 0, 0);
            fluid.sample(context, 3, record.open(context));
            const FlowProfile profile = record.profile(1);
            REQUIRE(profile.points.size() == kWide);
            const double wall = moving ? kViscosity * 2 * kSpeed / kWide : 0.5 * kPush * kWide;
            CHECK(profile.stress == doctest::Approx(wall).epsilon(0.01));
            if (!moving) {
                CHECK(profile.local_stress == doctest::Approx(kPush * kWide / 4).epsilon(0.03));
                CHECK(profile.local_slope / kWide == doctest::Approx(profile.local_stress / kViscosity).epsilon(0.05));
            }
            for (uint32_t x = 3; x < kWidth; ++x) {
                const double from = x - 3 + 0.5, speed = flow[pixels + 3 * kWidth + x];
                const double middle = from / kWide - 0.5;
                const double expected = moving ? kSpeed * 2 * middle : kPush / (2 * kViscosity) * from * (kWide - from);
                const double greatest = moving ? kSpeed : kPush / (8 * kViscosity) * kWide * kWide;
                CHECK(std::fabs(speed - expected) < 0.01 * greatest);
                const double stress = moving ? kViscosity * 2 * kSpeed / kWide : -kPush * kWide * middle;
                CHECK(std::fabs(flow[4 * pixels + 3 * kWidth + x] + stress) < 1e-6);
                CHECK(profile.points[x - 3].speed == doctest::Approx(speed).epsilon(1e-4));
                CHECK(std::fabs(profile.points[x - 3].stress - stress) < 1e-6);
            }
        }
    });
}

TEST_CASE(
    "emulsion: one fluid in a box flows along x as its force says, and the profile across y is that of the rows") {
    if (in_a_hurry()) return;
    constexpr uint32_t kWidth = 6, kHeight = kProfileBins;
    constexpr double kViscosity = Emulsion::kViscosity, kPush = 1e-5, kTurn = 2 * 3.14159265358979;
    on_every_device([&](Context& context) {
        Start start = still(kWidth, kHeight, 0.5f, 0.5f);
        start.strengths = {{0, 0}, {0, 0}, 0};
        for (uint32_t y = 0; y < kHeight; ++y)
            start.push[y] = {static_cast<float>(kPush * std::sin(kTurn * (y + 0.5) / kHeight)), 0};
        EmulsionFluid fluid = run_fluid(context, start, 5000);
        FlowRecord record;
        record.reset(context, 1, 0, 0);
        fluid.sample(context, kHeight * 3 / 4, record.open(context));
        const FlowProfile profile = record.profile();
        REQUIRE(profile.points.size() == kHeight);
        // Of a force f sin qy: the speed f sin qy/νq², and the stress f cos qy/q at a density of 1.
        const double q = kTurn / kHeight, speed = kPush / (kViscosity * q * q), stress = kPush / q;
        for (const ProfilePoint& at : profile.points) {
            CHECK(std::fabs(at.speed * profile.unit - speed * std::cos(kTurn * at.place)) < 0.01 * speed);
            CHECK(std::fabs(at.stress + stress * std::sin(kTurn * at.place)) < 0.01 * stress);
        }
        // Means over a quarter of the height.
        CHECK(profile.local_stress == doctest::Approx(stress * 4 / kTurn * std::sqrt(2)).epsilon(0.01));
        CHECK(profile.local_slope / kHeight == doctest::Approx(profile.local_stress / kViscosity).epsilon(0.03));
    });
}

TEST_CASE("emulsion: mean fields are those of the samples in the window, with errors from blocks, also after loading") {
    constexpr size_t kSamples = 11, kParts = FlowFields::kParts;
    on_every_device([&](Context& context) {
        Start start = droplets_where(24, 20, [](double x, double y) { return 7 - std::hypot(x - 12, y - 10); });
        start.push.assign(20, {1e-4f, 2e-4f});
        struct Window {
            uint64_t length;
            size_t first, each;  // sample; samples per block
        };
        for (const auto& [length, first, each] : {Window{0, 0, 2}, Window{6, 5, 1}}) {
            EmulsionFluid fluid = run_fluid(context, start, 0);
            FlowRecord record;
            record.reset(context, 1, 0, 0);
            SumsOverTime means, loaded;
            for (SumsOverTime* one : {&means, &loaded}) one->reset(context, kParts * 24 * 20, 8, 1, 0, length);
            std::vector<std::vector<float>> flows;
            FlowFields shown;
            for (size_t sample = 0; sample < kSamples; ++sample) {
                CHECK(means.due(sample));
                for (int k = 0; k < 20; ++k) fluid.step(context);
                fluid.sample(context, 0, record.open(context), means.open(context));
                flows.push_back(flow_of(context, fluid));
                if (sample == 0) fluid.show_flow(context, means, shown);
                Snapshot snapshot;
                means.save(snapshot);
                loaded.load(context, snapshot, 0);
                std::swap(means, loaded);
            }
            CHECK(shown.fields[2 * kParts - 1].size() == 24 * 20);
            CHECK(shown.fields.back().empty());  // one block has no error
            fluid.show_flow(context, means, shown);
            CHECK(shown.from == first);
            CHECK(shown.to == kSamples - 1);
            double greatest = 0;
            for (size_t part = 0; part < kParts; ++part) {
                const std::vector<float> mean = shown.fields[kParts + part].download(),
                                         error = shown.fields[2 * kParts + part].download();
                REQUIRE(error.size() == 24 * 20);
                CHECK(shown.low[kParts + part] == *std::min_element(mean.begin(), mean.end()));
                for (size_t k = 0; k < mean.size(); ++k) {
                    const auto mean_of = [&](size_t from, size_t to) {
                        double sum = 0;
                        for (size_t i = from; i < to; ++i) sum += flows[i][part * mean.size() + k];
                        return sum / double(to - from);
                    };
                    std::vector<double> blocks;
                    for (size_t i = first; i + each <= kSamples; i += each) blocks.push_back(mean_of(i, i + each));
                    const double expected = mean_by_blocks(std::span<const double>(blocks)).error;
                    greatest = std::max(greatest, expected);
                    REQUIRE(std::fabs(mean[k] - mean_of(first, kSamples)) < 1e-7);
                    REQUIRE(std::fabs(error[k] - expected) < 1e-3 * expected + 1e-8);
                }
            }
            CHECK(greatest > 1e-4);
        }
    });
}

TEST_CASE("emulsion: the pressure in droplets of five radii follows Laplace's law, and they are round") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    std::vector<double> tension;
    for (const double radius : {8., 10., 12., 14., 16.}) {
        EmulsionFluid fluid = run_fluid(context, droplet(56, radius), 3000);
        const std::vector<float> flow = flow_of(context, fluid), values = field_of(context, fluid);
        const size_t pixels = values.size();
        const auto pressure = [&](size_t pixel) {
            CHECK(flow[2 * pixels + pixel] == doctest::Approx(flow[3 * pixels + pixel]).epsilon(1e-4));  // isotropic
            return 0.5 * (double(flow[2 * pixels + pixel]) + flow[3 * pixels + pixel]);
        };
        double mass = 0, xx = 0, yy = 0, xy = 0;
        const double outside = values[0], inside = values[28 * 56 + 28];
        for (size_t k = 0; k < pixels; ++k) {
            const double x = double(k % 56) - 28, y = double(k / 56) - 28, share = (values[k] - outside);
            mass += share, xx += share * x * x, yy += share * y * y, xy += share * x * y;
        }
        const double found = std::sqrt(mass / (inside - outside) / 3.14159265);
        CHECK(found == doctest::Approx(radius).epsilon(0.05));
        CHECK(xx == doctest::Approx(yy).epsilon(0.001));
        CHECK(std::fabs(xy) < 0.001 * xx);
        tension.push_back((pressure(28 * 56 + 28) - pressure(0)) * found);
    }
    double mean = 0;
    for (const double one : tension) mean += one / 5;
    for (const double one : tension) CHECK(one == doctest::Approx(mean).epsilon(0.03));
    CHECK(mean == doctest::Approx(0.0505).epsilon(0.02));
}

TEST_CASE("emulsion: the film between two flat droplets resists thinning: the disjoining pressure is positive") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 1);
    // γ(h) = ∫ (normal − tangential pressure) across a film of thickness h, and dγ = h dΠ.
    std::vector<std::pair<double, double>> films;
    for (const uint32_t width : {33u, 34u, 35u, 36u, 37u, 38u, 40u, 42u, 44u, 48u, 56u}) {
        EmulsionFluid fluid = run_fluid(
            context, droplets_where(width, 5, [&](double x, double) { return 15 - std::fabs(x - 15); }), 6000);
        const std::vector<float> flow = flow_of(context, fluid), values = field_of(context, fluid);
        const size_t pixels = size_t(width) * 5, row = 2 * size_t(width);
        const auto normal = [&](size_t x) { return flow[2 * pixels + row + x]; };
        double tension = 0, thickness = 0;
        for (uint32_t x = 0; x < width; ++x) {
            tension += double(normal(x)) - flow[3 * pixels + row + x];
            const double here = values[row + x], next = values[row + (x + 1) % width];
            const double t = (Emulsion::kThreshold - here) / (next - here);  // the surface lies between pixels
            if (here < Emulsion::kThreshold)
                thickness += next < Emulsion::kThreshold ? 1 : t;
            else if (next < Emulsion::kThreshold)
                thickness += 1 - t;
        }
        films.push_back({thickness, tension});
        if (width > 44) CHECK(normal(15) == doctest::Approx(normal(30 + (width - 30) / 2)).epsilon(1e-3));
    }
    // The table of docs/labs/emulsion.md.
    const std::vector<std::pair<double, double>> table{{4.2, 2.5e-3}, {5.1, 6.5e-4}, {6.1, 0},   {7.0, 0},  {8.0, 7e-5},
                                                       {9.0, 8e-5},   {11, 6e-5},    {13, 5e-5}, {15, 3e-5}};
    double pressure = 0;
    for (size_t k = films.size() - 1; k > 0; --k) {
        pressure += (films[k - 1].second - films[k].second) / (0.5 * (films[k].first + films[k - 1].first));
        if (k > table.size()) continue;
        CHECK(std::fabs(films[k - 1].first - table[k - 1].first) < 0.1);
        CHECK(std::fabs(pressure - table[k - 1].second) < std::max(1e-5, 0.02 * table[k - 1].second));
    }
    CHECK(films.front().second == doctest::Approx(1.12 * films.back().second).epsilon(0.01));
}

TEST_CASE("emulsion: with 4 % less of both fluids the tension of a flat interface is 17 % lower") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 1);
    const auto tension = [&](float of_density) {
        Start start = droplets_where(96, 5, [](double x, double) { return 24 - std::fabs(x - 48); });
        for (float& density : start.densities) density *= of_density;
        const std::vector<float> flow = flow_of(context, run_fluid(context, start, 6000));
        double sum = 0;
        for (size_t k = 0; k < 96 * 5; ++k) sum += double(flow[2 * 96 * 5 + k]) - flow[3 * 96 * 5 + k];
        return sum / 5 / 2;  // of two interfaces
    };
    CHECK(tension(1) == doctest::Approx(0.05).epsilon(0.01));
    CHECK(tension(0.961f) == doctest::Approx(0.0415).epsilon(0.01));
}

TEST_CASE("emulsion: a droplet of radius 8 keeps its area, and two side by side stay two") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    EmulsionFluid one = run_fluid(context, droplet(40, 8), 1000);
    const auto area = [&] {
        const std::vector<float> values = field_of(context, one);
        return std::count_if(values.begin(), values.end(), [](float v) { return v > Emulsion::kThreshold; });
    };
    const double before = static_cast<double>(area());
    for (size_t k = 0; k < case_count(10000); ++k) one.step(context);
    CHECK(static_cast<double>(area()) == doctest::Approx(before).epsilon(0.05));
    EmulsionFluid two = run_fluid(
        context,
        droplets_where(
            72, 40,
            [](double x, double y) { return 10 - std::min(std::hypot(x - 25, y - 20), std::hypot(x - 47, y - 20)); }),
        3000);
    CHECK(count_droplets(field_of(context, two), {72, 40, true}) == 2);
}

TEST_CASE("emulsion: walls and posts let nothing through, and nothing of them is drawn") {
    Context context(DeviceRequest::kCpu, 2);
    // Two chambers with a wall of three pixels between them, on a torus: the fluids keep to their own.
    Start start = still(30, 12, 1, 0.001f);
    const size_t pixels = start.densities.size() / 2;
    start.obstacles.resize(pixels);
    for (size_t k = 0; k < pixels; ++k) {
        const size_t x = k % 30;
        start.obstacles[k] = x < 3 || (x >= 15 && x < 18);
        if (x > 15) start.densities[k] = 0.001f, start.densities[pixels + k] = 1;
    }
    start.push.assign(12, {1e-4f, 1e-4f});
    EmulsionFluid fluid = run_fluid(context, start, 500);
    const std::vector<float> values = field_of(context, fluid);
    for (size_t k = 0; k < pixels; ++k) {
        if (start.obstacles[k])
            CHECK(values[k] == 0);
        else
            CHECK((k % 30 < 15 ? values[k] < 0.01f : values[k] > 0.8f));
    }
}

TEST_CASE("emulsion: droplets flow with the drive that is asked for, and keep apart") {
    if (in_a_hurry()) return;
    Context context(DeviceRequest::kCpu, 2);
    const auto drive_text = [&](SourceParameters parameters) {
        Emulsion source(context, parameters, {});
        const Lattice lattice = source.lattice();
        CHECK(count_droplets(emulsion_field(source), lattice) == 24);
        source.advance(context, 3000);
        CHECK(count_droplets(emulsion_field(source), lattice) == 24);
        CHECK(source.greatest_speed().value() < 0.05);
        return source.profile();
    };
    SourceParameters parameters = small_emulsion(SourceParameters::kPosts);
    parameters.posts = 0;
    const FlowProfile pushed = drive_text(parameters);
    REQUIRE(pushed.points.size() > 40);
    for (const ProfilePoint& point : pushed.points)
        if (std::fabs(point.place) < 0.1) CHECK(point.speed == doctest::Approx(1).epsilon(0.3));
    CHECK(pushed.middle > 0);
    parameters.drive = SourceParameters::kRate;
    const FlowProfile sheared = drive_text(parameters);
    REQUIRE(sheared.points.size() > 40);
    CHECK(sheared.walls_move);
    CHECK(sheared.points.front().speed < -0.6);
    CHECK(sheared.points.back().speed > 0.6);
    CHECK(sheared.stress > 0);
    parameters.drive = SourceParameters::kNothing;
    const FlowProfile still = drive_text(parameters);
    CHECK(std::fabs(still.middle) < 1e-3);
}

TEST_CASE("emulsion: the usual stress of a channel is lower where a dilute emulsion would flow fast") {
    Context context(DeviceRequest::kCpu, 1);
    SourceParameters parameters = small_emulsion(SourceParameters::kPosts);
    parameters.drive = SourceParameters::kStress;
    parameters.width = 600, parameters.height = 64, parameters.posts = 0;
    const auto stress = [&](int count, double packing) {
        parameters.count = count, parameters.packing = packing;
        return Emulsion(context, parameters, {}).description().stress;
    };
    CHECK(stress(80, 0.9) == doctest::Approx(2e-4));
    // One fluid would reach Σ W/(4ρν) = 0.08 at 597 pixels with that stress, and reaches 0.04.
    CHECK(stress(4, 0.02) == doctest::Approx(0.04 * 4 * 1.51 / 6 / 597).epsilon(0.05));
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
    const Settings settings{"source=emulsion", "vessel=channel", "width=96",       "height=64",     "count=8",
                            "interval=100",    "stress=0.2",     "comparisons=40", "mean_fields=on"};
    uint64_t expected = 0;
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, std::make_shared<Geometry>(), "events", settings);
        std::vector<uint64_t> hashes{timeline.lab().state_hash()};
        const auto means_now = [&] {
            const auto& exporter = facet<Exporter>(timeline.lab());
            return std::pair(exporter.array("profile").values, exporter.array("mean-velocity").values);
        };
        auto means = means_now(), before = means;
        CHECK(means.second.empty());
        while (timeline.step()) {
            hashes.push_back(timeline.lab().state_hash());
            before = std::exchange(means, means_now());
        }
        CHECK(means == before);  // the last step was of no use
        CHECK(means.second.size() == 96 * 64 * 2 * sizeof(float));
        CHECK(number_of(timeline.lab(), "mean fields to") == number_of(timeline.lab(), "flow mean to"));
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
        timeline.seek(hashes.size() - 1);
        CHECK(means_now() == means);
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
