// Folders of the program: the files installed with it, and the state and preferences of a user. Needs neither a window
// nor /proc.
#pragma once

#include <filesystem>

namespace flipscope::app {

/// The folder of the program's file, with links resolved; empty if the system does not provide it.
std::filesystem::path program_folder();

/// share/flipscope next to the program's folder, which is bin or, in a bundle, lib/flipscope; empty if it does not
/// exist, as in a build folder.
std::filesystem::path shared_folder();

/// XDG_STATE_HOME/flipscope, by default ~/.local/state/flipscope. It may not exist.
std::filesystem::path state_folder();

/// XDG_CONFIG_HOME/flipscope, by default ~/.config/flipscope. It may not exist.
std::filesystem::path config_folder();

}  // namespace flipscope::app
