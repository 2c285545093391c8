// The threshold between the dark and the light of a field, after N. Otsu, A threshold selection method from gray-level
// histograms (1979): of all divisions of the values into two classes, the one with the greatest variance between the
// classes. We look at the field after a median over 3 × 3 pixels, so that a hot or dead pixel, however far off, decides
// nothing. On the host; the same for every device.
#pragma once

#include <cstdint>

namespace flipscope {

/// values: (h, w), finite, at least one. Half way between the two classes' nearest values; where all are equal, that.
double otsu_threshold(const float* values, uint32_t width, uint32_t height);
double otsu_threshold(const double* values, uint32_t width, uint32_t height);

}  // namespace flipscope
