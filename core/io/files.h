// Files as a user names them: where a name that starts with "~" leads, and the bytes of what lies there, whatever it
// is. Every reader of the library and of the program takes its bytes from here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace flipscope::io {

/// The file that a user means by `text`: "~/x" lies in the home folder, "~ada/x" in that of the user ada. Everything
/// else, and a "~" whose home is unknown, is taken as it stands. For names that no shell has seen: of an option with
/// "=", of a scenario, of the window.
std::filesystem::path user_path(const std::string& text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// The extension of a name with its dot, in lower case: ".npy" of "A.NPY"; empty: it has none.
std::string lower_extension(const std::filesystem::path& path);

/// A larger file is not read: half of this machine's memory, in bytes.
uint64_t most_file_bytes();

/// The bytes of a regular file. Never waits: pipes, devices and sockets are refused, as are folders and files of more
/// than `most_bytes`. Throws Error saying why it cannot be read.
std::string read_file(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());

/// The bytes of a file, in memory that is not cleared first: a large file is read on all cores, where clearing memory
/// for it would take as long as reading it.
class FileBytes {
  public:
    FileBytes() = default;
    /// As read_file() does.
    explicit FileBytes(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());
    explicit FileBytes(std::string text) : text_(std::move(text)) {}
    std::string_view view() const { return bytes_ ? std::string_view(bytes_.get(), size_) : std::string_view(text_); }
    operator std::string_view() const { return view(); }

  private:
    std::unique_ptr<char[]> bytes_;  // of a file, else nullptr
    size_t size_ = 0;
    std::string text_;
};

}  // namespace flipscope::io
