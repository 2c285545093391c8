#include "io/triangles.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "compute/view.h"
#include "io/geometry.h"
#include "io/mesh_file.h"
#include "io/npy_file.h"
#include "io/npy_indices.h"
#include "io/npz_points.h"

namespace flipscope {

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;
using io::Lines;

uint32_t as_index(int64_t written, int64_t base = 0) {
    const int64_t index = written - base;
    return index < 0 || index >= int64_t(kNone) ? kNone : static_cast<uint32_t>(index);
}

// ---- tables ---------------------------------------------------------------------------------------------------------

/// Takes the next word off, separated by blanks, a comma or a semicolon.
std::string_view take_field(std::string_view& rest) {
    const auto separates = [](char c) { return io::is_blank(c) || c == ',' || c == ';'; };
    size_t begin = 0;
    while (begin < rest.size() && separates(rest[begin])) ++begin;
    size_t end = begin;
    while (end < rest.size() && !separates(rest[end])) ++end;
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

/// The cells of a line, without their quotes. A semicolon separates before tabs do, these before a comma, and this
/// before blanks, as which a single tab counts; a separator at the end of the line ends a cell, and no empty one
/// follows.
void split(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    char separator = io::find_unquoted(line, ',') != line.npos ? ',' : ' ';
    if (std::count(line.begin(), line.end(), '\t') > 1) separator = '\t';
    if (io::find_unquoted(line, ';') != line.npos) separator = ';';
    while (!line.empty()) {
        size_t end = separator == ' ' ? line.find_first_of(" \t") : io::find_unquoted(line, separator);
        end = std::min(end, line.size());
        std::string_view cell = io::trimmed(line.substr(0, end));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
        cells.push_back(io::trimmed(cell));
        line.remove_prefix(std::min(end + 1, line.size()));
        if (separator == ' ') line = io::trimmed(line);
    }
}

/// A whole number, also as "4.0", "4e0" or "4,0"; what is beyond 64 bits is negative. Nothing: it is none.
std::optional<int64_t> index_of(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    if (const std::optional<int64_t> index = io::whole<int64_t>(cell)) return index;
    std::string plain(cell);
    std::replace(plain.begin(), plain.end(), ',', '.');
    std::string_view rest = plain;
    double value = 0;
    if (!io::take_number(rest, value) || !rest.empty() || !std::isfinite(value) || std::floor(value) != value)
        return std::nullopt;
    return std::fabs(value) < 9e18 ? static_cast<int64_t>(value) : int64_t{-1};
}

/// Rows of indices, perhaps below a header, a line with their number, and beside a column that counts them.
class TriangleTable {
  public:
    TriangleTable(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes)
        : path_(path), lines_(path, text), notes_(notes) {}

    Triangles read() {
        std::string_view line;
        bool more = next(line);
        if (!more) return {};
        split(line, cells_);
        const std::string first_line(line);
        const std::vector<std::string> first(cells_.begin(), cells_.end());
        const bool is_text = std::any_of(first.begin(), first.end(), [](const auto& cell) { return !index_of(cell); });
        const bool is_count = first.size() == 1 && !is_text;
        const int64_t declared = is_count ? *index_of(first[0]) : 0;
        if (first.size() < 3 && !is_count) throw expected(line);
        // Three names have no index among them.
        if (is_text && first.size() == 3 &&
            std::any_of(first.begin(), first.end(), [](const auto& cell) { return index_of(cell).has_value(); }))
            throw expected(line);
        more = next(line);
        if (more) split(line, cells_);
        // pandas and R leave out the name of the column that counts rows; below tabs nothing is seen of it.
        const bool lacks_name = more && first.size() >= 3 && cells_.size() == first.size() + 1 &&
                                (is_text || (first[0] == "0" && first[1] == "1" && first[2] == "2"));
        if (is_text || lacks_name) names_ = first;
        if (lacks_name) names_.insert(names_.begin(), "");
        width_ = !names_.empty() ? names_.size() : is_count && more ? cells_.size() : is_count ? 3 : first.size();
        if (width_ < 3) throw expected(line);
        if (!is_count && names_.empty()) {
            std::vector<std::string_view> cells(first.begin(), first.end());
            cells.swap(cells_);
            take_row(first_line);
            cells.swap(cells_);
        }
        for (; more; more = next(line)) {
            split(line, cells_);
            take_row(line);
        }
        if (is_count && uint64_t(declared) != rows())
            throw Error(path_.string() + ": expected " + std::to_string(declared) +
                        " triangles, as its first line of one number says, found " + std::to_string(rows()));
        choose_columns();
        Triangles triangles(rows());
        RegularLook look;
        for (size_t t = 0; t < triangles.size(); ++t) {
            look();
            for (size_t k = 0; k < 3; ++k) triangles[t][k] = as_index(indices_[t * width_ + columns_[k]]);
        }
        return triangles;
    }

  private:
    void take_row(std::string_view line) {
        if (cells_.size() != width_)
            throw width_ == 3 ? expected(line)
                              : lines_.expected(std::to_string(width_) + " columns as in the first line", line);
        text_lines_.resize(width_, 0);
        for (size_t k = 0; k < width_; ++k) {
            const std::optional<int64_t> index = index_of(cells_[k]);
            // Beside the indices there may be others, which a header tells apart.
            if (!index && (names_.empty() || width_ == 3)) throw expected(line);
            if (!index && text_lines_[k] == 0) text_lines_[k] = lines_.number();
            indices_.push_back(index.value_or(-1));
        }
    }
    bool next(std::string_view& line) {
        while (io::next_content(lines_, line))
            if (!line.starts_with('%') && !line.starts_with("//")) return true;
        return false;
    }
    Error expected(std::string_view line) const {
        return lines_.expected(width_ > 3 || cells_.size() > 3
                                   ? "three whole numbers and nothing more"
                                   : "three whole numbers, the indices of a triangle's points from 0",
                               line);
    }
    size_t rows() const { return indices_.size() / width_; }
    int64_t at(size_t row, size_t column) const { return indices_[row * width_ + column]; }

    /// Whether the first column says nothing but which row it is.
    bool counts_rows() const {
        if (width_ < 4 || rows() == 0 || at(0, 0) < 0 || at(0, 0) > 1) return false;
        if (names_.empty() && rows() == 1) return false;  // as good as four corners
        for (size_t row = 1; row < rows(); ++row)
            if (at(row, 0) != at(0, 0) + int64_t(row)) return false;
        return true;
    }

    /// Whether the names of these columns follow one another: "a, b, c", "i, j, k", "v1, v2, v3".
    bool follows(size_t first, size_t count) const {
        if (first + count > names_.size() || names_[first].empty()) return false;
        const std::string& name = names_[first];
        for (size_t k = 1; k < count; ++k) {
            std::string next = name;
            next.back() = static_cast<char>(next.back() + static_cast<char>(k));
            if (names_[first + k] != next) return false;
        }
        return true;
    }

    bool find_named() {
        for (size_t k = 0; k < names_.size();) {
            size_t count = 1;
            while (follows(k, count + 1)) ++count;
            if (count == 3) {  // four are a quadrangle
                columns_ = {k, k + 1, k + 2};
                return true;
            }
            k += count;
        }
        return false;
    }

    void choose_columns() {
        const auto say = [&](const std::string& what) { notes_.push_back(path_.string() + ": " + what); };
        if (width_ == 3) {
            const bool could_be_names = rows() > 1 && names_.empty() && at(0, 0) == 0 && at(0, 1) == 1 &&
                                        at(0, 2) == 2 && io::lower_extension(path_) == ".csv";
            if (could_be_names)
                say("its first line is read as the triangle 0, 1, 2; take it out if it is a header, names of columns");
            return;
        }
        if (find_named()) {
            say("three of its " + std::to_string(width_) + " columns are used: " + excerpt(names_[columns_[0]]) + ", " +
                excerpt(names_[columns_[1]]) + " and " + excerpt(names_[columns_[2]]));
        } else if (width_ == 4 && (counts_rows() || (!names_.empty() && names_[0].empty()))) {
            columns_ = {1, 2, 3};
            say("the first of its 4 columns counts or names the rows, the others are indices of points");
        } else {
            throw Error(path_.string() +
                        ": expected three whole numbers a line and nothing more, or columns that are " +
                        "called a, b and c, found " + std::to_string(width_) + " columns");
        }
        for (const size_t k : columns_)
            if (k < text_lines_.size() && text_lines_[k] > 0)
                throw Error(path_.string() + ":" + std::to_string(text_lines_[k]) +
                            ": expected the index of a point, a whole number, in column " + std::to_string(k + 1));
    }

    const std::filesystem::path& path_;
    Lines lines_;
    std::vector<std::string>& notes_;
    std::vector<std::string_view> cells_;
    std::vector<std::string> names_;    // of the header; empty: there is none
    std::vector<int64_t> indices_;      // (rows, width); -1: not a whole number
    std::vector<uint64_t> text_lines_;  // (width) the first line that has no whole number there; 0: none
    size_t width_ = 3;
    std::array<size_t, 3> columns_{0, 1, 2};
};

/// "triangles corners attributes", then "index a b c …" a line.
Triangles read_ele_alone(const std::filesystem::path& path, std::string_view text) {
    Lines lines(path, text);
    std::string_view content;
    if (!io::next_content(lines, content)) return {};
    std::string_view rest = content;
    const std::optional<uint64_t> declared = io::whole(take_field(rest));
    if (!declared) throw lines.expected("\"triangles corners attributes\", all whole numbers", content);
    Triangles triangles;
    int64_t base = 0;
    while (io::next_content(lines, content)) {
        rest = content;
        const std::optional<int64_t> index = io::whole<int64_t>(take_field(rest));
        if (triangles.empty() && index) base = *index;
        if (!index || base < 0 || base > 1 || *index != base + static_cast<int64_t>(triangles.size()))
            throw lines.expected(triangles.empty() ? std::string("index 0 or 1")
                                                   : "index " + std::to_string(base + int64_t(triangles.size())),
                                 content);
        std::array<uint32_t, 3> corners{};
        for (uint32_t& corner : corners) {
            const std::optional<int64_t> id = io::whole<int64_t>(take_field(rest));
            if (!id) throw lines.expected("an index and the indices of three points", content);
            corner = as_index(*id, base);
        }
        triangles.push_back(corners);
    }
    if (triangles.size() != *declared)
        throw Error(path.string() + ": expected " + std::to_string(*declared) + " triangles as declared, found " +
                    std::to_string(triangles.size()));
    return triangles;
}

}  // namespace

const std::vector<FormatInfo>& triangle_formats() {
    static const std::vector<FormatInfo> formats{
        {{".tri", ".txt", ".csv", ".tsv", ".dat"},
         "three indices a line, separated by blanks, a comma or a semicolon, below a header or beside a column that "
         "counts rows, too"},
        {{".npy", ".npz"},
         "a NumPy array of shape (t, 3) of whole numbers; in an archive that called triangles or simplices"},
        {{".ele"}, "Triangle's triangles; indices count from the number of the first, 0 or 1"},
        {{".ply", ".obj", ".off"}, "the faces of a mesh, whose points are not used"},
    };
    return formats;
}

namespace {

Triangles read_as_they_are(const std::filesystem::path& path, std::vector<std::string>& said) {
    const std::string extension = io::lower_extension(path);
    const auto known = [&](size_t format) {
        const auto& extensions = triangle_formats()[format].extensions;
        return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    };
    if (known(0)) return TriangleTable(path, io::read_file(path), said).read();
    if (known(1)) {
        const std::string bytes = io::read_file(path);
        return extension == ".npz" ? io::read_npz_triangles(path, bytes, said)
                                   : io::read_triples(io::NpyFile(path, bytes), said);
    }
    if (known(2)) return read_ele_alone(path, io::read_file(path));
    if (known(3)) {
        Geometry mesh = read_geometry(path, &said);
        said.push_back(path.string() + ": its " + std::to_string(mesh.points.size()) + " points are not used");
        return std::move(mesh.triangles);
    }
    std::string list;
    for (const FormatInfo& info : triangle_formats())
        for (const std::string& one : info.extensions) list += (list.empty() ? "" : ", ") + one;
    throw Error(path.string() + ": " +
                (extension.empty() ? "no extension to tell the format by" : "unknown format " + extension) +
                " of triangles (known: " + list + ")");
}

}  // namespace

Triangles read_triangles(const std::filesystem::path& path, std::vector<std::string>* notes, uint64_t point_count) try {
    std::vector<std::string> unread;
    std::vector<std::string>& said = notes ? *notes : unread;
    Triangles triangles = read_as_they_are(path, said);
    if (!triangles.empty() && counts_from_one({triangles[0].data(), 3 * triangles.size()}, point_count)) {
        for (auto& corners : triangles)
            for (uint32_t& corner : corners) corner -= corner != kNone;
        said.push_back(path.string() + ": " + counted_from_one(point_count));
    }
    return triangles;
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
}

bool counts_from_one(std::span<const uint32_t> corners, uint64_t point_count) {
    uint64_t highest = 0;
    for (const uint32_t corner : corners) {
        if (corner == 0) return false;
        if (corner != kNone) highest = std::max<uint64_t>(highest, corner);
    }
    return point_count > 0 && highest == point_count;
}

std::string counted_from_one(uint64_t point_count) {
    return "indices count from 1: none is 0, and the highest is " + std::to_string(point_count) +
           ", the number of points";
}

}  // namespace flipscope
