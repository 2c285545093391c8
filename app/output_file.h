// Files that the program writes beside pictures and meshes: JSON, CSV, arrays.
#pragma once

#include <filesystem>
#include <string>

namespace flipscope::app {

/// Under a temporary name first: a file appears complete or not at all. Pipes and devices are written to as they are.
/// Throws Error when it cannot be written.
void write_whole_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace flipscope::app
