// A small map in a corner of the canvas, while a small part of the picture is seen: the whole of it, and the rectangle
// that is seen. A click or a drag in it moves the eye there.
#pragma once

#include "app/render/renderer.h"
#include "app/window/ui.h"

namespace flipscope::app {

/// The look that has it, on at first: the key Ctrl+M.
inline constexpr const char* kMinimapDisplay = "minimap";
/// Of the extent of what is drawn; with more of it in the picture there is no map.
inline constexpr double kMostSeenWithMap = 0.6;

/// How much of [low, high] a camera shows in width × height pixels, 0…1.
double visible_share(Point low, Point high, const Camera& camera, double width, double height);

class Minimap {
  public:
    /// Finds out where it is, and draws its texture anew where the scene has changed. With the buffers at hand.
    void update(Ui& ui, Renderer& renderer);
    void draw(Ui& ui) const;
    /// On the screen; without width: there is none.
    const Box& box() const { return box_; }
    /// The eye goes to this place of the map.
    void go_to(Ui& ui, ImVec2 at) const;

  private:
    Box place(const Ui& ui) const;

    Canvas canvas_;
    Box box_;
    Camera camera_;  // of the map, its pixels
    uint64_t revision_ = 0;
    bool light_ = false;
    DisplayOptions display_;
    double drawn_at_ = -1;  // seconds
};

}  // namespace flipscope::app
