#include "events/deformation.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "compute/cancel.h"

namespace flipscope {

namespace {

constexpr double kNoShape = std::numeric_limits<double>::quiet_NaN();

/// Calls visit(pixel, dx, dy) for the eight neighbours, across periodic borders.
template <class Visit>
void for_neighbours(const Lattice& lattice, uint32_t pixel, const Visit& visit) {
    const int64_t wide = lattice.width, tall = lattice.height, x = lattice.x_of(pixel), y = lattice.y_of(pixel);
    for (int64_t dy = -1; dy <= 1; ++dy)
        for (int64_t dx = -1; dx <= 1; ++dx) {
            int64_t to_x = x + dx, to_y = y + dy;
            if (lattice.periodic.x) to_x = (to_x + wide) % wide;
            if (lattice.periodic.y) to_y = (to_y + tall) % tall;
            if ((dx || dy) && to_x >= 0 && to_x < wide && to_y >= 0 && to_y < tall)
                visit(lattice.pixel(static_cast<uint32_t>(to_x), static_cast<uint32_t>(to_y)), dx, dy);
        }
}

}  // namespace

double PlaneTensor::elongation() const {
    const double mean = 0.5 * (xx + yy), half = std::hypot(0.5 * (xx - yy), xy);
    return mean > half ? std::sqrt((mean + half) / (mean - half)) : kNoShape;
}

double PlaneTensor::angle() const {
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    return angle < 0 ? angle + std::numbers::pi : angle;
}

std::vector<PlaneTensor> shapes_of(const Lattice& lattice, std::span<const uint32_t> labels,
                                   std::span<const Point> centres, std::span<const uint32_t> windings) {
    struct Unwrapped {
        uint32_t pixel;
        Point at;  // from the centre
    };
    struct Sums {
        double area = 0;
        Point sum;
        PlaneTensor squares;
    };
    std::vector<Sums> sums(centres.size());
    std::vector<uint8_t> visited(labels.size());
    std::vector<Unwrapped> open;
    CancelPoll poll;
    for (uint32_t first = 0; first < labels.size(); ++first) {
        poll();
        const uint32_t label = labels[first];
        if (label >= centres.size() || visited[first]) continue;
        visited[first] = 1;
        open.push_back({first, lattice.difference(centres[label], lattice.place(first))});
        while (!open.empty()) {
            const auto [pixel, at] = open.back();
            open.pop_back();
            Sums& own = sums[label];
            ++own.area, own.sum.x += at.x, own.sum.y += at.y;
            own.squares.add(at);
            for_neighbours(lattice, pixel, [&, at = at](uint32_t to, int64_t dx, int64_t dy) {
                if (labels[to] != label || visited[to]) return;
                visited[to] = 1;
                open.push_back({to, {at.x + double(dx), at.y + double(dy)}});
            });
        }
    }
    std::vector<PlaneTensor> shapes;
    for (size_t label = 0; label < sums.size(); ++label) {
        const auto& [area, sum, squares] = sums[label];
        PlaneTensor shape = squares.scaled(1 / area);
        shape.add({sum.x / area, sum.y / area}, -1);
        shape.xx += 1. / 12, shape.yy += 1. / 12;
        if (area == 0 || windings[label] != 0) shape = {kNoShape, kNoShape, kNoShape};
        shapes.push_back(shape);
    }
    return shapes;
}

PlaneTensor texture_of(const Lattice& lattice, std::span<const Point> sites, std::span<const uint32_t> starts,
                       std::span<const uint32_t> rows) {
    PlaneTensor sum;
    for (uint32_t a = 0; a < sites.size(); ++a)
        for (uint32_t e = starts[a]; e < starts[a + 1]; ++e) sum.add(lattice.difference(sites[a], sites[rows[e]]));
    return sum.scaled(rows.empty() ? kNoShape : 1 / double(rows.size()));
}

PlaneTensor contour_tensor(const Lattice& lattice, std::span<const float> field, double value,
                           std::span<const uint8_t> obstacles) {
    PlaneTensor sum;
    const uint32_t wide = lattice.width, tall = lattice.height;
    CancelPoll poll(64);  // polled at rows of pixels
    for (uint32_t y = 0; y + (lattice.periodic.y ? 0 : 1) < tall; ++y) {
        poll();
        for (uint32_t x = 0; x + (lattice.periodic.x ? 0 : 1) < wide; ++x) {
            const uint32_t right = x + 1 < wide ? x + 1 : 0, up = y + 1 < tall ? y + 1 : 0;
            const uint32_t corners[] = {lattice.pixel(x, y), lattice.pixel(right, y), lattice.pixel(right, up),
                                        lattice.pixel(x, up)};
            static constexpr Point kCorners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
            double above[4], mean = 0;
            bool open = true;
            for (int k = 0; k < 4; ++k) {
                above[k] = double(field[corners[k]]) - value;
                mean += above[k];
                open = open && std::isfinite(above[k]) && (obstacles.empty() || !obstacles[corners[k]]);
            }
            if (!open) continue;
            std::array<Point, 4> crossings;
            size_t found = 0;
            for (int k = 0; k < 4; ++k) {
                const int next = (k + 1) % 4;
                if ((above[k] > 0) == (above[next] > 0)) continue;
                const double t = above[k] / (above[k] - above[next]);
                crossings[found++] = {kCorners[k].x + t * (kCorners[next].x - kCorners[k].x),
                                      kCorners[k].y + t * (kCorners[next].y - kCorners[k].y)};
            }
            // Of a saddle, sides cut off the corners that are unlike the middle.
            const size_t shift = found == 4 && (above[0] > 0) != (mean > 0) ? 1 : 0;
            for (size_t k = 0; k + 1 < found; k += 2) {
                const Point &from = crossings[(k + 4 - shift) % 4], &to = crossings[(k + 1 + 4 - shift) % 4];
                const Point side{to.x - from.x, to.y - from.y};
                if (const double length = std::hypot(side.x, side.y); length > 0) sum.add(side, 1 / length);
            }
        }
    }
    return sum;
}

}  // namespace flipscope
