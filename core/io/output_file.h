// Files that the library and the program write: meshes, arrays, JSON, CSV, pictures. A file takes its name complete or
// not at all; until then it lies beside its place under a name of its own, and nothing of it stays when the program is
// ended. Everything that is written goes through here.
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

/// One file being written. A link is followed: what it points to is replaced, the link stays. A file that is replaced
/// hands its permissions on, and its owner where the system allows it; one that may not be written to is left alone.
/// Pipes, devices, and what standard output or standard error already go to are written to as they are; a pipe must
/// have a reader by then. All functions throw Error: "a.png: cannot be written: No space left on device".
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);
    /// Without commit(): as if nothing had been written.
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
    /// The shortest decimal that is read as the same double.
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

    /// Everything is handed to the system, still under the temporary name.
    void finish();
    /// Puts the file in its place; finish() comes first.
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
    std::string temporary_;  // empty: written in place, or in its place already
    int note_ = -1;          // where its name is kept for remove_unfinished_files()
    io::Descriptor file_;
    std::string buffer_;
};

/// `bytes` as a whole file.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// Removes what is being written by any OutputFile, for the handler of a signal that ends the program: it calls nothing
/// that a handler may not call.
void remove_unfinished_files() noexcept;

}  // namespace flipscope
