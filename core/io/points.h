// Reading the user's points: text, Triangle's .node and NumPy's .npy. Coordinates come out as the nearest doubles to
// what is written, in the order of the file; nothing is snapped, sorted or removed. Whatever the file is, the outcome
// is a Geometry the predicates accept or an Error that names the place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compute/error.h"
#include "geometry/point.h"

namespace flipscope {

struct FormatInfo {
    std::vector<std::string> extensions;  // lower case with the dot: ".xy", ".txt"
    std::string sentence;
};

/// The formats read_points understands, for lists and file dialogs.
const std::vector<FormatInfo>& point_formats();

/// Reads points by the file's extension (any case). What was left out of the file, such as extra columns, is said in
/// `notes`, one sentence each, when given. The set's name is the file's name without its folder.
/// Throws Error: `points.xy:41: expected two numbers, found "1.0 abc"`, `points.npy: expected shape (n, 2), found
/// (n, 3)`; also for a file that is missing, unreadable, a folder or holds no points.
Geometry read_points(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr);

/// Throws Error unless coordinate_in_range(value) (geometry/predicates.h), with a sentence that starts with `where`, a
/// place the user knows: "points.xy:41: x" gives "points.xy:41: x is nan, not a finite number".
void require_in_range(double value, const std::string& where);

/// Hands the points back, or throws Error naming the first one that is out of range; for points that did not come from
/// a file, such as a generator's with a large scale.
Geometry check_points(Geometry set);

}  // namespace flipscope
