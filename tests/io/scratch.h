// A folder for the files of one test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace flipscope {

/// A new one, empty, that no other test has, though several run at a time. The caller removes it.
inline std::filesystem::path make_scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "flipscope-scratch-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
}

}  // namespace flipscope
