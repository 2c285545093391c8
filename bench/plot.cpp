#include "bench/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace flipscope::bench {

namespace {

constexpr double kLeft = 70, kTop = 40, kWidth = 560, kHeight = 380, kLegend = 190;  // pixels
constexpr double kFigureWidth = kLeft + kWidth + kLegend, kFigureHeight = kTop + kHeight + 50;
// Okabe and Ito's palette, safe for colour-blind eyes.
constexpr const char* kDashes[] = {"", " stroke-dasharray='7 4'", " stroke-dasharray='2 3'"};
constexpr const char* kPalette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

std::string format(const char* pattern, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return text;
}

/// A logarithmic axis over whole powers of its base, or a linear one from 0.
struct Axis {
    double base = 10;
    bool linear = false;
    double low = std::numeric_limits<double>::infinity(), high = 0;

    void add(const std::vector<double>& values) {
        for (const double value : values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    void round_out() {
        if (linear) {
            low = 0;
            high = high > 0 ? step() * std::ceil(high / step() - 1e-9) : 1;
            return;
        }
        low = std::pow(base, std::floor(std::log(low) / std::log(base) + 1e-9));
        high = std::pow(base, std::ceil(std::log(high) / std::log(base) - 1e-9));
        if (high <= low) high = base * low;
    }
    /// Step of a linear axis: 1, 2 or 5 times a power of ten, for four to ten ticks.
    double step() const {
        const double power = std::pow(10.0, std::floor(std::log10(high)));
        return high < 2 * power ? power / 5 : high < 4 * power ? power / 2 : power;
    }
    std::vector<double> ticks() const {
        std::vector<double> found;
        if (linear)
            for (int k = 0; k * step() <= high * 1.001; ++k) found.push_back(k * step());
        else
            for (double power = low; power <= high * 1.001; power *= base) found.push_back(power);
        return found;
    }
    double place(double value) const { return linear ? value / high : std::log(value / low) / std::log(high / low); }
};

std::string tick_text(const Axis& axis, double value) {
    if (axis.linear) return format("%g", value);
    if (axis.base == 2 && value >= 1e4)
        return format("2<tspan dy='-5' font-size='9'>%d</tspan>", static_cast<int>(std::lround(std::log2(value))));
    return value >= 1e4 || value < 1e-2
               ? format("10<tspan dy='-5' font-size='9'>%d</tspan>", static_cast<int>(std::lround(std::log10(value))))
               : format("%g", value);
}

const char* colour_of(const Curve& curve) { return kPalette[static_cast<size_t>(curve.colour) % std::size(kPalette)]; }

const char* dash_of(const Curve& curve) { return kDashes[static_cast<size_t>(curve.dash) % std::size(kDashes)]; }

std::string grid(const Axis& x, const Axis& y) {
    std::string svg;
    for (const double tick : x.ticks()) {
        const double at = kLeft + x.place(tick) * kWidth;
        svg += format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", at, kTop, at, kTop + kHeight);
        svg += format("<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n", at, kTop + kHeight + 18,
                      tick_text(x, tick).c_str());
    }
    for (const double tick : y.ticks()) {
        const double at = kTop + (1 - y.place(tick)) * kHeight;
        svg += format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", kLeft, at, kLeft + kWidth, at);
        svg += format("<text x='%.1f' y='%.1f' text-anchor='end'>%s</text>\n", kLeft - 8, at + 4,
                      tick_text(y, tick).c_str());
    }
    return svg;
}

std::string draw(const Curve& curve, const Axis& x, const Axis& y) {
    std::string path, dots;
    for (size_t i = 0; i < curve.x.size(); ++i) {
        const double px = kLeft + x.place(curve.x[i]) * kWidth, py = kTop + (1 - y.place(curve.y[i])) * kHeight;
        path += format("%s%.1f %.1f", i == 0 ? "M" : " L", px, py);
        dots += format("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'><title>%s: %g, %g</title></circle>\n", px, py,
                       colour_of(curve), curve.name.c_str(), curve.x[i], curve.y[i]);
    }
    return format("<path fill='none' stroke-width='2' stroke='%s'%s d='", colour_of(curve), dash_of(curve)) + path +
           "'/>\n" + dots;
}

std::string legend_line(const Curve& curve, size_t row) {
    const double x = kLeft + kWidth + 20, y = kTop + 10 + 18 * static_cast<double>(row);
    return format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke-width='2' stroke='%s'%s/>\n", x, y, x + 28, y,
                  colour_of(curve), dash_of(curve)) +
           format("<text x='%.1f' y='%.1f'>%s</text>\n", x + 36, y + 4, curve.name.c_str());
}

std::string draw(const Level& level, const Axis& y) {
    const double at = kTop + (1 - y.place(level.y)) * kHeight;
    return format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#000' stroke-width='1'/>\n", kLeft, at,
                  kLeft + kWidth, at) +
           format("<text x='%.1f' y='%.1f'>%s</text>\n", kLeft + 4, at - 4, level.name.c_str());
}

}  // namespace

int index_of(const std::string& word, std::vector<std::string>& list) {
    const auto known = std::find(list.begin(), list.end(), word);
    const auto index = known - list.begin();
    if (known == list.end()) list.push_back(word);
    return static_cast<int>(index);
}

Curve& Figure::curve(const std::string& name, int colour, int dash) {
    for (auto& curve : curves)
        if (curve.name == name) return curve;
    curves.push_back({name, colour, dash, {}, {}});
    return curves.back();
}

std::string to_svg(const Figure& figure) {
    Axis x, y;
    x.base = figure.x_base;
    y.linear = figure.y_linear;
    for (const auto& curve : figure.curves) {
        x.add(curve.x);
        y.add(curve.y);
    }
    for (const auto& level : figure.levels) y.add({level.y});
    x.round_out();
    y.round_out();
    const double width = kFigureWidth, height = kFigureHeight;
    std::string svg = format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' font-family='sans-serif' "
        "font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
        width, height);
    svg += format("<text x='%.1f' y='22' font-size='15'>%s</text>\n", kLeft, figure.title.c_str());
    svg += grid(x, y);
    svg += format("<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n", kLeft + kWidth / 2, height - 10,
                  figure.x_label.c_str());
    svg += format("<text transform='translate(18 %.1f) rotate(-90)' text-anchor='middle'>%s</text>\n",
                  kTop + kHeight / 2, figure.y_label.c_str());
    for (const auto& level : figure.levels) svg += draw(level, y);
    for (size_t i = 0; i < figure.curves.size(); ++i)
        svg += draw(figure.curves[i], x, y) + legend_line(figure.curves[i], i);
    return svg + "</svg>\n";
}

std::string to_svg(const std::vector<Figure>& figures) {
    const size_t columns = std::min<size_t>(figures.size(), 2), rows = (figures.size() + 1) / 2;
    std::string svg = format("<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f'>\n",
                             kFigureWidth * static_cast<double>(columns), kFigureHeight * static_cast<double>(rows));
    for (size_t k = 0; k < figures.size(); ++k)
        svg += format("<g transform='translate(%.0f %.0f)'>\n", kFigureWidth * static_cast<double>(k % 2),
                      kFigureHeight * static_cast<double>(k / 2)) +
               to_svg(figures[k]) + "</g>\n";
    return svg + "</svg>\n";
}

Figure figure_of(const std::vector<Case>& cases, const std::string& experiment) {
    const bool blocks = experiment == "block size";
    Figure figure;
    figure.title = blocks ? "Delaunay triangulation: time against block size"
                          : "Delaunay triangulation: time against the number of points";
    figure.x_label = blocks ? "threads per block" : "points";
    figure.y_label = "ms, median";
    figure.x_base = blocks ? 2 : 10;
    std::vector<std::string> distributions, variants;
    for (const auto& one : cases) {
        if (one.experiment != experiment) continue;
        const int colour = index_of(one.distribution, distributions);
        const bool precision = experiment == "precision";
        for (const auto& measurement : one.measurements) {
            const std::string& variant = precision ? one.variant : measurement.name;
            Curve& curve = figure.curve(one.distribution + ", " + variant, colour, index_of(variant, variants));
            curve.x.push_back(blocks ? std::stod(one.variant) : static_cast<double>(one.points));
            curve.y.push_back(measurement.median());
        }
    }
    return figure;
}

}  // namespace flipscope::bench
