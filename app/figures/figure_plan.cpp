#include "app/figures/figure_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/base/number_text.h"
#include "app/base/text_lines.h"
#include "app/figures/annotation.h"
#include "app/figures/highlights.h"
#include "app/figures/picture.h"
#include "app/figures/plane_axes.h"
#include "app/run/plot_axis.h"
#include "app/view/density.h"
#include "app/view/legend.h"
#include "app/view/looks.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr int kBarPieces = 64;
constexpr double kMostBelow = 0.4;     // that the rows below the picture may take
constexpr double kWider = 1.15;        // fonts that stand in for Helvetica may be
constexpr double kTitleLine = 1.3;     // of the letters' size
constexpr double kScaleOfWidth = 0.2;  // of the picture, that the scale bar takes at most

/// The rows below the picture: the scale bar, the legend, the colour bars. One walk measures, another draws.
class Rows {
  public:
    explicit Rows(const FigurePlan& plan) : plan_(plan), font_(plan.font), colors_(palette(plan.spec.light)) {}

    /// Height in all; draws where there is a drawing.
    double walk(Drawing* drawing, bool with_scale) {
        const double left = font_, width = plan_.width - 2 * font_, line = 1.5 * font_;
        double x = 0, y = plan_.row_top, used = 0;
        const auto next_row = [&](double height) {
            x = 0;
            y += height;
        };
        if (with_scale) {
            const double most = kScaleOfWidth * plan_.picture_pt.width;
            if (drawing) scale(*drawing, left, y);
            x = std::max(most, 6 * font_) + 2 * font_ + text_width(plan_.units.behind(), font_) * kWider;
            used = line;
        }
        if (drawing && !plan_.legend.empty()) drawing->begin_layer("legend", "Legend", {});
        for (const LegendGroup& group : legend_groups(plan_.legend, plan_.vertices)) {
            bool first = true;
            for (const LegendEntry& entry : group.entries) {
                const std::string title = first ? group.title : "";
                const double before = title.empty() ? 0 : text_width(title, font_) * kWider + 0.8 * font_;
                const double wide = before + 2 * font_ + text_width(entry.name, font_) * kWider;
                if (x > 0 && x + wide > width) next_row(line);
                if (drawing) {
                    if (!title.empty()) drawing->text({left + x, y + font_}, font_, 0, colors_.quiet_text, title);
                    swatch(*drawing, entry, {left + x + before, y}, 1.6 * font_);
                    drawing->text({left + x + before + 2 * font_, y + font_}, font_, 0, colors_.text, entry.name);
                }
                x += wide + 1.4 * font_;
                used = std::max(used, line);
                first = false;
            }
        }
        if (drawing && !plan_.legend.empty()) drawing->end_layer();
        double total = used > 0 ? y - plan_.row_top + line : 0;
        if (plan_.bars.empty()) return total;
        const double each = std::min(18 * font_, width), pitch = each + 2 * font_, high = 3.6 * font_;
        const auto in_a_row = static_cast<size_t>(std::max(1.0, (width + 2 * font_) / pitch));
        if (drawing) drawing->begin_layer("colour-bar", "Colour bar", {});
        for (size_t i = 0; i < plan_.bars.size(); ++i) {
            if (i % in_a_row == 0 && total > 0) total += 0.4 * font_;
            const Area area{left + static_cast<double>(i % in_a_row) * pitch, plan_.row_top + total, each, high};
            if (drawing) bar(*drawing, plan_.bars[i], area);
            if (i % in_a_row + 1 == in_a_row || i + 1 == plan_.bars.size()) total += high;
        }
        if (drawing) drawing->end_layer();
        return total;
    }

  private:
    void scale(Drawing& drawing, double left, double y) const {
        const double length = plan_.scale_length / plan_.units.size() * plan_.camera.scale * 72 / plan_.dpi,
                     half = 0.3 * font_;
        const double base = y + 0.65 * font_;
        drawing.begin_layer("scale-bar", "Scale bar", {});
        drawing.begin_group("Scale bar", {{}, colors_.text, 0.1 * font_});
        drawing.line({left, base}, {left + length, base});
        drawing.line({left, base - half}, {left, base + half});
        drawing.line({left + length, base - half}, {left + length, base + half});
        drawing.end_group();
        drawing.text({left + length + 0.5 * font_, y + font_}, font_, 0, colors_.text,
                     value_text(plan_.scale_length) + plan_.units.behind());
        drawing.end_layer();
    }

    void swatch(Drawing& drawing, const LegendEntry& entry, Point at, double width) const {
        Style style = colors_.style(entry.element, entry.role, entry.number);
        style.color.a *= entry.strength;
        const Point middle{at.x + 0.5 * width, at.y + 0.65 * font_};
        const double half = 0.42 * font_;
        if (entry.role == Role::kCategory) {
            drawing.begin_group({}, {style.color, {}});
            drawing.rectangle({middle.x - half, middle.y - half, 2 * half, 2 * half}, {style.color, {}});
            drawing.end_group();
            return;
        }
        switch (entry.element) {
            case LegendEntry::Element::kVertex:
                drawing.begin_group({}, {style.color, {}});
                drawing.disc(middle, 0.3 * font_ * style.size);
                break;
            case LegendEntry::Element::kEdge:
                drawing.begin_group({}, {{}, style.color, 0.13 * font_ * style.size});
                drawing.line({at.x, middle.y}, {at.x + width, middle.y});
                break;
            case LegendEntry::Element::kTriangle:
                drawing.begin_group({}, {style.color.alpha(std::min(1.f, 2.2f * style.color.a)), {}});
                drawing.polygon({{middle.x - half, middle.y + half},
                                 {middle.x + half, middle.y + half},
                                 {middle.x, middle.y - half}});
                break;
            case LegendEntry::Element::kPixel:
                drawing.begin_group({}, {style.color, colors_.quiet_text, 0.06 * font_});
                drawing.polygon({{middle.x - half, middle.y - half},
                                 {middle.x + half, middle.y - half},
                                 {middle.x + half, middle.y + half},
                                 {middle.x - half, middle.y + half}});
                break;
        }
        drawing.end_group();
    }

    void bar(Drawing& drawing, const FigureBar& of, const Area& area) const {
        drawing.text({area.x, area.y + font_}, font_, 0, colors_.quiet_text, of.title);
        const double inset = 2 * font_, left = area.x + inset, width = area.width - 2 * inset;
        const double top = area.y + 1.4 * font_, high = 0.8 * font_;
        const double piece = width / static_cast<double>(of.colours.size());
        for (size_t i = 0; i < of.colours.size(); ++i) {
            Paint paint{of.colours[i], {}};
            paint.adjoining = true;
            const double from = left + static_cast<double>(i) * piece;
            const double to = i + 1 < of.colours.size() ? from + 1.02 * piece : left + width;
            drawing.rectangle({from, top, to - from, high}, paint);
        }
        drawing.rectangle({left, top, width, high}, {{}, colors_.panel_edge, 0.06 * font_});
        const Axis axis{of.low, of.high, of.logarithmic, false};
        std::vector<Tick> ticks;
        if (of.low < of.high) ticks = axis.ticks(std::max(2, static_cast<int>(width / (3.5 * font_))));
        if (ticks.empty()) ticks.push_back({of.low, value_text(of.low)});
        for (const Tick& tick : ticks) {
            const double place = of.low < of.high ? std::clamp(axis.place(tick.value), 0.0, 1.0) : 0.5;
            const double x = left + place * width;
            drawing.stroke({x, top + high}, {x, top + high + 0.25 * font_}, colors_.quiet_text, 0.08 * font_);
            drawing.text({x, top + high + 1.2 * font_}, 0.9 * font_, 0.5, colors_.quiet_text, tick.text + of.unit);
        }
    }

    const FigurePlan& plan_;
    double font_;
    const Palette& colors_;
};

void draw_axes(Drawing& drawing, const FigurePlan& plan) {
    const Palette& colors = palette(plan.spec.light);
    const Area& area = plan.picture_pt;
    const double font = 0.9 * plan.font, thin = 0.06 * plan.font;
    const double unit = plan.camera.scale * 72 / plan.dpi / plan.units.size();  // points per world unit
    const Point middle = plan.units.given.as_given(plan.camera.center);
    drawing.begin_layer("axes", "Axes", {});
    drawing.rectangle(area, {{}, colors.quiet_text, 2 * thin});
    const PlaneTicks x =
        plane_ticks(middle.x, 0.5 * area.width / unit, std::max(2, static_cast<int>(area.width / (8 * font))));
    const PlaneTicks y =
        plane_ticks(middle.y, 0.5 * area.height / unit, std::max(2, static_cast<int>(area.height / (3 * font))));
    const auto name = [&](const char* letter, const PlaneTicks& ticks) {
        const std::string axis = plan.units.axis(letter);
        return ticks.offset.empty() ? (plan.units.name.empty() ? std::string() : axis) : axis + ": " + ticks.offset;
    };
    drawing.text({area.right() - 0.4 * font, area.bottom() - 0.5 * font}, font, 1, colors.text, name("x", x));
    drawing.text({area.x + 0.5 * font, area.y + 1.2 * font}, font, 0, colors.text, name("y", y));
    for (const PlaneTick& tick : x.ticks) {
        const double at = area.x + 0.5 * area.width + tick.off * unit;
        drawing.stroke({at, area.bottom()}, {at, area.bottom() + 0.3 * font}, colors.quiet_text, thin);
        drawing.text({at, area.bottom() + 1.35 * font}, font, 0.5, colors.quiet_text, tick.text);
    }
    for (const PlaneTick& tick : y.ticks) {
        const double at = area.y + 0.5 * area.height - tick.off * unit;
        drawing.stroke({area.x, at}, {area.x - 0.3 * font, at}, colors.quiet_text, thin);
        drawing.text({area.x - 0.5 * font, at + 0.35 * font}, font, 1, colors.quiet_text, tick.text);
    }
    drawing.end_layer();
}

/// What explains a report, over the picture: with a halo, as in the window.
void draw_marks(Drawing& drawing, const FigurePlan& plan) {
    const Palette& colors = palette(plan.spec.light);
    const double unit = 72 / plan.dpi;
    const auto placed = [&](size_t part, Point pixels) {
        const Area& view = plan.views[part];
        return Point{view.x + 0.5 * view.width + pixels.x * unit, view.y + 0.5 * view.height - pixels.y * unit};
    };
    for (size_t part = 0; part < plan.views.size(); ++part) {
        const Area& view = plan.views[part];
        const Camera& camera = plan.cameras[part];
        drawing.begin_layer("marks", "Marks", view);
        for (const Highlight& highlight : plan.highlights) {
            if (highlight.part != part || highlight.places.empty()) continue;
            const double reach = std::hypot(view.width, view.height) / unit;
            std::vector<Point> pixels;
            for (const Point3& place : highlight.places) pixels.push_back(camera.to_pixels(place));
            const bool circle = highlight.kind == Highlight::Kind::kCircle;
            if (circle) pixels = visible_arc(pixels[0], highlight.radius * camera.scale, reach);
            const Color color = highlight.role == Role::kPlain ? colors.mark : colors.role(highlight.role);
            const double width = circle || highlight.style != Highlight::Style::kSolid ? 1 : 2;
            for (const bool halo : {true, false}) {
                Paint paint{{}, halo ? colors.canvas.alpha(0.65f) : color, halo ? width + 2 : width};
                paint.round = true;
                drawing.begin_group(halo ? std::string() : highlight.name, paint);
                if (highlight.kind == Highlight::Kind::kPoint) {
                    for (const Point& at : pixels) {
                        std::vector<Point> ring;
                        for (const Point& p : visible_arc({0, 0}, 6 / unit, reach))
                            ring.push_back(placed(part, {at.x + p.x, at.y + p.y}));
                        drawing.polyline(ring);
                    }
                } else {
                    const bool closed = highlight.kind == Highlight::Kind::kPolygon;
                    for (size_t i = 0; i + (closed ? 0 : 1) < pixels.size(); ++i) {
                        Point a = pixels[i], b = pixels[(i + 1) % pixels.size()];
                        if (clip_segment(a, b, reach, reach)) drawing.line(placed(part, a), placed(part, b));
                    }
                }
                drawing.end_group();
            }
        }
        std::vector<Area> taken;
        for (const ElementLabel& label : plan.labels) {
            if (label.element.part != part) continue;
            const Point at = placed(part, camera.to_pixels(Point3{label.place.x, label.place.y, 0}));
            const double font = 0.9 * plan.font, wide = kWider * text_width(label.text, font) + 0.6 * font;
            const Area box{at.x - 0.5 * wide, at.y - 0.65 * font, wide, 1.3 * font};
            if (box.x < view.x || box.right() > view.right() || box.y < view.y || box.bottom() > view.bottom())
                continue;
            if (std::any_of(taken.begin(), taken.end(), [&](const Area& other) {
                    return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
                           other.y < box.bottom();
                }))
                continue;
            taken.push_back(box);
            drawing.rectangle(box, {colors.canvas.alpha(0.75f), {}});
            drawing.text({at.x, at.y + 0.35 * font}, font, 0.5, colors.text, label.text);
        }
        drawing.end_layer();
    }
}

void draw_titles(Drawing& drawing, const FigurePlan& plan) {
    const Palette& colors = palette(plan.spec.light);
    drawing.begin_layer("titles", "Titles", {});
    if (plan.spec.title)
        drawing.text({0.5 * plan.width, 1.7 * plan.font}, 1.25 * plan.font, 0.5, colors.text, plan.spec.title_text);
    for (size_t i = 0; i < std::min(plan.titles.size(), plan.views.size()); ++i) {
        const Area& view = plan.views[i];
        const double middle = view.x + 0.5 * view.width, font = plan.title_font;
        if (plan.titles[i].empty()) continue;
        double wide = 0, y = view.y + 0.2 * font;
        // Viewers have other fonts, which may be wider.
        for (const std::string& line : plan.titles[i]) wide = std::max(wide, kWider * text_width(line, font) + font);
        drawing.rectangle(
            {middle - 0.5 * wide, y, wide, (kTitleLine * static_cast<double>(plan.titles[i].size()) + 0.2) * font},
            {colors.canvas.alpha(0.75f), {}});
        for (const std::string& line : plan.titles[i]) {
            drawing.text({middle, y + 1.1 * font}, font, 0.5, colors.text, line);
            y += kTitleLine * font;
        }
    }
    drawing.end_layer();
}

/// Of a third of the view at most.
std::vector<std::string> lines_of_title(const std::string& title, const Area& view, double font) {
    const double width = view.width - 1.6 * font;
    const auto measure = [&](const std::string& text) { return kWider * text_width(text, font); };
    if (title.empty()) return {};
    std::vector<std::string> lines = text_in_lines(title, width, measure);
    const auto most = static_cast<size_t>(std::max(view.height / 3 / (kTitleLine * font), 1.0));
    if (lines.size() > most) {
        lines.resize(most);
        lines.back() = cut_text(lines.back() + " …", width, measure);
    }
    return lines;
}

Camera camera_for(const Scene& scene, const FigureSpec& spec, int width, int height) {
    if (!spec.rectangle) return fitted_camera(scene, width, height, spec.view);
    Camera camera;
    if (scene.in_space) camera.view = spec.view.value_or(standard_views()[0]);
    const auto& [low, high] = *spec.rectangle;
    const PixelBox part = Renderer::box_of_view(width, height, scene.view_count(), 0);
    camera.center = {low.x + 0.5 * (high.x - low.x), low.y + 0.5 * (high.y - low.y)};
    camera.scale = std::clamp(std::min(part.width / (high.x - low.x), part.height / (high.y - low.y)), 1e-250, 1e250);
    return camera;
}

/// In smaller letters where that saves lines.
void lay_out_titles(const Scene& scene, FigurePlan& plan) {
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    plan.title_font = plan.font;
    if (views < 2) return;
    const auto lay_out = [&] {
        size_t most = 0;
        plan.titles.clear();
        for (size_t i = 0; i < views; ++i) {
            const PixelBox box = Renderer::box_of_view(plan.picture.width, plan.picture.height, views, i);
            const Area area{0, 0, box.width * 72 / plan.dpi, box.height * 72 / plan.dpi};
            plan.titles.push_back(lines_of_title(scene.view(i).title, area, plan.title_font));
            most = std::max(most, plan.titles.back().size());
        }
        return most;
    };
    if (lay_out() < 3) return;
    plan.title_font = std::max(0.8 * plan.font, std::min(plan.font, 5.0));
    lay_out();
}

/// What fits into the picture does not lie behind the titles.
Camera camera_below_titles(const Scene& scene, const FigurePlan& plan) {
    size_t lines = 0;
    for (const auto& title : plan.titles) lines = std::max(lines, title.size());
    const double room = (kTitleLine * static_cast<double>(lines) + 0.2) * plan.title_font * plan.dpi / 72;  // pixels
    const int all = static_cast<int>(room) * (plan.titles.size() == 4 ? 2 : 1);
    if (lines == 0 || plan.spec.rectangle || 2 * all > plan.picture.height)
        return camera_for(scene, plan.spec, plan.picture.width, plan.picture.height);
    Camera camera = camera_for(scene, plan.spec, plan.picture.width, plan.picture.height - all);
    camera.center.y += 0.5 * room / camera.scale;
    return camera;
}

bool is_lattice(const Layer& layer) { return std::holds_alternative<LatticeLayer>(layer.shape); }

}  // namespace

double round_length(double most) {
    if (!(most > 1e-300) || !std::isfinite(most)) return 0;
    const double power = std::pow(10.0, std::floor(std::log10(most)));
    for (const double times : {10.0, 5.0, 2.0, 1.0})
        if (times * power <= most * (1 + 1e-9)) return times * power;
    return 0.5 * power;
}

FigurePlan plan_figure(const Scene& scene, const FigureSpec& given) {
    check_figure(given);
    FigurePlan plan;
    plan.spec = given;
    // On paper elements can be looked at closely: a density stands for them only where it was asked for.
    plan.spec.look.layers.try_emplace(kDensityLook, false);
    const FigureSpec& spec = plan.spec;
    plan.dpi = spec.resolution();
    plan.pixel_width = spec.pixel_width();
    plan.pixel_height = spec.pixel_height();
    plan.width = spec.width_pt();
    plan.height = spec.height_pt();
    plan.font = std::clamp(plan.width / 60, 5.0, 9.0);
    plan.in_space = scene.in_space;
    plan.units = units_of(scene, spec.unit);
    const Palette& colors = palette(spec.light);
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    if (views > 1 || scene.in_space) plan.spec.axes = false;
    if (spec.legend) {
        plan.legend = spec.whole_legend ? legend_of(scene) : occurring_entries(scene, spec.look);
        if (spec.whole_legend)
            for (LegendEntry& entry : shown_categories(spec.look, scene)) plan.legend.push_back(std::move(entry));
        std::erase_if(plan.legend, [](const LegendEntry& entry) { return entry.name.empty(); });
        plan.vertices = vertices_title(scene);
    }
    const auto add_bar = [&](const ColourBar& bar) {
        const bool beside_number = bar.unit == "°" || bar.unit == "%";
        FigureBar made{bar.name + (bar.unit.empty() || beside_number ? "" : " (" + bar.unit + ")"),
                       beside_number ? bar.unit : "",
                       bar.low,
                       bar.high,
                       bar.logarithmic,
                       {}};
        for (int i = 0; i < kBarPieces; ++i)
            made.colours.push_back(bar.colour_of(bar.value_at((i + 0.5) / kBarPieces)));
        plan.bars.push_back(std::move(made));
    };
    if (spec.colour_bars)
        for (const ColourBar& bar : colour_bars(scene, spec.look, colors)) add_bar(bar);
    const double unit = plan.dpi / 72;  // pixels
    const auto place_picture = [&](double rows) {
        const double font = plan.font;
        const double left = plan.spec.axes ? 5 * font : 0, right = plan.spec.axes ? 1.5 * font : 0;
        double top = plan.spec.title ? 2.6 * font : plan.spec.axes ? font : 0;
        const double below = (plan.spec.axes ? 2 * font : 0) + (rows > 0 ? rows + 1.4 * font : 0);
        const int x = static_cast<int>(std::lround(left * unit)), y = static_cast<int>(std::lround(top * unit));
        plan.picture = {x, y, plan.pixel_width - x - static_cast<int>(std::lround(right * unit)),
                        plan.pixel_height - y - static_cast<int>(std::lround(below * unit))};
        plan.picture_pt = {x / unit, y / unit, plan.picture.width / unit, plan.picture.height / unit};
        plan.row_top = plan.height - rows - 0.5 * font;
    };
    place_picture(0);
    if (plan.picture.width >= 8 && plan.picture.height >= 8 && spec.colour_bars) {
        lay_out_titles(scene, plan);
        const double scale = camera_below_titles(scene, plan).scale;
        if (const auto dense = shown_density_scale(scene, spec.look, scale, plan.dpi / 96))
            add_bar(bar_of(*dense, colors));
    }
    double rows = Rows(plan).walk(nullptr, spec.scale_bar);
    if (rows > kMostBelow * plan.height) {
        plan.note = "the figure has no room for the rows below the picture; make it larger, or choose fewer parts";
        plan.legend.clear();
        plan.bars.clear();
        rows = spec.scale_bar && 3 * plan.font < kMostBelow * plan.height ? 1.5 * plan.font : 0;
    }
    place_picture(rows);
    if (plan.picture.width < 8 || plan.picture.height < 8)
        throw Error("a figure of " + std::to_string(plan.pixel_width) + " × " + std::to_string(plan.pixel_height) +
                    " pixels has no room for its picture beside the title and the axes; make it larger");
    lay_out_titles(scene, plan);
    plan.camera = camera_below_titles(scene, plan);
    if (rows > 0 && spec.scale_bar)
        plan.scale_length =
            round_length(kScaleOfWidth * plan.picture.width / static_cast<double>(views == 4 ? 2 : views) /
                         plan.camera.scale * plan.units.size());

    const bool documents = spec.format != FigureSpec::Format::kPng;
    plan.vectors = documents;
    bool lattices = false;
    std::vector<ShapeRequest> requests;
    for (size_t i = 0; i < views; ++i) {
        const SceneView& view = scene.view(i);
        const PixelBox box = Renderer::box_of_view(plan.picture.width, plan.picture.height, views, i);
        const int top = plan.picture.height - box.y - box.height;
        const Area area{(plan.picture.x + box.x) / unit, (plan.picture.y + top) / unit, box.width / unit,
                        box.height / unit};
        plan.views.push_back(area);
        plan.cameras.push_back(Renderer::camera_of(view, plan.camera, box));
        requests.push_back({area, plan.cameras.back(), plan.dpi, spec.line_pt, spec.light, spec.most_vectors});
        if (view.in_space) plan.vectors = false;
        for (const Layer& layer : view.layers)
            lattices = lattices || (is_lattice(layer) && !layer.empty() && spec.look.shows(layer.id, layer.shown));
    }
    for (size_t i = 0; plan.vectors && i < views; ++i) {
        auto shapes = shapes_of(scene.view(i), spec.look, requests[i], plan.elements);
        plan.vectors = shapes.has_value();
        if (shapes) std::move(shapes->begin(), shapes->end(), std::back_inserter(plan.shapes));
    }
    plan.image_look = spec.look;
    if (plan.vectors) {
        plan.image = lattices;
        for (size_t i = 0; i < views; ++i)
            for (const Layer& layer : scene.view(i).layers)
                if (!is_lattice(layer)) plan.image_look.layers[layer.id] = false;
        plan.image_look.angles = false;
        return plan;
    }
    plan.shapes.clear();
    for (size_t i = 0; i < views; ++i) {
        auto words = words_of(scene.view(i), spec.look, requests[i]);
        std::move(words.begin(), words.end(), std::back_inserter(plan.shapes));
    }
    return plan;
}

void draw_plan(Drawing& drawing, const FigurePlan& plan) {
    const Palette& colors = palette(plan.spec.light);
    for (const ShapeLayer& layer : plan.shapes) draw_shapes(drawing, layer, colors.canvas);
    if (plan.views.size() > 1 && plan.vectors && !plan.image) {
        drawing.begin_layer("views", "Views", {});
        for (const Area& view : plan.views) drawing.rectangle(view, {{}, colors.panel_edge, 0.75});
        drawing.end_layer();
    }
    if (plan.has_marks()) draw_marks(drawing, plan);
    if (plan.spec.title || plan.titles.size() > 1) draw_titles(drawing, plan);
    if (plan.spec.axes) draw_axes(drawing, plan);
    Rows(plan).walk(&drawing, plan.scale_length > 0);
}

}  // namespace flipscope::app
