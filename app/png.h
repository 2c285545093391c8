// Writing pixels as a PNG file. Reading one: image_formats.h.
#pragma once

#include <filesystem>
#include <vector>

namespace flipscope::app {

/// `rgba`: width × height × 4 bytes, rows from the top; written without transparency. The file appears whole or not at
/// all (io/output_file.h). Throws flipscope::Error when it cannot be written.
void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height);

}  // namespace flipscope::app
