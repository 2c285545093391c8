// A small map in a corner of the canvas while the picture shows a small part of the scene: all of it, with the visible
// rectangle. A click or a drag in it moves the camera there.
#pragma once

#include "app/render/renderer.h"
#include "app/window/beside.h"
#include "app/window/ui.h"

namespace flipscope::app {

/// The display option that shows it, on by default; key Ctrl+M.
inline constexpr const char* kMinimapDisplay = "minimap";
/// No map if the picture shows a larger share of the scene than this.
inline constexpr double kMostSeenWithMap = 0.6;

/// How much of [low, high] a camera shows in width × height pixels, 0…1.
double visible_share(Point low, Point high, const Camera& camera, double width, double height);

class Minimap {
  public:
    /// Places the map and redraws its texture if the scene has changed. Requires the lease.
    void update(Ui& ui, Renderer& renderer);
    void draw(Ui& ui) const;
    /// Screen coordinates; width 0: no map.
    const Box& box() const { return box_; }
    /// Moves the camera to this place of the map.
    void go_to(Ui& ui, ImVec2 at) const;

  private:
    Box place(const Ui& ui) const;

    Canvas canvas_;
    Box box_;
    DrawnFrom from_;        // with the map's camera, in its pixels; without a scale
    double drawn_at_ = -1;  // seconds
};

}  // namespace flipscope::app
