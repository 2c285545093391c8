// A thin failure, stretched across its length. Its points lie so nearly on one line that no zoom shows both its length
// and its thickness. Knows no window.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/point.h"
#include "mesh/failures.h"

namespace flipscope::app {

struct AcrossView {
    Point from, to;    // the farthest corners of the failure: along them nothing is stretched; world units
    double thick = 0;  // of what is shown, world units, across that way
    struct Spot {
        double along, across;    // 0 at `from`, 1 at `to`; across in units of `thick`, 0 on the line
        uint32_t point = kNone;  // its index in the input
    };
    std::vector<std::vector<Spot>> elements;  // of the failure, by their corners
    std::vector<Spot> points;                 // of the input that lie there
};

/// Nothing: the failure is no line, or it and the points beside it are thicker than `least` (world units).
std::optional<AcrossView> across_view(const CheckFailure& failure, const Geometry& input, double least);

}  // namespace flipscope::app
