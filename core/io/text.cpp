// Two numbers a line, separated by blanks, commas or semicolons, with comments and perhaps a header; fields may be in
// quotes, as RFC 4180 has them, but end in the line where they begin.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "io/parse.h"

namespace flipscope::io {
namespace {

enum class Separator { kNone, kBlank, kComma, kSemicolon };

bool is_comment(std::string_view text) { return text.starts_with('#') || text.starts_with("//"); }

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

/// Takes one separator and the blanks around it off `text`.
Separator take_separator(std::string_view& text) {
    const size_t before = text.size();
    skip_blanks(text);
    Separator found = text.size() < before ? Separator::kBlank : Separator::kNone;
    if (!text.empty() && (text.front() == ',' || text.front() == ';')) {
        found = text.front() == ',' ? Separator::kComma : Separator::kSemicolon;
        text.remove_prefix(1);
        skip_blanks(text);
    }
    return found;
}

bool ends(std::string_view text) { return text.empty() || is_comment(text); }

/// Takes the field in quotes at the start of `text` off it. Throws Error where it is not closed, and where something
/// else than a separator, a comment or the end of the line follows; blanks before that stay. `column` from 1.
std::string_view take_closed(std::string_view& text, Separator separator, size_t column, const Lines& lines) {
    std::string_view between;
    const std::string_view written = text;
    if (!take_quoted(text, between)) throw lines.unclosed_quote(column, written);
    const bool separated = separator == Separator::kBlank && !text.empty() && is_blank(text.front());
    std::string_view rest = text;
    skip_blanks(rest);
    if (!separated && !ends(rest) && rest.front() != ',' && rest.front() != ';')
        throw lines.expected("a separator behind the quote that ends column " + std::to_string(column), written);
    return between;
}

/// Takes a number, in quotes or not, off `text`; `written` is what stands there.
bool take_coordinate(std::string_view& text, double& value, std::string_view& written, size_t column,
                     const Lines& lines) {
    written = text;
    if (!text.starts_with('"')) return take_number(text, value);
    std::string_view rest = text;
    written = trimmed(take_closed(rest, Separator::kBlank, column, lines));
    std::string_view number = written;
    if (!take_number(number, value) || !number.empty()) return false;
    text = rest;
    return true;
}

/// The columns after the first two; `text` starts with the separator before the third. They need not be numbers. Other
/// separators than the first one are left to the columns, but a decimal comma must not pass for a column: false then.
bool count_extra_columns(std::string_view text, Separator separator, const Lines& lines, uint64_t& count) {
    const auto mixed = [&](char c) {
        return (c == ',' && separator != Separator::kComma) || (c == ';' && separator != Separator::kSemicolon);
    };
    count = 0;
    skip_blanks(text);
    while (!ends(text)) {
        if (separator == Separator::kBlank) {
            if (mixed(text.front())) return false;
        } else {
            if (text.front() != (separator == Separator::kComma ? ',' : ';')) return false;
            text.remove_prefix(1);
            skip_blanks(text);
        }
        ++count;
        if (text.starts_with('"')) take_closed(text, separator, 2 + count, lines);
        while (!ends(text) && (separator == Separator::kBlank ? !is_blank(text.front())
                                                              : text.front() != ',' && text.front() != ';')) {
            if (mixed(text.front())) return false;
            text.remove_prefix(1);
        }
        skip_blanks(text);
    }
    return true;
}

/// What stands between two separators, without the quotes around it.
struct Field {
    std::string_view text;
    std::string with_quotes;  // holds the text where there are quotes in it
};

/// Takes the next field off a line, with the separator behind it; false at its end. Blanks alone separate fields where
/// no comma or semicolon does. A comment ends the line. `column` from 1.
bool take_field(std::string_view& line, Separator separator, size_t column, const Lines& lines, Field& field) {
    field.text = {};
    if (separator == Separator::kBlank) line = trimmed(line);
    if (line.data() == nullptr || (separator == Separator::kBlank && line.empty())) return false;
    std::string_view behind = line;
    skip_blanks(behind);
    const bool quoted = behind.starts_with('"');
    if (quoted) {
        field.text = take_closed(behind, separator, column, lines);
        if (field.text.find('"') != field.text.npos) {
            field.with_quotes = with_single_quotes(field.text);
            field.text = field.with_quotes;
        }
        line = behind;
    }
    const size_t end = std::min(separator == Separator::kBlank ? line.find_first_of(" \t")
                                                               : line.find(separator == Separator::kComma ? ',' : ';'),
                                line.size());
    const std::string_view rest = line.substr(0, end);
    const size_t comment = std::min({rest.find('#'), rest.find("//"), rest.size()});
    const bool last = end == line.size() || comment < rest.size();
    if (!quoted) field.text = trimmed(rest.substr(0, comment));
    line = last ? std::string_view() : line.substr(end + 1);
    return true;
}

/// The columns after the first two, as a header calls them, and what the lines below hold in them.
class ExtraColumns {
  public:
    ExtraColumns() = default;
    ExtraColumns(std::string_view header, const Lines& lines) {
        const Separator separator = find_unquoted(header, ',') != header.npos   ? Separator::kComma
                                    : find_unquoted(header, ';') != header.npos ? Separator::kSemicolon
                                                                                : Separator::kBlank;
        Field field;
        for (size_t k = 0; k < kMost && take_field(header, separator, k + 1, lines, field); ++k) {
            if (k < 2) continue;
            std::string lower(field.text);
            std::transform(lower.begin(), lower.end(), lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            Column column{printable_within(field.text, kLongestName)};
            const bool known = std::any_of(columns_.begin(), columns_.end(),
                                           [&](const Column& other) { return other.name == column.name; });
            column.holds = field.text.empty() || known      ? Holds::kNothing
                           : lower == "name" && !has_names_ ? Holds::kNames
                                                            : Holds::kNumbers;
            has_names_ = has_names_ || column.holds == Holds::kNames;
            columns_.push_back(std::move(column));
        }
    }

    bool empty() const { return columns_.empty(); }

    /// Of one line, behind its first two columns; `rest` starts with the separator before the third.
    void take(std::string_view rest, Separator separator, const Lines& lines) {
        if (separator != Separator::kBlank) {
            skip_blanks(rest);
            if (!rest.empty()) rest.remove_prefix(1);
        }
        for (size_t k = 0; k < columns_.size(); ++k) {
            Column& column = columns_[k];
            take_field(rest, separator, 3 + k, lines, field_);
            if (column.holds == Holds::kNames) names_.emplace_back(field_.text);
            if (column.holds != Holds::kNumbers) continue;
            std::string_view field = trimmed(field_.text);
            double value = NAN;
            if (!field.empty()) {
                column.has_any = true;
                if (!take_number(field, value) || !field.empty()) {
                    column.holds = Holds::kNoNumbers;
                    column.values = {};
                    continue;
                }
                if (!std::isfinite(value)) value = NAN;
            }
            column.values.push_back(value);
        }
    }

    /// What was taken. `count`: columns that the lines have, with the first two.
    void finish(const std::string& path, uint64_t count, std::vector<std::string>& notes, PointExtras& extras) {
        extras.names = std::move(names_);
        std::string left_out;
        uint64_t used = 2 + (has_names_ ? 1 : 0);
        for (Column& column : columns_) {
            if (column.holds == Holds::kNumbers && column.has_any) {
                ++used;
                extras.attributes.push_back({std::move(column.name), std::move(column.values)});
            } else if (column.holds == Holds::kNumbers || column.holds == Holds::kNoNumbers) {
                left_out += (left_out.empty() ? "" : ", ") + excerpt(column.name);
            }
        }
        if (!left_out.empty())
            notes.push_back(path + ": not numbers, and left out: the column" +
                            (left_out.find(", ") == left_out.npos ? " " : "s ") + left_out);
        else if (count > used && !extras.attributes.empty())
            notes.push_back(path + ": columns without a name of their own in the header are not used");
        else if (count > used)
            notes.push_back(path + ": only the first two of " + std::to_string(count) + " columns " +
                            (has_names_ ? "and the names " : "") + "are used");
    }

  private:
    static constexpr size_t kMost = 1000, kLongestName = 64;
    enum class Holds { kNothing, kNames, kNumbers, kNoNumbers };
    struct Column {
        std::string name;
        Holds holds = Holds::kNothing;
        bool has_any = false;
        std::vector<double> values = {};
    };
    Field field_;  // the one just taken
    std::vector<Column> columns_;
    std::vector<std::string> names_;
    bool has_names_ = false;
};

/// "x,y" or "Longitude Latitude": begins with a letter, and no field of it is a number; but behind the first two, one
/// in quotes may be: "x,y,"2020"" is.
bool is_header(std::string_view line) {
    const auto first = static_cast<unsigned char>(line.front());
    // 0x80 to 0xbf begin no letter, neither in UTF-8 nor in Latin-1.
    if (!std::isalpha(first) && first != '"' && first != '_' && first < 0xc0) return false;
    if (std::any_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20 && !is_blank(c); })) return false;
    for (size_t k = 0; !line.empty(); ++k) {
        double value = 0;
        if (std::string_view between; line.starts_with('"') && take_quoted(line, between)) {
            between = trimmed(between);
            if (k < 2 && take_number(between, value)) return false;
        }
        if (take_number(line, value)) return false;
        const size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
        line.remove_prefix(end);
        take_separator(line);
    }
    return true;
}

}  // namespace

std::vector<Point> read_text(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes,
                             PointExtras& extras) {
    ExtraColumns columns;
    std::vector<Point> points;
    points.reserve(std::min<size_t>(text.size() / 32, size_t{1} << 27));  // near enough for random doubles
    Lines lines(path, text);
    uint64_t extra_columns = 0, first_line = 0;
    bool first = true;  // no line with content so far
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = line;
        skip_blanks(rest);
        if (ends(rest)) continue;
        const bool may_be_header = std::exchange(first, false);

        Point p;
        std::string_view x_text, y_text;
        if (!take_coordinate(rest, p.x, x_text, 1, lines)) {
            if (may_be_header && is_header(rest)) {
                columns = ExtraColumns(rest, lines);
                continue;
            }
            throw lines.expected("two numbers", line);
        }
        const Separator separator = take_separator(rest);
        if (separator == Separator::kNone || !take_coordinate(rest, p.y, y_text, 2, lines))
            throw lines.expected("two numbers", line);
        require_coordinate(p.x, x_text, 'x', lines);
        require_coordinate(p.y, y_text, 'y', lines);

        uint64_t extra = 0;
        if (!ends(rest) && !count_extra_columns(rest, separator, lines, extra)) {
            throw lines.expected("one kind of separator (and a point as the decimal mark)", line);
        }
        if (points.empty()) {
            extra_columns = extra;
            first_line = lines.number();
        } else if (extra != extra_columns) {
            if (extra_columns == 0) throw lines.expected("two numbers", line);
            throw lines.expected(
                std::to_string(2 + extra_columns) + " columns as in line " + std::to_string(first_line), line);
        }
        points.push_back(p);
        if (!columns.empty()) columns.take(rest, separator, lines);
    }
    columns.finish(path.string(), 2 + extra_columns, notes, extras);
    return points;
}

}  // namespace flipscope::io
