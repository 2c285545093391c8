#include "app/figures/across.h"

#include <algorithm>
#include <cmath>

#include "app/run/failures.h"

namespace flipscope::app {

namespace {

constexpr size_t kMostPoints = 200;  // near a failure; more would be a band

/// Coordinates along and across a direction, in long double: the differences of interest are in the last digits of a
/// double.
struct Way {
    Point from;
    long double x, y, length;
    Way(Point a, Point b) : from(a), x(b.x - static_cast<long double>(a.x)), y(b.y - static_cast<long double>(a.y)) {
        length = std::sqrt(x * x + y * y);
    }
    long double along(Point p) const { return (dx(p) * x + dy(p) * y) / (length * length); }
    long double across(Point p) const { return (x * dy(p) - y * dx(p)) / length; }

  private:
    long double dx(Point p) const { return p.x - static_cast<long double>(from.x); }
    long double dy(Point p) const { return p.y - static_cast<long double>(from.y); }
};

}  // namespace

std::optional<AcrossView> across_view(const CheckFailure& failure, const Geometry& input, double least) {
    if (input.in_space() || failure.places.size() < 2) return std::nullopt;
    AcrossView view;
    double longest = 0;
    for (const Point3& a : failure.places)
        for (const Point3& b : failure.places)
            if (const double length = std::hypot(b.x - a.x, b.y - a.y); length > longest) {
                longest = length;
                view.from = {a.x, a.y};
                view.to = {b.x, b.y};
            }
    if (!(longest > least)) return std::nullopt;
    const Way way(view.from, view.to);
    long double low = 0, high = 0;
    const auto take = [&](Point p) {
        low = std::min(low, way.across(p));
        high = std::max(high, way.across(p));
    };
    for (const Point3& place : failure.places) take({place.x, place.y});
    if (high - low > least) return std::nullopt;
    // Nearby points, within the visible distance: the failure is about them.
    std::vector<uint32_t> near;
    for (size_t i = 0; i < input.points.size() && near.size() <= kMostPoints; ++i) {
        const long double along = way.along(input.points[i]);
        if (along > -0.05L && along < 1.05L && std::fabs(way.across(input.points[i])) <= least)
            near.push_back(static_cast<uint32_t>(i));
    }
    if (near.size() > kMostPoints) near.clear();
    for (const uint32_t i : near) take(input.points[i]);
    if (!(high > low)) return std::nullopt;  // exactly on a line: nothing to stretch
    view.thick = static_cast<double>(high - low);
    const auto spot = [&](Point p, uint32_t point) {
        return AcrossView::Spot{static_cast<double>(way.along(p)), static_cast<double>(way.across(p) / (high - low)),
                                point};
    };
    for (const uint32_t i : near) view.points.push_back(spot(input.points[i], i));
    size_t at = 0;
    for (size_t element = 0; at < failure.places.size(); ++element) {
        const size_t end = std::min(at + std::max<size_t>(corners_of(failure, element), 1), failure.places.size());
        std::vector<AcrossView::Spot> corners;
        for (; at < end; ++at) corners.push_back(spot({failure.places[at].x, failure.places[at].y}, kNone));
        view.elements.push_back(std::move(corners));
    }
    return view;
}

}  // namespace flipscope::app
