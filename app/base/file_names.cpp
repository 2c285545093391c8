#include "app/base/file_names.h"

#include <cstdio>
#include <filesystem>

#include "compute/error.h"

namespace flipscope::app {

std::string absolute_name(const std::string& name) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(name, error);
    return error ? name : whole.string();
}

std::string free_name(const std::string& start, const char* extension) {
    for (int i = 1; i < 10000; ++i) {
        char number[16];
        std::snprintf(number, sizeof number, "-%03d", i);
        std::string name = start + number + extension;
        std::error_code error;
        if (!std::filesystem::exists(std::filesystem::symlink_status(name, error))) return name;
    }
    throw Error("this folder is full of " + start + "-…" + extension + ": move some of them away");
}

}  // namespace flipscope::app
