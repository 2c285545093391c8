// Axes of the plane: round coordinates along the edges of a picture, with enough digits to tell them apart. Close-ups
// far from the origin show differences from an offset that is written once.
#pragma once

#include <string>
#include <vector>

#include "app/figures/highlights.h"
#include "lab/unit_names.h"

namespace flipscope::app {

/// The display option that shows them, off by default: `--show axes`, key Ctrl+Shift+B.
inline constexpr const char* kAxesDisplay = "axes";

struct PlaneTick {
    double off;        // from the middle, world units; stays accurate where the coordinate is large
    std::string text;  // "0.25", or the difference from the offset
};
struct PlaneTicks {
    std::vector<PlaneTick> ticks;  // ascending
    std::string offset;            // "1,234,500", to which the texts are added; empty: they are coordinates
};
/// Multiples of a round step within `half` of `middle`; about `room` of them at most.
PlaneTicks plane_ticks(double middle, double half, int room);

/// Where the axes of a view go.
struct AxesFrame {
    bool outside = false;        // numbers outside of the box, else inside its lower and left edges on a background
    double top = 0, bottom = 0;  // inside: where the left axis stops, at both ends
    double lower = 0;            // inside: lower limit of the visible picture
};
/// Draws along the lower and the left edge of the view, in world units, labelled by `units`.
void draw_plane_axes(const Ink& ink, const ShownView& view, const AxesFrame& frame, const PictureUnits& units);
/// Their height at the lower edge, within the box.
inline double plane_axes_height(double font) { return 2.3 * font; }

}  // namespace flipscope::app
