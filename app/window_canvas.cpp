#include "app/window_canvas.h"

#include <algorithm>
#include <cmath>

namespace flipscope::app {

namespace {

double density() { return std::max(1.0, static_cast<double>(ImGui::GetIO().DisplayFramebufferScale.x)); }

/// Screen coordinates → pixels from the middle of the canvas, y up.
Point from_middle(const Box& canvas, ImVec2 at) {
    return {(at.x - canvas.x - 0.5 * canvas.width) * density(), (0.5 * canvas.height - (at.y - canvas.y)) * density()};
}

ImVec2 to_screen(const Box& canvas, Point pixels) {
    const double far = 1e6;
    const double x = std::clamp(pixels.x, -far, far) / density(), y = std::clamp(pixels.y, -far, far) / density();
    return {static_cast<float>(canvas.x + 0.5 * canvas.width + x),
            static_cast<float>(canvas.y + 0.5 * canvas.height - y)};
}

double legend_room(const Ui& ui) {
    const Layout& layout = ui.layout;
    return layout.legend_height <= kMostLegend * layout.canvas.height ? layout.legend_height : 0;
}

}  // namespace

void CanvasView::fit(Ui& ui) {
    const Box& canvas = ui.layout.canvas;
    // Below the legend, unless that takes too much.
    const double legend = legend_room(ui);
    ui.state.camera.fit(ui.model.scene.low, ui.model.scene.high, canvas.width * density(),
                        (canvas.height - legend) * density());
    ui.state.camera.pan(0, -0.5 * legend * density());
    fitted_legend_ = legend;
    ui.state.fitted = true;
}

bool CanvasView::update(Ui& ui) {
    const Box& box = ui.layout.canvas;
    if (box.width < 1 || box.height < 1) return false;
    const int width = static_cast<int>(std::lround(box.width * density()));
    const int height = static_cast<int>(std::lround(box.height * density()));
    const bool resized = width != canvas_.width() || height != canvas_.height();
    if (!ui.session.drawable()) return false;
    if (fitted_input_ != ui.session.input_revision() || ui.state.wants_fit ||
        (ui.state.fitted && (resized || fitted_legend_ != legend_room(ui)))) {
        fit(ui);
        fitted_input_ = ui.session.input_revision();
        ui.state.wants_fit = false;
    }
    if (!resized && drawn_revision_ == ui.session.revision() && drawn_camera_ == ui.state.camera &&
        drawn_light_ == ui.state.light && drawn_scale_ == ui.scale)
        return false;
    canvas_.resize(width, height);
    const Scene& scene = ui.model.scene;
    const auto& input = ui.session.input();
    const double line_scale = ui.scale * density();
    if ((!scene.mesh || scene.mesh->vertex_count == 0) && input) {
        renderer_.draw_input(*input, scene, ui.state.camera, canvas_, ui.state.light, line_scale);
    } else {
        renderer_.forget_input();
        renderer_.draw(scene, ui.state.camera, canvas_, ui.state.light, line_scale);
        ui.session.drawn();
    }
    drawn_camera_ = ui.state.camera;
    drawn_revision_ = ui.session.revision();
    drawn_light_ = ui.state.light;
    drawn_scale_ = ui.scale;
    ++draws_;
    return true;
}

void CanvasView::show(Ui& ui) {
    const Box& box = ui.layout.canvas;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const Camera& now = ui.state.camera;
    const bool exact = now == drawn_camera_ && canvas_.width() == std::lround(box.width * density());
    // A filled rectangle and a smoothed texture cost a software rasteriser milliseconds; mostly neither is needed.
    if (!exact || drawn_scale_ == 0) draw.AddRectFilled(box.low(), box.high(), packed(ui.colors.canvas));
    if (!canvas_.texture() || drawn_scale_ == 0) return;
    canvas_.smooth(!exact);
    const double grown = now.scale / drawn_camera_.scale;
    const Point middle = now.to_pixels(drawn_camera_.center);
    const double half_x = 0.5 * canvas_.width() * grown, half_y = 0.5 * canvas_.height() * grown;
    draw.PushClipRect(box.low(), box.high());
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(canvas_.texture()));
    draw.AddImage(texture, to_screen(box, {middle.x - half_x, middle.y + half_y}),
                  to_screen(box, {middle.x + half_x, middle.y - half_y}), {0, 1}, {1, 0});
    mark_inspected(ui);
    draw.PopClipRect();
}

void CanvasView::mark_inspected(Ui& ui) {
    const Inspection& found = ui.model.inspection;
    if (!found.any() || found.corners.empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImU32 color = packed(ui.colors.text), halo = packed(ui.colors.canvas.alpha(0.7f));
    std::vector<ImVec2> corners;
    for (const Point& corner : found.corners)
        corners.push_back(to_screen(ui.layout.canvas, ui.state.camera.to_pixels(corner)));
    if (found.element.kind == ElementKind::kVertex) {
        draw.AddCircle(corners[0], ui.em(9), halo, 32, ui.em(5));
        draw.AddCircle(corners[0], ui.em(9), color, 32, ui.em(2));
    } else if (corners.size() >= 2) {
        const ImDrawFlags closed = corners.size() == 3 ? ImDrawFlags_Closed : 0;
        draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), halo, closed, ui.em(7));
        draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), color, closed, ui.em(3));
    }
}

void CanvasView::handle_mouse(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const Box& canvas = ui.layout.canvas;
    Camera& camera = ui.state.camera;
    const bool over = canvas.holds(io.MousePos) && !io.WantCaptureMouse;
    if (over && io.MouseWheel != 0) {
        camera.zoom(std::pow(1.2, io.MouseWheel), from_middle(canvas, io.MousePos));
        ui.state.fitted = false;
    }
    if (ImGui::IsMouseClicked(0) && canvas.holds(ui.state.pressed_at) && !io.WantCaptureMouse) {
        pressed_ = true;
        moved_ = false;
        last_ = ui.state.pressed_at;
    }
    if (!pressed_) return;
    const ImVec2 start = ui.state.pressed_at, now = io.MousePos;
    constexpr float kStill = 4;  // a hand that clicks moves a little
    if (std::hypot(now.x - start.x, now.y - start.y) > kStill) moved_ = true;
    if (moved_ && (now.x != last_.x || now.y != last_.y)) {
        camera.pan((now.x - last_.x) * density(), -(now.y - last_.y) * density());
        last_ = now;
        ui.state.fitted = false;
    }
    if (ImGui::IsMouseReleased(0)) {
        pressed_ = false;
        if (!moved_)
            ui.session.inspect(camera.to_world(from_middle(canvas, io.MousePos)),
                               7 * ui.scale * density() / camera.scale);
    }
}

}  // namespace flipscope::app
