#include "app/figures/figure.h"

#include <algorithm>
#include <cmath>

#include "app/figures/highlights.h"
#include "app/figures/layer_marks.h"
#include "app/figures/plane_axes.h"
#include "app/images/png.h"
#include "app/view/density.h"
#include "app/view/legend.h"

namespace flipscope::app {

namespace {

constexpr float kMostOfFigure = 0.4f;  // that a caption may take, each way

/// How legend and colour bars are laid out: in lines below the picture, or in a column beside it. Two walks over the
/// same lines: one measures, the other draws.
class CaptionBlock {
  public:
    CaptionBlock(const Pen& pen, const Caption& caption) : pen_(pen), caption_(caption) {}

    bool empty() const { return caption_.entries.empty() && caption_.bars.empty(); }
    float height(float width, bool column) const { return lay_out({0, 0}, width, column, false); }
    void draw(const Box& box, bool column) const { lay_out(box.low(), box.width, column, true); }
    float column_width() const {
        return std::max(legend_column_width(pen_, caption_.entries), caption_.bars.empty() ? 0 : pen_.em(210));
    }

  private:
    float lay_out(ImVec2 at, float width, bool column, bool drawing) const {
        float y = column ? draw_legend_column(pen_, caption_.entries, caption_.vertices, at, width, drawing)
                         : draw_legend_lines(pen_, caption_.entries, caption_.vertices, at, width, drawing);
        const float each = std::min(pen_.em(260), width), pitch = each + pen_.em(20);
        const auto in_a_row = static_cast<size_t>(std::max(1.f, (width + pen_.em(20)) / pitch));
        for (size_t i = 0; i < caption_.bars.size(); i += in_a_row) {
            if (y > 0) y += pen_.em(column ? 12 : 7);
            for (size_t k = i; drawing && k < std::min(i + in_a_row, caption_.bars.size()); ++k) {
                const ColourBar& bar = caption_.bars[k];
                const Box box{at.x + static_cast<float>(k - i) * pitch, at.y + y, each, colour_bar_height(pen_)};
                draw_colour_bar(pen_, box, bar);
            }
            y += colour_bar_height(pen_);
        }
        return y;
    }

    const Pen& pen_;
    const Caption& caption_;
};

struct Plan {
    Box picture, caption = {};
    bool column = false;  // the caption stands beside the picture
    double scale = 0;     // pixels per world unit, to be compared
};

}  // namespace

Caption caption_of(const Scene& scene, const Look& look, const Palette& colors) {
    Caption caption{occurring_entries(scene, look), vertices_title(scene), colour_bars(scene, look, colors), {}};
    bool titled = false;
    for (size_t i = 0; i < scene.view_count(); ++i) titled |= !scene.view(i).title.empty();
    for (size_t i = 0; titled && scene.view_count() > 1 && i < scene.view_count(); ++i)
        caption.titles.push_back(scene.view(i).title);
    return caption;
}

DrawnFigure draw_figure(Offscreen& offscreen, Page& page, const Scene& scene, const Box& area, const Caption& caption,
                        CaptionPlace where, const FigureLook& how) {
    const Pen pen = page.pen();
    const CaptionBlock block(pen, caption);
    const float gap = pen.em(10), line = Pen::line(*pen.fonts.body);
    const auto fitted = [&](const Box& box) {
        return fitted_camera(scene, static_cast<int>(box.width), static_cast<int>(box.height), how.view).scale;
    };
    bool has_room = true;
    Plan plan{area};
    if (!block.empty()) {
        Plan below{area}, beside{area};
        const float width = area.width - 2 * gap, height = block.height(width, false);
        const bool fits_below = width > 0 && height + 2 * gap <= kMostOfFigure * area.height;
        if (fits_below) {
            below.caption = {area.x + gap, area.y + area.height - gap - height, width, height};
            below.picture.height = std::floor(area.height - height - 2 * gap);
            below.scale = fitted(below.picture);
        }
        const float narrow = std::ceil(block.column_width()), tall = block.height(narrow, true);
        const bool fits_beside = where == CaptionPlace::kWhereItCostsLeast &&
                                 narrow + 2 * gap <= kMostOfFigure * area.width && tall + 2 * gap <= area.height;
        if (fits_beside) {
            beside.column = true;
            beside.picture.width = std::floor(area.width - narrow - 2 * gap);
            beside.caption = {area.x + area.width - gap - narrow, area.y + gap, narrow, tall};
            beside.scale = fitted(beside.picture);
        }
        has_room = fits_below || fits_beside;
        // Below, lines are long and few: that goes first where it is all the same.
        if (has_room) plan = !fits_below || beside.scale > 1.02 * below.scale ? beside : below;
    }
    // Above each row of views is room for its titles.
    const size_t views = std::min(scene.view_count(), Scene::kMostViews), rows = views == 4 ? 2 : 1;
    std::vector<std::vector<std::string>> titles;
    size_t lines = 0;
    for (size_t i = 0; i < std::min(caption.titles.size(), views); ++i) {
        const float room = plan.picture.width / static_cast<float>(views / rows) - 2 * gap;
        titles.push_back(Pen::in_lines(*pen.fonts.body, caption.titles[i], room));
        lines = std::max(lines, titles.back().size());
    }
    const float title_room = static_cast<float>(lines) * line + pen.em(8);
    const bool titled = lines > 0 && plan.picture.height > 4 * static_cast<float>(rows) * title_room;
    const int lift = titled ? static_cast<int>(std::ceil(title_room)) : 0;  // pixels, per row
    const int width = std::max(1, static_cast<int>(plan.picture.width));
    const int height = std::max(1, static_cast<int>(plan.picture.height) - lift * static_cast<int>(rows));
    const int left = static_cast<int>(plan.picture.x), top = static_cast<int>(plan.picture.y);
    const auto row_of = [&](size_t view) { return static_cast<int>(rows == 2 ? view / 2 : 0); };
    for (size_t i = 0; titled && i < titles.size(); ++i) {
        const PixelBox view = Renderer::box_of_view(width, height, views, i);
        const float x = static_cast<float>(left + view.x) + 0.5f * static_cast<float>(view.width);
        auto y = static_cast<float>(top + height - view.y - view.height + lift * row_of(i)) + pen.em(5);
        for (const std::string& text : titles[i]) {
            pen.write(*pen.fonts.body, {x - 0.5f * Pen::measure(*pen.fonts.body, text).x, y}, pen.colors.text, text);
            y += line;
        }
    }
    if (plan.caption.width > 0) block.draw(plan.caption, plan.column);
    const Canvas& drawn =
        offscreen.render(scene, width, height, how.light, how.line_scale, how.look, how.view, how.close_up);
    if (rows == 1) {
        page.place(drawn, left, top + lift);
    } else {
        // The line between the rows stays with the upper one.
        const int thick = std::max(1, static_cast<int>(std::lround(how.line_scale)));
        const PixelBox below = Renderer::box_of_view(width, height, views, 2);
        const int cut = std::clamp(below.y + below.height - thick / 2, 0, height);  // from the bottom
        page.place(drawn, {0, cut, width, height - cut}, left, top + lift);
        page.place(drawn, {0, 0, width, cut}, left, top + 2 * lift + height - cut);
    }
    const Camera camera = fitted_camera(scene, width, height, how.view, how.close_up);
    std::vector<ShownView> shown;
    for (size_t i = 0; i < views && !how.highlights.empty(); ++i) {
        const PixelBox box = Renderer::box_of_view(width, height, views, i);
        shown.push_back({{static_cast<float>(left + box.x),
                          static_cast<float>(top + height - box.y - box.height + lift * (1 + row_of(i))),
                          static_cast<float>(box.width), static_cast<float>(box.height)},
                         Renderer::camera_of(scene.view(i), camera, box)});
    }
    draw_highlights(pen.draw, pen.colors, pen.scale, how.highlights, shown);
    if (!how.labels.empty()) {
        std::vector<ShownView> seen;
        for (size_t i = 0; i < views; ++i) {
            const PixelBox box = Renderer::box_of_view(width, height, views, i);
            seen.push_back({{static_cast<float>(left + box.x),
                             static_cast<float>(top + height - box.y - box.height + lift * (1 + row_of(i))),
                             static_cast<float>(box.width), static_cast<float>(box.height)},
                            Renderer::camera_of(scene.view(i), camera, box)});
        }
        draw_element_labels(pen.draw, *pen.fonts.small, pen.colors, pen.scale, how.labels, seen);
    }
    for (size_t i = 0; how.look.shows(kAxesLook, false) && !scene.in_space && i < views; ++i) {
        const PixelBox box = Renderer::box_of_view(width, height, views, i);
        const Box on_page{static_cast<float>(left + box.x),
                          static_cast<float>(top + height - box.y - box.height + lift * (1 + row_of(i))),
                          static_cast<float>(box.width), static_cast<float>(box.height)};
        const float lower = on_page.y + on_page.height;
        draw_plane_axes(pen, on_page, Renderer::camera_of(scene.view(i), camera, box), 1, on_page.y, lower, lower,
                        units_of(scene.view(i), how.unit));
    }
    std::vector<PlacedLabel> labels = label_places(scene, camera, how.look, width, height);
    for (PlacedLabel& label : labels) {
        const auto by = static_cast<float>(lift * (1 + row_of(label.view)));
        label.y += by;
        label.view_low_y += by;
        label.view_high_y += by;
    }
    draw_layer_labels(pen.draw, *pen.fonts.small, pen.colors, labels,
                      {static_cast<float>(left), static_cast<float>(top)}, 1);
    plan.picture.y = static_cast<float>(top + lift);
    plan.picture.height = static_cast<float>(height + lift * static_cast<int>(rows - 1));
    return {plan.picture, plan.caption, has_room && (titled || caption.titles.empty())};
}

namespace {

bool draw_page(Offscreen& offscreen, const Scene& scene, const std::filesystem::path& png, int width, int height,
               const FigureLook& how, const Caption& caption) {
    if (caption.empty() && how.highlights.empty() && how.labels.empty() && !shows_labels(scene, how.look) &&
        !how.look.shows(kAxesLook, false)) {
        offscreen.draw(scene, png, width, height, how.light, how.line_scale, how.look, how.view);
        return true;
    }
    // A picture of twice the window's size will mostly be seen at half of its own.
    const double larger = std::max(1.0, std::min(width / 1280.0, height / 800.0));
    const auto scale = static_cast<float>(std::clamp(how.line_scale * larger, 0.5, 4.0));
    Page page(width, height, how.light, scale);
    const Box whole{0, 0, static_cast<float>(width), static_cast<float>(height)};
    const DrawnFigure drawn =
        draw_figure(offscreen, page, scene, whole, caption, CaptionPlace::kWhereItCostsLeast, how);
    write_png(png, page.pixels(), width, height);
    return drawn.complete;
}

}  // namespace

bool draw_with_legend(Offscreen& offscreen, const Scene& scene, const std::filesystem::path& png, int width, int height,
                      const FigureLook& how) {
    Caption caption = caption_of(scene, how.look, palette(how.light));
    const double scale = fitted_camera(scene, width, height, how.view, how.close_up).scale;
    if (const auto dense = shown_density_scale(scene, how.look, scale, how.line_scale))
        caption.bars.push_back(bar_of(*dense, palette(how.light)));
    return draw_page(offscreen, scene, png, width, height, how, caption);
}

void draw_without_legend(Offscreen& offscreen, const Scene& scene, const std::filesystem::path& png, int width,
                         int height, const FigureLook& how) {
    draw_page(offscreen, scene, png, width, height, how, {});
}

}  // namespace flipscope::app
