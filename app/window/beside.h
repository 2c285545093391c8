// The kept picture beside the live one: drawn from its own buffers through the camera of the canvas, so that both show
// the same part of the world at the same size. It is moved, turned and zoomed like the live one; nothing in it can be
// inspected or changed. Part of the canvas (window_canvas.h), which comes first wherever both are called.
#pragma once

#include <memory>

#include "app/render/renderer.h"
#include "app/window/ui.h"

namespace flipscope::app {

/// Whether there is a kept picture to be shown.
bool shows_kept(const Session& session, const UiState& state);
/// Gives its left half to the kept picture. Both halves are alike, to the pixel; what is left over lies between them.
/// `density`: pixels per screen coordinate.
void share_canvas(Layout& layout, float scale, float density);
/// What each of the two pictures is of, below the legend, which grows by that.
void draw_captions(Ui& ui);

class BesideView {
  public:
    /// Draws it anew where it or the camera has changed, with the buffers at hand. `fine`: as Renderer::draw().
    /// `pixels_each`: of a screen coordinate. True when it did.
    bool update(Ui& ui, bool fine, double pixels_each);
    void show(Ui& ui, double pixels_each) const;
    /// Move, turn, zoom. Before the mouse of the canvas.
    void handle_mouse(Ui& ui, double pixels_each);
    const Canvas& canvas() const { return canvas_; }
    /// Through which it was drawn last.
    const Camera& camera() const { return camera_; }

  private:
    Camera camera_of(const Ui& ui, const Scene& kept, size_t view, double pixels_each) const;
    void draw_words(Ui& ui, const Scene& kept, double pixels_each) const;

    std::unique_ptr<Renderer> renderer_;  // keeps what it finds out about one scene, so it is another than the canvas'
    Canvas canvas_;
    const KeptScene* drawn_ = nullptr;
    uint64_t revision_ = 0;
    Camera camera_;
    DisplayOptions display_;
    bool light_ = false, fine_ = false;
    float scale_ = 0;
    int button_ = -1;  // of a drag; -1: there is none
    bool moved_ = false;
    ImVec2 pressed_at_{}, last_{};
};

}  // namespace flipscope::app
