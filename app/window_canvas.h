// The middle of the window: the picture of the scene kept in a texture, the mouse on it, and what is chosen in it.
#pragma once

#include "app/renderer.h"
#include "app/window_ui.h"

namespace flipscope::app {

class CanvasView {
  public:
    /// Draws the scene anew where it or the camera has changed and nobody holds the buffers. True when it did.
    bool update(Ui& ui);
    /// Shows the texture; where the camera has moved on since, the texture is moved along.
    void show(Ui& ui);
    /// Pan, zoom, click.
    void handle_mouse(Ui& ui);
    void fit(Ui& ui);
    const Canvas& canvas() const { return canvas_; }
    uint64_t draws() const { return draws_; }

  private:
    void mark_inspected(Ui& ui);

    Renderer renderer_;
    Canvas canvas_;
    Camera drawn_camera_;
    uint64_t drawn_revision_ = 0, fitted_input_ = 0, draws_ = 0;
    bool drawn_light_ = false, pressed_ = false, moved_ = false;
    ImVec2 last_{};  // of a drag: how far the picture has come
    float drawn_scale_ = 0;
    double fitted_legend_ = 0;  // height that was left to it, screen coordinates
};

}  // namespace flipscope::app
