#include "app/base/folders.h"

#include <sys/auxv.h>

#include <cstdlib>
#include <system_error>

namespace flipscope::app {

namespace fs = std::filesystem;

fs::path program_folder() {
    std::error_code failure;
    fs::path program = fs::read_symlink("/proc/self/exe", failure);
    if (failure) {  // no /proc: early in the program, the path it was started by is still valid
        const auto* started_as = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
        program = started_as ? fs::canonical(started_as, failure) : fs::path();
        if (failure) return {};
    }
    return program.parent_path();
}

fs::path shared_folder() {
    const fs::path program = program_folder();
    if (program.empty()) return {};
    std::error_code ignored;
    for (const char* from : {"../share/flipscope", "../../share/flipscope"}) {
        const fs::path folder = (program / from).lexically_normal();
        if (fs::is_directory(folder, ignored)) return folder;
    }
    return {};
}

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
