#include "io/table_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "io/table_roles.h"
#include "io/wkt.h"

namespace flipscope::io {
namespace {

bool is_blank_for(const Dialect& dialect, char c) {
    return c == ' ' || c == '\r' || (c == '\t' && dialect.separator != '\t');
}

std::string_view without_blanks(const Dialect& dialect, std::string_view text) {
    while (!text.empty() && is_blank_for(dialect, text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank_for(dialect, text.back())) text.remove_suffix(1);
    return text;
}

/// The end of a number directly followed by a signed number; npos: none.
size_t end_before_sign(std::string_view text) {
    for (size_t i = 1; i < text.size(); ++i) {
        if ((text[i] != '-' && text[i] != '+') || !(is_decimal_digit(text[i - 1]) || text[i - 1] == '.')) continue;
        if (text.substr(0, i).find('.') == text.npos && text.substr(0, i).find(',') == text.npos) continue;
        return i;
    }
    return text.npos;
}

/// The length of the blank, comma or apostrophe that groups digits at the start of `text`; 0: none.
size_t group_mark(std::string_view text, char decimal) {
    if (text.empty()) return 0;
    if (text[0] == '\'' || text[0] == ' ' || text[0] == '_') return 1;
    if (text[0] == ',' && decimal != ',') return 1;
    if (text[0] == '.' && decimal != '.') return 1;
    if (text[0] == '\xa0') return 1;  // of Windows-1252
    for (const std::string_view mark : {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"})
        if (text.starts_with(mark)) return mark.size();
    return 0;
}

/// Removes grouping: "2'600'000.5" is "2600000.5". nullopt: not in groups of three.
std::optional<std::string> without_groups(std::string_view text, char decimal) {
    std::string made;
    size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) made += text[i++];
    size_t digits = 0, groups = 0;
    std::string_view used;
    while (i < text.size()) {
        if (is_decimal_digit(text[i])) {
            made += text[i++];
            ++digits;
            continue;
        }
        const size_t length = group_mark(text.substr(i), decimal);
        if (length == 0) break;
        const std::string_view mark = text.substr(i, length);
        if ((groups == 0 && (digits < 1 || digits > 3)) || (groups > 0 && (digits != 3 || mark != used)))
            return std::nullopt;
        used = mark;
        ++groups;
        digits = 0;
        i += length;
    }
    if (groups == 0 || digits != 3) return std::nullopt;
    made += text.substr(i);
    return made;
}

struct SampleLine {
    std::string_view text;
    size_t begin;
    uint64_t number;
    bool after_gap;  // after an empty line
};

/// One trial split of the first lines.
struct Trial {
    Dialect dialect;
    size_t columns = 0;
    size_t first = 0;  // index of the first row in the sample
    std::vector<ColumnKind> kinds;
    std::vector<bool> mostly_numbers;
    double score = 0;
};

/// `sound`, if given, receives whether the line has no fault.
std::vector<TableField> fields_of(const Dialect& dialect, std::string_view line, bool* sound = nullptr) {
    std::vector<TableField> fields;
    FieldSplitter splitter(dialect, line);
    for (TableField field; splitter.next(field) && fields.size() < 4096;) fields.push_back(field);
    if (sound) *sound = splitter.fault().empty();
    return fields;
}

/// The roles of columns by these names alone.
TableRoles roles_by_name(const std::vector<std::string>& names) {
    std::vector<HeaderName> headers;
    for (const std::string& name : names) headers.push_back(header_name(name));
    return roles_of(headers, std::vector<bool>(names.size()));
}

bool names_xy(const std::vector<std::string>& names) {
    const TableRoles roles = roles_by_name(names);
    return roles.x.has_value() || !roles.pairs.empty();
}

Trial try_dialect(const Dialect& dialect, const std::vector<SampleLine>& lines) {
    Trial trial{dialect, 0, 0, {}, {}, 0};
    std::vector<std::vector<TableField>> rows(lines.size());
    std::vector<bool> is_row(lines.size());
    std::vector<size_t> counts;  // fields of lines with two numbers
    for (size_t i = 0; i < lines.size(); ++i) {
        bool sound = true;
        rows[i] = fields_of(dialect, lines[i].text, &sound);
        if (!sound) rows[i].clear();
        size_t numbers = 0;
        for (const TableField& field : rows[i]) {
            if (is_missing(field.text)) continue;
            if (is_number(field, dialect))
                numbers += 1;
            else if (is_shape_text(field.text))
                numbers += 2;
        }
        is_row[i] = numbers >= 2;
        if (!is_row[i]) continue;
        // Separators after the last column.
        while (rows[i].size() > 2 && rows[i].back().text.empty() && !rows[i].back().quoted && !counts.empty() &&
               rows[i].size() > counts.front())
            rows[i].pop_back();
        counts.push_back(rows[i].size());
    }
    if (counts.empty()) return trial;
    const auto frequency = [&](size_t count) { return std::ranges::count(counts, count); };
    trial.columns = *std::ranges::max_element(counts, [&](size_t a, size_t b) { return frequency(a) < frequency(b); });
    const size_t m = trial.columns;
    std::vector<size_t> numbers(m), texts(m), foreign(m), grouped(m);
    double fitting = 0, behind = 0;
    trial.first = lines.size();
    for (size_t i = 0; i < lines.size(); ++i) {
        const bool row = is_row[i] && rows[i].size() == m;
        if (row) trial.first = std::min(trial.first, i);
        if (i < trial.first) continue;
        ++behind;
        if (rows[i].size() != m) continue;
        fitting += row ? 1 : 0.5;  // a row without a place counts half
        if (!row) continue;
        for (size_t c = 0; c < m; ++c) {
            const std::string_view text = rows[i][c].text;
            double ignored = 0;
            bool is_grouped = false;
            if (is_missing(text)) continue;
            if (number_in(rows[i][c], dialect, ignored, &is_grouped)) {
                ++numbers[c];
                grouped[c] += is_grouped;
            } else {
                ++texts[c];
                const bool digits = std::ranges::any_of(text, is_decimal_digit);
                if (text == "|") ++foreign[c];
                if (!rows[i][c].quoted && digits && text.find_first_of(";,|\t") != text.npos && !is_shape_text(text))
                    ++foreign[c];
            }
        }
    }
    for (size_t c = 0; c < m; ++c) trial.mostly_numbers.push_back(numbers[c] > 0 && numbers[c] >= texts[c]);
    double sum = 0;
    size_t numeric = 0;
    bool point_text = false;
    for (size_t c = 0; c < m; ++c) {
        const ColumnKind kind = numbers[c] == 0 && texts[c] == 0 ? ColumnKind::kMissing
                                : texts[c] == 0                  ? ColumnKind::kNumber
                                                                 : ColumnKind::kText;
        trial.kinds.push_back(kind);
        numeric += kind == ColumnKind::kNumber;
        if (kind == ColumnKind::kText) point_text = point_text || is_shape_text(rows[trial.first][c].text);
        sum += kind == ColumnKind::kNumber
                   ? (grouped[c] > 0 && grouped[c] == numbers[c] && dialect.separator != ',' ? 0.95 : 1)
               : kind == ColumnKind::kMissing ? 0.9
               : foreign[c] > 0               ? 0.1
                                              : 0.6;
    }
    if (numeric < 2 && !point_text) {
        // A single column with numbers in some rows only: an error in a row gives the better message.
        if (m < 2 || numeric + static_cast<size_t>(std::ranges::count(trial.kinds, ColumnKind::kText)) < 2)
            return trial;
        sum *= 0.1;
    }
    trial.score = sum / static_cast<double>(m) * fitting / behind;
    // Lines before the table other than its header.
    if (trial.first > 1)
        trial.score *= 1 - 0.5 * static_cast<double>(trial.first - 1) / static_cast<double>(lines.size());
    // A line of names with as many fields.
    if (trial.first > 0) {
        const auto& names = rows[trial.first - 1];
        const size_t named = static_cast<size_t>(std::ranges::count_if(names, [&](const TableField& field) {
            if (field.text.empty() || is_number(field, dialect)) return false;
            return field.quoted || !(is_decimal_digit(field.text[0]) || field.text.find_first_of("+-.,") == 0);
        }));
        if (names.size() == m && named * 2 > m) trial.score += 0.2;
    }
    return trial;
}

/// "# x y", and "; x y", "! x y", "* x y", "-- x y" of programs with other comment marks.
std::string_view without_mark(std::string_view remark) {
    remark.remove_prefix(std::min(remark.find_first_not_of("#%/!;*-"), remark.size()));
    return trimmed(remark);
}

/// As fields_of().
std::vector<std::string> texts_of(const Dialect& dialect, std::string_view line, bool* sound = nullptr) {
    std::vector<std::string> texts;
    for (const TableField& field : fields_of(dialect, line, sound)) texts.push_back(text_of(field));
    return texts;
}

/// The names in a comment or line, if their number equals that of the columns; otherwise none.
std::vector<std::string> names_in(std::string_view line, const Dialect& dialect, size_t columns) {
    bool sound = true;
    if (lower_case(trimmed(line).substr(0, 9)) == "variables" && line.find('=') != line.npos)  // of Tecplot
        line = line.substr(line.find('=') + 1);
    std::vector<std::string> names = texts_of(dialect, line, &sound);
    if (names.size() == columns + 1 && names.back().empty()) names.pop_back();
    if (sound && names.size() == columns) return names;
    if (dialect.separator != ' ') return {};
    if (const std::string_view inner = trimmed(line);
        inner.size() > 2 && inner.starts_with('|') && inner.ends_with('|'))  // of IPAC
        return names_in(inner.substr(1, inner.size() - 2), {'|', '.', false}, columns);
    // Two blanks separate names that contain blanks; a unit in brackets belongs to its name.
    names.clear();
    for (size_t i = 0; i < line.size();) {
        if (is_blank(line[i])) {
            ++i;
            continue;
        }
        size_t end = i;
        while (end < line.size() &&
               !(line[end] == '\t' || (line[end] == ' ' && (end + 1 == line.size() || line[end + 1] == ' '))))
            ++end;
        names.emplace_back(trimmed(line.substr(i, end - i)));
        i = end;
    }
    if (names.size() == columns) return names;
    names.clear();
    for (const std::string& text : texts_of(dialect, line)) {
        if (!names.empty() && (text.starts_with('(') || text.starts_with('[')))
            names.back() += " " + text;
        else
            names.push_back(text);
    }
    if (names.size() == columns) return names;
    for (const char separator : {',', ';'}) {
        if (line.find(separator) == line.npos || line.starts_with(separator)) continue;
        names = texts_of({separator, '.', false}, line);
        if (names.size() == columns) return names;
    }
    return {};
}

/// "", "0", "1", "2": names given by pandas to unnamed columns, beside its index.
bool counts_columns(const std::vector<std::string>& names) {
    if (names.size() < 3 || !names[0].empty()) return false;
    for (size_t k = 1; k < names.size(); ++k)
        if (names[k] != std::to_string(k - 1)) return false;
    return true;
}

/// Detects a line of units below the names: all in brackets, or units of length for x and y.
void find_units(TableText& table, const std::vector<SampleLine>& lines, size_t begin, size_t end) {
    const TableRoles roles = roles_by_name(table.header);
    const size_t columns = table.header.size();
    for (size_t i = begin; i < end; ++i) {
        bool sound = true, in_brackets = true;
        std::vector<std::string> units = texts_of(table.dialect, lines[i].text, &sound);
        for (std::string& unit : units) {
            const bool bracketed = unit.size() > 2 && ((unit.front() == '(' && unit.back() == ')') ||
                                                       (unit.front() == '[' && unit.back() == ']'));
            if (bracketed) unit = unit.substr(1, unit.size() - 2);
            in_brackets = in_brackets && (bracketed || unit.empty());
        }
        if (units.size() == columns + 1 && units.back().empty()) units.pop_back();
        if (!sound || units.size() != columns) continue;
        if (!in_brackets && !(roles.x && is_unit_of_places(units[*roles.x]) && is_unit_of_places(units[*roles.y])))
            continue;
        table.units = std::move(units);
        return;
    }
}

/// Names of columns, one per line: below their number, as in GSLIB, or "#   1 X_IMAGE   Object position …" as in
/// SExtractor. Empty: none.
std::vector<std::string> names_below(const std::vector<std::string_view>& titles,
                                     const std::vector<std::pair<size_t, std::string_view>>& remarks, size_t columns) {
    std::vector<std::string> names;
    if (titles.size() > columns) {
        const auto count = titles.end() - static_cast<std::ptrdiff_t>(columns) - 1;
        std::string_view words = *count;
        if (whole<size_t>(take_word(words)) == columns) {
            for (auto title = count + 1; title != titles.end(); ++title) names.emplace_back(*title);
            return names;
        }
    }
    for (const auto& [before, remark] : remarks) {
        std::string_view words = remark;
        if (whole<size_t>(take_word(words)) != names.size() + 1) continue;
        std::string name(take_word(words));
        if (const size_t unit = words.rfind('['); unit != words.npos && words.ends_with(']'))
            name += " " + std::string(words.substr(unit));
        names.push_back(std::move(name));
    }
    if (names.size() != columns) names.clear();
    return names;
}

/// Whether these may be names of columns: not numbers in columns of numbers, with a few exceptions in many columns.
bool can_be_names(const std::vector<std::string>& names, const std::vector<TableField>& fields,
                  const Dialect& dialect) {
    size_t numbers = 0, words = 0;
    for (size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) continue;
        // "--", "=", "*/" between blanks, and the remains of R's "[,1]  [,2]", are not names.
        const auto count = [&](char c) { return std::ranges::count(names[i], c); };
        const auto is_of_word = [](unsigned char c) { return std::isalnum(c) || c >= 0x80; };
        if (count('[') != count(']') || (dialect.separator == ' ' && std::ranges::none_of(names[i], is_of_word)))
            return false;
        if (std::ranges::any_of(names[i], [](char c) { return c >= 0 && c < 0x20 && c != '\t'; })) return false;
        const bool quoted = i < fields.size() && fields[i].quoted;
        if (is_number({names[i], false}, dialect) && !(quoted && i >= 2))
            ++numbers;
        else
            ++words;
    }
    return words > 0 && (numbers == 0 || (words >= 2 && numbers < words));
}

constexpr size_t kSampleBytes = size_t(1) << 18;  // from the first line that is not a comment

/// The input of find_table(): the beginning, in whole lines.
std::string_view sample_of(const std::filesystem::path& path, const FileBytes& bytes) {
    const std::string_view head = bytes.head();
    if (bytes.head_is_all()) return head;
    const size_t end = head.rfind(head.find('\n') == head.npos ? '\r' : '\n');
    if (end == head.npos) return bytes;
    const std::string_view whole_lines = head.substr(0, end + 1);
    Lines lines(path, whole_lines);
    for (std::string_view line; lines.next(line);)
        if (!trimmed(line).empty() && !is_remark(trimmed(line)))
            return lines.remaining() > kSampleBytes ? whole_lines : bytes.view();
    return bytes;
}

/// Advice for a line without two numbers: "; --separator : reads it"; or empty.
std::string advice(const std::vector<SampleLine>& lines, size_t at) {
    const std::string_view text = lines[at].text;
    for (const char mark : {'\t', ';', ',', '|'}) {
        for (const TableField& field : fields_of({mark, '.', false}, text)) {
            // 52°31'12"N, 03:47:29.1, 03 47 29.1, 52.5N
            std::string plain;
            for (const char c : field.text) plain += is_decimal_digit(c) || c == '.' || c == '-' || c == '+' ? c : ' ';
            size_t numbers = 0;
            for (std::string_view rest = trimmed(plain); !rest.empty(); ++numbers) take_word(rest);
            const std::string_view plain_text = field.text;
            const bool marked =
                plain_text.find("\xc2\xb0") != plain_text.npos || plain_text.find('\xb0') != plain_text.npos;
            const bool faces = !plain_text.empty() && is_decimal_digit(plain_text.front()) &&
                               std::string_view("NSEWO").find(plain_text.back()) != std::string_view::npos;
            const bool sexagesimal = numbers == 3 &&
                                     plain_text.find_first_not_of("0123456789+-.: hms'") == plain_text.npos &&
                                     plain_text.find_first_of(": ") != plain_text.npos;
            if (numbers > 0 && (marked || faces || sexagesimal))
                return "; angles are read as decimal degrees, as in 52.52 or -13.4";
            const Dialect inner{',', '.', false};
            std::string_view place = field.text;  // "52.5, 13.4", "[52.5, 13.4]"
            if (!place.empty() && (place.front() == '(' || place.front() == '[' || place.front() == '{'))
                place = place.substr(1, place.size() - 2);
            const auto parts = fields_of(inner, place);
            if (parts.size() == 2 && (field.quoted || mark != ',') && is_number(parts[0], inner) &&
                is_number(parts[1], inner) && parts[0].text.find_first_of('.') != std::string_view::npos)
                return "; both coordinates are in one column, " + excerpt(field.text) + ": put each in its own";
        }
    }
    for (const char sign : std::string_view(":^~&!$@_"))
        if (text.find(sign) != text.npos && try_dialect({sign, '.', false}, lines).score > 0)
            return std::string("; --separator '") + sign + "' reads it as columns";
    return {};
}

}  // namespace

std::string text_of(TableField field) {
    return field.quoted && field.text.find('"') != field.text.npos ? with_single_quotes(field.text)
                                                                   : std::string(field.text);
}

FieldSplitter::FieldSplitter(const Dialect& dialect, std::string_view line, size_t taken)
    : dialect_(dialect), rest_(without_blanks(dialect, line)), taken_(taken) {
    if (dialect.separator == ' ' && rest_.empty()) more_ = false;
}

bool FieldSplitter::next(TableField& field) {
    if (!more_) return false;
    const bool by_blanks = dialect_.separator == ' ';
    while (!rest_.empty() && is_blank_for(dialect_, rest_.front())) rest_.remove_prefix(1);
    more_ = !by_blanks || !(rest_.empty() || begins_remark(rest_));
    if (!more_) return false;
    field = {};
    // Programs that separate by tabs do not escape quotes.
    const auto is_quoted = [&] {
        std::string_view behind = rest_, between;
        if (dialect_.separator != '\t') return true;
        if (!take_quoted(behind, between)) return false;
        behind = without_blanks(dialect_, behind);
        return behind.empty() || behind.front() == '\t' || begins_remark(behind);
    };
    if (rest_.starts_with('"') && is_quoted()) {
        std::string_view between;
        const std::string_view before = rest_;
        if (!take_quoted(rest_, between))
            return stop("column " + std::to_string(taken_ + 1) + ": the quote before " +
                        excerpt(trimmed(before.substr(1))) + " is not closed in this line");
        field = {between, true};
        const bool blank = !rest_.empty() && is_blank(rest_.front());
        while (!rest_.empty() && is_blank_for(dialect_, rest_.front())) rest_.remove_prefix(1);
        ++taken_;
        if (rest_.empty() || begins_remark(rest_)) {
            more_ = false;
        } else if (by_blanks ? !blank : rest_.front() != dialect_.separator) {
            return stop("expected a separator after the quote that ends column " + std::to_string(taken_) + ", found " +
                        excerpt(trimmed(before)));
        } else if (!by_blanks) {
            rest_.remove_prefix(1);
        }
        return true;
    }
    size_t end = 0;
    if (by_blanks) {
        end = std::min(rest_.find_first_of(" \t\r"), rest_.size());
        // "1.5#note" and "2//note".
        if (const size_t mark = rest_.substr(0, end).find('#');
            mark != rest_.npos && mark > 0 && !is_no_number(rest_)) {
            if (is_number({rest_.substr(0, mark), false}, dialect_)) end = mark;
        } else if (const size_t slashes = rest_.substr(0, end).find("//"); slashes != rest_.npos) {
            if (is_number({rest_.substr(0, slashes), false}, dialect_)) end = slashes;
        }
        if (dialect_.signs_separate) {
            end = std::min(end, end_before_sign(rest_.substr(0, end)));
        }
        field.text = rest_.substr(0, end);
        rest_.remove_prefix(end);
    } else {
        end = std::min(rest_.find(dialect_.separator), rest_.size());
        field.text = without_blanks(dialect_, rest_.substr(0, end));
        more_ = end < rest_.size();
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        // A comment after the last number.
        if (const size_t mark = std::min(field.text.find('#'), field.text.find("//"));
            mark != field.text.npos && !is_no_number(field.text)) {
            const std::string_view number = without_blanks(dialect_, field.text.substr(0, mark));
            if (is_number({number, false}, dialect_)) {
                field.text = number;
                more_ = false;
                rest_ = {};
            }
        }
    }
    ++taken_;
    return true;
}

bool FieldSplitter::stop(std::string fault) {
    fault_ = std::move(fault);
    more_ = false;
    return false;
}

bool is_shape_text(std::string_view text) {
    if (text.empty()) return false;
    return text[0] == '{' ? text.find("coordinates") != text.npos && text.find("type") != text.npos
                          : std::isalpha(static_cast<unsigned char>(text[0])) && begins_wkt_shape(text);
}

bool is_missing(std::string_view field) {
    if (field.size() > 12 && field.find_first_not_of(field[0]) != field.npos) return false;
    field = trimmed(field);
    if (field.empty()) return true;
    // All that stands for a missing value begins with one of these; most texts do not.
    if (std::string_view("-*1#nNmMuUkK.?<(\\").find(field[0]) == std::string_view::npos) return false;
    // "*****" is an overflowing number in Fortran; "-----".
    if ((field[0] == '-' || (field[0] == '*' && field.size() > 3)) && field.find_first_not_of(field[0]) == field.npos)
        return true;
    if (is_no_number(field)) return true;
    // "#DIV/0!", "#WERT!" and "#NAME?" of spreadsheets.
    if (field[0] == '#' && field.size() > 3 && (field.back() == '!' || field.back() == '?'))
        return std::ranges::none_of(field, [](char c) { return c >= 'a' && c <= 'z'; });
    std::array<char, 12> lower{};
    if (field.size() > lower.size()) return false;
    for (size_t i = 0; i < field.size(); ++i)
        lower[i] = field[i] >= 'A' && field[i] <= 'Z' ? static_cast<char>(field[i] - 'A' + 'a') : field[i];
    const std::string_view word(lower.data(), field.size());
    static constexpr std::string_view kWords[] = {
        "na",   "nan",  "n/a", "null", "none", "nil",  ".",   "?",      "#n/a",   "#nan",      "missing",
        "<na>", "-nan", "nd",  "n.a.", "#nv",  "#n/d", "\\n", "(null)", "<null>", "undefined", "k.a."};
    return is_among(word, kWords);
}

bool number_in(TableField field, const Dialect& dialect, double& value, bool* is_grouped) {
    const std::string_view text = field.quoted ? trimmed(field.text) : field.text;
    if (text.empty() || text.size() > 512) return false;
    const auto read = [&](std::string_view digits) {
        const char* begin = digits.data();
        const char* const end = begin + digits.size();
        if (end - begin > 1 && *begin == '+' && begin[1] != '-' && begin[1] != '+') ++begin;
        const fast_float::parse_options options{fast_float::chars_format::general, dialect.decimal};
        const auto [at, error] = fast_float::from_chars_advanced(begin, end, value, options);
        return error == std::errc() && at == end;
    };
    const char first = text.front();
    if (!is_decimal_digit(first) && first != '-' && first != '+' && first != '.' && first != dialect.decimal &&
        first != 'i' && first != 'I' && first != 'n' && first != 'N' && first != '\xe2' && first != '\x96' &&
        first != '\'')
        return false;
    if (first == '\'') {  // a quoted number: "'1.5" in a spreadsheet, or '1.5' in single quotes
        std::string_view inner = text.substr(1);
        if (inner.ends_with('\'')) inner.remove_suffix(1);
        return !inner.starts_with('\'') && number_in({inner, false}, dialect, value, is_grouped);
    }
    if (read(text)) return true;
    std::string made(text);
    for (const std::string_view minus :
         {"\xe2\x88\x92", "\xe2\x80\x93", "\x96"})  // U+2212, en dash, and that of Windows-1252
        if (text.starts_with(minus)) made = "-" + made.substr(minus.size());
    const size_t exponent = made.find_first_of("dDqQ");
    if (exponent != made.npos && exponent > 0 &&
        (is_decimal_digit(made[exponent - 1]) || made[exponent - 1] == dialect.decimal))
        made[exponent] = 'e';
    if (made != text && read(made)) return true;
    if (dialect.separator == ',' && !field.quoted && made.find(',') != made.npos) return false;
    if (const auto joined = without_groups(made, dialect.decimal); joined && read(*joined)) {
        if (is_grouped) *is_grouped = *is_grouped || made.find(dialect.decimal == ',' ? '.' : ',') != made.npos;
        return true;
    }
    return false;
}

bool is_remark(std::string_view line) {
    if (line.empty()) return false;
    switch (line.front()) {
        case '#':  // or a missing value of a spreadsheet
            return !is_missing(line.substr(0, line.find_first_of(" ,;\t|")));
        case '%':
            return true;
        case '/':
            return line.starts_with("//");
        case '-':
        case '=':
        case '+':
        case '|':  // a rule below or between rows: "-----+-----"
            return (line.find("---") != line.npos || line.find("===") != line.npos) &&
                   line.find_first_not_of("-=+|: ;\t") == line.npos;
        default:
            return false;
    }
}

TableText find_table(const std::filesystem::path& path, const FileBytes& bytes, const ReadOptions& options,
                     const std::string& row) {
    constexpr size_t kLines = 256;
    TableText table;
    char separator = options.separator;
    const std::string_view text = sample_of(path, bytes);
    std::vector<SampleLine> lines;
    std::vector<std::pair<size_t, std::string_view>> remarks;  // with the index of the next line
    Lines all(path, text);
    bool gap = false;
    for (std::string_view line; lines.size() < kLines && all.next(line);) {
        const size_t begin = static_cast<size_t>(line.data() - text.data());
        const std::string_view content = trimmed(line);
        if (!lines.empty() && begin > lines[0].begin + kSampleBytes) break;
        if (lines.empty() && !separator && (content.starts_with("sep=") || content.starts_with("\"sep=")) &&
            content.size() > 4) {
            const size_t at = content.find('=') + 1;
            separator = content.substr(at) == "\\t" ? '\t' : content[at];
            continue;
        }
        if (content.empty() || content.find_first_not_of(",;| \t") == content.npos) {
            gap = true;
        } else if (is_remark(content)) {
            remarks.emplace_back(lines.size(), without_mark(content));
        } else {
            lines.push_back({line, begin, all.number(), gap});
            gap = false;
        }
    }
    if (lines.empty()) return table;

    Trial best;
    const auto consider = [&](const Dialect& dialect) {
        Trial trial = try_dialect(dialect, lines);
        if (trial.score > best.score + 1e-9) best = std::move(trial);
    };
    for (const char mark : separator ? std::string(1, separator) : std::string("\t;|, "))
        for (const char decimal : {'.', ','})
            if (!options.decimal || options.decimal == decimal) consider({mark, decimal, false});
    if (best.score < 0.9 && (!separator || separator == ' '))
        consider({' ', options.decimal ? options.decimal : '.', true});
    // If header and rows have equally many tabs, semicolons or bars, these separate, and blanks belong to the fields:
    // "03 47 29.1" is not three columns.
    if (best.score > 0 && best.first > 0 && best.dialect.separator == ' ' && separator != ' ') {
        const auto first = lines.begin() + static_cast<std::ptrdiff_t>(best.first);
        for (const char mark : {'\t', ';', '|'}) {
            const auto count = [&](const SampleLine& line) { return std::ranges::count(line.text, mark); };
            if (count(*first) > 0 && count(lines[0]) == count(*first) &&
                std::all_of(first, lines.end(), [&](const SampleLine& line) { return count(line) == count(*first); }))
                best = {};
        }
    }
    if (best.score <= 0) {
        // The first line that cannot be a title, or the only line.
        size_t at = 0;
        while (at + 1 < lines.size() && std::ranges::none_of(lines[at].text, is_decimal_digit)) ++at;
        const bool names_alone =
            lines.size() == 1 && std::isalpha(static_cast<unsigned char>(trimmed(lines[0].text).front())) &&
            std::ranges::none_of(lines[0].text,
                                 [](char c) { return is_decimal_digit(c) || (c >= 0 && c < 0x20 && !is_blank(c)); });
        if (names_alone || (lines.size() == 1 && trimmed(lines[0].text) == "0")) {
            table.titles.emplace_back(trimmed(lines[0].text));
            table.body_line = lines[0].number;
            return table;
        }
        FieldSplitter splitter({separator ? separator : ',', '.', false}, lines[at].text);
        for (TableField field; splitter.next(field);) {
        }
        if (!splitter.fault().empty()) throw Error(line_place(path, lines[at].number) + splitter.fault());
        throw Error(expected_at(line_place(path, lines[at].number), row, lines[at].text).what() + advice(lines, at));
    }
    const auto is_row = [&](const SampleLine& line) {
        bool sound = true;
        return fields_of(best.dialect, line.text, &sound).size() == best.columns && sound;
    };
    if (best.first + 1 < lines.size() && is_row(lines[best.first + 1]) &&
        counts_columns(names_in(lines[best.first].text, best.dialect, best.columns)))
        ++best.first;
    // "Run 12 13" above rows of three numbers.
    if (best.first == 0 && lines.size() > 3) {
        const auto first = fields_of(best.dialect, lines[0].text);
        for (size_t c = 0; c < first.size() && best.first == 0; ++c) {
            if (best.kinds[c] != ColumnKind::kText || is_missing(first[c].text) || is_number(first[c], best.dialect))
                continue;
            size_t numbers = 0;
            for (size_t i = 1; i < lines.size(); ++i) {
                const auto fields = fields_of(best.dialect, lines[i].text);
                numbers += fields.size() == best.columns && is_number(fields[c], best.dialect);
            }
            if (numbers + 1 < lines.size()) continue;
            Trial without = try_dialect(best.dialect, {lines.begin() + 1, lines.end()});
            if (without.columns != best.columns || without.first != 0) continue;
            best = std::move(without);
            best.first = 1;
        }
    }
    table.dialect = best.dialect;
    table.kinds = best.kinds;
    table.mostly_numbers = best.mostly_numbers;
    table.body = lines[best.first].begin;
    table.body_line = lines[best.first].number;

    // The names of the columns: among the lines just before the first row the one that names x and y, or else the
    // first; or a comment with as many names.
    const size_t m = best.columns;
    size_t begin = best.first;
    std::vector<std::vector<std::string>> names;
    while (begin > 0) {
        const std::string_view line = lines[begin - 1].text;
        std::vector<std::string> found = names_in(line, table.dialect, m);
        if (found.empty() && m > 2 && begin == best.first) {  // R omits the name of the column of row names
            found = names_in(line, table.dialect, m - 1);
            if (!found.empty()) {
                found.insert(found.begin(), "");
                table.row_names = true;
            }
        }
        if (counts_columns(found)) {
            table.row_names = true;
        } else if (found.empty() || !can_be_names(found, fields_of(table.dialect, line), table.dialect)) {
            if (begin == best.first) table.row_names = false;
            break;
        }
        names.insert(names.begin(), std::move(found));
        --begin;
        if (table.row_names) break;
    }
    // The line that names them may be further up, above units, a rule or a zone, but not above a malformed row.
    if (std::ranges::none_of(names, names_xy)) {
        for (size_t i = begin; i > 0; --i) {
            const std::string_view line =
                table.dialect.separator == ' ' ? without_mark(lines[i - 1].text) : lines[i - 1].text;
            std::vector<std::string> found = names_in(line, table.dialect, m);
            if (found.empty() && m > 2) {
                found = names_in(line, table.dialect, m - 1);
                if (!found.empty()) found.insert(found.begin(), "");
            }
            const auto fields = fields_of(table.dialect, line);
            if (!found.empty() && names_xy(found) && can_be_names(found, fields, table.dialect)) {
                table.row_names = found[0].empty();
                names.assign(1, std::move(found));
                begin = i - 1;
                break;
            }
            const bool any_number =
                std::ranges::any_of(fields, [&](const TableField& field) { return is_number(field, table.dialect); });
            if (any_number && (fields.size() == m || is_number(fields[0], table.dialect))) break;
        }
    }
    const auto with_xy = std::ranges::find_if(names, names_xy);
    const auto refuse = [&](const SampleLine& line, const std::string& what) {
        throw expected_at(line_place(path, line.number), what, line.text);
    };
    const std::string kRow = "a row with as many numbers as the rows below";
    // A number below the name of x or y is neither a name nor a unit.
    const auto refuse_spoilt_rows = [&](size_t row_begin) {
        const TableRoles roles = roles_by_name(table.header);
        for (size_t i = row_begin; i < best.first && roles.x; ++i) {
            const auto fields = fields_of(table.dialect, lines[i].text);
            for (const size_t c : {*roles.x, *roles.y})
                if (fields.size() == m && is_number(fields[c], table.dialect)) refuse(lines[i], kRow);
        }
    };
    size_t title_end = begin;
    if (!names.empty()) {
        const auto chosen = with_xy != names.end() ? with_xy : names.begin();
        table.header = *chosen;
        title_end += static_cast<size_t>(chosen - names.begin());
        find_units(table, lines, title_end + 1, best.first);
        refuse_spoilt_rows(title_end + 1);
    }
    if (table.header.empty() || with_xy == names.end())
        for (auto remark = remarks.rbegin(); remark != remarks.rend(); ++remark) {
            if (remark->first > best.first) continue;
            std::vector<std::string> found = names_in(remark->second, table.dialect, m);
            if (found.empty() || !names_xy(found) || !can_be_names(found, {}, table.dialect)) continue;
            table.header = std::move(found);
            table.row_names = false;
            break;
        }
    if (table.header.empty()) {
        std::vector<std::string_view> titles;
        for (size_t i = 0; i < title_end; ++i) titles.push_back(trimmed(lines[i].text));
        table.header = names_below(titles, remarks, m);
    }
    // Lines that cannot be titles: other text, or a malformed row, below the names of the columns.
    bool has_named = false;
    for (size_t i = 0; i < title_end; ++i) {
        const std::string_view title = trimmed(lines[i].text);
        if (title.ends_with(" *") && is_number({trimmed(title.substr(0, title.size() - 1)), false}, table.dialect))
            throw Error(line_place(path, lines[i].number) + "the numbers below are to be multiplied, by " +
                        excerpt(title.substr(0, title.size() - 2)) +
                        "; print them with 'format long g', or write them with writematrix()");
        const auto is_control = [](char c) { return (c >= 0 && c < 0x20 && c != '\t' && c != '\r') || c == 0x7f; };
        if (std::ranges::any_of(title, is_control)) refuse(lines[i], "plain text");
        if (has_named) refuse(lines[i], kRow);
        const std::vector<std::string> found = names_in(title, table.dialect, m);
        has_named = !found.empty() && names_xy(found) && can_be_names(found, {}, table.dialect);
        table.titles.emplace_back(title);
    }

    // A row of integers that counts the following ones: "5. 4." of an airfoil, "100 2" of points and dimensions.
    size_t first = best.first;
    if (first + 1 < lines.size()) {
        bool whole = true;
        double sum = 0;
        std::vector<double> values;
        for (const TableField& field : fields_of(table.dialect, lines[first].text)) {
            double value = 0;
            whole = whole && number_in(field, table.dialect, value) && value >= 0 && std::floor(value) == value;
            sum += value;
            values.push_back(value);
        }
        if (whole && (lines[first + 1].after_gap || values[0] > 0)) {
            double behind = 0;
            Lines rest(path, bytes.view().substr(lines[first + 1].begin));
            for (std::string_view line; rest.next(line);) {
                const std::string_view content = trimmed(line);
                behind += !content.empty() && !is_remark(content);
            }
            // A few integer points may look like this by chance.
            bool any_fraction = false;
            for (size_t i = first + 1; i < lines.size(); ++i)
                for (const TableField& field : fields_of(table.dialect, lines[i].text)) {
                    double value = 0;
                    any_fraction =
                        any_fraction || (number_in(field, table.dialect, value) && std::floor(value) != value);
                }
            const bool counts_all = values[0] == behind && values.size() == 2 &&
                                    values[1] <= 3 &&  // dimensions; 0 or 1 for a polygon
                                    (behind >= 20 || (behind >= 2 && any_fraction));
            const bool counts_parts = sum == behind && lines[first + 1].after_gap && !table.titles.empty();
            if (counts_all || counts_parts) {
                table.titles.emplace_back(trimmed(lines[first].text));
                ++first;
                table.body = lines[first].begin;
                table.body_line = lines[first].number;
            }
        }
    }

    // The rows of the sample.
    bool counts = m > 2;
    size_t counted = 0;
    std::set<std::string> texts;
    const auto text_column =
        static_cast<size_t>(std::ranges::find(table.kinds, ColumnKind::kText) - table.kinds.begin());
    table.distinct_text = text_column < m;
    double first_count = 0;
    for (size_t i = first; i < lines.size(); ++i) {
        const auto fields = fields_of(table.dialect, lines[i].text);
        if (fields.empty()) continue;
        double value = 0;
        const bool number = number_in(fields[0], table.dialect, value);
        if (counted == 0) first_count = value;
        counts = counts && number && (first_count == 0 || first_count == 1) &&
                 value == first_count + static_cast<double>(counted);
        ++counted;
        if (text_column < fields.size())
            table.distinct_text = table.distinct_text && texts.insert(text_of(fields[text_column])).second;
        for (const TableField& field : fields) {
            bool is_grouped = false;
            if (number_in(field, table.dialect, value, &is_grouped) && is_grouped) table.has_grouped = true;
        }
        if (table.first_rows.size() < 8) table.first_rows.push_back(texts_of(table.dialect, lines[i].text));
    }
    table.counts_rows = counts && counted >= 3;
    return table;
}

}  // namespace flipscope::io
