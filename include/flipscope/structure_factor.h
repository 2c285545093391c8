// The structure factor of points. The same bits on every device and for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"
#include "flipscope/study_area.h"

namespace flipscope {

/// S(k) = |Σ exp(-ik·r)|² / n at the wave vectors k = 2π (m / width, l / height), where the window itself contributes
/// nothing; in a polygon |Σ exp(-ik·r) - n/|W| ∫_W exp(-ik·r) dr|² / n, of its bounds. 1 on average for random points.
/// By a nonuniform fast Fourier transform with a kernel of 6 grid cells (Barnett, Magland and af Klinteberg 2019), to
/// about 2·10⁻⁴.
struct StructureFactor {
    static constexpr int kModes = 127;            // m and l from -kModes to kModes
    static constexpr int kSide = 2 * kModes + 1;  // of the picture
    std::vector<double> picture;                  // (kSide, kSide) l upward, m to the right; mean over `tiles`
    double step_x = 0, step_y = 0;                // of k in the picture, radians per world unit
    uint32_t tiles = 0;                           // parts of the window, over which it is the mean
    uint64_t points_per_tile = 0;                 // on average
    std::vector<double> k, values;                // radially averaged, ascending; low k from the whole window
};
/// `points` (n), world units, in host memory. Empty for fewer than two points, or none in the area. Waits.
StructureFactor structure_factor(Context& context, std::span<const Point> points, const StudyArea& area);

}  // namespace flipscope
