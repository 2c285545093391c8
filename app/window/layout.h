// Where the panels lie in a window of some size: boxes from numbers, nothing is drawn here. At a presenter scale above
// 1 the picture (the canvas without the legend) keeps at least half of the window: panels fold that were not opened by
// hand, the legend is shortened, and the transport says the same in fewer lines. Words that need more room than most do
// grow over the picture's lower edge instead of moving it. Where panels leave too little canvas for an inspector beside
// what was clicked, or for a detail view beside its event, these stand at the top of a panel.
#pragma once

namespace flipscope::app {

struct Layout;
struct UiState;

/// What is to be placed, screen coordinates.
struct Room {
    float width = 0, height = 0;           // of the window
    float bottom = 0, compact_bottom = 0;  // heights that the transport needs for most of its words, either way
    float legend = 0;                      // height of a legend that is short, but tells something; 0: there is none
    float legend_line = 0;                 // and of its least, one line
    float bottom_more = 0, compact_bottom_more = 0;  // what the words of this moment need beyond that
    bool halved = false;                             // the canvas is shared with a kept picture
    float import = 0;                                // height of the strip that chooses columns; 0: there is none
    float aside = 0;  // height that the inspector or the detail view needs; 0: there is neither
};

/// Whether both side panels fit beside a canvas worth looking at.
bool has_room_for_all(const UiState& state, float width);
/// Places the panels. What was opened by hand stays as long as it fits.
Layout lay_out(const UiState& state, const Room& room);
/// Which part of the window the picture has: the canvas without the legend.
double picture_share(const Layout& layout, float width, float height);

}  // namespace flipscope::app
