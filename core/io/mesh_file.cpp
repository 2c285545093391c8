#include "io/mesh_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "geometry/predicates.h"
#include "io/points.h"

namespace flipscope::io {
namespace {

/// "-1.5e10": a sign, digits with at most one point among them, an exponent; nothing else.
bool is_decimal(std::string_view word) {
    const auto take_digits = [&] {
        const size_t before = word.size();
        while (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front()))) word.remove_prefix(1);
        return before - word.size();
    };
    const auto take_any_of = [&](char a, char b) {
        if (word.empty() || (word.front() != a && word.front() != b)) return false;
        word.remove_prefix(1);
        return true;
    };
    take_any_of('-', '+');
    size_t digits = take_digits();
    if (take_any_of('.', '.')) digits += take_digits();
    if (digits == 0) return false;
    if (!take_any_of('e', 'E')) return word.empty();
    take_any_of('-', '+');
    return take_digits() > 0 && word.empty();
}

/// Whether a decimal such as "1e-400" or "1e400" would be read as 0 or not at all. Only long words are looked into.
bool fits_double(std::string_view word) {
    const size_t exponent = word.find_first_of("eE");
    if (word.size() < (exponent == word.npos ? 300 : exponent + 4)) return true;  // at most two digits of exponent
    double value = 0;
    std::string_view rest = word;
    if (!take_number(rest, value) || !std::isfinite(value)) return false;
    return value != 0 || word.find_first_of("123456789") >= exponent;
}

std::string number(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string count_of(uint64_t count, const std::string& one, const std::string& many) {
    return count == 1 ? "1 " + one : std::to_string(count) + ' ' + many;
}

/// Places and faces of one file, while its geometry comes to be.
struct Assembly {
    const std::filesystem::path& path;
    const MeshFile& mesh;
    Geometry geometry = {};
    uint64_t lines = 0, polygons = 0, collapsed = 0;

    std::span<const uint32_t> corners(size_t face) const {
        const uint64_t begin = face == 0 ? 0 : mesh.face_ends[face - 1];
        return {mesh.corners.data() + begin, mesh.corners.data() + mesh.face_ends[face]};
    }
    std::string face_place(size_t face) const {
        return path.string() +
               (mesh.face_lines.empty() ? ": face " + std::to_string(face)
                                        : ":" + std::to_string(mesh.face_lines[face])) +
               ": ";
    }
    std::string point_place(size_t i) const {
        if (!mesh.point_lines.empty()) return path.string() + ":" + std::to_string(mesh.point_lines[i]) + ": ";
        if (!mesh.face_lines.empty()) {  // a vertex has no line of its own; its first face has
            const size_t corner = std::find(mesh.corners.begin(), mesh.corners.end(), i) - mesh.corners.begin();
            const size_t face =
                std::upper_bound(mesh.face_ends.begin(), mesh.face_ends.end(), corner) - mesh.face_ends.begin();
            if (face < mesh.face_ends.size()) return face_place(face) + "a vertex's ";
        }
        return path.string() + ": vertex " + std::to_string(i + mesh.first_index) + ": ";
    }

    void take_points(std::vector<std::string>& notes);
    void take_face(size_t face);
    void add(uint32_t a, uint32_t b, uint32_t c, bool keep_collapsed);
    size_t fan_apex(std::span<const uint32_t> polygon) const;
};

void Assembly::take_points(std::vector<std::string>& notes) {
    const std::vector<Point3>& points = mesh.points;
    if (points.empty()) throw Error(path.string() + ": no points found");
    const double z = points[0].z;
    const bool flat = std::isfinite(z) && std::all_of(points.begin(), points.end(), [z](Point3 p) { return p.z == z; });
    geometry.points.reserve(points.size());
    if (!flat) geometry.heights.reserve(points.size());
    RegularLook look;
    for (size_t i = 0; i < points.size(); ++i) {
        look();
        const Point3 p = points[i];
        if (!coordinate_in_range(p.x)) require_in_range(p.x, point_place(i) + "x");
        if (!coordinate_in_range(p.y)) require_in_range(p.y, point_place(i) + "y");
        if (!flat && !coordinate_in_range(p.z)) require_in_range(p.z, point_place(i) + "z");
        geometry.points.push_back({p.x, p.y});
        if (!flat) geometry.heights.push_back(p.z);
    }
    geometry.level = flat ? z + 0.0 : 0;  // no negative zero
    if (flat && z != 0) notes.push_back(path.string() + ": every z is " + number(z) + ", so it is read as planar");
}

/// In the plane: a corner that sees the whole polygon, so that no triangle of the fan is turned, nor empty if that can
/// be; the number of corners if there is none. In space: the first.
size_t Assembly::fan_apex(std::span<const uint32_t> polygon) const {
    constexpr size_t kMostTried = 64;  // corners of a polygon; each costs as many triangles as there are corners
    const size_t n = polygon.size();
    if (geometry.in_space() || n > kMostTried) return 0;
    size_t with_empty = n;
    for (size_t apex = 0; apex < n; ++apex) {
        bool left = false, right = false, empty = false;
        for (size_t k = 1; k + 1 < n; ++k) {
            const uint32_t a = polygon[apex], b = polygon[(apex + k) % n], c = polygon[(apex + k + 1) % n];
            if (a == b || b == c || c == a) continue;  // left out anyway
            const int sign = orient2d(geometry.points[a], geometry.points[b], geometry.points[c]);
            left |= sign > 0;
            right |= sign < 0;
            empty |= sign == 0;
            if (left && right) break;
        }
        if (left && right) continue;
        if (!empty) return apex;
        if (with_empty == n) with_empty = apex;
    }
    return with_empty;
}

void Assembly::add(uint32_t a, uint32_t b, uint32_t c, bool keep_collapsed) {
    if (!keep_collapsed && (a == b || b == c || c == a)) {
        ++collapsed;
        return;
    }
    geometry.triangles.push_back({a, b, c});
}

void Assembly::take_face(size_t face) {
    const std::span<const uint32_t> polygon = corners(face);
    for (const uint32_t v : polygon) {
        if (v < mesh.points.size()) continue;
        const bool negative = v > 0x7fffffffu && mesh.first_index == 0;
        throw Error(face_place(face) + "the face names vertex " +
                    (negative ? std::to_string(static_cast<int32_t>(v)) : std::to_string(v + mesh.first_index)) +
                    ", but there are " + std::to_string(mesh.points.size()) + ", counted from " +
                    std::to_string(mesh.first_index));
    }
    const size_t n = polygon.size();
    if (n < 3) {
        ++lines;
    } else if (n == 3) {
        add(polygon[0], polygon[1], polygon[2], mesh.joined == 0);
    } else {
        ++polygons;
        const size_t apex = fan_apex(polygon);
        if (apex == n) {
            throw Error(face_place(face) + "a face of " + std::to_string(n) +
                        " vertices is not convex, and no fan from one of them fills it; make triangles of it");
        }
        for (size_t k = 1; k + 1 < n; ++k) {
            add(polygon[apex], polygon[(apex + k) % n], polygon[(apex + k + 1) % n], false);
        }
    }
}

uint64_t count_equal_positions(const std::vector<Point3>& points) {
    std::vector<Point3> sorted = points;
    sort_or_cancel(sorted.begin(), sorted.end(),
                   [](Point3 a, Point3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
    return sorted.end() - std::unique(sorted.begin(), sorted.end());
}

}  // namespace

double coordinate(std::string_view word, const std::string& what, std::string_view line, const Lines& lines) {
    if (!is_decimal(word)) throw lines.expected(what, line);
    double value = 0;
    if (!fits_double(word) || !take_number(word, value)) {
        throw Error(lines.where() + excerpt(word) + " is too large or too small for a double");
    }
    return value;
}

void require_numbers(std::string_view text, const std::string& what, std::string_view line, const Lines& lines) {
    while (!text.empty()) {
        std::string_view word = take_word(text);
        double ignored = 0;
        if (!is_decimal(word) && (!take_number(word, ignored) || !word.empty())) throw lines.expected(what, line);
    }
}

std::string_view take_coordinates(std::string_view& text, size_t count, const std::string& what, std::string_view line,
                                  const Lines& lines) {
    const char* const begin = text.data();
    std::string_view word;
    for (size_t k = 0; k < count; ++k) {
        word = take_word(text);
        coordinate(word, what, line, lines);
    }
    require_numbers(text, what, line, lines);
    return {begin, word.data() + word.size()};
}

Geometry to_geometry(const std::filesystem::path& path, const MeshFile& mesh, std::vector<std::string>& notes) {
    constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();  // what any 32-bit id can name
    if (mesh.points.size() > kMost || mesh.corners.size() > kMost) {
        throw Error(path.string() + ": more vertices or triangles than 32-bit ids can name");
    }
    Assembly assembly{path, mesh};
    Geometry& geometry = assembly.geometry;
    assembly.take_points(notes);
    if (!mesh.attributes.empty()) geometry.attributes = std::make_shared<const std::vector<Attribute>>(mesh.attributes);
    geometry.triangles.reserve(mesh.face_ends.size());
    RegularLook look(1024);
    for (size_t face = 0; face < mesh.face_ends.size(); ++face) {
        look();
        assembly.take_face(face);
    }

    const auto note = [&](const std::string& sentence) { notes.push_back(path.string() + ": " + sentence); };
    if (mesh.joined > 0) note(count_of(mesh.joined, "repeated vertex is", "repeated vertices are") + " joined");
    if (assembly.polygons > 0) {
        note(count_of(assembly.polygons, "face of more than three vertices is cut into a fan",
                      "faces of more than three vertices are cut into fans") +
             " of triangles");
    }
    if (assembly.collapsed > 0) {
        note(count_of(assembly.collapsed, "triangle has", "triangles have") + " a vertex twice and " +
             (assembly.collapsed == 1 ? "is" : "are") + " left out");
    }
    if (assembly.lines > 0) {
        note(
            count_of(assembly.lines, "face of fewer than three vertices is", "faces of fewer than three vertices are") +
            " not used");
    }
    if (geometry.triangles.empty()) {
        if (geometry.in_space()) {
            throw Error(path.string() + ": has " + count_of(geometry.points.size(), "point", "points") +
                        " in space and no triangles; a surface needs triangles");
        }
    } else if (const uint64_t equal = count_equal_positions(mesh.points); equal > 0) {
        note(count_of(equal, "vertex has", "vertices have") +
             " the position of an earlier one; all are kept as they are");
    }
    geometry.name = path.filename().string();
    return std::move(geometry);
}

}  // namespace flipscope::io
