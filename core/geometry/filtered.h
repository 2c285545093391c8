// Numbers for the exact sign of a formula that is written once, as a template: doubles with a bound on their error, and
// integers of any size where the bound does not decide. Host only.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "geometry/point.h"

namespace flipscope {

/// A double and the greatest error that it has. Inputs are exact.
struct Filtered {
    double value = 0, error = 0;
    Filtered(double v = 0) : value(v) {}
    Filtered(double v, double e) : value(v), error((e + std::fabs(v) * 0x1p-53) * (1 + 0x1p-48) + 0x1p-1060) {}
    bool is_certain() const { return std::fabs(value) > error && std::isfinite(error); }
    friend Filtered operator+(Filtered a, Filtered b) { return {a.value + b.value, a.error + b.error}; }
    friend Filtered operator-(Filtered a, Filtered b) { return {a.value - b.value, a.error + b.error}; }
    friend Filtered operator*(Filtered a, Filtered b) {
        return {a.value * b.value, std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error};
    }
    friend Filtered operator/(Filtered a, Filtered b) {
        const double least = std::fabs(b.value) - b.error, value = a.value / b.value;
        return {value, least > 0 ? (a.error + std::fabs(value) * b.error) / least : double(INFINITY)};
    }
};

using Whole = boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

/// Boost 1.74 mistakes a negative denominator.
inline Fraction quotient(const Whole& above, const Whole& below) {
    return below < 0 ? Fraction(Whole(-above), Whole(-below)) : Fraction(above, below);
}
/// A multiple of 2^unit in units of it.
inline Whole whole_of(double value, int unit) {
    if (value == 0) return 0;
    int exponent;
    const Whole mantissa = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    const int shift = exponent - 53 - unit;
    return shift >= 0 ? Whole(mantissa << shift) : Whole(mantissa >> -shift);
}
/// The greatest unit, as a power of 2, of which a double is a multiple; `most` for 0.
inline int unit_of(double value, int most) {
    if (value == 0) return most;
    int exponent;
    const auto mantissa = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    return std::min(most, exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(mantissa)));
}

/// +1 if the closed polygon with these corners has a positive area, 0 for none, -1 if it runs clockwise. Exact.
template <class Corners>
int area_sign(const Corners& corners) {
    const auto twice = [&]<class Number>(const auto& number) {
        Number sum = 0;
        const Number x0 = number(corners[0].x), y0 = number(corners[0].y);
        for (size_t i = 1; i + 1 < corners.size(); ++i) {
            const Point a = corners[i], b = corners[i + 1];
            sum = sum + ((number(a.x) - x0) * (number(b.y) - y0) - (number(a.y) - y0) * (number(b.x) - x0));
        }
        return sum;
    };
    if (corners.size() < 3) return 0;
    const Filtered about = twice.template operator()<Filtered>([](double v) { return Filtered(v); });
    if (about.is_certain()) return about.value > 0 ? 1 : -1;
    int unit = 1000;
    for (const Point p : corners) unit = unit_of(p.x, unit_of(p.y, unit));
    return twice.template operator()<Whole>([&](double v) { return whole_of(v, unit); }).sign();
}

}  // namespace flipscope
