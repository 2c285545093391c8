// Whether points that a program gives are ones that the exact predicates can take: asked by the functions of the
// library before they start. Files and generators are checked where they are read and made.
#pragma once

#include <span>

#include "compute/context.h"
#include "compute/view.h"
#include "geometry/point.h"

namespace flipscope {

/// Throws Error for the first point with a coordinate that is neither 0 nor between 2^-200 and 2^200 in size (NaN is
/// neither), by its index and value. `points`: where the device reads them, fewer than 2^32. `what`: what one is
/// called, "point". Waits for the device.
void require_in_range(Context& context, View<const Point> points, const char* what);
/// The same on the host.
void require_in_range(std::span<const Point> points, const char* what);

}  // namespace flipscope
