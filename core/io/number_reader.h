// Reads files with text lines and with numbers in text or binary form: Gmsh's .msh and VTK's .vtk. Only the readers in
// this folder include it.
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

    // Form of the numbers and part of the file, set by the format's reader.
    bool is_binary = false, is_big_endian = false;
    std::string part;  // "$Nodes"

    /// The rest of this line; false at the end of the file.
    bool next_line(std::string_view& line);
    void skip_line();
    /// The next word, also across lines. Throws Error at the end of the file.
    std::string_view word();
    /// The next word as an integer; `what` is expected. Throws Error.
    template <class Integer = uint64_t>
    Integer whole_word(const char* what) {
        const std::string_view found = word();
        if (const std::optional<Integer> value = whole<Integer>(found)) return *value;
        throw expected(what, found);
    }
    /// The next word as a number; underflow gives the smallest double. Throws Error.
    double number_word(const char* what);
    /// An integer of `size` bytes. Throws Error at the end of the file.
    uint64_t bytes(size_t size);
    /// An integer of `size` bytes in binary files, else the next word.
    uint64_t count(size_t size, const char* what) { return is_binary ? bytes(size) : whole_word(what); }
    /// Skips `numbers` numbers of `size` bytes, or words. Throws Error at the end of the file.
    void skip(size_t size, uint64_t numbers);
    /// In text files: throws Error unless the line ends here.
    void require_line_end() const;
    /// Throws Error if the rest of the file is too short for `numbers` numbers.
    void require_room(size_t size, uint64_t numbers) const;

    std::string_view rest() const { return rest_; }
    /// Skips bytes of rest().
    void skip_bytes(size_t count);
    uint64_t line() const { return line_; }  // of the last read word, from 1; text only

    /// "a.msh:7: " and `why`; the byte offset in a binary file.
    Error fail(const std::string& why) const;
    Error expected(const std::string& what, std::string_view found) const {
        return fail("expected " + what + ", found " + excerpt(found));
    }
    Error ends_early() const;

  private:
    const InputFile& file_;
    std::string_view rest_;
    uint64_t line_ = 1, next_ = 1;  // of the last word, and of the next
    CancelPoll poll_;
};

}  // namespace flipscope::io
