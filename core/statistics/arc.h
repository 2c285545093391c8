// Arc tangent with the same bits on every device: see compute/portable_math.h, whose rules it follows.
#pragma once

#include <cmath>

#include "compute/portable_math.h"

namespace flipscope::portable {

/// The angle of the direction (cosine, sine), of any length above 0, in [0, π], for sine >= 0. Errors are a few units
/// in the last place.
FLIPSCOPE_HD inline double angle_of(double cosine, double sine) {
    constexpr double kPi = 3.14159265358979323846;
    // tan of the angle to the nearer axis, at most 1; halved twice, it is at most tan(π/16), where the series is short.
    const double size = cosine < 0 ? -cosine : cosine;
    const bool steep = sine > size;
    const double above = steep ? size : sine, below = steep ? sine : size;
    if (!(below > 0)) return 0;
    double t = above / below;
    for (int halving = 0; halving < 2; ++halving) t /= 1 + sqrt(1 + t * t);
    constexpr double kTerms[] = {1,       -1. / 3,  1. / 5,  -1. / 7,  1. / 9, -1. / 11,
                                 1. / 13, -1. / 15, 1. / 17, -1. / 19, 1. / 21};
    const double nearest = 4 * t * polynomial(kTerms, t * t);
    const double first = steep ? kPi / 2 - nearest : nearest;
    return cosine < 0 ? kPi - first : first;
}

}  // namespace flipscope::portable
