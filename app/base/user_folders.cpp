#include "app/base/user_folders.h"

#include <cstdlib>

namespace flipscope::app {

namespace {

std::filesystem::path user_folder(const char* variable, const char* usual) {
    const char* const named = std::getenv(variable);
    const char* const home = std::getenv("HOME");
    const std::filesystem::path folder = named && *named ? std::filesystem::path(named)
                                         : home && *home ? std::filesystem::path(home) / usual
                                                         : std::filesystem::temp_directory_path();
    return folder / "flipscope";
}

}  // namespace

std::filesystem::path state_folder() { return user_folder("XDG_STATE_HOME", ".local/state"); }
std::filesystem::path config_folder() { return user_folder("XDG_CONFIG_HOME", ".config"); }

}  // namespace flipscope::app
