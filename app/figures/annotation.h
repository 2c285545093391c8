// What surrounds a picture: legend, colour bars, scale bar, titles, words. One layout for the window, pictures and
// figures. Independent of labs and of the renderer.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/drawing_cairo.h"
#include "app/view/camera.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What annotations are drawn with. All lengths are multiples of `font`, the size of the letters.
struct Ink {
    Drawing& drawing;
    const Palette& colors;
    double font = 9;
    std::function<double(const std::string& text, double size)> width_of = text_width;

    double width(const std::string& text) const { return width_of(text, font); }
    double line() const { return kLine * font; }
    /// The text, cut with an ellipsis if it is wider than `room`.
    std::string cut(const std::string& text, double room) const;
    std::vector<std::string> in_lines(const std::string& text, double room) const;
    /// `at`: upper edge of the line; `anchor` as in Drawing::text().
    void write(Point at, const Color& color, const std::string& text, double anchor = 0) const;
    /// A nearly opaque background in the canvas's colour.
    void ground(const Area& area, float strength = 0.8f) const;

    static constexpr double kLine = 1.21, kAscent = 0.97;  // of Inter, multiples of the font size
};

/// A legend entry's sign, centred on the line that begins at `at`.
void draw_swatch(const Ink& ink, const LegendEntry& entry, Point at, double width);
inline constexpr double kSwatch = 1.7;  // its width in a legend, multiples of the font size

struct LegendShape {
    double width = 0;                                       // of a line
    bool column = false;                                    // one entry per line
    double begin = 0;                                       // start of the first line, after something else
    double most = std::numeric_limits<double>::infinity();  // height
    double leading = 0.45;                                  // between lines, multiples of the font size
};
struct LegendLayout {
    struct Item {
        Point at;                          // upper left corner, from the legend's
        std::string text;                  // cut if it is too long
        std::optional<LegendEntry> entry;  // none: a group's title
        double width = 0;
    };
    std::vector<Item> items;
    double height = 0, widest = 0;
    std::vector<std::string> left_over;  // names that did not fit; the last item gives their count
    double text_from = 0;                // where the names of entries begin: after a swatch and a gap
};
/// Points, edges, triangles and pixels under their headings. `vertices`: the heading of vertices.
LegendLayout lay_out_legend(const Ink& ink, const std::vector<LegendEntry>& entries, const std::string& vertices,
                            const LegendShape& shape);
void draw_legend(const Ink& ink, const LegendLayout& legend, Point at);

/// A scale of colours, resolved.
struct ColourBar {
    std::string title, unit;  // unit after each number, or empty
    double low = 0, high = 1;
    bool logarithmic = false;                   // equal factors have equal lengths; `low` > 0
    std::vector<Color> colours;                 // of equal intervals, from the low end
    bool has_below = false, has_above = false;  // arrows: numbers lie beyond the ends
    uint32_t steps = 0;                         // 0: continuous
    /// Instead of colours: discs whose areas are proportional to a number, `scale` drawing units per world unit.
    std::optional<DiscsLayer::SizeScale> sizes = {};
    double scale = 1;
};
ColourBar bar_of(const ColourScale& scale, const Palette& colors);
/// The bars for what `display` shows of the scene: angles of triangles, numbers of layers, sizes of discs. `scale`:
/// drawing units per world unit.
std::vector<ColourBar> colour_bars(const Scene& scene, const DisplayOptions& display, const Palette& colors,
                                   double scale = 1);
/// `area`: of the bar's width and of height colour_bar_height().
void draw_colour_bar(const Ink& ink, const Area& area, const ColourBar& bar);
inline double colour_bar_height(double font) { return 3.7 * font; }
inline double colour_bar_width(double font) { return 18 * font; }

/// A line of that length with its text beside it, one line high.
void draw_scale_bar(const Ink& ink, Point at, double length, const std::string& text);
/// Width of the text and the gap before it.
double scale_bar_text(const Ink& ink, const std::string& text);

/// Lines of text centred in the view, from `top` down, on a background.
void draw_title(const Ink& ink, const Area& view, double top, const std::vector<std::string>& lines);
/// The height of such a title.
double title_height(double font, size_t lines);

/// A word centred at its place, on a background, clipped to its view: another view or the legend may follow.
void draw_word(const Ink& ink, const Area& view, Point at, const std::string& word, const Color& color);

}  // namespace flipscope::app
