#include "io/pasted.h"

#include <algorithm>
#include <charconv>
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

bool starts_number(std::string_view word) {
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (word.starts_with('.')) word.remove_prefix(1);
    return !word.empty() && io::is_decimal_digit(word.front());
}

double number_in(std::string_view word, uint32_t line) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data() + word.starts_with('+'), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range)
        throw Error(place_of_line(line) + ": expected a number that a double can hold, found " + excerpt(word));
    if (error != std::errc() || end != word.data() + word.size())
        throw Error(place_of_line(line) + ": expected coordinates, found " + excerpt(word));
    require_in_range(value, place_of_line(line) + ": " + std::string(word));
    return value;
}

/// Words other than numbers are accepted in lines above these.
std::vector<Number> numbers_in(std::string_view text) {
    constexpr std::string_view kBetweenParts = ",;|", kBetweenWords = " \t\r:=\"',;|";
    constexpr std::string_view kNotFinite[] = {"nan", "-nan", "inf", "-inf"};
    std::vector<Number> found;
    std::string_view unknown;
    uint32_t line = 0, part = 0, unknown_line = 0;
    const auto refuse_word = [&] {
        throw Error(place_of_line(unknown_line) + ": expected coordinates, found " + excerpt(unknown));
    };
    CancelPoll poll(1024);
    while (!text.empty()) {
        poll();
        ++line;
        ++part;
        std::string_view rest = io::take_until(text, '\n');
        rest = rest.substr(0, std::min(rest.find('#'), rest.find("//")));
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find_first_of(kBetweenWords));
            if (word.empty()) {
                part += kBetweenParts.find(rest.front()) != kBetweenParts.npos;
                rest.remove_prefix(1);
                continue;
            }
            rest.remove_prefix(word.size());
            if (starts_number(word)) {
                if (!unknown.empty() && unknown_line == line) refuse_word();
                found.push_back({number_in(word, line), line, part});
                unknown = {};                         // a heading
            } else if (word != "x" && word != "y") {  // x=1 y=2
                if (unknown.empty()) {
                    unknown = word;
                    unknown_line = line;
                }
                if (!found.empty() || io::is_among(word, kNotFinite)) refuse_word();
            }
        }
    }
    if (!unknown.empty()) refuse_word();
    return found;
}

/// The numbers per row, and the begin of the first row with another count: the number of numbers if there is none.
struct RowLength {
    size_t length, other_begin, other_length = 0;
};
RowLength row_length(const std::vector<Number>& numbers, uint32_t Number::*row) {
    const auto end_of = [&](size_t begin) {
        size_t end = begin + 1;
        while (end < numbers.size() && numbers[end].*row == numbers[begin].*row) ++end;
        return end;
    };
    const size_t length = end_of(0);
    for (size_t begin = length, end = 0; begin < numbers.size(); begin = end) {
        end = end_of(begin);
        if (end - begin != length) return {length, begin, end - begin};
    }
    return {length, numbers.size()};
}

/// Whether every comma is within a number, with a blank, a tab or a semicolon between x and y.
bool has_decimal_commas(std::string_view text) {
    if (text.find(',') == text.npos || text.find_first_of("([{.") != text.npos) return false;
    bool commas = false, is_implied = text.find(';') != text.npos;
    uint32_t line = 1;
    while (!text.empty()) {
        std::string_view rest = io::take_until(text, '\n');
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
        ++line;
    }
    return commas && is_implied;
}

std::vector<Point> read_columns(std::string_view text, std::vector<std::string>* notes) {
    std::string with_points;
    if (has_decimal_commas(text)) {
        with_points = text;
        std::ranges::replace(with_points, ',', '.');
        text = with_points;
    }
    const std::vector<Number> numbers = numbers_in(text);
    if (numbers.empty()) throw Error("it contains no number");
    if (numbers.size() == 1) throw Error("it contains a single number, and a point needs two");
    const RowLength by_line = row_length(numbers, &Number::line), by_part = row_length(numbers, &Number::part);
    const auto are_rows = [&](const RowLength& rows) {
        return rows.other_length == 0 && (rows.length == 2 || rows.length == 3);
    };
    const bool one_line = by_line.length == numbers.size();
    const bool is_column = by_line.length == 1 && by_line.other_length == 0;
    const size_t stride = are_rows(by_line)       ? by_line.length
                          : are_rows(by_part)     ? by_part.length
                          : one_line || is_column ? 2
                                                  : by_line.length;
    if (!are_rows(by_part) && by_line.other_length > 0)
        throw Error(place_of_line(numbers[by_line.other_begin].line) + " has " + std::to_string(by_line.other_length) +
                    " numbers, and " + place_of_line(numbers[0].line) + " has " + std::to_string(by_line.length));
    if (numbers.size() % stride != 0)
        throw Error("it contains " + std::to_string(numbers.size()) + " numbers, an odd count: the last x has no y");
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

Geometry read_pasted(std::string_view text, std::vector<std::string>* notes, const ReadOptions& options,
                     TableLayout* layout) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::vector<std::string> unread_notes;
    std::vector<std::string>& all_notes = notes ? *notes : unread_notes;
    const io::FileBytes bytes{std::string(text)};
    Geometry geometry;
    if (pasted_table(text, options))
        geometry = io::read_table({kPasted, bytes, options, all_notes, layout});
    else if (io::looks_like_structured_text(text))
        geometry = io::read_structured_text({kPasted, bytes, options, all_notes});
    else
        geometry.points = read_columns(text, &all_notes);
    io::use_radius_column(geometry, {kPasted, bytes, options, all_notes});
    geometry.name = geometry.tracks ? "pasted" : "pasted: " + count_text(geometry.points.size(), "point", "points");
    return geometry;
}

}  // namespace flipscope
