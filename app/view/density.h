// When a picture of the plane shows how densely points lie instead of each of them, and by which scale. Where elements
// are smaller than pixels, their edges would only make a moiré. Knows no OpenGL.
#pragma once

#include <optional>
#include <vector>

#include "app/view/camera.h"
#include "lab/scene.h"

namespace flipscope::app {

/// The name by which --show and --hide turn the density on and off; unnamed, the size of the elements decides.
inline constexpr const char* kDensityDisplay = "density";
/// With fewer points than this there is no density, unless it is asked for.
inline constexpr uint32_t kLeastForDensity = 10'000;
/// Pixels (at scale 1) between neighbouring points: below the first there is the density alone, above the second none.
inline constexpr double kAllDensity = 2.5, kNoDensity = 4;
/// While the eye moves and OpenGL runs on the CPU, there is the density alone up to this gap, of so many points.
inline constexpr double kHurriedDensity = 8;
inline constexpr uint32_t kLeastHurried = 30'000;
/// The scale of colours spans so many powers of two on either side of the mean density.
inline constexpr double kDensityPowers = 5;

/// World units per point, roughly: the side of a square that each point has to itself, of a surface on its box.
double point_spacing(const SceneView& view);

/// From 0, elements alone, to 1, the density alone. `gap`: pixels between neighbours, at scale 1.
double density_strength(double gap);

/// What of a view the density stands for.
struct DensityPlan {
    const Buffer<Point>* places = nullptr;  // world units; none: there is no density
    uint32_t count = 0;
    double strength = 0;  // 0…1
    bool covered =
        false;  // a layer coloured by numbers fills the plane: no density is drawn, and no element it replaces
    std::vector<double> means;   // by layer, 0…1: how far the mean of what colours it stands for its elements
    std::vector<bool> replaced;  // by layer: its plain elements are part of the density
    /// Of densities and means.
    double most() const;
    explicit operator bool() const { return places && strength > 0; }
};
/// `scale`: pixels per world unit; `line_scale`: pixels of the picture for one at scale 1.
/// `hurried`: elements take too long while the eye moves.
DensityPlan plan_density(const SceneView& view, const DisplayOptions& display, double scale, double line_scale,
                         bool hurried = false);

/// Points per world unit², logarithmic, around the mean of the view.
ColourScale density_scale(const SceneView& view, uint32_t count);
/// That of the first view, where the density is most of what it shows.
std::optional<ColourScale> shown_density_scale(const SceneView& view, const DisplayOptions& display, double scale,
                                               double line_scale);
/// Whether there is anything in the scene that could be shown so.
bool can_show_density(const Scene& scene);

}  // namespace flipscope::app
