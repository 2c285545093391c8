// Exports of labs with periodic boxes, for their tests.
#pragma once

#include "delaunay/runs.h"

namespace flipscope {

/// The area of the exported triangles, with the images that they mean: each is counter-clockwise.
inline double area_of_images(const Lab& lab, Point sides) {
    const auto at = values_of<Point>(lab, "positions");
    const auto ids = values_of<uint32_t>(lab, "triangles");
    const auto shifts = values_of<int64_t>(lab, "shifts");
    REQUIRE(shifts.size() == 2 * ids.size());
    double area = 0;
    for (size_t t = 0; t < ids.size(); t += 3) {
        Point p[3];
        for (size_t k = 0; k < 3; ++k)
            p[k] = {at[ids[t + k]].x + sides.x * double(shifts[2 * (t + k)]),
                    at[ids[t + k]].y + sides.y * double(shifts[2 * (t + k) + 1])};
        const double twice = orient2d_value(p[0], p[1], p[2]);
        CHECK(twice > 0);
        area += twice / 2;
    }
    return area;
}

}  // namespace flipscope
