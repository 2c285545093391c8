#include "bench/plot.h"

#include <algorithm>
#include <limits>

#include "app/run/plot_axis.h"
#include "app/view/drawing.h"

namespace flipscope::bench {

namespace {

// Points.
constexpr double kLeft = 52, kTop = 56, kWidth = 420, kHeight = 285, kLegend = 190, kFont = 9, kLine = 13.5;
constexpr double kFigureWidth = kLeft + kWidth + kLegend, kFigureHeight = kTop + kHeight + 42;
constexpr double kDashes[] = {0, 5, 2};

app::Axis axis_of(const Figure& figure, std::vector<double> Curve::*values, bool linear) {
    double low = linear ? 0 : std::numeric_limits<double>::infinity(), high = 0;
    const auto add = [&](double value) { low = std::min(low, value), high = std::max(high, value); };
    for (const Curve& curve : figure.curves) std::for_each((curve.*values).begin(), (curve.*values).end(), add);
    if (values == &Curve::y)
        for (const Level& level : figure.levels) add(level.y);
    return app::Axis::of_values(low, high, !linear);
}

void draw(app::Drawing& to, const Figure& figure, double left, double top) {
    const app::Palette& colors = app::palette(true);
    const app::Axis x = axis_of(figure, &Curve::x, false), y = axis_of(figure, &Curve::y, figure.y_linear);
    const double bottom = top + kTop + kHeight, right = left + kLeft + kWidth;
    left += kLeft;
    const auto at_x = [&](double value) { return left + x.place(value) * kWidth; };
    const auto at_y = [&](double value) { return bottom - y.place(value) * kHeight; };
    to.begin_layer("figure", figure.title, {});
    to.text({left, top + 22}, 1.3 * kFont, 0, colors.text, figure.title);
    to.text({left, top + kTop - 10}, kFont, 0, colors.quiet_text, figure.y_label);
    to.text({right, bottom + 30}, kFont, 1, colors.quiet_text, figure.x_label);
    for (const app::Tick& tick : x.ticks(8)) {
        to.stroke({at_x(tick.value), top + kTop}, {at_x(tick.value), bottom}, colors.grid, 0.7);
        to.text({at_x(tick.value), bottom + 14}, kFont, 0.5, colors.quiet_text, tick.text);
    }
    for (const app::Tick& tick : y.ticks(8)) {
        to.stroke({left, at_y(tick.value)}, {right, at_y(tick.value)}, colors.grid, 0.7);
        to.text({left - 6, at_y(tick.value) + 3}, kFont, 1, colors.quiet_text, tick.text);
    }
    for (const Level& level : figure.levels) {
        to.stroke({left, at_y(level.y)}, {right, at_y(level.y)}, colors.text, 0.8);
        to.text({left + 3, at_y(level.y) - 3}, kFont, 0, colors.text, level.name);
    }
    double row = top + kTop + 8;
    for (const Curve& curve : figure.curves) {
        const app::Color color = colors.category(static_cast<uint32_t>(curve.colour) % ColourScale::kOtherClass);
        std::vector<Point> places;
        for (size_t i = 0; i < curve.x.size(); ++i) places.push_back({at_x(curve.x[i]), at_y(curve.y[i])});
        const double dash = kDashes[static_cast<size_t>(curve.dash) % std::size(kDashes)];
        to.begin_group(curve.name, {{}, color, 1.5, false, false, dash});
        to.polyline(places);
        to.line({right + 15, row}, {right + 36, row});
        to.end_group();
        to.begin_group(curve.name, {color, {}});
        for (const Point& place : places) to.disc(place, 2.2);
        to.end_group();
        to.text({right + 42, row + 3}, kFont, 0, colors.text, curve.name);
        row += kLine;
    }
    to.end_layer();
}

}  // namespace

int index_of(const std::string& word, std::vector<std::string>& list) {
    const auto known = std::find(list.begin(), list.end(), word);
    const auto index = known - list.begin();
    if (known == list.end()) list.push_back(word);
    return static_cast<int>(index);
}

void Curve::add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
}

Curve& Figure::curve(const std::string& name, int colour, int dash) {
    for (auto& curve : curves)
        if (curve.name == name) return curve;
    curves.push_back({name, colour, dash});
    return curves.back();
}

std::string to_svg(const std::vector<Figure>& figures) {
    const double columns = figures.size() > 1 ? 2 : 1, rows = static_cast<double>((figures.size() + 1) / 2);
    const double width = columns * kFigureWidth, height = rows * kFigureHeight;
    const auto document = app::svg_drawing(width, height, "Flipscope's benchmark");
    document->begin_layer("ground", "Ground", {});
    document->rectangle({0, 0, width, height}, {app::palette(true).canvas, {}});
    document->end_layer();
    for (size_t k = 0; k < figures.size(); ++k)
        draw(*document, figures[k], k % 2 == 0 ? 0 : kFigureWidth, kFigureHeight * static_cast<double>(k / 2));
    return document->finish();
}

}  // namespace flipscope::bench
