// Determinants as displayed numbers: exact ones against integers of the compiler, and against the predicates' own.
#include <cmath>
#include <random>

#include "flipscope/predicates.h"
#include "geometry/exact_values.h"
#include "geometry/filtered.h"
#include "test_support.h"

using namespace flipscope;

__extension__ typedef __int128 Int128;

namespace {

std::string decimal(Int128 value) {
    if (value == 0) return "0";
    const bool negative = value < 0;
    std::string digits;
    for (unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(value) : value; rest > 0; rest /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    return (negative ? "-" : "") + digits;
}

}  // namespace

TEST_CASE("exact values: integers of up to 25 bits have the determinants that the compiler's own integers have") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i) {
        const int bits = 1 + i % 25;
        int64_t v[8];
        Point p[4];
        for (int64_t& one : v) one = static_cast<int64_t>(random() % (1u << bits)) - (1 << (bits - 1));
        for (int k = 0; k < 4; ++k) p[k] = {static_cast<double>(v[2 * k]), static_cast<double>(v[2 * k + 1])};
        const auto x = [&](int k) { return Int128(v[2 * k] - v[6]); };
        const auto y = [&](int k) { return Int128(v[2 * k + 1] - v[7]); };
        const Int128 orientation = Int128(v[0] - v[4]) * (v[3] - v[5]) - Int128(v[1] - v[5]) * (v[2] - v[4]);
        Int128 circle = 0;
        for (int k = 0; k < 3; ++k)
            circle += (x(k) * x(k) + y(k) * y(k)) * (x((k + 1) % 3) * y((k + 2) % 3) - x((k + 2) % 3) * y((k + 1) % 3));
        CHECK(orient2d_values(p[0], p[1], p[2]).exact.text == decimal(orientation));
        CHECK(incircle_values(p[0], p[1], p[2], p[3]).exact.text == decimal(circle));
        CHECK(orient2d_values(p[0], p[1], p[2]).exact.rounded == static_cast<double>(orientation));
        CHECK(incircle_values(p[0], p[1], p[2], p[3]).exact.rounded == static_cast<double>(circle));
    }
}

TEST_CASE("exact values: signs are those of the predicates, and doubles lie within their bound of the exact value") {
    std::mt19937_64 random(11);
    const auto coordinate = [&](int spread) {
        const double mantissa = std::ldexp(static_cast<double>(random() >> 11), -53) - 0.5;
        return std::ldexp(mantissa, static_cast<int>(random() % (2 * spread + 1)) - spread);
    };
    size_t unsure = 0;
    for (int i = 0; i < 3000; ++i) {
        const int spread = i % 3 == 0 ? 0 : i % 3 == 1 ? 20 : 190;
        Point p[4];
        for (Point& one : p) one = {coordinate(spread), coordinate(spread)};
        if (i % 4 == 0) p[2] = {p[0].x / 2 + p[1].x / 2, p[0].y / 2 + p[1].y / 2};  // nearly on the line
        if (i % 5 == 0) p[3] = {p[0].x, p[0].y * (1 + 0x1p-52)};
        if (!coordinate_in_range(p[2].x) || !coordinate_in_range(p[2].y)) continue;
        for (const bool circle : {false, true}) {
            const DeterminantValues values =
                circle ? incircle_values(p[0], p[1], p[2], p[3]) : orient2d_values(p[0], p[1], p[2]);
            CHECK(values.exact.sign == (circle ? incircle(p[0], p[1], p[2], p[3]) : orient2d(p[0], p[1], p[2])));
            CHECK(std::fabs(values.rounded - values.exact.rounded) <=
                  values.error + std::fabs(values.exact.rounded) * 0x1p-53);
            unsure += std::fabs(values.rounded) <= values.error;
        }
    }
    CHECK(unsure > 50);
}

TEST_CASE("exact values: halves round to even, powers of two are taken out, long integers are told by their bits") {
    const DeterminantValues small = orient2d_values({0.5, 0}, {0, 0.25}, {0, 0});
    CHECK(small.exact.text == "1 / 2^3");
    CHECK(small.exact.rounded == 0.125);
    // (2^53 + 1) · 1: halfway between two doubles, of which the lower is even.
    const DeterminantValues tie = orient2d_values({0x1p53, 0x1p53}, {-1, 1}, {0, 0});
    CHECK(tie.exact.text == "18014398509481984");
    const DeterminantValues odd = orient2d_values({0x1p53, -1}, {1, 1}, {0, 0});
    CHECK(odd.exact.text == "9007199254740993");
    CHECK(odd.exact.rounded == 0x1p53);
    CHECK(odd.rounded == 0x1p53);
    const DeterminantValues far = incircle_values({0x1.123456789abcdp190, 3}, {0x1.fp-190, 7}, {1, 2}, {3, 0x1.1p-180});
    CHECK(contains(far.exact.text, "an odd integer of "));
    CHECK(contains(far.exact.text, " bits / 2^"));
    CHECK(orient2d_values({1, 1}, {2, 2}, {3, 3}).exact.text == "0");
    CHECK(hex_text(0.1) == "0x1.999999999999ap-4");
    CHECK(float_text(0.1f) == "0.1");
}

TEST_CASE("exact values: floats lie about a determinant that doubles have right") {
    const Point a{0, 0}, b{1, 1}, c{0.5, 0.5 + 0x1p-40};
    const DeterminantValues values = orient2d_values(a, b, c);
    CHECK(values.single == 0);
    CHECK(values.exact.sign == 1);
    CHECK(std::fabs(values.rounded) > values.error);
}

TEST_CASE("exact values: the sign of a polygon's area is exact where doubles cannot tell it") {
    using Corners = std::vector<Point>;
    const double up = std::nextafter(0.7, 1);
    CHECK(area_sign(Corners{{0, 0}, {1, 0}}) == 0);
    CHECK(area_sign(Corners{{0, 0}, {1, 0}, {1, 1}, {0, 1}}) == 1);
    CHECK(area_sign(Corners{{0, 0}, {0, 1}, {1, 1}, {1, 0}}) == -1);
    CHECK(area_sign(Corners{{0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}}) == 0);
    CHECK(area_sign(Corners{{0.1, 0.1}, {0.3, 0.3}, {0.7, up}}) == 1);
    CHECK(area_sign(Corners{{0.1, 0.1}, {0.3, 0.3}, {up, 0.7}}) == -1);
    CHECK((Filtered(1) / Filtered(3)).is_certain());
    CHECK_FALSE((Filtered(1) / Filtered(0)).is_certain());
}
