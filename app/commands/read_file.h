// `flipscope read FILE`: how a file is interpreted. Runs no lab.
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
/// status. Throws Error like read_input().
int read_file(const ReadFileOptions& options);

}  // namespace flipscope::app
