// Lays out the panels for a window's size; draws nothing. At a presenter scale above 1 the picture (the canvas without
// the legend) keeps at least half of the window: panels that the user has not opened fold, the legend is shortened, and
// the transport is compact. Text that needs more room than usual grows over the picture's lower edge instead of moving
// it. If the canvas has no room for the inspector beside what was clicked, or for a detail view beside its event, they
// move to the top of a panel.
#pragma once

namespace flipscope::app {

struct Layout;
struct UiState;

/// Heights that the contents need, screen coordinates.
struct Room {
    float width = 0, height = 0;                     // of the window
    float bottom = 0, compact_bottom = 0;            // transport height for most of its texts, in both forms
    float legend = 0;                                // height of a short but useful legend; 0: no legend
    float legend_line = 0;                           // its minimum, one line
    float bottom_more = 0, compact_bottom_more = 0;  // additional height for the current text
    bool halved = false;                             // the canvas is shared with a kept picture
    float import = 0;                                // height of the column chooser; 0: none
    float aside = 0;                                 // height of the inspector or the detail view; 0: neither
};

/// Whether both side panels fit beside a canvas of useful width.
bool has_room_for_all(const UiState& state, float width);
/// Places the panels. Panels that the user opened stay while they fit.
Layout lay_out(const UiState& state, const Room& room);
/// The picture's share of the window: the canvas without the legend.
double picture_share(const Layout& layout, float width, float height);

}  // namespace flipscope::app
