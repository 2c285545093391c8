// `flipscope read FILE`: what would be read of a file, and how it was understood. Runs nothing.
#pragma once

#include <filesystem>
#include <string>

#include "io/read_options.h"

namespace flipscope::app {

struct ReadFileOptions {
    std::filesystem::path file;
    ReadOptions read;
    std::string json;  // a file, "-" for stdout, or empty
    bool quiet = false;
};

/// Prints columns with type, role, unit, range and missing values, the box, frames and the first rows. Returns the exit
/// status. Throws Error as read_input() does.
int read_file(const ReadFileOptions& options);

}  // namespace flipscope::app
