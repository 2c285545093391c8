// Range check of a program's points, for the exact predicates: called by the library's functions before they start.
// Points of files and generators are checked elsewhere.
#pragma once

#include <span>

#include "compute/context.h"
#include "compute/view.h"
#include "geometry/point.h"

namespace flipscope {

/// Throws Error for the first point with a coordinate that is neither 0 nor between 2^-200 and 2^200 in size (NaN is
/// neither), by its index and value. `points`: in device-readable memory, fewer than 2^32. `what`: the noun, "point".
/// Waits for the device.
void require_in_range(Context& context, View<const Point> points, const char* what);
/// The same on the host.
void require_in_range(std::span<const Point> points, const char* what);

}  // namespace flipscope
