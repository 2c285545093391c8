// VTK's legacy files, as text and binary (big-endian): the points and faces of POLYDATA and UNSTRUCTURED_GRID, and
// numbers on a lattice, STRUCTURED_POINTS with one layer. Point data with up to three components become attributes.
// Cells are "count ids" each before version 5, offsets and ids since.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "compute/text.h"
#include "io/field_values.h"
#include "io/fields.h"
#include "io/mesh_file.h"
#include "io/number_reader.h"

namespace flipscope::io {
namespace {

struct VtkType {
    size_t size;  // bytes; 0: eight numbers per byte
    bool is_signed, is_real;
};

constexpr std::pair<std::string_view, size_t> kIntegers[] = {
    {"bit", 0},          {"char", 1},          {"signed_char", 1},    {"short", 2},        {"int", 4},
    {"vtkidtype", 4},    {"long", 8},          {"vtktypeint8", 1},    {"vtktypeint16", 2}, {"vtktypeint32", 4},
    {"vtktypeint64", 8}, {"unsigned_char", 1}, {"unsigned_short", 2}, {"unsigned_int", 4}, {"unsigned_long", 8},
    {"vtktypeuint8", 1}, {"vtktypeuint16", 2}, {"vtktypeuint32", 4},  {"vtktypeuint64", 8}};
constexpr VtkType kInt = {4, true, false};

/// "Speed%20(m/s)" represents a name with a blank.
std::string decoded(std::string_view name) {
    std::string text;
    for (size_t i = 0; i < name.size(); ++i) {
        unsigned code = 0;
        const char* const digits = name.data() + i + 1;
        if (name[i] == '%' && i + 2 < name.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
            text += static_cast<char>(code);
            i += 2;
        } else {
            text += name[i];
        }
    }
    return printable_within(text, 64);
}

/// Named numbers of points or cells.
struct Array {
    std::string name;
    uint64_t components = 1;
    std::vector<double> values;                // (n, components)
    std::vector<std::string> categories = {};  // of texts, as in Attribute
};

struct Lattice {
    std::array<uint64_t, 3> size{};
    std::array<double, 3> origin{}, spacing{1, 1, 1};
};

class VtkReader {
  public:
    explicit VtkReader(const InputFile& file) : file_(file), in_(file) {}

    Geometry read() {
        read_head();
        for (std::string_view line; next_content(line);) {
            std::string_view rest = line;
            in_.part = line;
            const std::string keyword = lower_case(take_word(rest));
            if (!read_dataset_part(keyword, rest) && !read_data(keyword, rest))
                throw in_.expected("a keyword of VTK such as POINTS or POINT_DATA", line);
        }
        return lattice_ ? field() : mesh();
    }

  private:
    Error fail(const std::string& why) const { return in_.fail(why); }
    /// The next line that is not empty; false at the end of the file.
    bool next_content(std::string_view& line) {
        while (in_.next_line(line))
            if (line = trimmed(line); !line.empty()) return true;
        return false;
    }

    void read_head() {
        std::string_view line;
        if (!in_.next_line(line)) throw file_.fail("the file is empty");
        if (!line.starts_with("# vtk DataFile"))
            throw fail("expected \"# vtk DataFile Version …\", found " + excerpt(line) +
                       "; ParaView and meshio write this form as .vtk");
        in_.next_line(line);  // the title
        const std::string encoding = lower_case(in_.word());
        if (encoding != "ascii" && encoding != "binary") throw in_.expected("ASCII or BINARY", encoding);
        in_.skip_line();
        const std::string dataset = lower_case(in_.word()), kind = lower_case(in_.word());
        if (dataset != "dataset") throw in_.expected("DATASET", dataset);
        in_.skip_line();
        if (kind == "structured_points")
            lattice_.emplace();
        else if (kind != "polydata" && kind != "unstructured_grid")
            throw fail("expected POLYDATA, UNSTRUCTURED_GRID or STRUCTURED_POINTS, found " + excerpt(kind) +
                       "; save it as POLYDATA, as ParaView's filter \"Extract Surface\" makes it");
        in_.is_binary = encoding == "binary";
        in_.is_big_endian = true;
    }

    VtkType type_of(std::string_view written) const {
        const std::string name = lower_case(written);
        if (name == "float" || name == "double") return {size_t(name == "float" ? 4 : 8), true, true};
        const bool is_signed = !name.starts_with("unsigned") && !name.starts_with("vtktypeu");
        for (const auto& [known, size] : kIntegers)
            if (known == name) return {size, is_signed, false};
        throw in_.expected("a type of numbers such as float or int", written);
    }
    uint64_t count_of(std::string_view& rest, const char* what) const {
        const std::string_view word = take_word(rest);
        const std::optional<uint64_t> count = whole(word);
        if (!count) throw in_.expected(what, word);
        return *count;
    }
    double take_real(std::string_view& rest) const {
        const std::string_view word = take_word(rest);
        if (const std::optional<double> value = number_of(word)) return *value;
        throw in_.expected("a number", word);
    }

    double number(const VtkType& type) {
        if (!in_.is_binary) return in_.number_word("a number");
        return number_of(in_.bytes(type.size), type.size, type.is_real, type.is_signed);
    }
    double coordinate(const VtkType& type) {
        const double value = number(type);
        if (!std::isfinite(value)) throw fail("a coordinate is " + format_exactly(value) + ", not a finite number");
        return value;
    }
    /// The id of a point, a length or an offset.
    uint64_t index(const VtkType& type, const char* what) {
        const int64_t value =
            in_.is_binary ? with_sign(in_.bytes(type.size), type.size) : in_.whole_word<int64_t>(what);
        if (value < 0) throw fail(std::string("expected ") + what + ", found " + std::to_string(value));
        return static_cast<uint64_t>(value);
    }
    /// Throws Error for more than any file has.
    uint64_t product(uint64_t rows, uint64_t components) const {
        if (components > 0 && rows > UINT64_MAX / components) throw in_.ends_early();
        return rows * components;
    }
    /// The numbers of an array follow in a line of their own.
    std::vector<double> numbers(const VtkType& type, uint64_t count, uint64_t components) {
        count = product(count, components);
        std::vector<double> values;
        if (type.size == 0 && in_.is_binary) {
            in_.skip(1, count / 8 + (count % 8 != 0));
            return values;  // bits are ignored
        }
        in_.require_room(type.size, count);
        values.reserve(count);
        while (values.size() < count) values.push_back(number(type));
        return values;
    }

    // Points and cells.

    bool read_dataset_part(const std::string& keyword, std::string_view rest) {
        if (keyword == "points" && !lattice_) {
            const uint64_t count = count_of(rest, "the number of points");
            const VtkType type = type_of(take_word(rest));
            if (type.size == 0) throw fail("expected coordinates, found bits");
            in_.require_room(type.size, count);
            for (uint64_t i = 0; i < count; ++i) {
                const double x = coordinate(type), y = coordinate(type), z = coordinate(type);
                mesh_.points.push_back({x, y, z});
                if (!in_.is_binary) mesh_.point_lines.push_back(in_.line());
            }
        } else if (keyword == "polygons" || keyword == "triangle_strips") {
            read_cells(rest);
            const uint8_t type = keyword == "polygons" ? 7 : 6;
            for (size_t i = 0; i < cell_ends_.size(); ++i) add_cell(i, type);
        } else if (keyword == "vertices" || keyword == "lines") {
            read_cells(rest);
            if (keyword == "lines") lines_ += cell_ends_.size();
        } else if (keyword == "cells") {
            read_cells(rest);
        } else if (keyword == "cell_types") {
            const uint64_t count = count_of(rest, "the number of cells");
            if (count != cell_ends_.size())
                throw fail("expected " + std::to_string(cell_ends_.size()) +
                           " types of cells, as CELLS has cells, found " + std::to_string(count));
            for (size_t i = 0; i < count; ++i) add_cell(i, index(kInt, "the type of a cell"));
        } else if (lattice_ && keyword == "dimensions") {
            for (uint64_t& size : lattice_->size) size = count_of(rest, "three numbers of points");
        } else if (lattice_ && keyword == "origin") {
            for (double& value : lattice_->origin) value = take_real(rest);
        } else if (lattice_ && (keyword == "spacing" || keyword == "aspect_ratio")) {
            for (double& value : lattice_->spacing) value = take_real(rest);
        } else {
            return false;
        }
        return true;
    }

    void read_cells(std::string_view rest) {
        const uint64_t first = count_of(rest, "the number of cells"), second = count_of(rest, "the length of the list");
        cells_.clear();
        cell_ends_.clear();
        if (in_.rest().starts_with("OFFSETS")) return read_offsets(first, second);
        in_.require_room(4, second);
        const size_t before = in_.rest().size();
        for (uint64_t cell = 0; cell < first; ++cell) {
            const uint64_t length = index(kInt, "the number of a cell's points");
            in_.require_room(4, length);
            for (uint64_t k = 0; k < length; ++k) cells_.push_back(point());
            cell_ends_.push_back(cells_.size());
        }
        if (in_.is_binary ? before - in_.rest().size() != 4 * second : cells_.size() + first != second)
            throw fail("expected cells of " + std::to_string(second) + " numbers in all, found " +
                       std::to_string(cells_.size() + first));
    }
    void read_offsets(uint64_t offsets, uint64_t ids) {
        const VtkType of_offsets = next_array("offsets");
        in_.require_room(of_offsets.size, offsets);
        std::vector<uint64_t> ends;
        for (uint64_t i = 0; i < offsets; ++i) ends.push_back(index(of_offsets, "an offset"));
        const VtkType of_ids = next_array("connectivity");
        in_.require_room(of_ids.size, ids);
        for (uint64_t i = 0; i < ids; ++i) cells_.push_back(point(of_ids));
        const bool sound =
            ends.empty() ? ids == 0 : ends.front() == 0 && ends.back() == ids && std::ranges::is_sorted(ends);
        if (!sound) throw fail("expected ascending offsets from 0 to " + std::to_string(ids));
        if (!ends.empty()) cell_ends_.assign(ends.begin() + 1, ends.end());
    }
    /// "OFFSETS vtktypeint64"
    VtkType next_array(std::string_view name) {
        std::string_view line;
        if (!next_content(line)) throw in_.ends_early();
        const std::string_view found = line;
        if (lower_case(take_word(line)) != name)
            throw fail("expected " + std::string(name) + ", found " + excerpt(found));
        const VtkType type = type_of(line);
        if (type.is_real || type.size == 0) throw in_.expected("whole numbers", line);
        return type;
    }
    uint32_t point(const VtkType& type = kInt) {
        const uint64_t id = index(type, "the id of a point");
        if (id >= mesh_.points.size())
            throw fail("a cell names point " + std::to_string(id) + ", but there are " +
                       std::to_string(mesh_.points.size()) + ", counted from 0");
        return static_cast<uint32_t>(id);
    }

    /// Adds cell `i` of those read last; `type` is VTK's number.
    void add_cell(size_t i, uint64_t type) {
        const uint64_t begin = i == 0 ? 0 : cell_ends_[i - 1];
        const std::span<const uint32_t> ids{cells_.data() + begin, cells_.data() + cell_ends_[i]};
        const auto add = [&](std::initializer_list<size_t> corners) {
            if (std::max(corners) >= ids.size())
                throw fail("a cell of type " + std::to_string(type) + " has " + std::to_string(ids.size()) + " points");
            for (const size_t k : corners) mesh_.corners.push_back(ids[k]);
            mesh_.face_ends.push_back(mesh_.corners.size());
            curved_ |= type >= 22;
        };
        // By VTK's numbers of cells, the linear one first and then those of higher order.
        constexpr uint64_t kLines[] = {3, 4, 21, 35, 68, 75}, kTriangles[] = {5, 22, 34, 69, 76},
                           kQuadrangles[] = {9, 23, 28, 30, 70, 77};
        constexpr uint64_t kLastPoint = 2, kStrip = 6, kPolygon = 7, kPixel = 8;
        const auto is_one_of = [&](const auto& types) { return std::ranges::find(types, type) != std::end(types); };
        if (is_one_of(kLines)) {
            ++lines_;
        } else if (is_one_of(kTriangles)) {
            add({0, 1, 2});
        } else if (type == kStrip) {
            for (size_t k = 0; k + 2 < ids.size(); ++k) k % 2 == 0 ? add({k, k + 1, k + 2}) : add({k + 1, k, k + 2});
        } else if (type == kPolygon) {
            mesh_.corners.insert(mesh_.corners.end(), ids.begin(), ids.end());
            mesh_.face_ends.push_back(mesh_.corners.size());
        } else if (type == kPixel) {
            add({0, 1, 3, 2});
        } else if (is_one_of(kQuadrangles)) {
            add({0, 1, 2, 3});
        } else if (type > kLastPoint) {
            ++volumes_;
        }
    }

    // Data of points and cells.

    bool read_data(const std::string& keyword, std::string_view rest) {
        if (keyword == "point_data" || keyword == "cell_data") {
            arrays_ = keyword == "point_data" ? &of_points_ : &of_cells_;
            rows_ = count_of(rest, "the number of values");
            return true;
        }
        if (keyword == "metadata") {
            skip_metadata();
            return true;
        }
        const std::string_view name = take_word(rest);
        if (keyword == "field") {
            read_arrays(count_of(rest, "the number of arrays"));
        } else if (keyword == "lookup_table") {  // four numbers per colour
            skip_bytes(count_of(rest, "the number of colours"), 4);
        } else if (keyword == "color_scalars") {
            read_colours(name, count_of(rest, "the number of components"));
        } else if (keyword == "scalars") {
            const VtkType type = type_of(take_word(rest));
            const uint64_t components = rest.empty() ? 1 : count_of(rest, "the number of components");
            if (lower_case(in_.rest().substr(0, 12)) == "lookup_table") in_.skip_line();
            add_array(name, type, rows_, components);
        } else if (keyword == "texture_coordinates") {
            const uint64_t components = count_of(rest, "the number of components");
            add_array(name, type_of(take_word(rest)), rows_, components);
        } else {
            constexpr std::pair<std::string_view, uint64_t> kComponents[] = {
                {"vectors", 3},    {"normals", 3},      {"tensors", 9},   {"tensors6", 6},
                {"global_ids", 1}, {"pedigree_ids", 1}, {"edge_flags", 1}};
            for (const auto& [known, components] : kComponents) {
                if (keyword != known) continue;
                add_array(name, type_of(take_word(rest)), rows_, components);
                return true;
            }
            return false;
        }
        return true;
    }
    void skip_metadata() {
        for (std::string_view line; in_.next_line(line) && !trimmed(line).empty();) {
        }
    }
    /// Each is a line "name components rows type", and its numbers.
    void read_arrays(uint64_t count) {
        while (count > 0) {
            std::string_view line;
            if (!next_content(line)) throw in_.ends_early();
            if (lower_case(line) == "metadata") {
                skip_metadata();
                continue;
            }
            const std::string_view name = take_word(line);
            const uint64_t components = count_of(line, "the number of components"),
                           rows = count_of(line, "the number of rows");
            if (lower_case(line) == "string")
                read_texts(name, rows, components);
            else
                add_array(name, type_of(line), rows, components);
            --count;
        }
    }
    /// VTK's conversion of an array of unsigned bytes: in text divided by 255. Colours with several components are not
    /// a column.
    void read_colours(std::string_view name, uint64_t components) {
        if (components != 1) return skip_bytes(rows_, components);
        Array array{decoded(name), 1, {}};
        in_.require_room(1, rows_);
        for (uint64_t i = 0; i < rows_; ++i)
            array.values.push_back(in_.is_binary ? static_cast<double>(in_.bytes(1))
                                                 : std::nearbyint(255 * in_.number_word("a brightness")));
        if (arrays_ && rows_ > 0) arrays_->push_back(std::move(array));
    }
    /// In text one per line, with "%20" for a blank; in binary preceded by their lengths. With one component they are a
    /// column of categories.
    void read_texts(std::string_view name, uint64_t rows, uint64_t components) {
        const uint64_t count = product(rows, components);
        in_.require_room(1, count);
        Array array{decoded(name), components, {}};
        std::unordered_map<std::string, double> known;
        for (uint64_t i = 0; i < count; ++i) {
            std::string_view line;
            if (in_.is_binary)
                line = binary_text();
            else if (!in_.next_line(line))
                throw in_.ends_early();
            const auto [at, is_new] = known.try_emplace(decoded(trimmed(line)), static_cast<double>(known.size()));
            if (is_new) array.categories.push_back(at->first);
            array.values.push_back(at->first.empty() ? NAN : at->second);
        }
        if (arrays_ && components == 1 && rows == rows_ && rows > 0) arrays_->push_back(std::move(array));
    }
    /// The first two bits give the size of the length: 3 one byte, 2 two, 1 four, 0 eight.
    std::string_view binary_text() {
        if (in_.rest().empty()) throw in_.ends_early();
        const auto first = static_cast<unsigned char>(in_.rest().front());
        const size_t size = size_t(8) >> (first >> 6);
        const uint64_t length = in_.bytes(size) & (UINT64_MAX >> (66 - 8 * size));
        in_.require_room(1, length);
        const std::string_view text = in_.rest().substr(0, length);
        in_.skip_bytes(length);
        return text;
    }
    void skip_bytes(uint64_t rows, uint64_t components) { in_.skip(1, product(rows, components)); }
    /// Arrays of the whole file, which precede those of points and cells, are dropped.
    void add_array(std::string_view name, const VtkType& type, uint64_t rows, uint64_t components) {
        Array array{decoded(name), components, numbers(type, rows, components)};
        if (!arrays_ || array.values.empty()) return;
        if (rows != rows_)
            throw fail("the array " + excerpt(name) + " has " + std::to_string(rows) + " rows, where " +
                       std::to_string(rows_) + " are expected");
        arrays_->push_back(std::move(array));
    }

    // Results.

    Geometry mesh() {
        const size_t n = mesh_.points.size();
        for (const Array& array : of_points_) {
            if (array.values.size() != n * array.components)
                throw fail("the array " + excerpt(array.name) + " has " + std::to_string(array.values.size()) +
                           " numbers for " + std::to_string(n) + " points");
            if (array.components > 3) {
                file_.note("the array " + excerpt(array.name) + " of " + std::to_string(array.components) +
                           " components is not used");
                continue;
            }
            for (uint64_t k = 0; k < array.components; ++k) {
                Attribute& attribute = mesh_.attributes.emplace_back();
                attribute.name = array.components == 1 ? array.name : array.name + "_" + "xyz"[k];
                attribute.categories = array.categories;
                for (size_t i = 0; i < n; ++i) {
                    const double value = array.values[i * array.components + k];
                    attribute.values.push_back(std::isfinite(value) ? value : NAN);
                }
            }
        }
        const uint64_t unused = curved_ || volumes_ > 0 ? leave_out_unused(mesh_) : 0;
        if (unused > 0)
            file_.note(count_text(unused, "point is", "points are") + " no corner of a triangle and left out");
        if (const size_t kept = mesh_.attributes.size(); kept > 0)
            file_.note(count_text(kept, "column kept", "columns kept"));
        if (!of_cells_.empty()) file_.note("the data of cells are not used");
        if (lines_ > 0) file_.note("lines are not used (" + std::to_string(lines_) + ")");
        if (volumes_ > 0) file_.note("volumes are not used (" + std::to_string(volumes_) + ")");
        return to_geometry(file_, std::move(mesh_));
    }

    Geometry field() {
        std::array<uint64_t, 3> size = lattice_->size;
        const Array* found = first_of(of_points_);
        if (!found && (found = first_of(of_cells_)))
            for (uint64_t& n : size) n -= n > 1;
        Array speed;
        for (const Array& array : of_points_) {
            if (found || array.components < 2 || array.components > 3) continue;
            speed.name = array.name + " (its length)";
            for (size_t i = 0; i + array.components <= array.values.size(); i += array.components) {
                double sum = 0;
                for (size_t k = i; k < i + array.components; ++k) sum += array.values[k] * array.values[k];
                speed.values.push_back(std::sqrt(sum));
            }
            found = &speed;
        }
        if (!found) throw file_.fail("has no numbers of one component on its lattice");
        std::vector<uint64_t> sides;  // of the layer
        for (const uint64_t n : size)
            if (n != 1) sides.push_back(n);
        const std::string shown =
            std::to_string(size[0]) + " × " + std::to_string(size[1]) + " × " + std::to_string(size[2]);
        if (sides.size() > 2) throw file_.fail("is a lattice of " + shown + "; one layer of it is read, so save one");
        sides.resize(2, 1);
        if (std::max(sides[0], sides[1]) > kMostPixels)
            throw file_.fail("is a lattice of " + shown + "; at most 16384 in each direction can be taken");
        if (sides[0] * sides[1] != found->values.size())
            throw file_.fail(excerpt(found->name) + " has " + std::to_string(found->values.size()) +
                             " numbers for a lattice of " + shown);
        auto stack = std::make_shared<FieldStack>();
        stack->name = file_.path.filename().string();
        stack->width = static_cast<uint32_t>(sides[0]);
        stack->height = static_cast<uint32_t>(sides[1]);
        set_values(*stack, 1, false, file_.path.string(),
                   [&](uint64_t, uint64_t row, uint64_t column) { return found->values[row * sides[0] + column]; });
        file_.note("the field is " + excerpt(found->name) +
                   (of_points_.size() + of_cells_.size() > 1 ? "; others are not used" : ""));
        place(*stack);
        Geometry geometry;
        geometry.field = std::move(stack);
        return geometry;
    }
    /// Units and origin along the axes of the layer.
    void place(FieldStack& stack) {
        std::vector<double> sides;
        for (size_t axis = 0; axis < 3; ++axis)
            if (lattice_->size[axis] != 1) sides.push_back(lattice_->spacing[axis]);
        sides.resize(2, sides.empty() ? 1 : sides[0]);
        if (sides[0] != sides[1])
            file_.note("pixels are " + format_short(sides[0]) + " by " + format_short(sides[1]) +
                       ", and only square ones have a size here: lengths are in pixels");
        else if (sides[0] > 0 && sides[0] != 1)
            stack.pixel = sides[0], file_.note("a pixel is " + format_short(sides[0]) + " wide, by the file's spacing");
        if (lattice_->origin != std::array<double, 3>{}) file_.note("the origin of the lattice is not used");
    }
    static const Array* first_of(const std::vector<Array>& arrays) {
        for (const Array& array : arrays)
            if (array.components == 1 && array.categories.empty()) return &array;
        return nullptr;
    }

    const InputFile& file_;
    NumberReader in_;
    std::optional<Lattice> lattice_;
    MeshFile mesh_;
    std::vector<uint32_t> cells_;      // ids of points of the cells read last,
    std::vector<uint64_t> cell_ends_;  // and the end of each cell
    std::vector<Array> of_points_, of_cells_;
    std::vector<Array>* arrays_ = nullptr;  // destination of data: one of these; nullptr: data of the whole file
    uint64_t rows_ = 0;                     // of these data
    uint64_t lines_ = 0, volumes_ = 0;      // unused cells
    bool curved_ = false;
};

}  // namespace

Geometry read_vtk(const InputFile& file) { return VtkReader(file).read(); }

}  // namespace flipscope::io
