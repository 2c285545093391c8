// A pull parser for one line of JSON with a known structure: builds no tree, preserves every bit of numbers, and
// reports errors with their place: "mine.jsonl:17: /triangles/3: expected …". Only the readers in this folder include
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/error.h"

namespace flipscope::io {

class JsonLine {
  public:
    /// `place` prefixes every message: "mine.jsonl:17: ". `text` must outlive it.
    JsonLine(std::string place, std::string_view text) : place_(std::move(place)), rest_(text) { skip_blanks(); }

    /// The reader's place for messages: a JSON pointer, and the index of an item in an array there.
    std::string at;
    int64_t item = -1;  // -1: at none

    /// Each value(key) or value(index) must read one value. `what` is the noun in error messages.
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
    /// A number, or a string with a hexadecimal one, as written by Python's float.hex() and C's %a. Any magnitude, NaN
    /// and infinity included. `written` receives its text.
    double number(const char* what, std::string_view& written);
    /// An integer below 2^32 - 1. `of` is the counted noun in error messages: "points".
    uint32_t index(const char* what, const char* of);
    /// As UTF-8.
    std::string string(const char* what);
    void skip_value(size_t depth = 0);
    /// Requires that only blanks are left.
    void end();

    bool took(char c);  // consumes it and following blanks, if it is next
    void take(char c, const char* what);
    bool is_next(char c) const { return rest_.starts_with(c); }
    [[noreturn]] void expected(const std::string& what) const;
    [[noreturn]] void fail(const std::string& what) const;
    const std::string& place() const { return place_; }

  private:
    bool goes_on(char close);
    void skip_blanks();

    std::string place_;
    std::string_view rest_;
};

}  // namespace flipscope::io
