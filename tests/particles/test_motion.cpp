// Means over all time origins, against their definitions written out, and against free Brownian motion.
#include "particles/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "particles/states.h"
#include "test_support.h"

using namespace flipscope;

namespace {

std::vector<const std::vector<Point>*> pointers_to(const std::vector<std::vector<Point>>& frames) {
    std::vector<const std::vector<Point>*> pointers;
    for (const auto& frame : frames) pointers.push_back(&frame);
    return pointers;
}

using Pairs = std::set<std::pair<uint32_t, uint32_t>>;
NeighbourRows rows_of(const Pairs& pairs, uint32_t count) {
    NeighbourRows rows;
    for (uint32_t a = 0; a < count; ++a) {
        rows.starts.push_back(static_cast<uint32_t>(rows.neighbours.size()));
        for (uint32_t b = 0; b < count; ++b)
            if (pairs.count({std::min(a, b), std::max(a, b)})) rows.neighbours.push_back(b);
    }
    rows.starts.push_back(static_cast<uint32_t>(rows.neighbours.size()));
    return rows;
}

/// Random pairs of which about a fifth change from frame to frame.
std::vector<Pairs> flickering_pairs(size_t frames, uint32_t count) {
    std::vector<Pairs> all(1);
    uint64_t draws = 0;
    const auto below = [&](double share) { return random_pair(23, draws++).first < share; };
    for (size_t frame = 0; frame < frames; ++frame) {
        Pairs next;
        for (uint32_t a = 0; a < count; ++a)
            for (uint32_t b = a + 1; b < count; ++b) {
                const bool was = all.back().count({a, b});
                if (frame == 0 ? below(0.4) : was ? below(0.85) : below(0.1)) next.insert({a, b});
            }
        frame == 0 ? all.front() = next : *all.insert(all.end(), next);
    }
    return all;
}

}  // namespace

TEST_CASE("motion: displacements, scattering, neighbours and cages are the means of their definitions") {
    constexpr uint32_t kCount = 9;
    constexpr size_t kFrames = 70;
    const std::vector<Pairs> pairs = flickering_pairs(kFrames, kCount);
    std::vector<std::vector<Point>> frames;
    std::vector<NeighbourRows> rows;
    for (size_t f = 0; f < kFrames; ++f) {
        frames.push_back(random_places(kCount, 3, 100 + f));
        rows.push_back(rows_of(pairs[f], kCount));
    }
    const std::vector<uint8_t> held{0, 0, 1, 0, 0, 0, 2, 0, 0};
    const MotionCurves curves = motion_over_origins(pointers_to(frames), rows, held, 1.7);
    std::vector<size_t> lags;
    for (size_t lag = 1; lag < kFrames; ++lag)
        if (lag < 32 || (lag < 64 && lag % 2 == 0) || lag % 4 == 0) lags.push_back(lag);
    REQUIRE(curves.lags == lags);
    for (size_t k = 0; k < lags.size(); ++k) {
        double x = 0, y = 0, scattering = 0, had = 0, kept = 0, caged = 0, terms = 0, cages = 0;
        for (size_t f = 0; f + lags[k] < kFrames; ++f)
            for (uint32_t i = 0; i < kCount; ++i) {
                if (held[i]) continue;
                const Point from = frames[f][i], to = frames[f + lags[k]][i];
                ++terms;
                x += std::pow(to.x - from.x, 2);
                y += std::pow(to.y - from.y, 2);
                scattering += 0.5 * std::cos(1.7 * (to.x - from.x)) + 0.5 * std::cos(1.7 * (to.y - from.y));
                double own = 0, own_kept = 0;
                for (const auto& pair : pairs[f]) {
                    if (pair.first != i && pair.second != i) continue;
                    ++own;
                    own_kept += double(pairs[f + lags[k]].count(pair));
                }
                had += own;
                kept += own_kept;
                cages += own > 0;
                caged += own > 0 && own_kept > own / 2;
            }
        CHECK(curves.origins[k] == kFrames - lags[k]);
        CHECK(curves.displacement[k].x == doctest::Approx(x / terms).epsilon(1e-12));
        CHECK(curves.displacement[k].y == doctest::Approx(y / terms).epsilon(1e-12));
        CHECK(curves.scattering[k] == doctest::Approx(scattering / terms).epsilon(1e-9));
        CHECK(curves.neighbours[k] == doctest::Approx(kept / had).epsilon(1e-12));
        CHECK(curves.cages[k] == doctest::Approx(caged / cages).epsilon(1e-12));
    }
}

TEST_CASE("motion: lasting pairs are the runs of frames in which two are neighbours") {
    constexpr uint32_t kCount = 7;
    const std::vector<Pairs> pairs = flickering_pairs(25, kCount);
    std::vector<NeighbourRows> rows;
    for (const Pairs& frame : pairs) rows.push_back(rows_of(frame, kCount));
    std::vector<NeighbourPair> expected;
    for (uint32_t a = 0; a < kCount; ++a)
        for (uint32_t b = a + 1; b < kCount; ++b)
            for (size_t begin = 0; begin < pairs.size(); ++begin) {
                if (!pairs[begin].count({a, b}) || (begin > 0 && pairs[begin - 1].count({a, b}))) continue;
                size_t end = begin;
                while (end < pairs.size() && pairs[end].count({a, b})) ++end;
                expected.push_back({a, b, begin, end});
            }
    std::sort(expected.begin(), expected.end(), [](const NeighbourPair& p, const NeighbourPair& q) {
        return std::tie(p.end, p.a, p.b) < std::tie(q.end, q.a, q.b);
    });
    CHECK(lasting_pairs(rows) == expected);
    CHECK(expected.size() > 20);
    CHECK(lasting_pairs({}).empty());
    CHECK(motion_over_origins({}, {}, {}, 1).lags.empty());
}

TEST_CASE("motion: free Brownian discs have the displacement 4 D t and the scattering exp(-k² D t)") {
    Context context(DeviceRequest::kCpu, 2);
    ParticleModel model;
    model.count = 1500;
    model.force = ForceLaw::kNone;
    model.overlaps = false;
    model.diffusion = 0.5;
    model.noise = NoiseTails::kClamped;
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model));
    std::vector<std::vector<Point>> frames{particles.displacements().download()};
    for (int step = 0; step < 40; ++step) {
        particles.finish_round();
        frames.push_back(particles.displacements().download());
    }
    // A step has the variance D Δt along each axis, so the diffusivity of the textbooks is D / 2.
    const double d = model.diffusion / 2 * noise_variance(model.noise), k = 3;
    const MotionCurves curves = motion_over_origins(pointers_to(frames), {}, {}, k);
    for (size_t at = 0; at < curves.lags.size(); ++at) {
        const double time = static_cast<double>(curves.lags[at]) * model.dt;
        // Of independent stretches of time only; twice as many numbers as there are particles, each χ²-distributed.
        const double samples = 1500 * std::floor(40.0 / static_cast<double>(curves.lags[at]));
        const double squares = curves.displacement[at].x + curves.displacement[at].y;
        CHECK(std::abs(squares / (4 * d * time) - 1) < 4 / std::sqrt(samples));
        CHECK(std::abs(curves.scattering[at] - std::exp(-k * k * d * time)) < 4 / std::sqrt(2 * samples));
    }
}
