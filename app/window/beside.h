// The kept picture beside the live one, drawn from its own buffers with the canvas's camera, so that both show the same
// part of the world at the same size. The canvas (canvas.h) calls it and goes first wherever both are called.
#pragma once

#include <memory>

#include "app/render/renderer.h"
#include "app/window/ui.h"

namespace flipscope::app {

/// Whether a kept picture exists and is shown.
bool shows_kept(const Session& session, const UiState& state);
/// Gives the left half of the canvas to the kept picture. Both halves have the same size in pixels; a left-over pixel
/// lies between them. `density`: pixels per screen coordinate.
void share_canvas(Layout& layout, float scale, float density);
/// Captions both pictures below the legend, which grows by their height.
void draw_captions(Ui& ui);

/// What a picture was drawn from.
struct DrawnFrom {
    Camera camera;
    DisplayOptions display;
    uint64_t revision = 0;
    bool light = false;
    float scale = 0;
    friend bool operator==(const DrawnFrom&, const DrawnFrom&) = default;
};

class BesideView {
  public:
    /// Shares the programs of the canvas's renderer.
    explicit BesideView(const Renderer& canvas) : of_canvas_(canvas) {}
    /// Redraws if the picture or the camera has changed; requires the lease. `fine`: as in Renderer::draw().
    /// Returns whether it drew.
    bool update(Ui& ui, bool fine);
    void show(Ui& ui) const;
    const Canvas& canvas() const { return canvas_; }
    /// The camera of the last drawing.
    const Camera& camera() const { return from_.camera; }

  private:
    void draw_words(Ui& ui, const Scene& kept) const;

    const Renderer& of_canvas_;
    std::unique_ptr<Renderer> renderer_;  // separate from the canvas's renderer: a renderer caches one scene
    Canvas canvas_;
    const KeptScene* drawn_ = nullptr;
    DrawnFrom from_;
    bool fine_ = false;
};

}  // namespace flipscope::app
