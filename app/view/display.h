// What a picture is told to show or to leave out, by the names of layers: the command line and scenario files ask for
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/view/camera.h"
#include "lab/scene.h"

namespace flipscope::app {

/// The look that shows how long a length of the world is in the window's picture, on at first: the key Ctrl+B.
inline constexpr const char* kScaleBarDisplay = "scale-bar";

/// The look that shows ids and names of elements, off at first: `--show ids`, the key Y.
inline constexpr const char* kIdsDisplay = "ids";

/// Shows what is named, or leaves it out.
void set_display(DisplayOptions& display, const std::vector<std::string>& names, bool shown);

/// What can be named where this scene is shown: its layers, and the names that layers of any lab have had, which do
/// nothing where there is no such layer.
std::vector<std::string> display_names(const Scene& scene);
/// Throws Error for a name that is none of these. `place_of`: where a scenario file names it, or nothing.
void check_display(const DisplayOptions& display, const Scene& scene,
                   const std::function<std::string(const std::string& name)>& place_of);

/// Whether any layer of this name is shown.
bool shows_layer(const DisplayOptions& display, const Scene& scene, const std::string& id);
/// Whether there are triangles in the picture that are coloured by their smallest angle.
bool shows_angles(const DisplayOptions& display, const Scene& scene);
/// Whether there are layers whose triangles could be coloured so.
bool has_triangles(const Scene& scene);
/// Colours triangles by their minimum angle, and shows those that are hidden, whatever their layers are called; or no
/// longer.
void show_angles(DisplayOptions& display, const Scene& scene, bool on);
/// The scales of numbers of the layers that are shown, each once.
std::vector<ColourScale> shown_scales(const DisplayOptions& display, const Scene& scene);
/// What the classes of the other scales are called, as a legend lists them.
std::vector<LegendEntry> shown_categories(const DisplayOptions& display, const Scene& scene);

}  // namespace flipscope::app
