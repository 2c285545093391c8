#include "geometry/point_patterns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compute/cancel.h"
#include "compute/work.h"

namespace flipscope {
namespace {

constexpr double kPointsPerGridCell = 2;

double on_torus(double v) {
    v -= std::floor(v);
    return v < 1 ? v : 0;
}

/// A convex polygon around a site at the origin.
class VoronoiCell {
  public:
    /// Starts with the cell among the site's own images.
    void start() {
        corners_ = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
        reach_squared_ = 0.5;
    }
    /// The greatest squared distance of a corner.
    double reach_squared() const { return reach_squared_; }

    /// Cuts off the part nearer to `other` than to the origin.
    void cut(Point other) {
        const double half = (other.x * other.x + other.y * other.y) / 2;
        const auto beyond = [&](Point p) { return p.x * other.x + p.y * other.y - half; };
        size_t cut_off = 0;
        depths_.clear();
        for (const Point p : corners_) {
            depths_.push_back(beyond(p));
            cut_off += depths_.back() > 0;
        }
        if (cut_off == 0) return;
        rest_.clear();
        for (size_t i = 0; i < corners_.size(); ++i) {
            const size_t next = i + 1 < corners_.size() ? i + 1 : 0;
            const Point a = corners_[i], b = corners_[next];
            const double of_a = depths_[i], of_b = depths_[next];
            if (of_a <= 0) rest_.push_back(a);
            if ((of_a > 0) != (of_b > 0)) {
                const double t = of_a / (of_a - of_b);
                rest_.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
            }
        }
        corners_.swap(rest_);
        reach_squared_ = 0;
        for (const Point p : corners_) reach_squared_ = std::max(reach_squared_, p.x * p.x + p.y * p.y);
    }

    /// The origin where the cell has no area.
    Point centroid() const {
        double area = 0;
        Point sum{0, 0};
        for (size_t i = 0; i < corners_.size(); ++i) {
            const Point a = corners_[i], b = corners_[i + 1 < corners_.size() ? i + 1 : 0];
            const double twice = a.x * b.y - a.y * b.x;
            area += twice;
            sum.x += twice * (a.x + b.x);
            sum.y += twice * (a.y + b.y);
        }
        if (!(area > 0)) return {0, 0};
        return {sum.x / (3 * area), sum.y / (3 * area)};
    }

  private:
    std::vector<Point> corners_, rest_;
    std::vector<double> depths_;
    double reach_squared_ = 0;
};

class TorusGrid {
  public:
    explicit TorusGrid(size_t count)
        : width_(
              std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(static_cast<double>(count) / kPointsPerGridCell)))) {}

    void fill(const std::vector<Point>& points) {
        ends_.assign(static_cast<size_t>(width_ * width_) + 1, 0);
        for (const Point p : points) {
            poll_();
            ++ends_[cell_of(p) + 1];
        }
        for (size_t cell = 1; cell < ends_.size(); ++cell) ends_[cell] += ends_[cell - 1];
        sorted_.resize(points.size());
        numbers_.resize(points.size());
        for (size_t i = 0; i < points.size(); ++i) {
            poll_();
            const size_t slot = ends_[cell_of(points[i])]++;
            sorted_[slot] = points[i];
            numbers_[slot] = i;
        }
    }

    /// Calls move(number, centroid of its cell as seen from the point) for each point, grid cell by grid cell.
    template <class Move>
    void for_each_cell(const Move& move) {
        for (int64_t row = 0; row < width_; ++row)
            for (int64_t column = 0; column < width_; ++column) {
                const size_t cell = index(row, column);
                for (size_t k = begin(cell); k < ends_[cell]; ++k) {
                    poll_();
                    move(numbers_[k], cell_around(k, row, column).centroid());
                }
            }
    }

  private:
    int64_t along(double v) const {
        return std::min(static_cast<int64_t>(v * static_cast<double>(width_)), width_ - 1);
    }
    size_t index(int64_t row, int64_t column) const { return static_cast<size_t>(row * width_ + column); }
    size_t cell_of(Point p) const { return index(along(p.y), along(p.x)); }
    size_t begin(size_t cell) const { return cell == 0 ? 0 : ends_[cell - 1]; }  // filling moved each end to its place

    const VoronoiCell& cell_around(size_t site, int64_t row, int64_t column) {
        cell_.start();
        const double side = 1 / static_cast<double>(width_);
        const Point p = sorted_[site];
        for (int64_t ring = 0;; ++ring) {
            // Points of this ring and of those around it are not nearer than that; half of it must reach the cell.
            const double apart = static_cast<double>(ring - 1) * side;
            if (ring > 1 && apart * apart > 4 * cell_.reach_squared()) break;
            for (int64_t dy = -ring; dy <= ring; ++dy) {
                const int64_t step = dy == -ring || dy == ring ? 1 : 2 * ring;
                for (int64_t dx = -ring; dx <= ring; dx += step) cut_by(site, p, row + dy, column + dx);
            }
        }
        return cell_;
    }

    /// Cuts by the points of a grid cell, or by their images for cells outside of the square.
    void cut_by(size_t site, Point p, int64_t row, int64_t column) {
        const int64_t rows = sides_below(row), columns = sides_below(column);
        const size_t cell = index(row - rows * width_, column - columns * width_);
        const Point image{static_cast<double>(columns), static_cast<double>(rows)};
        for (size_t k = begin(cell); k < ends_[cell]; ++k) {
            const Point d{sorted_[k].x - p.x + image.x, sorted_[k].y - p.y + image.y};
            const double squared = d.x * d.x + d.y * d.y;
            if (k == site || squared == 0 || squared >= 4 * cell_.reach_squared()) continue;
            cell_.cut(d);
        }
    }
    int64_t sides_below(int64_t v) const { return v >= 0 ? v / width_ : -((-v + width_ - 1) / width_); }

    int64_t width_;                // grid cells along the square
    std::vector<size_t> ends_;     // of each grid cell's points, in the sorted list
    std::vector<Point> sorted_;    // by grid cell
    std::vector<size_t> numbers_;  // of the sorted points
    VoronoiCell cell_;
    CancelPoll poll_{1024};  // cells of a microsecond each
};

}  // namespace

void relax(std::vector<Point>& points, uint64_t iterations) {
    TorusGrid grid(points.size());
    WorkStage stage("relaxation", iterations);
    for (uint64_t i = 0; i < iterations; ++i) {
        grid.fill(points);
        grid.for_each_cell([&](size_t number, Point centroid) {
            points[number] = {on_torus(points[number].x + centroid.x), on_torus(points[number].y + centroid.y)};
        });
        stage.advance();
    }
}

}  // namespace flipscope
