#include "app/output_file.h"

#include <unistd.h>

#include <fstream>

#include "compute/error.h"

namespace flipscope::app {

namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& path) {
    throw Error(path.string() + ": cannot be written; is there room, and may you write there?");
}

bool write_directly(const std::filesystem::path& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    return static_cast<bool>(stream);
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, const std::string& text) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        if (!write_directly(path, text)) cannot_write(path);
        return;
    }
    auto target = std::filesystem::weakly_canonical(path, error);  // a link stays, what it points to is replaced
    if (error) target = path;
    auto temporary = target;
    temporary += ".part" + std::to_string(getpid());
    if (write_directly(temporary, text)) {
        std::filesystem::rename(temporary, target, error);
        if (!error) return;
    }
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    cannot_write(path);
}

}  // namespace flipscope::app
