#include "app/figures/annotation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/number_text.h"
#include "app/base/text_lines.h"
#include "app/figures/figure_plan.h"
#include "app/run/plot_axis.h"
#include "app/view/display.h"
#include "app/view/legend.h"

namespace flipscope::app {

namespace {

using Element = LegendEntry::Element;

constexpr int kBarPieces = 64;
// Multiples of the font size.
constexpr double kBesideSwatch = 0.45, kBetweenEntries = 1.2, kBetweenGroups = 0.8, kTitleGap = 0.8;

/// Roles that fill whole pixels instead of marking them.
bool fills_pixels(Role role) {
    return role == Role::kPositive || role == Role::kZero || role == Role::kNegative || role == Role::kObstacle;
}

ColourBar bar_with(std::string title, const std::string& unit, double low, double high,
                   const std::function<Color(double place)>& colour_at, uint32_t steps = 0) {
    const bool beside_number = unit == "°" || unit == "%";
    ColourBar bar{std::move(title), beside_number ? unit : "", low, high, false, {}};
    bar.steps = steps;
    const int pieces = steps > 0 ? static_cast<int>(steps) : kBarPieces;
    if (!unit.empty() && !beside_number) bar.title += " (" + unit + ")";
    for (int i = 0; i < pieces; ++i) bar.colours.push_back(colour_at((i + 0.5) / pieces));
    return bar;
}

}  // namespace

std::string Ink::cut(const std::string& text, double room) const {
    return cut_text(text, room, [&](const std::string& part) { return width(part); });
}

std::vector<std::string> Ink::in_lines(const std::string& text, double room) const {
    return text_in_lines(text, room, [&](const std::string& part) { return width(part); });
}

void Ink::write(Point at, const Color& color, const std::string& text, double anchor) const {
    if (!text.empty()) drawing.text({at.x, at.y + kAscent * font}, font, anchor, color, text);
}

void Ink::ground(const Area& area, float strength) const {
    drawing.rectangle(area, {colors.canvas.alpha(strength), {}});
}

void draw_swatch(const Ink& ink, const LegendEntry& entry, Point at, double width) {
    Style style = ink.colors.style(entry.element, entry.role, entry.number);
    style.color.a *= entry.strength;
    const double font = ink.font, half = 0.42 * font;
    const Point middle{at.x + 0.5 * width, at.y + 0.5 * ink.line()};
    const Area square{middle.x - half, middle.y - half, 2 * half, 2 * half};
    Drawing& drawing = ink.drawing;
    const auto stroke_of = [&](double thick) { return Paint{{}, style.color, thick * font}; };
    if (entry.role == Role::kCategory || (entry.element == Element::kPixel && fills_pixels(entry.role))) {
        drawing.rectangle(square, {style.color, {}});
        if (entry.role != Role::kObstacle) return;
        for (const double off : {-half, 0.0, half})  // hatching
            drawing.stroke({middle.x + std::max(off - half, -half), middle.y + std::min(off + half, half)},
                           {middle.x + std::min(off + half, half), middle.y + std::max(off - half, -half)},
                           ink.colors.hatching, 0.14 * font);
        return;
    }
    switch (entry.element) {
        case Element::kVertex:
            drawing.begin_group({}, {style.color, {}});
            drawing.disc(middle, 0.38 * font * style.size);
            break;
        case Element::kEdge:
            drawing.begin_group({}, stroke_of(0.17 * style.size));
            drawing.line({at.x, middle.y}, {at.x + width, middle.y});
            break;
        case Element::kTriangle:
            drawing.begin_group({}, {style.color.alpha(std::min(1.f, 2.2f * style.color.a)), {}});
            drawing.polygon({{middle.x - 0.5 * font, middle.y + half},
                             {middle.x + 0.5 * font, middle.y + half},
                             {middle.x, middle.y - half}});
            break;
        case Element::kPixel:
            drawing.rectangle(square, {style.color.alpha(0.35f * style.color.a), {}});
            return drawing.rectangle(square, stroke_of(0.18));
    }
    drawing.end_group();
}

LegendLayout lay_out_legend(const Ink& ink, const std::vector<LegendEntry>& entries, const std::string& vertices,
                            const LegendShape& shape) {
    const double font = ink.font, pitch = ink.line() + shape.leading * font;
    const double most_rows = std::floor((shape.most - ink.line() + 0.05 * font) / pitch) + 1;
    const std::vector<LegendGroup> groups = legend_groups(entries, vertices);
    LegendLayout made;
    made.text_from = (kSwatch + kBesideSwatch) * font;
    if (most_rows < 1) return made;
    const double room_for_count = ink.width("and 000 more") + kBetweenEntries * font;
    for (const bool limited : {false, true}) {
        double x = shape.begin, y = 0, row = 0;
        const auto next_row = [&] {
            x = 0;
            y += pitch;
            ++row;
        };
        for (const LegendGroup& group : groups) {
            bool first = true;
            if (shape.column && x > 0) next_row();
            if (shape.column && row > 0) y += 0.55 * font;
            for (const LegendEntry& entry : group.entries) {
                const std::string title =
                    first ? ink.cut(group.title, shape.column ? shape.width : shape.width / 2) : "";
                const double before = first ? ink.width(title) + (shape.column ? 0 : kTitleGap * font) : 0;
                // As wide as the widest entry, a column has room for it, whatever the rounding.
                const double room = shape.width - made.text_from - (shape.column ? 0 : before) + 1e-6 * font;
                const std::string name = ink.cut(entry.name, room);
                const double wide = made.text_from + ink.width(name);
                const bool last = limited && row + 1 >= most_rows;
                if (last && (!made.left_over.empty() || x + before + wide > shape.width - room_for_count)) {
                    made.left_over.push_back(entry.name);
                    continue;
                }
                if (x > 0 && (shape.column || x + before + wide > shape.width)) next_row();
                if (first) made.items.push_back({{x, y}, title, {}, ink.width(title)});
                if (shape.column && first) made.widest = std::max(made.widest, before);
                x += before;
                if (shape.column && first) next_row();
                made.items.push_back({{x, y}, name, entry, wide});
                x += wide;
                made.widest = std::max(made.widest, x);
                x += kBetweenEntries * font;
                first = false;
            }
            if (!first) x += kBetweenGroups * font;
        }
        if (!made.left_over.empty()) {
            const std::string count = "and " + std::to_string(made.left_over.size()) + " more";
            made.items.push_back({{x, y}, count, {}, ink.width(count)});
        }
        if (!made.items.empty()) made.height = y + ink.line();
        if (limited || row < most_rows) return made;
        made.items.clear();
    }
    return made;
}

void draw_legend(const Ink& ink, const LegendLayout& legend, Point at) {
    for (const LegendLayout::Item& item : legend.items) {
        const Point place{at.x + item.at.x, at.y + item.at.y};
        if (item.entry) draw_swatch(ink, *item.entry, place, kSwatch * ink.font);
        ink.write({place.x + (item.entry ? legend.text_from : 0), place.y},
                  item.entry ? ink.colors.text : ink.colors.quiet_text, item.text);
    }
}

ColourBar bar_of(const ColourScale& scale, const Palette& colors) {
    ColourBar bar = bar_with(
        scale.name, scale.unit, scale.low, scale.high, [&](double place) { return colors.scale(scale, place); },
        scale.steps);
    bar.logarithmic = scale.logarithmic && 0 < scale.low && scale.low < scale.high;
    bar.has_below = scale.has_below, bar.has_above = scale.has_above;
    return bar;
}

std::vector<ColourBar> colour_bars(const Scene& scene, const DisplayOptions& display, const Palette& colors,
                                   double scale_of_view) {
    std::vector<ColourBar> bars;
    if (shows_angles(display, scene))
        bars.push_back(bar_with("minimum angle of each triangle", "°", 0, 60,
                                [&](double place) { return colors.angle(60 * place); }));
    for (const ColourScale& scale : shown_scales(display, scene)) bars.push_back(bar_of(scale, colors));
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            if (const auto* discs = std::get_if<DiscsLayer>(&layer.shape);
                discs && discs->sizes && !discs->empty() && display.shows(layer.id, layer.shown)) {
                ColourBar bar;
                bar.sizes = discs->sizes;
                bar.scale = scale_of_view;
                bar.title = discs->sizes->name + (discs->sizes->unit.empty() ? "" : " (" + discs->sizes->unit + ")");
                if (discs->sizes->missing > 0)
                    bar.title += ", " + number_text(static_cast<double>(discs->sizes->missing)) + " without";
                bars.push_back(std::move(bar));
            }
    return bars;
}

namespace {

/// The discs of three round values, no higher than the bar's area.
void draw_sizes(const Ink& ink, const Area& area, const ColourBar& bar) {
    const DiscsLayer::SizeScale& sizes = *bar.sizes;
    const double font = ink.font, room = 0.5 * (area.height - ink.line()) - 0.1 * font;
    const double most = std::min(1.0, room / (sizes.radius * bar.scale));  // part of the radius
    double value = round_length(sizes.greatest * most * most);
    double x = area.x;
    const double middle = area.bottom() - room;
    ink.drawing.begin_group("Sizes", {{}, ink.colors.text, 0.09 * font});
    std::vector<std::pair<double, std::string>> texts;
    for (int k = 0; k < 3; ++k, value = round_length(value / 3)) {
        const double radius = sizes.radius * bar.scale * std::sqrt(value / sizes.greatest);
        const std::string text = value >= 1e4 && value < 1e15 ? short_tick(value) : value_text(value);
        if (k > 0 && x + 2 * radius + ink.width(text) > area.right()) break;
        ink.drawing.disc({x + radius, middle}, radius);
        texts.emplace_back(x + 2 * radius + 0.3 * font, text);
        x = texts.back().first + ink.width(text) + font;
    }
    ink.drawing.end_group();
    for (const auto& [left, text] : texts) ink.write({left, middle - 0.5 * ink.line()}, ink.colors.quiet_text, text);
}

}  // namespace

void draw_colour_bar(const Ink& ink, const Area& area, const ColourBar& bar) {
    const double font = ink.font;
    ink.write({area.x, area.y}, ink.colors.quiet_text, ink.cut(bar.title, area.width));
    if (bar.sizes) return draw_sizes(ink, area, bar);
    // The outermost labels surround the ends of the bar and stay within the area.
    const Axis axis{bar.low, bar.high, bar.logarithmic, false};
    std::vector<Tick> ticks;
    const int room = std::max(1, static_cast<int>(area.width / (4.5 * font)));
    // One number says nothing about the range.
    for (int most = room; bar.low < bar.high && ticks.size() < 2 && most <= 2 * room; ++most) ticks = axis.ticks(most);
    // The ends of steps, if there is room for all of them.
    const auto edge = [&](uint32_t k) {
        const double share = double(k) / bar.steps;
        return bar.logarithmic ? bar.low * std::pow(bar.high / bar.low, share) : bar.low + share * (bar.high - bar.low);
    };
    if (bar.steps > 0 && bar.steps <= static_cast<uint32_t>(room) + 1) {
        ticks.clear();
        for (uint32_t k = 0; k <= bar.steps; ++k) ticks.push_back({edge(k), value_text(edge(k))});
    }
    if (ticks.empty()) ticks.push_back({bar.low, value_text(bar.low)});
    double inset = bar.has_below || bar.has_above ? 0.7 * font : 0;
    for (Tick& tick : ticks) inset = std::max(inset, 0.5 * ink.width(tick.text += bar.unit));
    inset = std::min(inset, 0.25 * area.width);
    const Area box{area.x + inset, area.y + ink.line() + 0.25 * font, area.width - 2 * inset, 0.8 * font};
    const double piece = box.width / static_cast<double>(bar.colours.size());
    for (size_t i = 0; i < bar.colours.size(); ++i) {
        Paint paint{bar.colours[i], {}};
        paint.adjoining = true;
        const double from = box.x + static_cast<double>(i) * piece;
        const double to = i + 1 < bar.colours.size() ? from + 1.02 * piece : box.right();
        ink.drawing.rectangle({from, box.y, to - from, box.height}, paint);
    }
    // The lowest or the highest colour may equal the background.
    const Paint border{{}, ink.colors.panel_edge, 0.08 * font};
    ink.drawing.rectangle(box, border);
    for (const bool above : {false, true}) {
        if (!(above ? bar.has_above : bar.has_below)) continue;
        const double from = above ? box.right() : box.x, middle = box.y + 0.5 * box.height;
        Paint paint = border;
        paint.fill = above ? bar.colours.back() : bar.colours.front();
        ink.drawing.begin_group(above ? "Numbers above" : "Numbers below", paint);
        ink.drawing.polygon({{from, box.y}, {from, box.bottom()}, {from + (above ? 0.6 : -0.6) * font, middle}});
        ink.drawing.end_group();
    }
    double free_from = area.x - font;
    for (const Tick& tick : ticks) {
        const double place = bar.low < bar.high ? std::clamp(axis.place(tick.value), 0.0, 1.0) : 0.5;
        const double x = box.x + place * box.width, half = 0.5 * ink.width(tick.text);
        ink.drawing.stroke({x, box.bottom()}, {x, box.bottom() + 0.2 * font}, ink.colors.quiet_text, 0.09 * font);
        if (x - half < free_from) continue;
        ink.write({x, box.bottom() + 0.25 * font}, ink.colors.quiet_text, tick.text, 0.5);
        free_from = x + half + 0.4 * font;
    }
}

void draw_scale_bar(const Ink& ink, Point at, double length, const std::string& text) {
    const double middle = at.y + 0.5 * ink.line(), half = 0.32 * ink.font;
    ink.drawing.begin_group("Scale bar", {{}, ink.colors.text, 0.12 * ink.font});
    ink.drawing.line({at.x, middle}, {at.x + length, middle});
    for (const double end : {at.x, at.x + length}) ink.drawing.line({end, middle - half}, {end, middle + half});
    ink.drawing.end_group();
    ink.write({at.x + length + 0.6 * ink.font, at.y}, ink.colors.text, text);
}

double scale_bar_text(const Ink& ink, const std::string& text) { return 0.6 * ink.font + ink.width(text); }

double title_height(double font, size_t lines) {
    return lines == 0 ? 0 : (Ink::kLine * static_cast<double>(lines) + 0.5) * font;
}

void draw_title(const Ink& ink, const Area& view, double top, const std::vector<std::string>& lines) {
    double wide = 0;
    for (const std::string& line : lines) wide = std::max(wide, ink.width(line));
    if (wide == 0) return;
    const double middle = view.x + 0.5 * view.width, font = ink.font;
    ink.ground({middle - 0.5 * wide - 0.6 * font, top, wide + 1.2 * font, title_height(font, lines.size())});
    for (size_t i = 0; i < lines.size(); ++i)
        ink.write({middle, top + 0.25 * font + static_cast<double>(i) * ink.line()}, ink.colors.text, lines[i], 0.5);
}

void draw_word(const Ink& ink, const Area& view, Point at, const std::string& word, const Color& color) {
    const double pad = 0.3 * ink.font, wide = ink.width(word), half = 0.5 * wide;
    // Shift the word into the view instead of cutting it, as long as its place is visible.
    const double least = view.x + pad + half, most = view.right() - pad - half;
    const bool seen = at.x > view.x && at.x < view.right() && least < most;
    const double x = seen ? std::clamp(at.x, least, most) : at.x, top = at.y - 0.5 * ink.line();
    ink.ground({x - half - pad, top, wide + 2 * pad, ink.line()}, 0.75f);
    ink.write({x, top}, color, word, 0.5);
}

}  // namespace flipscope::app
