// Reads numbers on a lattice, and points over time. Values are those of the file; row 0 of an array is the bottom row
// of the lattice, unless the user sets y to down. Called by read_geometry(), and by the program if the user states the
// kind of a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/frames.h"
#include "io/points.h"
#include "io/read_options.h"

namespace flipscope {

/// The most pixels along each axis.
inline constexpr uint64_t kMostPixels = 16384;

/// Reads a .npy array of shape (h, w), one frame, or (t, h, w), of floating-point numbers, integers or bool; with
/// options.y_down its row 0 is the top. `notes`, if given, receives unused parts. Throws Error: "foam.npy: frame 3, row
/// 5, column 7 is nan, not a finite number", "foam.npy: expected shape (h, w) or (t, h, w), found (8,)".
FieldStack read_field(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                      const ReadOptions& options = {});

/// Reads points over time, in any format of read_geometry(); a file of points is one frame. A table: columns of times,
/// ids, x and y, by their names in its header (io/table_roles.h), or the first four without one. Rows may be in any
/// order; those without a place, a time or an id are skipped. .npy: shape (t, n, 2), where point i has the id i, frame
/// k the time k, and (nan, nan) is missing. .xyz: plain or extended XYZ; the time is Time=…, or Step=…, or the number
/// of the frame; the id is a column "id" or the number of the row; the box is a Lattice that is a rectangle, periodic
/// in x and y. Ids may be missing in some frames, which is noted. Throws Error: "foam.csv:17: id 4 is at t = 3 already
/// in line 12", and as read_points.
Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                   const ReadOptions& options = {});

}  // namespace flipscope
