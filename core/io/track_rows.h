// Common part of the readers of XYZ and LAMMPS dumps: frames of rows with an id, a place and columns become points over
// time, or points for a single frame. Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"
#include "io/points.h"

namespace flipscope::io {

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes);
/// Throws Error for any other array.
Tracks read_npy_tracks(const InputFile& file);

/// Rows of points with times and ids, in any order.
struct RowsOverTime {
    std::vector<double> times;  // (n) finite
    std::vector<int64_t> ids;   // (n)
    std::vector<Point> places;  // (n)
    std::vector<Attribute> attributes;
};
/// Why such rows are points and not tracks, for the note: one time only, or no repeated id. Empty: they are tracks.
std::string why_no_tracks(const std::vector<double>& times, std::vector<int64_t> ids);
/// Sorts such rows into frames. `row_name`: "line 7", "row 7". Throws Error for a repeated id at one time: "foam.csv:
/// line 17: id 4 is at t = 3 already in line 12".
Tracks in_frames(const InputFile& file, RowsOverTime rows, const std::function<std::string(size_t row)>& row_name);

/// Negates y of all places and of the box.
void turn_over(Tracks& tracks);
/// Notes whether points are missing in some frames.
void note_missing(const Tracks& tracks, std::vector<std::string>& notes);

/// A file of frames.
struct Frames {
    Tracks tracks;
    bool has_ids = false;         // from the file; otherwise row numbers
    std::vector<uint32_t> order;  // (rows of the first frame) position of each row in the frame
};

/// One frame: points in the order of the file, with the box; otherwise points over time.
Geometry to_geometry(Frames frames);

Frames read_xyz(const InputFile& file);
Frames read_lammps(const InputFile& file);
bool is_lammps_dump(std::string_view bytes);
Frames read_lammps_data(const InputFile& file);
bool is_lammps_data(std::string_view bytes);
/// The unit of a LAMMPS style; empty: none.
std::string_view lammps_length_unit(std::string_view units);
/// Whether the file begins with a count and a line with Properties.
bool is_extended_xyz(std::string_view bytes);
/// Whether an .xyz consists of frames; otherwise it is a table: lines of numbers, perhaps after a count.
bool has_xyz_frames(std::string_view text);

/// As many numbers, separated by blanks, brackets or commas. Throws Error: expected `what`.
void read_numbers(std::string_view text, const Lines& lines, const char* what, std::span<double> numbers);
template <size_t kCount>
std::array<double, kCount> numbers_of(std::string_view text, const Lines& lines, const char* what) {
    std::array<double, kCount> numbers{};
    read_numbers(text, lines, what, numbers);
    return numbers;
}

/// A rectangle; `size` is 0 along axes that are not periodic; `lengths` is 0 if unknown along an axis.
struct PeriodicBox {
    Point low, size, lengths;
    /// From bounds along each axis, which may be meaningless along axes that are not periodic.
    static PeriodicBox of(const std::array<double, 2>& low, const std::array<double, 2>& lengths,
                          const std::array<bool, 2>& periodic) {
        const auto length = [&](size_t axis) { return is_sound(low[axis], lengths[axis]) ? lengths[axis] : 0; };
        PeriodicBox box{{low[0], low[1]}, {}, {length(0), length(1)}};
        box.size = {periodic[0] ? box.lengths.x : 0, periodic[1] ? box.lengths.y : 0};
        return box.size == Point{} ? PeriodicBox{} : box;
    }
    /// Whether these bounds along an axis are valid.
    static bool is_sound(double low, double length) {
        return length > 0 && length <= 1e30 && std::fabs(low) <= 1e30 && coordinate_in_range(length) &&
               coordinate_in_range(low);
    }
};

/// Whether a box of this size is oblique, beyond rounding.
bool is_tilted(std::initializer_list<double> tilts, double size);

class TrackRows {
  public:
    struct Column {
        std::string name;
        bool is_text = false;   // words are categories
        bool is_usual = false;  // dropped if all values are equal: a height, an element's name
    };
    struct Clock {
        std::optional<double> time, step;  // of the frame
    };

    TrackRows(const InputFile& file, const Lines& lines) : file_(file), lines_(lines), range_(file.options) {}

    /// Throws Error if times do not ascend, or if a frame lacks data that earlier frames have.
    void begin_frame(const Clock& clock, const PeriodicBox& box, const std::vector<Column>& columns);
    /// Adds a row, with `words[column_words[k]]` in column k of the frame; an invalid number is missing.
    void add(int64_t id, Point place, const std::vector<std::string_view>& words,
             const std::vector<size_t>& column_words);
    /// Parses an id, in column `column` from 0 of a line. Throws Error.
    int64_t id(std::string_view word, size_t column, std::string_view line) const;
    /// Parses a number, in column `column` from 0. Throws Error.
    double number(std::string_view word, char axis, size_t column) const;
    /// Parses a coordinate in range.
    double coordinate(std::string_view word, char axis, size_t column) {
        return in_range(number(word, axis, column), word, axis);
    }
    double in_range(double value, std::string_view written, char axis) {
        return range_.take(value, written, [&] { return lines_.where() + axis; });
    }
    /// Throws Error for a duplicate id.
    void end_frame();
    uint64_t frame_count() const { return tracks_.times.size(); }

    /// `decided` is the reader's note on the columns it uses, or empty; the names of kept columns are appended.
    Frames finish(std::string decided, bool has_ids);

  private:
    struct Row {
        int64_t id;
        Point place;
        uint64_t line;
    };
    struct Kept {  // a column of all frames
        bool is_text, is_usual;
        std::unordered_map<std::string, double> categories;
    };

    size_t column_of(const Column& column);

    const InputFile& file_;
    const Lines& lines_;
    CoordinateRange range_;
    Tracks tracks_;
    std::vector<uint32_t> order_;
    std::vector<Kept> kept_;          // as tracks_.attributes
    std::optional<PeriodicBox> box_;  // of all frames so far; nullopt: it has changed
    int time_source_ = 0;             // source of the time: 2 time, 1 step, 0 none

    // Of this frame.
    std::vector<Row> rows_;
    std::vector<size_t> columns_;  // in kept_
    std::vector<double> values_;   // (rows, columns)
};

}  // namespace flipscope::io
