#include "delaunay/constructions/hull.h"

#include <algorithm>
#include <numeric>

#include "compute/cancel.h"
#include "flipscope/predicates.h"

namespace flipscope {

std::vector<uint32_t> convex_hull(const std::vector<Point>& points) {
    std::vector<uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return points[a].x != points[b].x ? points[a].x < points[b].x : points[a].y < points[b].y;
    });
    if (order.size() < 3) return order;
    const auto chain = [&](auto begin, auto end) {
        std::vector<uint32_t> hull;
        for (auto i = begin; i != end; ++i) {
            while (hull.size() >= 2 && orient2d(points[hull[hull.size() - 2]], points[hull.back()], points[*i]) < 0)
                hull.pop_back();
            hull.push_back(*i);
        }
        return hull;
    };
    std::vector<uint32_t> hull = chain(order.begin(), order.end());
    // The chain turns to the left, so that its end is on the line of its first two points only if all are.
    if (hull.size() == order.size() && orient2d(points[hull[0]], points[hull[1]], points[hull.back()]) == 0)
        return hull;
    const std::vector<uint32_t> upper = chain(order.rbegin(), order.rend());
    hull.insert(hull.end(), upper.begin() + 1, upper.end() - 1);
    return hull;
}

}  // namespace flipscope
