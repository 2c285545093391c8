// LAMMPS's data files, as written by write_data and by programs that make systems: a title, counts ("200 atoms"), the
// box ("0 30 xlo xhi"), and sections, of which "Atoms" has a row per atom. The atom style determines its columns; it
// follows the section's name ("Atoms # full"), or is deduced from the number of columns.

#include <array>

#include "io/track_rows.h"

namespace flipscope::io {
namespace {

struct Style {
    std::string_view name, columns;  // followed by three integers, the crossed periodic images, or nothing
};
constexpr Style kStyles[] = {
    {"atomic", "id type x y z"},
    {"charge", "id type q x y z"},
    {"bond", "id mol type x y z"},
    {"angle", "id mol type x y z"},
    {"molecular", "id mol type x y z"},
    {"full", "id mol type q x y z"},
    {"sphere", "id type diameter density x y z"},
    {"ellipsoid", "id type ellipsoidflag density x y z"},
    {"line", "id mol type lineflag density x y z"},
    {"dipole", "id type q x y z mux muy muz"},
    {"bpm/sphere", "id mol type diameter density x y z"},
};

constexpr std::string_view kSections[] = {"Atoms",  "Velocities", "Masses",     "Bonds", "Angles",   "Dihedrals",
                                          "Bodies", "Impropers",  "Ellipsoids", "Lines", "Triangles"};

/// Without the comment that "#" starts.
std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    split_words(line, words);
    return words;
}

bool is_section(std::string_view content) { return is_among(content, kSections) || content.ends_with("Coeffs"); }

class LammpsDataReader {
  public:
    explicit LammpsDataReader(const InputFile& file)
        : file_(file), lines_(file.path, file.bytes), rows_(file, lines_) {}

    Frames read() {
        std::string_view line;
        if (lines_.next(line)) read_title(line);
        while (lines_.next(line)) {
            const std::string_view content = without_comment(line);
            if (content.empty()) continue;
            if (content == "Atoms") {
                read_atoms(line.find('#') == line.npos ? "" : trimmed(line.substr(line.find('#') + 1)));
            } else if (is_section(content)) {
                in_section_ = true;
                if (content != "Masses" && !content.ends_with("Coeffs"))
                    append_clause(unused_, std::string(content), ", ");
            } else if (!in_section_) {
                read_head(content, line);
            }
        }
        if (rows_.frame_count() == 0) throw file_.fail("has no section \"Atoms\"");
        file_.note_once("its box does not say whether it is periodic; it is assumed to be");
        if (!unused_.empty()) file_.note_once("not used: " + unused_);
        Frames frames = rows_.finish("atom style " + style_, true);
        frames.tracks.unit = lammps_length_unit(units_);
        return frames;
    }

  private:
    /// "LAMMPS data file via write_data, version …, timestep = 100, units = metal"
    void read_title(std::string_view line) {
        constexpr std::string_view kUnits = "units = ";
        if (const size_t at = line.find(kUnits); at != line.npos) {
            std::string_view rest = line.substr(at + kUnits.size());
            units_ = take_word(rest);
        }
    }

    void read_head(std::string_view content, std::string_view line) {
        const std::vector<std::string_view> words = words_of(content);
        if (words.size() == 2 && words[1] == "atoms") count_ = lines_.integer(words[0], "the number of atoms", line);
        if (content.ends_with("xy xz yz")) {
            const auto tilts = numbers_of<3>(content.substr(0, content.find("xy")), lines_, "three tilts");
            if (is_tilted({tilts[0], tilts[1], tilts[2]}, bounds_[0][1] - bounds_[0][0]))
                throw lines_.fail(
                    "the box is triclinic (tilted), and a periodic box must be a rectangle; make one of it, or "
                    "set the tilts to 0 to read the places alone");
        }
        if (content.ends_with("avec") || content.ends_with("bvec") || content.ends_with("cvec"))
            throw lines_.fail("the box is triclinic (given by three vectors), and a periodic box must be a rectangle");
        for (const auto& [axis, name] : {std::pair{0, "xlo xhi"}, {1, "ylo yhi"}})
            if (content.ends_with(name))
                bounds_[axis] = numbers_of<2>(content.substr(0, content.rfind(name)), lines_, "two bounds of the box");
    }

    /// With or without three columns of images after it.
    static bool has_columns(const Style& style, size_t count) {
        const size_t own = words_of(style.columns).size();
        return count == own || count == own + 3;
    }

    /// Without a written style, only column counts that belong to a single style of point atoms are accepted.
    const Style& style_of(std::string_view written, size_t count, std::string_view line) {
        const Style* found = nullptr;
        for (const Style& one : kStyles)
            if (one.name == written) found = &one;
        if (written.empty() && has_columns(kStyles[0], count)) {
            found = &kStyles[0];
            file_.note_once("no atom style follows \"Atoms\"; its " + std::to_string(count) +
                            " columns are assumed to be atomic");
        }
        if (!found) {
            std::string known;
            for (const Style& one : kStyles) append_clause(known, std::string(one.name), ", ");
            throw lines_.fail((written.empty() ? "the " + std::to_string(count) +
                                                     " columns of the atoms could be of several atom styles"
                                               : "atom style \"" + printable_within(written, 40) + "\" is not read") +
                              "; write it after the section's name, as \"Atoms # full\" (known: " + known + ")");
        }
        if (!has_columns(*found, count))
            throw lines_.expected(
                "columns of atom style " + std::string(found->name) + ": " + std::string(found->columns), line);
        return *found;
    }

    void read_atoms(std::string_view written) {
        if (!count_) throw lines_.fail("expected a line \"N atoms\" before the section");
        if (rows_.frame_count() > 0) throw lines_.fail("there is a second section \"Atoms\"");
        in_section_ = true;
        std::vector<std::string_view> columns, words;
        size_t id = 0, x = 0, y = 0;
        std::vector<size_t> used;
        for (uint64_t i = 0; i < *count_;) {
            std::string_view line;
            if (!lines_.next(line))
                throw file_.fail("has " + std::to_string(i) + " of " + std::to_string(*count_) + " atoms");
            const std::string_view content = without_comment(line);
            if (content.empty()) continue;
            words = words_of(content);
            if (i == 0) {
                const Style& style = style_of(written, words.size(), line);
                style_ = style.name;
                columns = words_of(style.columns);
                std::vector<TrackRows::Column> kept;
                for (size_t k = 0; k < columns.size(); ++k) {
                    if (columns[k] == "id") id = k;
                    if (columns[k] == "x") x = k;
                    if (columns[k] == "y") y = k;
                    if (columns[k] == "id" || columns[k] == "x" || columns[k] == "y") continue;
                    used.push_back(k);
                    kept.push_back({std::string(columns[k]), false, columns[k] == "z"});
                }
                for (const std::string_view image : {"ix", "iy", "iz"}) {
                    if (columns.size() == words.size()) break;
                    used.push_back(columns.size());
                    columns.push_back(image);
                    kept.push_back({std::string(image), false, true});
                }
                rows_.begin_frame({}, box(), kept);
            }
            if (words.size() != columns.size())
                throw lines_.expected(std::to_string(columns.size()) + " columns, as in the first row of the atoms",
                                      line);
            const int64_t number = rows_.id(words[id], id, line);
            rows_.add(number, {rows_.coordinate(words[x], 'x', x), rows_.coordinate(words[y], 'y', y)}, words, used);
            ++i;
        }
        if (*count_ > 0) rows_.end_frame();
    }

    PeriodicBox box() const {
        const auto& [x, y] = bounds_;
        return PeriodicBox::of({x[0], y[0]}, {x[1] - x[0], y[1] - y[0]}, {true, true});
    }

    const InputFile& file_;
    Lines lines_;
    TrackRows rows_;
    std::string style_, unused_;
    std::string_view units_;
    std::optional<uint64_t> count_;
    std::array<std::array<double, 2>, 2> bounds_{{{-0.5, 0.5}, {-0.5, 0.5}}};  // LAMMPS's default
    bool in_section_ = false;
};

}  // namespace

bool is_lammps_data(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, 16384);
    return head.find("xlo xhi") != head.npos && head.find(" atoms") != head.npos && !bytes.starts_with("ITEM:");
}

Frames read_lammps_data(const InputFile& file) { return LammpsDataReader(file).read(); }

}  // namespace flipscope::io
