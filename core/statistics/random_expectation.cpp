#include "statistics/random_expectation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace flipscope {

namespace {

constexpr double kPi = std::numbers::pi;

/// Of edges at a typical vertex, from 3 on.
constexpr double kDegreeShares[] = {0.0112400, 0.1068454, 0.2594618, 0.2947236, 0.1987664, 0.0901329,
                                    0.0296853, 0.0074312, 0.0014911, 0.0001900, 0.0000300};

double edge_length_density(double l, double density) {
    const double scaled = std::sqrt(density) * l;
    return kPi / 3 * density * l *
           (scaled * std::exp(-kPi * scaled * scaled / 4) + std::erfc(std::sqrt(kPi) * scaled / 2));
}

double minimum_angle_density(double degrees) {
    const double a = degrees * kPi / 180;
    if (a < 0 || a > kPi / 3) return 0;
    return 2 / kPi * ((kPi - 3 * a) * std::sin(2 * a) + std::cos(2 * a) - std::cos(4 * a)) * kPi / 180;
}

double triangle_area_density(double area, double density) {
    if (area <= 0) return 0;
    const double x = 2 * kPi * density * area / (3 * std::sqrt(3.0));
    if (x > 300) return 0;
    const double bessel = std::cyl_bessel_k(1.0 / 6, x);
    return 8.0 / 9 * kPi * density * density * area * bessel * bessel;
}

double cell_area_density(double area, double density) {
    const double y = area * density;
    if (y <= 0) return 0;
    return density * 343.0 / 15 * std::sqrt(7 / (2 * kPi)) * std::pow(y, 2.5) * std::exp(-3.5 * y);
}

/// By Gauss–Legendre with three points, on each of a few parts where a density may rise like a root, at 0.
template <class Density>
double integral(double low, double high, const Density& density) {
    constexpr double kAt = 0.7745966692414834;
    const int parts = low > 0 ? 1 : 4;
    double sum = 0;
    for (int part = 0; part < parts; ++part) {
        const double half = (high - low) / (2 * parts), middle = low + (2 * part + 1) * half;
        sum += half * (8 * density(middle) + 5 * (density(middle - kAt * half) + density(middle + kAt * half))) / 9;
    }
    return sum;
}

}  // namespace

const char* source_of_expectation(ElementQuantity quantity) {
    using Q = ElementQuantity;
    if (quantity == Q::kCellArea) return "random points, fit";
    for (const Q known : {Q::kDegree, Q::kNearest, Q::kEdgeLength, Q::kMinimumAngle, Q::kTriangleArea})
        if (quantity == known) return "random points, theory";
    return "";
}

double expected_share(ElementQuantity quantity, double density, double low, double high) {
    if (!(density > 0) || !(high > low)) return 0;
    switch (quantity) {
        case ElementQuantity::kDegree: {
            double sum = 0;
            for (size_t k = 0; k < std::size(kDegreeShares); ++k)
                if (double(k + 3) >= low && double(k + 3) < high) sum += kDegreeShares[k];
            return sum;
        }
        case ElementQuantity::kNearest: {
            const double from = std::max(low, 0.0);
            return std::exp(-density * kPi * from * from) - std::exp(-density * kPi * high * high);
        }
        case ElementQuantity::kEdgeLength:
            return integral(std::max(low, 0.0), high, [&](double l) { return edge_length_density(l, density); });
        case ElementQuantity::kMinimumAngle:
            return integral(low, std::min(high, 60.0), minimum_angle_density);
        case ElementQuantity::kTriangleArea:
            return integral(std::max(low, 0.0), high, [&](double a) { return triangle_area_density(a, density); });
        case ElementQuantity::kCellArea:
            return integral(std::max(low, 0.0), high, [&](double a) { return cell_area_density(a, density); });
        default:
            return 0;
    }
}

double expected_mean(ElementQuantity quantity, double density) {
    switch (quantity) {
        case ElementQuantity::kDegree:
            return 6;
        case ElementQuantity::kNearest:
            return 1 / (2 * std::sqrt(density));
        case ElementQuantity::kEdgeLength:
            return 32 / (9 * kPi * std::sqrt(density));
        case ElementQuantity::kTriangleArea:
            return 1 / (2 * density);
        case ElementQuantity::kCellArea:
            return 1 / density;
        case ElementQuantity::kCellPerimeter:
            return 4 / std::sqrt(density);
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

double expected_discrepancy(double points) { return std::sqrt(5.0 / 36 / points); }

}  // namespace flipscope
