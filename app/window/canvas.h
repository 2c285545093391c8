// The middle of the window: the scene's picture, cached in a texture, its mouse handling and its selection.
#pragma once

#include <optional>
#include <string>

#include "app/render/renderer.h"
#include "app/view/drawing.h"
#include "app/window/beside.h"
#include "app/window/minimap.h"
#include "app/window/ui.h"
#include "geometry/bounds.h"

namespace flipscope::app {

/// Screen coordinates; a click may move this far.
inline constexpr float kStill = 4;

/// Pixels for each screen coordinate, at least 1.
double pixels_each();
/// A box's width or height in pixels.
int in_pixels(float length);
/// The part of a picture that shows one of its views; screen coordinates.
Box part_of(const Box& picture, const Scene& scene, uint32_t part);
/// The view at a screen position of a picture.
uint32_t part_at(const Box& picture, const Scene& scene, ImVec2 at);
/// The camera of that part.
Camera camera_of_part(const Box& picture, const Scene& scene, uint32_t part, const Camera& camera);
/// A screen position as pixels from the middle of a part, y up.
Point from_middle_of(const Box& part, ImVec2 at);
/// Number of views that a picture shows.
uint32_t view_count(const Scene& scene);
/// A canvas's texture for Dear ImGui.
ImTextureID image_of(const Canvas& canvas);
/// Draws a picture's texture, which was drawn with camera `then`, shifted by what the camera has moved since.
void draw_picture(ImDrawList& draw, const Box& picture, const Scene& scene, const Canvas& canvas, const Camera& then,
                  const Camera& now);
/// Bounds of places in the camera's plane.
Bounds seen_bounds(const Camera& camera, const std::vector<Point3>& places);
/// Turns a surface by a drag in a box.
void turn(Camera& camera, const Scene& scene, const Box& box, double dx, double dy);

/// The part of the canvas that shows a view; screen coordinates.
Box part_box(const Ui& ui, uint32_t part);
/// The view at a screen position.
uint32_t part_at(const Ui& ui, ImVec2 at);
/// The screen position of a point of a view.
ImVec2 on_screen(const Ui& ui, uint32_t part, const Point3& place);
/// The same for a point of the picture's plane, which may be turned.
ImVec2 on_screen(const Ui& ui, uint32_t part, Point place);
/// Screen coordinates → pixels from the middle of the view there, y up.
Point from_middle(const Ui& ui, ImVec2 at);

/// Whether steps are shown on their way: not while they follow each other fast.
bool moves(const Ui& ui);
/// Whether vertices are far enough apart in the picture for a drag to grab one.
bool has_room_to_grab(const Ui& ui);

class CanvasView {
  public:
    CanvasView();
    /// Redraws the scene if it or the camera has changed and no job holds the buffers. Returns whether it drew.
    bool update(Ui& ui);
    /// Shows the texture, shifted by what the camera has moved since it was drawn.
    void show(Ui& ui);
    /// Moves, turns, zooms, drags a vertex, clicks.
    void handle_mouse(Ui& ui);
    void fit(Ui& ui);
    const Canvas& canvas() const { return canvas_; }
    /// The camera of that picture.
    const Camera& drawn_camera() const { return drawn_.camera; }
    Renderer& renderer() { return renderer_; }
    uint64_t draws() const { return draws_; }
    /// Steps that have been shown on their way.
    uint64_t motions() const { return motion_.count; }
    /// False while a finer picture of the same state is due.
    bool settled() const { return !coarse_; }
    /// When that finer picture is due, in Ui::now's seconds; infinite: none is.
    double finer_at() const;
    /// The visible picture: the live one, with the kept one at its left.
    Pixels pixels(Ui ui);
    const BesideView& beside() const { return beside_; }

  private:
    enum class Drag { kNone, kUndecided, kPan, kTurn, kVertex, kBrush, kBox, kLasso, kMap };

    bool draw_live(Ui& ui);
    double follow_motion(const Ui& ui);
    void show_new_input(Ui& ui);
    void keep_selection_visible(Ui& ui);
    void press(Ui& ui, int button);
    void inspect(Ui& ui, ImVec2 at);
    void select_region(Ui& ui);
    void draw_readout(Ui& ui);
    ImVec2 pointed_at(const Ui& ui) const;
    void drag(Ui& ui);
    void release(Ui& ui);
    void stroke(Ui& ui, ImVec2 to);
    void bring_into_view(Ui& ui);

    Renderer renderer_;
    Canvas canvas_;
    Minimap map_;
    BesideView beside_{renderer_};
    bool software_;  // OpenGL runs on the CPU
    DrawnFrom drawn_;
    /// What the picture is fitted to.
    struct Fit {
        double top = 0, bottom = 0;  // heights left for legend and scale, screen coordinates
        bool beside = false;
        std::optional<std::pair<Point, Point>> kept;  // bounds of the kept picture that is fitted with it
        Point low, high;
        uint64_t input = 0;  // InputLoader::revision()
        std::string lab;     // of the last scene
        friend bool operator==(const Fit&, const Fit&) = default;
    } fitted_;
    static Fit fit_of(const Ui& ui);
    bool is_outgrown(const Ui& ui) const;
    /// The way to the state of the scene.
    struct Motion {
        MeshMotions shown;             // LabModel::motions of the last frame
        uint64_t position = 0;         // of the last frame
        double begin = 0, length = 0;  // seconds
        double drawn = 1;              // how far it was in the last picture, 0 to 1
        uint64_t count = 0;
    } motion_;
    uint64_t draws_ = 0;
    bool coarse_ = false;    // the last drawing was a quick, coarse one
    double changed_at_ = 0;  // seconds; when the content last changed
    bool refused_ = false;   // the scene of this input could not be drawn, which was reported

    Drag drag_ = Drag::kNone;
    int button_ = 0;
    bool on_apart_ = false;         // it began on a view with its own camera, which is only turned and inspected
    bool on_kept_ = false;          // it began on the kept picture, which is only moved, turned and zoomed
    std::vector<ImVec2> region_;    // the selection region being drawn
    ImVec2 pressed_at_{}, last_{};  // of a drag: its start and its last position
    Point pressed_place_;           // the start in the picture's plane, world units
    bool double_ = false;           // the press was the second of a double click
    Edit stroke_;                   // of the brush, as last passed on
};

}  // namespace flipscope::app
