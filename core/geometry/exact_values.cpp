#include "geometry/exact_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "flipscope/predicates.h"
#include "geometry/filtered.h"

namespace flipscope {

namespace {

constexpr size_t kMostDigits = 40;

ExactValue exact_value(const Whole& number, int exponent) {
    ExactValue value;
    if (number == 0) return value;
    value.sign = number.sign();
    const Whole size = abs(number);
    const int bits = static_cast<int>(msb(size)) + 1, zeros = static_cast<int>(lsb(size));
    // The last of 64 bits stands for all that are dropped, so that the conversion to 53 rounds once.
    const int dropped = std::max(bits - 64, 0);
    const uint64_t kept = static_cast<uint64_t>(Whole(size >> dropped)) | uint64_t(zeros < dropped);
    value.rounded = value.sign * std::ldexp(static_cast<double>(kept), dropped + exponent);

    const Whole odd = size >> zeros;
    exponent += zeros;
    std::string digits = Whole(odd << (exponent < 64 ? std::max(exponent, 0) : 0)).str();
    if (exponent >= 0 && exponent < 64 && digits.size() <= kMostDigits) {
        value.text = (value.sign < 0 ? "-" : "") + digits;
        return value;
    }
    const std::string factor =
        exponent == 0 ? "" : (exponent > 0 ? " · 2^" : " / 2^") + std::to_string(std::abs(exponent));
    digits = odd.str();
    if (digits.size() <= kMostDigits)
        value.text = (value.sign < 0 ? "-" : "") + digits + factor;
    else
        value.text = std::string(value.sign < 0 ? "minus " : "") + "an odd integer of " + std::to_string(bits - zeros) +
                     " bits" + factor;
    return value;
}

template <class Number>
Number orientation(const auto& number, Point a, Point b, Point c) {
    const Number x = number(c.x), y = number(c.y);
    return (number(a.x) - x) * (number(b.y) - y) - (number(a.y) - y) * (number(b.x) - x);
}
template <class Number>
Number in_circle(const auto& number, const Point (&corners)[3], Point d) {
    Number x[3], y[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = number(corners[k].x) - number(d.x);
        y[k] = number(corners[k].y) - number(d.y);
    }
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        sum += (x[k] * x[k] + y[k] * y[k]) * (x[l] * y[m] - x[m] * y[l]);
    }
    return sum;
}

float as_float(double v) { return static_cast<float>(v); }

}  // namespace

DeterminantValues orient2d_values(Point a, Point b, Point c) {
    const detail::Determinant rounded = detail::orient2d(a, b, c);
    int unit = 1000;
    for (const Point p : {a, b, c}) unit = unit_of(p.x, unit_of(p.y, unit));
    const auto whole = [unit](double v) { return whole_of(v, unit); };
    return {orientation<float>(as_float, a, b, c), rounded.value, rounded.error,
            exact_value(orientation<Whole>(whole, a, b, c), 2 * unit)};
}

DeterminantValues incircle_values(Point a, Point b, Point c, Point d) {
    const detail::Determinant rounded = detail::incircle(a, b, c, d);
    int unit = 1000;
    for (const Point p : {a, b, c, d}) unit = unit_of(p.x, unit_of(p.y, unit));
    const auto whole = [unit](double v) { return whole_of(v, unit); };
    return {in_circle<float>(as_float, {a, b, c}, d), rounded.value, rounded.error,
            exact_value(in_circle<Whole>(whole, {a, b, c}, d), 4 * unit)};
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
