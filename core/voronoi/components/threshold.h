// The threshold between the dark and the light of a field, after N. Otsu, A threshold selection method from gray-level
// histograms (1979): of all divisions of the values into two classes, the one with the greatest variance between the
// classes. We first apply a median over 3 × 3 pixels, so that hot or dead pixels have no influence. Host code; the same
// for every device.
#pragma once

#include <cstdint>

namespace flipscope {

/// values: (h, w), finite, at least one. Half way between the two classes' nearest values; if all values are equal,
/// that value.
double otsu_threshold(const float* values, uint32_t width, uint32_t height);
double otsu_threshold(const double* values, uint32_t width, uint32_t height);

}  // namespace flipscope
