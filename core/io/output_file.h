// All output files of the library and the program: meshes, arrays, JSON, CSV, pictures. A file appears complete or not
// at all: it is written under a temporary name in the same folder, which is removed if the program is terminated.
#pragma once

#include <sys/stat.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "compute/error.h"
#include "io/descriptor.h"

namespace flipscope {

/// One output file. Follows a link and replaces its target. Keeps the permissions of a replaced file, and its owner if
/// possible; refuses read-only files. Writes directly to pipes, which must have a reader, to devices, and to the
/// targets of standard output and standard error. All functions throw Error: "a.png: cannot be written: No space left
/// on device".
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);
    /// Discards the file unless it was committed.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    OutputFile& operator<<(std::string_view bytes) {
        if (buffer_.size() + bytes.size() > kBufferSize) flush();
        if (bytes.size() > kBufferSize)
            write_out(bytes);
        else
            buffer_ += bytes;
        return *this;
    }
    OutputFile& operator<<(char c) { return *this << std::string_view(&c, 1); }
    /// Writes the shortest decimal that reads back as the same double.
    OutputFile& operator<<(double value) { return shortest(value); }
    OutputFile& operator<<(uint64_t value) { return shortest(value); }

    /// The bytes of an unsigned integer, the lowest first.
    template <typename Unsigned>
    void little_endian(Unsigned value) {
        char bytes[sizeof value];
        for (size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
        *this << std::string_view(bytes, sizeof bytes);
    }
    void little_endian(double value);

    /// Flushes everything to the system, under the temporary name.
    void finish();
    /// Renames the file to its final name, after finish().
    void commit();

  private:
    static constexpr size_t kBufferSize = 1 << 18;  // bytes

    template <typename Number>
    OutputFile& shortest(Number value) {
        char digits[32];
        return *this << std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
    }
    void open_in_place(const struct stat& status);
    void open_beside(const struct stat* before);
    void flush();
    void write_out(std::string_view bytes);
    Error fail(const std::string& why) const;

    std::filesystem::path shown_, target_;
    std::string temporary_;  // empty: written directly, or committed
    int note_ = -1;          // index of its name for remove_unfinished_files()
    io::Descriptor file_;
    std::string buffer_;
};

/// Writes a whole file.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// Removes the temporary files of all OutputFiles. Async-signal-safe, for handlers that terminate the program.
void remove_unfinished_files() noexcept;

}  // namespace flipscope
