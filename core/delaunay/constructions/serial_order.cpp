#include "delaunay/constructions/serial_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "compute/cancel.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr uint64_t kRandomOrder = 0x9E3779B97F4A7C15;  // apart from the hash that draws samples

/// The sample that a vertex belongs to: the last has about half of all points, the one before a quarter, and so on.
uint32_t sample_of(uint32_t vertex, uint32_t count) {
    const uint32_t samples = static_cast<uint32_t>(std::bit_width(count));
    const uint32_t zeros = static_cast<uint32_t>(std::countr_zero(mix64(vertex)));
    return samples - std::min(samples - 1, zeros);
}

template <class Key>
void sort_by(std::vector<uint32_t>& vertices, const Key& key) {
    std::vector<std::pair<decltype(key(0)), uint32_t>> keyed;
    keyed.reserve(vertices.size());
    for (const uint32_t v : vertices) keyed.emplace_back(key(v), v);
    stable_sort_or_cancel(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a < b; });
    for (size_t i = 0; i < keyed.size(); ++i) vertices[i] = keyed[i].second;
}

/// Turns of the spiral up to a point: whole ones, and the part of the last.
std::pair<double, double> along_spiral(Point p, const Bounds& bounds, uint32_t count) {
    const double x = p.x - std::midpoint(bounds.low.x, bounds.high.x);
    const double y = p.y - std::midpoint(bounds.low.y, bounds.high.y);
    const double wide = bounds.high.x - bounds.low.x, high = bounds.high.y - bounds.low.y;
    const double apart = std::max(std::sqrt(wide) * std::sqrt(high), 0x1p-50 * std::max(wide, high)) / std::sqrt(count);
    const double part = std::atan2(y, x) / (2 * std::numbers::pi) + 0.5;
    return {std::floor(std::hypot(x, y) / apart - part), part};
}

}  // namespace

std::vector<OrderedPoint> order_of_insertion(InsertionOrder order, View<const Point> positions,
                                             View<const uint32_t> inputs, uint32_t count, const Bounds& bounds,
                                             FirstTriangle& first) {
    std::vector<uint32_t> vertices(count);
    std::iota(vertices.begin(), vertices.end(), 0u);  // along the curve
    switch (order) {
        case InsertionOrder::kBiased:
            sort_by(vertices, [&](uint32_t v) { return sample_of(v, count); });
            break;
        case InsertionOrder::kClicked:
        case InsertionOrder::kFile:
            sort_by(vertices, [&](uint32_t v) { return inputs[v]; });
            break;
        case InsertionOrder::kRandom:
            sort_by(vertices, [&](uint32_t v) { return mix64(inputs[v] ^ kRandomOrder); });
            break;
        case InsertionOrder::kX:
            sort_by(vertices, [&](uint32_t v) { return std::pair(positions[v].x, positions[v].y); });
            break;
        case InsertionOrder::kSpiral:
            sort_by(vertices, [&](uint32_t v) { return along_spiral(positions[v], bounds, count); });
            break;
        case InsertionOrder::kHilbert:
            break;
    }
    const bool samples = order == InsertionOrder::kBiased;
    if (!samples) {
        first.a = vertices[0];
        first.b = vertices[1];
        const Point a = positions[first.a], b = positions[first.b];
        first.c = *std::find_if(vertices.begin() + 2, vertices.end(),
                                [&](uint32_t v) { return orient2d(a, b, positions[v]) != 0; });
        if (orient2d(a, b, positions[first.c]) < 0) std::swap(first.b, first.c);
        first.centre = {a, positions[first.b], positions[first.c]};
    }
    std::vector<OrderedPoint> ordered;
    ordered.reserve(count);
    uint32_t sample = 0;
    for (const uint32_t v : vertices) {
        if (v == first.a || v == first.b || v == first.c) continue;
        const uint32_t before = std::exchange(sample, samples ? sample_of(v, count) : sample + 1);
        ordered.push_back({v, sample != before});
    }
    return ordered;
}

}  // namespace flipscope
