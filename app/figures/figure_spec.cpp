#include "app/figures/figure_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/base/number_text.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/files.h"

namespace flipscope::app {

namespace {

constexpr int kMostPixels = 65535;  // in each direction

int pixels_of(double length, const FigureSpec& spec) {
    const double pixels = spec.millimetres ? length / 25.4 * spec.resolution() : length;
    return static_cast<int>(std::lround(std::clamp(pixels, 1.0, 1e9)));
}

}  // namespace

double FigureSpec::resolution() const {
    if (dpi > 0) return dpi;
    if (millimetres) return 300;
    return 96 * std::max(1.0, std::min(width / 1280, height / 800));
}

int FigureSpec::pixel_width() const { return pixels_of(width, *this); }
int FigureSpec::pixel_height() const { return pixels_of(height, *this); }

std::vector<double> numbers_in(std::string_view text, char sign) {
    std::vector<double> found;
    for (;;) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || !std::isfinite(value)) return {};
        found.push_back(value);
        text.remove_prefix(static_cast<size_t>(end - text.data()));
        if (text.empty()) return found;
        if (text[0] != sign) return {};
        text.remove_prefix(1);
    }
}

FigureSpec::Format figure_format(const std::string& file) {
    const std::string extension = io::lower_extension(file);
    if (extension == ".png") return FigureSpec::Format::kPng;
    if (extension == ".svg") return FigureSpec::Format::kSvg;
    if (extension == ".pdf") return FigureSpec::Format::kPdf;
    throw Error(printable(file) + ": a figure's name ends in .png, .svg or .pdf");
}

void set_figure_size(FigureSpec& spec, const std::string& text, const std::string& option) {
    std::string_view size = text;
    spec.millimetres = size.ends_with("mm");
    if (spec.millimetres || size.ends_with("px")) size.remove_suffix(2);
    const std::vector<double> found = numbers_in(size, 'x');
    const bool whole = found.size() == 2 && found[0] == std::floor(found[0]) && found[1] == std::floor(found[1]);
    if (found.size() != 2 || !(found[0] > 0) || !(found[1] > 0) || (!spec.millimetres && !whole))
        throw Error(option + ": expected WIDTHxHEIGHT in pixels, or in millimetres as 160x100mm, found \"" +
                    printable(text) + "\"");
    spec.width = found[0];
    spec.height = found[1];
}

void set_figure_parts(FigureSpec& spec, const std::string& text, const std::string& option) {
    for (const FigurePart& one : kFigureParts) spec.*one.shown = false;
    if (text == "none") return;
    for (size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
        end = text.find(',', begin);
        std::string part = text.substr(begin, end == text.npos ? end : end - begin);
        if (part == "color-bar") part = "colour-bar";
        bool known = false;
        for (const FigurePart& one : kFigureParts)
            if (part == one.name || part == "all") known = spec.*one.shown = true;
        if (!known)
            throw Error(option + ": expected legend, colour-bar, scale-bar, title, axes, all or none, found \"" +
                        printable(part) + "\"");
    }
}

void set_figure_rectangle(FigureSpec& spec, const std::string& text, const std::string& option) {
    const std::vector<double> found = numbers_in(text, ',');
    if (found.size() != 4 || found[0] == found[2] || found[1] == found[3])
        throw Error(option + ": expected two opposite corners X,Y,X,Y in world units, found \"" + printable(text) +
                    "\"");
    spec.rectangle = {{std::min(found[0], found[2]), std::min(found[1], found[3])},
                      {std::max(found[0], found[2]), std::max(found[1], found[3])}};
}

void check_figure(const FigureSpec& spec) {
    if (spec.dpi != 0 && !(spec.dpi >= 10 && spec.dpi <= 4800))
        throw Error("a figure of " + value_text(spec.dpi) + " pixels per inch: expected 10 to 4800");
    if (spec.font_pt != 0 && !(spec.font_pt >= 2 && spec.font_pt <= 100))
        throw Error("letters of " + value_text(spec.font_pt) + " pt: expected 2 to 100");
    if (spec.line_pt != 0 && !(spec.line_pt >= 0.01 && spec.line_pt <= 100))
        throw Error("lines of " + value_text(spec.line_pt) + " pt: expected 0.01 to 100");
    const int width = spec.pixel_width(), height = spec.pixel_height();
    if (width < 1 || height < 1 || width > kMostPixels || height > kMostPixels)
        throw Error("a figure of " + std::to_string(width) + " × " + std::to_string(height) +
                    " pixels: expected 1 to " + std::to_string(kMostPixels) + " each way");
}

}  // namespace flipscope::app
