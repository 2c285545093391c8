// The bytes of an input, from a file or standard input, decompressed and with text as UTF-8.
#pragma once

#include <filesystem>

#include "io/files.h"

namespace flipscope::io {

/// The bytes of a file; "-" is standard input, which is read once and kept. Decompresses gzip and converts UTF-16, with
/// or without a byte order mark, to UTF-8. Throws Error as read_file() does, and for truncated, corrupt or too large
/// compressed data.
FileBytes input_bytes(const std::filesystem::path& path);

/// The name without ".gz", for detecting the format.
std::filesystem::path format_path(const std::filesystem::path& path);

}  // namespace flipscope::io
