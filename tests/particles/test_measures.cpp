// Measures against their definitions, computed by brute force, and on states with known values.
#include "particles/measures.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <vector>

#include "compute/portable_math.h"
#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

constexpr double kSqrt3 = std::numbers::sqrt3;

/// Clusters by visiting contacts one after the other.
struct Visited {
    std::vector<uint32_t> labels, sizes;
};
Visited visit_clusters(const TorusState& torus, double contact) {
    const auto n = static_cast<uint32_t>(torus.count());
    std::vector<std::vector<uint32_t>> links(n);
    for (const TorusState::Edge& e : torus.edges())
        if (e.length() < contact * torus.mean_diameter(e.from, e.to)) {
            links[e.from].push_back(e.to);
            links[e.to].push_back(e.from);
        }
    Visited result;
    result.labels.assign(n, kNone);
    result.sizes.assign(n, 0);
    for (uint32_t first = 0; first < n; ++first) {
        if (result.labels[first] != kNone) continue;
        std::vector<uint32_t> open{first};
        result.labels[first] = first;
        while (!open.empty()) {
            const uint32_t i = open.back();
            open.pop_back();
            ++result.sizes[first];
            for (const uint32_t to : links[i])
                if (result.labels[to] == kNone) {
                    result.labels[to] = first;
                    open.push_back(to);
                }
        }
    }
    return result;
}

/// Every measure of the state against its definition.
void check_by_force(Context& context, const TorusState& torus, double contact) {
    ParticleMeasures measures;
    measures.measure(context, torus.state(), contact);
    const auto n = static_cast<uint32_t>(torus.count());
    REQUIRE(measures.count() == n);

    std::vector<uint32_t> degrees(n, 0);
    std::vector<std::complex<double>> orders(n);
    for (const TorusState::Edge& e : torus.edges()) {
        const double angle = std::atan2(e.step.y, e.step.x);
        for (const uint32_t end : {e.from, e.to}) {
            ++degrees[end];
            orders[end] += std::polar(1.0, 6 * angle);
        }
    }
    CHECK(measures.degrees().download() == degrees);
    CHECK(count_edges(context, torus.state()) == torus.edges().size());
    const std::vector<Point> complex_orders = measures.bond_orders().download();
    const std::vector<double> lengths = measures.bond_lengths().download(), nearest = measures.nearest().download();
    double worst_order = 0, worst_nearest = 0;
    for (uint32_t i = 0; i < n; ++i) {
        orders[i] /= degrees[i];
        worst_order =
            std::max({worst_order, std::abs(orders[i] - std::complex(complex_orders[i].x, complex_orders[i].y)),
                      std::abs(lengths[i] - std::abs(orders[i]))});
        double least = torus.own_image();
        for (uint32_t k = 0; k < n; ++k)
            if (k != i) least = std::min(least, torus.distance(i, k));
        worst_nearest = std::max(worst_nearest, std::abs(nearest[i] - least) / least);
    }
    CHECK(worst_order < 1e-9);
    CHECK(worst_nearest < 1e-12);

    const Visited visited = visit_clusters(torus, contact);
    CHECK(measures.clusters().download() == visited.labels);
    const std::vector<uint32_t> sizes = measures.cluster_sizes().download();
    size_t wrong_sizes = 0;
    for (uint32_t i = 0; i < n; ++i) wrong_sizes += sizes[i] != visited.sizes[visited.labels[i]];
    CHECK(wrong_sizes == 0);

    const uint32_t largest = *std::max_element(visited.sizes.begin(), visited.sizes.end());
    CHECK(measures.largest_share() == doctest::Approx(double(largest) / n));
    std::vector<uint32_t> of_clusters;
    for (const uint32_t size : visited.sizes)
        if (size) of_clusters.push_back(size);
    CHECK(measures.sizes_of_clusters() == of_clusters);
}

}  // namespace

TEST_CASE("measures: degrees, bond order, nearest distances and clusters are those of their definitions") {
    on_every_device([](Context& context) {
        for (uint32_t count = 1; count < 12; ++count) {
            CAPTURE(count);
            for (const double contact : {0.5, 1.5, 3.0})
                check_by_force(context, TorusState(context, 4, random_places(count, 4, count)), contact);
        }
        for (const double contact : {0.3, 0.8, 1.0, 1.1, 1.4}) {
            CAPTURE(contact);
            check_by_force(context, TorusState(context, 25, random_places(600, 25, 5)), contact);
        }
        std::vector<uint8_t> species(300);
        for (size_t i = 0; i < species.size(); ++i) species[i] = uint8_t(i % 3);
        check_by_force(context, TorusState(context, 20, random_places(300, 20, 9), species, {0.8, 1, 1.4}), 1.1);
        check_by_force(context, TorusState(context, 8, lattice_places(8, 8, 8, false)), 1.01);
        check_by_force(context, TorusState(context, 8, lattice_places(8, 8, 8, false)), 0.99);
        check_by_force(context, TorusState(context, 26, lattice_places(26, 30, 26, true)), 1.1);
        // All on one line, along a side and across.
        std::vector<Point> row, diagonal, cluster;
        for (uint32_t i = 0; i < 30; ++i) {
            row.push_back({i / 2., 3});
            diagonal.push_back({i / 4., i / 2.});
            const RandomPair u = random_pair(3, i);
            cluster.push_back({7 + u.first / 1000, 2 + u.second / 1000});
        }
        for (const auto& places : {row, diagonal, cluster})
            for (const double contact : {0.2, 0.52, 1.1})
                check_by_force(context, TorusState(context, 15, places), contact);
        // In channels, between the walls.
        for (const Cylinder& channel : kCylinders)
            for (const uint32_t count : {1u, 2u, 3u, 7u, 150u}) {
                INFO(channel.lengths.x, " x ", channel.lengths.y, ", ", count);
                check_by_force(context,
                               TorusState(context, channel.box(), random_places(count, channel.lengths, count)), 1.1);
            }
    });
}

TEST_CASE("measures: of no particles nothing is measured") {
    on_every_device([](Context& context) {
        const TorusState none(context, 3, {});
        ParticleMeasures measures;
        measures.measure(context, none.state());
        CHECK(measures.count() == 0);
        CHECK(measures.largest_share() == 0);
        CHECK(measures.sizes_of_clusters().empty());
        Buffer<float> scalars("scalars");
        measures.write_scalars(context, ParticleMeasures::Quantity::kDegree, scalars);
        CHECK(scalars.empty());
    });
}

TEST_CASE("measures: all are the same to the bit on every device, and where all particles are shifted by a grid step") {
    std::vector<double> lengths;
    std::vector<uint32_t> labels;
    on_every_device([&](Context& context) {
        const TorusState torus(context, 40, random_places(3000, 40, 77));
        ParticleMeasures measures;
        for (int times = 0; times < 3; ++times) {
            measures.measure(context, torus.state(), 0.7);
            if (lengths.empty()) {
                lengths = measures.bond_lengths().download();
                labels = measures.clusters().download();
            }
            CHECK(measures.bond_lengths().download() == lengths);
            CHECK(measures.clusters().download() == labels);
        }
        // Differences of places are exact, so a shift of all of them, across the border too, changes no measure.
        std::vector<Point> shifted = torus.places();
        for (Point& p : shifted) p = {p.x + 13.25, p.y + 31.5};
        measures.measure(context, TorusState(context, 40, shifted).state(), 0.7);
        CHECK(measures.bond_lengths().download() == lengths);
        CHECK(measures.clusters().download() == labels);
    });
}

TEST_CASE("measures: what layers are coloured by are the measures, as floats, and speeds are moves by time") {
    on_every_device([](Context& context) {
        const TorusState torus(context, 10, random_places(50, 10, 4));
        ParticleMeasures measures;
        measures.measure(context, torus.state());
        Buffer<float> scalars("scalars");
        using Quantity = ParticleMeasures::Quantity;
        const auto is_near = [&](Quantity quantity, const auto& values) {
            measures.write_scalars(context, quantity, scalars);
            const std::vector<float> written = scalars.download();
            REQUIRE(written.size() == values.size());
            for (size_t i = 0; i < written.size(); ++i) CHECK(written[i] == static_cast<float>(values[i]));
        };
        is_near(Quantity::kDegree, measures.degrees().download());
        is_near(Quantity::kBondOrder, measures.bond_lengths().download());
        is_near(Quantity::kNearest, measures.nearest().download());
        is_near(Quantity::kClusterSize, measures.cluster_sizes().download());

        const std::vector<Point> moves{{3, 4}, {0, 0}, {-0.5, 0}};
        Buffer<Point> given("moves");
        Buffer<double> speeds("speeds");
        given.upload(context, moves.data(), moves.size());
        measure_speeds(context, given.view(), 0.5, speeds);
        CHECK(speeds.download() == std::vector<double>{10, 0, 1});
    });
}

TEST_CASE("pair correlation: pairs are counted as by force, and once each, across the border too") {
    on_every_device([](Context& context) {
        for (const auto& [count, sides, reach] : {std::tuple{400u, Point{30, 30}, 0.0},
                                                  {300u, {9, 9}, 0.0},
                                                  {7u, {3, 3}, 0.0},
                                                  {2u, {5, 5}, 0.0},
                                                  {200u, {40, 40}, 3.0},
                                                  {100u, {10, 10}, 99.0},
                                                  {300u, {30, 12}, 0.0},
                                                  {300u, {2, 150}, 0.0},
                                                  {90u, {100, 9}, 3.0}}) {
            INFO("count ", count, ", sides.x ", sides.x);
            const TorusBox box = TorusBox::of(sides);
            const TorusState torus(context, sides, random_places(count, sides, count));
            const PairCorrelation g = pair_correlation(context, box, torus.state().positions, 40, reach);
            REQUIRE(g.values.size() == 40);
            CHECK(g.width * 40 == doctest::Approx(reach == 3.0 ? 3 : std::min(8.0, box.shorter() / 2)));
            std::vector<uint64_t> pairs(40, 0);
            for (size_t i = 0; i < count; ++i)
                for (size_t k = 0; k < i; ++k) {
                    const double r = torus.distance(i, k);
                    if (r < g.width * 40) ++pairs[std::min<size_t>(39, static_cast<size_t>(r / g.width))];
                }
            CHECK(g.pairs == pairs);
        }
        const TorusState two(context, 5, random_places(2, 5, 1));
        const TorusBox box = two.box();
        CHECK(pair_correlation(context, box, two.state().positions.first(1)).values.empty());
        CHECK(pair_correlation(context, box, two.state().positions.first(0)).values.empty());
    });
}

TEST_CASE("pair correlation: 1 for random places at every distance, and peaks at the distances of a lattice") {
    Context context(DeviceRequest::kCpu, 2);
    const auto count = static_cast<uint32_t>(case_count(20000));
    const double side = std::sqrt(double(count));
    const TorusBox box = TorusBox::of(side);
    std::vector<Point> places = random_places(count, box.sides.x, 8);
    const PairCorrelation g = pair_correlation(context, box, {places.data(), places.size()}, 80);
    size_t far_off = 0;
    for (size_t k = 0; k < 80; ++k) {
        const double expected =
            0.5 * count * (count - 1.) * std::numbers::pi * double(2 * k + 1) * g.width * g.width / box.area();
        far_off += std::abs(double(g.pairs[k]) - expected) > 5 * std::sqrt(expected) + 5;
        CHECK(g.values[k] == doctest::Approx(double(g.pairs[k]) / expected));
    }
    CHECK(far_off == 0);

    const std::vector<Point> lattice = lattice_places(40, 40, 40, false);
    const PairCorrelation peaks = pair_correlation(context, TorusBox::of(40), {lattice.data(), lattice.size()}, 160);
    CHECK(peaks.width == 0.05);
    std::set<size_t> expected;
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            if (x + y > 0 && x * x + y * y < 64) expected.insert(size_t(std::sqrt(x * x + y * y) / peaks.width));
    for (size_t k = 0; k < 160; ++k) CHECK((peaks.values[k] > 0) == (expected.count(k) > 0));
    CHECK(peaks.pairs[20] == 1600 * 4 / 2);  // the four nearest
    CHECK(peaks.middle(20) == doctest::Approx(1.025));
}

TEST_CASE("mean-squared displacement: the variance of the noise is that of its numbers") {
    CHECK(noise_variance(NoiseTails::kClamped) == doctest::Approx(0.9950073).epsilon(1e-6));
    CHECK(noise_variance(NoiseTails::kRerolled) == doctest::Approx(0.9733369).epsilon(1e-6));
    for (const NoiseTails noise : {NoiseTails::kClamped, NoiseTails::kRerolled}) {
        // The midpoint rule over the uniform number that it is made from.
        double sum = 0;
        for (int k = 0; k < 100000; ++k) {
            const double z = bounded_normal((k + 0.5) / 100000, noise == NoiseTails::kRerolled);
            sum += z * z / 100000;
        }
        CHECK(noise_variance(noise) == doctest::Approx(sum).epsilon(1e-6));
    }
}

TEST_CASE("mean-squared displacement: passive particles gain 2DΔt a step, active ones as long as they keep direction") {
    ParticleModel model{.dt = 0.05, .diffusion = 0.02};
    CHECK(expected_squared_displacement(model, 0) == 0);
    CHECK(expected_squared_displacement(model, 1000) ==
          doctest::Approx(1000 * 2 * 0.02 * 0.05 * noise_variance(NoiseTails::kClamped)));
    model.diffusion = 0;
    model.speed = 2;
    CHECK(expected_squared_displacement(model, 1) == doctest::Approx(0.01));
    CHECK(expected_squared_displacement(model, 1000) == doctest::Approx(100.0 * 100));  // straight on
    // Hardly turning and turning a little join without a step; a long run has the diffusion V² / D of the paper's
    // model.
    model.rotation = 1e-9;
    CHECK(expected_squared_displacement(model, 1000) == doctest::Approx(100.0 * 100).epsilon(1e-6));
    model.rotation = 1;
    const double ten = expected_squared_displacement(model, 10000000);
    CHECK(ten == doctest::Approx(2 * 4 / 1.0 * 500000).epsilon(0.04));  // Δt is not small, and the noise is clamped

    // Against walks, whose steps are those of equations 10 and 11.
    for (const NoiseTails noise : {NoiseTails::kClamped, NoiseTails::kRerolled}) {
        model.noise = noise;
        model.diffusion = 0.5;
        model.rotation = 4;
        const size_t walks = case_count(4000);
        const uint64_t steps = 25;
        double sum = 0, squares = 0;
        for (size_t walk = 0; walk < walks; ++walk) {
            double x = 0, y = 0, angle = 0;
            for (uint64_t step = 0; step < steps; ++step) {
                const NormalPair z = normal_pair(walk, step, noise == NoiseTails::kRerolled);
                const NormalPair turn = normal_pair(~walk, step, noise == NoiseTails::kRerolled);
                x += model.speed * model.dt * std::cos(angle) + std::sqrt(model.diffusion * model.dt) * z.first;
                y += model.speed * model.dt * std::sin(angle) + std::sqrt(model.diffusion * model.dt) * z.second;
                angle += std::sqrt(2 * model.rotation * model.dt) * turn.first;
            }
            sum += x * x + y * y;
            squares += (x * x + y * y) * (x * x + y * y);
        }
        const double mean = sum / double(walks),
                     error = std::sqrt((squares / double(walks) - mean * mean) / double(walks));
        CHECK(std::abs(expected_squared_displacement(model, steps) - mean) < 4 * error);
    }
}
