// Finds the files installed with the program. Needs neither a window nor /proc.
#pragma once

#include <filesystem>

namespace flipscope::app {

/// The folder of the program's file, with links resolved; empty if the system does not provide it.
std::filesystem::path program_folder();

/// share/flipscope next to the program's folder, which is bin or, in a bundle, lib/flipscope; empty if it does not
/// exist, as in a build folder.
std::filesystem::path shared_folder();

}  // namespace flipscope::app
