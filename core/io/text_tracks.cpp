// Tracks as text: a row for each point and frame.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

#include "io/frame_readers.h"
#include "io/points.h"

namespace flipscope::io {
namespace {

enum Column { kTime, kId, kX, kY, kColumns };

/// What the columns are called, in lower case.
constexpr std::array<std::array<std::string_view, 7>, kColumns> kNames{
    {{"t", "time", "frame", "step", "position_t", "timestamp", "time_step"},
     {"id", "particle", "track", "track_id", "particle_id", "trackid", "name"},
     {"x", "position_x", "pos_x", "x_position", "posx", "centroid_x", "x_um"},
     {"y", "position_y", "pos_y", "y_position", "posy", "centroid_y", "y_um"}}};

/// The separator of a line: the first of these that it has outside quotes, or else blanks.
char separator_of(std::string_view line) {
    for (const char c : {';', '\t', ','})
        if (find_unquoted(line, c) != line.npos) return c;
    return ' ';
}

/// The fields of a line, without the quotes around them; a quote in one of them stays doubled, since only numbers and
/// the names of the four columns are used. False: a quote is not closed, that at the start of `line`, or something else
/// than a separator, which `line` then starts with, stands behind it.
bool split(std::string_view& line, char separator, std::vector<std::string_view>& fields) {
    fields.clear();
    // A tab that separates is no blank to skip: the field before the next one may be empty.
    const std::string_view blanks = separator == '\t' ? " \r" : " \t\r";
    const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size())); };
    skip();
    if (separator == ' ' && line.empty()) return true;
    for (bool more = true; more;) {
        skip();
        std::string_view field;
        const bool quoted = line.starts_with('"');
        if (quoted && !take_quoted(line, field)) return false;
        const size_t end = std::min(separator == ' ' ? line.find_first_of(blanks) : line.find(separator), line.size());
        if (quoted && !trimmed(line.substr(0, end)).empty()) return false;
        fields.push_back(trimmed(quoted ? field : line.substr(0, end)));
        more = end < line.size();
        line.remove_prefix(std::min(end + 1, line.size()));
        if (separator == ' ') {
            skip();
            more = !line.empty();
        }
    }
    return true;
}

std::vector<std::string_view> split(std::string_view line, char separator, const Lines& lines) {
    std::vector<std::string_view> fields;
    const std::string_view whole = line;
    if (!split(line, separator, fields)) {
        const size_t column = fields.size() + 1;
        if (line.starts_with('"')) throw lines.unclosed_quote(column, line);
        throw lines.expected("a separator behind the quote that ends column " + std::to_string(column), whole);
    }
    return fields;
}

bool is_number(std::string_view field, double& value) { return take_number(field, value) && trimmed(field).empty(); }

/// Where each column is, as a header says; kColumns places, or none where it does not name all four. Whatever the
/// header's case.
std::vector<size_t> columns_of(const std::vector<std::string_view>& header) {
    std::vector<size_t> places(kColumns, header.size());
    for (size_t i = 0; i < header.size(); ++i) {
        std::string name(header[i]);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        for (size_t c = 0; c < kColumns; ++c)
            if (places[c] == header.size() && std::find(kNames[c].begin(), kNames[c].end(), name) != kNames[c].end())
                places[c] = i;
    }
    return std::find(places.begin(), places.end(), header.size()) == places.end() ? places : std::vector<size_t>();
}

bool is_comment(std::string_view line) { return line.empty() || line.starts_with('#') || line.starts_with("//"); }

struct Row {
    double time;
    int64_t id;
    Point place;
    uint64_t line;
};

std::string shown(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

Row read_row(const std::vector<std::string_view>& fields, const std::vector<size_t>& columns, const Lines& lines,
             std::string_view line) {
    Row row{0, 0, {}, lines.number()};
    std::array<double, kColumns> values{};
    for (size_t c = 0; c < kColumns; ++c) {
        if (columns[c] >= fields.size() || !is_number(fields[columns[c]], values[c])) {
            static constexpr const char* kWhat[] = {"a time", "an id, a whole number,", "a number as x",
                                                    "a number as y"};
            throw lines.expected(std::string(kWhat[c]) + " in column " + std::to_string(columns[c] + 1), line);
        }
    }
    const auto id = whole<int64_t>(fields[columns[kId]]);
    constexpr double kExact = 9007199254740992;  // up to here doubles hold every whole number
    if (!id && !(std::floor(values[kId]) == values[kId] && std::fabs(values[kId]) <= kExact))
        throw lines.expected("an id, a whole number, in column " + std::to_string(columns[kId] + 1), line);
    row.id = id ? *id : static_cast<int64_t>(values[kId]);
    row.time = values[kTime];
    if (!std::isfinite(row.time)) throw Error(lines.where() + "t is " + shown(row.time) + ", not a finite number");
    row.place = {values[kX], values[kY]};
    require_coordinate(row.place.x, fields[columns[kX]], 'x', lines);
    require_coordinate(row.place.y, fields[columns[kY]], 'y', lines);
    return row;
}

/// The first line that says something; false where there is none.
bool first_line(Lines& lines, std::string_view& line) {
    while (lines.next(line))
        if (!is_comment(trimmed(line))) return true;
    return false;
}

}  // namespace

Holds what_text_holds(const std::filesystem::path& path, std::string_view text) {
    Lines lines(path, text);
    std::string_view line;
    if (!first_line(lines, line)) return Holds::kPoints;
    std::vector<std::string_view> fields;
    const char separator = separator_of(line);
    return split(line, separator, fields) && !columns_of(fields).empty() ? Holds::kTracks : Holds::kPoints;
}

Tracks read_text_tracks(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    Lines lines(path, text);
    std::string_view line;
    if (!first_line(lines, line)) throw Error(path.string() + ": no points found");
    const char separator = separator_of(line);
    const auto header = split(line, separator, lines);
    double ignored = 0;
    const bool has_header =
        std::none_of(header.begin(), header.end(), [&](std::string_view field) { return is_number(field, ignored); });
    std::vector<size_t> columns{0, 1, 2, 3};
    if (has_header) {
        columns = columns_of(header);
        if (columns.empty()) throw lines.expected("columns that are called t, id, x and y", line);
    } else if (header.size() < kColumns) {
        throw lines.expected("four numbers, t, id, x and y", line);
    }

    std::vector<Row> rows;
    const bool again = !has_header || first_line(lines, line);
    for (bool more = again; more; more = first_line(lines, line)) {
        const auto fields = split(line, separator, lines);
        if (fields.size() != header.size())
            throw lines.expected(std::to_string(header.size()) + " columns as in the first line", line);
        rows.push_back(read_row(fields, columns, lines, line));
    }
    if (rows.empty()) throw Error(path.string() + ": no points found");
    if (header.size() > kColumns)
        notes.push_back(path.string() + ": only t, id, x and y of " + std::to_string(header.size()) +
                        " columns are used");
    stable_sort_or_cancel(rows.begin(), rows.end(),
                          [](const Row& a, const Row& b) { return a.time != b.time ? a.time < b.time : a.id < b.id; });

    Tracks tracks{path.filename().string(), {}, {}, {}, {}};
    for (size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (i == 0 || row.time != rows[i - 1].time) {
            tracks.times.push_back(row.time);
            tracks.starts.push_back(i);
        } else if (row.id == rows[i - 1].id) {
            throw Error(path.string() + ":" + std::to_string(row.line) + ": id " + std::to_string(row.id) +
                        " is at t = " + shown(row.time) + " already in line " + std::to_string(rows[i - 1].line));
        }
        tracks.ids.push_back(row.id);
        tracks.places.push_back(row.place);
    }
    tracks.starts.push_back(rows.size());
    note_missing(tracks, notes);
    return tracks;
}

void note_missing(const Tracks& tracks, std::vector<std::string>& notes) {
    std::vector<int64_t> ids = tracks.ids;
    sort_or_cancel(ids.begin(), ids.end());
    std::vector<int64_t> missing;  // in some frames
    size_t known = 0;
    for (size_t begin = 0; begin < ids.size(); ++known) {
        const auto end = static_cast<size_t>(std::upper_bound(ids.begin(), ids.end(), ids[begin]) - ids.begin());
        if (end - begin < tracks.frame_count()) missing.push_back(ids[begin]);
        begin = end;
    }
    if (missing.empty()) return;
    const int64_t id = missing.front();
    size_t frame = 0;
    const auto present = [&](size_t t) {
        const auto begin = tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t]);
        return std::binary_search(begin, tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t + 1]), id);
    };
    while (present(frame)) ++frame;
    notes.push_back(tracks.name + ": " + std::to_string(missing.size()) + " of " + std::to_string(known) +
                    (missing.size() == 1 ? " points is" : " points are") + " missing in some of the " +
                    std::to_string(tracks.frame_count()) + " frames, and left out there; id " + std::to_string(id) +
                    ", for one, at t = " + shown(tracks.times[frame]));
}

}  // namespace flipscope::io
