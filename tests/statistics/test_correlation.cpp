// Correlation coefficients and medians, against plain formulas.

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/random.h"
#include "statistics/summary.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("correlation: Pearson and Spearman of a line, a curve, ties and constants") {
    const std::vector<double> x{1, 2, 3, 4, 5}, line{-2, -4, -6, -8, -10}, curve{1, 8, 27, 64, 125};
    CHECK(correlation_of(x, line).pearson == doctest::Approx(-1));
    CHECK(correlation_of(x, curve).spearman == doctest::Approx(1));
    CHECK(correlation_of(x, curve).pearson == doctest::Approx(0.943118).epsilon(1e-6));
    // Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4: their covariance is 4.25 over variances of 4.5 each, times 4.
    const Correlation tied = correlation_of(std::vector<double>{1, 1, 2, 3}, std::vector<double>{5, 6, 6, 9});
    CHECK(tied.spearman == doctest::Approx(4.25 / 4.5 - 0.5 / 4.5));
    CHECK(tied.count == 4);
    CHECK(std::isnan(correlation_of(x, std::vector<double>(5, 7.0)).pearson));
    CHECK(std::isnan(correlation_of(std::vector<double>{1}, std::vector<double>{2}).spearman));
    CHECK(correlation_of({}, {}).count == 0);
}

TEST_CASE("medians: exactly that of the sorted numbers, of any sign and size, on every device") {
    for (const size_t n : {size_t(0), size_t(1), size_t(2), size_t(3), size_t(1000), size_t(70'001)}) {
        std::vector<double> values, kept;
        std::vector<uint8_t> flags;
        for (uint32_t i = 0; i < n; ++i) {
            const auto [u, v] = random_pair(7, i);
            const double value = (u - 0.5) * std::exp2(600 * v - 300);
            values.push_back(i % 41 == 3 ? NAN : i % 5 == 0 ? 0.25 : value);
            flags.push_back(i % 7 == 6 ? 2 : 0);
            if (!std::isnan(values.back()) && !flags.back()) kept.push_back(values.back());
        }
        std::sort(kept.begin(), kept.end());
        const double wanted = kept.empty() ? NAN
                              : kept.size() % 2
                                  ? kept[kept.size() / 2]
                                  : kept[kept.size() / 2 - 1] + (kept[kept.size() / 2] - kept[kept.size() / 2 - 1]) / 2;
        CAPTURE(n);
        CHECK((median_of(kept) == wanted || kept.empty()));
        for (const DeviceUnderTest& device : devices_under_test()) {
            Context context(device.request, device.threads);
            Buffer<double> resident("values");
            Buffer<uint8_t> marks("flags");
            resident.upload(context, values.data(), n);
            marks.upload(context, flags.data(), n);
            const double median = median_of(context, resident.view(), {marks.view(), 2});
            CHECK((median == wanted || (kept.empty() && std::isnan(median))));
        }
    }
    // More equal numbers than are sorted at once, and two halves without a number between them.
    for (const auto& [low, high] : {std::pair(3.5, 3.5), std::pair(-1.0, 2.0), std::pair(-0.0, 0.0)}) {
        Context context(DeviceRequest::kCpu);
        std::vector<double> halves(100'000, low);
        std::fill(halves.begin() + 50'000, halves.end(), high);
        Buffer<double> resident("values");
        resident.upload(context, halves.data(), halves.size());
        CHECK(median_of(context, resident.view()) == low + (high - low) / 2);
    }
}
