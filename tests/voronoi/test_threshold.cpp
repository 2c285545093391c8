#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "voronoi/components/threshold.h"

using namespace flipscope;

namespace {

/// Discs of one level on a ground of another, with noise of this size.
std::vector<float> discs(uint32_t width, uint32_t height, double ground, double level, double noise, uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> spread(0, 1);
    std::vector<float> values;
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) {
            const double dx = x % 20 - 10.0, dy = y % 20 - 10.0;
            values.push_back(static_cast<float>((dx * dx + dy * dy < 30 ? level : ground) + noise * spread(random)));
        }
    return values;
}

}  // namespace

TEST_CASE("threshold: it is half way between two levels, with a hot and a dead pixel, too") {
    for (const double size : {1.0, 1e-30, 1e30})
        for (const double noise : {0.0, 0.05}) {
            INFO("size ", size, ", noise ", noise);
            std::vector<float> values = discs(100, 60, 0.2 * size, 0.8 * size, noise * size, 1);
            const double clean = otsu_threshold(values.data(), 100, 60);
            CHECK(clean / size == doctest::Approx(0.5).epsilon(noise > 0 ? 0.1 : 1e-6));
            for (const float odd : {65535.0f, -1e6f, 3e38f, -3e38f})
                for (const size_t at : {size_t{0}, size_t{99}, size_t{2345}, size_t{5950}, size_t{5999}}) {
                    std::vector<float> spoilt = values;
                    spoilt[at] = odd;
                    spoilt[(at + 777) % 6000] = -odd;
                    CHECK(otsu_threshold(spoilt.data(), 100, 60) == doctest::Approx(clean).epsilon(0.01));
                }
        }
}

TEST_CASE("threshold: of a few levels it is Otsu's, as his definition says") {
    std::mt19937 random(2);
    for (int repeat = 0; repeat < 50; ++repeat) {
        // Blocks of five pixels, of which the median leaves all but some corners.
        std::vector<double> values;
        std::vector<int> levels;
        for (int block = 0; block < 12; ++block) levels.push_back(static_cast<int>(random() % 9));
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 60; ++x) values.push_back(levels[static_cast<size_t>(x / 5)]);
        double best = -1, expected = levels.front();
        for (int cut = 0; cut < 9; ++cut) {
            double count[2] = {}, sum[2] = {};
            for (const int level : levels) ++count[level > cut], sum[level > cut] += level;
            if (count[0] == 0 || count[1] == 0) continue;
            const double apart = sum[1] / count[1] - sum[0] / count[0], between = count[0] * count[1] * apart * apart;
            if (between <= best * (1 + 1e-9)) continue;
            best = between;
            double low = 0, high = 9;
            for (const int level : levels)
                (level > cut ? high : low) = level > cut ? std::min<double>(high, level) : std::max<double>(low, level);
            expected = (low + high) / 2;
        }
        CHECK(otsu_threshold(values.data(), 60, 5) == doctest::Approx(expected));
    }
}

TEST_CASE("threshold: of equal values it is that value; of single pixels on a ground it is between the two") {
    const std::vector<float> equal(12, 0.25f), one{7};
    CHECK(otsu_threshold(equal.data(), 4, 3) == 0.25);
    CHECK(otsu_threshold(one.data(), 1, 1) == 7);
    std::vector<double> dots(81, 1);
    for (const size_t at : {size_t{10}, size_t{16}, size_t{64}}) dots[at] = 2;
    CHECK(otsu_threshold(dots.data(), 9, 9) == 1.5);
    const std::vector<float> pair{0, 8};
    CHECK(otsu_threshold(pair.data(), 2, 1) == 4);
}
