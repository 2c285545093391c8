#include "judge/point_kinds.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace flipscope {

namespace {

bool is_whole(double v) { return v == std::nearbyint(v); }
bool is_float(double v) { return v == static_cast<double>(static_cast<float>(v)); }

template <class Test>
bool all_coordinates(std::span<const Point> points, const Test& test) {
    return std::all_of(points.begin(), points.end(), [&](const Point& p) { return test(p.x) && test(p.y); });
}

void make_whole(std::vector<Point>& points) {
    if (points.empty() || all_coordinates(points, is_whole)) return;
    constexpr int kBits = 20;
    double greatest = 0;
    for (const Point& p : points) greatest = std::max({greatest, std::abs(p.x), std::abs(p.y)});
    const int shift = kBits - std::ilogb(greatest);
    for (Point& p : points) p = {std::nearbyint(std::ldexp(p.x, shift)), std::nearbyint(std::ldexp(p.y, shift))};
}

}  // namespace

size_t place_count(std::span<const Point> points) {
    std::vector<std::pair<double, double>> places;
    places.reserve(points.size());
    for (const Point& p : points) places.emplace_back(p.x + 0.0, p.y + 0.0);  // -0 and 0 are one place
    std::sort(places.begin(), places.end());
    return static_cast<size_t>(std::unique(places.begin(), places.end()) - places.begin());
}

bool are_of_kind(std::span<const Point> points, const PointKinds& kinds) {
    return (!kinds.integers || all_coordinates(points, is_whole)) &&
           (!kinds.floats || all_coordinates(points, is_float)) &&
           (!kinds.distinct || place_count(points) == points.size());
}

std::vector<Point> made_of_kind(std::vector<Point> points, const PointKinds& kinds) {
    if (kinds.integers) make_whole(points);
    if (kinds.floats)
        for (Point& p : points) p = {static_cast<double>(static_cast<float>(p.x)), static_cast<float>(p.y)};
    if (kinds.distinct) {
        std::set<std::pair<double, double>> seen;
        std::erase_if(points, [&](const Point& p) { return !seen.emplace(p.x + 0.0, p.y + 0.0).second; });
    }
    return points;
}

}  // namespace flipscope
