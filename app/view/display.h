// Shows and hides layers of a picture by name, for the command line and scenario files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/view/camera.h"
#include "instruments/structures.h"
#include "lab/scene.h"

namespace flipscope::app {

/// Display option: the scale bar, on by default; key Ctrl+B.
inline constexpr const char* kScaleBarDisplay = "scale-bar";

/// Display option: ids and names of elements, off by default; `--show ids`, key Y.
inline constexpr const char* kIdsDisplay = "ids";

/// Shows or hides the named layers; "mesh": triangles, edges, points and cells.
void set_display(DisplayOptions& display, const std::vector<std::string>& names, bool shown);

/// The valid names for this scene: its layers, and the names of all labs' layers, which have no effect if the scene
/// lacks them.
std::vector<std::string> display_names(const Scene& scene);
/// Throws Error for any other name. `place_of`: where a scenario file mentions the name, or empty.
void check_display(const DisplayOptions& display, const Scene& scene,
                   const std::function<std::string(const std::string& name)>& place_of);

/// The structures whose layers are shown.
StructureChoice structures_of(const DisplayOptions& display);
/// Whether any layer of this name is shown.
bool shows_layer(const DisplayOptions& display, const Scene& scene, const std::string& id);
/// Whether the picture has triangles coloured by their minimum angle.
bool shows_angles(const DisplayOptions& display, const Scene& scene);
/// Whether there are layers whose triangles can be coloured this way.
bool has_triangles(const Scene& scene);
/// Colours triangles by minimum angle, showing hidden ones of any layer; or switches that off.
void show_angles(DisplayOptions& display, const Scene& scene, bool on);
/// The number scales of the visible layers, without duplicates.
std::vector<ColourScale> shown_scales(const DisplayOptions& display, const Scene& scene);
/// The classes of the other scales, as legend entries.
std::vector<LegendEntry> shown_categories(const DisplayOptions& display, const Scene& scene);

}  // namespace flipscope::app
