// The unit of the input's coordinates in what is told and drawn. Labs and statistics speak of "world units"; where the
// input says what these are ("nm"), reports and colour scales say that: lengths in nm, areas in nm², densities in
// 1/nm². Headless runs and the window rename what a lab gives before it is shown or written.
#pragma once

#include <string>

#include "labs/report.h"
#include "labs/scene.h"

namespace flipscope {

/// "world units" and its powers and inverses in this text, named by `unit`; empty: as it is.
std::string in_unit(std::string text, const std::string& unit);

void name_units(Properties& properties, const std::string& unit);
void name_units(Report& report, const std::string& unit);
/// Of a table whose column "unit" says what the unit of each line is.
void rename_unit_column(Table& table, const std::string& unit);
/// Of colour scales.
void name_units(Scene& scene, const std::string& unit);

}  // namespace flipscope
