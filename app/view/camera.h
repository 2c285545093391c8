// The camera: a point of the picture's plane and a scale; for a surface also a direction. Doubles throughout, so that
// zooming in to 1e-12 of the picture still moves smoothly. Uses GLM's vectors and matrices, and core's points at the
// boundary. Independent of OpenGL.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope::app {

/// Which parts of a scene are drawn, and how.
struct DisplayOptions {
    std::map<std::string, bool> layers;  // by Layer::id: layers whose visibility differs from their default
    bool angles = false;                 // triangles coloured by their minimum angle
    double beta = 1.5;                   // of the β-skeleton
    double alpha = 0;                    // of the α-complex, world units; 0: the mean spacing of the points

    /// Whether a layer is shown; `at_first`: its default.
    bool shows(const std::string& id, bool at_first) const {
        const auto found = layers.find(id);
        return found == layers.end() ? at_first : found->second;
    }
    /// Links are edges: labs use either name.
    void show(const std::string& id, bool on) {
        layers[id] = on;
        if (id == "links" || id == "edges") layers["links"] = layers["edges"] = on;
    }
    friend bool operator==(const DisplayOptions&, const DisplayOptions&) = default;
};

inline glm::dvec2 to_glm(Point p) { return {p.x, p.y}; }
inline glm::dvec3 to_glm(Point3 p) { return {p.x, p.y, p.z}; }
inline Point from_glm(glm::dvec2 p) { return {p.x, p.y}; }
inline Point3 from_glm(const glm::dvec3& p) { return {p.x, p.y, p.z}; }

/// Columns: the camera's axes in space. The transpose, which is the inverse, maps a point of space to two coordinates
/// in the picture's plane and its nearness to the viewer.
inline glm::dmat3 axes_matrix(const ViewAxes& view) {
    return {to_glm(view.right), to_glm(view.up), to_glm(view.toward)};
}

/// The view of space from `azimuth` around the z axis (0: on the x axis) and `elevation` above the xy plane, radians.
/// Up stays up. Azimuth -π/2 and elevation π/2 show the plane as it lies.
inline ViewAxes seen_from(double azimuth, double elevation) {
    const auto tidy = [](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; };  // cos(π/2) is 6e-17
    const double ca = tidy(std::cos(azimuth)), sa = tidy(std::sin(azimuth));
    const double ce = tidy(std::cos(elevation)), se = tidy(std::sin(elevation));
    return {{-sa, ca, 0}, {-se * ca, -se * sa, ce}, {ce * ca, ce * sa, se}};
}
/// Azimuth and elevation in degrees.
inline ViewAxes seen_from_degrees(const std::array<double, 2>& view) {
    constexpr double kDegree = std::numbers::pi / 180;
    return seen_from(view[0] * kDegree, view[1] * kDegree);
}

/// The view rotated to the left around the z axis and up, radians; never over the pole.
inline ViewAxes turned(const ViewAxes& view, double around, double up) {
    constexpr double kPole = std::numbers::pi / 2;
    const double azimuth = std::atan2(-view.right.x, view.right.y);
    const double elevation = std::asin(std::clamp(view.toward.z, -1.0, 1.0));
    return seen_from(azimuth + around, std::clamp(elevation + up, -kPole, kPole));
}

/// The views that a key cycles through: corner, front, right side, top.
inline const std::array<ViewAxes, 4>& standard_views() {
    constexpr double kPi = std::numbers::pi;
    static const std::array<ViewAxes, 4> views{seen_from(-kPi / 3, kPi / 7), seen_from(-kPi / 2, 0), seen_from(0, 0),
                                               seen_from(-kPi / 2, kPi / 2)};
    return views;
}

struct Camera {
    Point center{0, 0};  // world units, in the picture's plane; at the middle of the picture
    double scale = 1;    // pixels per world unit
    ViewAxes view{};     // of space; the default shows the plane
    /// Of unlinked views in space, which are shown whole at zoom 1.
    ViewAxes apart = standard_views()[0];
    double apart_zoom = 1;

    /// Pixels from the middle of the picture, x to the right and y up.
    Point to_pixels(Point place) const { return from_glm((to_glm(place) - to_glm(center)) * scale); }
    Point to_pixels(Point3 place) const { return to_pixels(seen(place)); }
    Point to_world(Point pixels) const { return from_glm(to_glm(center) + to_glm(pixels) / scale); }
    /// The position of a point of space in the picture's plane, world units.
    Point seen(Point3 place) const { return from_glm(glm::dvec2(to_glm(place) * axes_matrix(view))); }

    void pan(double dx, double dy) { center = from_glm(to_glm(center) - glm::dvec2(dx, dy) / scale); }
    /// Keeps the position under `anchor` (pixels from the middle) in place.
    void zoom(double factor, Point anchor) {
        const double wanted = std::clamp(scale * factor, 1e-250, 1e250);
        const glm::dvec2 place = to_glm(to_world(anchor));
        scale = wanted;
        center = from_glm(place - to_glm(anchor) / scale);
    }
    /// Changes the view of space; `pivot` keeps its place in the picture.
    void look_from(const ViewAxes& wanted, Point3 pivot) {
        const glm::dvec2 before = to_glm(seen(pivot));
        view = wanted;
        center = from_glm(to_glm(seen(pivot)) - (before - to_glm(center)));
    }
    /// Fits the box [low, high] of the picture's plane into width × height pixels with a margin.
    void fit(Point low, Point high, double width, double height) {
        const double margin = 0.06 * std::min(width, height) + 6;
        const double room_x = std::max(width - 2 * margin, 16.0), room_y = std::max(height - 2 * margin, 16.0);
        center = {low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
        const double wide = high.x - low.x, tall = high.y - low.y;
        double fitting = 1e300;
        if (wide > 0) fitting = std::min(fitting, room_x / wide);
        if (tall > 0) fitting = std::min(fitting, room_y / tall);
        if (fitting == 1e300)
            fitting = 100 / std::max({std::abs(center.x), std::abs(center.y), 1e-240});  // a single point
        scale = std::clamp(fitting, 1e-250, 1e250);
    }
    /// The same for points in space, as projected.
    void fit(const std::vector<Point>& places, const std::vector<double>& heights, double width, double height) {
        const size_t count = std::min(places.size(), heights.size());
        if (count == 0) return;
        glm::dvec2 low = to_glm(seen({places[0].x, places[0].y, heights[0]})), high = low;
        for (size_t i = 0; i < count; ++i) {
            const glm::dvec2 p = to_glm(seen({places[i].x, places[i].y, heights[i]}));
            low = glm::min(low, p);
            high = glm::max(high, p);
        }
        fit(from_glm(low), from_glm(high), width, height);
    }
    /// For a camera fitted to `low` and `high`: enlarges by a factor around `place`, which replaces their middle.
    void close_in(double factor, Point place, Point low, Point high) {
        const Point middle{low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
        center = {place.x + (center.x - middle.x) / factor, place.y + (center.y - middle.y) / factor};
        scale = std::clamp(scale * factor, 1e-250, 1e250);
    }
    friend bool operator==(const Camera& a, const Camera& b) {
        return a.center == b.center && a.scale == b.scale && a.view == b.view && a.apart == b.apart &&
               a.apart_zoom == b.apart_zoom;
    }
};

}  // namespace flipscope::app
