// A thin failure, stretched across its length: its points are so nearly collinear that no zoom shows both its length
// and its thickness. Independent of the window.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/point.h"
#include "mesh/failures.h"

namespace flipscope::app {

struct AcrossView {
    Point from, to;    // the failure's farthest corners; that direction is not stretched; world units
    double thick = 0;  // height of the strip across that direction, world units
    struct Spot {
        double along, across;    // 0 at `from`, 1 at `to`; across in units of `thick`, 0 on the line
        uint32_t point = kNone;  // its index in the input
    };
    std::vector<std::vector<Spot>> elements;  // the failure's elements, by their corners
    std::vector<Spot> points;                 // points of the input in the strip
};

/// Empty if the failure is not a line, or if it and its nearby points are thicker than `least` (world units).
std::optional<AcrossView> across_view(const CheckFailure& failure, const Geometry& input, double least);

}  // namespace flipscope::app
