// What the readers share: lines with their numbers, numbers with their limits, excerpts fit for messages. Only readers
// include it: those in this folder, and the program's readers of images.
#pragma once

#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/point.h"
#include "io/files.h"

namespace flipscope::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Steps through lines ended by "\n", "\r\n", or "\r" alone where a text has no "\n"; skips a byte order mark.
class Lines {
  public:
    Lines(const std::filesystem::path& path, std::string_view text);

    /// The next line without its end; false after the last one.
    bool next(std::string_view& line);

    uint64_t number() const { return number_; }  // of the line that next() gave, from 1

    /// "points.xy:41: ", the start of a message about the current line.
    std::string where() const;

    /// Bytes not yet given out.
    size_t remaining() const { return text_.size(); }

    /// An Error about the current line; one that is not text at all is said to be so.
    Error expected(const std::string& what, std::string_view found) const;

  private:
    const std::filesystem::path& path_;
    std::string_view text_;
    char end_ = '\n';
    uint64_t number_ = 0;
    RegularLook look_{1024};
};

/// The next line with content, without the comment that "#" starts and the blanks around; false after the last one.
bool next_content(Lines& lines, std::string_view& content);

/// A text as words, across lines: what comes after "#" and empty lines are passed over.
class Words {
  public:
    explicit Words(Lines& lines) : lines_(lines) {}
    /// The next word, of this line or a later one; false at the end of the file.
    bool next(std::string_view& word);
    /// What is left of this line; to be skipped.
    std::string_view rest() const { return rest_; }
    void skip_line() { rest_ = {}; }
    /// The line of the word that next() gave, without comments.
    std::string_view line() const { return line_; }

  private:
    Lines& lines_;
    std::string_view line_, rest_;
};

/// Takes the next word off `text`; empty at its end.
std::string_view take_word(std::string_view& text);

/// Takes the field in quotes at the start of `text` off it, as RFC 4180 has them: commas, other separators and comment
/// marks are text in it, and "" is a quote. False, and `text` as it was: no quote closes it.
bool take_quoted(std::string_view& text, std::string_view& between);

/// A quote of two, "", made one, as what take_quoted() gave is meant.
std::string with_single_quotes(std::string_view between);

/// The number that `word` is, if it is nothing but decimal digits (after a minus sign, for signed types).
template <typename Integer = uint64_t>
std::optional<Integer> whole(std::string_view word) {
    Integer value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

/// Takes the number at the start of `text` off it, as the nearest double ("nan" and "inf" count as numbers). False, and
/// `text` as it was, unless a number is there and a blank, a separator or a comment follows.
bool take_number(std::string_view& text, double& value);

}  // namespace flipscope::io
