// Where the eye is: a place of the plane and how large it is drawn. Doubles throughout, so that zooming in to 1e-12 of
// the picture still moves smoothly. Knows no OpenGL.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/point.h"

namespace flipscope::app {

/// What of a scene is drawn, and how.
struct Look {
    bool fills = true;    // triangles; of a surface shaded
    bool edges = true;    // of a surface: its wireframe
    bool points = true;   //
    bool angles = false;  // fills coloured by the smallest angle of each triangle
};

struct Camera {
    Point center{0, 0};  // world units; in the middle of the picture
    double scale = 1;    // pixels per world unit

    /// Pixels from the middle of the picture, x to the right and y up.
    Point to_pixels(Point place) const { return {(place.x - center.x) * scale, (place.y - center.y) * scale}; }
    Point to_world(Point pixels) const { return {center.x + pixels.x / scale, center.y + pixels.y / scale}; }

    void pan(double dx, double dy) {
        center.x -= dx / scale;
        center.y -= dy / scale;
    }
    /// The place under `anchor` (pixels from the middle) stays where it is.
    void zoom(double factor, Point anchor) {
        const double wanted = std::clamp(scale * factor, 1e-250, 1e250);
        const Point place = to_world(anchor);
        scale = wanted;
        center = {place.x - anchor.x / scale, place.y - anchor.y / scale};
    }
    /// The box [low, high] fills width × height pixels but for a margin.
    void fit(Point low, Point high, double width, double height) {
        const double margin = 0.06 * std::min(width, height) + 6;
        const double room_x = std::max(width - 2 * margin, 16.0), room_y = std::max(height - 2 * margin, 16.0);
        center = {low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
        const double wide = high.x - low.x, tall = high.y - low.y;
        double fitting = 1e300;
        if (wide > 0) fitting = std::min(fitting, room_x / wide);
        if (tall > 0) fitting = std::min(fitting, room_y / tall);
        if (fitting == 1e300) fitting = 100 / std::max({std::abs(center.x), std::abs(center.y), 1e-240});  // one place
        scale = std::clamp(fitting, 1e-250, 1e250);
    }
    friend bool operator==(const Camera& a, const Camera& b) { return a.center == b.center && a.scale == b.scale; }
};

}  // namespace flipscope::app
