#include "geometry/point_patterns.h"

#include <algorithm>
#include <array>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"

// By Jacobi's two-square theorem the circle x^2 + y^2 = p1^a1 p2^a2 ..., all primes = 1 mod 4, carries exactly
// 4 (a1 + 1)(a2 + 1) ... integer points. With p = q conj(q) split into Gaussian primes they are the products
// of q^k conj(q)^(a - k) over the primes, k = 0 .. a, times 1, i, -1, -i.

namespace flipscope {
namespace {

__extension__ using Wide = unsigned __int128;

struct Gaussian {
    int64_t re, im;
};

Gaussian operator*(Gaussian a, Gaussian b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

struct SplitPrime {
    uint32_t p;
    Gaussian q;  // p = q conj(q)
};

constexpr std::array<SplitPrime, 16> kPrimes = {{
    {5, {2, 1}},
    {13, {3, 2}},
    {17, {4, 1}},
    {29, {5, 2}},
    {37, {6, 1}},
    {41, {5, 4}},
    {53, {7, 2}},
    {61, {6, 5}},
    {73, {8, 3}},
    {89, {8, 5}},
    {97, {9, 4}},
    {101, {10, 1}},
    {109, {10, 3}},
    {113, {8, 7}},
    {137, {11, 4}},
    {149, {10, 7}},
}};
constexpr Wide kMaxRadiusSquared = Wide{1} << 104;  // so that |x|, |y| < 2^52

using Exponents = std::array<uint32_t, kPrimes.size()>;

/// The smallest radius with enough points. Larger exponents belong to smaller primes, so only falling ones are tried.
struct RadiusSearch {
    uint64_t wanted;  // integer points in a quarter turn
    Wide best = kMaxRadiusSquared;
    Exponents best_exponents{};
    Exponents exponents{};

    void extend(size_t prime, uint32_t max_exponent, Wide radius_squared, uint64_t points) {
        if (points >= wanted) {
            best = radius_squared;
            best_exponents = exponents;
            return;
        }
        if (prime == kPrimes.size()) return;
        for (uint32_t e = 1; e <= max_exponent; ++e) {
            radius_squared *= kPrimes[prime].p;
            if (radius_squared >= best) break;
            exponents[prime] = e;
            extend(prime + 1, e, radius_squared, points * (e + 1));
        }
        exponents[prime] = 0;
    }
};

/// All integer points with x > 0, y >= 0 of the circle, counter-clockwise.
std::vector<Gaussian> quarter_circle(const Exponents& exponents) {
    std::vector<Gaussian> points = {{1, 0}};
    for (size_t i = 0; i < kPrimes.size() && exponents[i] > 0; ++i) {
        const Gaussian q = kPrimes[i].q, q_conj = {q.re, -q.im};
        std::vector<Gaussian> longer;
        longer.reserve(points.size() * (exponents[i] + 1));
        for (uint32_t k = 0; k <= exponents[i]; ++k) {
            Gaussian factor = {1, 0};
            for (uint32_t e = 0; e < exponents[i]; ++e) factor = factor * (e < k ? q : q_conj);
            // Each term of the product is at most |z| |factor|, the final radius: below 2^52.
            for (Gaussian z : points) longer.push_back(z * factor);
        }
        points = std::move(longer);
    }
    for (Gaussian& z : points) {
        while (z.re <= 0 || z.im < 0) z = z * Gaussian{0, 1};
    }
    sort_or_cancel(points.begin(), points.end(), [](Gaussian a, Gaussian b) { return a.re > b.re; });
    return points;
}

}  // namespace

std::vector<Point> lattice_circle_points(uint64_t count) {
    if (count > kMaxLatticeCirclePoints) {
        throw Error("an exact ring has at most " + std::to_string(kMaxLatticeCirclePoints) + " points, asked for " +
                    std::to_string(count));
    }
    RadiusSearch search{.wanted = (count + 3) / 4};
    search.extend(0, 64, 1, 1);
    const std::vector<Gaussian> quarter = quarter_circle(search.best_exponents);
    constexpr Gaussian kTurns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    std::vector<Point> points(count);
    CancelPoll poll;
    for (uint64_t i = 0; i < count; ++i) {
        poll();
        const uint64_t at = i * (4 * quarter.size()) / count;
        const Gaussian z = quarter[at % quarter.size()] * kTurns[at / quarter.size()];
        points[i] = {static_cast<double>(z.re), static_cast<double>(z.im)};
    }
    return points;
}

}  // namespace flipscope
