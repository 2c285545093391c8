#include "app/run/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

#include "app/base/number_text.h"
#include "app/run/detections.h"
#include "app/run/plot_axis.h"
#include "app/run/report_csv.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

// Pixels.
constexpr double kLeft = 80, kTop = 46, kWidth = 560, kHeight = 360, kBelow = 60, kLegend = 260, kLine = 18;
// The palette of Okabe and Ito, for colour-blind readers; then dashes.
constexpr const char* kPalette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr const char* kDashes[] = {"", " stroke-dasharray='7 4'", " stroke-dasharray='2 3'"};

std::string format_mark(const char* pattern, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return text;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

bool shown(double y, bool logarithmic) { return std::isfinite(y) && (!logarithmic || y > 0); }

struct Plane {
    Axis x, y;
    double top = 0;
    double at_x(double value) const { return kLeft + x.place(value) * kWidth; }
    double at_y(double value) const { return top + (1 - y.place(value)) * kHeight; }
};

Plane plane_of(const Overlay& plot, bool logarithmic, double top) {
    const double most = std::numeric_limits<double>::infinity();
    double low_x = most, high_x = -most, low_y = most, high_y = -most;
    for (const Overlay::Line& line : plot.lines) {
        const Curve& curve = line.curve;
        for (size_t i = 0; i < curve.x.size(); ++i) {
            low_x = std::min(low_x, curve.x[i]), high_x = std::max(high_x, curve.x[i]);
            if (!shown(curve.y[i], logarithmic)) continue;
            low_y = std::min(low_y, curve.y[i]), high_y = std::max(high_y, curve.y[i]);
        }
        if (curve.low < curve.high) low_x = std::min(low_x, curve.low), high_x = std::max(high_x, curve.high);
    }
    Plane plane;
    plane.x = low_x < high_x ? Axis{low_x, high_x, false, false} : Axis::of_values(low_x, high_x, false);
    plane.y = Axis::of_values(low_y, high_y, logarithmic);
    plane.top = top;
    return plane;
}

std::string grid(const Plane& plane) {
    std::string svg;
    for (const Tick& tick : plane.x.ticks(8)) {
        const double at = plane.at_x(tick.value);
        svg += format_mark("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", at, plane.top, at,
                           plane.top + kHeight);
        svg += format_mark("<text x='%.1f' y='%.1f' text-anchor='middle'>", at, plane.top + kHeight + 18) + tick.text +
               "</text>\n";
    }
    for (const Tick& tick : plane.y.ticks(8)) {
        const double at = plane.at_y(tick.value);
        svg += format_mark("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", kLeft, at, kLeft + kWidth,
                           at);
        svg += format_mark("<text x='%.1f' y='%.1f' text-anchor='end'>", kLeft - 8, at + 4) + tick.text + "</text>\n";
    }
    return svg;
}

std::string pen(size_t index) {
    return format_mark("fill='none' stroke-width='2' stroke='%s'%s", kPalette[index % std::size(kPalette)],
                       kDashes[index / std::size(kPalette) % std::size(kDashes)]);
}

std::string draw(const Curve& curve, const Plane& plane, bool logarithmic, size_t index) {
    std::string path;
    bool down = false;
    for (size_t i = 0; i < curve.x.size(); ++i) {
        const bool here = shown(curve.y[i], logarithmic);
        if (here) path += format_mark("%s%.1f %.1f ", down ? "L" : "M", plane.at_x(curve.x[i]), plane.at_y(curve.y[i]));
        down = here;
    }
    return "<path " + pen(index) + " d='" + path + "'/>\n";
}

/// "7 below 0, 12 above 2.5"; empty: no values beyond the ends.
std::string beyond_text(const PlottedCurve& curve) {
    std::string text;
    if (curve.below > 0) text = number_text(curve.below) + " below " + value_text(curve.low);
    if (curve.above > 0)
        text += (text.empty() ? "" : ", ") + number_text(curve.above) + " above " + value_text(curve.high);
    return text;
}

double height_of(const Overlay& plot) {
    const auto has_more = std::count_if(plot.lines.begin(), plot.lines.end(),
                                        [](const Overlay::Line& line) { return !beyond_text(line.curve).empty(); });
    return kTop + std::max(kHeight, kLine * static_cast<double>(plot.lines.size())) + kBelow +
           kLine * static_cast<double>(has_more);
}

/// Arrows at the ends of the axis with values beyond.
std::string arrows(const PlottedCurve& curve, const Plane& plane, size_t index) {
    std::string svg;
    const double y = plane.top + kHeight - 6 - 12 * static_cast<double>(index);
    const char* const color = kPalette[index % std::size(kPalette)];
    if (curve.below > 0)
        svg += format_mark("<path class='below' d='M%.1f %.1f l-9 5 l9 5 z' fill='%s'/>\n", plane.at_x(curve.low) - 2,
                           y - 5, color);
    if (curve.above > 0)
        svg += format_mark("<path class='above' d='M%.1f %.1f l9 5 l-9 5 z' fill='%s'/>\n", plane.at_x(curve.high) + 2,
                           y - 5, color);
    return svg;
}

std::string draw(const Overlay& plot, double top) {
    const Curve& first = plot.lines.front().curve;
    const auto has_place = [](const Overlay::Line& line) {
        return std::any_of(line.curve.y.begin(), line.curve.y.end(), [](double y) { return y > 0; });
    };
    const bool logarithmic = first.logarithmic && std::any_of(plot.lines.begin(), plot.lines.end(), has_place);
    const Plane plane = plane_of(plot, logarithmic, top + kTop);
    std::string svg = format_mark("<text x='%.1f' y='%.1f' font-size='15'>", kLeft, top + 24) + escaped(plot.name) +
                      (logarithmic ? " (logarithmic)" : "") + "</text>\n" + grid(plane);
    svg += format_mark("<text x='%.1f' y='%.1f' text-anchor='middle'>", kLeft + kWidth / 2, plane.top + kHeight + 38) +
           escaped(first.x_name) + "</text>\n";
    svg +=
        format_mark("<text transform='translate(20 %.1f) rotate(-90)' text-anchor='middle'>", plane.top + kHeight / 2) +
        escaped(first.y_name) + "</text>\n";
    double sentence_y = plane.top + kHeight + 38;
    for (size_t i = 0; i < plot.lines.size(); ++i) {
        const Overlay::Line& line = plot.lines[i];
        svg += arrows(line.curve, plane, i);
        if (const std::string beyond = beyond_text(line.curve); !beyond.empty())
            svg += format_mark("<text x='%.1f' y='%.1f' text-anchor='middle' fill='%s'>", kLeft + kWidth / 2,
                               sentence_y += kLine, kPalette[i % std::size(kPalette)]) +
                   escaped(line.label.empty() ? beyond : line.label + ": " + beyond) + "</text>\n";
        const double x = kLeft + kWidth + 20, y = plane.top + 10 + kLine * static_cast<double>(i);
        svg += draw(line.curve, plane, logarithmic, i);
        if (line.label.empty()) continue;
        svg += "<path " + pen(i) + format_mark(" d='M%.1f %.1f h28'/>\n", x, y);
        svg += format_mark("<text x='%.1f' y='%.1f'>", x + 36, y + 4) + escaped(line.label) + "</text>\n";
    }
    return svg;
}

}  // namespace

std::vector<PlottedCurve> curves_of(const Distribution& distribution) {
    std::vector<PlottedCurve> curves;
    const size_t bins = distribution.now.size();
    if (bins == 0) return curves;
    const Distribution usual;
    const auto add = [&](const std::vector<double>& counts, const std::string& name, const std::string& usual_name) {
        if (counts.size() != bins) return;
        PlottedCurve curve;
        curve.name = distribution.name + (name == usual_name ? name == usual.now_name ? "" : ", before" : ": " + name);
        curve.sentence = distribution.sentence;
        curve.x_name = distribution.unit.empty() ? "value" : distribution.unit;
        curve.y_name = distribution.counted.empty() ? "how many" : distribution.counted;
        curve.low = distribution.low;
        curve.high = distribution.high;
        curve.logarithmic = distribution.logarithmic;
        for (size_t i = 0; i < bins; ++i) {
            curve.x.push_back(distribution.low + (distribution.high - distribution.low) *
                                                     (static_cast<double>(i) + 0.5) / static_cast<double>(bins));
            curve.y.push_back(counts[i]);
        }
        if (&counts == &distribution.now) curve.below = distribution.below, curve.above = distribution.above;
        curves.push_back(std::move(curve));
    };
    add(distribution.now, distribution.now_name, usual.now_name);
    add(distribution.before, distribution.before_name, usual.before_name);
    return curves;
}

std::vector<PlottedCurve> curves_of(const std::vector<StepResult>& passes, const LabInfo& info) {
    std::vector<PlottedCurve> curves;
    const auto add = [&](const std::string& name, const std::string& sentence, const std::string& unit, bool sums,
                         const auto& value_of) {
        PlottedCurve curve;
        curve.name = name;
        curve.sentence = sentence;
        curve.x_name = "round";
        curve.y_name = name + (unit.empty() ? "" : " (" + unit + ")");
        for (const StepResult& pass : passes) {
            const double value = value_of(pass);
            if (std::isnan(value)) continue;
            if (curve.x.empty() || curve.x.back() != pass.round) {
                curve.x.push_back(pass.round);
                curve.y.push_back(value);
            } else {
                curve.y.back() = value + (sums ? curve.y.back() : 0);
            }
        }
        if (!curve.x.empty()) curves.push_back(std::move(curve));
    };
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < info.counters.size(); ++i)
        add(info.counters[i].name, info.counters[i].sentence, "", !info.counters[i].is_gauge,
            [&](const StepResult& pass) {
                return i < pass.counters.size() && pass.counters[i] != kNotCounted
                           ? static_cast<double>(pass.counters[i])
                           : none;
            });
    for (size_t i = 0; i < info.measures.size(); ++i)
        add(info.measures[i].name, info.measures[i].sentence, info.measures[i].unit, false,
            [&](const StepResult& pass) { return i < pass.measures.size() ? pass.measures[i] : none; });
    return curves;
}

std::vector<PlottedCurve> curves_of(const History& passes, const LabInfo& info) {
    std::vector<PlottedCurve> curves;
    const auto add = [&](const std::string& name, const std::string& sentence, const std::string& unit,
                         const auto& values_of) {
        PlottedCurve curve;
        curve.name = name;
        curve.sentence = sentence;
        curve.x_name = "round";
        curve.y_name = name + (unit.empty() ? "" : " (" + unit + ")");
        uint64_t most = 1;
        passes.for_each_round_bucket([&](const Bucket& bucket) {
            const auto& values = values_of(bucket);
            if (values.count == 0) return;
            most = std::max(most, bucket.items);
            curve.x.push_back(bucket.round);
            curve.y.push_back(static_cast<double>(values.low));
            if (bucket.items == 1) return;
            curve.x.push_back(bucket.last_round);
            curve.y.push_back(static_cast<double>(values.high));
        });
        if (most > 1)
            curve.remark = "of up to " + number_text(static_cast<double>(most)) +
                           " rounds together, the least and the greatest value";
        if (!curve.x.empty()) curves.push_back(std::move(curve));
    };
    for (size_t i = 0; i < info.counters.size(); ++i)
        add(info.counters[i].name, info.counters[i].sentence, "",
            [i](const Bucket& bucket) -> const Summary<int64_t>& { return bucket.counters.at(i); });
    for (size_t i = 0; i < info.measures.size(); ++i)
        add(info.measures[i].name, info.measures[i].sentence, info.measures[i].unit,
            [i](const Bucket& bucket) -> const Summary<double>& { return bucket.measures.at(i); });
    return curves;
}

std::string legend_text(const std::string& label, const std::string& run) {
    if (label.empty() || run.empty()) return label + run;
    return label + " (" + run + ")";
}

std::vector<Overlay> lay_over(const std::vector<RunCurves>& runs, const std::vector<std::string>& names) {
    std::vector<Overlay> plots;
    std::vector<std::string> known;
    const auto take = [&](const RunCurves& run, const PlottedCurve& curve, bool own) {
        if (std::find(known.begin(), known.end(), curve.name) == known.end()) known.push_back(curve.name);
        const bool chosen = names.empty() ? own : std::find(names.begin(), names.end(), curve.name) != names.end();
        if (!chosen) return;
        auto plot =
            std::find_if(plots.begin(), plots.end(), [&](const Overlay& one) { return one.name == curve.name; });
        if (plot == plots.end()) plot = plots.insert(plots.end(), Overlay{curve.name, {}});
        plot->lines.push_back({run.run, legend_text(curve.label, run.run), curve});
    };
    for (const RunCurves& run : runs) {
        for (const PlottedCurve& curve : run.own) take(run, curve, true);
        for (const PlottedCurve& curve : run.others) take(run, curve, false);
    }
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string meant = nearest_word(name, known);
            throw Error("--curve: there is no \"" + name + "\"" +
                        (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") + " (there are " +
                        (known.empty() ? "no curves" : join_words(known, " and ")) + ")");
        }
    if (plots.empty())
        throw Error("--plot: this lab has no curve of its own here; take one with --curve: " +
                    (known.empty() ? "there is none" : join_words(known)));
    return plots;
}

void keep_chosen(RunCurves& run, const std::vector<std::string>& names) {
    const auto unwanted = [&](const Curve& curve) {
        return std::find(names.begin(), names.end(), curve.name) == names.end();
    };
    if (!names.empty()) std::erase_if(run.own, unwanted);
    std::erase_if(run.others, unwanted);
}

bool has_logarithm(const std::vector<DrawnCurve>& curves) {
    for (const DrawnCurve& drawn : curves)
        for (const double y : drawn.curve->y)
            if (shown(y, true)) return true;
    return false;
}

std::string describe_curves(const std::vector<DrawnCurve>& curves, double x) {
    if (curves.empty()) return {};
    std::string text = curves[0].curve->y_name + " over " + curves[0].curve->x_name;
    for (const DrawnCurve& drawn : curves) {
        const Curve& curve = *drawn.curve;
        if (curve.x.empty()) continue;
        size_t nearest = 0;
        for (size_t i = 1; i < curve.x.size(); ++i)
            if (std::abs(curve.x[i] - x) < std::abs(curve.x[nearest] - x)) nearest = i;
        text += "\n" + (drawn.label.empty() ? curve.name : drawn.label) + ": " + value_text(curve.y[nearest]) + " at " +
                value_text(curve.x[nearest]);
    }
    return text;
}

std::string overlay_svg(const std::vector<Overlay>& plots) {
    double height = 0;
    for (const Overlay& plot : plots) height += height_of(plot);
    std::string svg = format_mark(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' font-family='sans-serif' "
        "font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
        kLeft + kWidth + kLegend, height);
    double top = 0;
    for (const Overlay& plot : plots) {
        svg += draw(plot, top);
        top += height_of(plot);
    }
    return svg + "</svg>\n";
}

std::string overlay_csv(const std::vector<Overlay>& plots) {
    struct At {
        const Overlay* plot;
        const Overlay::Line* line;
        size_t point;
    };
    std::vector<At> rows;
    for (const Overlay& plot : plots)
        for (const Overlay::Line& line : plot.lines)
            for (size_t i = 0; i < line.curve.x.size(); ++i) rows.push_back({&plot, &line, i});
    Table table{{{"curve", ""}, {"run", ""}, {"label", ""}, {"x", ""}, {"y", ""}}, rows.size(), {}};
    table.row = [&rows](size_t i) {
        const auto& [plot, line, point] = rows[i];
        return Table::Row{{plot->name, line->run, line->curve.label, line->curve.x[point], line->curve.y[point]}};
    };
    return csv_of(table);
}

}  // namespace flipscope::app
