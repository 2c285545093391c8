#include "io/triangles.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <new>

#include "compute/view.h"
#include "io/geometry.h"
#include "io/mesh_file.h"
#include "io/npy_file.h"

namespace flipscope {

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;
using io::Lines;

uint32_t as_index(int64_t written, int64_t base = 0) {
    const int64_t index = written - base;
    return index < 0 || index >= int64_t(kNone) ? kNone : static_cast<uint32_t>(index);
}

/// The next number of a line, separated by blanks, a comma or a semicolon.
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

Triangles read_lines(const std::filesystem::path& path, std::string_view text) {
    Triangles triangles;
    Lines lines(path, text);
    for (std::string_view content; io::next_content(lines, content);) {
        std::string_view rest = content;
        std::array<uint32_t, 3> corners{};
        for (uint32_t& corner : corners) {
            const std::optional<int64_t> index = io::whole<int64_t>(take_field(rest));
            if (!index) throw lines.expected("three whole numbers, the indices of a triangle's points from 0", content);
            corner = as_index(*index);
        }
        if (!take_field(rest).empty()) throw lines.expected("three whole numbers and nothing more", content);
        triangles.push_back(corners);
    }
    return triangles;
}

Triangles read_array(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes) {
    const io::NpyFile file(path, bytes);
    if (!file.type() || (file.type()->kind != 'i' && file.type()->kind != 'u'))
        throw file.fail("expected whole numbers, such as dtype '<i4' or '<i8', found " + excerpt(file.written_type()));
    const bool none = file.shape() && !file.shape()->empty() && (*file.shape())[0] == 0;
    if (!none && (!file.shape() || file.shape()->size() != 2 || (*file.shape())[1] != 3))
        throw file.fail("expected shape (t, 3), found " + file.written_shape().substr(0, 40));
    if (none) return {};
    const uint64_t count = file.require_whole("triangles", notes) / 3;
    Triangles triangles(count);
    RegularLook look;
    for (uint64_t t = 0; t < count; ++t) {
        look();
        for (uint64_t k = 0; k < 3; ++k) {
            const double written = file.number(file.column_major() ? k * count + t : 3 * t + k);
            triangles[t][k] = written < 0 || written >= double(kNone) ? kNone : static_cast<uint32_t>(written);
        }
    }
    return triangles;
}

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
        {{".tri", ".txt", ".csv", ".tsv"}, "three indices a line, from 0, separated by blanks, a comma or a semicolon"},
        {{".npy"}, "a NumPy array of shape (t, 3) of whole numbers"},
        {{".ele"}, "Triangle's triangles; indices count from the number of the first, 0 or 1"},
        {{".ply", ".obj", ".off"}, "the faces of a mesh, whose points are not used"},
    };
    return formats;
}

Triangles read_triangles(const std::filesystem::path& path, std::vector<std::string>* notes) try {
    std::vector<std::string> unread;
    std::vector<std::string>& said = notes ? *notes : unread;
    const std::string extension = io::lower_extension(path);
    const auto known = [&](size_t format) {
        const auto& extensions = triangle_formats()[format].extensions;
        return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    };
    if (known(0)) return read_lines(path, io::read_file(path));
    if (known(1)) return read_array(path, io::read_file(path), said);
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
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
}

}  // namespace flipscope
