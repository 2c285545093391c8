// Cases for the predicates: an oracle in exact integers and rationals, and families of adversarial inputs.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "flipscope/predicates.h"
#include "test_support.h"

namespace flipscope::predicate_cases {
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using Generator = std::mt19937_64;
using Quad = std::array<Point, 4>;

// Determinants of coordinates in range are below 2^1820, in units of (2^-252)^4.
using Integer = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<2048, 2048, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

inline std::string text(const Quad& q) {
    std::string s;
    char buffer[80];
    for (const Point p : q) {
        std::snprintf(buffer, sizeof buffer, "{%a, %a} ", p.x, p.y);
        s += buffer;
    }
    return s;
}

/// v / 2^low; low is at most the exponent of the last bit of v.
inline Integer to_integer(double v, int low) {
    if (v == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    Integer i = static_cast<int64_t>(std::ldexp(fraction, 53));
    i *= Integer(1) << (exponent - 53 - low);
    return i;
}

struct Exact {
    std::array<Integer, 4> x, y;

    explicit Exact(const Quad& q) {
        int low = 1100;
        for (const Point p : q) {
            if (p.x != 0) low = std::min(low, std::ilogb(p.x) - 52);
            if (p.y != 0) low = std::min(low, std::ilogb(p.y) - 52);
        }
        for (int k = 0; k < 4; ++k) {
            x[k] = to_integer(q[k].x, low);
            y[k] = to_integer(q[k].y, low);
        }
    }
    int orient(int a, int b, int c) const {
        return Integer((x[a] - x[c]) * (y[b] - y[c]) - (y[a] - y[c]) * (x[b] - x[c])).sign();
    }
    int incircle() const {
        std::array<Integer, 3> u, v, w;
        for (int k = 0; k < 3; ++k) {
            u[k] = x[k] - x[3];
            v[k] = y[k] - y[3];
            w[k] = u[k] * u[k] + v[k] * v[k];
        }
        return Integer(u[0] * (v[1] * w[2] - w[1] * v[2]) - v[0] * (u[1] * w[2] - w[1] * u[2]) +
                       w[0] * (u[1] * v[2] - v[1] * u[2]))
            .sign();
    }
};

inline double uniform(Generator& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }
inline int64_t whole(Generator& random, int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
}

/// +-1.m 2^e with random bits, trailing zeros now and then.
inline double of_exponent(Generator& random, int low, int high) {
    double m = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
    if (random() % 4 == 0) m = 1 + static_cast<double>(random() % 16) / 16;
    const double v = std::ldexp(m, static_cast<int>(whole(random, low, high)));
    return random() & 1 ? v : -v;
}

/// All integer points on the circle x^2 + y^2 = r^2, r the product of the first `prime_count` primes that are 1
/// modulo 4.
inline std::vector<Point> integer_ring(int prime_count) {
    struct Gauss {
        int64_t re, im;
    };
    constexpr Gauss kPrimes[] = {{2, 1}, {3, 2}, {4, 1}, {5, 2}, {6, 1}, {5, 4}, {7, 2}, {6, 5}, {8, 3}};
    std::vector<Gauss> ring = {{1, 0}};
    const auto times = [](Gauss a, Gauss b) { return Gauss{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; };
    for (int p = 0; p < prime_count; ++p) {
        const Gauss g = kPrimes[p], conjugate = {g.re, -g.im};
        std::vector<Gauss> next;
        for (const Gauss z : ring) {
            next.push_back(times(z, times(g, g)));
            next.push_back(times(z, times(g, conjugate)));
            next.push_back(times(z, times(conjugate, conjugate)));
        }
        ring = next;
    }
    std::vector<Point> points;
    for (const Gauss z : ring) {
        const double x = static_cast<double>(z.re), y = static_cast<double>(z.im);
        points.insert(points.end(), {{x, y}, {-y, x}, {-x, -y}, {y, -x}});
    }
    return points;
}

inline const std::vector<Point>& ring_of(Generator& random) {
    static const std::vector<Point> rings[] = {integer_ring(2), integer_ring(4), integer_ring(6), integer_ring(7)};
    return rings[random() % 4];
}

/// The next double up or down; steps over what is out of range.
inline double moved(double v, Generator& random) {
    const double infinity = std::numeric_limits<double>::infinity();
    const bool up = random() & 1;
    const double next = std::nextafter(v, up ? infinity : -infinity);
    if (coordinate_in_range(next)) return next;
    if (v == 0) return up ? kMinCoordinate : -kMinCoordinate;
    return std::fabs(v) <= kMinCoordinate ? 0.0 : v;
}

/// Each sets four points.
constexpr void (*kFamilyMakers[])(Quad& q, Generator& random) = {
    [](Quad& q, Generator& random) {  // a small grid: duplicates, collinear, cocircular
        for (Point& p : q) p = {static_cast<double>(whole(random, -4, 4)), static_cast<double>(whole(random, -4, 4))};
    },
    [](Quad& q, Generator& random) {  // a grid of spacing 0.1, rounded, also far out
        const double x = random() & 1 ? 0 : 1e6 * uniform(random), spacing = random() & 1 ? 0.1 : 1.0 / 3;
        for (Point& p : q)
            p = {x + spacing * static_cast<double>(whole(random, 0, 9)),
                 spacing * static_cast<double>(whole(random, 0, 9))};
    },
    [](Quad& q, Generator& random) {  // an exact ring of integers, moved by integers, scaled by a power of two
        const std::vector<Point>& ring = ring_of(random);
        const double scale = std::ldexp(1.0, static_cast<int>(whole(random, -150, 150)));
        const double ox = random() & 1 ? static_cast<double>(whole(random, 1000000, 1000000000000)) : 0;
        const double oy = random() & 1 ? static_cast<double>(whole(random, 1000000, 1000000000000)) : 0;
        for (Point& p : q) {
            p = ring[random() % ring.size()];
            p = {(p.x + ox) * scale, (p.y + oy) * scale};
        }
    },
    [](Quad& q, Generator& random) {  // four turns of one point: cocircular in any doubles, of any exponents
        const bool wide = random() & 1;
        const double x = wide ? of_exponent(random, -200, 199) : uniform(random);
        const double y = wide ? of_exponent(random, -200, 199) : uniform(random);
        q = {{{x, y}, {-y, x}, {-x, -y}, {y, -x}}};
        if (random() & 1) q[random() % 4] = {x, -y};
    },
    [](Quad& q, Generator& random) {  // a rectangle, of any exponents
        const bool wide = random() & 1;
        double s[4];
        for (double& v : s) v = wide ? of_exponent(random, -200, 199) : uniform(random);
        q = {{{s[0], s[1]}, {s[2], s[1]}, {s[2], s[3]}, {s[0], s[3]}}};
    },
    [](Quad& q, Generator& random) {  // on a line, exactly: a + k v in integers, scaled
        const double scale = std::ldexp(1.0, static_cast<int>(whole(random, -150, 150)));
        const int64_t ax = whole(random, -1000000000000, 1000000000000),
                      ay = whole(random, -1000000000000, 1000000000000);
        const int64_t vx = whole(random, -1000000, 1000000), vy = whole(random, -1000000, 1000000);
        for (Point& p : q) {
            const int64_t k = whole(random, -1000, 1000);
            p = {static_cast<double>(ax + k * vx) * scale, static_cast<double>(ay + k * vy) * scale};
        }
    },
    [](Quad& q, Generator& random) {  // on a line, rounded
        const Point a = {uniform(random), uniform(random)}, b = {uniform(random), uniform(random)};
        const double far = random() & 1 ? 1e6 : 1;
        for (Point& p : q) {
            const double t = far * uniform(random);
            p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        }
    },
    [](Quad& q, Generator& random) {  // on a circle, rounded, near and far
        const double offset = random() & 1 ? 0 : std::pow(10, static_cast<double>(whole(random, 6, 12)));
        const double radius = std::pow(10, static_cast<double>(whole(random, -6, 6)));
        for (Point& p : q) {
            const double t = 3.2 * uniform(random);
            p = {offset + radius * std::cos(t), offset + radius * std::sin(t)};
        }
    },
    [](Quad& q, Generator& random) {  // a few ulps around one point
        const double x = of_exponent(random, -200, 199), y = of_exponent(random, -200, 199);
        for (Point& p : q) {
            p = {x, y};
            for (int64_t k = whole(random, 0, 3); k > 0; --k) p.x = moved(p.x, random);
            for (int64_t k = whole(random, 0, 3); k > 0; --k) p.y = moved(p.y, random);
        }
    },
    [](Quad& q, Generator& random) {  // every coordinate of its own exponent
        for (Point& p : q) p = {of_exponent(random, -200, 199), of_exponent(random, -200, 199)};
    },
    [](Quad& q, Generator& random) {  // the borders of the range
        const double values[] = {0.0,
                                 kMinCoordinate,
                                 kMaxCoordinate,
                                 1.0,
                                 std::nextafter(kMinCoordinate, 1),
                                 std::nextafter(kMaxCoordinate, 1),
                                 2 * kMinCoordinate,
                                 kMaxCoordinate / 2,
                                 std::nextafter(2 * kMinCoordinate, 0)};
        const auto any = [&] { return values[random() % std::size(values)] * (random() & 1 ? 1 : -1); };
        for (Point& p : q) p = {any(), any()};
    },
    [](Quad& q, Generator& random) {  // the lower border: differences of a few 2^-252
        for (Point& p : q)
            p = {kMinCoordinate * (1 + 0x1p-52 * static_cast<double>(random() % 16)),
                 kMinCoordinate * (1 + 0x1p-52 * static_cast<double>(random() % 16))};
    },
    [](Quad& q,
       Generator& random) {  // a thin figure at the lower border: lengths of 2^-200 and 2^-252 in one determinant
        const double thin = kMinCoordinate * (1 + 0x1p-52 * static_cast<double>(random() % 4));
        for (Point& p : q) {
            p = {of_exponent(random, -200, -199), thin};
            if (random() & 1) p.y = moved(p.y, random);
        }
    },
    [](Quad& q, Generator& random) {  // the greatest determinants that k bits allow: where integers of fixed width
                                      // would overflow
        const double power = std::ldexp(1.0, static_cast<int>(whole(random, 26, 52)));
        const double values[] = {0, 1, power - 1, power, power + 1, 2 * power - 1};
        const auto any = [&] { return values[random() % std::size(values)] * (random() & 1 ? 1 : -1); };
        for (Point& p : q) p = {any(), any()};
    },
    [](Quad& q,
       Generator& random) {  // integers too large for products in doubles: a ring of 2^30 to 2^52 through symmetry
        const int bits = static_cast<int>(whole(random, 20, 52));
        const double x = static_cast<double>(random() >> (64 - bits)), y = static_cast<double>(random() >> (64 - bits));
        const Point all[] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}, {y, x}, {-x, y}, {-y, -x}, {x, -y}};
        for (Point& p : q) p = all[random() % 8];
    },
};

constexpr int kFamilies = std::size(kFamilyMakers);

inline Quad family(int which, Generator& random) {
    Quad q;
    kFamilyMakers[which](q, random);
    if (random() % 2) {
        const uint64_t which_coordinates = random() & random();
        for (int k = 0; k < 4; ++k) {
            if (which_coordinates >> (2 * k) & 1) q[k].x = moved(q[k].x, random);
            if (which_coordinates >> (2 * k + 1) & 1) q[k].y = moved(q[k].y, random);
        }
    }
    return q;
}

/// A random order of 0, 1, 2, 3 and its sign.
inline int shuffle(std::array<int, 4>& order, Generator& random) {
    order = {0, 1, 2, 3};
    int sign = 1;
    for (int k = 3; k > 0; --k) {
        const int other = static_cast<int>(random() % static_cast<uint64_t>(k + 1));
        if (other == k) continue;
        std::swap(order[k], order[other]);
        sign = -sign;
    }
    return sign;
}

}  // namespace flipscope::predicate_cases
