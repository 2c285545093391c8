#include "app/window/beside.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/figures/highlights.h"
#include "app/figures/pen.h"
#include "app/figures/plane_axes.h"
#include "app/window/canvas.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// The corresponding point of the other half; both halves use the same camera.
ImVec2 in_other_half(const Layout& layout, ImVec2 at) {
    const float by = layout.canvas.x - layout.kept.x;
    return {layout.kept.holds(at) ? at.x + by : at.x - by, at.y};
}

}  // namespace

bool shows_kept(const Session& session, const UiState& state) { return state.beside && session.comparison().kept(); }

void share_canvas(Layout& layout, float scale, float density) {
    const Box whole = layout.canvas;
    const float pixel = 1 / density, line = std::max(pixel, std::round(2 * scale * density) * pixel);
    const float half = std::floor(0.5f * (whole.width - line) * density) * pixel;
    if (half < 1) return;
    layout.kept = {whole.x, whole.y, half, whole.height};
    layout.canvas.x = whole.x + whole.width - half;
    layout.canvas.width = half;
}

void draw_captions(Ui& ui) {
    const Layout& layout = ui.layout;
    if (layout.kept.width == 0) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImFont& font = *ui.fonts.small;
    const float pad = ui.em(6);
    const std::string& called = ui.session.comparison().label();
    std::string before = "kept: " + ui.session.comparison().caption(),
                now = "now: " + ui.session.comparison().state_caption();
    if (!called.empty()) {  // the same words as in the lesson's pages and films
        std::tie(before, now) = ui.session.comparison().figure_captions();
        before = called + ": " + before;
        now = (ui.state.lesson.presents() ? std::string(kThisStep) : std::string("now")) + ": " + now;
    }
    std::pair<Box, std::vector<std::string>> halves[] = {{layout.kept, {}}, {layout.canvas, {}}};
    const auto break_lines = [&] {
        halves[0].second = Pen::in_lines(font, before, layout.kept.width - 4 * pad);
        halves[1].second = Pen::in_lines(font, now, layout.canvas.width - 4 * pad);
        return std::max(halves[0].second.size(), halves[1].second.size());
    };
    if (break_lines() > 2 && called.empty()) {  // the pictures need the room more than the lab's name
        std::tie(before, now) = ui.session.comparison().figure_captions();
        before = "kept: " + before;
        now = "now: " + now;
        break_lines();
    }
    ui.boxes.add("caption/kept", layout.kept, before);
    const size_t lines = std::max(halves[0].second.size(), halves[1].second.size());
    const float high = static_cast<float>(lines) * Pen::line(font) + 2 * pad;
    const float top = layout.canvas.y + layout.legend_height;
    for (const auto& [box, texts] : halves) {
        draw.PushClipRect(box.low(), box.high());
        draw.AddRectFilled({box.x, top}, {box.x + box.width, top + high}, packed(ui.colors.canvas.alpha(0.85f)));
        float y = top + pad;
        for (const std::string& text : texts) {
            const float x = std::round(box.x + 0.5f * (box.width - Pen::measure(font, text).x));
            draw.AddText(&font, Pen::line(font), {x, std::round(y)}, packed(ui.colors.text), text.c_str());
            y += Pen::line(font);
        }
        draw.PopClipRect();
    }
    ui.layout.legend_height += high;
}

bool BesideView::update(Ui& ui, bool fine) {
    const Box& box = ui.layout.kept;
    const KeptScene* const kept = ui.session.comparison().kept();
    if (!kept) {  // also frees the renderer's OpenGL objects
        renderer_.reset();
        drawn_ = nullptr;
        return false;
    }
    if (box.width < 1 || box.height < 1 || !ui.session.drawable()) return false;
    const int width = std::max(1, in_pixels(box.width));
    const int height = std::max(1, in_pixels(box.height));
    const DrawnFrom now{ui.state.camera, ui.state.display, kept->revision(), ui.state.light, ui.scale};
    const bool same = width == canvas_.width() && height == canvas_.height() && drawn_ == kept && from_ == now;
    if (same && (fine_ || !fine)) return false;
    if (!renderer_) renderer_ = std::make_unique<Renderer>(&of_canvas_);
    canvas_.resize(width, height);
    try {
        renderer_->set_revision(kept->revision());
        renderer_->draw(kept->scene(), ui.state.camera, canvas_, ui.state.light, std::sqrt(ui.scale) * pixels_each(),
                        ui.state.display, fine);
    } catch (const Error& error) {
        if (drawn_ != kept) ui.session.reply(Message::Kind::kError, error.what());
    }
    ui.session.drawn();
    drawn_ = kept;
    from_ = now;
    fine_ = fine;
    return true;
}

void BesideView::show(Ui& ui) const {
    const Layout& layout = ui.layout;
    const Box& box = layout.kept;
    const KeptScene* const kept = ui.session.comparison().kept();
    if (box.width == 0 || !kept) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const float left = box.x + box.width;
    draw.AddRectFilled({left, box.y}, {layout.canvas.x, box.y + box.height}, packed(ui.colors.panel_edge));
    const Camera& now = ui.state.camera;
    if (!(now == from_.camera) || drawn_ != kept || canvas_.width() != in_pixels(box.width))
        draw.AddRectFilled(box.low(), box.high(), packed(ui.colors.canvas));
    if (drawn_ != kept || !canvas_.texture()) return;
    const Scene& scene = kept->scene();
    draw_picture(draw, box, scene, canvas_, from_.camera, now);
    draw_words(ui, scene);
    // Mark the cursor's position in the other picture.
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool over = box.holds(mouse) || layout.canvas.holds(mouse);
    if (!over || ImGui::GetIO().WantCaptureMouse || ui.state.lesson.presenting()) return;
    const ImVec2 at = in_other_half(layout, mouse);
    const Box& other = box.holds(mouse) ? layout.canvas : box;
    draw.PushClipRect(other.low(), other.high());
    for (const auto& [color, thick] : {std::pair(ui.colors.canvas.alpha(0.7f), 3.5f), {ui.colors.text, 1.5f}}) {
        draw.AddLine({at.x - ui.em(8), at.y}, {at.x + ui.em(8), at.y}, packed(color), ui.em(thick));
        draw.AddLine({at.x, at.y - ui.em(8)}, {at.x, at.y + ui.em(8)}, packed(color), ui.em(thick));
    }
    draw.PopClipRect();
}

// Axes, words of the layers, titles of several views.
void BesideView::draw_words(Ui& ui, const Scene& kept) const {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const Box& box = ui.layout.kept;
    const int width = in_pixels(box.width);
    const int height = in_pixels(box.height);
    const Pen pen{draw, ui.colors, ui.fonts, ui.scale};
    const float top = box.y + ui.layout.legend_height;
    draw.PushClipRect(box.low(), box.high());
    ListDrawing drawing(draw, *ui.fonts.small);
    const Ink ink = drawing.ink(ui.colors);
    draw_layer_words(ink, label_places(kept, ui.state.camera, ui.state.display, width, height), {box.x, box.y},
                     1 / pixels_each());
    for (uint32_t view = 0; view < view_count(kept); ++view) {
        const Box at = part_of(box, kept, view);
        const bool at_bottom = at.y + at.height > box.y + box.height - 1;
        const float bottom = at_bottom ? ui.layout.canvas_bottom() : at.y + at.height;
        if (ui.layout.axes_height > 0 && !kept.view(view).in_space)
            draw_plane_axes(ink, {at, camera_of_part(box, kept, view, ui.state.camera), 1 / pixels_each()},
                            {false, std::max(at.y, top), bottom,
                             at_bottom ? box.y + box.height - ui.layout.covered : at.y + at.height},
                            units_of(kept.view(view), ui.model.unit));
        if (view_count(kept) == 1 || kept.view(view).title.empty()) continue;
        const std::string text = Pen::cut(*ui.fonts.small, kept.view(view).title, at.width - ui.em(16));
        const float x = at.x + 0.5f * (at.width - Pen::measure(*ui.fonts.small, text).x);
        pen.write(*ui.fonts.small, {std::round(x), std::round(std::max(at.y, top) + ui.em(6))}, ui.colors.text, text);
    }
    draw.PopClipRect();
}

}  // namespace flipscope::app
