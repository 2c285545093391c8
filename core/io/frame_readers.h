// The readers of fields and tracks by format, and how to tell what a file holds. Only the readers in this folder
// include it.
#pragma once

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
/// Throws Error where the array is none of points over time.
Tracks read_npy_tracks(const InputFile& file);

/// Says in `notes` where points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

}  // namespace flipscope::io
