// The readers of fields and tracks by format, and how to tell what a file holds. Only the readers in this folder
// include it.
#pragma once

#include <functional>

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
/// Throws Error where the array is none of points over time.
Tracks read_npy_tracks(const InputFile& file);

/// Points at times, a row each, in any order.
struct RowsOverTime {
    std::vector<double> times;  // (n) finite
    std::vector<int64_t> ids;   // (n)
    std::vector<Point> places;  // (n)
    std::vector<Attribute> attributes;
};
/// Why such rows are points and no tracks, for the line of what was understood: all are of one time, or no id comes
/// again. Empty: they are tracks.
std::string why_no_tracks(const std::vector<double>& times, std::vector<int64_t> ids);
/// Such rows as frames. `row_name` says which row is meant: "line 7", "row 7". Throws Error for an id that is at one
/// time twice: "foam.csv: line 17: id 4 is at t = 3 already in line 12".
Tracks in_frames(const InputFile& file, RowsOverTime rows, const std::function<std::string(size_t row)>& row_name);

/// Says in `notes` where points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

}  // namespace flipscope::io
