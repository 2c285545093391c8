#include "geometry/exact_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "flipscope/predicates.h"
#include "geometry/filtered.h"

namespace flipscope {

namespace {

/// The unit of all these numbers; 0 where all are 0.
int common_unit_of(std::initializer_list<double> numbers) {
    int unit = 2000;
    for (const double number : numbers) unit = unit_of(number, unit);
    return unit == 2000 ? 0 : unit;
}

/// The double nearest to a whole number of units, of two the even one.
double rounded(const Whole& whole, int unit) {
    Whole kept = abs(whole);
    const int dropped = static_cast<int>(msb(kept)) - 52;
    if (dropped > 0) {
        const Whole half = Whole(1) << (dropped - 1), rest = kept & ((half << 1) - 1);
        kept >>= dropped;
        if (rest > half || (rest == half && bit_test(kept, 0))) ++kept;
    }
    return std::ldexp(whole.sign() * kept.convert_to<double>(), std::max(dropped, 0) + unit);
}

ExactValue exact_value(const Whole& whole, int unit) {
    ExactValue value;
    if (whole == 0) return value;
    value.sign = whole.sign();
    value.rounded = rounded(whole, unit);
    const unsigned zeros = lsb(abs(whole));
    const Whole odd = abs(whole) >> zeros;
    value.integer = (value.sign < 0 ? "-" : "") + odd.str();
    value.exponent = unit + static_cast<int>(zeros);
    value.bits = static_cast<int>(msb(odd)) + 1;
    return value;
}

}  // namespace

std::string ExactValue::text(size_t most_digits) const {
    if (sign == 0) return "0";
    const bool is_short = integer.size() - (sign < 0) <= most_digits;
    if (is_short && exponent >= 0 && exponent < 64) {
        const std::string digits = Whole(Whole(integer) << exponent).str();
        if (digits.size() - (sign < 0) <= most_digits) return digits;
    }
    const std::string factor =
        exponent == 0 ? "" : (exponent > 0 ? " · 2^" : " / 2^") + std::to_string(std::abs(exponent));
    if (is_short) return integer + factor;
    return std::string(sign < 0 ? "minus " : "") + "an odd integer of " + std::to_string(bits) + " bits" + factor;
}

DeterminantValues orient2d_values(Point a, Point b, Point c) {
    DeterminantValues values;
    const auto f = [](double v) { return static_cast<float>(v); };
    const float acx = f(a.x) - f(c.x), acy = f(a.y) - f(c.y), bcx = f(b.x) - f(c.x), bcy = f(b.y) - f(c.y);
    values.single = acx * bcy - acy * bcx;
    const detail::Determinant rounded = detail::orient2d(a, b, c);
    values.rounded = rounded.value;
    values.error = rounded.error;
    const int unit = common_unit_of({a.x, a.y, b.x, b.y, c.x, c.y});
    const auto difference = [&](double p, double q) { return Whole(whole_of(p, unit) - whole_of(q, unit)); };
    values.exact = exact_value(
        difference(a.x, c.x) * difference(b.y, c.y) - difference(a.y, c.y) * difference(b.x, c.x), 2 * unit);
    return values;
}

DeterminantValues incircle_values(Point a, Point b, Point c, Point d) {
    DeterminantValues values;
    const Point corners[3] = {a, b, c};
    const int unit = common_unit_of({a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y});
    float fx[3], fy[3];
    Whole x[3], y[3];
    for (int k = 0; k < 3; ++k) {
        fx[k] = static_cast<float>(corners[k].x) - static_cast<float>(d.x);
        fy[k] = static_cast<float>(corners[k].y) - static_cast<float>(d.y);
        x[k] = whole_of(corners[k].x, unit) - whole_of(d.x, unit);
        y[k] = whole_of(corners[k].y, unit) - whole_of(d.y, unit);
    }
    Whole sum;
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        values.single += (fx[k] * fx[k] + fy[k] * fy[k]) * (fx[l] * fy[m] - fx[m] * fy[l]);
        sum = sum + (x[k] * x[k] + y[k] * y[k]) * (x[l] * y[m] - x[m] * y[l]);
    }
    const detail::Determinant rounded = detail::incircle(a, b, c, d);
    values.rounded = rounded.value;
    values.error = rounded.error;
    values.exact = exact_value(sum, 4 * unit);
    return values;
}

std::string hex_text(double value) {
    char text[64];
    std::snprintf(text, sizeof(text), "%a", value);
    return text;
}
std::string float_text(float value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    return {text, end.ptr};
}

}  // namespace flipscope
