// The first step of every construction: orders the points along a space-filling curve, so that neighbours in memory are
// neighbours in the plane, and merges equal points, so that no two vertices share a place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compute/buffer.h"
#include "geometry/bounds.h"

namespace flipscope {

struct OrderedPoints {
    uint32_t count = 0;  // distinct points
    Bounds bounds;       // 0 without points
};

/// The points that a construction reads.
struct InputPoints {
    InputPoints(std::shared_ptr<const Geometry> points) : geometry(std::move(points)) {}  // NOLINT: points are input
    InputPoints(std::shared_ptr<Geometry> points) : geometry(std::move(points)) {}        // NOLINT
    /// Borrows points in the device's memory; for a CPU context anywhere. `name`: used in messages.
    InputPoints(View<const Point> points, std::string name = "points")  // NOLINT
        : geometry(std::make_shared<Geometry>(Geometry{std::move(name), {}})), resident(points) {}

    size_t count() const { return resident ? resident.count : geometry->points.size(); }

    std::shared_ptr<const Geometry> geometry;  // without points where these are resident
    View<const Point> resident;                // nullptr: `geometry` has them
};

/// Writes the distinct points to `positions` in Hilbert order, and to `inputs` the index that each has in the input; of
/// equal points the first. Leaves room for `extra` more elements at the end of both. Points within one cell of the
/// curve (2^-22 of the larger extent) are ordered by x, then y. `first_equal` (may be nullptr): (n) receives for each
/// point the index of the first point equal to it; empty if all differ, which costs nothing.
OrderedPoints order_points(Context& context, const InputPoints& input, uint32_t extra, Buffer<Point>& positions,
                           Buffer<uint32_t>& inputs, Buffer<uint32_t>* first_equal = nullptr);

/// Vertical strips of points, as of order_in_strips().
struct PointStrips {
    uint32_t count = 0;  // s
    Buffer<uint32_t> begins{"strips",
                            Residence::kDrawn};  // (s + 1) first vertex of each strip; then how many vertices there are
    Buffer<uint32_t> strip_of{"strip of"};       // (v) of each vertex
};

/// As order_points(), but sorted into vertical strips of about as many points each, from left to right, and within a
/// strip by y, then x. Points of equal x are in one strip. At most `strips` of them, none empty. `known`: a box that
/// contains all points, if the caller has one.
OrderedPoints order_in_strips(Context& context, const InputPoints& input, uint32_t strips, uint32_t extra,
                              Buffer<Point>& positions, Buffer<uint32_t>& inputs, PointStrips& made,
                              Buffer<uint32_t>* first_equal = nullptr, const std::optional<Bounds>& known = {});

/// The bounds of points that the device can read. Waits for the device.
Bounds bounds_of(Context& context, View<const Point> points);

/// For points on one line: the ids 0 … count - 1 sorted by x, then y.
std::vector<uint32_t> sort_along_line(Context& context, const Buffer<Point>& positions, uint32_t count);

}  // namespace flipscope
