// Delaunay triangulations of a few points by definition: every triple with an empty circle, in integers of any size,
// with the lifting of each point raised by an infinitesimal that grows with its rank. Shares no code with core but
// perturbation_rank() itself, which is the definition.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "delaunay/runs.h"

namespace flipscope {

/// A determinant of rows (x, y, z, 1) by its definition.
template <class Number>
int sign_of_lifted(const std::array<std::array<Number, 3>, 4>& rows) {
    const auto minor = [&](int i, int j, int k) {
        const auto &p = rows[i], &q = rows[j], &r = rows[k];
        return Number(p[0] * (q[1] * r[2] - r[1] * q[2]) - p[1] * (q[0] * r[2] - r[0] * q[2]) +
                      p[2] * (q[0] * r[1] - r[0] * q[1]));
    };
    const Number value = Number(minor(0, 1, 2) - minor(0, 1, 3) + minor(0, 2, 3) - minor(1, 2, 3));
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

template <class Number>
int turn(const std::array<Number, 2>& a, const std::array<Number, 2>& b, const std::array<Number, 2>& c) {
    const Number area = Number((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    return area > 0 ? 1 : area < 0 ? -1 : 0;
}

/// Of distinct points in whole numbers; `inputs` settles the ties. Sorted as sorted_triangles() does.
template <class Number>
Triangles delaunay_by_definition(const std::vector<std::array<Number, 2>>& at, const std::vector<uint32_t>& inputs) {
    Triangles triangles;
    const size_t n = at.size();
    const auto inside = [&](size_t a, size_t b, size_t c, size_t d) {
        // Of a counter-clockwise triangle and a point in its circle the determinant is positive.
        const size_t v[4] = {a, b, c, d};
        std::array<std::array<Number, 3>, 4> rows;
        for (int k = 0; k < 4; ++k) rows[k] = {at[v[k]][0], at[v[k]][1], Number(0)};
        const auto with_liftings = [&](const std::array<Number, 4>& z) {
            for (int k = 0; k < 4; ++k) rows[k][2] = z[k];
            return sign_of_lifted(rows);
        };
        std::array<Number, 4> z;
        for (int k = 0; k < 4; ++k) z[k] = Number(at[v[k]][0] * at[v[k]][0] + at[v[k]][1] * at[v[k]][1]);
        int sign = with_liftings(z);
        std::array<int, 4> by_rank{0, 1, 2, 3};
        std::sort(by_rank.begin(), by_rank.end(),
                  [&](int k, int l) { return perturbation_rank(inputs[v[k]]) > perturbation_rank(inputs[v[l]]); });
        for (int k = 0; sign == 0 && k < 4; ++k) {
            z = {Number(0), Number(0), Number(0), Number(0)};
            z[by_rank[k]] = 1;
            sign = with_liftings(z);
        }
        return sign > 0;
    };
    for (size_t a = 0; a < n; ++a)
        for (size_t b = a + 1; b < n; ++b)
            for (size_t c = b + 1; c < n; ++c) {
                const int way = turn(at[a], at[b], at[c]);
                if (way == 0) continue;
                const size_t second = way > 0 ? b : c, third = way > 0 ? c : b;
                bool empty = true;
                for (size_t d = 0; empty && d < n; ++d)
                    empty = d == a || d == b || d == c || !inside(a, second, third, d);
                if (empty) triangles.push_back({inputs[a], inputs[second], inputs[third]});
            }
    return sorted_triangles(triangles);
}

/// The same of input with copies, of which the first counts. Coordinates must be whole multiples of 2^-60 below 2^60.
inline Triangles delaunay_by_definition(const std::vector<Point>& points) {
    using Wide = boost::multiprecision::number<
        boost::multiprecision::cpp_int_backend<768, 768, boost::multiprecision::signed_magnitude,
                                               boost::multiprecision::unchecked, void>,
        boost::multiprecision::et_off>;
    std::vector<uint32_t> first;
    bool small = true;  // then 64 bits do
    for (uint32_t i = 0; i < points.size(); ++i) {
        if (std::none_of(first.begin(), first.end(), [&](uint32_t j) { return points[j] == points[i]; }))
            first.push_back(i);
        for (const double v : {points[i].x, points[i].y}) small = small && v == std::floor(v) && std::fabs(v) < 1000;
    }
    if (small) {
        std::vector<std::array<int64_t, 2>> at;
        for (const uint32_t i : first) at.push_back({int64_t(points[i].x), int64_t(points[i].y)});
        return delaunay_by_definition(at, first);
    }
    const auto whole = [](double v) {
        int exponent = 0;
        const double fraction = std::frexp(v, &exponent);
        Wide number = static_cast<int64_t>(std::ldexp(fraction, 53));
        const int shift = exponent - 53 + 60;
        return shift >= 0 ? Wide(number << shift) : Wide(number / (Wide(1) << -shift));
    };
    std::vector<std::array<Wide, 2>> at;
    for (const uint32_t i : first) at.push_back({whole(points[i].x), whole(points[i].y)});
    return delaunay_by_definition(at, first);
}

}  // namespace flipscope
