// The unit of the input's coordinates in what is told and drawn. Labs and statistics speak of "world units"; where the
// input says what these are ("nm"), reports and colour scales say that: lengths in nm, areas in nm², densities in
// 1/nm². Headless runs and the window rename what a lab gives before it is shown or written.
#pragma once

#include <string>

#include "geometry/point.h"
#include "lab/report.h"
#include "lab/scene.h"

namespace flipscope {

/// "world units" and its powers and inverses in this text, named by `unit`; empty: as it is.
std::string in_unit(std::string text, const std::string& unit);

/// What a length in a picture is called, and how the picture's coordinates become world units: of a lattice by the size
/// of its pixels.
struct PictureUnits {
    std::string name = {};  // "nm"; empty: not known
    LatticeUnits given = {};
    double size() const;  // of a unit of the picture, world units
    /// " nm", or nothing.
    std::string behind() const { return name.empty() ? name : " " + name; }
    /// "x (nm)", or "x".
    std::string axis(const std::string& letter) const { return name.empty() ? letter : letter + " (" + name + ")"; }
};
PictureUnits units_of(const SceneView& view, const std::string& unit);

/// The unit that world units of a scene are; empty: not known, or not those of the input. `input`: may be nullptr.
std::string length_unit(const Scene& scene, const Geometry* input);

void name_units(Properties& properties, const std::string& unit);
void name_units(Report& report, const std::string& unit);
/// Of colour scales.
void name_units(Scene& scene, const std::string& unit);

}  // namespace flipscope
