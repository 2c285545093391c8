// Two numbers a line, separated by blanks, commas or semicolons, with comments and perhaps a header.

#include <algorithm>
#include <cctype>
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

/// The columns after the first two; `text` starts with the separator before the third. They need not be numbers. Other
/// separators than the first one are left to the columns, but a decimal comma must not pass for a column: false then.
bool count_extra_columns(std::string_view text, Separator separator, uint64_t& count) {
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
        }
        ++count;
        while (!ends(text) && (separator == Separator::kBlank ? !is_blank(text.front())
                                                              : text.front() != ',' && text.front() != ';')) {
            if (mixed(text.front())) return false;
            text.remove_prefix(1);
        }
        skip_blanks(text);
    }
    return true;
}

std::string_view unquoted(std::string_view field) {
    field = trimmed(field);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    return field;
}

/// The field of a line in column `column`, the first being 0; empty: there is none. Blanks alone separate columns where
/// no comma or semicolon does.
std::string_view field_at(std::string_view line, size_t column, Separator separator) {
    line = trimmed(line);
    for (size_t k = 0;; ++k) {
        const size_t end = std::min(line.find_first_of(separator == Separator::kBlank   ? " \t"
                                                       : separator == Separator::kComma ? ","
                                                                                        : ";"),
                                    line.size());
        if (k == column) {
            const std::string_view field = line.substr(0, end);
            return unquoted(field.substr(0, std::min({field.find('#'), field.find("//"), field.size()})));
        }
        if (end == line.size()) return {};
        line.remove_prefix(end + 1);
        if (separator == Separator::kBlank) line = trimmed(line);
    }
}

/// Which column a header calls "name", at the third place or later; 0: none.
size_t column_of_names(std::string_view header) {
    const Separator separator = header.find(',') != header.npos   ? Separator::kComma
                                : header.find(';') != header.npos ? Separator::kSemicolon
                                                                  : Separator::kBlank;
    for (size_t column = 2; column < 1000; ++column) {
        const std::string_view field = field_at(header, column, separator);
        if (field.empty()) return 0;
        std::string lower(field);
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (lower == "name") return column;
    }
    return 0;
}

/// "x,y" or "Longitude Latitude": begins with a letter, and no field of it is a number.
bool is_header(std::string_view line) {
    const auto first = static_cast<unsigned char>(line.front());
    // 0x80 to 0xbf begin no letter, neither in UTF-8 nor in Latin-1.
    if (!std::isalpha(first) && first != '"' && first != '_' && first < 0xc0) return false;
    if (std::any_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20 && !is_blank(c); })) return false;
    while (!line.empty()) {
        double value = 0;
        if (take_number(line, value)) return false;
        const size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
        line.remove_prefix(end);
        take_separator(line);
    }
    return true;
}

}  // namespace

std::vector<Point> read_text(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes,
                             std::vector<std::string>& names) {
    size_t name_column = 0;
    names.clear();
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
        const std::string_view x_text = rest;
        if (!take_number(rest, p.x)) {
            if (may_be_header && is_header(rest)) {
                name_column = column_of_names(rest);
                continue;
            }
            throw lines.expected("two numbers", line);
        }
        const Separator separator = take_separator(rest);
        const std::string_view y_text = rest;
        if (separator == Separator::kNone || !take_number(rest, p.y)) throw lines.expected("two numbers", line);
        require_coordinate(p.x, x_text, 'x', lines);
        require_coordinate(p.y, y_text, 'y', lines);

        uint64_t extra = 0;
        if (!ends(rest) && !count_extra_columns(rest, separator, extra)) {
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
        if (name_column > 0) names.emplace_back(field_at(line, name_column, separator));
    }
    if (extra_columns > (name_column > 0 ? 1 : 0)) {
        notes.push_back(path.string() + ": only the first two of " + std::to_string(2 + extra_columns) + " columns " +
                        (name_column > 0 ? "and the names " : "") + "are used");
    }
    return points;
}

}  // namespace flipscope::io
