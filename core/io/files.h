// Opens files by user-supplied names: expands "~" and reads the bytes. All readers of the library and of the program
// use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/descriptor.h"

namespace flipscope::io {

/// Expands "~/x" and "~ada/x" to home folders; other names, and a "~" with an unknown home, are unchanged. For names
/// that no shell has expanded: in options with "=", in scenarios, in the window.
std::filesystem::path user_path(const std::string& text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// The extension of a name with its dot, in lower case: ".npy" for "A.NPY"; or empty.
std::string lower_extension(const std::filesystem::path& path);

/// Natural less-than of file names: runs of digits compare as numbers, so that 2.png comes before 10.png.
bool comes_before(const std::string& a, const std::string& b);

/// The files of a folder in natural order, without hidden ones and folders. Throws Error if it cannot be read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

/// The name of a folder for titles: "frames" of "data/frames/"; as given if it has none.
std::string folder_name(const std::filesystem::path& folder);

/// The size limit for files: half of this machine's memory, in bytes.
uint64_t most_file_bytes();

/// The bytes of a regular file. Never blocks: refuses pipes, devices, sockets and folders, and files of more than
/// `most_bytes`. Throws Error with the reason.
std::string read_file(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());

/// The bytes of a file, or of a text in memory. The constructor reads the beginning, view() the whole file, part() a
/// part.
class FileBytes {
  public:
    FileBytes() = default;
    /// Throws Error as read_file() does.
    explicit FileBytes(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());
    explicit FileBytes(std::string text) : text_(std::move(text)), size_(text_.size()) {}

    size_t size() const { return size_; }  // when the file was opened
    /// The first bytes, up to 1 MiB.
    std::string_view head() const { return text_; }
    bool head_is_all() const { return text_.size() == size_; }
    /// All bytes, which are then kept. Throws Error. The first call must be by one thread alone.
    std::string_view view() const;
    operator std::string_view() const { return view(); }
    /// `count` bytes from `begin`, or fewer at the end; read into `buffer` unless they are in memory. Throws Error.
    /// Thread-safe.
    std::string_view part(size_t begin, size_t count, std::string& buffer) const;

  private:
    std::filesystem::path path_;
    Descriptor file_;   // open if the file is longer than its beginning
    std::string text_;  // the beginning, or all
    size_t size_ = 0;
    mutable std::unique_ptr<char[]> bytes_;  // all of a file, after view(), in memory that is not
    mutable size_t in_memory_ = 0;           // cleared first: clearing takes as long as reading
};

}  // namespace flipscope::io
