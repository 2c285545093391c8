#include "geometry/point_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/cancel.h"
#include "compute/random.h"

namespace flipscope {
namespace {

constexpr uint32_t kNoPoint = std::numeric_limits<uint32_t>::max();
constexpr int kThrowsPerPoint = 30;

/// At most one point a cell: a cell's diagonal is just below the radius. Two empty cells surround the square.
class Occupancy {
  public:
    explicit Occupancy(double radius)
        : per_unit_(std::sqrt(2.0) / radius * 1.0000001), width_(static_cast<size_t>(per_unit_) + 5) {
        resize_or_cancel(cells_, width_ * width_, kNoPoint);
    }

    bool free(Point p, double radius_squared, const std::vector<Point>& points) const {
        const size_t x = column(p.x), y = column(p.y);
        if (cells_[y * width_ + x] != kNoPoint) return false;
        for (int dy : {0, -1, 1, -2, 2}) {  // conflicts are most likely in the middle rows
            const uint32_t* middle = &cells_[(y + dy) * width_ + x];
            for (const uint32_t* cell = middle - 2; cell <= middle + 2; ++cell) {
                if (*cell == kNoPoint) continue;
                const Point q = points[*cell];
                const double rx = p.x - q.x, ry = p.y - q.y;
                if (rx * rx + ry * ry < radius_squared) return false;
            }
        }
        return true;
    }

    void put(Point p, uint32_t id) { cells_[column(p.y) * width_ + column(p.x)] = id; }

  private:
    size_t column(double v) const { return static_cast<size_t>(v * per_unit_) + 2; }

    double per_unit_;  // cells along the unit square's side
    size_t width_;
    std::vector<uint32_t> cells_;  // (width, width) point ids or kNoPoint
};

}  // namespace

std::vector<Point> poisson_disk_points(double radius, uint64_t key, uint64_t counter) {
    const double radius_squared = radius * radius;
    Occupancy occupancy(radius);
    const RandomPair first = random_pair(key, counter++);
    std::vector<Point> points = {{first.first, first.second}};
    std::vector<uint32_t> active = {0};
    occupancy.put(points[0], 0);

    const auto throw_near = [&](Point centre) {
        for (;;) {  // uniform in the annulus from radius to twice that, by rejection
            const RandomPair u = random_pair(key, counter++);
            const double dx = (4 * u.first - 2) * radius, dy = (4 * u.second - 2) * radius;
            const double distance_squared = dx * dx + dy * dy;
            if (distance_squared >= radius_squared && distance_squared < 4 * radius_squared) {
                return Point{centre.x + dx, centre.y + dy};
            }
        }
    };
    const auto inside = [](Point p) { return p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1; };

    CancelPoll poll(256);  // of some microseconds each
    while (!active.empty()) {
        poll();
        const auto draw = random_pair(key, counter++).first * static_cast<double>(active.size());
        const size_t slot = std::min(static_cast<size_t>(draw), active.size() - 1);
        const Point centre = points[active[slot]];
        bool grew = false;
        for (int i = 0; i < kThrowsPerPoint && !grew; ++i) {
            const Point p = throw_near(centre);
            if (!inside(p) || !occupancy.free(p, radius_squared, points)) continue;
            const auto id = static_cast<uint32_t>(points.size());
            occupancy.put(p, id);
            points.push_back(p);
            active.push_back(id);
            grew = true;
        }
        if (!grew) {
            active[slot] = active.back();
            active.pop_back();
        }
    }
    return points;
}

}  // namespace flipscope
