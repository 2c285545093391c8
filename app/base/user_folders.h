// Where a user's files of this program lie that no one has named: its state and its preferences.
#pragma once

#include <filesystem>

namespace flipscope::app {

/// XDG_STATE_HOME/flipscope, by default ~/.local/state/flipscope. It need not be there yet.
std::filesystem::path state_folder();

/// XDG_CONFIG_HOME/flipscope, by default ~/.config/flipscope. It need not be there yet.
std::filesystem::path config_folder();

}  // namespace flipscope::app
