// Decides when a picture of the plane shows the density of points instead of each element, and its scale. Edges of
// elements smaller than pixels would only give a moiré pattern. Independent of OpenGL.
#pragma once

#include <optional>
#include <vector>

#include "app/view/camera.h"
#include "lab/scene.h"

namespace flipscope::app {

/// Name for --show and --hide; if neither is given, the size of the elements decides.
inline constexpr const char* kDensityDisplay = "density";
/// With fewer points there is no density unless requested.
inline constexpr uint32_t kLeastForDensity = 10'000;
/// Pixels (at scale 1) between neighbouring points: below the first only the density is drawn, above the second none.
inline constexpr double kAllDensity = 2.5, kNoDensity = 4;
/// While the camera moves and OpenGL runs on the CPU, only the density is drawn up to this gap, given this many points.
inline constexpr double kHurriedDensity = 8;
inline constexpr uint32_t kLeastHurried = 30'000;
/// The colour scale spans this many powers of two on either side of the mean density.
inline constexpr double kDensityPowers = 5;

/// Approximate world units between points: the side of each point's share as a square; for a surface, on its bounding
/// box.
double point_spacing(const SceneView& view);

/// From 0, only elements, to 1, only the density. `gap`: pixels between neighbours at scale 1.
double density_strength(double gap);

/// The part of a view that the density replaces.
struct DensityPlan {
    const Buffer<Point>* places = nullptr;  // world units; nullptr: no density
    uint32_t count = 0;
    double strength = 0;  // 0…1
    bool covered =
        false;  // a layer coloured by numbers fills the plane: draw neither the density nor the elements it replaces
    std::vector<double> means;   // by layer, 0…1: weight of the mean over the layer's elements
    std::vector<bool> replaced;  // by layer: the density includes its plain elements
    /// The largest strength of the density and the means.
    double most() const;
    explicit operator bool() const { return places && strength > 0; }
};
/// `scale`: pixels per world unit; `line_scale`: pixels of the picture per pixel at scale 1. `hurried`: elements are
/// too slow while the camera moves.
DensityPlan plan_density(const SceneView& view, const DisplayOptions& display, double scale, double line_scale,
                         bool hurried = false);

/// Points per world unit², logarithmic, centred on the view's mean.
ColourScale density_scale(const SceneView& view, uint32_t count);
/// The scale of the first view, if the density dominates it.
std::optional<ColourScale> shown_density_scale(const SceneView& view, const DisplayOptions& display, double scale,
                                               double line_scale);
/// Whether the scene has anything to show as a density.
bool can_show_density(const Scene& scene);

}  // namespace flipscope::app
