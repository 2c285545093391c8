// One line of JSON, read from left to right by a reader that knows what to expect: no tree is built, numbers keep every
// bit, and what does not fit is said with where it stands: "mine.jsonl:17: /triangles/3: expected …". Only the readers
// in this folder include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"

namespace flipscope::io {

/// Appends the character of this number, or the one that stands for what is none.
void put_utf8(std::string& text, uint32_t code);

class JsonLine {
  public:
    /// `place` begins every sentence: "mine.jsonl:17: ". `text` must stay.
    JsonLine(std::string place, std::string_view text) : place_(std::move(place)), rest_(text) { skip_blanks(); }

    /// Where the reader is, as a JSON pointer, and at which item of an array there: set by it, used in sentences.
    std::string at;
    int64_t item = -1;  // -1: at none

    /// Each value(key) or value(index) must read one value. `what` is what stands in a sentence where it is none.
    template <class Read>
    void object(const char* what, const Read& read) {
        take('{', what);
        if (took('}')) return;
        do {
            const std::string key = string("a name in quotes");
            take(':', "a colon");
            read(key);
        } while (goes_on('}'));
    }
    template <class Read>
    void array(const char* what, const Read& read) {
        take('[', what);
        if (took(']')) return;
        uint64_t index = 0;
        do read(index++);
        while (goes_on(']'));
    }
    /// A number, or a string with one in hexadecimal, as float.hex() of Python and %a of C write it. Anything of that
    /// kind, whatever its size: NaN and infinity, too. `written` is what stands there.
    double number(const char* what, std::string_view& written);
    /// A whole number below 2^32 - 1. `of` is what it counts in sentences: "points".
    uint32_t index(const char* what, const char* of);
    /// As UTF-8.
    std::string string(const char* what);
    void skip_value();
    /// Nothing but blanks may be left.
    void end();

    bool took(char c);  // takes it, and blanks behind it, where it is next
    void take(char c, const char* what);
    bool is_next(char c) const { return rest_.starts_with(c); }
    [[noreturn]] void expected(const std::string& what) const;
    [[noreturn]] void fail(const std::string& what) const;
    const std::string& place() const { return place_; }

  private:
    bool goes_on(char close);
    void skip_blanks();
    bool take_hexadecimal(std::string_view text, double& value) const;

    std::string place_;
    std::string_view rest_;
};

}  // namespace flipscope::io
