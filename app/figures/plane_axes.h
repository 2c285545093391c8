// Axes of the plane: round coordinates along the edges of a picture, with as many digits as tell them apart. Far from
// the origin, seen closely, they are written as differences from a place that is told once.
#pragma once

#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/view/camera.h"
#include "lab/unit_names.h"

namespace flipscope::app {

/// The look that shows them, off at first: `--show axes`, the key Ctrl+Shift+B.
inline constexpr const char* kAxesLook = "axes";

struct PlaneTick {
    double off;        // from the middle, world units: small where the coordinate is large
    std::string text;  // "0.25", or what is to be added to the offset
};
struct PlaneTicks {
    std::vector<PlaneTick> ticks;  // ascending
    std::string offset;            // "1,234,500": what the texts are added to; empty: they are the coordinates
};
/// Multiples of a round step within `half` of `middle`; at most about `room` of them.
PlaneTicks plane_ticks(double middle, double half, int room);

/// Along the lower and the left edge of `box`, in world units, which `units` names. `line`: pixels of the camera for
/// one of the draw list. Of the left edge, what is higher than `top` or lower than `bottom` is left free; the picture
/// is seen down to `lower`. Returns the height taken below.
float draw_plane_axes(const Pen& pen, const Box& box, const Camera& camera, double line, float top, float bottom,
                      float lower, const PictureUnits& units);
/// What draw_plane_axes() takes below.
float plane_axes_height(const Pen& pen);

}  // namespace flipscope::app
