#include "delaunay/constructions/seed.h"

#include <cmath>
#include <utility>

#include "compute/primitives.h"

namespace flipscope {

namespace {

struct Candidate {
    double merit;
    uint32_t id;
};

FLIPSCOPE_HD inline Candidate better(const Candidate& a, const Candidate& b) {
    return a.merit > b.merit || (a.merit == b.merit && a.id < b.id) ? a : b;
}

/// Merit: the distance from `from`, squared, times `sign`.
struct ByDistance {
    View<const Point> positions;
    Point from;
    double sign;
    FLIPSCOPE_HD Candidate operator()(uint32_t v) const {
        const double dx = positions[v].x - from.x, dy = positions[v].y - from.y;
        return {sign * (dx * dx + dy * dy), v};
    }
    FLIPSCOPE_HD static Candidate combine(const Candidate& a, const Candidate& b) { return better(a, b); }
};

/// Merit: the distance from the line through a and b; -1 for points that are exactly on it.
struct ByDistanceFromLine {
    View<const Point> positions;
    Point a, b;
    FLIPSCOPE_HD Candidate operator()(uint32_t v) const {
        const double area = orient2d_value(a, b, positions[v]);
        return {orient2d(a, b, positions[v]) == 0 ? -1.0 : area < 0 ? -area : area, v};
    }
    FLIPSCOPE_HD static Candidate combine(const Candidate& a, const Candidate& b) { return better(a, b); }
};

constexpr double kWorst = -HUGE_VAL;

Point middle_of(const Bounds& bounds) {
    return {bounds.low.x + (bounds.high.x - bounds.low.x) / 2, bounds.low.y + (bounds.high.y - bounds.low.y) / 2};
}

Point read(Context& context, View<const Point> positions, uint32_t id) {
    Point p;
    context.copy(&p, positions.data + id, sizeof p);
    return p;
}

}  // namespace

FirstTriangle find_first_triangle(Context& context, View<const Point> positions, uint32_t count, const Bounds& bounds) {
    FirstTriangle first;
    const Candidate none{kWorst, kNone};
    first.a = reduce(context, "seed.middle", count, ByDistance{positions, middle_of(bounds), -1}, none).id;
    const Point a = read(context, positions, first.a);
    first.b = reduce(context, "seed.farthest", count, ByDistance{positions, a, 1}, none).id;
    const Point b = read(context, positions, first.b);
    const Candidate third = reduce(context, "seed.widest", count, ByDistanceFromLine{positions, a, b}, none);
    if (!(third.merit >= 0)) return first;
    first.c = third.id;
    Point c = read(context, positions, first.c);
    Point second = b;
    if (orient2d(a, b, c) < 0) {
        std::swap(first.b, first.c);
        std::swap(second, c);
    }
    first.centre = {a, second, c};
    return first;
}

void make_supertriangle(Context& context, View<const Point> positions, uint32_t count, const Bounds& bounds,
                        Point (&corners)[3]) {
    const Point centre = middle_of(bounds);
    const double reach = std::sqrt(
        reduce(context, "seed.reach", count, ByDistance{positions, centre, 1}, Candidate{kWorst, kNone}).merit);
    const double radius = reach > 0 ? 2 * reach : 1;  // of the incircle
    const double half_side = radius * std::sqrt(3.0);
    corners[0] = {centre.x - half_side, centre.y - radius};
    corners[1] = {centre.x + half_side, centre.y - radius};
    corners[2] = {centre.x, centre.y + 2 * radius};
}

}  // namespace flipscope
