// XYZ, plain or extended: per frame the number of points, a line of keys and values or any comment, and a row per
// point. Extended files name their columns, box and time.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "io/track_rows.h"

namespace flipscope::io {
namespace {

/// The used contents of a frame's second line.
struct Head {
    struct Column {
        std::string name;  // as written
        char type;         // S, R, I or L: text, a number, a whole number, T or F
        uint64_t width;    // words
    };
    std::vector<Column> columns;  // empty: not given
    TrackRows::Clock clock;
    std::optional<std::array<double, 9>> lattice;
    std::array<double, 3> origin{};
    std::array<bool, 3> periodic{true, true, true};
};

/// The text in quotes or brackets at the start of `text`, removed from it.
std::string_view take_enclosed(std::string_view& text) {
    const char open = text.front(), close = open == '{' ? '}' : open == '[' ? ']' : open;
    size_t end = 1;
    for (int depth = 1; end < text.size(); ++end) {
        if (text[end] == '\\') {
            ++end;
        } else if (text[end] == close) {
            if (--depth == 0) break;
        } else if (text[end] == open) {
            ++depth;
        }
    }
    end = std::min(end, text.size());
    const std::string_view between = text.substr(1, end - 1);
    text.remove_prefix(std::min(end + 1, text.size()));
    return between;
}

/// The next key and its value, as "key=value", "key = value," or "key: value"; a single word has an empty value. False
/// at the end.
bool take_pair(std::string_view& text, std::string_view& key, std::string_view& value) {
    text = trimmed(text);
    if (text.empty()) return false;
    const size_t end = text.front() == '=' ? 1 : std::min(text.find_first_of("= \t"), text.size());
    key = text.substr(0, end);
    value = {};
    text = trimmed(text.substr(end));
    const bool is_named = key.ends_with(':');
    if (is_named)
        key.remove_suffix(1);
    else if (text.starts_with('='))
        text = trimmed(text.substr(1));
    else
        return true;
    if (text.empty()) return true;
    if (!is_named && std::string_view("\"'{[").find(text.front()) != std::string_view::npos) {
        value = take_enclosed(text);
    } else {
        value = take_word(text);
        if (value.ends_with(',')) value.remove_suffix(1);
    }
    return true;
}

std::optional<double> finite_number(std::string_view text) {
    const std::optional<double> value = number_of(trimmed(text));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::array<bool, 3> directions_of(std::string_view text, const Lines& lines) {
    std::array<bool, 3> periodic{};
    std::string plain(text);
    std::ranges::replace(plain, ',', ' ');
    std::string_view rest = trimmed(plain);
    for (bool& direction : periodic) {
        const std::string word = lower_case(take_word(rest));
        direction = word == "t" || word == "true" || word == "1";
        if (!direction && word != "f" && word != "false" && word != "0")
            throw lines.expected("T or F for each of three directions as pbc", text);
    }
    return periodic;
}

/// "species:S:1:pos:R:3"
std::vector<Head::Column> columns_of(std::string_view text, const Lines& lines) {
    std::vector<Head::Column> columns;
    for (std::string_view rest = text; !rest.empty();) {
        std::array<std::string_view, 3> parts;
        for (std::string_view& part : parts) part = take_until(rest, ':');
        const auto width = whole(parts[2]);
        if (parts[0].empty() || parts[1].size() != 1 || !width || *width == 0 || *width > 1000)
            throw lines.expected("name:type:number of columns, and so on, as Properties", text);
        columns.push_back({printable_within(parts[0], kLongestColumnName), parts[1][0], *width});
    }
    return columns;
}

Head read_head(std::string_view text, const Lines& lines) {
    Head head;
    for (std::string_view key, value; take_pair(text, key, value);) {
        const std::string name = lower_case(key);
        if (value.empty()) continue;  // a word of a comment
        if (name == "properties") head.columns = columns_of(value, lines);
        if (name == "lattice") head.lattice = numbers_of<9>(value, lines, "nine numbers as Lattice");
        if (name == "origin") head.origin = numbers_of<3>(value, lines, "three numbers as Origin");
        if (name == "pbc") head.periodic = directions_of(value, lines);
        if (name == "time") head.clock.time = finite_number(value);
        if (name == "step" || name == "timestep") head.clock.step = finite_number(value);
    }
    return head;
}

/// The words of a row: those of places, ids and kept columns, and their number.
struct Layout {
    uint64_t words = 0, x = 0, y = 0;
    bool is_exact = false;       // no further words
    std::optional<uint64_t> id;  // nullopt: rows identify points
    std::vector<TrackRows::Column> kept;
    std::vector<size_t> kept_words;  // as kept

    void keep(std::string name, uint64_t word, bool is_text, bool is_usual) {
        kept.push_back({std::move(name), is_text, is_usual});
        kept_words.push_back(word);
    }
};

Layout layout_of(const Head& head, const Lines& lines, std::string_view line) {
    Layout layout;
    layout.is_exact = true;
    std::optional<uint64_t> x, y;
    for (const Head::Column& column : head.columns) {
        const std::string name = lower_case(column.name);
        const bool is_place = name == "pos" && (column.width == 2 || column.width == 3);
        for (uint64_t k = 0; k < column.width; ++k, ++layout.words) {
            if ((is_place && k == 0) || (name == "x" && column.width == 1))
                x = layout.words;
            else if ((is_place && k == 1) || (name == "y" && column.width == 1))
                y = layout.words;
            else if (is_place || (name == "z" && column.width == 1))
                layout.keep("z", layout.words, false, true);
            else if (name == "id" && column.width == 1)
                layout.id = layout.words;
            else
                layout.keep(column.width == 1   ? column.name
                            : column.width <= 3 ? column.name + "_" + "xyz"[k]
                                                : column.name + "_" + std::to_string(k + 1),
                            layout.words, column.type == 'S', name == "species");
        }
    }
    if (!x || !y) throw lines.expected("pos, with two or three columns, or x and y, among Properties", line);
    layout.x = *x;
    layout.y = *y;
    return layout;
}

/// For a plain file, by the first row of a frame: a name or a number of the species, x, y, z and more columns; or x, y
/// and z without a name.
Layout layout_of(const std::vector<std::string_view>& row) {
    const auto is_number = [&](size_t k) { return k < row.size() && finite_number(row[k]).has_value(); };
    Layout layout;
    const uint64_t first = row.size() == 3 && is_number(0) ? 0 : 1;
    layout.x = first;
    layout.y = first + 1;
    layout.words = first + 2;
    if (first == 1) layout.keep("species", 0, !is_number(0), true);
    for (uint64_t k = first + 2; k < row.size(); ++k)
        layout.keep(k == first + 2 ? "z" : "column " + std::to_string(k + 1), k, !is_number(k), k == first + 2);
    return layout;
}

class XyzReader {
  public:
    explicit XyzReader(const InputFile& file) : file_(file), lines_(file.path, file.bytes), rows_(file, lines_) {}

    Frames read() {
        for (std::string_view line; lines_.next(line);)
            if (!trimmed(line).empty()) read_frame(line);
        return rows_.finish("", has_ids_);
    }

  private:
    void read_frame(std::string_view line) {
        const uint64_t count = lines_.integer(trimmed(line), "the number of points of a frame", line);
        const uint64_t frame = rows_.frame_count();
        if (!lines_.next(line))
            throw file_.fail("ends within frame " + std::to_string(frame) + ": its second line is missing");
        const Head head = read_head(trimmed(line), lines_);
        Lines ahead = lines_;
        std::string_view first;
        split_words(ahead.next(first) ? first : std::string_view(), words_);
        const Layout layout = head.columns.empty() ? layout_of(words_) : layout_of(head, lines_, line);
        has_ids_ = layout.id.has_value();
        rows_.begin_frame(head.clock, box_of(head), layout.kept);
        for (uint64_t i = 0; i < count; ++i) {
            if (!lines_.next(line))
                throw file_.fail("ends within frame " + std::to_string(frame) + ", after " + std::to_string(i) +
                                 " of " + std::to_string(count) + " points");
            read_row(line, layout, static_cast<int64_t>(i));
        }
        rows_.end_frame();
    }

    void read_row(std::string_view line, const Layout& layout, int64_t index) {
        split_words(line, words_);
        if (words_.size() < layout.words || (layout.is_exact && words_.size() > layout.words))
            throw lines_.expected(layout.is_exact ? std::to_string(layout.words) + " columns, as Properties says"
                                                  : std::string("a name and two or three numbers"),
                                  line);
        const Point place{rows_.coordinate(words_[layout.x], 'x', layout.x),
                          rows_.coordinate(words_[layout.y], 'y', layout.y)};
        const int64_t id = layout.id ? rows_.id(words_[*layout.id], *layout.id, line) : index;
        rows_.add(id, place, words_, layout.kept_words);
    }

    PeriodicBox box_of(const Head& head) {
        if (!head.lattice || !(head.periodic[0] || head.periodic[1])) return {};
        const auto& l = *head.lattice;  // three vectors; the third one does not affect periodicity in x and y
        if (is_tilted({l[1], l[2], l[3], l[5]}, std::max(std::fabs(l[0]), std::fabs(l[4]))))
            throw lines_.fail(
                "the Lattice is triclinic, and a periodic box must be a rectangle along x and y; make one of it, or "
                "write pbc=\"F F F\" to read the places alone");
        const auto sound = [&](size_t axis) {
            return !head.periodic[axis] || PeriodicBox::is_sound(head.origin[axis], l[4 * axis]);
        };
        if (!sound(0) || !sound(1))
            throw lines_.fail("the Lattice needs a positive width and height, not too far from the origin");
        return PeriodicBox::of({head.origin[0], head.origin[1]}, {l[0], l[4]}, {head.periodic[0], head.periodic[1]});
    }

    const InputFile& file_;
    Lines lines_;
    TrackRows rows_;
    std::vector<std::string_view> words_;  // of one row
    bool has_ids_ = false;
};

}  // namespace

bool is_extended_xyz(std::string_view bytes) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view second = bytes.substr(std::min(end + 1, bytes.size()));
    return whole(trimmed(bytes.substr(0, end))) &&
           second.substr(0, second.find('\n')).find("Properties=") != std::string_view::npos;
}

bool has_xyz_frames(std::string_view text) {
    static const std::filesystem::path nowhere;
    Lines lines(nowhere, text);
    const auto next_content = [&](std::string_view& line) {
        while (lines.next(line))
            if (!trimmed(line).empty()) return true;
        return false;
    };
    std::string_view line;
    if (!next_content(line)) return true;  // an empty file is rejected as one of frames
    const std::optional<uint64_t> count = whole(trimmed(line));
    if (!count) return false;
    if (!lines.next(line)) return true;
    // The second line of a frame is not a row of numbers; that of a table with a count is.
    size_t numbers = 0;
    for (std::string_view rest = trimmed(line); !rest.empty(); ++numbers)
        if (!finite_number(take_word(rest))) return true;
    if (numbers < 2) return true;
    uint64_t rows = 1;
    while (rows <= *count && next_content(line)) ++rows;
    return rows != *count;
}

Frames read_xyz(const InputFile& file) { return XyzReader(file).read(); }

}  // namespace flipscope::io
