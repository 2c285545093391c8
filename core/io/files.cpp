#include "io/files.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/on_all_cores.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

/// The home folder of the user `name`, or of the current user for an empty name; empty: unknown.
std::string home_of(const std::string& name) {
    if (name.empty()) {
        if (const char* home = std::getenv("HOME"); home && *home) return home;
    }
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> texts(1 << 14);  // bytes; more than any entry needs
    if (name.empty())
        getpwuid_r(getuid(), &entry, texts.data(), texts.size(), &found);
    else
        getpwnam_r(name.c_str(), &entry, texts.data(), texts.size(), &found);
    return found && found->pw_dir ? found->pw_dir : "";
}

std::string shown_size(uint64_t bytes) {
    const bool large = bytes >= 1'000'000'000;
    char text[40];
    std::snprintf(text, sizeof text, "%.1f %s", static_cast<double>(bytes) / (large ? 1e9 : 1e6), large ? "GB" : "MB");
    return text;
}

/// Why this file cannot be read; empty for a regular file.
const char* not_a_file(mode_t mode) {
    if (S_ISREG(mode)) return "";
    if (S_ISDIR(mode)) return "is a folder, not a file";
    if (S_ISFIFO(mode)) return "is a pipe, not a regular file; save what it carries to a file first";
    if (S_ISSOCK(mode)) return "is a socket, not a regular file";
    return "is a device, not a regular file";
}

struct OpenFile {
    Descriptor descriptor;
    size_t size;
};
OpenFile open_file(const std::filesystem::path& path, uint64_t most_bytes) {
    const auto fail = [&](const std::string& why) { return Error(path.string() + ": " + why); };
    if (path.native().find('\0') != std::string::npos)  // the system would truncate the name there
        throw Error(std::string(path.c_str()) + ": its name contains a zero byte");
    const auto require_file = [&](const struct stat& status) {
        if (const char* why = not_a_file(status.st_mode); *why) throw fail(why);
    };
    // Check before opening: opening a pipe would wake a program that waits to write to it.
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) throw fail("no such file");
        if (errno == ELOOP) throw fail("is a link that leads back to itself");
        throw fail("cannot be read: " + system_reason());
    }
    require_file(status);
    // The file may have been replaced since: that must not block either.
    Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file) throw fail("cannot be opened: " + system_reason());
    if (fstat(file.get(), &status) != 0) throw fail("cannot be read: " + system_reason());
    require_file(status);
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size > most_bytes)
        throw fail("has " + shown_size(size) + ", and at most " + shown_size(most_bytes) +
                   " of such a file can be read; take a part of it");
    return {std::move(file), static_cast<size_t>(size)};
}

/// Returns the number of bytes read: fewer if the file ends early.
size_t read_part(const std::filesystem::path& path, const Descriptor& file, size_t begin, char* bytes, size_t count) {
    constexpr size_t kStep = size_t(16) << 20;  // bytes between two polls of the cancel flag
    size_t got = 0;
    while (got < count) {
        throw_if_cancelled();
        const ssize_t read =
            pread(file.get(), bytes + got, std::min(kStep, count - got), static_cast<off_t>(begin + got));
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) throw Error(path.string() + ": cannot be read: " + system_reason());
        if (read == 0) break;
        got += static_cast<size_t>(read);
    }
    return got;
}

}  // namespace

std::filesystem::path user_path(const std::string& text) {
    if (!text.starts_with('~')) return text;
    const size_t end = std::min(text.find('/'), text.size());
    const std::string home = home_of(text.substr(1, end - 1));
    return home.empty() ? text : home + text.substr(end);
}

std::string lower_case(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return copy;
}

std::string lower_extension(const std::filesystem::path& path) { return lower_case(path.extension().string()); }

bool comes_before(const std::string& a, const std::string& b) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_decimal_digit(a[i]) && is_decimal_digit(b[j])) {
            while (i < a.size() && a[i] == '0') ++i;
            while (j < b.size() && b[j] == '0') ++j;
            size_t end_i = i, end_j = j;
            while (end_i < a.size() && is_decimal_digit(a[end_i])) ++end_i;
            while (end_j < b.size() && is_decimal_digit(b[end_j])) ++end_j;
            if (end_i - i != end_j - j) return end_i - i < end_j - j;
            const int order = a.compare(i, end_i - i, b, j, end_j - j);
            if (order != 0) return order < 0;
            i = end_i, j = end_j;
            continue;
        }
        const int x = std::tolower(static_cast<unsigned char>(a[i])),
                  y = std::tolower(static_cast<unsigned char>(b[j]));
        if (x != y) return x < y;
        ++i, ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error, ignored;
    for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        throw_if_cancelled();
        const std::filesystem::path& file = each->path();
        if (!file.filename().string().starts_with('.') && !std::filesystem::is_directory(file, ignored))
            files.push_back(file);
    }
    if (error) throw Error(folder.string() + ": cannot be read: " + error.message());
    std::ranges::sort(
        files, [](const auto& a, const auto& b) { return comes_before(a.filename().string(), b.filename().string()); });
    return files;
}

std::string folder_name(const std::filesystem::path& folder) {
    const std::filesystem::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
    return name.empty() || name == "." ? folder.string() : name.string();
}

uint64_t most_file_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return uint64_t{1} << 32;
    return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) / 2;
}

std::string read_file(const std::filesystem::path& path, uint64_t most_bytes) {
    const OpenFile file = open_file(path, most_bytes);
    std::string bytes(file.size, '\0');
    bytes.resize(read_part(path, file.descriptor, 0, bytes.data(), bytes.size()));
    return bytes;
}

FileBytes::FileBytes(const std::filesystem::path& path, uint64_t most_bytes) : path_(path) {
    constexpr size_t kHead = size_t(1) << 20;
    OpenFile file = open_file(path, most_bytes);
    text_.resize(std::min(kHead, file.size));
    text_.resize(read_part(path, file.descriptor, 0, text_.data(), text_.size()));
    size_ = file.size > kHead ? file.size : text_.size();
    if (!head_is_all()) file_ = std::move(file.descriptor);
}

std::string_view FileBytes::view() const {
    if (head_is_all()) return text_;
    if (!bytes_) {
        auto bytes = std::make_unique_for_overwrite<char[]>(size_);
        constexpr size_t kPart = size_t(8) << 20;
        std::vector<size_t> got((size_ + kPart - 1) / kPart);
        on_all_cores(got.size(), [&](size_t i) {
            got[i] = read_part(path_, file_, i * kPart, bytes.get() + i * kPart, std::min(kPart, size_ - i * kPart));
        });
        // Keeps the part of a file that was truncated during reading.
        for (size_t i = 0; i < got.size() && in_memory_ == i * kPart; ++i) in_memory_ += got[i];
        bytes_ = std::move(bytes);
    }
    return {bytes_.get(), in_memory_};
}

std::string_view FileBytes::part(size_t begin, size_t count, std::string& buffer) const {
    if (head_is_all() || bytes_) return view().substr(std::min(begin, view().size()), count);
    count = std::min(count, size_ - std::min(begin, size_));
    if (buffer.size() < count) buffer.resize(count);
    return {buffer.data(), read_part(path_, file_, begin, buffer.data(), count)};
}

}  // namespace flipscope::io
