// Coordinates as text: different values differ, and computed values show no digits of rounding.
#include "geometry/places.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "test_support.h"

using namespace flipscope;

TEST_CASE("places: without a resolution every double reads back as itself, and is short where it can be") {
    std::mt19937_64 random(3);
    for (size_t i = 0; i < case_count(20'000); ++i) {
        const double magnitude = std::uniform_real_distribution<double>(-300, 300)(random);
        const double value = std::pow(10, i % 2 ? magnitude : magnitude / 20) * (i % 3 ? 1 : -1);
        REQUIRE(std::stod(format_exactly(value)) == value);
        REQUIRE(std::stod(format_plainly(value)) == value);
    }
    CHECK(format_plainly(0) == "0");
    CHECK(format_plainly(0.1) == "0.1");
    CHECK(format_plainly(-3) == "-3");
    CHECK(format_plainly(1e6) == "1000000");
    CHECK(format_exactly(1e6) == "1e+06");
    CHECK(format_plainly(5402320.25) == "5402320.25");
    CHECK(format_plainly(1e-7) == "1e-07");
    CHECK(format_plainly(-1e300) == "-1e+300");
    CHECK(format_plainly(std::nextafter(1.0, 2.0)) == "1.0000000000000002");
    CHECK(format_plainly(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(place_text({5402320.25, -3}) == "5402320.25, -3");
}

TEST_CASE("places: with a resolution a text is within it, differs where values do, and has no digits beyond") {
    CHECK(format_plainly(1.0 / 3, 1e-3) == "0.333");
    CHECK(format_plainly(5402320.123000001, 1e-6) == "5402320.123");
    CHECK(format_plainly(1e-9, 1e-3) == "0");
    CHECK(format_plainly(4e-4, 1e-3) == "0");
    CHECK(format_plainly(0.30000000000000004, 1e-6) == "0.3");
    CHECK(format_plainly(12, 1e-30) == "12");
    CHECK(format_plainly(0.1, std::nan("")) == "0.1");
    std::mt19937_64 random(5);
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (size_t i = 0; i < case_count(20'000); ++i) {
        const double resolution = std::pow(10, uniform(-8, 3));
        const double value = uniform(-1, 1) * std::pow(10, uniform(-6, 9)), other = value + 2 * resolution;
        INFO(value, " to ", resolution);
        const std::string text = format_plainly(value, resolution);
        REQUIRE(std::fabs(std::stod(text) - value) <= resolution * (1 + 1e-9));
        REQUIRE(text.size() <= 24);
        if (other - value > resolution) REQUIRE(format_plainly(other, resolution) != text);  // else doubles are coarser
    }
}
