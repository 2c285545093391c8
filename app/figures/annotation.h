// What stands beside a picture: the legend with its swatches, and colour bars. Drawn with Dear ImGui's draw lists, so
// that a panel of the window and a picture made without a window (page.h) show the same. Knows no lab, and no renderer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figures/box.h"
#include "app/figures/theme.h"
#include "app/view/camera.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What annotations are drawn with. `scale`: of text and lines, as the fonts were loaded.
struct Pen {
    ImDrawList& draw;
    const Palette& colors;
    const Fonts& fonts;
    float scale = 1;

    float em(float pixels) const { return pixels * scale; }
    /// Height of a line, in the units of the draw list.
    static float line(const ImFont& font);
    /// Of the text, broken into lines where it is wider than `wrap` (0: never).
    static ImVec2 measure(const ImFont& font, const std::string& text, float wrap = 0);
    /// `at`: the text's upper left corner.
    void write(const ImFont& font, ImVec2 at, const Color& color, const std::string& text, float wrap = 0) const;
    /// The text, cut with an ellipsis where it is wider than `width`.
    static std::string cut(const ImFont& font, const std::string& text, float width);
    /// The text in one line where it fits, else in two, which break behind a colon if they fit then, or else as even
    /// as the blanks allow. Where these do not fit, either, what is behind a colon takes two by itself. Each is cut.
    static std::vector<std::string> in_lines(const ImFont& font, const std::string& text, float width);
};

/// The sign of a legend entry, `width` wide, around the middle of the text line of height `line` that begins at `at`.
void draw_swatch(const Pen& pen, const LegendEntry& entry, ImVec2 at, float width, float line);

/// The entries, points, edges, triangles and pixels each under their name, as text flows in lines of at most `width`;
/// returns the height that they take. With `drawing` off only measures.
float draw_legend_lines(const Pen& pen, const std::vector<LegendEntry>& entries, const std::string& vertices, ImVec2 at,
                        float width, bool drawing = true);
/// The same one below the other; legend_column_width() is what they need.
float draw_legend_column(const Pen& pen, const std::vector<LegendEntry>& entries, const std::string& vertices,
                         ImVec2 at, float width, bool drawing = true);
float legend_column_width(const Pen& pen, const std::vector<LegendEntry>& entries);

struct ColourBar {
    double low = 0, high = 1;
    std::string name, unit;
    std::function<Color(double)> colour_of;  // asked for values from `low` to `high`
    bool logarithmic = false;                // equal factors are equally long; `low` is above 0

    /// From 0 at the low end to 1 at the high one.
    double value_at(double place) const;
};
/// A scale of colours with its name, unit and round values. `area`: as wide as the bar is to be, and
/// colour_bar_height() high.
void draw_colour_bar(const Pen& pen, const Box& area, const ColourBar& bar);
float colour_bar_height(const Pen& pen);
ColourBar bar_of(const ColourScale& scale, const Palette& colors);
/// Those of what `look` shows of the scene: angles of triangles, numbers on a lattice.
std::vector<ColourBar> colour_bars(const Scene& scene, const Look& look, const Palette& colors);

}  // namespace flipscope::app
