// `flipscope check FILE`: what is wrong with the triangles of a file, with no lab and no device.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/judging/judged_case.h"
#include "app/judging/outside_program.h"
#include "io/read_options.h"

namespace flipscope::app {

struct CheckOptions {
    std::filesystem::path input;      // points, a mesh, or a folder
    std::filesystem::path triangles;  // over the points; or empty
    std::string command;              // of a program that is run on the points; or empty
    ProgramLimits limits;             // of it
    ReadOptions read;
    Requirement required = Requirement::kDelaunay;
    std::string sarif, junit;          // files, "-" for stdout, or empty
    int threads = 0;                   // 0: as many as the machine has
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of failures
    bool quiet = false;
};

/// Returns kSuccess, or kCheckFailed where no lab could start from the file's triangles. Throws Error for a file that
/// cannot be read at all.
int check_file(const CheckOptions& options);

}  // namespace flipscope::app
