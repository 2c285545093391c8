// Points over time from XYZ, plain or extended: for each frame the number of points, a line of keys and values or of
// whatever the program that wrote it has to say, and a row for each point.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "geometry/places.h"
#include "io/frame_readers.h"
#include "io/points.h"

namespace flipscope::io {
namespace {

/// What the second line of a frame says, as far as it is used.
struct Head {
    struct Column {
        std::string name;
        uint64_t width;  // words
    };
    std::vector<Column> columns;  // empty: it does not say
    std::optional<double> time, step;
    std::optional<std::array<double, 9>> lattice;
    std::array<double, 3> origin{};
    std::array<bool, 3> periodic{true, true, true};
};

std::string lower(std::string_view text) {
    std::string copy(text);
    for (char& c : copy) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return copy;
}

/// The next key and its value; the value is empty where a word stands alone. False at the end.
bool take_pair(std::string_view& text, std::string_view& key, std::string_view& value) {
    text = trimmed(text);
    if (text.empty()) return false;
    const size_t end = std::min(text.find_first_of("= \t"), text.size());
    key = text.substr(0, end);
    value = {};
    text.remove_prefix(end);
    if (!text.starts_with('=')) return true;
    text.remove_prefix(1);
    const char open = text.empty() ? ' ' : text.front(), close = open == '{' ? '}' : open == '[' ? ']' : open;
    if (open == '"' || open == '\'' || close != open) {
        const size_t stop = std::min(text.find(close, 1), text.size());
        value = text.substr(1, stop - 1);
        text.remove_prefix(std::min(stop + 1, text.size()));
    } else {
        const size_t stop = std::min(text.find_first_of(" \t"), text.size());
        value = text.substr(0, stop);
        text.remove_prefix(stop);
    }
    return true;
}

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    text = trimmed(text);
    if (!take_number(text, value) || !trimmed(text).empty() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// So many numbers with blanks between.
template <size_t kCount>
std::array<double, kCount> numbers_of(std::string_view text, const Lines& lines, const char* what) {
    std::array<double, kCount> numbers{};
    std::string_view rest = trimmed(text);
    for (double& number : numbers) {
        const auto found = number_of(take_word(rest));
        if (!found) throw lines.expected(what, text);
        number = *found;
    }
    if (!rest.empty()) throw lines.expected(what, text);
    return numbers;
}

std::array<bool, 3> directions_of(std::string_view text, const Lines& lines) {
    std::array<bool, 3> periodic{};
    std::string_view rest = trimmed(text);
    for (bool& direction : periodic) {
        const std::string word = lower(take_word(rest));
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
        for (std::string_view& part : parts) {
            const size_t end = std::min(rest.find(':'), rest.size());
            part = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        const auto width = whole(parts[2]);
        if (parts[0].empty() || parts[1].size() != 1 || !width || *width == 0 || *width > 1000)
            throw lines.expected("name:type:number of columns, and so on, as Properties", text);
        columns.push_back({lower(parts[0]), *width});
    }
    return columns;
}

Head read_head(std::string_view text, const Lines& lines) {
    Head head;
    for (std::string_view key, value; take_pair(text, key, value);) {
        const std::string name = lower(key);
        if (value.empty()) continue;  // a word of a plain comment
        if (name == "properties") head.columns = columns_of(value, lines);
        if (name == "lattice") head.lattice = numbers_of<9>(value, lines, "nine numbers as Lattice");
        if (name == "origin") head.origin = numbers_of<3>(value, lines, "three numbers as Origin");
        if (name == "pbc") head.periodic = directions_of(value, lines);
        if (name == "time") head.time = number_of(value);
        if (name == "step" || name == "timestep") head.step = number_of(value);
    }
    return head;
}

/// Where in a row the places and the ids are, and how many words there are.
struct Layout {
    uint64_t words = 0, place = 0;
    bool exact = false;               // it has no more words than these
    std::optional<uint64_t> id;       // none: points are known by their rows
    std::vector<std::string> others;  // that are not used
};

Layout layout_of(const Head& head, const Lines& lines, std::string_view line) {
    Layout layout;
    if (head.columns.empty()) return {4, 1, false, {}, {}};
    layout.exact = true;
    bool placed = false;
    for (const Head::Column& column : head.columns) {
        if (column.name == "pos" && (column.width == 2 || column.width == 3)) {
            layout.place = layout.words;
            placed = true;
        } else if (column.name == "id" && column.width == 1) {
            layout.id = layout.words;
        } else if (column.name != "species") {
            layout.others.push_back(column.name);
        }
        layout.words += column.width;
    }
    if (!placed) throw lines.expected("pos, with two or three columns, among Properties", line);
    return layout;
}

/// A periodic rectangle.
struct Box {
    Point low, size;  // size 0: there is none
    friend bool operator==(const Box&, const Box&) = default;
};

class Reader {
  public:
    Reader(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes)
        : path_(path), lines_(path, text), notes_(notes) {}

    Tracks read() {
        Tracks tracks{path_.filename().string(), {}, {}, {}, {}};
        for (std::string_view line; next_frame(line);) read_frame(line, tracks);
        if (tracks.places.empty()) throw Error(path_.string() + ": no points found");
        tracks.starts.push_back(tracks.places.size());
        if (box_) tracks.box_low = box_->low, tracks.box = box_->size;
        tell(tracks);
        return tracks;
    }
    /// Of the first frame, as they stand in the file.
    std::vector<Point> take_first() { return std::move(first_); }

  private:
    /// The line with the number of points; false at the end of the file.
    bool next_frame(std::string_view& line) {
        while (lines_.next(line))
            if (!trimmed(line).empty()) return true;
        return false;
    }

    void read_frame(std::string_view line, Tracks& tracks) {
        const auto count = whole(trimmed(line));
        if (!count) throw lines_.expected("the number of points of a frame", line);
        const uint64_t frame = tracks.times.size();
        if (!lines_.next(line))
            throw Error(path_.string() + ": ends within frame " + std::to_string(frame) +
                        ": its second line is missing");
        const Head head = read_head(trimmed(line), lines_);
        const Layout layout = layout_of(head, lines_, line);
        tracks.times.push_back(time_of(head, frame, tracks.times));
        tracks.starts.push_back(tracks.places.size());
        take_box(head, frame);
        note_columns(layout);

        rows_.clear();
        for (uint64_t i = 0; i < *count; ++i) {
            if (!lines_.next(line))
                throw Error(path_.string() + ": ends within frame " + std::to_string(frame) + ", after " +
                            std::to_string(i) + " of " + std::to_string(*count) + " points");
            rows_.push_back(read_row(line, layout, static_cast<int64_t>(i)));
        }
        if (frame == 0)
            for (const Row& row : rows_) first_.push_back(row.place);
        stable_sort_or_cancel(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
        for (size_t i = 0; i < rows_.size(); ++i) {
            if (i > 0 && rows_[i].id == rows_[i - 1].id)
                throw Error(path_.string() + ":" + std::to_string(rows_[i].line) + ": id " +
                            std::to_string(rows_[i].id) + " is in this frame already, in line " +
                            std::to_string(rows_[i - 1].line));
            tracks.ids.push_back(rows_[i].id);
            tracks.places.push_back(rows_[i].place);
        }
    }

    struct Row {
        int64_t id;
        Point place;
        uint64_t line;
    };

    Row read_row(std::string_view line, const Layout& layout, int64_t index) {
        words_.clear();
        for (std::string_view rest = trimmed(line); !rest.empty();) words_.push_back(take_word(rest));
        if (words_.size() < layout.words || (layout.exact && words_.size() > layout.words))
            throw lines_.expected(layout.exact ? std::to_string(layout.words) + " columns, as Properties says"
                                               : std::string("a name and three numbers"),
                                  line);
        more_columns_ |= words_.size() > layout.words;
        Row row{index, {}, lines_.number()};
        row.place.x = coordinate(layout.place, 'x', line);
        row.place.y = coordinate(layout.place + 1, 'y', line);
        if (layout.place + 2 < words_.size()) note_height(words_[layout.place + 2]);
        if (layout.id) {
            const auto id = whole<int64_t>(words_[*layout.id]);
            if (!id) throw lines_.expected("an id, a whole number, in column " + std::to_string(*layout.id + 1), line);
            row.id = *id;
        }
        return row;
    }

    double coordinate(uint64_t column, char axis, std::string_view line) {
        double value = 0;
        std::string_view word = words_[column];
        if (!take_number(word, value) || !word.empty())
            throw lines_.expected(std::string("a number as ") + axis + " in column " + std::to_string(column + 1),
                                  line);
        require_coordinate(value, words_[column], axis, lines_);
        return value;
    }

    double time_of(const Head& head, uint64_t frame, const std::vector<double>& before) {
        const int told = head.time ? 2 : head.step ? 1 : 0;
        if (frame == 0) told_ = told;
        if (told < told_)
            throw Error(lines_.where() + "expected " + (told_ == 2 ? "Time" : "Step") +
                        "=…, as in the frames before, found none");
        const double time = told_ == 2 ? *head.time : told_ == 1 ? *head.step : static_cast<double>(frame);
        if (frame > 0 && !(time > before.back()))
            throw Error(lines_.where() + "this frame is at t = " + format_exactly(time) +
                        ", and the one before it at t = " + format_exactly(before.back()) +
                        "; frames are expected in the order of time");
        return time;
    }

    /// None is taken that is not the same in all frames.
    void take_box(const Head& head, uint64_t frame) {
        const Box found = box_of(head);
        if (frame == 0) {
            box_ = found;
        } else if (box_ && !(*box_ == found)) {
            const auto shown = [](const Box& box) {
                return box.size.x > 0 ? format_exactly(box.size.x) + " × " + format_exactly(box.size.y) : "none";
            };
            notes_.push_back(path_.string() + ": the periodic box changes, from " + shown(*box_) + " to " +
                             shown(found) + " in frame " + std::to_string(frame) + ", so none is taken");
            box_.reset();
        }
    }

    Box box_of(const Head& head) {
        if (!head.lattice || !(head.periodic[0] || head.periodic[1])) return {};
        const auto& l = *head.lattice;
        const bool upright = l[1] == 0 && l[2] == 0 && l[3] == 0 && l[5] == 0 && l[6] == 0 && l[7] == 0;
        const bool sound = upright && l[0] > 0 && l[4] > 0 && l[0] <= 1e30 && l[4] <= 1e30 &&
                           std::fabs(head.origin[0]) <= 1e30 && std::fabs(head.origin[1]) <= 1e30;
        if (sound && head.periodic[0] && head.periodic[1]) return {{head.origin[0], head.origin[1]}, {l[0], l[4]}};
        note_once("the Lattice is no rectangle along x and y that is periodic in both, so no box is taken");
        return {};
    }

    void note_columns(const Layout& layout) {
        if (layout.others.empty() || std::exchange(columns_noted_, true)) return;
        std::string names;
        for (const std::string& name : layout.others) names += (names.empty() ? "" : ", ") + name;
        note_once("only the places" + std::string(layout.id ? " and ids" : "") + " of the points are used, not " +
                  printable_within(names, 120));
    }

    void note_height(std::string_view word) {
        double z = 0;
        if (!take_number(word, z) || !word.empty()) return;
        if (!height_) height_ = z;
        flat_ &= *height_ == z;
    }

    void note_once(const std::string& what) {
        const std::string note = path_.string() + ": " + what;
        if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
    }

    void tell(const Tracks& tracks) {
        if (!flat_) note_once("only x and y of the points are used; z differs between them");
        if (more_columns_) note_once("only the first four columns are used: a name, x, y and z");
        note_missing(tracks, notes_);
    }

    const std::filesystem::path& path_;
    Lines lines_;
    std::vector<std::string>& notes_;
    std::vector<Point> first_;
    std::vector<Row> rows_;                // of one frame
    std::vector<std::string_view> words_;  // of one row
    std::optional<Box> box_;               // of all frames so far; nothing: it has changed
    std::optional<double> height_;
    int told_ = 0;  // what tells the time: 2 Time, 1 Step, 0 nothing
    bool flat_ = true, more_columns_ = false, columns_noted_ = false;
};

}  // namespace

Tracks read_xyz_tracks(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    return Reader(path, text, notes).read();
}

std::vector<Point> read_xyz(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    Reader reader(path, text, notes);
    const Tracks tracks = reader.read();
    if (tracks.frame_count() > 1)
        throw Error(path.string() + ": has " + std::to_string(tracks.frame_count()) +
                    " frames, so these are points over time, and points that stay are expected");
    if (tracks.box.x > 0)
        notes.push_back(path.string() + ": its periodic box is not used; as points over time (--tracks) it would be");
    return reader.take_first();
}

}  // namespace flipscope::io
