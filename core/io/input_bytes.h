// The bytes of an input, from a file or standard input, decompressed and with text as UTF-8.
#pragma once

#include <filesystem>
#include <new>
#include <stdexcept>

#include "compute/error.h"
#include "io/files.h"

namespace flipscope::io {

/// The bytes of a file; "-" is standard input, which is read once and kept. Decompresses gzip and converts UTF-16, with
/// or without a byte order mark, to UTF-8. Throws Error as read_file() does, and for truncated, corrupt or too large
/// compressed data.
FileBytes input_bytes(const std::filesystem::path& path);

/// The name without ".gz", for detecting the format.
std::filesystem::path format_path(const std::filesystem::path& path);

/// Returns read(), and reports a lack of memory as an error of the file.
template <class Read>
auto within_memory(const std::filesystem::path& path, const Read& read) {
    const auto fail = [&] { return Error(path.string() + ": not enough memory to read it"); };
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw fail();
    } catch (const std::length_error&) {
        throw fail();
    }
}

}  // namespace flipscope::io
