// Files as a user names them: where a name that starts with "~" leads, and the bytes of what lies there, whatever it
// is. Every reader of the library and of the program takes its bytes from here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/descriptor.h"

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

/// The bytes of a file. The constructor reads its beginning, view() all of it, part() a part alone. A text in memory is
/// used in the same way.
class FileBytes {
  public:
    FileBytes() = default;
    /// Throws Error as read_file() does.
    explicit FileBytes(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());
    explicit FileBytes(std::string text) : text_(std::move(text)), size_(text_.size()) {}

    size_t size() const { return size_; }  // of a file as it was when it was opened
    /// Its first bytes, 1 MiB of them where it has so many.
    std::string_view head() const { return text_; }
    bool head_is_all() const { return text_.size() == size_; }
    /// All bytes; of a file they are kept from here on. Throws Error. One thread may be the first to ask for them.
    std::string_view view() const;
    operator std::string_view() const { return view(); }
    /// `count` bytes from `begin`, or fewer at the end, in `buffer` where they are not in memory. Throws Error. Any
    /// thread may call it.
    std::string_view part(size_t begin, size_t count, std::string& buffer) const;

  private:
    std::filesystem::path path_;
    Descriptor file_;   // of a file that is longer than its beginning
    std::string text_;  // the beginning, or all
    size_t size_ = 0;
    mutable std::unique_ptr<char[]> bytes_;  // all of a file, once view() was asked for it, in memory that is not
    mutable size_t in_memory_ = 0;           // cleared first: that takes as long as reading it
};

}  // namespace flipscope::io
