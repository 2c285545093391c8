#include "flipscope/study_area.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"
#include "geometry/filtered.h"
#include "geometry/places.h"
#include "statistics/area_rings.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

using AreaRings = std::vector<std::vector<Point>>;

std::vector<AreaSide> sides_of_rings(const AreaRings& rings) {
    std::vector<AreaSide> sides;
    for (const std::vector<Point>& ring : rings)
        for (size_t i = 0; i < ring.size(); ++i) sides.push_back({ring[i], ring[(i + 1) % ring.size()]});
    return sides;
}

double twice_signed_area(const std::vector<Point>& ring) {
    double twice = 0;
    const Point first = ring.front();
    for (size_t i = 0; i < ring.size(); ++i) {
        const Point a = ring[i], b = ring[(i + 1) % ring.size()];
        twice += (a.x - first.x) * (b.y - first.y) - (a.y - first.y) * (b.x - first.x);
    }
    return twice;
}

void bound(StudyArea& area) {
    area.low = {INFINITY, INFINITY}, area.high = {-INFINITY, -INFINITY};
    for (const std::vector<Point>& ring : area.rings)
        for (const Point p : ring) {
            area.low = {std::min(area.low.x, p.x), std::min(area.low.y, p.y)};
            area.high = {std::max(area.high.x, p.x), std::max(area.high.y, p.y)};
        }
}

std::string name_of_ring(size_t ring) { return "ring " + std::to_string(ring + 1) + " of the study area"; }

/// AreaRings whose sides are compared with those close to them.
class RingChecks {
  public:
    explicit RingChecks(StudyArea& area) : area_(area), index_(area), view_(index_.view()) {
        for (size_t r = 0; r < area.rings.size(); ++r) {
            first_.push_back(static_cast<uint32_t>(ring_of_.size()));
            ring_of_.resize(ring_of_.size() + area.rings[r].size(), static_cast<uint32_t>(r));
        }
        first_.push_back(static_cast<uint32_t>(ring_of_.size()));
    }
    /// Refuses sides that cross or overlap. Where a corner lies on another side, that gets a corner as well.
    void meet() {
        CancelPoll poll;
        const AreaGrid& grid = view_.grid;
        for (size_t cell = 0; cell + 1 < grid.starts.count; ++cell)
            for (uint32_t i = grid.starts[cell]; i < grid.starts[cell + 1]; ++i)
                for (uint32_t j = i + 1; j < grid.starts[cell + 1]; ++j) {
                    poll();
                    compare(grid.sides[i], grid.sides[j]);
                }
        if (touches_.empty()) return;
        std::vector<std::vector<Point>> of_sides(ring_of_.size());
        for (const auto& [side, p] : touches_) of_sides[side].push_back(p);
        for (size_t r = 0; r < area_.rings.size(); ++r) {
            std::vector<Point> longer;
            for (size_t k = 0; k < area_.rings[r].size(); ++k) {
                const AreaSide side = view_.sides[first_[r] + k];
                std::vector<Point>& touched = of_sides[first_[r] + k];
                // From one end to the other.
                const bool up = side.from.x != side.to.x ? side.from.x < side.to.x : side.from.y < side.to.y;
                std::sort(touched.begin(), touched.end(),
                          [&](Point a, Point b) { return (a.x != b.x ? a.x < b.x : a.y < b.y) == up && !(a == b); });
                longer.push_back(side.from);
                for (const Point p : touched)
                    if (!(longer.back() == p)) longer.push_back(p);
            }
            area_.rings[r] = std::move(longer);
        }
    }
    /// Refuses rings that cross at a common corner.
    void cross_at_corners() const {
        for (const RingJunction& junction : junctions_of(area_.rings)) {
            // By direction, two of each passage: passages that do not cross nest like brackets.
            std::vector<uint32_t> open;
            for (const RingJunction::Ray& ray : junction.rays)
                if (!open.empty() && open.back() == ray.passage)
                    open.pop_back();
                else
                    open.push_back(ray.passage);
            if (open.empty()) continue;
            const uint32_t side = junction.passages[open[0]], other = junction.passages[open[1]];
            throw Error(name_of_ring(ring_of_[side]) + ": it crosses " +
                        (ring_of_[side] == ring_of_[other] ? "itself" : "ring " + std::to_string(ring_of_[other] + 1)) +
                        " at their common corner " + place_in_brackets(junction.at));
        }
    }
    /// Turns every ring so that the area is on its left.
    void orient() {
        std::vector<std::vector<Point>*> to_turn;
        for (size_t r = 0; r < area_.rings.size(); ++r) {
            const int sign = area_sign(area_.rings[r]);
            if (sign == 0) throw Error(name_of_ring(r) + ": it has no area");
            if ((sign > 0) == lies_in_others(r)) to_turn.push_back(&area_.rings[r]);
        }
        for (std::vector<Point>* ring : to_turn) std::reverse(ring->begin(), ring->end());
    }

  private:
    void compare(uint32_t i, uint32_t j) {
        const AreaSide a = view_.sides[i], b = view_.sides[j];
        if (std::max(a.from.x, a.to.x) < std::min(b.from.x, b.to.x) ||
            std::max(b.from.x, b.to.x) < std::min(a.from.x, a.to.x) ||
            std::max(a.from.y, a.to.y) < std::min(b.from.y, b.to.y) ||
            std::max(b.from.y, b.to.y) < std::min(a.from.y, a.to.y))
            return;
        const int from = orient2d(a.from, a.to, b.from), to = orient2d(a.from, a.to, b.to);
        if (from * to > 0) return;
        const int start = orient2d(b.from, b.to, a.from), end = orient2d(b.from, b.to, a.to);
        if (start * end > 0) return;
        if (from == 0 && to == 0) {
            // On one line: more than a common end is an overlap.
            const auto before = [](Point p, Point q) { return p.x != q.x ? p.x < q.x : p.y < q.y; };
            const auto [a_low, a_high] = std::minmax(a.from, a.to, before);
            const auto [b_low, b_high] = std::minmax(b.from, b.to, before);
            const Point low = before(a_low, b_low) ? b_low : a_low, high = before(a_high, b_high) ? a_high : b_high;
            if (before(low, high)) refuse(i, j, "overlap from " + place_in_brackets(low) + " on");
            return;
        }
        if (from * to < 0 && start * end < 0) {
            const double x = a.to.x - a.from.x, y = a.to.y - a.from.y;
            const double u = orient2d_value(b.from, b.to, a.from), v = orient2d_value(b.from, b.to, a.to);
            const double t = u != v ? u / (u - v) : 0.5;
            refuse(i, j,
                   "cross near (" + format_plainly(a.from.x + t * x, 1e-6 * std::fabs(x)) + ", " +
                       format_plainly(a.from.y + t * y, 1e-6 * std::fabs(y)) + ")");
        }
        const auto touch = [&](int sign, uint32_t side, Point p) {
            const AreaSide touched = view_.sides[side];
            if (sign == 0 && touched.contains(p) && !(p == touched.from) && !(p == touched.to))
                touches_.emplace_back(side, p);
        };
        touch(from, i, b.from), touch(to, i, b.to), touch(start, j, a.from), touch(end, j, a.to);
    }
    [[noreturn]] void refuse(uint32_t i, uint32_t j, const std::string& how) const {
        const auto [low, high] = std::minmax(i, j);
        const auto ends = [&](uint32_t side) {
            return place_in_brackets(view_.sides[side].from) + " to " + place_in_brackets(view_.sides[side].to);
        };
        throw Error(name_of_ring(ring_of_[low]) + ": its side from " + ends(low) + " and " +
                    (ring_of_[low] == ring_of_[high]
                         ? "that from "
                         : "the side of ring " + std::to_string(ring_of_[high] + 1) + " from ") +
                    ends(high) + " " + how);
    }
    bool lies_in_others(size_t ring) const {
        const uint32_t from = first_[ring], to = first_[ring + 1];
        for (const Point p : area_.rings[ring]) {
            const size_t cell = view_.grid.row(p.y) * size_t(view_.grid.columns) + view_.grid.column(p.x);
            bool shared = false;
            for (uint32_t k = view_.grid.starts[cell]; k < view_.grid.starts[cell + 1]; ++k) {
                const uint32_t side = view_.grid.sides[k];
                shared |= (side < from || side >= to) && view_.sides[side].contains(p);
            }
            if (!shared) return view_.is_enclosed(p, from, to);
        }
        // All its corners are those of others. The middle of a side is not on them; in units of half a unit.
        const AreaSide own = view_.sides[from];
        int unit = 1000;
        for (const AreaSide& side : std::span(view_.sides.data, view_.sides.count))
            for (const double v : {side.from.x, side.from.y, side.to.x, side.to.y}) unit = unit_of(v, unit);
        const auto twice = [&](double v) { return Whole(2 * whole_of(v, unit)); };
        const Whole x = whole_of(own.from.x, unit) + whole_of(own.to.x, unit),
                    y = whole_of(own.from.y, unit) + whole_of(own.to.y, unit);
        bool inside = false;
        for (uint32_t i = 0; i < view_.sides.count; ++i) {
            if (i - from < to - from) continue;
            const AreaSide& side = view_.sides[i];
            const Point low = side.from.y < side.to.y ? side.from : side.to,
                        high = side.from.y < side.to.y ? side.to : side.from;
            if (y < twice(low.y) || y >= twice(high.y)) continue;
            inside ^= (twice(high.x) - twice(low.x)) * (y - twice(low.y)) >
                      (twice(high.y) - twice(low.y)) * (x - twice(low.x));
        }
        return inside;
    }

    StudyArea& area_;
    AreaIndex index_;
    AreaView view_;
    std::vector<uint32_t> first_, ring_of_;  // (rings + 1) its first side; (sides)
    std::vector<std::pair<uint32_t, Point>> touches_;
};

}  // namespace

std::vector<RingJunction> junctions_of(const AreaRings& rings) {
    struct Corner {
        Point at, before, after;
        uint32_t side;  // that begins here
    };
    std::vector<Corner> corners;
    for (const std::vector<Point>& ring : rings)
        for (size_t k = 0; k < ring.size(); ++k)
            corners.push_back({ring[k], ring[(k + ring.size() - 1) % ring.size()], ring[(k + 1) % ring.size()],
                               static_cast<uint32_t>(corners.size())});
    sort_or_cancel(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
        return a.at.x != b.at.x ? a.at.x < b.at.x : a.at.y != b.at.y ? a.at.y < b.at.y : a.side < b.side;
    });
    std::vector<RingJunction> found;
    for (size_t i = 0, end; i < corners.size(); i = end) {
        for (end = i + 1; end < corners.size() && corners[end].at == corners[i].at;) ++end;
        if (end == i + 1) continue;
        RingJunction junction{corners[i].at, {}, {}};
        for (size_t k = i; k < end; ++k) {
            const auto passage = static_cast<uint32_t>(junction.passages.size());
            junction.passages.push_back(corners[k].side);
            junction.rays.push_back({corners[k].before, passage, false});
            junction.rays.push_back({corners[k].after, passage, true});
        }
        const Point at = junction.at;
        const auto below = [&](Point p) { return p.y < at.y || (p.y == at.y && p.x < at.x); };
        const auto counter_clockwise = [&](const RingJunction::Ray& a, const RingJunction::Ray& b) {
            return below(a.to) != below(b.to) ? below(b.to) : orient2d(at, a.to, b.to) > 0;
        };
        std::sort(junction.rays.begin(), junction.rays.end(), counter_clockwise);
        found.push_back(std::move(junction));
    }
    return found;
}

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

StudyArea area_of_rings(AreaRings rings) {
    StudyArea made;
    for (size_t r = 0; r < rings.size(); ++r) {
        std::vector<Point>& ring = rings[r];
        for (const Point p : ring)
            if (!coordinate_in_range(p.x) || !coordinate_in_range(p.y))
                throw Error(name_of_ring(r) + ": its corner " + place_in_brackets(p) +
                            " is out of range; coordinates must be 0 or between 2^-200 and 2^200 in size");
        ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
        while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        if (ring.size() < 3)
            throw Error(name_of_ring(r) + ": it needs three distinct points, found " + std::to_string(ring.size()));
    }
    if (rings.empty()) throw Error("a study area needs a ring of three points, found none");
    made.rings = std::move(rings);
    bound(made);
    if (!(made.low.x < made.high.x && made.low.y < made.high.y)) throw Error(name_of_ring(0) + ": it has no area");
    RingChecks(made).meet();
    RingChecks checks(made);
    checks.cross_at_corners();
    checks.orient();
    return made;
}

StudyArea area_of_rectangle(Point low, Point high) {
    if (!(std::isfinite(low.x) && std::isfinite(low.y) && std::isfinite(high.x) && std::isfinite(high.y) &&
          low.x < high.x && low.y < high.y))
        throw Error(
            "the box is empty or not finite: its lower left corner must be below and left of its upper right one");
    return {low, high};
}

Window window_of(const StudyArea& area) { return {area.low, area.high, area.periodic_x, area.periodic_y}; }

std::vector<AreaSide> sides_of(const StudyArea& area) { return sides_of_rings(area.rings); }

AreaIndex::AreaIndex(const StudyArea& area) : view_{window_of(area), {}, area.area()}, sides_(sides_of(area)) {
    view_.sides = {sides_.data(), sides_.size()};
    if (sides_.empty()) return;
    const Window& window = view_.window;
    AreaGrid& grid = view_.grid;
    // Square cells, some for each side, larger than the bounds by a margin, as is the reach of every side.
    const double width = window.width(), height = window.height();
    const double most = std::min(4 * double(sides_.size()), 0x1p20);
    const auto count = [&](double along, double across) {
        return static_cast<int32_t>(std::clamp(std::sqrt(most * along / across), 1.0, 1024.0));
    };
    grid.columns = count(width, height), grid.rows = count(height, width);
    const auto margin = [](double size, double low, double high) {
        return 1e-6 * size + 0x1p-50 * std::max(std::fabs(low), std::fabs(high));
    };
    const Point edge{margin(width / grid.columns, window.low.x, window.high.x),
                     margin(height / grid.rows, window.low.y, window.high.y)};
    grid.low = {window.low.x - edge.x, window.low.y - edge.y};
    grid.size = {(width + 2 * edge.x) / grid.columns, (height + 2 * edge.y) / grid.rows};
    const auto visit_cells = [&](const auto& visit) {
        CancelPoll poll;
        for (uint32_t i = 0; i < sides_.size(); ++i) {
            poll();
            const Point from = sides_[i].from, to = sides_[i].to;
            const double low = std::min(from.y, to.y), high = std::max(from.y, to.y);
            for (int32_t row = grid.row(low - edge.y), last = grid.row(high + edge.y); row <= last; ++row) {
                double x0 = from.x, x1 = to.x;
                if (from.y != to.y) {  // its part in the row
                    const double bottom = grid.low.y + row * grid.size.y - edge.y;
                    const auto x_at = [&](double y) {
                        return from.x + std::clamp((y - from.y) / (to.y - from.y), 0.0, 1.0) * (to.x - from.x);
                    };
                    x0 = x_at(bottom), x1 = x_at(bottom + grid.size.y + 2 * edge.y);
                }
                const int32_t end = grid.column(std::max(x0, x1) + edge.x);
                for (int32_t column = grid.column(std::min(x0, x1) - edge.x); column <= end; ++column)
                    visit(row * size_t(grid.columns) + column, i);
            }
        }
    };
    const size_t cells = size_t(grid.rows) * grid.columns;
    starts_.assign(cells + 1, 0);
    visit_cells([&](size_t cell, uint32_t) { ++starts_[cell + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    ids_.resize(starts_.back());
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    visit_cells([&](size_t cell, uint32_t i) { ids_[next[cell]++] = i; });
    states_.assign(cells, AreaGrid::kMixed);
    grid.starts = {starts_.data(), starts_.size()};
    grid.sides = {ids_.data(), ids_.size()};
    grid.states = {states_.data(), states_.size()};
    for (size_t cell = cells; cell-- > 0;) {
        if (starts_[cell] != starts_[cell + 1]) continue;
        const auto row = static_cast<int32_t>(cell / grid.columns), column = static_cast<int32_t>(cell % grid.columns);
        const Point middle{grid.low.x + (column + 0.5) * grid.size.x, grid.low.y + (row + 0.5) * grid.size.y};
        states_[cell] = view_.is_enclosed(middle) ? AreaGrid::kInside : AreaGrid::kOutside;
    }
}

std::vector<Point> points_inside(const StudyArea& area, std::span<const Point> points) {
    const AreaIndex index(area);
    const AreaView view = index.view();
    std::vector<Point> inside;
    for (const Point p : points)
        if (view.contains(p)) inside.push_back(p);
    return inside;
}

void AreaOnDevice::upload(Context& context, const StudyArea& area) {
    const AreaIndex index(area);
    view_ = index.view();
    const auto moved = [&]<class T>(View<const T>& view, Buffer<T>& buffer) {
        buffer.upload(context, view.data, view.count);
        view = buffer.view();
    };
    moved(view_.sides, sides_);
    moved(view_.grid.starts, starts_);
    moved(view_.grid.sides, ids_);
    moved(view_.grid.states, states_);
}

}  // namespace flipscope
