#include "io/table.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <unordered_map>

#include "compute/on_all_cores.h"
#include "compute/text.h"
#include "compute/view.h"
#include "flipscope/predicates.h"
#include "geometry/bounds.h"
#include "io/date_time.h"
#include "io/input_bytes.h"
#include "io/parse.h"
#include "io/points.h"
#include "io/structured_text.h"
#include "io/table_lines.h"
#include "io/table_roles.h"
#include "io/track_rows.h"
#include "io/wkt.h"

namespace flipscope::io {
namespace {

constexpr size_t kMostTableColumns = 1000;
constexpr uint32_t kNoText = UINT32_MAX;

/// Windows-1252 and Latin-1 as UTF-8, if a text is neither ASCII nor UTF-8.
std::string as_utf8(std::string text) {
    std::string_view rest = text;
    uint32_t code = 0;
    for (size_t length = 1; length > 0 && !rest.empty(); rest.remove_prefix(length)) length = utf8_length(rest, code);
    if (rest.empty()) return text;
    // Windows-1252 has characters at unused codes of Latin-1.
    static constexpr std::u16string_view kSigns =
        u"\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f"
        u"\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";
    std::string made;
    for (const char byte : text) {
        const auto b = static_cast<unsigned char>(byte);
        put_utf8(made, b >= 0x80 && b < 0xa0 ? kSigns[b - 0x80] : b);
    }
    return made;
}

/// The use of a column.
enum class Use : uint8_t { kLeaveOut, kX, kY, kTime, kId, kNumber, kText, kPoint, kShape, kCorner };

/// A table and the uses of its columns.
struct Plan {
    TableText text;
    std::vector<HeaderName> names;  // (columns); empty: a column without a name
    TableRoles roles;
    std::vector<Use> uses;
    bool over_time = false;
    bool has_dates = false;  // times are dates or times of day, read in microseconds
    bool guessed = false;
    bool y_down = false;
    std::vector<std::string> clauses;  // parts of the sentence
    std::string unit, time_unit;
    std::string row;  // for errors: "two numbers"

    std::string name(size_t column) const {
        return names[column].name.empty() ? "column " + std::to_string(column + 1)
                                          : printable_within(names[column].name, kLongestColumnName);
    }
    /// "x_m", with its unit as in the file; or the number of the column.
    std::string source(size_t column) const { return source_of(names, column); }
};

/// Assigns roles without a header, or if it names no coordinates.
void guess_coordinates(const InputFile& file, Plan& plan, bool tracks) {
    TableRoles& roles = plan.roles;
    const size_t m = plan.names.size();
    const auto is_used = [&](size_t c) {
        return std::ranges::any_of(kColumnRoles, [&](ColumnRole role) { return roles.place(role) == c; });
    };
    if (tracks && !roles.time && !roles.id && !roles.x && !roles.y) {
        if (m < 4) {
            const std::string_view row = file.bytes.view().substr(plan.text.body);
            throw expected_at(line_place(file.path, plan.text.body_line), "four numbers, t, id, x and y",
                              row.substr(0, row.find_first_of("\r\n")));
        }
        roles.time = 0;
        roles.id = 1;
        roles.x = 2;
        roles.y = 3;
        plan.guessed = true;
        plan.clauses.push_back(
            "no header: columns 1 to 4 are taken as t, id, x, y (--columns time=…,id=…,x=…,y=… says otherwise)");
        return;
    }
    const bool index = plan.text.counts_rows && !is_used(0) && plan.text.kinds[0] == ColumnKind::kNumber;
    const auto take = [&](std::optional<size_t>& place, const auto& fits) {
        for (size_t c = 0; c < m && !place; ++c)
            if (!is_used(c) && plan.text.kinds[c] != ColumnKind::kText && fits(c)) place = c;
    };
    const auto is_place = [&](size_t c) { return c > 0 || !(index || plan.text.row_names); };
    take(roles.x, [&](size_t c) { return lower_case(plan.names[c].name) == "x"; });
    take(roles.y, [&](size_t c) { return lower_case(plan.names[c].name) == "y"; });
    take(roles.x, is_place);
    take(roles.y, is_place);
    if (!roles.x || !roles.y) refuse_columns(file.path.string(), "no two columns of numbers for x and y", plan.names);
    if (index && roles.x != 0 && !is_chosen(file.options, ColumnRole::kX)) {
        plan.guessed = true;
        plan.clauses.push_back("column 1 counts the rows and is left out (--columns x=1 takes it)");
        plan.uses[0] = Use::kLeaveOut;
    }
}

/// Throws Error for a shape without quotes whose own commas would separate columns.
void refuse_cut_shapes(const InputFile& file, const Dialect& dialect) {
    if (dialect.separator != ',' && dialect.separator != ' ') return;
    constexpr uint64_t kLooked = 50;  // lines
    Lines lines(file.path, file.bytes.head());
    for (std::string_view line; lines.next(line) && lines.number() <= kLooked;) {
        bool is_quoted = false;
        for (size_t at = 0; at < line.size(); ++at) {
            is_quoted ^= line[at] == '"';
            if (is_quoted || (at > 0 && line[at - 1] != ',') || !begins_wkt_shape(line.substr(at)) ||
                line.find(',', at) < line.find('(', at))
                continue;
            size_t end = at, depth = 0;
            for (; end < line.size(); ++end) {
                depth += line[end] == '(';
                if (line[end] == ')' && --depth == 0) break;
            }
            const std::string_view shape = line.substr(at, end + 1 - at);
            if (shape.find(',') == shape.npos || (at == 0 && trimmed(line.substr(at + shape.size())).empty())) continue;
            throw lines.fail("the commas of a shape would separate columns; put it in quotes: " +
                             excerpt(shape.substr(0, 60)));
        }
    }
}

/// The plan for reading the rows of a table.
Plan plan_of(const InputFile& file, bool tracks) {
    Plan plan;
    plan.y_down = file.options.y_down;
    plan.text = find_table(file.path, file.bytes, file.options);
    refuse_cut_shapes(file, plan.text.dialect);
    const size_t m = plan.text.kinds.size();
    if (m == 0) throw file.fail("no points found");
    plan.row =
        m == 2 ? "two numbers" : std::to_string(m) + " columns as in line " + std::to_string(plan.text.body_line);
    if (m > kMostTableColumns && plan.text.header.empty())
        throw file.fail("has " + std::to_string(m) + " columns; at most " + std::to_string(kMostTableColumns) +
                        " are read as a table");
    std::vector<bool> is_text(m), is_words(m);
    for (size_t c = 0; c < m; ++c) {
        is_text[c] = plan.text.kinds[c] == ColumnKind::kText;
        is_words[c] = is_text[c] && !plan.text.mostly_numbers[c];
        HeaderName name = plan.text.header.empty() ? HeaderName() : header_name(as_utf8(plan.text.header[c]));
        if (!plan.text.units.empty() && name.unit.empty()) name.unit = as_utf8(plan.text.units[c]);
        if (name.name.starts_with("Unnamed: ")) name.name.clear();  // pandas' name for an index
        plan.names.push_back(std::move(name));
    }
    plan.uses.assign(m, Use::kNumber);
    if (!plan.text.header.empty()) {
        plan.roles = roles_of(plan.names, is_words);
        if (!plan.roles.x && plan.roles.pairs.empty()) plan.roles = roles_of(plan.names, is_words, true);
    }
    TableRoles& roles = plan.roles;
    const auto holds_dates = [&](size_t c) {
        return is_text[c] && std::ranges::all_of(plan.text.first_rows, [&](const auto& row) {
                   return c < row.size() && (is_missing(row[c]) || microseconds_of(row[c]));
               });
    };
    if (!roles.time && roles.id) {
        std::vector<bool> no_date = is_words;
        for (size_t c = 0; c < m; ++c) no_date[c] = no_date[c] && !holds_dates(c);
        roles.time = roles_of(plan.names, no_date).time;
    }
    choose_roles(roles, plan.names, file.options, file.path.string());
    plan.has_dates = roles.time && holds_dates(*roles.time);
    const bool named = roles.x && roles.y;

    // Texts that are points or other shapes: "POINT (1 2)".
    std::optional<size_t> point_text;
    bool points_alone = true;
    for (size_t c = 0; c < m && !named && roles.pairs.empty() && !point_text; ++c)
        for (const std::vector<std::string>& row : plan.text.first_rows) {
            if (!is_text[c] || c >= row.size() || !is_shape_text(row[c])) continue;
            point_text = c;
            points_alone = points_alone && wkt_point(row[c]);
        }
    if (point_text && roles.name == point_text) roles.name.reset();

    if (!named && !point_text && roles.pairs.empty()) {
        if (tracks && !plan.text.header.empty() && !(roles.x && roles.y) && !roles.time) {
            refuse_columns(file.path.string(),
                           "expected columns that are called t, id, x and y (--columns time=…,id=…,x=…,y=… names them)",
                           plan.names);
        }
        guess_coordinates(file, plan, tracks);
        if (!plan.text.header.empty() && file.options.columns.empty()) {
            plan.guessed = true;
            const bool x = lower_case(plan.names[*roles.x].name) == "x",
                       y = lower_case(plan.names[*roles.y].name) == "y";
            plan.clauses.push_back(std::string("the header names no ") +
                                   (x   ? "y, so it is the first other column"
                                    : y ? "x, so it is the first other column"
                                        : "x and y, so they are the first two columns") +
                                   " of numbers (--columns x=…,y=… chooses others)");
        }
    }
    for (size_t c = 0; c < m; ++c) {
        const bool unnamed_index = !plan.text.header.empty() && plan.names[c].name.empty() && c == 0 && roles.x != c &&
                                   roles.y != c && roles.id != c;
        if (plan.uses[c] == Use::kLeaveOut) continue;
        if (roles.x == c && !point_text)
            plan.uses[c] = Use::kX;
        else if (roles.y == c && !point_text)
            plan.uses[c] = Use::kY;
        else if (point_text == c)
            plan.uses[c] = points_alone ? Use::kPoint : Use::kShape;
        else if (unnamed_index && !is_text[c])
            plan.uses[c] = Use::kLeaveOut;
        else
            plan.uses[c] = is_text[c] ? Use::kText : Use::kNumber;
        if (roles.name == c) plan.uses[c] = Use::kText;
    }
    // "Label" may be that of an image, the same in every row; "name" is a name.
    if (roles.name && is_text[*roles.name] && !is_chosen(file.options, ColumnRole::kName)) {
        const std::string lower = lower_case(plan.names[*roles.name].name);
        const auto first_text = std::ranges::find(is_text, true) - is_text.begin();
        if (!lower.starts_with("name") && !(plan.text.distinct_text && static_cast<size_t>(first_text) == *roles.name))
            roles.name.reset();
    }
    if (!roles.name && plan.text.distinct_text && !is_chosen(file.options, ColumnRole::kName))
        for (size_t c = 0; c < m && !roles.name; ++c)
            if (plan.uses[c] == Use::kText && (plan.text.header.empty() || plan.names[c].name.empty()) && roles.id != c)
                roles.name = c;

    // Spots outside any track have no ids; then the rows are points.
    const auto is_empty = [&](size_t c) { return plan.text.kinds[c] == ColumnKind::kMissing; };
    plan.over_time =
        tracks || (roles.time && roles.id && !is_empty(*roles.time) && !is_empty(*roles.id)) || !roles.pairs.empty();
    if (plan.over_time && roles.pairs.empty()) {
        if (!roles.time)
            refuse_columns(file.path.string(), "points over time need a column of times (--columns time=…)",
                           plan.names);
        if (!roles.id && roles.name) roles.id = roles.name;
        if (!roles.id)
            refuse_columns(file.path.string(), "points over time need a column of ids (--columns id=…)", plan.names);
        plan.uses[*roles.time] = Use::kTime;
        plan.uses[*roles.id] = Use::kId;
        if (roles.name == roles.id) roles.name.reset();
    }
    plan.unit = file.options.unit.empty() ? unit_of(roles) : file.options.unit;
    // A column "Unit" with the same value in all rows, as written by Imaris.
    for (size_t c = 0; c < m && plan.unit.empty(); ++c) {
        const auto& rows = plan.text.first_rows;
        if (is_text[c] && lower_case(plan.names[c].name) == "unit" && is_unit_of_places(rows[0][c]) &&
            std::ranges::all_of(rows, [&](const auto& row) { return c < row.size() && row[c] == rows[0][c]; }))
            plan.unit = rows[0][c];
    }
    plan.time_unit = roles.time_unit;
    return plan;
}

/// The values of one column.
struct Column {
    std::vector<double> numbers;
    std::vector<int64_t> ids;
    std::vector<uint32_t> codes;    // of texts; for corners their indices, kNone: no point
    std::deque<std::string> texts;  // in the order of first appearance
};

/// The kept rows, in the order of the file.
struct Rows {
    size_t count = 0;
    std::vector<Point> places;
    std::vector<Column> columns;
    std::vector<uint64_t> left_out;        // rows of the file, from 0, without a place, an id or a time
    std::vector<uint64_t> left_out_lines;  // of the first few of these
    uint64_t short_rows = 0, tiny = 0;
};

/// Numbered texts of a stretch of the file.
struct Texts {
    std::vector<std::string_view> known;
    std::unordered_map<std::string_view, uint32_t> numbers;
    std::deque<std::string> made;
    uint32_t last = kNoText;

    uint32_t number(const TableField& field) {
        if (field.text.empty() || (!field.quoted && is_missing(field.text))) return kNoText;
        if (last != kNoText && known[last] == field.text) return last;
        std::string_view text = field.text;
        if (field.quoted && text.find('"') != text.npos) text = made.emplace_back(with_single_quotes(text));
        const auto [found, fresh] = numbers.emplace(text, static_cast<uint32_t>(known.size()));
        if (fresh) known.push_back(text);
        return last = found->second;
    }
};

class RowReader {
  public:
    RowReader(const InputFile& file, Plan& plan) : file_(file), plan_(plan) {
        if (file.bytes.head().find('\n') == std::string_view::npos) end_ = '\r';
    }

    Rows read() {
        for (;;) {
            Rows rows;
            if (read_all(rows)) return rows;
        }
    }

    /// The line of a row of the file, from 0.
    uint64_t line_of(uint64_t row) const {
        Lines lines(file_.path, file_.bytes);
        for (std::string_view line; lines.next(line);) {
            if (lines.number() < plan_.text.body_line || is_skipped(line)) continue;
            if (row-- == 0) return lines.number();
        }
        return 0;
    }

  private:
    struct Part;
    struct LeftOut {
        uint64_t row, line;  // of the stretch, from 0
    };

    static bool is_skipped(std::string_view line) {
        const std::string_view content = trimmed(line);
        return content.empty() || is_remark(content);
    }

    bool read_all(Rows& rows);
    std::string_view lines_of(size_t stretch, std::string& buffer) const;
    void read_part(size_t stretch, Part& part) const;
    void read_row(std::string_view line, Part& part) const;
    bool read_id(const TableField& field, size_t column, Part& part, int64_t& id, std::string& wrong) const;
    void make_room(Part& part) const;

    static constexpr size_t kStretch = size_t(1) << 19;  // bytes

    const InputFile& file_;
    Plan& plan_;
    char end_ = '\n';
};

/// The rows of one stretch of the file. A thread reuses its memory for the next one.
struct RowReader::Part {
    std::string buffer;
    Rows rows;
    size_t room = 0;     // number of rows
    uint64_t lines = 0;  // read so far
    uint64_t data_rows = 0;
    CoordinateRange range;
    std::vector<LeftOut> left_out;
    std::vector<Texts> texts;       // (columns)
    std::vector<bool> not_numbers;  // (columns) with values other than numbers
    bool has_shapes = false;        // among points
    std::string fault;              // of the last line read; empty: every line was readable

    explicit Part(const ReadOptions& options) : range(options) {}
};

/// The lines that begin in a stretch of the file.
std::string_view RowReader::lines_of(size_t stretch, std::string& buffer) const {
    const size_t body = plan_.text.body, begin = body + stretch * kStretch;
    const size_t before = stretch > 0;  // a line begins after the end of another
    for (size_t length = kStretch + (size_t(1) << 14);; length *= 2) {
        const std::string_view text = file_.bytes.part(begin - before, length, buffer);
        const size_t end = before + kStretch;
        size_t last = text.find(end_, end - 1);
        if (last == text.npos && text.size() == length) continue;
        last = std::min(last, text.size());
        const size_t first = before ? text.find(end_) + 1 : 0;
        return first < end && (first > 0 || !before) ? text.substr(first, last + 1 - first) : std::string_view();
    }
}

/// False: a column turned out to have text, and the rows must be read again.
bool RowReader::read_all(Rows& rows) {
    const size_t m = plan_.uses.size(), bytes = file_.bytes.size() - plan_.text.body,
                 count = (bytes + kStretch - 1) / kStretch;
    uint64_t line = plan_.text.body_line, row = 0;  // at the beginning of the next stretch
    std::vector<bool> not_numbers(m);
    bool has_shapes = false, again = false;
    std::vector<std::unordered_map<std::string_view, uint32_t>> numbers(m);  // of texts
    rows.columns.resize(m);
    const auto take = [&](Part& part) {
        if (!part.fault.empty()) throw Error(line_place(file_.path, line + part.lines - 1) + part.fault);
        has_shapes = has_shapes || part.has_shapes;
        for (const LeftOut& one : part.left_out) {
            constexpr size_t kNamed = 3;
            rows.left_out.push_back(row + one.row);
            if (rows.left_out_lines.size() < kNamed) rows.left_out_lines.push_back(line + one.line);
        }
        line += part.lines;
        row += part.data_rows;
        rows.short_rows += part.rows.short_rows;
        rows.tiny += part.range.zeroed();
        for (size_t c = 0; c < m; ++c) {
            not_numbers[c] = not_numbers[c] || part.not_numbers[c];
            if (part.texts[c].known.empty()) continue;
            // Number the texts of all stretches in the order of the file.
            Column &column = rows.columns[c], &from = part.rows.columns[c];
            std::vector<uint32_t> renamed;
            for (const std::string_view text : part.texts[c].known) {
                auto found = numbers[c].find(text);
                if (found == numbers[c].end()) {
                    column.texts.emplace_back(text);
                    found =
                        numbers[c].emplace(column.texts.back(), static_cast<uint32_t>(column.texts.size() - 1)).first;
                }
                renamed.push_back(found->second);
            }
            for (size_t i = 0; i < part.rows.count; ++i) {
                if (plan_.uses[c] == Use::kText && from.codes[i] != kNoText) from.codes[i] = renamed[from.codes[i]];
                if (plan_.uses[c] == Use::kId) from.ids[i] = renamed[static_cast<size_t>(from.ids[i])];
            }
        }
        const size_t expected = rows.count == 0 ? part.rows.count * count + part.rows.count * count / 32 : 0;
        const auto append = [&](auto& values, const auto& from) {
            if (from.empty()) return;
            values.reserve(std::max(values.capacity(), expected));
            values.insert(values.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(part.rows.count));
        };
        append(rows.places, part.rows.places);
        for (size_t c = 0; c < m; ++c) {
            append(rows.columns[c].numbers, part.rows.columns[c].numbers);
            append(rows.columns[c].ids, part.rows.columns[c].ids);
            append(rows.columns[c].codes, part.rows.columns[c].codes);
        }
        rows.count += part.rows.count;
    };
    on_all_cores_in_order(
        count, [&] { return Part(file_.options); }, [&](Part& part, size_t i) { read_part(i, part); }, take);

    for (size_t c = 0; c < m; ++c) {
        if (!not_numbers[c] || plan_.uses[c] != Use::kNumber) continue;
        plan_.uses[c] = Use::kText;
        again = true;
    }
    if (has_shapes) std::ranges::replace(plan_.uses, Use::kPoint, Use::kShape);
    return !again;
}

void RowReader::make_room(Part& part) const {
    part.room = std::max<size_t>(2 * part.room, 1024);
    part.rows.columns.resize(plan_.uses.size());
    for (size_t c = 0; c < plan_.uses.size(); ++c) {
        const Use use = plan_.uses[c];
        Column& column = part.rows.columns[c];
        if (use == Use::kX || use == Use::kPoint) part.rows.places.resize(part.room);
        if (use == Use::kNumber || use == Use::kTime) column.numbers.resize(part.room);
        if (use == Use::kId) column.ids.resize(part.room);
        if (use == Use::kText || use == Use::kCorner) column.codes.resize(part.room);
    }
}

void RowReader::read_part(size_t stretch, Part& part) const {
    if (part.room == 0) make_room(part);
    part.lines = part.data_rows = part.rows.count = part.rows.short_rows = 0;
    part.range = CoordinateRange(file_.options);
    part.left_out.clear();
    part.texts.assign(plan_.uses.size(), {});
    part.not_numbers.assign(plan_.uses.size(), false);
    part.has_shapes = false;
    std::string_view rest = lines_of(stretch, part.buffer);
    while (!rest.empty() && part.fault.empty()) {
        read_row(take_until(rest, end_), part);
        ++part.lines;
    }
}

bool RowReader::read_id(const TableField& field, size_t column, Part& part, int64_t& id, std::string& wrong) const {
    if (plan_.text.kinds[column] == ColumnKind::kText) {  // text ids are replaced by numbers
        const uint32_t number = part.texts[column].number(field);
        id = number;
        return number != kNoText;
    }
    if (is_missing(field.text)) return false;
    if (const auto number = whole<int64_t>(field.text)) {
        id = *number;
        return true;
    }
    double value = 0;
    const auto number = number_in(field, plan_.text.dialect, value) ? exact_whole(value) : std::nullopt;
    if (!number) wrong = "an id, a whole number,";
    id = number.value_or(0);
    return number.has_value();
}

void RowReader::read_row(std::string_view line, Part& part) const {
    std::string_view content = line;
    while (!content.empty() && is_blank(content.front())) content.remove_prefix(1);
    if (content.empty() || is_remark(content)) return;
    const Dialect& dialect = plan_.text.dialect;
    if (part.rows.count == part.room) make_room(part);
    Rows& rows = part.rows;
    const size_t m = plan_.uses.size(), at = rows.count;
    const bool by_blanks = dialect.separator == ' ';
    const auto is_gap = [&](char c) { return c == ' ' || c == '\r' || (c == '\t' && dialect.separator != '\t'); };
    const auto fail = [&](const std::string& message) { part.fault = message; };
    const auto expected = [&](const std::string& what) { fail(expected_at("", what, line).what()); };
    const auto expected_place = [&](char axis, size_t c) {
        m == 2 ? expected(plan_.row)
               : expected(std::string("a number as ") + axis + " in column " + std::to_string(c + 1));
    };

    std::string_view rest = dialect.separator == '\t' ? line : content;
    bool more = true, is_placed = true, is_known = true;
    size_t c = 0;
    Point place;
    for (; c < m && more; ++c) {
        const Use use = plan_.uses[c];
        TableField field;
        double value = NAN;
        bool is_number = false;
        // Most fields are plain numbers followed by a separator.
        while (!rest.empty() && is_gap(rest.front())) rest.remove_prefix(1);
        if (by_blanks && (rest.empty() || begins_remark(rest))) break;
        std::string_view written = rest;
        const bool takes_number =
            use != Use::kText && use != Use::kPoint && use != Use::kShape && use != Use::kLeaveOut;
        if (takes_number && !dialect.signs_separate) {
            const char* begin = rest.data();
            const char* const end = begin + rest.size();
            if (end - begin > 1 && *begin == '+' && begin[1] != '-' && begin[1] != '+') ++begin;
            const auto [behind, error] = fast_float::from_chars_advanced(
                begin, end, value, fast_float::parse_options{fast_float::chars_format::general, dialect.decimal});
            if (error == std::errc()) {
                const char* next = behind;
                while (next != end && is_gap(*next)) ++next;
                const bool remark = next != end && ((*next == '#' && !is_no_number(rest)) ||
                                                    (*next == '/' && next + 1 != end && next[1] == '/'));
                if (next == end || remark || (by_blanks ? next != behind : *next == dialect.separator)) {
                    is_number = true;
                    field.text = written = rest.substr(0, static_cast<size_t>(behind - rest.data()));
                    more = !(next == end || remark);
                    rest = more ? std::string_view(next + !by_blanks, static_cast<size_t>(end - next) - !by_blanks)
                                : std::string_view();
                }
            }
        }
        if (!is_number) {
            FieldSplitter splitter(dialect, rest, c);
            if (!splitter.next(field)) {
                if (!splitter.fault().empty()) return fail(splitter.fault());
                break;
            }
            rest = splitter.rest();
            more = by_blanks ? !trimmed(rest).empty() : splitter.has_more();
            written = field.text;
            is_number = takes_number && number_in(field, dialect, value);
        }
        const bool missing = is_number ? !std::isfinite(value) : is_missing(field.text);
        switch (use) {
            case Use::kX:
            case Use::kY: {
                const char axis = use == Use::kX ? 'x' : 'y';
                if (!is_number && !missing) return expected_place(axis, c);
                if (missing) {
                    is_placed = false;
                    if (is_number && written.find_first_of("iInN") == written.npos)
                        return fail(std::string(1, axis) + " is too large for a double: " + excerpt(written));
                    break;
                }
                try {
                    value = part.range.take(value, written, [&] { return std::string(1, axis); });
                } catch (const Error& error) {
                    return fail(error.what());
                }
                (use == Use::kX ? place.x : place.y) = value;
                break;
            }
            case Use::kPoint: {
                if (const auto point = field.quoted ? wkt_point(text_of(field)) : wkt_point(field.text)) {
                    place = *point;
                    if (!coordinate_in_range(place.x) || !coordinate_in_range(place.y))
                        return expected("coordinates in range");
                } else if (missing) {
                    is_placed = false;
                } else if (is_shape_text(field.text)) {
                    is_placed = false;
                    part.has_shapes = true;
                } else {
                    return expected("a point, as POINT (1 2), in column " + std::to_string(c + 1));
                }
                break;
            }
            case Use::kTime:
                if (plan_.has_dates) {
                    const std::optional<int64_t> instant = microseconds_of(field.text);
                    is_known = is_known && instant;
                    rows.columns[c].numbers[at] = instant ? static_cast<double>(*instant) : NAN;
                    break;
                }
                if (!is_number && !missing) return expected("a time in column " + std::to_string(c + 1));
                if (is_number && std::isinf(value))
                    return fail("t is " + std::string(value < 0 ? "-inf" : "inf") + ", not a finite number");
                is_known = is_known && !missing;
                rows.columns[c].numbers[at] = value;
                break;
            case Use::kId: {
                std::string wrong;
                int64_t id = 0;
                const bool known = read_id(field, c, part, id, wrong);
                if (!wrong.empty()) return expected(wrong + " in column " + std::to_string(c + 1));
                is_known = is_known && known;
                rows.columns[c].ids[at] = id;
                break;
            }
            case Use::kNumber:
                if (!is_number && !missing) part.not_numbers[c] = true;
                rows.columns[c].numbers[at] = missing || !is_number ? NAN : value;
                break;
            case Use::kText:
                rows.columns[c].codes[at] = part.texts[c].number(field);
                break;
            case Use::kCorner:
                if (!is_number || !std::isfinite(value) || std::floor(value) != value)
                    return expected(m == 3
                                        ? plan_.row
                                        : "the index of a point, a whole number, in column " + std::to_string(c + 1));
                rows.columns[c].codes[at] = index_or_none(value);
                break;
            case Use::kShape:
            case Use::kLeaveOut:
                break;
        }
    }
    if (c < m) {
        // Cells missing at the end of a row: an error if needed, or if blanks separate.
        for (size_t rest_c = c; rest_c < m; ++rest_c) {
            const Use use = plan_.uses[rest_c];
            if (by_blanks || use == Use::kX || use == Use::kY || use == Use::kPoint || use == Use::kTime ||
                use == Use::kId || use == Use::kCorner)
                return expected(plan_.row);
            if (use == Use::kNumber) rows.columns[rest_c].numbers[at] = NAN;
            if (use == Use::kText) rows.columns[rest_c].codes[at] = kNoText;
        }
        ++rows.short_rows;
    } else if (more) {
        // Only separators may follow.
        const std::string_view behind = trimmed(rest);
        if (!behind.empty() && !(by_blanks && begins_remark(behind)) &&
            (by_blanks || behind.find_first_not_of(std::string{dialect.separator, ' '}) != behind.npos))
            return expected(plan_.row);
    }
    if (is_placed && is_known) {
        if (!rows.places.empty()) rows.places[at] = file_.options.y_down ? Point{place.x, 0.0 - place.y} : place;
        ++rows.count;
    } else {
        part.left_out.push_back({part.data_rows, part.lines});
    }
    ++part.data_rows;
}

/// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& names) {
    constexpr size_t kNamed = 6;
    std::string text;
    for (size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
    return text;
}

/// The decisions made before the rows are read.
std::string decided(const Plan& plan) {
    const TableRoles& roles = plan.roles;
    std::string text;
    const auto add = [&](const std::string& part) { append_clause(text, part, ", "); };
    const auto from = [&](const char* role, const std::optional<size_t>& column) {
        if (column) add(std::string(role) + " from " + plan.source(*column));
        const bool place = column && (column == roles.x || column == roles.y);
        if (place && !plan.unit.empty() && plan.unit != "°" &&
            (plan.names[*column].unit.empty() || !plan.text.units.empty()))
            text += " in " + plan.unit;
    };
    for (size_t c = 0; c < plan.uses.size(); ++c)
        if (plan.uses[c] == Use::kPoint) add("points from " + plan.source(c));
    if (!roles.pairs.empty()) {
        add(std::to_string(roles.pairs.size()) + " points over time from pairs of columns, " +
            plan.source(roles.pairs[0].x) + " and " + plan.source(roles.pairs[0].y) + " the first");
        from("time", roles.time);
        return text;
    }
    if (std::ranges::find(plan.uses, Use::kPoint) == plan.uses.end()) {
        from("x", roles.x);
        from("y", roles.y);
    }
    if (plan.over_time) {
        from("time", roles.time);
        from("id", roles.id);
    } else {
        from("name", roles.name);
    }
    return text;
}

/// The header determines everything: x and y, or t, id, x and y.
bool is_plain(const Plan& plan) {
    if (plan.guessed || !plan.clauses.empty()) return false;
    const size_t m = plan.names.size();
    if (plan.text.header.empty()) return m == 2 && !plan.over_time;
    const auto is = [&](const std::optional<size_t>& column, std::initializer_list<std::string_view> names) {
        if (!column) return false;
        const std::string lower = lower_case(plan.text.header[*column]);
        return std::ranges::find(names, lower) != names.end();
    };
    const TableRoles& roles = plan.roles;
    if (!is(roles.x, {"x"}) || !is(roles.y, {"y"})) return false;
    return m == 2 || (m == 3 && is(roles.name, {"name"})) ||
           (m == 4 && plan.over_time && is(roles.time, {"t", "time", "frame"}) &&
            is(roles.id, {"id", "particle", "track_id"}));
}

std::string sentence_of(const Plan& plan, const std::vector<std::string>& kept, const Rows* rows) {
    std::string text;
    const auto say = [&](const std::string& clause) { append_clause(text, clause); };
    if (!is_plain(plan)) {
        say(decided(plan));
        if (!kept.empty()) say(count_text(kept.size(), "column", "columns") + " kept: " + some_of(kept));
    }
    for (const std::string& one : plan.clauses) say(one);
    if (plan.roles.of_image && plan.y_down)
        say("y goes down in the file and is turned over");
    else if (plan.roles.of_image)
        say("y is that of an image, which goes down (--y down turns it over)");
    const auto has_decimal_comma = [](const std::string& field) {
        const size_t comma = field.find(',');
        return comma != field.npos && comma + 1 < field.size() &&
               std::isdigit(static_cast<unsigned char>(field[comma + 1]));
    };
    if (plan.text.dialect.decimal == ',' && std::ranges::any_of(plan.text.first_rows, [&](const auto& row) {
            return std::ranges::any_of(row, has_decimal_comma);
        }))
        say("the comma is the decimal mark");
    if (plan.text.has_grouped)
        say(plan.text.dialect.decimal == ',' ? "points group digits by threes (--decimal . says otherwise)"
                                             : "commas group digits by threes (--decimal , says otherwise)");
    if (plan.text.dialect.signs_separate) say("numbers that run together are parted at their signs");
    if (!plan.text.titles.empty())
        say(count_text(plan.text.titles.size(), "line", "lines") + " before the table " +
            (plan.text.titles.size() == 1 ? "is" : "are") + " no row: " + excerpt(plan.text.titles.back()));
    if (plan.unit == "°") say("x and y are angles: distances and areas are in degrees");
    if (rows && rows->short_rows > 0)
        say(count_text(rows->short_rows, "row ends early; its last cells are", "rows end early; their last cells are") +
            " missing");
    if (rows && rows->tiny > 0)
        say(count_text(rows->tiny, "coordinate", "coordinates") + " below 2^-200 " + (rows->tiny == 1 ? "is" : "are") +
            " read as 0");
    return text;
}

/// All other columns, in the order of the kept rows.
std::vector<Attribute> attributes_of(const InputFile& file, Plan& plan, Rows& rows, std::vector<std::string>* names) {
    std::vector<Attribute> made;
    std::set<std::string> used;
    std::vector<std::string> empty, same;
    for (size_t c = 0; c < plan.uses.size(); ++c) {
        Column& column = rows.columns[c];
        const bool holds_names = plan.roles.name == c;
        if (plan.uses[c] == Use::kText && holds_names && names) {
            names->resize(rows.count);
            for (size_t i = 0; i < rows.count; ++i)
                if (column.codes[i] != kNoText) (*names)[i] = as_utf8(column.texts[column.codes[i]]);
            column = {};
            continue;
        }
        if (plan.uses[c] != Use::kNumber && plan.uses[c] != Use::kText) continue;
        Attribute attribute{plan.name(c), {}, plan.names[c].unit};
        const bool is_text = plan.uses[c] == Use::kText;
        if (is_text ? column.texts.empty()
                    : std::ranges::all_of(column.numbers, [](double v) { return std::isnan(v); })) {
            if (!plan.names[c].written.empty()) empty.push_back(plan.source(c));
            continue;
        }
        if (!is_text) {
            attribute.values = std::move(column.numbers);
        } else {
            // "<0.01" among numbers turns all of them into texts.
            const auto is_one = [&](const std::string& one) { return is_number({one, false}, plan.text.dialect); };
            const auto numbers = std::ranges::count_if(column.texts, is_one);
            if (const auto count = static_cast<std::ptrdiff_t>(column.texts.size());
                numbers < count && 2 * numbers > count)
                file.note(plan.source(c) + " is text, since not all of its values are numbers: " +
                          excerpt(*std::ranges::find_if_not(column.texts, is_one)));
            attribute.values.resize(rows.count);
            for (size_t i = 0; i < rows.count; ++i)
                attribute.values[i] = column.codes[i] == kNoText ? NAN : column.codes[i];
            for (std::string& text : column.texts) attribute.categories.push_back(printable(as_utf8(std::move(text))));
        }
        column = {};
        if (!used.insert(attribute.name).second) {
            same.push_back(plan.source(c));
            continue;
        }
        made.push_back(std::move(attribute));
    }
    if (!empty.empty()) file.note("empty, and left out: " + some_of(empty));
    if (!same.empty()) file.note("of columns with the same name the first counts: " + some_of(same));
    return made;
}

std::vector<std::string> names_of(const std::vector<Attribute>& attributes) {
    std::vector<std::string> names;
    for (const Attribute& attribute : attributes) names.push_back(attribute.name);
    return names;
}

void say(const InputFile& file, const Plan& plan, const std::vector<Attribute>& attributes, const Rows* rows) {
    const std::string sentence = sentence_of(plan, names_of(attributes), rows);
    if (!sentence.empty()) file.note(sentence);
}

/// Reads a table with a pair of columns per point, and a row per frame.
Tracks read_pairs(const InputFile& file, Plan& plan) {
    for (const TableRoles::Pair& pair : plan.roles.pairs) plan.uses[pair.x] = plan.uses[pair.y] = Use::kNumber;
    if (plan.roles.time) plan.uses[*plan.roles.time] = Use::kNumber;
    RowReader reader(file, plan);
    Rows rows = reader.read();
    std::vector<double> times;
    std::vector<int64_t> ids;
    std::vector<Point> places;
    std::vector<size_t> row_of;  // (places)
    CoordinateRange range(file.options);
    for (size_t i = 0; i < rows.count; ++i) {
        const double time = plan.roles.time ? rows.columns[*plan.roles.time].numbers[i] : static_cast<double>(i);
        for (size_t p = 0; p < plan.roles.pairs.size(); ++p) {
            const TableRoles::Pair& pair = plan.roles.pairs[p];
            if (plan.uses[pair.x] != Use::kNumber || plan.uses[pair.y] != Use::kNumber)
                throw file.fail(plan.source(plan.uses[pair.x] != Use::kNumber ? pair.x : pair.y) +
                                " is not a column of numbers");
            Point place{rows.columns[pair.x].numbers[i], rows.columns[pair.y].numbers[i]};
            if (!std::isfinite(time) || !std::isfinite(place.x) || !std::isfinite(place.y)) continue;
            for (const auto& [value, axis] : {std::pair{&place.x, "x"}, std::pair{&place.y, "y"}})
                *value = range.take(*value, {},
                                    [&, name = axis] { return line_place(file.path, reader.line_of(i)) + name; });
            row_of.push_back(i);
            times.push_back(time);
            ids.push_back(whole<int64_t>(pair.name).value_or(static_cast<int64_t>(p)));
            places.push_back(file.options.y_down ? Point{place.x, 0.0 - place.y} : place);
        }
    }
    if (places.empty()) throw file.fail("no points found");
    range.say(file.path, file.notes);
    Tracks tracks = in_frames(file, {std::move(times), std::move(ids), std::move(places), {}},
                              [&](size_t i) { return "line " + std::to_string(reader.line_of(row_of[i])); });
    say(file, plan, {}, nullptr);
    tracks.unit = plan.unit;
    note_missing(tracks, file.notes);
    return tracks;
}

void say_left_out(const InputFile& file, const Rows& rows, const char* what) {
    const size_t count = rows.left_out.size();
    if (count == 0) return;
    std::string lines;
    for (const uint64_t line : rows.left_out_lines) lines += (lines.empty() ? "" : ", ") + std::to_string(line);
    file.note(count_text(count, "row", "rows") + " without " + what + " " + (count == 1 ? "is" : "are") +
              " left out (line" + (count == 1 ? " " : "s ") + lines + (count > rows.left_out_lines.size() ? " …" : "") +
              ")");
}

/// Dates as seconds from the first one.
void count_seconds(Plan& plan, std::vector<double>& times) {
    if (!plan.has_dates || times.empty()) return;
    const double first = *std::ranges::min_element(times);
    for (double& time : times) time = (time - first) / 1e6;
    plan.time_unit = plan.names[*plan.roles.time].unit = "s";
    plan.clauses.push_back("times are dates, read as seconds from the first");
    plan.has_dates = false;
}

Tracks tracks_of(const InputFile& file, Plan& plan, const RowReader& reader, Rows& rows) {
    count_seconds(plan, rows.columns[*plan.roles.time].numbers);
    std::vector<Attribute> attributes = attributes_of(file, plan, rows, nullptr);
    say(file, plan, attributes, &rows);
    Tracks tracks = in_frames(file,
                              {std::move(rows.columns[*plan.roles.time].numbers),
                               std::move(rows.columns[*plan.roles.id].ids), rows.places, std::move(attributes)},
                              [&](size_t row) {
                                  // Skipped rows lie between the kept ones.
                                  uint64_t number = row;
                                  for (const uint64_t out : rows.left_out) number += out <= number;
                                  return "line " + std::to_string(reader.line_of(number));
                              });
    say_left_out(file, rows, "a place, a time or an id");
    tracks.unit = plan.unit;
    tracks.time_unit = plan.time_unit;
    note_missing(tracks, file.notes);
    return tracks;
}

void require_rows(const InputFile& file, const Rows& rows, bool over_time) {
    if (rows.count > 0) return;
    throw file.fail("no points found" + (rows.left_out.empty()
                                             ? ""
                                             : "; " + count_text(rows.left_out.size(), "row has", "rows have") +
                                                   (over_time ? " no x, y, time or id" : " no x or no y")));
}

TableLayout layout_of(Plan& plan) {
    TableLayout layout;
    layout.separator = plan.text.dialect.separator;
    layout.decimal = plan.text.dialect.decimal;
    layout.has_header = !plan.text.header.empty();
    layout.first_rows = plan.text.first_rows;
    layout.over_time = plan.over_time;
    layout.guessed = plan.guessed || plan.text.has_grouped;
    std::vector<std::string> kept;
    for (size_t c = 0; c < plan.names.size(); ++c) {
        TableLayout::Column column;
        column.name = plan.name(c);
        column.unit = plan.names[c].unit;
        column.kind = plan.text.kinds[c];
        for (const ColumnRole role : kColumnRoles)
            if (plan.roles.place(role) == c) column.role = role;
        const bool named = plan.roles.name == c && plan.uses[c] == Use::kText;
        if (!named && (plan.uses[c] == Use::kNumber || plan.uses[c] == Use::kText)) kept.push_back(column.name);
        layout.columns.push_back(std::move(column));
    }
    layout.sentence = sentence_of(plan, kept, nullptr);
    return layout;
}

/// Whether unnamed x and y are probably latitude and longitude: only a longitude exceeds 90°. Fractions distinguish
/// them from pixels; a box that begins at 0 is one of a simulation.
bool could_be_latitudes(const std::vector<Point>& places, const Bounds& bounds) {
    const Point low = bounds.low, high = bounds.high;
    constexpr double kNearZero = 0.05;  // relative to the highest
    const bool begins_at_zero = low.x >= 0 && low.y >= 0 && low.x <= kNearZero * high.x && low.y <= kNearZero * high.y;
    if (places.size() < 3 || begins_at_zero || low.x < -90 || high.x > 90 || low.y < -180 || high.y > 180 ||
        (low.y >= -90 && high.y <= 90))
        return false;
    const auto fractions =
        std::ranges::count_if(places, [](Point p) { return p.x != std::floor(p.x) && p.y != std::floor(p.y); });
    return 2 * static_cast<size_t>(fractions) > places.size();
}

/// Reads a table with a column of shapes: its rows are features.
Geometry read_shapes(const InputFile& file, const Plan& plan, size_t shape) {
    Features features(file);
    features.say("shapes from " + plan.source(shape));
    Lines lines(file.path, file.bytes);
    const Dialect& dialect = plan.text.dialect;
    bool degrees = true;
    for (std::string_view line; lines.next(line);) {
        if (lines.number() < plan.text.body_line || trimmed(line).empty() || is_remark(trimmed(line))) continue;
        features.begin();
        FieldSplitter splitter(dialect, line);
        TableField field;
        for (size_t c = 0; splitter.next(field); ++c) {
            if (c >= plan.uses.size() && !field.text.empty()) throw lines.expected(plan.row, line);
            if (c >= plan.uses.size() || plan.uses[c] == Use::kLeaveOut) continue;
            if (!field.quoted && is_missing(field.text)) continue;
            const std::string text = as_utf8(text_of(field));
            const std::string name = plan.names[c].written.empty() ? plan.name(c) : plan.names[c].written;
            double value = 0;
            if (c == shape) {
                if (text.starts_with('{')) {
                    read_geojson_shape(file, text, lines.number(), features);
                } else {
                    degrees = degrees && lower_case(text.substr(0, 10)) == "srid=4326;";
                    read_wkt_shape(
                        text, [&] { return lines.where(); }, features);
                }
            } else if (plan.roles.name == c) {
                features.set_name(text);
            } else if (plan.text.kinds[c] != ColumnKind::kText && number_in(field, dialect, value)) {
                features.set(name, value);
            } else {
                features.set(name, text);
            }
        }
        if (!splitter.fault().empty()) throw lines.fail(splitter.fault());
    }
    features.set_degrees(degrees);
    return features.finish();
}

Geometry read_rows(const InputFile& file, Plan& plan) {
    Geometry geometry;
    geometry.unit = plan.unit;
    geometry.y_down = file.options.y_down;
    if (!plan.roles.pairs.empty()) {
        geometry.tracks = std::make_shared<const Tracks>(read_pairs(file, plan));
        return geometry;
    }
    const auto shapes = [&] {
        return static_cast<size_t>(std::ranges::find(plan.uses, Use::kShape) - plan.uses.begin());
    };
    if (shapes() < plan.uses.size()) return read_shapes(file, plan, shapes());
    RowReader reader(file, plan);
    Rows rows = reader.read();
    if (shapes() < plan.uses.size()) return read_shapes(file, plan, shapes());
    require_rows(file, rows, plan.over_time);
    if (plan.over_time) {
        count_seconds(plan, rows.columns[*plan.roles.time].numbers);
        const auto& times = rows.columns[*plan.roles.time].numbers;
        const std::string points_alone = why_no_tracks(times, rows.columns[*plan.roles.id].ids);
        if (points_alone.empty()) {
            geometry.tracks = std::make_shared<const Tracks>(tracks_of(file, plan, reader, rows));
            return geometry;
        }
        plan.clauses.push_back(points_alone);
        plan.over_time = false;
        const auto& ids = rows.columns[*plan.roles.id].ids;
        if (plan.text.kinds[*plan.roles.id] == ColumnKind::kText) {
            plan.uses[*plan.roles.id] = Use::kText;
            rows.columns[*plan.roles.id].codes.assign(ids.begin(), ids.end());
        } else {
            plan.uses[*plan.roles.id] = Use::kNumber;
            rows.columns[*plan.roles.id].numbers.assign(ids.begin(), ids.end());
        }
        plan.uses[*plan.roles.time] = Use::kNumber;
    }
    const Bounds bounds = bounds_of(rows.places);
    if (plan.text.header.empty() && could_be_latitudes(rows.places, bounds) &&
        !is_chosen(file.options, ColumnRole::kX) && !is_chosen(file.options, ColumnRole::kY)) {
        const std::string x = std::to_string(*plan.roles.x + 1), y = std::to_string(*plan.roles.y + 1);
        plan.clauses.push_back("columns " + x + " and " + y + " could be latitude and longitude (--columns x=" + y +
                               ",y=" + x + " makes x the longitude)");
        plan.guessed = true;
    }
    for (const double code : {-999.0, -9999.0, -99999.0, -999999.0}) {
        if (bounds.low.x > code) break;
        const auto count = std::ranges::count(rows.places, Point{code, file.options.y_down ? -code : code});
        if (count == 0 || count == static_cast<std::ptrdiff_t>(rows.count)) continue;
        const std::string text = std::to_string(static_cast<int>(code));
        plan.clauses.push_back(count_text(static_cast<uint64_t>(count), "row is", "rows are") + " at (" + text + ", " +
                               text + "), which often stands for a missing place");
    }
    std::vector<Attribute> attributes = attributes_of(file, plan, rows, &geometry.names);
    say(file, plan, attributes, &rows);
    say_left_out(file, rows, "x or y");
    set_attributes(geometry, std::move(attributes));
    geometry.points = std::move(rows.places);
    if (!rows.left_out.empty()) {
        geometry.rows.reserve(rows.count);
        size_t next = 0;
        for (uint64_t row = 0; geometry.rows.size() < rows.count; ++row) {
            if (next < rows.left_out.size() && rows.left_out[next] == row)
                ++next;
            else
                geometry.rows.push_back(row);
        }
    }
    // A common mistake: an index taken for a coordinate.
    for (double Point::*const axis : {&Point::x, &Point::y}) {
        const size_t n = geometry.points.size();
        const double first = geometry.points[0].*axis;
        bool counts = n >= 4 && (first == 0 || first == 1) && (plan.text.header.empty() || plan.guessed);
        for (size_t i = 0; i < n && counts; ++i) counts = geometry.points[i].*axis == first + static_cast<double>(i);
        if (counts)
            file.note(std::string(axis == &Point::x ? "x" : "y") +
                      " counts the rows; is it an index? --columns x=…,y=… names other columns");
    }
    return geometry;
}

/// Where three consecutive names begin, and no more than three: "a, b, c", "i, j, k", "v1, v2, v3".
std::optional<size_t> corner_columns(const std::vector<std::string>& names) {
    const auto follows = [&](size_t k) {
        std::string next = names[k - 1];
        if (!next.empty()) ++next.back();
        return !next.empty() && names[k] == next;
    };
    for (size_t begin = 0; begin < names.size();) {
        size_t end = begin + 1;
        while (end < names.size() && follows(end)) ++end;
        if (end - begin == 3) return begin;  // four form a quadrangle
        begin = end;
    }
    return std::nullopt;
}

using Corners = std::vector<std::array<uint32_t, 3>>;

constexpr std::string_view kCountNames[] = {"index", "idx", "id",  "no",       "nr",   "n",       "#",    "row",
                                            "key",   "t",   "tri", "triangle", "face", "element", "elem", "cell"};
constexpr std::string_view kExtraNames[] = {"region", "attribute", "attr",  "marker", "material",  "mat",    "label",
                                            "group",  "zone",      "tag",   "part",   "class",     "type",   "domain",
                                            "area",   "quality",   "value", "weight", "subdomain", "colour", "color"};

/// Why these are probably not triangles over this many points (0: unknown); empty: no objection.
std::string objection_to(const Corners& triangles, uint64_t point_count) {
    std::vector<uint64_t> edges;
    edges.reserve(3 * triangles.size());
    for (size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        for (const uint32_t corner : triangles[t])
            if (corner == kNone || (point_count > 0 && corner > point_count))
                return "triangle " + std::to_string(t) + " would name a point that is not there";
        if (a == b || b == c || c == a) return "triangle " + std::to_string(t) + " would name a point twice";
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
            edges.push_back(uint64_t(std::min(from, to)) << 32 | std::max(from, to));
    }
    std::ranges::sort(edges);
    for (size_t i = 2; i < edges.size(); ++i)
        if (edges[i] == edges[i - 2])
            return "three triangles would share the edge from " + std::to_string(edges[i] >> 32) + " to " +
                   std::to_string(uint32_t(edges[i]));
    return {};
}

/// Decides which three of four columns with uninformative names are corners.
struct FourColumns {
    bool are_indexed = false, are_extended = false;  // the last three; the first three; neither
    std::string why;                                 // why the first three; empty: nothing else is possible
};
FourColumns tell_apart(const InputFile& file, Plan plan, uint64_t point_count) {
    const std::vector<std::string>& header = plan.text.header;
    const auto is_called = [&](size_t column, const auto& known) {
        return !header.empty() && is_among(lower_case(header[column]), known);
    };
    FourColumns decision;
    if (plan.text.kinds[3] == ColumnKind::kText) return {false, true, {}};
    plan.uses = {Use::kNumber, Use::kCorner, Use::kCorner, Use::kNumber};
    const Rows rows = RowReader(file, plan).read();
    if (plan.uses[0] != Use::kNumber) return decision;  // text in later lines
    if (plan.uses[3] != Use::kNumber) return {false, true, {}};
    const std::vector<double>&first = rows.columns[0].numbers, &last = rows.columns[3].numbers;
    const auto is_index = [](double value) { return value == std::floor(value) && std::isfinite(value); };
    bool is_counted = rows.count > 0 && (first[0] == 0 || first[0] == 1) &&
                      (rows.count > 1 || !header.empty());  // one row without names may also be four corners
    for (size_t row = 1; row < rows.count && is_counted; ++row)
        is_counted = first[row] == first[0] + static_cast<double>(row);
    decision.are_indexed = is_counted && std::ranges::all_of(last, is_index);
    if (!std::ranges::all_of(first, is_index)) return decision;
    decision.are_extended = !decision.are_indexed && !std::ranges::all_of(last, is_index);
    if (is_called(3, kExtraNames)) return {false, true, {}};
    if (!decision.are_indexed || is_called(0, kCountNames)) return decision;
    Corners indexed(rows.count), extended(rows.count);
    for (size_t row = 0; row < rows.count; ++row) {
        const uint32_t b = rows.columns[1].codes[row], c = rows.columns[2].codes[row];
        indexed[row] = {b, c, index_or_none(last[row])};
        extended[row] = {index_or_none(first[row]), b, c};
    }
    const bool extends = objection_to(extended, point_count).empty();
    if (const std::string why = objection_to(indexed, point_count); extends && !why.empty()) return {false, true, why};
    decision.are_extended = extends;  // both are possible
    return decision;
}

/// Calls read(file), with the text normalised if its lines are not its rows (io/table_lines.h): at once if its
/// beginning shows this, otherwise after the original text was rejected.
template <class Read>
auto read_mended(const InputFile& file, const Read& read) {
    constexpr size_t kBeginning = size_t(1) << 16;
    const size_t notes = file.notes.size();
    std::optional<FileBytes> mended;
    const auto mend = [&] {
        if (auto text = with_whole_rows(file.bytes, file.options.separator)) mended.emplace(std::move(*text));
        return mended.has_value();
    };
    const auto bytes = [&]() -> const FileBytes& { return mended ? *mended : file.bytes; };
    const auto read_rows = [&] { return read(InputFile{file.path, bytes(), file.options, file.notes, file.layout}); };
    if (with_whole_rows(file.bytes.head().substr(0, kBeginning), file.options.separator)) mend();
    try {
        return read_rows();
    } catch (const Error&) {
        file.notes.resize(notes);
        bool is_changed = !mended && mend();
        if (const auto footer = footer_of(bytes(), find_table(file.path, bytes(), file.options))) {
            file.note(count_text(footer->lines, "line", "lines") + " below the table " +
                      (footer->lines == 1 ? "is" : "are") + " no row: " + excerpt(footer->first));
            mended.emplace(std::string(bytes().view().substr(0, footer->begin)));
            is_changed = true;
        }
        if (!is_changed) throw;
    }
    return read_rows();
}

}  // namespace

Tracks read_table_tracks(const InputFile& given) {
    return read_mended(given, [](const InputFile& file) {
        Plan plan = plan_of(file, true);
        if (!plan.roles.pairs.empty()) return read_pairs(file, plan);
        RowReader reader(file, plan);
        Rows rows = reader.read();
        require_rows(file, rows, true);
        return tracks_of(file, plan, reader, rows);
    });
}

Geometry read_table(const InputFile& given) {
    return read_mended(given, [](const InputFile& file) {
        Plan plan = plan_of(file, false);
        Geometry geometry = read_rows(file, plan);
        if (file.layout) *file.layout = layout_of(plan);
        return geometry;
    });
}

std::vector<std::array<uint32_t, 3>> read_table_triangles(const InputFile& file, uint64_t point_count) {
    const std::string three = "three whole numbers, the indices of a triangle's points from 0";
    Plan plan;
    plan.text = find_table(file.path, file.bytes, file.options, three);
    const std::vector<std::string>&header = plan.text.header, &titles = plan.text.titles;
    const size_t m = plan.text.kinds.size();
    if (m == 0) {  // empty, 0 triangles, or only names of columns
        size_t words = 0;
        bool is_word = false;
        for (const char c : titles.empty() ? std::string() : titles[0]) {
            const bool separates = std::string_view(" \t,;|").find(c) != std::string_view::npos;
            words += !separates && !is_word;
            is_word = !separates;
        }
        if (titles.empty() || titles[0] == "0" || words >= 3) return {};
        throw Error(line_place(file.path, plan.text.body_line) + "expected " + three + ", found " + excerpt(titles[0]));
    }
    if (m < 3) {
        const std::string_view rest = file.bytes.view().substr(plan.text.body);
        throw Error(line_place(file.path, plan.text.body_line) + "expected " + three + ", found " +
                    excerpt(trimmed(rest.substr(0, rest.find_first_of("\r\n")))));
    }
    const bool has_count = titles.size() == 1 && whole(titles[0]);
    for (const std::string& title : titles)
        if (!has_count && std::isdigit(static_cast<unsigned char>(title[0])))
            throw file.fail("expected " + three + ", found " + excerpt(title) + " above the first row");
    if (m == 3 && std::ranges::any_of(header, [](const auto& name) { return whole(name).has_value(); }))
        throw Error(line_place(file.path, plan.text.body_line - 1) + "expected " + three + ", found names");
    plan.row = m == 3 ? three : std::to_string(m) + " columns as in line " + std::to_string(plan.text.body_line);
    std::optional<size_t> first = m == 3 ? 0 : corner_columns(header);
    const bool is_ambiguous = !first && m == 4;
    FourColumns four;
    if (is_ambiguous) {
        // Row names, as written by R and pandas, have no column name.
        four =
            !header.empty() && header[0].empty() ? FourColumns{true, false, {}} : tell_apart(file, plan, point_count);
        if (four.are_indexed || four.are_extended) first = four.are_indexed ? 1 : 0;
    }
    if (!first)
        throw file.fail(
            "expected three whole numbers a line and nothing more, or columns that are called a, b and c, found " +
            std::to_string(m) + " columns");
    plan.uses.assign(m, Use::kLeaveOut);
    std::fill_n(plan.uses.begin() + static_cast<std::ptrdiff_t>(*first), 3, Use::kCorner);

    Rows rows = RowReader(file, plan).read();
    if (has_count && whole(titles[0]) != rows.count)
        throw file.fail("expected " + titles[0] + " triangles, as its first line of one number says, found " +
                        std::to_string(rows.count));
    Corners triangles(rows.count);
    for (size_t k = 0; k < 3; ++k) {
        const std::vector<uint32_t>& corners = rows.columns[*first + k].codes;
        for (size_t t = 0; t < triangles.size(); ++t) triangles[t][k] = corners[t];
    }
    if (!titles.empty() && !has_count) file.note("not used, above its first row: " + excerpt(titles.back()));
    if (four.are_indexed)
        file.note(std::string("the first of its 4 columns counts or names the rows, the others are indices of points") +
                  (four.are_extended ? "; if the last is a region, call them a,b,c,region in a first line" : ""));
    else if (four.are_extended)
        file.note("the first three of its 4 columns are indices of points, the last is not used" +
                  (four.why.empty() ? "" : "; if the first counted the rows, " + four.why));
    else if (m > 3)
        file.note("three of its " + std::to_string(m) + " columns are used: " + excerpt(header[*first]) + ", " +
                  excerpt(header[*first + 1]) + " and " + excerpt(header[*first + 2]));
    if (m == 3 && header.empty() && triangles.size() > 1 && triangles[0] == std::array<uint32_t, 3>{0, 1, 2} &&
        lower_extension(format_path(file.path)) == ".csv")
        file.note("its first line is read as the triangle 0, 1, 2; take it out if it is a header, names of columns");
    return triangles;
}

TableLayout layout_of(const InputFile& given, bool as_tracks) {
    return read_mended(given, [&](const InputFile& file) {
        Plan plan = plan_of(file, as_tracks);
        return layout_of(plan);
    });
}

}  // namespace flipscope::io

namespace flipscope {

std::optional<TableLayout> table_layout(const std::filesystem::path& path, const ReadOptions& options, bool as_tracks) {
    std::error_code ignored;
    if (path != "-" && !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
    const io::FileBytes bytes = io::input_bytes(path);
    const io::Format* const format = io::format_of(path, bytes);
    if (!format || !io::is_table(*format)) return std::nullopt;
    std::vector<std::string> notes;
    return io::layout_of({path, bytes, options, notes}, as_tracks);
}

}  // namespace flipscope
