// Parsing helpers: numbered lines, numbers with limits, excerpts for messages. Included by the readers in this folder
// and the program's image readers.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/view.h"
#include "geometry/point.h"
#include "io/files.h"

namespace flipscope::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
/// A letter of a name; includes every byte of a non-ASCII letter.
inline bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool is_name_char(char c) { return is_name_letter(c) || is_decimal_digit(c); }
/// White space, including line ends and the record separator of GeoJSON text sequences.
inline bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\x1e'; }

inline void skip_white(std::string_view& text) {
    while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
}

template <size_t N>
bool is_among(std::string_view word, const std::string_view (&known)[N]) {
    return std::ranges::find(known, word) != std::end(known);
}

inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Removes the part of `text` before `mark`, and the mark, and returns the part; without a mark, all of it.
inline std::string_view take_until(std::string_view& text, char mark) {
    const std::string_view part = text.substr(0, text.find(mark));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

/// "points.xy:41: ", the prefix of messages about a line.
std::string line_place(const std::filesystem::path& path, uint64_t line);

/// An Error at `place` about the text `found`, which is not `what`; recognises binary data.
Error expected_at(const std::string& place, const std::string& what, std::string_view found);

/// Iterates over lines that end with "\n", "\r\n", or "\r" if the text has no "\n"; skips a byte order mark.
class Lines {
  public:
    Lines(const std::filesystem::path& path, std::string_view text);

    /// The next line without its end; false after the last one.
    bool next(std::string_view& line);

    uint64_t number() const { return number_; }  // of the line from next(), from 1

    /// "points.xy:41: ", the prefix of messages about the current line.
    std::string where() const { return line_place(path_, number_); }

    /// Remaining bytes.
    size_t remaining() const { return text_.size(); }

    // Errors about the current line.
    Error fail(const std::string& what) const { return Error(where() + what); }
    Error expected(const std::string& what, std::string_view found) const { return expected_at(where(), what, found); }
    /// `word` as an integer. Throws Error: expected `what`, found `found`.
    template <typename Integer = uint64_t>
    Integer integer(std::string_view word, const auto& what, std::string_view found) const;

  private:
    const std::filesystem::path& path_;
    std::string_view text_;
    char end_ = '\n';
    uint64_t number_ = 0;
    CancelPoll poll_{1024};
};

/// An Error for a count in this line that the rest of the file has no room for: "1000 2 0 0" declares more than ….
Error declares_more(const Lines& lines, std::string_view content, const std::string& of = "");

/// The next line with content, without "#" comments and surrounding blanks; false after the last one.
bool next_content(Lines& lines, std::string_view& content);

/// Iterates over words across lines; skips "#" comments and empty lines.
class Words {
  public:
    explicit Words(Lines& lines) : lines_(lines) {}
    /// The next word; false at the end of the file.
    bool next(std::string_view& word);
    /// The rest of this line.
    std::string_view rest() const { return rest_; }
    void skip_line() { rest_ = {}; }
    /// The line of the word from next(), without comments.
    std::string_view line() const { return line_; }

  private:
    Lines& lines_;
    std::string_view line_, rest_;
};

/// Removes the next word from `text` and returns it; empty at its end.
std::string_view take_word(std::string_view& text);

/// Replaces `words` by those of a line.
void split_words(std::string_view line, std::vector<std::string_view>& words);

/// Appends the character of this code point, or the replacement character.
void put_utf8(std::string& text, uint32_t code);

/// The length in bytes of the character of UTF-8 at the start of `text`, and its code; 0: it is none.
size_t utf8_length(std::string_view text, uint32_t& code);

/// Removes the digits of an escape "\u00e9" of JSON, from behind the u, and a second escape that completes a surrogate
/// pair. nullopt, and `text` unchanged: there are no four hexadecimal digits.
std::optional<uint32_t> take_unicode_escape(std::string_view& text);

/// Removes the quoted field (RFC 4180) at the start of `text`: separators and comment marks in it are text, and "" is a
/// quote. False, and `text` unchanged: the quote is not closed.
bool take_quoted(std::string_view& text, std::string_view& between);

/// Unescapes the result of take_quoted(): "" becomes a single quote.
std::string with_single_quotes(std::string_view between);

/// Parses `word` as an integer: decimal digits only (after a minus sign, for signed types).
template <typename Integer = uint64_t>
std::optional<Integer> whole(std::string_view word) {
    Integer value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

template <typename Integer>
Integer Lines::integer(std::string_view word, const auto& what, std::string_view found) const {
    if (const auto value = whole<Integer>(word)) return *value;
    throw expected(what, found);
}

/// The integer that `value` is. nullopt: none, or beyond 2^53, up to where doubles represent every integer.
inline std::optional<int64_t> exact_whole(double value) {
    if (!(std::fabs(value) <= 0x1p53) || std::floor(value) != value) return std::nullopt;
    return static_cast<int64_t>(value);
}
/// `number` as the index of a point; kNone: negative or beyond 32 bits.
template <typename Number>
uint32_t index_or_none(Number number) {
    return number >= 0 && number < kNone ? static_cast<uint32_t>(number) : kNone;
}

/// An integer of `size` bytes.
inline uint64_t integer_at(std::string_view bytes, size_t at, size_t size, bool is_big_endian = false) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i)
        value |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * (is_big_endian ? size - 1 - i : i));
    return value;
}
/// Sign extension of an integer of `size` bytes.
inline int64_t with_sign(uint64_t bits, size_t size) {
    const size_t unused = 64 - 8 * size;
    return static_cast<int64_t>(bits << unused) >> unused;
}
/// A floating-point number of 2, 4 or 8 bytes.
inline double real_of(uint64_t bits, size_t size) {
    if (size == 8) return std::bit_cast<double>(bits);
    if (size == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
    const auto fraction = static_cast<double>(bits & 0x3ff);
    const int exponent = static_cast<int>(bits >> 10 & 0x1f);
    const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                             : exponent == 31 ? (fraction == 0 ? HUGE_VAL : NAN)
                                              : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}
/// A number of `size` bytes: floating-point, signed or unsigned.
inline double number_of(uint64_t bits, size_t size, bool is_real, bool is_signed) {
    if (is_real) return real_of(bits, size);
    return is_signed ? static_cast<double>(with_sign(bits, size)) : static_cast<double>(bits);
}

/// A hexadecimal number, as written by Python's float.hex() and C's %a: "-0x1.8p+1". Infinity: beyond a double.
/// nullopt: not such a number.
std::optional<double> hexadecimal(std::string_view word);

/// Removes the number at the start of `text`, as the nearest double ("nan" and "inf" are numbers). False, and `text`
/// unchanged, unless a number is followed by a blank, a separator or a comment.
bool take_number(std::string_view& text, double& value);
/// Parses `word` as such a number, and nothing more.
inline std::optional<double> number_of(std::string_view word) {
    double value = 0;
    return take_number(word, value) && word.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace flipscope::io
