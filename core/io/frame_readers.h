// Readers of fields and tracks by format, and the detection of tracks. Only the readers in this folder include it.
#pragma once

#include <functional>

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
/// Throws Error for any other array.
Tracks read_npy_tracks(const InputFile& file);

/// Rows of points with times and ids, in any order.
struct RowsOverTime {
    std::vector<double> times;  // (n) finite
    std::vector<int64_t> ids;   // (n)
    std::vector<Point> places;  // (n)
    std::vector<Attribute> attributes;
};
/// Why such rows are points and not tracks, for the note: one time only, or no repeated id. Empty: they are tracks.
std::string why_no_tracks(const std::vector<double>& times, std::vector<int64_t> ids);
/// Sorts such rows into frames. `row_name`: "line 7", "row 7". Throws Error for a repeated id at one time: "foam.csv:
/// line 17: id 4 is at t = 3 already in line 12".
Tracks in_frames(const InputFile& file, RowsOverTime rows, const std::function<std::string(size_t row)>& row_name);

/// Notes whether points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

}  // namespace flipscope::io
