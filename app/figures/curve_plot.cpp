#include "app/figures/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/base/number_text.h"
#include "app/figures/scatter_plot.h"
#include "app/images/png.h"
#include "compute/error.h"
#include "compute/text.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

// Of a plot alone, in points.
constexpr double kWidth = 540, kHeight = 340, kMargin = 18;
// In units of the font size.
constexpr double kSample = 2.2, kArrow = 0.8, kThin = 0.08, kBetweenNumbers = 0.7;

bool shown(double value, bool logarithmic) { return std::isfinite(value) && (!logarithmic || value > 0); }

/// Whether point i of the curve has a place on the axes.
bool shown(const Curve& curve, size_t i, LogarithmicAxes log) {
    return shown(curve.x[i], log.x) && shown(curve.y[i], log.y);
}

/// The axes that hold all curves. A bar can reach below a logarithmic axis.
PlotPlane plane_of(const std::vector<DrawnCurve>& curves, LogarithmicAxes log) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double low = kInfinity, high = -kInfinity, least = kInfinity, most = -kInfinity;
    for (const DrawnCurve& drawn : curves) {
        const Curve& curve = *drawn.curve;
        for (size_t i = 0; i < curve.x.size(); ++i) {
            if (!shown(curve.x[i], log.x)) continue;
            low = std::min(low, curve.x[i]), high = std::max(high, curve.x[i]);
            if (!shown(curve.y[i], log.y)) continue;
            const double error = drawn.error(i);
            least = std::min(least, curve.y[i] - (log.y ? 0 : error)), most = std::max(most, curve.y[i] + error);
            for (const std::vector<double>* const band : {&curve.band_low, &curve.band_high})
                if (i < band->size() && shown((*band)[i], log.y))
                    least = std::min(least, (*band)[i]), most = std::max(most, (*band)[i]);
        }
        for (const double end : {curve.low, curve.high})
            if (curve.low < curve.high && shown(end, log.x)) low = std::min(low, end), high = std::max(high, end);
    }
    return {low < high ? Axis{low, high, log.x, false} : Axis::of_values(low, high, log.x),
            Axis::of_values(least, most, log.y)};
}

/// "7 below 0, 12 above 2.5"; empty: none lie beyond the ends.
std::string beyond_text(const DrawnCurve& drawn) {
    std::string text;
    if (drawn.below > 0) text = number_text(drawn.below) + " below " + value_text(drawn.curve->low);
    if (drawn.above > 0)
        text += (text.empty() ? "" : ", ") + number_text(drawn.above) + " above " + value_text(drawn.curve->high);
    return text;
}

/// "time (logarithmic; 3 points at or below 0 left out)"
std::string axis_name(const std::string& name, bool logarithmic, const std::vector<DrawnCurve>& curves,
                      std::vector<double> Curve::*values) {
    if (!logarithmic) return name;
    size_t count = 0;
    for (const DrawnCurve& drawn : curves)
        count += size_t(std::ranges::count_if(drawn.curve->*values, [](double value) { return value <= 0; }));
    if (count == 0) return name + " (logarithmic)";
    return name + " (logarithmic; " + count_text(count, "point", "points") + " at or below 0 left out)";
}

std::string listed_as(const DrawnCurve& drawn) {
    const std::string beyond = beyond_text(drawn), colon = drawn.label.empty() || beyond.empty() ? "" : ": ";
    const bool has_band = !drawn.label.empty() && !drawn.curve->band_low.empty();
    const std::string band = drawn.curve->is_expectation ? ", global envelope" : ", pointwise envelope";
    return drawn.label + (has_band ? band : "") + colon + beyond;
}

/// The upper left corners of the entries in the legend, row by row, and its height as the last y.
std::vector<Point> legend_places(const Ink& ink, const std::vector<DrawnCurve>& curves, double width) {
    std::vector<Point> places;
    Point at{0, 0};
    for (const DrawnCurve& drawn : curves) {
        const std::string text = listed_as(drawn);
        const double wide = text.empty() ? 0 : (kSample + 2.1) * ink.font + ink.width(text);
        if (at.x > 0 && at.x + wide > width + 1.5 * ink.font) at = {0, at.y + 1.3 * ink.line()};
        places.push_back(at);
        at.x += wide;
    }
    places.push_back({0, at.y + (at.x > 0 ? 1.3 * ink.line() : 0)});
    return places;
}

Paint paint_of(const Ink& ink, const DrawnCurve& drawn) {
    const double dash = drawn.curve->is_expectation ? std::max(drawn.dash, 0.5) : drawn.dash;
    return {drawn.color, drawn.color, (drawn.strong ? 0.19 : 0.13) * ink.font, true, false, dash * ink.font};
}

LogarithmicAxes with(LogarithmicAxes a, LogarithmicAxes b) { return {a.x || b.x, a.y || b.y}; }

/// The rows and columns that give plots on a page the shape nearest to that of a plot alone.
size_t columns_of(size_t count, const PlotPage& page) {
    if (page.height_pt <= 0) return 1;
    size_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (size_t columns = 1; columns <= count; ++columns) {
        const auto rows = static_cast<double>((count + columns - 1) / columns);
        const double off =
            std::abs(std::log(page.width_pt / static_cast<double>(columns) / (page.height_pt / rows) / 1.5));
        if (off < least - 1e-9) least = off, best = columns;
    }
    return best;
}

/// Returns the height of all plots.
double draw_plots(Drawing& drawing, const std::vector<Overlay>& plots, const Scatter* scatter, const PlotPage& page) {
    const Palette& colors = palette(page.light);
    const Ink ink{drawing, colors, page.font_pt}, heading{drawing, colors, 1.3 * page.font_pt};
    const double margin = kMargin / 10 * page.font_pt, head = margin + 1.4 * heading.line();
    const size_t count = plots.size() + (scatter ? 1 : 0), columns = columns_of(count, page);
    const double width = (page.width_pt > 0 ? page.width_pt : kWidth) / static_cast<double>(columns);
    const double each = page.height_pt > 0 ? page.height_pt / static_cast<double>((count + columns - 1) / columns) : 0;
    double top = 0;
    for (size_t i = 0; i < count; ++i) {
        std::vector<DrawnCurve> curves;
        for (size_t k = 0; i < plots.size() && k < plots[i].lines.size(); ++k) {
            const auto& [run, label, curve] = plots[i].lines[k];
            curves.push_back({&curve, label, colors.category(uint32_t(k) % ColourScale::kOtherClass), false,
                              0.5 * double(k / ColourScale::kOtherClass), curve.below, curve.above, curve.points});
        }
        const bool is_scatter = i == plots.size();
        const double legend =
            is_scatter ? scatter_legend_height(ink, *scatter) : curve_legend_height(ink, curves, width - 2 * margin);
        const double height = each > 0 ? each : kHeight + legend + head + margin;
        const Area area{margin + static_cast<double>(i % columns) * width, top + head, width - 2 * margin,
                        height - head - margin};
        if (area.width < 12 * ink.font || area.height - legend < 8 * ink.font)
            throw Error("the page has no room for " + count_text(count, "plot", "plots") +
                        " in letters of this size; make it larger, --font-size smaller, or choose plots by --curve");
        const std::string name = is_scatter ? scatter_title(*scatter) : plots[i].name;
        drawing.begin_layer("plot", name, {});
        drawing.rectangle({area.x - margin, top, width, height}, {colors.canvas, {}});
        heading.write({area.x, top + margin}, colors.text, heading.cut(name, area.width));
        if (is_scatter)
            draw_scatter(ink, area, *scatter, place_scatter(*scatter, page.log));
        else
            draw_curves(ink, area, curves, drawable_axes(curves, with(curves[0].curve->logarithmic, page.log)));
        drawing.end_layer();
        if (i % columns + 1 == columns || i + 1 == count) top += height;
    }
    return top;
}

}  // namespace

double curve_legend_height(const Ink& ink, const std::vector<DrawnCurve>& curves, double width) {
    return legend_places(ink, curves, width).back().y;
}

void draw_axes(const Ink& ink, const Area& area, PlotPlane& plane, const std::string& x_unit,
               const PlotMargins& margins) {
    const double font = ink.font, line = ink.line(), thin = kThin * font, beside = margins.left * font;
    const Color& quiet = ink.colors.quiet_text;
    Drawing& drawing = ink.drawing;
    Area& box = plane.box;
    box.y = area.y;
    box.height = std::max(1.0, area.height - 1.3 * line);
    const std::vector<Tick> ticks = plane.y.ticks(std::max(2, static_cast<int>(box.height / (1.7 * line))));
    box.x = area.x + beside;
    for (const Tick& tick : ticks) box.x = std::max(box.x, area.x + beside + ink.width(tick.text));
    box.width = std::max(1.0, area.right() - margins.right * font - box.x);
    drawing.begin_group({}, {{}, ink.colors.grid, thin});
    for (const Tick& tick : ticks) drawing.line({box.x, plane.y_at(tick.value)}, {box.right(), plane.y_at(tick.value)});
    drawing.end_group();
    for (const Tick& tick : ticks)
        ink.write({box.x - beside, plane.y_at(tick.value) - 0.5 * line}, quiet, tick.text, 1);
    drawing.stroke({box.x, box.bottom()}, {box.right(), box.bottom()}, quiet, thin);
    double free_from = area.x;
    for (const Tick& tick : plane.x.ticks(std::max(2, static_cast<int>(box.width / (4 * font))))) {
        const std::string text = tick.text + x_unit;
        const double x = plane.x_at(tick.value), wide = ink.width(text);
        const double left = std::max(area.x, std::min(x - 0.5 * wide, area.right() - wide));
        drawing.stroke({x, box.bottom()}, {x, box.bottom() + 0.25 * font}, quiet, thin);
        if (left < free_from) continue;
        ink.write({left, box.bottom() + 0.3 * font}, quiet, text);
        free_from = left + wide + kBetweenNumbers * font;
    }
}

PlotPlane draw_curves(const Ink& ink, const Area& area, const std::vector<DrawnCurve>& curves, LogarithmicAxes log) {
    const double font = ink.font, line = ink.line();
    const Color& quiet = ink.colors.quiet_text;
    Drawing& drawing = ink.drawing;
    const std::vector<Point> places = legend_places(ink, curves, area.width);
    const double y = area.bottom() - places.back().y;
    const bool any_beyond =
        std::ranges::any_of(curves, [](const DrawnCurve& drawn) { return drawn.below > 0 || drawn.above > 0; });
    const Curve& first = *curves[0].curve;
    PlotPlane plane = plane_of(curves, log);
    PlotMargins margins;
    if (any_beyond) margins.left = margins.right = margins.left + kArrow;
    const double top = area.y + 1.7 * line;
    const std::string x_name = axis_name(first.x_name, log.x, curves, &Curve::x);
    ink.write({area.x, area.y}, quiet, ink.cut(axis_name(first.y_name, log.y, curves, &Curve::y), area.width));
    ink.write({area.right() - margins.right * font, y - 1.2 * line}, quiet, ink.cut(x_name, area.width), 1);
    draw_axes(ink, {area.x, top, area.width, y - 1.2 * line - top}, plane, {}, margins);
    const Area& box = plane.box;

    for (size_t k = curves.size(); k-- > 0;) {  // envelopes, under all lines
        const Curve& curve = *curves[k].curve;
        std::vector<Point> lower, upper;
        for (size_t i = 0; i < curve.band_low.size(); ++i) {
            if (!shown(curve.x[i], log.x) || !shown(curve.band_low[i], log.y) || !shown(curve.band_high[i], log.y))
                continue;
            lower.push_back({plane.x_at(curve.x[i]), plane.y_at(curve.band_low[i])});
            upper.push_back({lower.back().x, plane.y_at(curve.band_high[i])});
        }
        if (lower.size() < 2) continue;
        drawing.begin_group("Envelope", {quiet.alpha(curve.is_expectation ? 0.15f : 0.25f), {}});
        drawing.band(lower, upper);
        drawing.end_group();
    }
    for (size_t k = curves.size(); k-- > 0;) {
        const Curve& curve = *curves[k].curve;
        const Paint paint = paint_of(ink, curves[k]);
        std::vector<Point> joined;
        drawing.begin_group(curves[k].label, paint);
        for (size_t i = 0; i <= curve.x.size(); ++i) {
            if (i < curve.x.size() && shown(curve, i, log)) {
                const Point at{plane.x_at(curve.x[i]), plane.y_at(curve.y[i])};
                if (const double bar = curves[k].error(i); bar > 0)
                    drawing.line({at.x, plane.y_at(curve.y[i] - bar)}, {at.x, plane.y_at(curve.y[i] + bar)});
                if (!curves[k].points) {
                    joined.push_back(at);
                    continue;
                }
                drawing.disc(at, 2 * paint.width);
            }
            if (joined.size() > 1) drawing.polyline(joined);
            if (joined.size() == 1) drawing.disc(joined[0], paint.width);
            joined.clear();
        }
        drawing.end_group();
    }

    for (size_t k = 0; k < curves.size(); ++k) {
        const DrawnCurve& drawn = curves[k];
        const double middle = box.bottom() - (0.7 + 1.2 * static_cast<double>(k)) * font, half = 0.45 * font;
        for (const bool above : {false, true}) {
            if (!((above ? drawn.above : drawn.below) > 0)) continue;
            const double end = above ? drawn.curve->high : drawn.curve->low;
            const double from = plane.x_at(end) + (above ? 1 : -1) * 0.15 * font;
            drawing.begin_group(above ? "Values above" : "Values below", {drawn.color, {}});
            drawing.polygon(
                {{from, middle - half}, {from, middle + half}, {from + (above ? 1 : -1) * kArrow * font, middle}});
            drawing.end_group();
        }
        const std::string text = listed_as(drawn);
        if (text.empty()) continue;
        const Point at{area.x + places[k].x, y + places[k].y};
        const double from = at.x + (kSample + 0.6) * font;
        Paint sample = paint_of(ink, drawn);
        sample.round = false;
        drawing.begin_group({}, sample);
        drawing.line({at.x, at.y + 0.65 * line}, {at.x + kSample * font, at.y + 0.65 * line});
        drawing.end_group();
        ink.write({from, at.y + 0.15 * line}, ink.colors.text, ink.cut(text, area.right() - from));
    }
    return plane;
}

LogarithmicAxes drawable_axes(const std::vector<DrawnCurve>& curves, LogarithmicAxes wanted) {
    for (const LogarithmicAxes log : {wanted, LogarithmicAxes{wanted.x, false}, LogarithmicAxes{false, wanted.y}})
        for (const DrawnCurve& drawn : curves)
            for (size_t i = 0; i < drawn.curve->x.size(); ++i)
                if (shown(*drawn.curve, i, log)) return log;
    return {};
}

std::string describe_curves(const std::vector<DrawnCurve>& curves, const Axis& x, double at) {
    if (curves.empty()) return {};
    std::string text = curves[0].curve->y_name + " over " + curves[0].curve->x_name;
    for (const DrawnCurve& drawn : curves) {
        const Curve& curve = *drawn.curve;
        if (curve.x.empty()) continue;
        size_t nearest = 0;
        for (size_t i = 1; i < curve.x.size(); ++i)
            if (std::abs(x.place(curve.x[i]) - at) <= std::abs(x.place(curve.x[nearest]) - at)) nearest = i;
        text += "\n" + (drawn.label.empty() ? curve.name : drawn.label) + ": " + value_text(curve.y[nearest]);
        if (drawn.error(nearest) > 0) text += " ± " + value_text(drawn.error(nearest));
        text += " at " + value_text(curve.x[nearest]);
    }
    return text;
}

void write_plots(const std::string& file, const std::vector<Overlay>& plots, const Scatter* scatter,
                 const PlotPage& page) {
    const std::string ending = io::lower_extension(file);
    if (ending == ".csv") return write_whole_file(file, plots.empty() ? scatter_csv(*scatter) : overlay_csv(plots));
    NoDrawing nothing;
    const double height = draw_plots(nothing, plots, scatter, page);
    const double width = page.width_pt > 0 ? page.width_pt : kWidth;
    if (ending == ".png") {
        const auto pixels = [&](double points) { return static_cast<int>(std::lround(points * page.dpi / 72)); };
        Pixels all = Pixels::filled(pixels(width), pixels(height), palette(page.light).canvas);
        draw_plots(*painting(all.rgba.data(), all.width, all.height, 0, 0, page.dpi), plots, scatter, page);
        return write_png(file, all.rgba, all.width, all.height);
    }
    const std::string title = plots.size() == 1 ? plots[0].name : "Flipscope";
    const auto document = ending == ".pdf" ? pdf_drawing(width, height, title) : svg_drawing(width, height, title);
    draw_plots(*document, plots, scatter, page);
    write_whole_file(file, document->finish());
}

}  // namespace flipscope::app
