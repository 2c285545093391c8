// Writes points over time as extended XYZ, the text format of ASE, OVITO and others: for each frame the number of
// points, a line of keys and values, and a row per point. The reader is in io/fields.h.
#pragma once

#include <filesystem>

#include "geometry/trajectory.h"

namespace flipscope {

/// Every number reads back as the same double. The rows have the columns species, pos (x, y and 0), id where frames
/// have ids, and each of the trajectory's own columns. The first line of a frame has Time and Step; for a periodic box
/// also Lattice, Origin and pbc="T T F", for a channel pbc="T F F" or "F T F".
///
/// ASE accepts only chemical symbols as species, so species 0, 1, 2 … are written as H, He, Li …, points of one kind as
/// X, and the names of the species as species_names in the first line of a frame.
///
/// Written completely or not at all (OutputFile). Throws Error, also without frames; std::logic_error for columns whose
/// length differs from the places, or names that are not single words.
void write_xyz(const std::filesystem::path& path, const Trajectory& trajectory);

}  // namespace flipscope
