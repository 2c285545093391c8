// Default folders for the program's state and preferences of a user.
#pragma once

#include <filesystem>

namespace flipscope::app {

/// XDG_STATE_HOME/flipscope, by default ~/.local/state/flipscope. It may not exist.
std::filesystem::path state_folder();

/// XDG_CONFIG_HOME/flipscope, by default ~/.config/flipscope. It may not exist.
std::filesystem::path config_folder();

}  // namespace flipscope::app
