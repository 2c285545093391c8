#include "flipscope/voronoi.h"

#include <algorithm>
#include <cmath>

#include "compute/error.h"
#include "compute/for_ranges.h"
#include "flipscope/detail/exact.h"
#include "flipscope/triangulate.h"
#include "geometry/range_check.h"

namespace flipscope {

namespace {

/// The box relative to a point, cut by one half plane after another. Corners form a linked ring, so the time of a cut
/// is proportional to the corners it removes.
class CutCell {
  public:
    /// Corners relative to `site`.
    void start(const PlaneBox& box, Point site) {
        corners_.clear();
        const Point low{box.low.x - site.x, box.low.y - site.y}, high{box.high.x - site.x, box.high.y - site.y};
        for (const Point p : {low, Point{high.x, low.y}, high, Point{low.x, high.y}}) {
            const auto i = static_cast<uint32_t>(corners_.size());
            corners_.push_back({p, (i + 1) % 4, (i + 3) % 4});
        }
        at_ = 0;
        count_ = 4;
    }
    /// Keeps the part nearer to the origin than to d. False: empty.
    bool cut(Point d) {
        const double bound = (d.x * d.x + d.y * d.y) / 2;
        const auto beyond = [&](uint32_t i) { return corners_[i].p.x * d.x + corners_[i].p.y * d.y - bound; };
        // The farthest corner along d. The polygon is convex, so it is found uphill from the place of the last cut,
        // which is near for successive neighbours: few corners are tested.
        double most = beyond(at_);
        if (count_ <= 16) {
            for (uint32_t i = corners_[at_].next, k = 1; k < count_; i = corners_[i].next, ++k)
                if (const double value = beyond(i); value > most) at_ = i, most = value;
        } else {
            for (uint32_t k = 0; k < count_; ++k) {
                const uint32_t next = corners_[at_].next, previous = corners_[at_].previous;
                const double after = beyond(next), before = beyond(previous);
                if (!(after > most) && !(before > most)) break;
                at_ = after >= before ? next : previous;
                most = std::max(after, before);
            }
        }
        if (!(most > 0)) return true;
        uint32_t left = corners_[at_].next,
                 right = corners_[at_].previous;  // ends of the part cut off, seen from the origin
        uint32_t removed = 1;
        double after = beyond(left), before = beyond(right), last_left = most, last_right = most;
        uint32_t cut_left = at_, cut_right = at_;
        while (after > 0 && removed < count_) {
            ++removed, last_left = after, cut_left = left;
            left = corners_[left].next;
            after = beyond(left);
        }
        while (before > 0 && removed < count_) {
            ++removed, last_right = before, cut_right = right;
            right = corners_[right].previous;
            before = beyond(right);
        }
        if (removed >= count_) return false;
        const Point enter = between(corners_[right].p, corners_[cut_right].p, before, last_right);
        const Point leave = between(corners_[left].p, corners_[cut_left].p, after, last_left);
        const auto first = static_cast<uint32_t>(corners_.size());
        corners_.push_back({enter, first + 1, right});
        corners_.push_back({leave, left, first});
        corners_[right].next = first;
        corners_[left].previous = first + 1;
        at_ = first + 1;
        count_ += 2 - removed;
        return true;
    }

    CellMeasure measure(Point site) const {
        CellMeasure made{0, site, 0, 0};
        double along_x = 0, along_y = 0, squares = 0, twice_area = 0;
        uint32_t i = at_;
        for (uint32_t k = 0; k < count_; ++k) {
            const Point a = corners_[i].p, b = corners_[corners_[i].next].p;
            const double cross = a.x * b.y - a.y * b.x;
            twice_area += cross;
            made.perimeter += std::hypot(b.x - a.x, b.y - a.y);
            along_x += cross * (a.x + b.x);
            along_y += cross * (a.y + b.y);
            squares += cross * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y);
            i = corners_[i].next;
        }
        if (!(twice_area > 0)) return made;
        made.area = twice_area / 2;
        made.centroid = {site.x + along_x / (3 * twice_area), site.y + along_y / (3 * twice_area)};
        made.energy = squares / 12;
        return made;
    }

  private:
    struct Corner {
        Point p;
        uint32_t next, previous;
    };
    /// The intersection of a segment from `in` to `out` with a line at distances `inside` <= 0 and `outside` > 0.
    static Point between(Point in, Point out, double inside, double outside) {
        const double part = inside / (inside - outside);
        return {in.x + part * (out.x - in.x), in.y + part * (out.y - in.y)};
    }
    std::vector<Corner> corners_;
    uint32_t at_ = 0, count_ = 0;
};

/// Computes the cell of a distinct point. False: it is empty.
bool cut_cell(CutCell& cell, std::span<const Point> points, const VertexRows& rows, uint32_t v, const PlaneBox& box) {
    const Point site = points[v];
    cell.start(box, site);
    for (const uint32_t other : rows.row(v))
        if (!cell.cut({points[other].x - site.x, points[other].y - site.y})) return false;
    return true;
}

void require_box(const PlaneBox& box) {
    const auto finite = [](Point p) { return std::fabs(p.x) <= kMaxCoordinate && std::fabs(p.y) <= kMaxCoordinate; };
    if (!(finite(box.low) && finite(box.high) && box.low.x < box.high.x && box.low.y < box.high.y))
        throw Error("the box is empty or not finite; its low corner must be below and left of its high corner");
}

/// Copies of an earlier point have no row, but neither has a single point.
bool is_copy(std::span<const uint32_t> first_equal, uint32_t v) { return !first_equal.empty() && first_equal[v] != v; }

template <class Visit>
void for_cells(Context& context, std::span<const Point> points, const VertexRows& rows, const PlaneBox& box,
               const Visit& visit) {
    for_ranges(context, static_cast<uint32_t>(points.size()), [&](uint32_t begin, uint32_t end) {
        CutCell cell;
        for (uint32_t v = begin; v < end; ++v) {
            if (rows.row(v).empty() && !rows.on_outline[v]) continue;
            if (cut_cell(cell, points, rows, v, box)) visit(v, cell);
        }
    });
}

}  // namespace

std::vector<CellMeasure> measure_cells(Context& context, std::span<const Point> points, const VertexRows& rows,
                                       const PlaneBox& box) {
    require_box(box);
    const CancelScope scope(context.cancel_flag());
    std::vector<CellMeasure> made;
    resize_or_cancel(made, points.size());
    for (size_t v = 0; v < points.size(); ++v) made[v].centroid = points[v];
    for_cells(context, points, rows, box, [&](uint32_t v, const CutCell& cell) { made[v] = cell.measure(points[v]); });
    return made;
}

std::vector<LloydIteration> relax_in_box(Context& context, std::vector<Point>& points, const PlaneBox& box,
                                         uint32_t iterations) {
    require_box(box);
    const CancelScope scope(context.cancel_flag());
    require_in_range(points, "point");
    Triangulator triangulator(context, {.hull = false, .hash = false});
    std::vector<LloydIteration> made;
    for (uint32_t i = 0; i < iterations; ++i) {
        const Triangulation now = triangulator.triangulate(points);
        const auto n = static_cast<uint32_t>(points.size());
        const VertexRows rows = vertex_rows(context, n, now.triangles, now.neighbours, now.path);
        const std::vector<CellMeasure> cells = measure_cells(context, points, rows, box);
        LloydIteration iteration;
        for (uint32_t v = 0; v < n; ++v) {
            if (is_copy(now.duplicate_of, v)) {
                points[v] = points[now.duplicate_of[v]];
                continue;
            }
            iteration.energy += cells[v].energy;
            Point to = cells[v].centroid;
            if (std::fabs(to.x) < kMinCoordinate) to.x = 0;  // coordinates that the predicates accept
            if (std::fabs(to.y) < kMinCoordinate) to.y = 0;
            iteration.largest_move =
                std::max(iteration.largest_move, std::hypot(to.x - points[v].x, to.y - points[v].y));
            points[v] = to;
        }
        made.push_back(iteration);
    }
    return made;
}

}  // namespace flipscope
