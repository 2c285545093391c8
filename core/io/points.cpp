#include "io/points.h"

#include <cmath>

#include "flipscope/predicates.h"
#include "geometry/places.h"

namespace flipscope {
void require_in_range(double value, const std::string& where) {
    if (coordinate_in_range(value)) return;
    const std::string shown = format_exactly(value);
    if (!std::isfinite(value)) throw Error(where + " is " + shown + ", not a finite number");
    throw Error(where + " is " + shown + ", too " + (std::fabs(value) < 1 ? "small" : "large") +
                ": a coordinate must be 0 or between 2^-200 (6.2e-61) and 2^200 (1.6e60) in magnitude");
}

Geometry check_points(Geometry set) {
    for (size_t i = 0; i < set.points.size(); ++i) {
        const Point p = set.points[i];
        if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) continue;
        const std::string where = set.name + ": point " + std::to_string(i) + ": ";
        require_in_range(p.x, where + "x");
        require_in_range(p.y, where + "y");
    }
    return set;
}

}  // namespace flipscope
