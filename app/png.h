// Writing pixels as a PNG file.
#pragma once

#include <filesystem>
#include <vector>

namespace flipscope::app {

/// `rgba`: width × height × 4 bytes, rows from the top; written without transparency. Throws flipscope::Error when the
/// file cannot be written.
void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height);

}  // namespace flipscope::app
