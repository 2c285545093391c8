#include "app/figures/figure_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "app/base/number_text.h"
#include "app/figures/annotation.h"
#include "app/figures/highlights.h"
#include "app/figures/picture.h"
#include "app/figures/plane_axes.h"
#include "app/view/density.h"
#include "app/view/display.h"
#include "app/view/legend.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr double kMostOfCaption = 0.4;  // largest share of the figure, in each direction
constexpr double kWider = 1.15;         // a viewer's substitute for Inter may be this much wider
constexpr double kScaleOfWidth = 0.2;   // largest share of the picture's width for the scale bar

/// Only an SVG depends on the fonts of its viewer.
Ink ink_for(Drawing& drawing, const FigurePlan& plan, double font) {
    Ink ink{drawing, palette(plan.spec.light), font};
    if (plan.spec.format == FigureSpec::Format::kSvg)
        ink.width_of = [](const std::string& text, double size) { return kWider * text_width(text, size); };
    return ink;
}

double most_of_scale_bar(const FigurePlan& plan) {
    return std::max(kScaleOfWidth * plan.picture_pt.width, 6 * plan.font);
}

/// Draws scale bar, legend and colour bars in lines below the picture, or in a column beside it. Returns their height.
double draw_caption(const Ink& ink, const FigurePlan& plan, const Area& area, bool column) {
    const double font = ink.font;
    LegendShape shape{area.width, column};
    double y = area.y;
    if (plan.has_scale_bar) {
        const PictureUnits& units = plan.units[0];
        const double length = plan.scale_length / units.size() * plan.camera.scale * 72 / plan.dpi;
        ink.drawing.begin_layer("scale-bar", "Scale bar", {});
        draw_scale_bar(ink, {area.x, y}, length, value_text(plan.scale_length) + units.behind());
        ink.drawing.end_layer();
        if (column)
            y += 1.6 * ink.line();
        else
            shape.begin = most_of_scale_bar(plan) + scale_bar_text(ink, "0,000" + units.behind()) + 2 * font;
    }
    const LegendLayout legend = lay_out_legend(ink, plan.legend, plan.vertices, shape);
    if (!legend.items.empty()) {
        ink.drawing.begin_layer("legend", "Legend", {});
        draw_legend(ink, legend, {area.x, y});
        ink.drawing.end_layer();
    }
    y += std::max(legend.height, plan.has_scale_bar && !column ? ink.line() : 0);
    if (plan.bars.empty()) return y - area.y;
    const double each = std::min(colour_bar_width(font), area.width), pitch = each + 2 * font;
    const auto in_a_row = static_cast<size_t>(std::max(1.0, (area.width + 2 * font) / pitch));
    ink.drawing.begin_layer("colour-bar", "Colour bar", {});
    for (size_t i = 0; i < plan.bars.size(); ++i) {
        if (i % in_a_row == 0 && y > area.y) y += (column ? 1.1 : 0.5) * font;
        draw_colour_bar(ink, {area.x + static_cast<double>(i % in_a_row) * pitch, y, each, colour_bar_height(font)},
                        plan.bars[i]);
        if (i % in_a_row + 1 == in_a_row || i + 1 == plan.bars.size()) y += colour_bar_height(font);
    }
    ink.drawing.end_layer();
    return y - area.y;
}

double column_width(const Ink& ink, const FigurePlan& plan) {
    double width = lay_out_legend(ink, plan.legend, plan.vertices, {1e6, true}).widest;
    if (!plan.bars.empty()) width = std::max(width, 16 * ink.font);
    if (plan.has_scale_bar)
        width = std::max(width, most_of_scale_bar(plan) + scale_bar_text(ink, "0,000" + plan.units[0].behind()));
    return width;
}

void draw_axes(const Ink& ink, const FigurePlan& plan, const std::vector<ShownView>& views) {
    for (size_t i = 0; i < views.size(); ++i) {
        const Area& box = views[i].box;
        if (!(views[i].camera.view == ViewAxes{})) continue;  // in space
        draw_plane_axes(ink, views[i], {views.size() == 1, box.y, box.bottom(), box.bottom()}, plan.units[i]);
    }
}

void draw_titles(Drawing& drawing, const FigurePlan& plan) {
    drawing.begin_layer("titles", "Titles", {});
    if (plan.spec.title) {
        const Ink ink = ink_for(drawing, plan, 1.25 * plan.font);
        ink.write({0.5 * plan.width, 0.4 * plan.font}, ink.colors.text, plan.spec.title_text, 0.5);
    }
    const Ink ink = ink_for(drawing, plan, plan.title_font);
    for (size_t i = 0; i < std::min(plan.titles.size(), plan.views.size()); ++i)
        draw_title(ink, plan.views[i], plan.views[i].y + 0.2 * ink.font, plan.titles[i]);
    drawing.end_layer();
}

/// A view's part of the picture; `box`: in the renderer's pixels, upwards.
Area area_of_view(const FigurePlan& plan, const PixelBox& box) {
    const double unit = plan.dpi / 72;  // pixels
    return {(plan.picture.x + box.x) / unit, (plan.picture.y + plan.picture.height - box.y - box.height) / unit,
            box.width / unit, box.height / unit};
}

/// At most a third of the view's height.
std::vector<std::string> lines_of_title(const Ink& ink, const std::string& title, const Area& view) {
    const double width = view.width - 1.8 * ink.font;
    if (title.empty()) return {};
    std::vector<std::string> lines = ink.in_lines(title, width);
    const auto most = static_cast<size_t>(std::max(view.height / 3 / ink.line(), 1.0));
    if (lines.size() > most) {
        lines.resize(most);
        lines.back() = ink.cut(lines.back() + " …", width);
    }
    return lines;
}

Camera camera_for(const Scene& scene, const FigureSpec& spec, int width, int height) {
    if (!spec.rectangle) return fitted_camera(scene, width, height, spec.view, spec.close_up);
    Camera camera;
    if (scene.in_space) camera.view = spec.view.value_or(standard_views()[0]);
    if (spec.view) camera.apart = *spec.view;
    const auto& [low, high] = *spec.rectangle;
    const PixelBox part = Renderer::box_of_view(width, height, scene.view_count(), 0);
    camera.center = {low.x + 0.5 * (high.x - low.x), low.y + 0.5 * (high.y - low.y)};
    camera.scale = std::clamp(std::min(part.width / (high.x - low.x), part.height / (high.y - low.y)), 1e-250, 1e250);
    return camera;
}

/// In smaller letters if that saves lines.
void lay_out_titles(const Scene& scene, FigurePlan& plan) {
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    plan.title_font = 1.15 * plan.font;
    if (views < 2) return;
    NoDrawing nothing;
    const auto lay_out = [&] {
        const Ink ink = ink_for(nothing, plan, plan.title_font);
        size_t most = 0;
        plan.titles.clear();
        for (size_t i = 0; i < views; ++i) {
            const PixelBox box = Renderer::box_of_view(plan.picture.width, plan.picture.height, views, i);
            plan.titles.push_back(lines_of_title(ink, scene.view(i).title, area_of_view(plan, box)));
            most = std::max(most, plan.titles.back().size());
        }
        return most;
    };
    if (lay_out() < 3) return;
    plan.title_font = std::max(0.8 * plan.font, std::min(plan.font, 5.0));
    lay_out();
}

/// Keeps a fitted scene clear of the titles.
Camera camera_below_titles(const Scene& scene, const FigurePlan& plan) {
    size_t lines = 0;
    for (const auto& title : plan.titles) lines = std::max(lines, title.size());
    const double room = (title_height(plan.title_font, lines) + 0.2 * plan.title_font) * plan.dpi / 72;  // pixels
    const int all = static_cast<int>(room) * (plan.titles.size() == 4 ? 2 : 1);
    if (lines == 0 || plan.spec.rectangle || 2 * all > plan.picture.height)
        return camera_for(scene, plan.spec, plan.picture.width, plan.picture.height);
    Camera camera = camera_for(scene, plan.spec, plan.picture.width, plan.picture.height - all);
    camera.center.y += 0.5 * room / camera.scale;
    return camera;
}

std::vector<ShapeRequest> requests_of(const Scene& scene, const FigurePlan& plan) {
    std::vector<ShapeRequest> requests;
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    const FigureSpec& spec = plan.spec;
    for (size_t i = 0; i < views; ++i) {
        const PixelBox box = Renderer::box_of_view(plan.picture.width, plan.picture.height, views, i);
        requests.push_back({area_of_view(plan, box), Renderer::camera_of(scene.view(i), plan.camera, box), plan.dpi,
                            spec.line_pt, spec.light, spec.most_vectors});
    }
    return requests;
}

/// If only part of the plane is shown, drops legend entries without a visible element.
void keep_entries_in_view(const Scene& scene, FigurePlan& plan) {
    const FigureSpec& spec = plan.spec;
    if (scene.in_space || spec.whole_legend || (!spec.rectangle && spec.close_up.zoom <= 1)) return;
    constexpr uint64_t kMostInView = 20'000;  // elements; with more, a kind is rarely missing
    std::set<std::string> names;
    const std::vector<ShapeRequest> requests = requests_of(scene, plan);
    uint64_t elements = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
        ShapeRequest request = requests[i];
        request.most = kMostInView;
        const auto shapes = shapes_of(scene.view(i), spec.display, request, elements);
        if (!shapes) return;
        for (const ShapeLayer& layer : *shapes)
            for (const ShapeGroup& group : layer.groups) names.insert(group.title);
    }
    using Element = LegendEntry::Element;
    std::erase_if(plan.legend, [&](const LegendEntry& entry) {
        const bool is_shape = entry.element == Element::kVertex || entry.element == Element::kEdge ||
                              (entry.element == Element::kTriangle && !spec.display.angles);
        return is_shape && entry.role != Role::kHelper && entry.role != Role::kCategory && !names.contains(entry.name);
    });
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

FigurePlan plan_figure(const Scene& scene, const FigureSpec& given, std::vector<Highlight> highlights,
                       std::vector<ElementLabel> labels) {
    check_figure(given);
    FigurePlan plan;
    plan.spec = given;
    plan.highlights = std::move(highlights);
    plan.labels = std::move(labels);
    // On paper the reader can look closely.
    if (!given.density) plan.spec.display.layers.try_emplace(kDensityDisplay, false);
    const FigureSpec& spec = plan.spec;
    plan.dpi = spec.resolution();
    plan.pixel_width = spec.pixel_width();
    plan.pixel_height = spec.pixel_height();
    plan.width = spec.width_pt();
    plan.height = spec.height_pt();
    plan.font = spec.font_pt > 0 ? spec.font_pt : std::clamp(plan.width / 60, 5.0, 9.0);
    plan.in_space = scene.in_space;
    const Palette& colors = palette(spec.light);
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    for (size_t i = 0; i < views; ++i) plan.units.push_back(units_of(scene.view(i), spec.unit));
    if (scene.in_space) plan.spec.axes = false;
    if (spec.legend) {
        plan.legend = spec.whole_legend ? legend_of(scene)
                                        : occurring_entries(scene, count_legend(scene, &spec.display), spec.display);
        if (spec.whole_legend)
            for (LegendEntry& entry : shown_categories(spec.display, scene)) plan.legend.push_back(std::move(entry));
        std::erase_if(plan.legend, [](const LegendEntry& entry) { return entry.name.empty(); });
        plan.vertices = vertices_title(scene);
    }
    if (spec.colour_bars) plan.bars = colour_bars(scene, spec.display, colors);
    plan.has_scale_bar = spec.scale_bar;
    const double unit = plan.dpi / 72, font = plan.font;  // pixels
    const bool framed = plan.spec.axes && views == 1;
    const auto place_picture = [&](double below, double beside) {
        const double left = framed ? 5 * font : 0, right = framed ? 1.5 * font : 0;
        const double top = plan.spec.title ? 2.6 * font : framed ? font : 0;
        const auto pixels = [&](double length) { return static_cast<int>(std::lround(length * unit)); };
        const double under = (framed ? 2 * font : 0) + (below > 0 ? below + 1.4 * font : 0);
        const double along = right + (beside > 0 ? beside + 1.8 * font : 0);
        plan.picture = {pixels(left), pixels(top), plan.pixel_width - pixels(left) - pixels(along),
                        plan.pixel_height - pixels(top) - pixels(under)};
        plan.picture_pt = {plan.picture.x / unit, plan.picture.y / unit, plan.picture.width / unit,
                           plan.picture.height / unit};
        plan.in_column = beside > 0;
        plan.caption = plan.in_column ? Area{plan.width - beside - 0.9 * font, top + 0.9 * font, beside, 0}
                                      : Area{font, plan.height - below - 0.5 * font, plan.width - 2 * font, below};
        if (plan.picture.width < 1 || plan.picture.height < 1) return 0.0;
        lay_out_titles(scene, plan);
        plan.camera = camera_below_titles(scene, plan);
        return plan.camera.scale;
    };
    const double scale = place_picture(0, 0);
    if (scale > 0) keep_entries_in_view(scene, plan);
    if (scale > 0 && spec.colour_bars)
        if (const auto dense = shown_density_scale(scene, spec.display, scale, plan.dpi / 96))
            plan.bars.push_back(bar_of(*dense, colors));
    NoDrawing nothing;
    const Ink ink = ink_for(nothing, plan, font);
    const double below = draw_caption(ink, plan, {0, 0, plan.width - 2 * font, 0}, false);
    const double beside = spec.legend_beside && below > 0 ? column_width(ink, plan) : 0;
    const bool fits_below = below <= kMostOfCaption * plan.height;
    const bool fits_beside = beside > 0 && beside + 2 * font <= kMostOfCaption * plan.width &&
                             draw_caption(ink, plan, {0, 0, beside, 0}, true) + 2 * font <= plan.height;
    if (!fits_below && !fits_beside) {
        plan.note = "the figure has no room for the rows below the picture; make it larger, or choose fewer parts";
        plan.legend.clear();
        plan.bars.clear();
        plan.has_scale_bar = spec.scale_bar && 3 * font < kMostOfCaption * plan.height;
        place_picture(plan.has_scale_bar ? ink.line() : 0, 0);
    } else {
        const double scale_beside = fits_beside ? place_picture(0, beside) : 0;
        // Prefer lines below the picture unless a column clearly enlarges it.
        if (const double scale_below = fits_below ? place_picture(below, 0) : 0;
            fits_beside && scale_beside > 1.02 * scale_below)
            place_picture(0, beside);
    }
    const int least = plan.spec.title || framed ? 8 : 1;
    if (plan.picture.width < least || plan.picture.height < least)
        throw Error("a figure of " + std::to_string(plan.pixel_width) + " × " + std::to_string(plan.pixel_height) +
                    " pixels has no room for its picture beside the title and the axes; make it larger");
    if (plan.has_scale_bar)
        plan.scale_length =
            round_length(kScaleOfWidth * plan.picture.width / static_cast<double>(views == 4 ? 2 : views) /
                         plan.camera.scale * plan.units[0].size());
    plan.has_scale_bar = plan.scale_length > 0;
    for (ColourBar& bar : plan.bars) bar.scale = plan.camera.scale * 72 / plan.dpi;

    const bool documents = spec.format != FigureSpec::Format::kPng;
    plan.vectors = documents;
    bool lattices = false;
    const std::vector<ShapeRequest> requests = requests_of(scene, plan);
    for (size_t i = 0; i < views; ++i) {
        const SceneView& view = scene.view(i);
        plan.views.push_back(requests[i].area);
        plan.cameras.push_back(requests[i].camera);
        if (view.in_space) plan.vectors = false;
        for (const Layer& layer : view.layers)
            lattices = lattices || (is_lattice(layer) && !layer.empty() && spec.display.shows(layer.id, layer.shown));
    }
    for (size_t i = 0; plan.vectors && i < views; ++i) {
        auto shapes = shapes_of(scene.view(i), spec.display, requests[i], plan.elements);
        plan.vectors = shapes.has_value();
        if (shapes) std::move(shapes->begin(), shapes->end(), std::back_inserter(plan.shapes));
    }
    plan.image_display = spec.display;
    if (plan.vectors) {
        plan.image = lattices;
        for (size_t i = 0; i < views; ++i)
            for (const Layer& layer : scene.view(i).layers)
                if (!is_lattice(layer)) plan.image_display.layers[layer.id] = false;
        plan.image_display.angles = false;
        return plan;
    }
    plan.shapes.clear();
    for (size_t i = 0; i < views; ++i) {
        auto words = words_of(scene.view(i), spec.display, requests[i]);
        std::move(words.begin(), words.end(), std::back_inserter(plan.shapes));
    }
    return plan;
}

void draw_plan(Drawing& drawing, const FigurePlan& plan) {
    const Ink ink = ink_for(drawing, plan, plan.font);
    for (const ShapeLayer& layer : plan.shapes) draw_shapes(ink, layer);
    if (plan.views.size() > 1 && plan.vectors && !plan.image) {
        drawing.begin_layer("views", "Views", {});
        for (const Area& view : plan.views) drawing.rectangle(view, {{}, ink.colors.panel_edge, 0.75});
        drawing.end_layer();
    }
    std::vector<ShownView> views;
    for (size_t i = 0; i < plan.views.size(); ++i) views.push_back({plan.views[i], plan.cameras[i], 72 / plan.dpi});
    draw_highlights(ink, plan.highlights, views);
    if (!plan.labels.empty()) draw_element_labels(ink, plan.labels, views);
    if (plan.spec.axes) draw_axes(ink, plan, views);
    if (plan.spec.title || plan.titles.size() > 1) draw_titles(drawing, plan);
    draw_caption(ink, plan, plan.caption, plan.in_column);
}

}  // namespace flipscope::app
