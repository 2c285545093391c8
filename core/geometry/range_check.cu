#include "geometry/range_check.h"

#include <string>

#include "compute/error.h"
#include "compute/primitives.h"
#include "flipscope/predicates.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

FLIPSCOPE_HD inline bool in_range(Point p) { return coordinate_in_range(p.x) && coordinate_in_range(p.y); }

/// The lowest index of a point out of range, or kNone.
struct FindOutOfRange {
    View<const Point> points;
    FLIPSCOPE_HD uint32_t operator()(uint32_t i) const { return in_range(points[i]) ? kNone : i; }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a < b ? a : b; }
};

[[noreturn]] void refuse(const char* what, size_t index, Point at) {
    throw Error(std::string(what) + " " + std::to_string(index) + ": (" + format_exactly(at.x) + ", " +
                format_exactly(at.y) +
                ") cannot be decided exactly; each coordinate must be 0 or between 2^-200 and 2^200 in size");
}

}  // namespace

void require_in_range(Context& context, View<const Point> points, const char* what) {
    const auto n = static_cast<uint32_t>(points.count);
    const uint32_t first = reduce(context, "check.range", n, FindOutOfRange{points}, uint32_t(kNone));
    if (first == kNone) return;
    Point at;
    context.copy(&at, points.data + first, sizeof at);
    refuse(what, first, at);
}

void require_in_range(std::span<const Point> points, const char* what) {
    CancelPoll poll;
    for (size_t i = 0; i < points.size(); ++i) {
        poll();
        if (!in_range(points[i])) refuse(what, i, points[i]);
    }
}

}  // namespace flipscope
