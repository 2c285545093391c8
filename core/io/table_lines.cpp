#include "io/table_lines.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace flipscope::io {
namespace {

/// One line, or a row over several lines, from its beginning.
struct Span {
    size_t end = 0;  // without its line end
    size_t separators = 0;
    std::vector<size_t> breaks;  // line ends within quotes
    bool is_sound = true;        // each quote that begins a field ends one
};

size_t line_end(std::string_view text, size_t begin) { return std::min(text.find('\n', begin), text.size()); }

/// The row that begins here; with `over_lines` its quotes may close in a later line.
Span row_at(std::string_view text, size_t begin, char separator, bool over_lines) {
    constexpr size_t kLongest = size_t(1) << 20;
    Span row;
    bool begins_field = true;
    size_t at = begin;
    for (; at < text.size() && text[at] != '\n'; ++at) {
        const char c = text[at];
        if (c == separator) {
            ++row.separators;
            begins_field = true;
        } else if (c == '"' && begins_field) {
            std::string_view rest = text.substr(at), between;
            const size_t close = take_quoted(rest, between) ? at + between.size() + 1 : text.npos;
            const size_t most = over_lines ? at + kLongest : line_end(text, at);
            size_t next = close == text.npos ? close : close + 1;
            while (next < text.size() && (text[next] == ' ' || text[next] == '\r')) ++next;
            if (close >= most || (next < text.size() && text[next] != separator && text[next] != '\n')) {
                row.is_sound = false;
                begins_field = false;
                continue;
            }
            for (size_t i = text.find('\n', at); i < close; i = text.find('\n', i + 1)) row.breaks.push_back(i);
            at = close;
            begins_field = false;
        } else if (c != ' ') {
            begins_field = false;
        }
    }
    row.end = at;
    return row;
}

/// The separator that is most frequent in the first lines.
char usual_separator(std::string_view text) {
    constexpr std::string_view kSigns = ",;\t|";
    std::array<size_t, kSigns.size()> counts{};
    bool quoted = false;
    for (const char c : text.substr(0, 4096)) {
        if (c == '"') quoted = !quoted;
        if (const size_t k = kSigns.find(c); k != kSigns.npos && !quoted) ++counts[k];
    }
    return kSigns[static_cast<size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/// Joins quoted fields over several lines.
std::optional<std::string> joined(std::string_view text, char separator) {
    if (text.find('"') == text.npos) return std::nullopt;
    std::string made;
    size_t kept = 0, usual = 0;  // bytes already in `made`; separators per row
    for (size_t begin = 0; begin < text.size();) {
        Span row = row_at(text, begin, separator, false);
        if (!row.is_sound) {
            const Span whole = row_at(text, begin, separator, true);
            // A literal quote: this line and the next are complete rows.
            const size_t next = row.end + 1;
            const bool alone = usual > 0 && row.separators >= usual &&
                               (next >= text.size() || row_at(text, next, separator, false).separators >= usual);
            if (whole.is_sound && !whole.breaks.empty() && !alone && whole.separators >= usual) {
                made.append(text.substr(kept, begin - kept));
                std::string line(text.substr(begin, whole.end - begin));
                for (const size_t i : whole.breaks) {
                    line[i - begin] = ' ';
                    if (line[i - begin - 1] == '\r') line[i - begin - 1] = ' ';
                }
                made += line;
                made.append(whole.breaks.size(), '\n');
                kept = whole.end;
                row = whole;
            }
        }
        usual = std::max(usual, row.separators);
        begin = row.end + 1;
    }
    if (kept == 0) return std::nullopt;
    return made.append(text.substr(kept));
}

/// "│ 1 ┆ 2 │" and "╞═══╪═══╡", tables drawn by programs, with bars and rules.
std::optional<std::string> without_frames(std::string_view text) {
    constexpr std::string_view kDrawn = "\xe2\x94", kDouble = "\xe2\x95";  // U+2500 to 253F, U+2540 to 257F
    if (text.find(kDrawn) == text.npos && text.find(kDouble) == text.npos) return std::nullopt;
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i, 3);
        if (rest.size() < 3 || !(rest.starts_with(kDrawn) || rest.starts_with(kDouble))) {
            made += text[i];
            continue;
        }
        const auto last = static_cast<unsigned char>(rest[2]);
        const bool is_double = rest.starts_with(kDouble);
        const bool is_bar =
            is_double ? last == 0x91
                      : last == 0x82 || last == 0x83 || (last >= 0x86 && last <= 0x8b && last != 0x88 && last != 0x89);
        made += is_bar ? '|' : '-';
        i += 2;
    }
    return made;
}

/// "1.5,2 3,4.5", points as written in SVG and KML, with one point per line.
std::optional<std::string> points_apart(std::string_view text) {
    size_t points = 0, parts = 0, lines = 0;
    bool has_fraction = false;
    std::string made;
    while (!text.empty()) {
        std::string_view line = trimmed(take_until(text, '\n'));
        lines += !line.empty();
        while (!line.empty()) {
            const std::string_view word = take_word(line);
            FieldSplitter splitter({',', '.', false}, word);
            size_t numbers = 0;
            for (TableField field; splitter.next(field); ++numbers)
                if (!is_number(field, {',', '.', false})) return std::nullopt;
            if (numbers < 2 || numbers > 3 || (points > 0 && numbers != parts)) return std::nullopt;
            parts = numbers;
            ++points;
            has_fraction = has_fraction || word.find('.') != word.npos;  // "1,5 2,5" has decimal commas
            made += std::string(word) + "\n";
        }
        if (points == 1) return std::nullopt;
    }
    if (points <= lines || !has_fraction) return std::nullopt;
    return made;
}

/// "x=1.5 y=2" and "X: 1.5, Y: 2", points as logged by programs, without the names.
std::optional<std::string> without_keys(std::string_view text) {
    std::string made;
    size_t axes = 0;
    while (!text.empty()) {
        std::string_view rest = take_until(text, '\n');
        const auto skip = [&](std::string_view signs) {
            rest.remove_prefix(std::min(rest.find_first_not_of(signs), rest.size()));
        };
        size_t count = 0;
        for (skip(" \t\r([{"); !rest.empty() && count < 3; ++count, skip(" \t\r,;")) {
            if ((rest.front() | 0x20) != static_cast<char>('x' + count)) break;
            rest.remove_prefix(1);
            skip(" ");
            if (!rest.starts_with('=') && !rest.starts_with(':')) return std::nullopt;
            rest.remove_prefix(1);
            skip(" ");
            const std::string_view number = rest.substr(0, rest.find_first_of(" \t\r,;)]}"));
            if (!is_number({number, false}, {',', '.', false})) return std::nullopt;
            made += (count ? "," : "") + std::string(number);
            rest.remove_prefix(number.size());
        }
        skip(" \t\r)]},;");
        if (!rest.empty() || (count > 0 && (count < 2 || (axes > 0 && count != axes)))) return std::nullopt;
        if (count > 0) axes = count;
        made += '\n';
    }
    if (axes == 0) return std::nullopt;
    return made;
}

/// Quotes rows that begin with "#7" or "#ff8800" below a header: they are not comments.
std::optional<std::string> marks_in_quotes(std::string_view text, char separator) {
    const size_t first_end = line_end(text, 0);
    const std::string_view header = text.substr(0, first_end);
    const auto columns = std::ranges::count(header, separator);
    if (columns == 0 || header.starts_with('#')) return std::nullopt;
    std::string made(header);
    for (size_t begin = first_end + 1; begin < text.size(); begin = line_end(text, begin) + 1) {
        const std::string_view line = text.substr(begin, line_end(text, begin) - begin);
        made += '\n';
        if (trimmed(line).empty()) continue;
        if (!line.starts_with('#') || std::ranges::count(line, separator) != columns) return std::nullopt;
        const size_t end = line.find(separator);
        made += '"' + std::string(line.substr(0, end)) + '"' + std::string(line.substr(end));
    }
    return made;
}

/// "0  oak  POINT (1 2)", columns as printed by GeoPandas, with quotes around the shape.
std::optional<std::string> shapes_in_quotes(std::string_view text) {
    constexpr std::string_view kPoint = " POINT (";
    if (text.find(kPoint) == text.npos || text.find_first_of(",;\t|\"") != text.npos) return std::nullopt;
    std::string made;
    for (size_t at = 0;;) {
        const size_t begin = std::min(text.find(kPoint, at), text.size()), end = text.find(')', begin);
        made.append(text.substr(at, begin - at));
        if (begin == text.size()) return made;
        if (end == text.npos) return std::nullopt;
        made += " \"" + std::string(text.substr(begin + 1, end - begin)) + '"';
        at = end + 1;
    }
}

bool ends_table(std::string_view line) {
    const std::string lower = lower_case(line);
    const auto counts = [&](std::string_view before, std::initializer_list<std::string_view> words) {
        if (!lower.starts_with(before)) return false;
        std::string_view rest = std::string_view(lower).substr(before.size());
        const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        rest.remove_prefix(digits);
        return digits > 0 && std::ranges::any_of(words, [&](auto word) { return rest.starts_with(word); });
    };
    return lower == "eof" || lower == "end" || lower == "\\." || lower == "\x1a" || lower.starts_with("dtype: ") ||
           counts("(", {" row)", " rows)", " row affected", " rows affected"}) ||
           counts("", {" row in set", " rows in set", " row selected", " rows selected"}) ||
           (counts("[", {" rows x ", " row x "}) && lower.ends_with("columns]"));
}

}  // namespace

std::optional<std::string> with_whole_rows(std::string_view text, char separator) {
    if (auto points = points_apart(text)) return points;
    if (auto plain = without_keys(text)) return plain;
    if (auto quoted = shapes_in_quotes(text)) return quoted;
    if (auto quoted = marks_in_quotes(text, separator ? separator : usual_separator(text))) return quoted;
    std::optional<std::string> plain = without_frames(text);
    const std::string_view lines = plain ? std::string_view(*plain) : text;
    std::optional<std::string> made = joined(lines, separator ? separator : usual_separator(lines));
    return made ? std::move(made) : std::move(plain);
}

std::optional<TableFooter> footer_of(std::string_view text, const TableText& table) {
    constexpr size_t kBytes = size_t(1) << 16;
    const size_t m = table.kinds.size();
    size_t begin = table.body;
    if (text.size() > begin + kBytes) begin = line_end(text, text.size() - kBytes) + 1;
    struct Line {
        size_t begin;
        std::string_view content;
    };
    std::vector<Line> lines;
    for (; begin < text.size(); begin = line_end(text, begin) + 1)
        lines.push_back({begin, trimmed(text.substr(begin, line_end(text, begin) - begin))});
    const auto is_row = [&](std::string_view line) {
        FieldSplitter splitter(table.dialect, line);
        size_t fields = 0;
        bool begins_row = false;
        for (TableField field; splitter.next(field); ++fields)
            if (fields == 0) begins_row = field.text.empty() || is_number(field, table.dialect);
        return begins_row || fields == m || !splitter.fault().empty();
    };
    size_t cut = lines.size();
    for (size_t k = 1; k < lines.size(); ++k)  // another section: "[Faces]"
        if (lines[k - 1].content.empty() && lines[k].content.starts_with('[') && lines[k].content.ends_with(']') &&
            !is_row(lines[k].content))
            cut = std::min(cut, k);
    for (size_t k = cut; k > 0; --k) {
        const std::string_view line = lines[k - 1].content;
        if (line.empty() || is_remark(line)) continue;
        if (ends_table(line)) {
            cut = k - 1;
            continue;
        }
        // A block after an empty line.
        size_t first = k;
        while (first > 0 && !lines[first - 1].content.empty() && !is_row(lines[first - 1].content)) --first;
        if (first == k || first == 0 || !lines[first - 1].content.empty()) break;
        cut = first;
        k = first + 1;
    }
    if (cut == lines.size()) return std::nullopt;
    TableFooter footer{lines[cut].begin, 0, std::string(lines[cut].content)};
    for (size_t k = cut; k < lines.size(); ++k) footer.lines += !lines[k].content.empty();
    return footer;
}

}  // namespace flipscope::io
