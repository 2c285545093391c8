// Writing points over time as extended XYZ, the text format that ASE, OVITO and others read: for each frame the number
// of points, a line of keys and values, and a row for each point. The reader stands with those of other tracks
// (io/fields.h).
#pragma once

#include <filesystem>

#include "geometry/trajectory.h"

namespace flipscope {

/// Every number is written so that it is read back as the same double. The rows have the columns species, pos (x, y
/// and 0), id where frames have ids, and each of the trajectory's own columns. The first line of a frame tells Time
/// and Step, and of a periodic box Lattice, Origin and pbc="T T F", of a channel pbc="T F F" or "F T F".
///
/// ASE takes only chemical symbols as species, so species 0, 1, 2 … are written as H, He, Li …, points of one kind as
/// X, and the names of the species as species_names in the first line of a frame.
///
/// Complete or not at all, as every OutputFile. Throws Error when it cannot be written, and where there are no frames;
/// std::logic_error for columns of another length than the places, or names that are no single word.
void write_xyz(const std::filesystem::path& path, const Trajectory& trajectory);

}  // namespace flipscope
