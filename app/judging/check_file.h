// `flipscope check FILE`: judges the triangles of a file, without a lab or a device.
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
    std::string command;              // of a program to run on the points; or empty
    ProgramLimits limits;             // of that program
    ReadOptions read;
    Requirement required = Requirement::kDelaunay;
    std::string sarif, junit;          // files, "-" for stdout, or empty
    int threads = 0;                   // 0: as many as the machine has
    std::string json;                  // a file, "-" for stdout, or empty
    std::vector<std::string> exports;  // files of failures
    bool quiet = false;
};

/// Returns kSuccess, kCheckFailed if a case lacks what is required, or kWrongUse if a file of a folder is unreadable.
/// Throws Error if the only file is.
int check_file(const CheckOptions& options);

}  // namespace flipscope::app
