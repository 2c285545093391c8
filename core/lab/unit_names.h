// The unit of the input's coordinates in reports and pictures. Labs and statistics use "world units"; if the input
// names the unit ("nm"), reports and colour scales use it: lengths in nm, areas in nm², densities in 1/nm². Headless
// runs and the window rename the units before showing or writing them.
#pragma once

#include <string>

#include "geometry/point.h"
#include "lab/report.h"
#include "lab/scene.h"

namespace flipscope {

/// Replaces "world units" and its powers and inverses in this text by `unit`; empty: no change.
std::string in_unit(std::string text, const std::string& unit);

/// The unit of lengths in a picture, and the scale from the picture's coordinates to world units: for a lattice, the
/// size of its pixels.
struct PictureUnits {
    std::string name = {};  // "nm"; empty: unknown
    LatticeUnits given = {};
    double size() const;  // one unit of the picture in world units
    /// " nm", or empty.
    std::string behind() const { return name.empty() ? name : " " + name; }
    /// "x (nm)", or "x".
    std::string axis(const std::string& letter) const { return name.empty() ? letter : letter + " (" + name + ")"; }
};
PictureUnits units_of(const SceneView& view, const std::string& unit);

/// The name of a scene's world unit; empty: unknown, or not the unit of the input. `input` may be nullptr.
std::string length_unit(const Scene& scene, const Geometry* input);

void name_units(Properties& properties, const std::string& unit);
void name_units(Report& report, const std::string& unit);
/// Renames the units of colour scales.
void name_units(Scene& scene, const std::string& unit);

}  // namespace flipscope
