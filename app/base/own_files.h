// Where the program finds what was installed with it. Without a window, and without /proc.
#pragma once

#include <filesystem>

namespace flipscope::app {

/// The folder of this program's file, links followed; empty where the system does not tell.
std::filesystem::path program_folder();

/// share/flipscope beside the folder of the program, whether that is bin or, in a bundle, lib/flipscope; empty where
/// there is none, as in a build folder.
std::filesystem::path shared_folder();

}  // namespace flipscope::app
