// The description of a figure: size, format, background and annotations. `flipscope run --picture` and `--figure`,
// lessons, sheets and the window's dialog make one; equal descriptions give equal files. Independent of OpenGL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/view/camera.h"

namespace flipscope::app {

/// The visible part of a fitted picture: enlarged by `zoom` around a point; no point: around its middle.
struct CloseUp {
    double zoom = 1;
    std::optional<Point> center = {};
};

struct FigureSpec {
    enum class Format { kPng, kSvg, kPdf } format = Format::kPng;
    double width = 1280, height = 800;  // pixels, or millimetres
    bool millimetres = false;
    double dpi = 0;  // pixels per inch; 0: 300 for millimetres, else such that the page is at least 240 mm wide
    bool transparent = false;  // no background
    bool light = false;        // theme
    bool legend = true, colour_bars = true, scale_bar = true, title = false, axes = false;
    bool whole_legend = false;     // list entries that are not visible in this state, so that a film's pictures match
    bool legend_beside = false;    // legend and colour bars may go beside the picture if that enlarges it
    bool density = false;          // show crowded elements as a density; false: only if `display` says so
    double font_pt = 0;            // font size; 0: from the width
    double line_pt = 0;            // width of plain lines, points; 0: from the number of points
    uint64_t most_vectors = 5000;  // limit on visible elements in SVG and PDF; beyond it they are an image
    DisplayOptions display = {};
    std::optional<ViewAxes> view = {};  // of a surface
    CloseUp close_up = {};
    std::optional<std::pair<Point, Point>> rectangle =
        {};  // visible part of the picture's plane; none: the whole scene
    std::string title_text = {};
    std::string unit = {};  // of world coordinates, for scale bar and axes; empty: unknown

    double resolution() const;  // the effective dpi
    int pixel_width() const;
    int pixel_height() const;
    double width_pt() const { return pixel_width() * 72 / resolution(); }
    double height_pt() const { return pixel_height() * 72 / resolution(); }
};

/// What can stand beside the picture. `key`: with Alt, in the window's dialog.
struct FigurePart {
    const char* name;
    char key;
    bool FigureSpec::*shown;
};
inline constexpr FigurePart kFigureParts[] = {{"legend", 'L', &FigureSpec::legend},
                                              {"colour-bar", 'C', &FigureSpec::colour_bars},
                                              {"scale-bar", 'B', &FigureSpec::scale_bar},
                                              {"title", 'T', &FigureSpec::title},
                                              {"axes", 'A', &FigureSpec::axes}};

/// The finite numbers of `text`, separated by `sign`; empty if it is anything else.
std::vector<double> numbers_in(std::string_view text, char sign);

/// From the file's extension: .png, .svg or .pdf. Throws Error for others.
FigureSpec::Format figure_format(const std::string& file);
/// "1280x800" or "160x100mm". Throws Error that names `option`.
void set_figure_size(FigureSpec& spec, const std::string& text, const std::string& option);
/// "legend,scale-bar": the annotations; "none": no annotations. Throws Error.
void set_figure_parts(FigureSpec& spec, const std::string& text, const std::string& option);
/// "0,0,1,1": two opposite corners. Throws Error.
void set_figure_rectangle(FigureSpec& spec, const std::string& text, const std::string& option);
/// Throws Error for impossible sizes and widths.
void check_figure(const FigureSpec& spec);

}  // namespace flipscope::app
