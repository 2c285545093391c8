// The middle of the window: the picture of the scene kept in a texture, the mouse on it, and what is chosen in it.
#pragma once

#include <optional>
#include <string>

#include "app/figures/drawing.h"
#include "app/render/renderer.h"
#include "app/window/beside.h"
#include "app/window/minimap.h"
#include "app/window/ui.h"

namespace flipscope::app {

/// The part of the canvas that shows a view of the scene, screen coordinates.
Box part_box(const Ui& ui, uint32_t part);
/// The view that is shown at a place of the canvas.
uint32_t part_at(const Ui& ui, ImVec2 at);
/// Where a place of a view lies on the screen.
ImVec2 on_screen(const Ui& ui, uint32_t part, const Point3& place);
/// The same of a place in the plane of the picture, which may be turned.
ImVec2 on_screen(const Ui& ui, uint32_t part, Point place);
/// Screen coordinates → pixels from the middle of the part there, y up.
Point from_middle(const Ui& ui, ImVec2 at);

/// Whether vertices lie so far apart in the picture that a drag takes hold of one.
bool has_room_to_grab(const Ui& ui);

class CanvasView {
  public:
    CanvasView();
    /// Draws the scene anew where it or the camera has changed and no job holds the buffers. True when it did.
    bool update(Ui& ui);
    /// Shows the texture; where the camera has moved on since, the texture is moved along.
    void show(Ui& ui);
    /// Move, turn, zoom, drag a vertex, click.
    void handle_mouse(Ui& ui);
    void fit(Ui& ui);
    const Canvas& canvas() const { return canvas_; }
    /// Through which that picture is seen.
    const Camera& drawn_camera() const { return drawn_camera_; }
    Renderer& renderer() { return renderer_; }
    uint64_t draws() const { return draws_; }
    /// False while a better picture of the same is due.
    bool settled() const { return !coarse_; }
    /// When a better picture of the same is due, as Ui::now; infinite where none is.
    double finer_at() const;
    /// What is to be seen: the live picture, and left of it the one that is kept.
    Pixels pixels(const Ui& ui) const;
    const BesideView& beside() const { return beside_; }

  private:
    enum class Drag { kNone, kUndecided, kPan, kTurn, kVertex, kBrush, kBox, kLasso, kMap };

    bool draw_live(Ui& ui);
    void take_up(Ui& ui);
    void keep_in_sight(Ui& ui);
    void press(Ui& ui, int button);
    void inspect(Ui& ui, ImVec2 at);
    void select_region(Ui& ui);
    void draw_readout(Ui& ui);
    ImVec2 pointed_at(const Ui& ui) const;
    void drag(Ui& ui);
    void release(Ui& ui);
    void stroke(Ui& ui, ImVec2 to);
    void draw_cursor(Ui& ui);
    void mark(Ui& ui, const Inspection& found);
    void mark_ring(const Inspection& found, const Box& part, Ui& ui);
    void draw_title(Ui& ui, uint32_t part);
    void draw_axes(Ui& ui);
    void draw_scale_bar(Ui& ui);
    void draw_labels(Ui& ui);
    void draw_ids(Ui& ui);
    void bring_into_view(Ui& ui);
    void draw_colour_bars(Ui& ui);

    Renderer renderer_;
    Canvas canvas_;
    Minimap map_;
    BesideView beside_;
    bool software_;  // OpenGL runs on the CPU
    Camera drawn_camera_;
    DisplayOptions drawn_display_;
    uint64_t drawn_revision_ = 0, fitted_input_ = 0, draws_ = 0;
    bool drawn_light_ = false, fitted_beside_ = false;
    std::optional<std::pair<Point, Point>> fitted_kept_;  // bounds of the kept picture that was fitted, too
    bool coarse_ = false;                                 // the picture is one that was drawn in a hurry
    double changed_at_ = 0;                               // seconds; when what there is to draw changed last
    float drawn_scale_ = 0;
    std::string fitted_lab_;                     // the lab whose scene was drawn last
    std::optional<uint64_t> refused_;            // input_revision() of the last scene, which could not be drawn
    double fitted_top_ = 0, fitted_bottom_ = 0;  // heights that were left to legend and scale, screen coordinates

    Drag drag_ = Drag::kNone;
    int button_ = 0;
    std::vector<ImVec2> region_;      // that is being drawn, to select what lies in it
    ImVec2 pressed_at_{}, last_{};    // of a drag: where it began, how far the picture has come
    Point pressed_place_;             // the same in the plane of the picture, world units
    Point3 held_from_;                // where the vertex was that is dragged
    bool double_ = false;             // the press was the second of two
    Edit stroke_;                     // of the brush, as far as it was told of last
    Point fitted_low_, fitted_high_;  // the bounds that the picture was fitted to
};

}  // namespace flipscope::app
