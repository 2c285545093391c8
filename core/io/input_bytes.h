// The bytes of an input as its reader sees them: from a file or standard input, decompressed, text as UTF-8.
#pragma once

#include <filesystem>

#include "io/files.h"

namespace flipscope::io {

/// The bytes of a file; "-" is standard input, which is read once and kept. What gzip has compressed is decompressed,
/// and UTF-16, with or without its mark, becomes UTF-8. Throws Error as read_file() does, and for compressed data that
/// is cut, broken or too large.
FileBytes input_bytes(const std::filesystem::path& path);

/// The name that tells the format: without ".gz".
std::filesystem::path format_path(const std::filesystem::path& path);

}  // namespace flipscope::io
