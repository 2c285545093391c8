#include "app/window/minimap.h"

#include <algorithm>
#include <cmath>

#include "app/gl/gl_context.h"
#include "app/window/canvas.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr float kLongest = 150;        // longest side of the map, at scale 1
constexpr float kLeastSide = 34;       // shortest side, at scale 1
constexpr double kOftenEnough = 0.5;   // seconds between redraws while a lab runs
constexpr float kMostOfCanvas = 0.3f;  // each way

bool overlap(const Box& a, const Box& b) {
    return a.width > 0 && b.width > 0 && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

}  // namespace

double visible_share(Point low, Point high, const Camera& camera, double width, double height) {
    const auto along = [&](double from, double to, double eye, double pixels) {
        const double half = 0.5 * pixels / camera.scale;
        if (!(to > from)) return 1.0;
        return std::clamp((std::min(to, eye + half) - std::max(from, eye - half)) / (to - from), 0.0, 1.0);
    };
    return along(low.x, high.x, camera.center.x, width) * along(low.y, high.y, camera.center.y, height);
}

Box Minimap::place(const Ui& ui) const {
    const Scene& scene = ui.model.scene;
    const Box& canvas = ui.layout.canvas;
    if (!ui.state.display.shows(kMinimapDisplay, true) || scene.in_space || scene.view_count() > 1 ||
        scene.nothing_to_draw() || ui.state.lesson.presenting())
        return {};
    if (visible_share(scene.low, scene.high, ui.state.camera, canvas.width * pixels_each(),
                      canvas.height * pixels_each()) >= kMostSeenWithMap)
        return {};
    const double wide = scene.high.x - scene.low.x, tall = scene.high.y - scene.low.y, longest = std::max(wide, tall);
    if (!(longest > 0) || !std::isfinite(longest)) return {};
    const float side = std::min({ui.em(kLongest), kMostOfCanvas * canvas.width, kMostOfCanvas * canvas.height});
    if (side < ui.em(1.5f * kLeastSide)) return {};
    const float pad = ui.em(8);
    Box box{0, 0, std::max(ui.em(kLeastSide), std::round(side * static_cast<float>(wide / longest))),
            std::max(ui.em(kLeastSide), std::round(side * static_cast<float>(tall / longest)))};
    box.y = std::round(canvas.y + ui.layout.legend_height + pad);
    box.x = std::round(canvas.x + canvas.width - box.width - pad);
    const Point clicked = ui.state.camera.to_pixels(ui.state.clicked);
    const ImVec2 mark(canvas.x + 0.5f * canvas.width + static_cast<float>(clicked.x / pixels_each()),
                      canvas.y + 0.5f * canvas.height - static_cast<float>(clicked.y / pixels_each()));
    const auto hides = [&] {
        const Box around{box.x - ui.em(14), box.y - ui.em(14), box.width + ui.em(28), box.height + ui.em(28)};
        return (ui.model.inspection.any() && around.holds(mark)) || overlap(box, ui.layout.inspector) ||
               overlap(box, ui.layout.detail_view);
    };
    if (!hides()) return box;
    box.x = std::round(canvas.x + pad);
    if (ui.layout.tools.width > 0) box.x = std::round(ui.layout.tools.x + ui.layout.tools.width + pad);
    return hides() ? Box{} : box;
}

void Minimap::update(Ui& ui, Renderer& renderer) {
    box_ = place(ui);
    if (box_.width == 0) return;
    const Scene& scene = ui.model.scene;
    const int width = in_pixels(box_.width);
    const int height = in_pixels(box_.height);
    const bool same_size = canvas_.width() == width && canvas_.height() == height;
    const DrawnFrom now{from_.camera, ui.state.display, ui.session.revision(), ui.state.light};
    if (same_size && from_ == now) return;
    const bool same_style = from_.light == now.light && from_.display == now.display;
    if (same_size && same_style && drawn_at_ >= 0 && ui.now - drawn_at_ < kOftenEnough) return;
    from_ = now;
    drawn_at_ = ui.now;
    const double margin = 0.03 * std::min(width, height);
    Camera& camera = from_.camera;
    camera = {};
    camera.center = {scene.low.x + (scene.high.x - scene.low.x) / 2, scene.low.y + (scene.high.y - scene.low.y) / 2};
    const double across = (width - 2 * margin) / std::max(scene.high.x - scene.low.x, 1e-300);
    const double up = (height - 2 * margin) / std::max(scene.high.y - scene.low.y, 1e-300);
    camera.scale = std::clamp(std::min(across, up), 1e-250, 1e250);
    canvas_.resize(width, height);
    DisplayOptions bare = ui.state.display;
    bare.show("ids", false);
    try {
        renderer.set_revision(now.revision);
        renderer.draw(scene, camera, canvas_, now.light, 0.7 * ui.scale * pixels_each(), bare, !gl_is_software());
    } catch (const Error&) {
        box_ = {};  // the main picture reports the error
    }
    ui.session.drawn();
}

void Minimap::draw(Ui& ui) const {
    if (box_.width == 0 || !canvas_.texture()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImVec2 low = box_.low(), high = box_.high();
    draw.AddImage(image_of(canvas_), low, high, {0, 1}, {1, 0});
    draw.AddRect({low.x - 0.5f, low.y - 0.5f}, {high.x + 0.5f, high.y + 0.5f}, packed(ui.colors.quiet_text.alpha(0.8f)),
                 0, 0, ui.em(1));
    const Box& canvas = ui.layout.canvas;
    const Camera& eye = ui.state.camera;
    const Point at = from_.camera.to_pixels(eye.center);
    const double ratio = from_.camera.scale / eye.scale;  // both in pixels
    const auto middle_x = static_cast<float>(std::clamp(at.x / pixels_each(), -1e5, 1e5)) + box_.x + 0.5f * box_.width;
    const auto middle_y = box_.y + 0.5f * box_.height - static_cast<float>(std::clamp(at.y / pixels_each(), -1e5, 1e5));
    const float half_x = std::max(static_cast<float>(0.5 * canvas.width * ratio), ui.em(2.5f));
    const float half_y = std::max(static_cast<float>(0.5 * canvas.height * ratio), ui.em(2.5f));
    const ImVec2 from{std::clamp(middle_x - half_x, low.x, high.x), std::clamp(middle_y - half_y, low.y, high.y)};
    const ImVec2 to{std::clamp(middle_x + half_x, low.x, high.x), std::clamp(middle_y + half_y, low.y, high.y)};
    if (to.x - from.x < 1 || to.y - from.y < 1) return;  // far outside
    draw.AddRect(from, to, packed(ui.colors.canvas), 0, 0, ui.em(3.5f));
    draw.AddRect(from, to, packed(ui.colors.mark), 0, 0, ui.em(1.6f));
}

void Minimap::go_to(Ui& ui, ImVec2 at) const {
    ui.state.camera.center = from_.camera.to_world(from_middle_of(box_, at));
    ui.state.fitted = false;
}

}  // namespace flipscope::app
