#include "app/window/beside.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/figures/labels.h"
#include "app/figures/pen.h"
#include "app/figures/plane_axes.h"
#include "app/window/canvas.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// From the middle of the kept picture, y up.
Point pixels_from_middle(const Box& box, ImVec2 at, double pixels_each) {
    return {(at.x - box.x - 0.5 * box.width) * pixels_each, (0.5 * box.height - (at.y - box.y)) * pixels_each};
}

/// The corresponding point of the other half; both halves use the same camera.
ImVec2 in_other_half(const Layout& layout, ImVec2 at) {
    const float by = layout.canvas.x - layout.kept.x;
    return {layout.kept.holds(at) ? at.x + by : at.x - by, at.y};
}

size_t views_of(const Scene& scene) { return std::min(scene.view_count(), Scene::kMostViews); }

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
    ui.boxes.add("caption/now", layout.canvas, now);
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

Camera BesideView::camera_of(const Ui& ui, const Scene& kept, size_t view, double pixels_each) const {
    const Box& box = ui.layout.kept;
    const PixelBox part =
        Renderer::box_of_view(static_cast<int>(std::lround(box.width * pixels_each)),
                              static_cast<int>(std::lround(box.height * pixels_each)), views_of(kept), view);
    return Renderer::camera_of(kept.view(view), ui.state.camera, part);
}

bool BesideView::update(Ui& ui, bool fine, double pixels_each) {
    const Box& box = ui.layout.kept;
    const KeptScene* const kept = ui.session.comparison().kept();
    if (!kept) {  // also frees the renderer's OpenGL objects
        renderer_.reset();
        drawn_ = nullptr;
        return false;
    }
    if (box.width < 1 || box.height < 1 || !ui.session.drawable()) return false;
    const int width = std::max(1, static_cast<int>(std::lround(box.width * pixels_each)));
    const int height = std::max(1, static_cast<int>(std::lround(box.height * pixels_each)));
    const bool same = width == canvas_.width() && height == canvas_.height() && drawn_ == kept &&
                      revision_ == kept->revision() && camera_ == ui.state.camera && display_ == ui.state.display &&
                      light_ == ui.state.light && scale_ == ui.scale && (fine_ || !fine);
    if (same) return false;
    if (!renderer_) renderer_ = std::make_unique<Renderer>();
    canvas_.resize(width, height);
    try {
        renderer_->set_revision(kept->revision());
        renderer_->draw(kept->scene(), ui.state.camera, canvas_, ui.state.light, std::sqrt(ui.scale) * pixels_each,
                        ui.state.display, fine);
    } catch (const Error& error) {
        if (drawn_ != kept) ui.session.reply(Message::Kind::kError, error.what());
    }
    ui.session.drawn();
    drawn_ = kept;
    revision_ = kept->revision();
    camera_ = ui.state.camera;
    display_ = ui.state.display;
    light_ = ui.state.light;
    scale_ = ui.scale;
    fine_ = fine;
    return true;
}

void BesideView::show(Ui& ui, double pixels_each) const {
    const Layout& layout = ui.layout;
    const Box& box = layout.kept;
    const KeptScene* const kept = ui.session.comparison().kept();
    if (box.width == 0 || !kept) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const float left = box.x + box.width;
    draw.AddRectFilled({left, box.y}, {layout.canvas.x, box.y + box.height}, packed(ui.colors.panel_edge));
    const Camera& now = ui.state.camera;
    if (!(now == camera_) || drawn_ != kept || canvas_.width() != std::lround(box.width * pixels_each))
        draw.AddRectFilled(box.low(), box.high(), packed(ui.colors.canvas));
    if (drawn_ != kept || !canvas_.texture()) return;
    const Scene& scene = kept->scene();
    const double grown = now.scale / camera_.scale;
    const Point middle = now.to_pixels(camera_.center);
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(canvas_.texture()));
    const auto whole = static_cast<float>(canvas_.width()), tall = static_cast<float>(canvas_.height());
    for (size_t view = 0; view < views_of(scene); ++view) {
        const PixelBox part = Renderer::box_of_view(canvas_.width(), canvas_.height(), views_of(scene), view);
        const auto pixel = static_cast<float>(1 / pixels_each);
        const ImVec2 low{box.x + static_cast<float>(part.x) * pixel,
                         box.y + static_cast<float>(canvas_.height() - part.y - part.height) * pixel};
        const ImVec2 high{low.x + static_cast<float>(part.width) * pixel,
                          low.y + static_cast<float>(part.height) * pixel};
        const bool moves = now.view == camera_.view && scene.view(view).linked;
        const auto half_x = static_cast<float>(0.5 * part.width / pixels_each * (moves ? grown : 1));
        const auto half_y = static_cast<float>(0.5 * part.height / pixels_each * (moves ? grown : 1));
        const auto by = [&](double pixels) {
            return moves ? static_cast<float>(std::clamp(pixels / pixels_each, -1e6, 1e6)) : 0.f;
        };
        const ImVec2 at{0.5f * (low.x + high.x) + by(middle.x), 0.5f * (low.y + high.y) - by(middle.y)};
        draw.PushClipRect(low, high);
        draw.AddImage(texture, {at.x - half_x, at.y - half_y}, {at.x + half_x, at.y + half_y},
                      {static_cast<float>(part.x) / whole, static_cast<float>(part.y + part.height) / tall},
                      {static_cast<float>(part.x + part.width) / whole, static_cast<float>(part.y) / tall});
        draw.PopClipRect();
    }
    draw_words(ui, scene, pixels_each);
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
void BesideView::draw_words(Ui& ui, const Scene& kept, double pixels_each) const {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const Box& box = ui.layout.kept;
    const int width = static_cast<int>(std::lround(box.width * pixels_each));
    const int height = static_cast<int>(std::lround(box.height * pixels_each));
    const Pen pen{draw, ui.colors, ui.fonts, ui.scale};
    const float top = box.y + ui.layout.legend_height;
    draw.PushClipRect(box.low(), box.high());
    ListDrawing drawing(draw, *ui.fonts.small);
    const Ink ink = drawing.ink(ui.colors);
    draw_layer_words(ink, label_places(kept, ui.state.camera, ui.state.display, width, height), {box.x, box.y},
                     1 / pixels_each);
    for (size_t view = 0; view < views_of(kept); ++view) {
        const PixelBox part = Renderer::box_of_view(width, height, views_of(kept), view);
        const auto pixel = static_cast<float>(1 / pixels_each);
        const Box at{box.x + static_cast<float>(part.x) * pixel,
                     box.y + static_cast<float>(height - part.y - part.height) * pixel,
                     static_cast<float>(part.width) * pixel, static_cast<float>(part.height) * pixel};
        const bool at_bottom = part.y == 0;
        const float bottom = at_bottom ? ui.layout.canvas_bottom() : at.y + at.height;
        if (ui.layout.axes_height > 0 && !kept.view(view).in_space)
            draw_plane_axes(ink, {at, camera_of(ui, kept, view, pixels_each), 1 / pixels_each},
                            {false, std::max(at.y, top), bottom,
                             at_bottom ? box.y + box.height - ui.layout.covered : at.y + at.height},
                            units_of(kept.view(view), ui.model.unit));
        if (views_of(kept) == 1 || kept.view(view).title.empty()) continue;
        const std::string text = Pen::cut(*ui.fonts.small, kept.view(view).title, at.width - ui.em(16));
        const float x = at.x + 0.5f * (at.width - Pen::measure(*ui.fonts.small, text).x);
        pen.write(*ui.fonts.small, {std::round(x), std::round(std::max(at.y, top) + ui.em(6))}, ui.colors.text, text);
    }
    draw.PopClipRect();
}

void BesideView::handle_mouse(Ui& ui, double pixels_each) {
    const ImGuiIO& io = ImGui::GetIO();
    const Box& box = ui.layout.kept;
    Camera& camera = ui.state.camera;
    if (box.width == 0) {
        button_ = -1;
        return;
    }
    const bool over = box.holds(io.MousePos) && !io.WantCaptureMouse;
    if (over && io.MouseWheel != 0) {
        camera.zoom(std::pow(1.2, io.MouseWheel), pixels_from_middle(box, io.MousePos, pixels_each));
        ui.state.fitted = false;
    }
    for (const int button : {0, 1, 2}) {
        if (button_ >= 0 || !ImGui::IsMouseClicked(button) || io.WantCaptureMouse) continue;
        if (!box.holds(ui.state.pressed_at)) continue;
        button_ = button;
        moved_ = false;
        pressed_at_ = last_ = ui.state.pressed_at;
    }
    if (button_ < 0) return;
    const ImVec2 at = io.MousePos;
    moved_ |= std::hypot(at.x - pressed_at_.x, at.y - pressed_at_.y) > kStill;
    const double dx = at.x - last_.x, dy = last_.y - at.y;  // y up
    if (moved_ && (dx != 0 || dy != 0)) {
        last_ = at;
        const Scene& live = ui.model.scene;
        if (button_ == 0 && live.in_space && !io.KeyShift) {
            const double rate = 3.14159265 / std::max(std::min(box.width, box.height), 100.f);
            const Point3 pivot{live.low.x + 0.5 * (live.high.x - live.low.x),
                               live.low.y + 0.5 * (live.high.y - live.low.y),
                               live.low_z + 0.5 * (live.high_z - live.low_z)};
            camera.look_from(turned(camera.view, -rate * dx, -rate * dy), pivot);
        } else {
            camera.pan(dx * pixels_each, dy * pixels_each);
            ui.state.fitted = false;
        }
    }
    if (!ImGui::IsMouseReleased(button_)) return;
    if (!moved_ && button_ == 0)
        ui.session.reply(Message::Kind::kNote,
                         "This is the kept picture, which cannot be inspected; the live one at the right can.");
    button_ = -1;
}

}  // namespace flipscope::app
