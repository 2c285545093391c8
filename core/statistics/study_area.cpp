#include "flipscope/study_area.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compute/error.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

double twice_signed_area(const std::vector<Point>& ring) {
    double twice = 0;
    const Point first = ring.front();
    for (size_t i = 0; i < ring.size(); ++i) {
        const Point a = ring[i], b = ring[(i + 1) % ring.size()];
        twice += (a.x - first.x) * (b.y - first.y) - (a.y - first.y) * (b.x - first.x);
    }
    return twice;
}

std::vector<AreaSide> sides_of_rings(const std::vector<std::vector<Point>>& rings) {
    std::vector<AreaSide> sides;
    for (const std::vector<Point>& ring : rings)
        for (size_t i = 0; i < ring.size(); ++i) sides.push_back({ring[i], ring[(i + 1) % ring.size()]});
    return sides;
}

/// How often a point lies within other rings, by the even-odd rule; a point on a border counts as inside.
bool is_inside_others(const std::vector<std::vector<Point>>& rings, size_t ring) {
    std::vector<std::vector<Point>> others = rings;
    others.erase(others.begin() + long(ring));
    const std::vector<AreaSide> sides = sides_of_rings(others);
    AreaView view{{{-INFINITY, -INFINITY}, {INFINITY, INFINITY}}, {sides.data(), sides.size()}};
    // A corner may lie on the border of another ring; most decide.
    int votes = 0;
    for (const Point p : rings[ring]) {
        double least = INFINITY;
        for (const AreaSide& side : sides) least = std::min(least, AreaView::squared_distance(p, side));
        if (least > 0) votes += view.contains(p) ? 1 : -1;
    }
    return votes > 0;
}

}  // namespace

double StudyArea::area() const {
    if (!is_polygon()) return (high.x - low.x) * (high.y - low.y);
    double twice = 0;
    for (const std::vector<Point>& ring : rings) twice += twice_signed_area(ring);
    return twice / 2;
}

double StudyArea::perimeter() const {
    if (!is_polygon()) return (periodic_x ? 0 : 2 * (high.y - low.y)) + (periodic_y ? 0 : 2 * (high.x - low.x));
    double length = 0;
    for (const AreaSide& side : sides_of_rings(rings))
        length += std::hypot(side.to.x - side.from.x, side.to.y - side.from.y);
    return length;
}

bool StudyArea::contains(Point p) const {
    const std::vector<AreaSide> sides = sides_of_rings(rings);
    return AreaView{window_of(*this), {sides.data(), sides.size()}}.contains(p);
}

StudyArea area_of_rings(std::vector<std::vector<Point>> rings) {
    StudyArea made;
    made.low = {INFINITY, INFINITY}, made.high = {-INFINITY, -INFINITY};
    for (std::vector<Point>& ring : rings) {
        if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        for (const Point p : ring) {
            made.low = {std::min(made.low.x, p.x), std::min(made.low.y, p.y)};
            made.high = {std::max(made.high.x, p.x), std::max(made.high.y, p.y)};
        }
        if (ring.size() < 3)
            throw Error("a ring of a study area needs three points, found " + std::to_string(ring.size()));
    }
    for (size_t i = 0; i < rings.size(); ++i)
        if ((twice_signed_area(rings[i]) > 0) == is_inside_others(rings, i)) std::ranges::reverse(rings[i]);
    made.rings = std::move(rings);
    return made;
}

StudyArea area_of_rectangle(Point low, Point high) {
    if (!(std::isfinite(low.x) && std::isfinite(low.y) && std::isfinite(high.x) && std::isfinite(high.y) &&
          low.x < high.x && low.y < high.y))
        throw Error("a study area needs its lower left corner below and left of its upper right one, both finite");
    return {low, high};
}

Window window_of(const StudyArea& area) { return {area.low, area.high, area.periodic_x, area.periodic_y}; }

std::vector<AreaSide> sides_of(const StudyArea& area) { return sides_of_rings(area.rings); }

void AreaOnDevice::upload(Context& context, const StudyArea& area) {
    const std::vector<AreaSide> sides = sides_of(area);
    window_ = window_of(area);
    area_ = area.area();
    sides_.upload(context, sides.data(), sides.size());
}

}  // namespace flipscope
