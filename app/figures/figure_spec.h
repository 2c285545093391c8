// What a figure is to be: its size, format, ground and what stands beside the picture. One of these comes from
// `flipscope run --picture` and `--figure`, from lessons, sheets and the window's dialog; the same one makes the same
// file. Knows no OpenGL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/view/camera.h"

namespace flipscope::app {

/// What of a fitted picture is seen: so much closer, around a place; nothing: around its middle.
struct CloseUp {
    double zoom = 1;
    std::optional<Point> center = {};
};

struct FigureSpec {
    enum class Format { kPng, kSvg, kPdf } format = Format::kPng;
    double width = 1280, height = 800;  // pixels, or millimetres
    bool millimetres = false;
    double dpi =
        0;  // pixels per inch; 0: 300 for millimetres, else as many as make the picture a page of 240 mm or more
    bool transparent = false;  // no ground
    bool light = false;        // theme
    bool legend = true, colour_bars = true, scale_bar = true, title = false, axes = false;
    bool whole_legend = false;     // what is not to be seen in this state, too: the pictures of a film are alike
    bool legend_beside = false;    // legend and colour bars may stand beside the picture, where that leaves it larger
    bool density = false;          // of so many elements that they crowd, or else only where the look has it
    double font_pt = 0;            // size of the letters; 0: as the width suggests
    double line_pt = 0;            // of plain lines, points; 0: as the number of points suggests
    uint64_t most_vectors = 5000;  // visible elements of SVG and PDF; with more they are an image
    DisplayOptions display = {};
    std::optional<ViewAxes> view = {};  // of a surface
    CloseUp close_up = {};
    std::optional<std::pair<Point, Point>> rectangle = {};  // of the picture's plane, to be seen; else the whole scene
    std::string title_text = {};
    std::string unit = {};  // of world coordinates, beside the scale bar and axes; empty: not known

    double resolution() const;  // dpi, decided
    int pixel_width() const;
    int pixel_height() const;
    double width_pt() const { return pixel_width() * 72 / resolution(); }
    double height_pt() const { return pixel_height() * 72 / resolution(); }
};

/// By the end of the file's name: .png, .svg or .pdf. Throws Error for others.
FigureSpec::Format figure_format(const std::string& file);
/// "1280x800" or "160x100mm". Throws Error; `option`: what it says it of.
void set_figure_size(FigureSpec& spec, const std::string& text, const std::string& option);
/// "legend,scale-bar": what stands beside the picture; "none": nothing. Throws Error.
void set_figure_parts(FigureSpec& spec, const std::string& text, const std::string& option);
/// "0,0,1,1": two opposite corners. Throws Error.
void set_figure_rectangle(FigureSpec& spec, const std::string& text, const std::string& option);
/// Throws Error for sizes and widths that no picture has.
void check_figure(const FigureSpec& spec);

}  // namespace flipscope::app
