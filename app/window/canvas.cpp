#include "app/window/canvas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/base/number_text.h"
#include "app/figures/figure_plan.h"
#include "app/figures/highlights.h"
#include "app/figures/pen.h"
#include "app/figures/plane_axes.h"
#include "app/gl/gl_context.h"
#include "app/run/stage.h"
#include "app/view/density.h"
#include "app/view/display.h"
#include "app/window/panels/panels.h"
#include "compute/error.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

constexpr double kMotion = 0.25, kMotionInSpace = 0.6;  // seconds, of a step; a surface goes along in space
constexpr uint64_t kMostSteps = 32;                     // passes between two pictures; more is a jump
constexpr double kFast = 8;                             // passes per second; their motions would be cut off
constexpr double kRest = 0.15;                          // seconds without change before a slow, fine drawing
constexpr uint32_t kMostRefined = 300'000;              // triangles; with more, even that drawing would be noticeable
// Pixels at scale 1. Where points are closer than this, a drag pans; on a surface it usually means to rotate.
constexpr double kRoomToGrab = 14, kRoomToGrabInSpace = 26;
constexpr double kReach = 7, kReachToGrabInSpace = 5;  // from the cursor

bool has_beside(const Ui& ui) { return view_count(ui.model.scene) > 1; }

double legend_room(const Ui& ui) {
    const Layout& layout = ui.layout;
    // Includes the captions of both pictures. Half a canvas is narrow, so that a fitted picture leaves height unused.
    const float most = layout.kept.width > 0 ? 2 * kMostLegend : kMostLegend;
    return layout.legend_height <= most * layout.canvas.height ? layout.legend_height : 0;
}

std::vector<std::string> title_lines(const Ui& ui, uint32_t part) {
    return Pen::in_lines(*ui.fonts.body, ui.model.scene.view(part).title, part_box(ui, part).width - 4 * ui.em(8));
}

/// Height of the legend and the view titles below it.
double room_above(const Ui& ui) {
    size_t lines = 0;
    for (uint32_t part = 0; has_beside(ui) && part < view_count(ui.model.scene); ++part)
        lines = std::max(lines, title_lines(ui, part).size());
    return legend_room(ui) + (lines ? static_cast<float>(lines) * Pen::line(*ui.fonts.body) + ui.em(10) : 0);
}

/// Scale of lines and dots: grows more slowly than text, so that they do not cover what they show.
double drawn_scale(const Ui& ui) { return std::sqrt(ui.scale) * pixels_each(); }

ListDrawing canvas_drawing(const Ui& ui) { return {*ImGui::GetBackgroundDrawList(), *ui.fonts.small}; }
double letter_size(const Ui& ui) { return ListDrawing::font_size(*ui.fonts.small); }

/// The bars of the shown layers, and of a density if one is drawn at `scale` (pixels per world unit).
std::vector<ColourBar> bars_at(const Ui& ui, double scale) {
    std::vector<ColourBar> bars = colour_bars(ui.model.scene, ui.state.display, ui.colors, scale / pixels_each());
    if (const auto dense = shown_density_scale(ui.model.scene, ui.state.display, scale, drawn_scale(ui)))
        bars.push_back(bar_of(*dense, ui.colors));
    return bars;
}

/// Size of one bar with its background.
ImVec2 bar_size(const Ui& ui) {
    const double font = letter_size(ui);
    return {static_cast<float>(colour_bar_width(font) + 1.2 * font),
            static_cast<float>(colour_bar_height(font) + font)};
}

/// Size of all colour bars at the lower left of the canvas, one above the other.
ImVec2 scales_size(const Ui& ui, double scale) {
    const auto count = static_cast<float>(bars_at(ui, scale).size());
    if (count == 0) return {0, 0};
    return {bar_size(ui).x, count * (bar_size(ui).y + ui.em(9)) - ui.em(9)};
}

bool shows_axes(const Ui& ui) {
    return ui.state.display.shows(kAxesDisplay, false) && !ui.model.scene.in_space && !ui.model.scene.nothing_to_draw();
}

/// The scale bar, at the lower left beside the colour bars; screen coordinates.
struct ScaleBar {
    float left = 0, wide = 0;  // left end of its background; length of the bar, 0: none
    std::string text;
    float right = 0;  // right end of the background
};

/// At `scale` pixels per world unit; `beside_scales`: width of the colour bars.
ScaleBar scale_bar(const Ui& ui, float beside_scales, double scale) {
    const Box& canvas = ui.layout.canvas;
    const float pad = ui.em(9);
    ScaleBar bar;
    bar.left = canvas.x + pad + (beside_scales > 0 ? beside_scales + pad : 0);
    // The readout of the cursor stands at the right.
    const float widest = std::min({ui.em(130), 0.3f * canvas.width, canvas.x + canvas.width - bar.left - ui.em(190)});
    if (!ui.state.display.shows(kScaleBarDisplay, true)) return bar;
    if (ui.model.scene.nothing_to_draw() && !ui.session.input()) return bar;
    if (widest < ui.em(50) || ui.layout.canvas_bottom() - canvas.y < ui.em(160)) return bar;
    const PictureUnits units = units_of(ui.model.scene, ui.model.unit);
    const double unit = scale / pixels_each() / units.size(), length = round_length(widest / unit);
    bar.wide = static_cast<float>(length * unit);
    bar.text = value_text(length) + units.behind();
    ListDrawing drawing = canvas_drawing(ui);
    bar.right = bar.left + ui.em(12) + bar.wide + static_cast<float>(scale_bar_text(drawing.ink(ui.colors), bar.text));
    return bar;
}

/// How much to raise the picture of a plane so that the colour bars and the scale bar do not cover it. A surface needs
/// no room: the user can rotate it.
double room_below(const Ui& ui) {
    const SceneView& scene = ui.model.scene;
    if (scene.in_space) return 0;
    const Box part = part_box(ui, 0);
    const double width = part.width * pixels_each(), height = (part.height - room_above(ui)) * pixels_each();
    Camera camera;
    camera.fit(scene.low, scene.high, width, height);
    const ImVec2 scale = scales_size(ui, camera.scale);
    const double axes = shows_axes(ui) ? plane_axes_height(letter_size(ui)) : 0;
    const ScaleBar bar = scale_bar(ui, scale.x, camera.scale);
    const Point corner = camera.to_pixels(scene.low);
    const double gap = (0.5 * height + corner.y) / pixels_each();  // below the picture
    const double left = (0.5 * width + corner.x) / pixels_each();  // beside it
    double room = axes;
    if (scale.y > 0 && left <= scale.x + ui.em(9)) room = std::max(room, axes + scale.y + ui.em(16) - gap);
    if (bar.wide > 0 && left <= bar.right - part.x + ui.em(6))
        room = std::max(room, axes + Pen::line(*ui.fonts.small) + ui.em(22) - gap);
    return room;
}

Camera camera_at(const Ui& ui, uint32_t part) {
    return camera_of_part(ui.layout.canvas, ui.model.scene, part, ui.state.camera);
}

std::vector<ShownView> shown_views(const Ui& ui) {
    std::vector<ShownView> views;
    for (uint32_t part = 0; part < view_count(ui.model.scene); ++part)
        views.push_back({part_box(ui, part), camera_at(ui, part), 1 / pixels_each()});
    return views;
}

/// Whether the view there has a camera of its own, which the mouse turns and zooms.
bool is_apart(const Ui& ui, ImVec2 at) {
    const KeptScene* const kept = ui.layout.kept.holds(at) ? ui.session.comparison().kept() : nullptr;
    const Scene& scene = kept ? kept->scene() : ui.model.scene;
    const SceneView& view = scene.view(part_at(kept ? ui.layout.kept : ui.layout.canvas, scene, at));
    return view.in_space && !view.linked;
}

Edit::Kind brush_kind(const Ui& ui) { return ui.state.tool == Tool::kWipe ? Edit::Kind::kWipe : Edit::Kind::kPaint; }

double brush_radius(const Ui& ui) {  // world units
    return ui.state.brush * ui.scale * pixels_each() / ui.state.camera.scale;
}

/// The inspector lies over the picture and receives only clicks on its controls.
bool lets_through(const Ui& ui, ImVec2 at) {
    if (ui.state.show_help || ui.state.saving || ui.state.figure.open || ui.state.shrink_question ||
        ui.state.palette.open || ui.session.undo().question())
        return false;
    if (!ui.layout.inspector.holds(at)) return false;
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return false;
    const std::vector<Box>& controls = ui.layout.inspector_controls;
    return std::ranges::none_of(controls, [&](const Box& box) { return box.holds(at); });
}

Probe probe_at(const Ui& ui, ImVec2 at, double reach = kReach) {
    const uint32_t part = part_at(ui, at);
    const Camera camera = camera_at(ui, part);
    return {camera.to_world(from_middle(ui, at)), reach * ui.scale * pixels_each() / camera.scale, camera.view, part};
}

}  // namespace

double pixels_each() { return std::max(1.0, static_cast<double>(ImGui::GetIO().DisplayFramebufferScale.x)); }

int in_pixels(float length) { return static_cast<int>(std::lround(length * pixels_each())); }

uint32_t view_count(const Scene& scene) {
    return static_cast<uint32_t>(std::min(scene.view_count(), Scene::kMostViews));
}

Box part_of(const Box& picture, const Scene& scene, uint32_t part) {
    if (view_count(scene) == 1) return picture;
    const auto pixel = static_cast<float>(1 / pixels_each());
    const int width = in_pixels(picture.width), height = in_pixels(picture.height);
    const PixelBox box = Renderer::box_of_view(width, height, view_count(scene), part);
    return {picture.x + static_cast<float>(box.x) * pixel,
            picture.y + static_cast<float>(height - box.y - box.height) * pixel, static_cast<float>(box.width) * pixel,
            static_cast<float>(box.height) * pixel};
}

Camera camera_of_part(const Box& picture, const Scene& scene, uint32_t part, const Camera& camera) {
    const Box box = part_of(picture, scene, part);
    return Renderer::camera_of(scene.view(part), camera, {0, 0, in_pixels(box.width), in_pixels(box.height)});
}

Point from_middle_of(const Box& part, ImVec2 at) {
    return {(at.x - part.x - 0.5 * part.width) * pixels_each(), (0.5 * part.height - (at.y - part.y)) * pixels_each()};
}

/// The screen position of a pixel from the middle of a part, y up.
static ImVec2 to_screen(const Box& part, Point pixels) {
    const double far = 1e6;
    const double x = std::clamp(pixels.x, -far, far) / pixels_each(),
                 y = std::clamp(pixels.y, -far, far) / pixels_each();
    return {static_cast<float>(part.x + 0.5 * part.width + x), static_cast<float>(part.y + 0.5 * part.height - y)};
}

ImTextureID image_of(const Canvas& canvas) {
    return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(canvas.texture()));
}

void draw_picture(ImDrawList& draw, const Box& picture, const Scene& scene, const Canvas& canvas, const Camera& then,
                  const Camera& now) {
    const Point middle = now.to_pixels(then.center);
    const auto whole = static_cast<float>(canvas.width()), tall = static_cast<float>(canvas.height());
    for (uint32_t part = 0; part < view_count(scene); ++part) {
        const Box target = part_of(picture, scene, part);
        const PixelBox source = Renderer::box_of_view(canvas.width(), canvas.height(), view_count(scene), part);
        const float from = static_cast<float>(source.x) / whole;
        const float to = static_cast<float>(source.x + source.width) / whole;
        const float low = static_cast<float>(source.y) / tall;
        const float high = static_cast<float>(source.y + source.height) / tall;
        const bool moves = now.view == then.view && scene.view(part).linked;  // after a rotation it cannot
        const double grown = moves ? now.scale / then.scale : 1;
        const double half_x = 0.5 * source.width * grown, half_y = 0.5 * source.height * grown;
        const Point at = moves ? middle : Point{0, 0};
        draw.PushClipRect(target.low(), target.high());
        draw.AddImage(image_of(canvas), to_screen(target, {at.x - half_x, at.y + half_y}),
                      to_screen(target, {at.x + half_x, at.y - half_y}), {from, high}, {to, low});
        draw.PopClipRect();
    }
}

Bounds seen_bounds(const Camera& camera, const std::vector<Point3>& places) {
    std::vector<Point> seen;
    for (const Point3& place : places) seen.push_back(camera.seen(place));
    return bounds_of(seen);
}

/// Radians per screen coordinate.
static double turning_rate(const Box& box) { return 3.14159265 / std::max(std::min(box.width, box.height), 100.f); }

void turn(Camera& camera, const Scene& scene, const Box& box, double dx, double dy) {
    const double rate = turning_rate(box);
    camera.look_from(turned(camera.view, -rate * dx, -rate * dy), {scene.low.x + 0.5 * (scene.high.x - scene.low.x),
                                                                   scene.low.y + 0.5 * (scene.high.y - scene.low.y),
                                                                   scene.low_z + 0.5 * (scene.high_z - scene.low_z)});
}

Box part_box(const Ui& ui, uint32_t part) { return part_of(ui.layout.canvas, ui.model.scene, part); }

uint32_t part_at(const Box& picture, const Scene& scene, ImVec2 at) {
    // A gap between views belongs to the later one.
    for (uint32_t part = view_count(scene) - 1; part > 0; --part) {
        const Box box = part_of(picture, scene, part);
        if (at.x >= box.x && at.y >= box.y) return part;
    }
    return 0;
}

uint32_t part_at(const Ui& ui, ImVec2 at) { return part_at(ui.layout.canvas, ui.model.scene, at); }

ImVec2 on_screen(const Ui& ui, uint32_t part, const Point3& place) {
    return to_screen(part_box(ui, part), camera_at(ui, part).to_pixels(place));
}

ImVec2 on_screen(const Ui& ui, uint32_t part, Point place) {
    return to_screen(part_box(ui, part), camera_at(ui, part).to_pixels(place));
}

bool has_room_to_grab(const Ui& ui) {
    const double gap = point_spacing(ui.model.scene) * ui.state.camera.scale;
    return gap > (ui.model.scene.in_space ? kRoomToGrabInSpace : kRoomToGrab) * ui.scale * pixels_each();
}

Point from_middle(const Ui& ui, ImVec2 at) { return from_middle_of(part_box(ui, part_at(ui, at)), at); }

/// Bounds of a kept picture that is shown; none unless both are in the plane.
static std::optional<std::pair<Point, Point>> kept_bounds(const Ui& ui) {
    const KeptScene* const kept = ui.session.comparison().kept();
    if (ui.layout.kept.width == 0 || !kept || ui.model.scene.in_space) return std::nullopt;
    const Scene& scene = kept->scene();
    if (scene.in_space || scene.nothing_to_draw()) return std::nullopt;
    return std::pair{scene.low, scene.high};
}

CanvasView::CanvasView() : software_(gl_is_software()) {}

CanvasView::Fit CanvasView::fit_of(const Ui& ui) {
    const Scene& scene = ui.model.scene;
    const uint64_t input = ui.session.loader().revision();
    return {room_above(ui), room_below(ui), has_beside(ui), kept_bounds(ui),
            scene.low,      scene.high,     input,          ui.model.info.id};
}

/// Whether the picture is no longer fitted. While points are edited, rows of the legend that come and go do not move
/// it.
bool CanvasView::is_outgrown(const Ui& ui) const {
    Fit now = fit_of(ui);
    if (ui.state.tool != Tool::kLook) {
        now.top = fitted_.top;
        now.bottom = fitted_.bottom;
    }
    return fitted_ != now;
}

void CanvasView::fit(Ui& ui) {
    fitted_ = fit_of(ui);
    // Fit between the legend, unless it is too high, and the colour bars.
    const Box part = part_box(ui, 0);
    const double width = part.width * pixels_each();
    const double height = (part.height - fitted_.top - fitted_.bottom) * pixels_each();
    const Scene& scene = ui.model.scene;
    const auto& input = ui.session.input();
    Camera& camera = ui.state.camera;
    if (scene.in_space && input && input->in_space())
        camera.fit(input->points, input->heights, width, height);
    else if (const auto frame = ui.state.lesson.frame(); frame && !scene.in_space)
        camera.fit(frame->first, frame->second, width, height);
    else if (const auto& edited = ui.model.edited_extent)
        camera.fit(edited->low, edited->high, width, height);
    else
        camera.fit(scene.low, scene.high, width, height);
    if (fitted_.kept) {  // fit both
        const auto& [low, high] = *fitted_.kept;
        camera.fit({std::min(scene.low.x, low.x), std::min(scene.low.y, low.y)},
                   {std::max(scene.high.x, high.x), std::max(scene.high.y, high.y)}, width, height);
    }
    camera.pan(0, 0.5 * (fitted_.bottom - fitted_.top) * pixels_each());
    ui.state.fitted = true;
}

// Fits a new input and turns a surface to its standard view.
void CanvasView::show_new_input(Ui& ui) {
    ui.state.camera.view = ui.model.scene.in_space ? standard_views()[0] : ViewAxes{};
    fit(ui);
    refused_ = false;
    if (ui.model.scene.layers.empty()) return;
    try {
        check_display(ui.state.display, ui.model.scene, [](const std::string&) { return "show, hide"; });
    } catch (const Error& error) {
        ui.session.reply(Message::Kind::kNote, error.what());
    }
}

// After the canvas has been resized, keeps the selection visible if it was visible before.
void CanvasView::keep_selection_visible(Ui& ui) {
    const LabModel& model = ui.model;
    const CheckFailure* const failure = model.chosen_failure();
    const bool detection = model.detail_view.any() && model.detail_view.detection < model.detections.size();
    Camera& camera = ui.state.camera;
    uint32_t part = 0;
    Point place;
    if (detection) {
        place = camera.seen({model.detections[model.detail_view.detection].place.x,
                             model.detections[model.detail_view.detection].place.y, 0});
    } else if (failure && !failure->places.empty()) {
        part = failure->elements.empty() ? 0 : failure->elements[0].part;
        place = camera.seen(failure->places[0]);
    } else if (model.inspection.any()) {
        part = model.inspection.element.part;
        place = ui.state.clicked;
    } else {
        return;
    }
    if (!std::isfinite(place.x) || !std::isfinite(place.y) || part >= view_count(ui.model.scene)) return;
    const PixelBox before = Renderer::box_of_view(canvas_.width(), canvas_.height(), view_count(ui.model.scene), part);
    const Point was = drawn_.camera.to_pixels(place);
    if (std::fabs(was.x) > 0.5 * before.width || std::fabs(was.y) > 0.5 * before.height) return;
    const Box now = part_box(ui, part);
    const double edge = ui.em(24), legend = now.y < ui.layout.canvas.y + 1 ? legend_room(ui) : 0;
    const ImVec2 at = on_screen(ui, part, place);
    const bool seen = at.x > now.x + edge && at.x < now.x + now.width - edge && at.y > now.y + legend + edge &&
                      at.y < std::min(now.y + now.height, ui.layout.canvas_bottom()) - edge;
    if (detection) {
        // The detail view covers another part of the resized canvas.
        centre_on_detection(ui, model.detail_view.detection);
    } else if (!seen) {
        camera.center = place;
        camera.pan(0, -0.5 * legend * pixels_each());
    }
}

// Brings the result of a search or a link into view: centred if it is hidden or too small to tell from its
// surroundings.
void CanvasView::bring_into_view(Ui& ui) {
    const Inspection& found = ui.model.inspection;
    if (ui.state.shown_request == 0 || found.request != ui.state.shown_request) return;
    ui.state.shown_request = 0;
    if (const auto merged = std::exchange(ui.state.shown_merged, nullptr); merged && !merged->empty())
        ui.session.reply(Message::Kind::kNote, *merged);
    if (!found.any() || found.corners.empty() || found.element.part >= view_count(ui.model.scene)) return;
    Camera& camera = ui.state.camera;
    const auto [low, high] = seen_bounds(camera, found.corners);
    const Point middle{low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
    ui.state.clicked = middle;
    const Box part = part_box(ui, found.element.part);
    const double legend = part.y < ui.layout.canvas.y + 1 ? legend_room(ui) : 0;
    const double room = std::min<double>(part.width, part.height - legend) * pixels_each();
    if (!(room > 0)) return;
    const double extent = std::max(high.x - low.x, high.y - low.y), gap = point_spacing(ui.model.scene);
    const double around = std::max({extent, gap, 1e-240}), size = around * camera.scale;
    const double edge = ui.em(24) * pixels_each();
    const Point at = camera.to_pixels(middle);
    const bool seen = std::fabs(at.x) < 0.5 * part.width * pixels_each() - edge &&
                      at.y < (0.5 * part.height - legend) * pixels_each() - edge &&
                      at.y > edge - 0.5 * part.height * pixels_each();
    const bool distinct = size > ui.em(8) * pixels_each() && size < 0.9 * room;
    if (!ui.state.shows_close && seen && distinct) return;
    const double share = size < 0.08 * room ? 0.2 : size > 0.6 * room ? 0.5 : 0;  // of the room
    if (share > 0) camera.scale = std::clamp(share * room / around, 1e-250, 1e250);
    camera.center = middle;
    camera.pan(0, -0.5 * legend * pixels_each());
    ui.state.fitted = false;
}

bool CanvasView::update(Ui& ui) {
    const bool drew = draw_live(ui);
    return beside_.update(ui, !coarse_) || drew;
}

// How far the way to the present state is, 0 to 1, eased. Another step ends it.
double CanvasView::follow_motion(const Ui& ui) {
    const uint64_t before = std::exchange(motion_.position, ui.model.position);
    if (motion_.shown != ui.model.motions) {
        motion_.shown = ui.model.motions;
        const uint64_t steps = std::max(before, motion_.position) - std::min(before, motion_.position);
        const bool begins = moves(ui) && !motion_.shown.empty() && steps <= kMostSteps &&
                            fitted_.input == ui.session.loader().revision();
        const bool in_space = ui.model.scene.in_space || ui.model.scene.view(1).in_space;
        motion_.begin = ui.now;
        motion_.length = !begins                           ? 0
                         : ui.session.playback().playing() ? std::min(kMotion, 0.8 / ui.session.speed)
                         : in_space                        ? kMotionInSpace
                                                           : kMotion;
        motion_.count += begins ? 1 : 0;
    }
    const double since = ui.now - motion_.begin;
    if (!ui.state.motion || since >= motion_.length) return 1;
    const double part = since / motion_.length;
    return part * part * (3 - 2 * part);
}

Pixels CanvasView::pixels(Ui ui) {
    if (motion_.drawn < 1) {  // pictures are of states
        motion_.length = 0;
        draw_live(ui);
    }
    Pixels live{canvas_.width(), canvas_.height(), canvas_.pixels()};
    const Canvas& kept = beside_.canvas();
    if (ui.layout.kept.width == 0 || kept.height() != live.height) return live;
    const int whole = std::max(in_pixels(ui.layout.whole().width), live.width + kept.width());
    Pixels both = Pixels::filled(whole, live.height, ui.colors.panel_edge);
    both.place({kept.width(), kept.height(), kept.pixels()}, 0, 0);
    both.place(live, whole - live.width, 0);
    return both;
}

bool moves(const Ui& ui) {
    const bool fast = ui.session.unlimited || ui.session.speed > kFast;
    return ui.state.motion && !(fast && ui.session.playback().playing());
}

double CanvasView::finer_at() const { return coarse_ ? changed_at_ + kRest : std::numeric_limits<double>::infinity(); }

bool CanvasView::draw_live(Ui& ui) {
    ui.layout.axes_height = shows_axes(ui) ? static_cast<float>(plane_axes_height(letter_size(ui))) : 0;
    bring_into_view(ui);
    const Box& box = ui.layout.canvas;
    if (box.width < 1 || box.height < 1) {
        // Nothing to refine in an empty box; redraw everything when it grows.
        if (coarse_) drawn_.scale = 0;
        coarse_ = false;
        return false;
    }
    const int width = std::max(1, in_pixels(box.width));
    const int height = std::max(1, in_pixels(box.height));
    const bool resized = width != canvas_.width() || height != canvas_.height();
    if (!ui.session.drawable()) return false;
    const Scene& scene = ui.model.scene;
    // Another lab may draw the same input elsewhere (the microscope does), outside the camera's view.
    const bool other_lab = std::exchange(fitted_.lab, ui.model.info.id) != ui.model.info.id;
    const bool other_bounds = !(fitted_.low == scene.low) || !(fitted_.high == scene.high);
    if (fitted_.input != ui.session.loader().revision() || (other_lab && other_bounds))
        show_new_input(ui);
    else if (ui.state.fit_requested || (ui.state.fitted && (resized || is_outgrown(ui))))
        fit(ui);
    else if (resized && canvas_.width() > 0)
        keep_selection_visible(ui);
    ui.state.fit_requested = false;
    const DrawnFrom now{ui.state.camera, ui.state.display, ui.session.revision(), ui.state.light, ui.scale};
    const double motion = follow_motion(ui);
    const bool same = !resized && drawn_ == now && motion == motion_.drawn;
    if (drag_ != Drag::kMap) map_.update(ui, renderer_);
    if (same && (!coarse_ || ui.now - changed_at_ < kRest || ui.session.playback().is_seeking())) return false;
    // A software rasteriser is slow at smooth silhouettes, so it draws them at rest.
    const double line_scale = drawn_scale(ui);
    const auto density = [&](bool hurried) {
        return plan_density(scene, ui.state.display, ui.state.camera.scale, line_scale, hurried).most();
    };
    const bool dense = density(false) < density(true);
    const bool crowded = density(false) > 0 && scene.point_count >= kLeastHurried;
    const bool hurries = !same && software_ && (scene.in_space || scene.lattice() || dense || crowded);
    const uint64_t drawn = std::max<uint64_t>(ui.model.count_of(ElementKind::kTriangle),
                                              uint64_t(2) * ui.model.count_of(ElementKind::kEdge) / 3);  // or links
    coarse_ = hurries && (dense || crowded || drawn < kMostRefined);
    if (!same) changed_at_ = ui.now;
    canvas_.resize(width, height);
    const auto& input = ui.model.edited_input ? ui.model.edited_input : ui.session.input();
    if (scene.nothing_to_draw() && !scene.lattice() && input) {
        if (drawn_.revision != now.revision) renderer_.forget_input();  // the input may have been edited
        renderer_.draw_input(*input, scene, ui.state.camera, canvas_, ui.state.light, line_scale);
    } else {
        renderer_.forget_input();
        try {
            renderer_.set_revision(ui.session.revision());
            renderer_.set_motion(motion_.shown, motion);
            renderer_.draw(scene, ui.state.camera, canvas_, ui.state.light, line_scale, ui.state.display, !hurries);
            refused_ = false;
        } catch (const Error& error) {
            // Report once for all of its steps.
            if (!std::exchange(refused_, true)) ui.session.reply(Message::Kind::kError, error.what());
        }
        renderer_.set_motion({}, 1);  // the map and figures show states
        ui.session.drawn();
    }
    drawn_ = now;
    motion_.drawn = motion;
    ++draws_;
    return true;
}

namespace {

/// Shows what the current tool would affect.
void draw_tool_cursor(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const Tool tool = ui.state.tool;
    if (tool == Tool::kLook || !ui.layout.canvas.holds(io.MousePos) || io.WantCaptureMouse) return;
    if (tool == Tool::kMove) return ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImVec2 at = io.MousePos;
    const ImU32 color = packed(ui.colors.text), halo = packed(ui.colors.canvas.alpha(0.7f));
    const float radius = is_brush(tool) ? ui.em(ui.state.brush) : ui.em(6);
    const int corners = radius > 60 ? 96 : 48;
    draw.AddCircle(at, radius, halo, corners, ui.em(3.5f));
    draw.AddCircle(at, radius, color, corners, ui.em(1.5f));
    if (tool == Tool::kAdd || tool == Tool::kRemove)
        draw.AddLine({at.x + ui.em(9), at.y - ui.em(9)}, {at.x + ui.em(17), at.y - ui.em(9)}, color, ui.em(2));
    if (tool == Tool::kFreeze)
        for (const auto& [x, y] : {std::pair{0.f, 4.f}, {3.46f, 2.f}, {3.46f, -2.f}})
            draw.AddLine({at.x + ui.em(13 - x), at.y - ui.em(9 + y)}, {at.x + ui.em(13 + x), at.y - ui.em(9 - y)},
                         color, ui.em(1.5f));
    if (tool == Tool::kAdd)
        draw.AddLine({at.x + ui.em(13), at.y - ui.em(13)}, {at.x + ui.em(13), at.y - ui.em(5)}, color, ui.em(2));
}

/// A pixel and its eight neighbours.
void mark_ring(const Inspection& found, const Box& part, Ui& ui) {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    std::vector<ImVec2> ring;
    const Point3 &low = found.corners[0], &high = found.corners[2];
    for (const Point3& corner : {Point3{low.x - 1, low.y - 1, 0}, Point3{high.x + 1, low.y - 1, 0},
                                 Point3{high.x + 1, high.y + 1, 0}, Point3{low.x - 1, high.y + 1, 0}})
        ring.push_back(to_screen(part, camera_at(ui, found.element.part).to_pixels(corner)));
    const int count = static_cast<int>(ring.size());
    draw.AddPolyline(ring.data(), count, packed(ui.colors.canvas.alpha(0.6f)), ImDrawFlags_Closed, ui.em(4));
    draw.AddPolyline(ring.data(), count, packed(ui.colors.text.alpha(0.8f)), ImDrawFlags_Closed, ui.em(1.5f));
}

void mark_element(Ui& ui, const Inspection& found) {
    if (!found.any() || found.corners.empty() || found.element.part >= view_count(ui.model.scene)) return;
    if (found.element.kind == ElementKind::kPixel) mark_ring(found, part_box(ui, found.element.part), ui);
    ListDrawing drawing = canvas_drawing(ui);
    draw_highlights(drawing.ink(ui.colors), {highlight_of(found.element, found.corners, {})}, shown_views(ui));
}

/// Centred at the top of its view, below the legend.
void draw_view_title(Ui& ui, uint32_t part) {
    if (ui.model.scene.view(part).title.empty()) return;
    const Box box = part_box(ui, part);
    const bool at_top = box.y < ui.layout.canvas.y + 1;
    ListDrawing drawing(*ImGui::GetBackgroundDrawList(), *ui.fonts.body);
    app::draw_title(drawing.ink(ui.colors), box, box.y + (at_top ? legend_room(ui) : 0) + ui.em(5),
                    title_lines(ui, part));
}

/// Words of the layers, each centred at its place.
void draw_words_of_layers(Ui& ui) {
    const Box& box = ui.layout.canvas;
    ListDrawing drawing = canvas_drawing(ui);
    draw_layer_words(
        drawing.ink(ui.colors),
        label_places(ui.model.scene, ui.state.camera, ui.state.display, in_pixels(box.width), in_pixels(box.height)),
        {box.x, box.y}, 1 / pixels_each());
}

/// Ids and names of the visible elements, if they are few enough to be readable.
void draw_ids_in_view(Ui& ui) {
    const Scene& scene = ui.model.scene;
    if (!ui.state.display.shows(kIdsDisplay, false) || !scene.mesh || scene.in_space) {
        ui.session.inspector().drop_labels();
        return;
    }
    const std::vector<ShownView> views = shown_views(ui);
    std::vector<InView> shown;
    for (uint32_t part = 0; part < views.size(); ++part) shown.push_back(in_view(part, views[part]));
    ui.session.inspector().request_labels(std::move(shown));
    ListDrawing drawing = canvas_drawing(ui);
    draw_element_labels(drawing.ink(ui.colors), ui.session.inspector().labels(), views);
}

/// A bar for each scale in the picture, at the lower left, one above the other.
void draw_bars(Ui& ui) {
    const Box& canvas = ui.layout.canvas;
    const float pad = ui.em(9);
    const ImVec2 size = bar_size(ui);
    if (canvas.width < size.x + 4 * pad) return;
    ListDrawing drawing = canvas_drawing(ui);
    const Ink ink = drawing.ink(ui.colors);
    float below = ui.layout.canvas_bottom() - pad;
    for (const ColourBar& bar : bars_at(ui, camera_at(ui, 0).scale)) {
        if (below - size.y < canvas.y + static_cast<float>(room_above(ui))) break;
        const Box ground{canvas.x + pad, below - size.y, size.x, size.y};
        ink.ground(ground, 0.85f);
        draw_colour_bar(ink,
                        {ground.x + 0.6 * ink.font, ground.y + 0.5 * ink.font, colour_bar_width(ink.font),
                         colour_bar_height(ink.font)},
                        bar);
        below -= size.y + pad;
    }
}

void draw_axes_of_views(Ui& ui) {
    if (ui.layout.axes_height == 0) return;
    ListDrawing drawing = canvas_drawing(ui);
    const std::vector<ShownView> views = shown_views(ui);
    for (uint32_t part = 0; part < view_count(ui.model.scene); ++part) {
        if (ui.model.scene.view(part).in_space) continue;
        const Box box = part_box(ui, part);
        const Box& canvas = ui.layout.canvas;
        const bool at_top = box.y<canvas.y + 1, at_bottom = box.y + box.height> canvas.y + canvas.height - 1;
        float top = box.y + (at_top ? static_cast<float>(room_above(ui)) : 0), bottom = box.y + box.height;
        if (box.x < canvas.x + 1 && at_bottom) {
            if (const float scales = scales_size(ui, camera_at(ui, 0).scale).y; scales > 0)
                bottom = ui.layout.canvas_bottom() - scales - 2 * ui.em(9);
            else if (ui.state.display.shows(kScaleBarDisplay, true))
                bottom = ui.layout.canvas_bottom() - Pen::line(*ui.fonts.small) - 2 * ui.em(9);
        }
        const Box& tools = ui.layout.tools;
        if (tools.width > 0 && tools.x < box.x + ui.em(60) && at_top) top = std::max(top, tools.y + tools.height);
        const float lower = at_bottom ? canvas.y + canvas.height - ui.layout.covered : box.y + box.height;
        draw_plane_axes(drawing.ink(ui.colors), views[part], {false, top, bottom, lower},
                        units_of(ui.model.scene.view(part), ui.model.unit));
    }
}

/// With the layer of circumcircles, which has none of many triangles, that of the triangle under the cursor.
void draw_circles_under_cursor(Ui& ui, const Ink& ink) {
    Inspector& inspector = ui.session.inspector();
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool hovers = ui.state.display.shows("circumcircles", false) && ui.state.tool == Tool::kLook &&
                        ui.layout.canvas.holds(at) && !ImGui::GetIO().WantCaptureMouse && !is_apart(ui, at);
    const Probe probe = probe_at(ui, at);
    char query[80] = "";
    if (hovers) std::snprintf(query, sizeof query, "at:%.17g,%.17g@%u", probe.place.x, probe.place.y, probe.part);
    inspector.request_hovered(query);
    for (const Inspector::FoundElement& one : inspector.hovered())
        for (const Highlight& mark : one.found.report.highlights)
            if (hovers && mark.kind == Highlight::Kind::kCircle) draw_highlights(ink, {mark}, shown_views(ui));
}

/// On a background in the canvas's colour.
void draw_bar_of_scale(Ui& ui) {
    const ScaleBar bar = scale_bar(ui, scales_size(ui, camera_at(ui, 0).scale).x, ui.state.camera.scale);
    if (bar.wide == 0) return;
    const float line = Pen::line(*ui.fonts.small), bottom = ui.layout.canvas_bottom() - ui.em(9);
    const Box ground{bar.left, bottom - line - ui.em(6), bar.right - bar.left, line + ui.em(6)};
    ui.boxes.add("scale_bar", ground);
    ListDrawing drawing = canvas_drawing(ui);
    const Ink ink = drawing.ink(ui.colors);
    ink.ground(ground, 0.75f);
    app::draw_scale_bar(ink, {bar.left + ui.em(6), bottom - line - ui.em(3)}, bar.wide, bar.text);
}

}  // namespace

void CanvasView::show(Ui& ui) {
    const Box& box = ui.layout.canvas;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const Camera& now = ui.state.camera;
    const bool exact = now == drawn_.camera && canvas_.width() == in_pixels(box.width);
    // A filled rectangle and a filtered texture cost a software rasteriser milliseconds and are rarely needed.
    if (!exact || drawn_.scale == 0) draw.AddRectFilled(box.low(), box.high(), packed(ui.colors.canvas));
    if (!canvas_.texture() || drawn_.scale == 0) return;
    canvas_.smooth(!exact);
    draw_picture(draw, box, ui.model.scene, canvas_, drawn_.camera, now);
    ListDrawing drawing = canvas_drawing(ui);
    const Ink ink = drawing.ink(ui.colors);
    if (ui.model.inspection.any()) draw_highlights(ink, ui.model.inspection.report.highlights, shown_views(ui));
    beside_.show(ui);
    mark_element(ui, ui.model.inspection);
    if (region_.size() > 2)
        draw.AddPolyline(region_.data(), static_cast<int>(region_.size()), packed(ui.colors.text), ImDrawFlags_Closed,
                         1.5f * ui.scale);
    const auto& area = ui.session.selection().exploration().area;
    if (area && ui.model.scene.nothing_to_draw()) {  // over the input
        const Point low = area->low, high = area->high;
        std::vector<std::vector<Point>> rings = area->rings;
        if (!area->is_polygon()) rings = {{low, {high.x, low.y}, high, {low.x, high.y}}};
        for (const std::vector<Point>& ring : rings) {
            std::vector<ImVec2> corners;
            for (const Point corner : ring) corners.push_back(on_screen(ui, 0, corner));
            draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(ui.colors.role(Role::kExact)),
                             ImDrawFlags_Closed, ui.em(1.5f));
        }
    }
    if (ui.state.drawn_ring) {
        std::vector<ImVec2> corners;
        for (const Point corner : *ui.state.drawn_ring) {
            corners.push_back(on_screen(ui, 0, corner));
            draw.AddCircleFilled(corners.back(), ui.em(3), packed(ui.colors.accent));
        }
        corners.push_back(ImGui::GetIO().MousePos);
        draw.AddPolyline(corners.data(), static_cast<int>(corners.size()), packed(ui.colors.accent), 0, ui.em(1.5f));
    }
    for (const Inspector::FoundElement& one : ui.session.inspector().found_elements()) {
        if (!ui.state.lesson.shows(one.query)) continue;
        draw_highlights(ink, one.found.report.highlights, shown_views(ui));
        mark_element(ui, one.found);
    }
    draw_circles_under_cursor(ui, ink);
    mark_chosen_failure(ui);
    draw_across(ui);
    mark_chosen_detection(ui);
    if (drag_ == Drag::kVertex) mark_element(ui, ui.session.edits().held());
    if (has_beside(ui)) {
        for (uint32_t part = 0; part < view_count(ui.model.scene); ++part) draw_view_title(ui, part);
    }
    draw_words_of_layers(ui);
    draw_ids_in_view(ui);
    draw_axes_of_views(ui);
    draw_bars(ui);
    draw_bar_of_scale(ui);
    map_.draw(ui);
    draw_tool_cursor(ui);
    draw_readout(ui);
}

// The readout under the cursor, at the lower right of the canvas: the lab's text, or the coordinates in the picture's
// resolution.
void CanvasView::draw_readout(Ui& ui) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    const Box& canvas = ui.layout.canvas;
    std::vector<std::string> lines;
    if (map_.box().holds(at)) return;
    if (!canvas.holds(at) || ImGui::GetIO().WantCaptureMouse || drag_ == Drag::kTurn || ui.state.lesson.presenting())
        return;
    const uint32_t part = part_at(ui, at);
    const SceneView& view = ui.model.scene.view(part);
    const Camera camera = camera_at(ui, part);
    const Point place = camera.to_world(from_middle(ui, at));
    if (view.readout) {
        lines = view.readout(place);
    } else if (const LatticeLayer lattice = view.lattice(); !view.in_space && (view.mesh || lattice)) {
        const LatticeUnits& units = lattice.units;
        lines = {place_text(units.as_given(place), std::fabs(units.unit.x) / camera.scale)};
    }
    const ImFont& font = *ui.fonts.small;
    float wide = 0;
    for (const std::string& line : lines) wide = std::max(wide, Pen::measure(font, line).x);
    const float pad = ui.em(6), high = static_cast<float>(lines.size()) * Pen::line(font);
    const float beside = scales_size(ui, camera_at(ui, 0).scale).x, scales = beside > 0 ? beside + ui.em(18) : 0;
    if (wide == 0 || canvas.width < wide + 4 * pad + scales) return;
    ImVec2 low(std::round(canvas.x + canvas.width - wide - 3 * pad),
               std::round(ui.layout.canvas_bottom() - high - 3 * pad));
    // Do not cover the cursor's surroundings.
    if (at.x > low.x - 4 * pad && at.y > low.y - 4 * pad)
        low.y = std::round(std::max(canvas.y + static_cast<float>(room_above(ui)),
                                    map_.box().width > 0 ? map_.box().y + map_.box().height : 0) +
                           pad);
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    draw.AddRectFilled(low, {low.x + wide + 2 * pad, low.y + high + 2 * pad}, packed(ui.colors.canvas.alpha(0.85f)),
                       ui.em(4));
    float y = low.y + pad;
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : "\n") + line;
        draw.AddText(&font, Pen::line(font), {low.x + pad, y}, packed(ui.colors.quiet_text), line.c_str());
        y += Pen::line(font);
    }
    ui.boxes.add("readout", {low.x, low.y, wide + 2 * pad, high + 2 * pad}, text);
}

// ---- the mouse

void CanvasView::handle_mouse(Ui& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const Box& kept = ui.layout.kept;
    const auto in_picture = [&](ImVec2 at) { return ui.layout.canvas.holds(at) || kept.holds(at); };
    const bool over = in_picture(io.MousePos) &&
                      (!io.WantCaptureMouse || (lets_through(ui, io.MousePos) && !ui.layout.inspector_scrolls));
    if (over && io.MouseWheel != 0 && is_brush(ui.state.tool) && io.KeyCtrl) {
        resize_brush(ui.state, std::pow(1.15, io.MouseWheel));
    } else if (over && io.MouseWheel != 0 && io.KeyAlt && ui.state.across.view) {
        ui.state.across.zoom = std::clamp(ui.state.across.zoom * std::pow(1.2, io.MouseWheel), 0.1, 1e4);
    } else if (over && io.MouseWheel != 0 && is_apart(ui, io.MousePos)) {
        double& zoom = ui.state.camera.apart_zoom;
        zoom = std::clamp(zoom * std::pow(1.2, io.MouseWheel), 0.2, 1e4);
    } else if (over && io.MouseWheel != 0) {
        ui.state.camera.zoom(std::pow(1.2, io.MouseWheel), kept.holds(io.MousePos) ? from_middle_of(kept, io.MousePos)
                                                                                   : from_middle(ui, io.MousePos));
        ui.state.fitted = false;
    }
    for (const int button : {0, 1, 2})
        if (drag_ == Drag::kNone && ImGui::IsMouseClicked(button) && in_picture(ui.state.pressed_at) &&
            (!io.WantCaptureMouse || lets_through(ui, ui.state.pressed_at)))
            press(ui, button);
    if (drag_ == Drag::kNone) return;
    drag(ui);
    if (ImGui::IsMouseReleased(button_)) release(ui);
}

void CanvasView::press(Ui& ui, int button) {
    const Scene& scene = ui.model.scene;
    button_ = button;
    if (button == 0 && map_.box().holds(ui.state.pressed_at)) {
        drag_ = Drag::kMap;
        map_.go_to(ui, ui.state.pressed_at);
        return;
    }
    pressed_at_ = last_ = ui.state.pressed_at;
    pressed_place_ = ui.state.camera.to_world(from_middle(ui, pressed_at_));
    drag_ = button == 0 ? Drag::kUndecided : Drag::kPan;
    on_kept_ = ui.layout.kept.holds(pressed_at_);
    double_ = button == 0 && ImGui::IsMouseDoubleClicked(0);
    on_apart_ = is_apart(ui, pressed_at_);
    if (on_apart_ && button != 0) drag_ = Drag::kTurn;
    if (on_kept_ || on_apart_) return;
    if (button == 0 && is_brush(ui.state.tool) && !ImGui::GetIO().KeyShift) {
        drag_ = Drag::kBrush;
        stroke_ = {
            brush_kind(ui), kNone, part_at(ui, pressed_at_), {pressed_place_.x, pressed_place_.y, 0}, brush_radius(ui)};
        return ui.session.edits().edit(stroke_);
    }
    if (button == 0 && ImGui::GetIO().KeyCtrl && ui.model.explorable && !scene.in_space) {
        drag_ = ImGui::GetIO().KeyShift ? Drag::kLasso : Drag::kBox;
        region_ = {pressed_at_};
        return;
    }
    const bool grabs = button == 0 && ui.state.tool == Tool::kMove && !ImGui::GetIO().KeyShift && !ui.session.busy() &&
                       has_room_to_grab(ui);
    if (grabs) ui.session.edits().grab(probe_at(ui, pressed_at_, scene.in_space ? kReachToGrabInSpace : kReach));
}

// The position where the left button was released, or the pointer while it is down. The pointer may move on before the
// next frame.
ImVec2 CanvasView::pointed_at(const Ui& ui) const {
    return button_ == 0 && !ui.state.path.empty() ? ui.state.path.back() : ImGui::GetIO().MousePos;
}

void CanvasView::drag(Ui& ui) {
    const ImVec2 now = pointed_at(ui);
    if (drag_ == Drag::kMap) return map_.go_to(ui, now);
    Camera& camera = ui.state.camera;
    if (drag_ == Drag::kUndecided && std::hypot(now.x - pressed_at_.x, now.y - pressed_at_.y) > kStill) {
        switch (ui.session.edits().drag_state()) {
            case ManualEdits::DragState::kPending:
                return;  // the reply is pending
            case ManualEdits::DragState::kHolding:
                drag_ = Drag::kVertex;
                break;
            case ManualEdits::DragState::kNone:
            case ManualEdits::DragState::kMissed:
                drag_ = on_apart_ || (ui.model.scene.in_space && !ImGui::GetIO().KeyShift) ? Drag::kTurn : Drag::kPan;
        }
    }
    if (drag_ == Drag::kLasso) {
        region_.clear();
        for (const ImVec2 at : ui.state.path)
            if (region_.empty() || std::hypot(at.x - region_.back().x, at.y - region_.back().y) > 3)
                region_.push_back(at);
        return;
    }
    const double dx = now.x - last_.x, dy = last_.y - now.y;  // y up
    if (drag_ == Drag::kUndecided || (dx == 0 && dy == 0)) return;
    last_ = now;
    if (drag_ == Drag::kBox) {
        region_ = {pressed_at_, {now.x, pressed_at_.y}, now, {pressed_at_.x, now.y}};
    } else if (drag_ == Drag::kBrush) {
        stroke(ui, now);
    } else if (drag_ == Drag::kPan) {
        camera.pan(dx * pixels_each(), dy * pixels_each());
        ui.state.fitted = false;
    } else if (drag_ == Drag::kTurn && on_apart_) {
        camera.apart = turned(camera.apart, -turning_rate(part_box(ui, 0)) * dx, -turning_rate(part_box(ui, 0)) * dy);
    } else if (drag_ == Drag::kTurn) {
        turn(camera, ui.model.scene, part_box(ui, 0), dx, dy);
    } else {
        ManualEdits& edits = ui.session.edits();
        const Point place = camera.to_world(from_middle_of(part_box(ui, edits.held().element.part), now));
        edits.drag_by((place.x - pressed_place_.x) * camera.view.right + (place.y - pressed_place_.y) * camera.view.up);
    }
}

// From the brush's last position to here. The brush keeps its initial width.
void CanvasView::stroke(Ui& ui, ImVec2 to) {
    const Point end = ui.state.camera.to_world(from_middle_of(part_box(ui, stroke_.part), to));
    stroke_.place = stroke_.end();
    stroke_.path = {{end.x, end.y, 0}};
    stroke_.goes_on = true;
    ui.session.edits().edit(stroke_);
}

void CanvasView::release(Ui& ui) {
    const Drag was = std::exchange(drag_, Drag::kNone);
    if (was == Drag::kMap) return;
    if (was == Drag::kBox || was == Drag::kLasso) return select_region(ui);
    const bool holds_vertex = ui.session.edits().drag_state() == ManualEdits::DragState::kHolding;
    ui.session.edits().end_drag();
    const ImVec2 now = pointed_at(ui);
    const bool still = std::hypot(now.x - pressed_at_.x, now.y - pressed_at_.y) <= kStill;
    if (was != Drag::kUndecided || !still) return;
    if (ui.state.drawn_ring && !on_kept_ && !on_apart_) {
        const Camera camera = camera_at(ui, part_at(ui, pressed_at_));
        ui.state.drawn_ring->push_back(camera.to_world(from_middle(ui, pressed_at_)));
        if (double_) close_drawn_ring(ui);
        return;
    }
    if (on_kept_)
        return ui.session.reply(Message::Kind::kNote,
                                "This is the kept picture, which cannot be inspected; the live one at the right can.");
    const Tool tool = ui.state.tool;
    const bool adds = !holds_vertex && !on_apart_ && ui.model.supports(Edit::Kind::kAddVertex) &&
                      (tool == Tool::kAdd || (tool == Tool::kMove && double_));
    if (adds)
        ui.session.edits().add_vertex({pressed_place_.x, pressed_place_.y, 0}, part_at(ui, now));
    else if (on_apart_)
        inspect(ui, now);
    else if (tool == Tool::kRemove)
        ui.session.edits().remove_vertex(probe_at(ui, now));
    else if (tool == Tool::kFreeze)
        ui.session.edits().freeze_or_release(probe_at(ui, now));
    else
        inspect(ui, now);
}

// Selects the vertices within the drawn region; clears the selection if none was drawn.
void CanvasView::select_region(Ui& ui) {
    ExplorationChoice choice = ui.session.selection().exploration();
    choice.region.clear();
    choice.ids.clear();
    if (region_.size() > 2) {
        const Camera camera = camera_at(ui, part_at(ui, pressed_at_));
        for (const ImVec2& corner : region_) choice.region.push_back(camera.to_world(from_middle(ui, corner)));
    } else {
        choice.range.reset();
        choice.hides_rest = false;
    }
    region_.clear();
    ui.session.selection().explore(std::move(choice));
}

void CanvasView::inspect(Ui& ui, ImVec2 at) {
    if (!is_apart(ui, at)) ui.state.clicked = camera_at(ui, part_at(ui, at)).to_world(from_middle(ui, at));
    ui.session.inspector().inspect(probe_at(ui, at));
}

}  // namespace flipscope::app
