#include "app/figures/scatter_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/base/number_text.h"
#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

constexpr double kDot = 0.17;           // radius of a dot among few, of the font size
constexpr double kHexagonsAcross = 42;  // of the wider side of the box
constexpr uint32_t kLeastForRange = 2;  // elements of the fullest hexagon

Axis axis_of(const std::vector<double>& values, bool& logarithmic) {
    logarithmic = logarithmic && std::ranges::any_of(values, [](double value) { return value > 0; });
    double least = INFINITY, most = -INFINITY;
    for (const double value : values)
        if (!logarithmic || value > 0) least = std::min(least, value), most = std::max(most, value);
    return Axis::of_values(least, most, logarithmic);
}

std::string name_of(const Explored& quantity, const std::string& unit) {
    return quantity.label() + (unit.empty() ? "" : " (" + unit + ")");
}

bool is_binned(const Scatter& scatter) { return scatter.size() > kMostDots; }

/// A colour bar as its legend.
bool has_bar(const Scatter& scatter) {
    return is_binned(scatter) || (!scatter.colours.empty() && scatter.scale.kind != ColourScale::Kind::kCategories);
}

std::vector<LegendEntry> categories_of(const Scatter& scatter) {
    std::vector<LegendEntry> entries;
    for (uint32_t k = 0; k < scatter.scale.classes.size(); ++k)
        entries.push_back({LegendEntry::Element::kVertex, kStateMissing, Role::kCategory, scatter.scale.classes[k], "",
                           1, 0, k, scatter.scale.name});
    return entries;
}

/// The number of elements of a hexagon, on a scale of factors.
ColourScale scale_of_counts(const HexBins& bins) {
    ColourScale scale;
    scale.name = "elements in a hexagon";
    scale.low = 1;
    scale.high = std::max(bins.most, kLeastForRange);
    scale.logarithmic = true;
    return scale;
}

void draw_dots(const Ink& ink, const Scatter& scatter, const PlacedScatter& placed) {
    const Area& box = placed.plane.box;
    const double radius =
        ink.font * kDot *
        std::clamp(std::pow(300.0 / static_cast<double>(std::max<size_t>(scatter.size(), 1)), 0.3), 0.35, 1.6);
    const auto at = [&](size_t i) {
        return Point{box.x + placed.places[i].x * box.width, box.bottom() - placed.places[i].y * box.height};
    };
    ColourScale scale = scatter.scale;
    if (scale.steps == 0) scale.steps = ColourScale::kMostSteps;  // so that a file has few groups
    std::map<std::array<float, 3>, std::vector<size_t>> groups;   // by colour
    for (size_t i = 0; i < scatter.size(); ++i) {
        if (std::isnan(placed.places[i].x)) continue;
        const float value = i < scatter.colours.size() ? scatter.colours[i] : NAN;
        const Color color = scatter.colours.empty() ? ink.colors.accent
                            : std::isnan(value)     ? ink.colors.missing()
                                                    : ink.colors.scale(scale, scale.place(value));
        groups[{color.r, color.g, color.b}].push_back(i);
    }
    for (const auto& [color, members] : groups) {
        ink.drawing.begin_group(scale.name, {Color{color[0], color[1], color[2], 0.85f}, {}});
        for (const size_t i : members) ink.drawing.disc(at(i), radius);
        ink.drawing.end_group();
    }
    if (scatter.selected.empty()) return;
    const Color chosen = ink.colors.role(Role::kChosen);
    ink.drawing.begin_group("Selected", {chosen, ink.colors.canvas, 0.06 * ink.font});
    for (size_t i = 0; i < scatter.size(); ++i)
        if (scatter.selected[i] && !std::isnan(placed.places[i].x)) ink.drawing.disc(at(i), 1.35 * radius);
    ink.drawing.end_group();
}

void draw_hexagons(const Ink& ink, const PlotPlane& plane, const HexBins& bins, const ColourScale& scale) {
    const Area& box = plane.box;
    const double wide = bins.half.x * box.width, tall = bins.half.y * box.height;
    const auto hexagon = [&](Point middle, double part) {
        const double x = box.x + middle.x * box.width, y = box.bottom() - middle.y * box.height;
        const double w = part * wide, h = part * tall;
        return std::vector<Point>{{x, y - h}, {x + w, y - h / 2}, {x + w, y + h / 2},
                                  {x, y + h}, {x - w, y + h / 2}, {x - w, y - h / 2}};
    };
    std::map<uint32_t, std::vector<const HexBins::Cell*>> groups;
    for (const HexBins::Cell& cell : bins.cells) groups[cell.count].push_back(&cell);
    for (const auto& [count, cells] : groups) {
        Paint paint{ink.colors.scale(scale, scale.place(count)), {}};
        paint.adjoining = true;
        ink.drawing.begin_group(std::to_string(count), paint);
        for (const HexBins::Cell* cell : cells) ink.drawing.polygon(hexagon(cell->middle, 1));
        ink.drawing.end_group();
    }
    ink.drawing.begin_group("Selected", {ink.colors.role(Role::kChosen), ink.colors.canvas, 0.06 * ink.font});
    for (const HexBins::Cell& cell : bins.cells)
        if (cell.selected > 0)
            ink.drawing.polygon(hexagon(cell.middle, std::max(0.35, std::sqrt(double(cell.selected) / cell.count))));
    ink.drawing.end_group();
}

}  // namespace

PlacedScatter place_scatter(const Scatter& scatter, LogarithmicAxes log) {
    PlacedScatter placed;
    placed.plane.x = axis_of(scatter.x_values, log.x);
    placed.plane.y = axis_of(scatter.y_values, log.y);
    placed.places.reserve(scatter.size());
    for (size_t i = 0; i < scatter.size(); ++i) {
        const double x = scatter.x_values[i], y = scatter.y_values[i];
        const bool out = (log.x && !(x > 0)) || (log.y && !(y > 0));
        placed.left_out += out;
        placed.places.push_back(out ? Point{NAN, NAN} : Point{placed.plane.x.place(x), placed.plane.y.place(y)});
    }
    return placed;
}

HexBins bin_scatter(const Scatter& scatter, const PlacedScatter& placed, double aspect) {
    HexBins bins;
    const double across = aspect > 1 ? kHexagonsAcross : std::max(4.0, kHexagonsAcross * aspect);
    const double pitch = 1 / across, row = pitch * aspect * std::sqrt(3) / 2;  // of the box's width, of its height
    bins.half = {0.5 * pitch, pitch * aspect / std::sqrt(3)};
    std::map<std::pair<int, int>, HexBins::Cell> cells;
    for (size_t i = 0; i < placed.places.size(); ++i) {
        const Point p = placed.places[i];
        if (std::isnan(p.x)) continue;
        // The nearest middle of the two rows around the place.
        const int below = static_cast<int>(std::floor(p.y / row));
        std::pair<int, int> best;
        double nearest = INFINITY;
        Point middle;
        for (const int k : {below, below + 1}) {
            const double shift = k % 2 == 0 ? 0 : 0.5;
            const double column = std::round(p.x / pitch - shift);
            const Point candidate{(column + shift) * pitch, k * row};
            const double far = std::pow(candidate.x - p.x, 2) + std::pow((candidate.y - p.y) / aspect, 2);
            if (far >= nearest) continue;
            nearest = far;
            best = {k, static_cast<int>(column)};
            middle = candidate;
        }
        HexBins::Cell& cell = cells[best];
        cell.middle = middle;
        ++cell.count;
        cell.selected += i < scatter.selected.size() && scatter.selected[i];
    }
    for (const auto& [place, cell] : cells) {
        bins.cells.push_back(cell);
        bins.most = std::max(bins.most, cell.count);
    }
    return bins;
}

double scatter_legend_height(const Ink& ink, const Scatter& scatter) {
    if (has_bar(scatter)) return colour_bar_height(ink.font) + 0.5 * ink.font;
    return scatter.colours.empty() ? 0 : 2.5 * ink.line();
}

PlotPlane draw_scatter(const Ink& ink, const Area& area, const Scatter& scatter, PlacedScatter placed) {
    const double line = ink.line(), legend = scatter_legend_height(ink, scatter);
    const Color& quiet = ink.colors.quiet_text;
    const double bottom = area.bottom() - legend, top = area.y + 1.7 * line;
    const std::string correlation = correlation_text(scatter.correlation);
    ink.write({area.x, area.y}, quiet,
              ink.cut(name_of(scatter.y, scatter.y_unit), area.width - ink.width(correlation) - 2 * ink.font));
    ink.write({area.right(), area.y}, quiet, correlation, 1);
    std::string x_name = name_of(scatter.x, scatter.x_unit);
    if (placed.left_out > 0)
        x_name += "; " + count_text(placed.left_out, "element", "elements") + " at or below 0 left out";
    ink.write({area.right(), bottom - 1.2 * line}, quiet, ink.cut(x_name, area.width), 1);
    draw_axes(ink, {area.x, top, area.width, bottom - 1.2 * line - top}, placed.plane);
    const Area& box = placed.plane.box;
    ColourScale scale = scatter.scale;
    if (is_binned(scatter)) {
        const HexBins bins = bin_scatter(scatter, placed, box.width / box.height);
        scale = scale_of_counts(bins);
        draw_hexagons(ink, placed.plane, bins, scale);
    } else {
        draw_dots(ink, scatter, placed);
    }
    if (has_bar(scatter))
        draw_colour_bar(ink,
                        {area.x, bottom + 0.5 * ink.font, std::min(area.width, colour_bar_width(ink.font)),
                         colour_bar_height(ink.font)},
                        bar_of(scale, ink.colors));
    else if (!scatter.colours.empty())
        draw_legend(ink, lay_out_legend(ink, categories_of(scatter), "", {area.width}), {area.x, bottom + 0.3 * line});
    return placed.plane;
}

std::string correlation_text(const Correlation& correlation) {
    const auto number = [](double value) { return std::isnan(value) ? std::string("–") : number_text(value, 3); };
    return "n = " + number_text(static_cast<double>(correlation.count)) +
           ", Pearson r = " + number(correlation.pearson) + ", Spearman ρ = " + number(correlation.spearman);
}

std::string scatter_title(const Scatter& scatter) {
    return name_of(scatter.y, scatter.y_unit) + " over " + name_of(scatter.x, scatter.x_unit);
}

std::string scatter_csv(const Scatter& scatter) {
    std::string text = scatter.x.id() + "," + scatter.y.id() + "\n";
    for (size_t i = 0; i < scatter.size(); ++i)
        text += format_exactly(scatter.x_values[i]) + "," + format_exactly(scatter.y_values[i]) + "\n";
    return text;
}

}  // namespace flipscope::app
