// LAMMPS's dumps as text (.lammpstrj, .dump): per frame "ITEM: TIMESTEP" with its number, "ITEM: NUMBER OF ATOMS",
// "ITEM: BOX BOUNDS" and "ITEM: ATOMS" with the names of the columns. Rows are in any order. Coordinates may be
// absolute (x) or fractions of the box (xs), and either of these unwrapped (xu, xsu).

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/places.h"
#include "io/track_rows.h"

namespace flipscope::io {
namespace {

struct Units {
    std::string_view style, length, time;
};
constexpr Units kUnits[] = {{"real", "Å", "fs"},      {"metal", "Å", "ps"},  {"si", "m", "s"},    {"cgs", "cm", "s"},
                            {"electron", "a0", "fs"}, {"micro", "µm", "µs"}, {"nano", "nm", "ns"}};

/// Names of coordinates, in order of preference.
struct Axes {
    std::string_view x, y, z;
    bool is_scaled;
};
constexpr Axes kAxes[] = {
    {"x", "y", "z", false}, {"xs", "ys", "zs", true}, {"xu", "yu", "zu", false}, {"xsu", "ysu", "zsu", true}};

struct AxisBounds {
    double low = 0, high = 0;
    bool is_periodic = false;
};

class LammpsReader {
  public:
    explicit LammpsReader(const InputFile& file) : file_(file), lines_(file.path, file.bytes), rows_(file, lines_) {}

    Frames read() {
        for (std::string_view line; lines_.next(line);) {
            std::string_view item = trimmed(line);
            if (item.empty()) continue;
            if (!item.starts_with("ITEM:")) throw lines_.expected("\"ITEM:\" and what follows", line);
            item = trimmed(item.substr(5));
            if (item.starts_with("ATOMS"))
                read_atoms(trimmed(item.substr(5)));
            else if (item == "TIMESTEP")
                clock_.step = number("the number of a time step");
            else if (item == "TIME")
                clock_.time = number("a time");
            else if (item == "UNITS")
                units_ = next_line("the name of units");
            else if (item == "NUMBER OF ATOMS")
                count_ = read_count();
            else if (item.starts_with("BOX BOUNDS"))
                read_box(trimmed(item.substr(10)));
            else
                throw lines_.expected("TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS or ATOMS: other dumps are not read", line);
        }
        Frames frames = rows_.finish(std::move(decided_), has_ids_);
        frames.tracks.unit = lammps_length_unit(units_);
        for (const Units& known : kUnits)
            if (known.style == units_ && tells_time_) frames.tracks.time_unit = known.time;
        return frames;
    }

  private:
    std::string_view next_line(const char* what) {
        std::string_view line;
        if (!lines_.next(line)) throw file_.fail(std::string("ends before ") + what);
        return trimmed(line);
    }
    double number(const char* what) {
        const std::string_view line = next_line(what);
        const std::optional<double> value = number_of(line);
        if (!value || !std::isfinite(*value)) throw lines_.expected(what, line);
        return *value;
    }
    uint64_t read_count() {
        const std::string_view line = next_line("the number of atoms");
        return lines_.integer(line, "the number of atoms", line);
    }

    /// "xy xz yz pp pp pp": the first three only for a tilted box; old versions omit the last three.
    void read_box(std::string_view words) {
        const bool tilted = words.starts_with("xy xz yz");
        if (words.starts_with("abc")) throw tilted_box("given by three vectors");
        if (tilted) words = trimmed(words.substr(8));
        if (words.empty()) file_.note_once("its box does not say whether it is periodic; it is assumed to be");
        std::array<double, 3> tilt{};
        std::array<AxisBounds, 3>& bounds = bounds_.emplace();
        for (size_t axis = 0; axis < 3; ++axis) {
            const std::string_view line = next_line("the bounds of the box");
            if (tilted) {
                const auto numbers = numbers_of<3>(line, lines_, "two bounds of the box and a tilt");
                bounds[axis] = {numbers[0], numbers[1], false};
                tilt[axis] = numbers[2];
            } else {
                const auto numbers = numbers_of<2>(line, lines_, "two bounds of the box");
                bounds[axis] = {numbers[0], numbers[1], false};
            }
            const std::string_view flags = take_word(words);
            bounds[axis].is_periodic = flags.empty() || flags == "pp";
        }
        if (is_tilted({tilt[0], tilt[1], tilt[2]},
                      std::max(bounds[0].high - bounds[0].low, bounds[1].high - bounds[1].low)))
            throw tilted_box("tilted: xy xz yz are " + format_exactly(tilt[0]) + " " + format_exactly(tilt[1]) + " " +
                             format_exactly(tilt[2]));
    }
    Error tilted_box(const std::string& how) const {
        return lines_.fail(
            "the box is triclinic (" + how +
            "), and a periodic box must be a rectangle; make one of it before the dump, or set the tilts to 0 to "
            "read the places alone");
    }
    PeriodicBox box() const {
        const auto& [x, y, z] = *bounds_;
        return PeriodicBox::of({x.low, y.low}, {x.high - x.low, y.high - y.low}, {x.is_periodic, y.is_periodic});
    }

    void read_atoms(std::string_view names) {
        const std::string frame = "frame " + std::to_string(rows_.frame_count());
        if (!count_) throw lines_.fail("expected NUMBER OF ATOMS before the atoms of " + frame);
        if (names.empty()) names = "id type xs ys zs";  // of very old versions
        const std::string_view written = names;
        std::vector<std::string_view> columns;
        split_words(names, columns);
        const auto find = [&](std::string_view name) {
            return static_cast<size_t>(std::ranges::find(columns, name) - columns.begin());
        };
        const size_t id = find("id"), none = columns.size();
        const auto* const axes =
            std::ranges::find_if(kAxes, [&](const Axes& one) { return find(one.x) < none && find(one.y) < none; });
        if (axes == std::end(kAxes))
            throw lines_.expected("columns x and y, xs and ys, xu and yu or xsu and ysu", written);
        if (axes->is_scaled && !bounds_) throw lines_.fail("expected BOX BOUNDS, of which xs and ys are parts");
        const size_t x = find(axes->x), y = find(axes->y);
        if (rows_.frame_count() == 0) {
            has_ids_ = id < none;
            tells_time_ = clock_.time.has_value();
            decided_ = "x from \"" + std::string(axes->x) + "\", y from \"" + std::string(axes->y) + '"' +
                       (axes->is_scaled ? ", as parts of the box" : "") +
                       (has_ids_ ? "" : "; without ids, atoms are known by their rows");
        }
        Lines ahead = lines_;  // the first row determines columns of text
        std::string_view line;
        split_words(ahead.next(line) ? line : std::string_view(), words_);
        std::vector<size_t> used;
        std::vector<TrackRows::Column> kept;
        for (size_t k = 0; k < none; ++k) {
            if (k == x || k == y || k == id) continue;
            const bool is_text = k < words_.size() && !number_of(words_[k]);
            used.push_back(k);
            kept.push_back({printable_within(columns[k], kLongestColumnName), is_text, columns[k] == axes->z});
        }
        rows_.begin_frame(clock_, bounds_ ? box() : PeriodicBox{}, kept);
        for (uint64_t i = 0; i < *count_; ++i) {
            if (!lines_.next(line) || line.starts_with("ITEM:"))
                throw file_.fail(frame + " has " + std::to_string(i) + " of " + std::to_string(*count_) + " atoms");
            split_words(line, words_);
            if (words_.size() != none)
                throw lines_.expected(std::to_string(none) + " columns, as ITEM: ATOMS names them", line);
            const auto take = [&](size_t column, size_t axis) {
                const std::string_view word = words_[column];
                const char name = "xy"[axis];
                if (!axes->is_scaled) return rows_.coordinate(word, name, column);
                const AxisBounds& bounds = (*bounds_)[axis];
                return rows_.in_range(bounds.low + rows_.number(word, name, column) * (bounds.high - bounds.low), {},
                                      name);
            };
            const Point place{take(x, 0), take(y, 1)};
            const int64_t number = id < none ? rows_.id(words_[id], id, line) : static_cast<int64_t>(i);
            rows_.add(number, place, words_, used);
        }
        rows_.end_frame();
        clock_ = {};
        count_.reset();
        bounds_.reset();
    }

    const InputFile& file_;
    Lines lines_;
    TrackRows rows_;
    std::vector<std::string_view> words_;  // of one row
    std::string decided_;
    std::string_view units_;
    bool has_ids_ = false, tells_time_ = false;
    // The part of this frame read so far.
    TrackRows::Clock clock_;
    std::optional<uint64_t> count_;
    std::optional<std::array<AxisBounds, 3>> bounds_;
};

}  // namespace

std::string_view lammps_length_unit(std::string_view units) {
    for (const Units& known : kUnits)
        if (known.style == units) return known.length;
    return {};
}

bool is_lammps_dump(std::string_view bytes) { return bytes.starts_with("ITEM:"); }

Frames read_lammps(const InputFile& file) { return LammpsReader(file).read(); }

}  // namespace flipscope::io
