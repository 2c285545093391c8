// Axes of the plane: round coordinates along the edges of a picture, with as many digits as tell them apart. Far from
// the origin, seen closely, they are written as differences from a place that is told once.
#pragma once

#include <string>
#include <vector>

#include "app/figures/highlights.h"
#include "lab/unit_names.h"

namespace flipscope::app {

/// The look that shows them, off at first: `--show axes`, the key Ctrl+Shift+B.
inline constexpr const char* kAxesDisplay = "axes";

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

/// Where the axes of a view go.
struct AxesFrame {
    bool outside = false;  // numbers stand outside of the box, or else within its lower and left edges, on a ground
    double top = 0, bottom = 0;  // within: what of the left edge is higher or lower is left free
    double lower = 0;            // within: down to here the picture is seen
};
/// Along the lower and the left edge of the view, in world units, which `units` names.
void draw_plane_axes(const Ink& ink, const ShownView& view, const AxesFrame& frame, const PictureUnits& units);
/// What they take below, within the box.
inline double plane_axes_height(double font) { return 2.3 * font; }

}  // namespace flipscope::app
