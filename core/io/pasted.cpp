#include "io/pasted.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "compute/cancel.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "io/parse.h"
#include "io/points.h"
#include "io/structured_text.h"

namespace flipscope {

namespace {

const std::filesystem::path kPasted = "pasted";  // in messages

std::string place_of_line(uint32_t line) { return "line " + std::to_string(line); }

struct Number {
    double value;
    uint32_t line, part;  // part: between commas
};

class PastedText {
  public:
    explicit PastedText(std::string_view text) : text_(text) {}

    std::vector<Number> numbers() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                if (++line_ % 1024 == 0) throw_if_cancelled();
                ++part_;
                ++at_;
            } else if (c == '#' || text_.substr(at_).starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == ',' || c == ';' || c == '|') {
                ++part_;
                ++at_;
            } else if (io::is_blank(c) || c == ':' || c == '=' || c == '"' || c == '\'') {
                ++at_;
            } else if (starts_number()) {
                take_number();
            } else {
                take_word();
            }
        }
        if (!unknown_.empty()) refuse_word();
        return std::move(found_);
    }

  private:
    bool starts_number() const {
        size_t i = at_;
        if (text_[i] == '+' || text_[i] == '-') ++i;
        if (i < text_.size() && text_[i] == '.') ++i;
        return i < text_.size() && io::is_decimal_digit(text_[i]);
    }

    void take_number() {
        const size_t begin = at_, digits = text_[begin] == '+' ? begin + 1 : begin;
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + digits, text_.data() + text_.size(), value);
        at_ = static_cast<size_t>(end - text_.data());
        const std::string_view written = text_.substr(begin, at_ - begin);
        if (error != std::errc())
            throw Error(place_of_line(line_) + ": expected a number that a double can hold, found " + excerpt(written));
        if (at_ < text_.size() &&
            (io::is_name_letter(text_[at_]) || text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.'))
            throw Error(place_of_line(line_) + ": expected coordinates, found " + excerpt(rest_of_word(begin)));
        if (!unknown_.empty() && unknown_line_ == line_) refuse_word();
        require_in_range(value, place_of_line(line_) + ": " + std::string(written));
        unknown_.clear();  // a heading
        headed_ = true;
        found_.push_back({value, line_, part_});
    }

    void take_word() {
        const size_t begin = at_;
        while (at_ < text_.size() &&
               (io::is_name_letter(text_[at_]) || io::is_decimal_digit(text_[at_]) || text_[at_] == '.'))
            ++at_;
        if (at_ == begin) ++at_;
        const std::string word(text_.substr(begin, at_ - begin));
        if (word == "x" || word == "y") return;  // x=1 y=2
        const bool heads = !headed_ && word != "nan" && word != "inf";
        if (unknown_.empty()) {
            unknown_ = word;
            unknown_line_ = line_;
        }
        if (!heads || (!found_.empty() && found_.back().line == line_)) refuse_word();
    }

    std::string rest_of_word(size_t begin) const {
        size_t end = begin;
        while (end < text_.size() && !io::is_blank(text_[end]) && text_[end] != '\n') ++end;
        return std::string(text_.substr(begin, end - begin));
    }

    [[noreturn]] void refuse_word() const {
        throw Error(place_of_line(unknown_line_) + ": expected coordinates, found " + excerpt(unknown_));
    }

    std::string_view text_;
    size_t at_ = 0;
    uint32_t line_ = 1, part_ = 0;
    std::vector<Number> found_;
    std::string unknown_;  // an unknown word, unless it heads a table
    uint32_t unknown_line_ = 0;
    bool headed_ = false;
};

/// Numbers per row, if all rows have the same length; otherwise 0.
size_t row_length(const std::vector<Number>& numbers, uint32_t Number::*row) {
    size_t length = 0, i = 0;
    while (i < numbers.size()) {
        size_t end = i + 1;
        while (end < numbers.size() && numbers[end].*row == numbers[i].*row) ++end;
        if (length > 0 && end - i != length) return 0;
        length = end - i;
        i = end;
    }
    return length;
}

/// Whether every comma is within a number, with a blank, a tab or a semicolon between x and y.
bool has_decimal_commas(std::string_view text) {
    if (text.find(',') == text.npos || text.find_first_of("([{.") != text.npos) return false;
    bool commas = false, is_implied = text.find(';') != text.npos;
    uint32_t line = 1;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = text.substr(0, end);
        size_t words = 0;
        const std::string_view whole = rest;
        bool all_have = true;
        while (!rest.empty()) {
            const size_t length = std::min(rest.find_first_of(" \t\r;"), rest.size());
            const std::string_view word = rest.substr(0, length);
            if (length < rest.size() && rest[length] == '\t') is_implied = true;
            rest.remove_prefix(std::min(length + 1, rest.size()));
            if (word.empty()) continue;
            ++words;
            const size_t comma = word.find(',');
            if (comma == word.npos) {
                all_have = false;
                continue;
            }
            const bool tight = comma > 0 && comma + 1 < word.size() && io::is_decimal_digit(word[comma - 1]) &&
                               io::is_decimal_digit(word[comma + 1]) && word.find(',', comma + 1) == word.npos;
            if (!tight) return false;
            commas = true;
        }
        if (words != 0 && words != 2 && words != 3) return false;
        if (words > 0 && !all_have) is_implied = true;
        if (commas && !is_implied && words > 1)
            throw Error(place_of_line(line) + ": " + excerpt(whole) +
                        " may be one point with decimal commas or several points; put a semicolon between x and y");
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
    }
    return commas && is_implied;
}

std::vector<Point> read_columns(std::string_view text, std::vector<std::string>* notes) {
    std::string with_points;
    if (has_decimal_commas(text)) {
        with_points = text;
        std::replace(with_points.begin(), with_points.end(), ',', '.');
        text = with_points;
    }
    const std::vector<Number> numbers = PastedText(text).numbers();
    if (numbers.empty()) throw Error("there is no number in it");
    if (numbers.size() == 1) throw Error("there is a single number in it, and a point needs two");
    const size_t by_line = row_length(numbers, &Number::line), by_part = row_length(numbers, &Number::part);
    const bool one_line = numbers.front().line == numbers.back().line;
    const auto is_row = [](size_t length) { return length == 2 || length == 3; };
    size_t stride = 0;
    if (is_row(by_line))
        stride = by_line;
    else if (is_row(by_part))
        stride = by_part;
    else if (one_line || by_line == 1)
        stride = 2;
    else
        stride = by_line;
    if (stride == 0) {
        size_t first = 1, i = 0;
        while (first < numbers.size() && numbers[first].line == numbers[0].line) ++first;
        for (i = first; i < numbers.size();) {
            size_t end = i + 1;
            while (end < numbers.size() && numbers[end].line == numbers[i].line) ++end;
            if (end - i != first)
                throw Error(place_of_line(numbers[i].line) + " has " + std::to_string(end - i) + " numbers, and " +
                            place_of_line(numbers[0].line) + " has " + std::to_string(first));
            i = end;
        }
    }
    if (numbers.size() % stride != 0)
        throw Error("there are " + std::to_string(numbers.size()) +
                    " numbers in it, an odd count: the last x has no y");
    std::vector<Point> points;
    points.reserve(numbers.size() / stride);
    for (size_t i = 0; i + 1 < numbers.size(); i += stride) points.push_back({numbers[i].value, numbers[i + 1].value});
    if (stride > 2 && notes)
        notes->push_back("Of " + std::to_string(stride) + " columns the first two are taken, as x and y.");
    return points;
}

}  // namespace

std::optional<TableLayout> pasted_table(std::string_view text, const ReadOptions& options) {
    if (options.empty() && io::looks_like_structured_text(text)) return std::nullopt;
    try {
        std::vector<std::string> notes;
        TableLayout layout = io::layout_of({kPasted, io::FileBytes(std::string(text)), options, notes});
        const bool rows = layout.columns.size() > 2 && layout.first_rows.size() > 1;
        if (layout.has_header || rows || !options.empty()) return layout;
    } catch (const Error&) {
        if (!options.empty()) throw;
    }
    return std::nullopt;
}

Geometry read_pasted(std::string_view text, std::vector<std::string>* notes, const ReadOptions& options) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::vector<std::string> unread_notes;
    std::vector<std::string>& all_notes = notes ? *notes : unread_notes;
    const io::FileBytes bytes{std::string(text)};
    Geometry geometry;
    if (pasted_table(text, options))
        geometry = io::read_table({kPasted, bytes, options, all_notes});
    else if (io::looks_like_structured_text(text))
        geometry = io::read_structured_text({kPasted, bytes, options, all_notes});
    else
        geometry.points = read_columns(text, &all_notes);
    geometry.name = geometry.tracks ? "pasted" : "pasted: " + count_text(geometry.points.size(), "point", "points");
    return geometry;
}

}  // namespace flipscope
