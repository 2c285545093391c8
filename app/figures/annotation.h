// What surrounds a picture: legend, colour bars, a scale bar, titles, words. Laid out here once, for the window,
// pictures and figures. Knows no lab, and no renderer.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/drawing.h"
#include "app/view/camera.h"
#include "lab/lab.h"

namespace flipscope::app {

/// What annotations are drawn with. All lengths follow from `font`, the size of the letters.
struct Ink {
    Drawing& drawing;
    const Palette& colors;
    double font = 9;
    std::function<double(const std::string& text, double size)> width_of = text_width;

    double width(const std::string& text) const { return width_of(text, font); }
    double line() const { return kLine * font; }
    /// The text, cut with an ellipsis where it is wider than `room`.
    std::string cut(const std::string& text, double room) const;
    std::vector<std::string> in_lines(const std::string& text, double room) const;
    /// `at`: the upper edge of the line; `anchor` as Drawing::text() has it.
    void write(Point at, const Color& color, const std::string& text, double anchor = 0) const;
    /// A ground of the canvas' colour, through which little is seen.
    void ground(const Area& area, float strength = 0.8f) const;

    static constexpr double kLine = 1.21, kAscent = 0.97;  // Inter's, of the size of the letters
};

/// The sign of a legend entry, around the middle of a line that begins at `at`.
void draw_swatch(const Ink& ink, const LegendEntry& entry, Point at, double width);
inline constexpr double kSwatch = 1.7;  // its width in a legend, of the size of the letters

struct LegendShape {
    double width = 0;                                       // of a line
    bool column = false;                                    // entries one below the other
    double begin = 0;                                       // of the first line, which something else stands before
    double most = std::numeric_limits<double>::infinity();  // height
    double leading = 0.45;                                  // between lines, of the size of the letters
};
struct LegendLayout {
    struct Item {
        Point at;                          // its upper left corner, from that of the legend
        std::string text;                  // cut where it is too long
        std::optional<LegendEntry> entry;  // none: the title of a group
        double width = 0;
    };
    std::vector<Item> items;
    double height = 0, widest = 0;
    std::vector<std::string> left_over;  // names that there was no room for; how many is the last item
    double text_from = 0;                // of the names of entries: the width of a swatch and a gap
};
/// Points, edges, triangles and pixels, each under their name. `vertices`: what those of vertices are called.
LegendLayout lay_out_legend(const Ink& ink, const std::vector<LegendEntry>& entries, const std::string& vertices,
                            const LegendShape& shape);
void draw_legend(const Ink& ink, const LegendLayout& legend, Point at);

/// A scale of colours, with its colours found out.
struct ColourBar {
    std::string title, unit;  // the unit behind each number, or empty
    double low = 0, high = 1;
    bool logarithmic = false;    // equal factors are equally long; `low` is above 0
    std::vector<Color> colours;  // of equal pieces, from the low end
};
ColourBar bar_of(const ColourScale& scale, const Palette& colors);
/// Those of what `look` shows of the scene: angles of triangles, numbers of layers.
std::vector<ColourBar> colour_bars(const Scene& scene, const DisplayOptions& display, const Palette& colors);
/// `area`: as wide as the bar is to be, and colour_bar_height() high.
void draw_colour_bar(const Ink& ink, const Area& area, const ColourBar& bar);
inline double colour_bar_height(double font) { return 3.7 * font; }
inline double colour_bar_width(double font) { return 18 * font; }

/// A line of that length with its text beside it, one line high.
void draw_scale_bar(const Ink& ink, Point at, double length, const std::string& text);
/// What of it is not the length: the text and the gap before it.
double scale_bar_text(const Ink& ink, const std::string& text);

/// Lines in the middle of the view, from `top` down, over a ground.
void draw_title(const Ink& ink, const Area& view, double top, const std::vector<std::string>& lines);
/// The height that it takes.
double title_height(double font, size_t lines);

/// A word in the middle of its place, over a ground. It ends with its view: beside that is another one, or the legend.
void draw_word(const Ink& ink, const Area& view, Point at, const std::string& word, const Color& color);

}  // namespace flipscope::app
