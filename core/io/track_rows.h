// What the readers of XYZ and of LAMMPS's dumps share: frame after frame of rows with an id, a place and columns, which
// become points over time, or points where there is one frame. Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/parse.h"
#include "io/range.h"

namespace flipscope::io {

/// A file of frames.
struct Frames {
    Tracks tracks;
    bool has_ids = false;         // the file says them; else they are the numbers of the rows
    std::vector<uint32_t> order;  // (rows of the first frame) where in the frame each row is
};

/// Points in the order of the file, with the box, where there is one frame; else points over time.
Geometry to_geometry(Frames frames);

Frames read_xyz(const InputFile& file);
Frames read_lammps(const InputFile& file);
bool is_lammps_dump(std::string_view bytes);
Frames read_lammps_data(const InputFile& file);
bool is_lammps_data(std::string_view bytes);
/// Of a style of units; empty: it has none.
std::string_view lammps_length_unit(std::string_view units);
/// Whether a number of points and a line with Properties begin the file.
bool is_extended_xyz(std::string_view bytes);
/// Whether the lines of an .xyz are frames. Else they are a table: lines of numbers, perhaps with their count before.
bool has_xyz_frames(std::string_view text);

/// So many numbers with blanks between, and brackets or commas of lists. Throws Error: expected `what`.
template <size_t kCount>
std::array<double, kCount> numbers_of(std::string_view text, const Lines& lines, const char* what);
extern template std::array<double, 2> numbers_of(std::string_view, const Lines&, const char*);
extern template std::array<double, 3> numbers_of(std::string_view, const Lines&, const char*);
extern template std::array<double, 9> numbers_of(std::string_view, const Lines&, const char*);

/// A rectangle; `size` is 0 along an axis that is not periodic, and `lengths` where it is not known along one.
struct PeriodicBox {
    Point low, size, lengths;
    /// From bounds along each axis. Those along one that is not periodic may say nothing.
    static PeriodicBox of(const std::array<double, 2>& low, const std::array<double, 2>& lengths,
                          const std::array<bool, 2>& periodic) {
        const auto length = [&](size_t axis) { return is_sound(low[axis], lengths[axis]) ? lengths[axis] : 0; };
        PeriodicBox box{{low[0], low[1]}, {}, {length(0), length(1)}};
        box.size = {periodic[0] ? box.lengths.x : 0, periodic[1] ? box.lengths.y : 0};
        return box.size == Point{} ? PeriodicBox{} : box;
    }
    /// Whether a box can begin and be as long as this along an axis.
    static bool is_sound(double low, double length) {
        return length > 0 && length <= 1e30 && std::fabs(low) <= 1e30 && coordinate_in_range(length) &&
               coordinate_in_range(low);
    }
};

/// Whether a box of this size is none of right angles. What rounding leaves of a rotation is no tilt.
bool is_tilted(std::initializer_list<double> tilts, double size);

class TrackRows {
  public:
    struct Column {
        std::string name;
        bool is_text = false;   // its words are categories
        bool is_usual = false;  // left out where its values are all equal: a height, the name of an element
    };
    struct Clock {
        std::optional<double> time, step;  // what a frame says
    };

    TrackRows(const InputFile& file, const Lines& lines) : file_(file), lines_(lines), range_(file.options) {}

    /// Throws Error where times do not ascend, or a frame does not say what the ones before it say.
    void begin_frame(const Clock& clock, const PeriodicBox& box, const std::vector<Column>& columns);
    /// A row, with `words[column_words[k]]` in column k of the frame; a number that is none is missing.
    void add(int64_t id, Point place, const std::vector<std::string_view>& words,
             const std::vector<size_t>& column_words);
    /// The number that `word` is, in a column counted from 0. Throws Error.
    double number(std::string_view word, char axis, size_t column) const;
    /// The same, as a coordinate in range.
    double coordinate(std::string_view word, char axis, size_t column) {
        return in_range(number(word, axis, column), word, axis);
    }
    double in_range(double value, std::string_view written, char axis) {
        return range_.take(value, written, [&] { return lines_.where() + axis; });
    }
    /// Throws Error for an id that is there twice.
    void end_frame();
    uint64_t frame_count() const { return tracks_.times.size(); }

    /// `decided` is what the reader says of the columns it uses, or empty; the names of those that are kept come
    /// behind.
    Frames finish(std::string decided, bool has_ids);
    void note_once(const std::string& sentence);

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
    std::optional<PeriodicBox> box_;  // of all frames so far; nothing: it has changed
    int told_ = 0;                    // what tells the time: 2 a time, 1 a step, 0 nothing

    // Of this frame.
    std::vector<Row> rows_;
    std::vector<size_t> columns_;  // in kept_
    std::vector<double> values_;   // (rows, columns)
};

}  // namespace flipscope::io
