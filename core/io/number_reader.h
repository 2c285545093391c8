// A file whose lines are text and whose numbers are words or, in its binary form, bytes: Gmsh's .msh and VTK's .vtk.
// Only the readers in this folder include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

class NumberReader {
  public:
    explicit NumberReader(const InputFile& file) : file_(file), rest_(file.bytes) {}

    // What numbers are, and where in the file they are; set by the reader of the format.
    bool is_binary = false, is_big_endian = false;
    std::string part;  // "$Nodes"

    /// The rest of this line, without its end; false at the end of the file.
    bool next_line(std::string_view& line);
    void skip_line();
    /// The next word of this line or a later one. Throws Error at the end of the file.
    std::string_view word();
    /// The whole number that the next word is; `what` is what was expected. Throws Error.
    template <class Integer = uint64_t>
    Integer whole_word(const char* what) {
        const std::string_view found = word();
        if (const std::optional<Integer> value = whole<Integer>(found)) return *value;
        throw fail(std::string("expected ") + what + ", found " + excerpt(found));
    }
    /// The number that the next word is; the smallest double for one that is too small for a double. Throws Error.
    double number_word(const char* what);
    /// A whole number of `size` bytes. Throws Error at the end of the file.
    uint64_t bytes(size_t size);
    /// The same in binary files, else the next word.
    uint64_t count(size_t size, const char* what) { return is_binary ? bytes(size) : whole_word(what); }
    /// So many numbers of `size` bytes, or words. Throws Error at the end of the file.
    void skip(size_t size, uint64_t numbers);
    /// In a text, throws Error where more stands in this line.
    void require_line_end() const;
    /// Throws Error where `numbers` of them cannot follow.
    void require_room(size_t size, uint64_t numbers) const;

    std::string_view rest() const { return rest_; }
    /// To a later place of rest().
    void skip_bytes(size_t count);
    uint64_t line() const { return line_; }  // of what was read last, from 1; text only

    /// "a.msh:7: " and `why`, or the byte in a binary file.
    Error fail(const std::string& why) const;
    Error ends_early() const;

  private:
    const InputFile& file_;
    std::string_view rest_;
    uint64_t line_ = 1, next_ = 1;  // of what was read last, and of what follows
    RegularLook look_;
};

}  // namespace flipscope::io
