// The readers of fields and tracks by format, and how to tell what a file holds. Only the readers in this folder
// include it.
#pragma once

#include "geometry/frames.h"
#include "io/parse.h"

namespace flipscope::io {

enum class Holds { kPoints, kField, kTracks };

/// By its shape: (n, 2) points, (h, w) and (t, h, w) a field, (t, n, 2) tracks. Throws Error for another shape.
Holds what_npy_holds(const std::filesystem::path& path, std::string_view bytes);

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
Tracks read_npy_tracks(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
Tracks read_xyz_tracks(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);

/// Says in `notes` where points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

}  // namespace flipscope::io
