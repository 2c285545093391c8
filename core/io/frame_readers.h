// The readers of fields and tracks by format, and how to tell what a file holds. Only the readers in this folder
// include it.
#pragma once

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

enum class Holds { kPoints, kTracks };

/// Tracks if its first line names columns t, id, x and y; else points.
Holds what_text_holds(const std::filesystem::path& path, std::string_view text);

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
/// Throws Error where the array is none of points over time.
Tracks read_npy_tracks(const InputFile& file);
Tracks read_text_tracks(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);
Tracks read_xyz_tracks(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);

/// Says in `notes` where points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

}  // namespace flipscope::io
