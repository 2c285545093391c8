#include "io/mesh_file.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/places.h"
#include "io/points.h"

namespace flipscope::io {
namespace {

/// Parses "-1.5e10": a sign, digits with at most one point among them, an exponent; nothing else. Numbers too large for
/// a double give infinity.
bool is_decimal(std::string_view word, double& value) {
    const bool has_plus = word.starts_with('+') && !word.starts_with("+-");
    const char *const begin = word.data() + has_plus, *const end = word.data() + word.size();
    const auto [at, error] = fast_float::from_chars(begin, end, value);
    return error != std::errc::invalid_argument && at == end && word.find_first_of("nN") == word.npos;  // nan, inf
}

/// Places and faces of one file while its geometry is being built.
struct Assembly {
    const InputFile& file;
    const MeshFile& mesh;
    Geometry geometry = {};
    uint64_t lines = 0, polygons = 0, collapsed = 0;

    std::span<const uint32_t> corners(size_t face) const {
        const uint64_t begin = face == 0 ? 0 : mesh.face_ends[face - 1];
        return {mesh.corners.data() + begin, mesh.corners.data() + mesh.face_ends[face]};
    }
    std::string face_place(size_t face) const {
        return mesh.face_lines.empty() ? file.path.string() + ": face " + std::to_string(face) + ": "
                                       : line_place(file.path, mesh.face_lines[face]);
    }
    std::string point_place(size_t i) const {
        if (!mesh.point_lines.empty()) return line_place(file.path, mesh.point_lines[i]);
        if (!mesh.face_lines.empty()) {  // a vertex has no line of its own: use that of its first face
            const size_t corner = std::ranges::find(mesh.corners, i) - mesh.corners.begin();
            const size_t face = std::ranges::upper_bound(mesh.face_ends, corner) - mesh.face_ends.begin();
            if (face < mesh.face_ends.size()) return face_place(face) + "a vertex's ";
        }
        return file.path.string() + ": vertex " + std::to_string(i + mesh.first_index) + ": ";
    }

    void take_points() {
        const std::vector<Point3>& points = mesh.points;
        if (points.empty()) throw file.fail("no points found");
        std::vector<double>& heights = geometry.heights;
        const auto is_flat = [&] {
            return std::isfinite(heights[0]) && std::ranges::all_of(heights, [&](double z) { return z == heights[0]; });
        };
        heights.reserve(points.size());
        for (const Point3 p : points) heights.push_back(p.z);
        const bool in_space = !mesh.face_ends.empty() && !is_flat();  // otherwise z is not a coordinate
        CoordinateRange range(file.options);
        geometry.points.reserve(points.size());
        CancelPoll poll;
        for (size_t i = 0; i < points.size(); ++i) {
            poll();
            const auto take = [&](double value, char axis) {
                return range.take(value, {}, [&] { return point_place(i) + axis; });
            };
            geometry.points.push_back({take(points[i].x, 'x'), take(points[i].y, 'y')});
            if (in_space) heights[i] = take(heights[i], 'z');
        }
        range.say(file.path, file.notes);
        if (!is_flat()) return;
        geometry.level = heights[0] + 0.0;  // no negative zero
        heights.clear();
        if (geometry.level != 0)
            file.note("every z is " + format_exactly(geometry.level) + ", so it is read as planar");
    }

    void take_face(size_t face) {
        const std::span<const uint32_t> polygon = corners(face);
        for (const uint32_t v : polygon) {
            if (v < mesh.points.size()) continue;
            throw Error(face_place(face) + "the face names vertex " + std::to_string(v + mesh.first_index) +
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
            if (apex == n)
                throw Error(face_place(face) + "a face of " + std::to_string(n) +
                            " vertices is not convex, and no fan from one of them fills it; make triangles of it");
            for (size_t k = 1; k + 1 < n; ++k)
                add(polygon[apex], polygon[(apex + k) % n], polygon[(apex + k + 1) % n], false);
        }
    }

    void add(uint32_t a, uint32_t b, uint32_t c, bool keep_collapsed) {
        if (!keep_collapsed && (a == b || b == c || c == a)) {
            ++collapsed;
            return;
        }
        geometry.triangles.push_back({a, b, c});
    }

    /// In the plane: a corner from which the whole polygon is visible, so that no triangle of the fan is inverted, nor
    /// empty if avoidable; the number of corners if there is none. In space: the first corner.
    size_t fan_apex(std::span<const uint32_t> polygon) const {
        constexpr size_t kMostTried = 64;  // corners of a polygon; each requires as many triangles as there are corners
        const size_t n = polygon.size();
        if (geometry.in_space() || n > kMostTried) return 0;
        size_t with_empty = n;
        for (size_t apex = 0; apex < n; ++apex) {
            bool left = false, right = false, empty = false;
            for (size_t k = 1; k + 1 < n; ++k) {
                const uint32_t a = polygon[apex], b = polygon[(apex + k) % n], c = polygon[(apex + k + 1) % n];
                if (a == b || b == c || c == a) continue;  // dropped anyway
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
};

uint64_t count_equal_positions(const std::vector<Point3>& points) {
    std::vector<Point3> sorted = points;
    sort_or_cancel(sorted.begin(), sorted.end(),
                   [](Point3 a, Point3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
    return sorted.end() - std::unique(sorted.begin(), sorted.end());
}

}  // namespace

double coordinate(std::string_view word, const std::string& what, std::string_view line, const Lines& lines) {
    double value = 0;
    if (!is_decimal(word, value)) throw lines.expected(what, line);
    if (value == 0 && vanishes(word))
        return std::copysign(std::numeric_limits<double>::denorm_min(), word.starts_with('-') ? -1 : 1);
    if (!std::isfinite(value)) throw lines.fail(excerpt(word) + " is too large for a double");
    return value;
}

void require_numbers(std::string_view text, const std::string& what, std::string_view line, const Lines& lines) {
    while (!text.empty()) {
        const std::string_view word = take_word(text);
        double ignored = 0;
        if (!is_decimal(word, ignored) && !number_of(word)) throw lines.expected(what, line);
    }
}

Point3 read_place(std::string_view text, const std::string& what, std::string_view line, const Lines& lines) {
    Point3 place;
    for (double* const value : {&place.x, &place.y, &place.z}) *value = coordinate(take_word(text), what, line, lines);
    require_numbers(text, what, line, lines);
    return place;
}

/// Keeps only the points in `rows`, ascending.
void keep_points(MeshFile& mesh, std::vector<uint64_t> rows) {
    keep_rows(mesh.points, rows);
    keep_rows(mesh.point_lines, rows);
    for (Attribute& attribute : mesh.attributes) keep_rows(attribute.values, rows);
    mesh.rows = std::move(rows);
}

uint64_t leave_out_unused(MeshFile& mesh) {
    const size_t n = mesh.points.size();
    std::vector<uint32_t> id(n, 0);  // the new one
    for (const uint32_t v : mesh.corners) id[v] = 1;
    std::vector<uint64_t> rows;
    for (size_t i = 0; i < n; ++i) {
        if (!id[i]) continue;
        id[i] = static_cast<uint32_t>(rows.size());
        rows.push_back(i);
    }
    if (mesh.corners.empty() || rows.size() == n) return 0;
    for (uint32_t& v : mesh.corners) v = id[v];
    keep_points(mesh, std::move(rows));
    return n - mesh.points.size();
}

Geometry to_geometry(const InputFile& file, MeshFile mesh) {
    const std::filesystem::path& path = file.path;
    constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();  // the limit of 32-bit ids
    if (mesh.points.size() > kMost || mesh.corners.size() > kMost)
        throw Error(path.string() + ": more vertices or triangles than 32-bit ids can name");
    // Missing points of a depth camera are nan.
    if (mesh.corners.empty()) {
        const size_t n = mesh.points.size();
        std::vector<uint64_t> seen;
        for (size_t i = 0; i < n; ++i)
            if (!std::isnan(mesh.points[i].x) && !std::isnan(mesh.points[i].y)) seen.push_back(i);
        if (seen.size() < n) {
            const uint64_t missing = n - seen.size();
            keep_points(mesh, std::move(seen));
            file.notes.push_back(path.string() + ": " +
                                 count_text(missing, "point without coordinates is", "points without coordinates are") +
                                 " left out");
        }
    }
    Assembly assembly{file, mesh};
    Geometry& geometry = assembly.geometry;
    assembly.take_points();
    geometry.triangles.reserve(mesh.face_ends.size());
    CancelPoll poll(1024);
    for (size_t face = 0; face < mesh.face_ends.size(); ++face) {
        poll();
        assembly.take_face(face);
    }

    if (mesh.joined > 0) file.note(count_text(mesh.joined, "repeated vertex is", "repeated vertices are") + " joined");
    if (assembly.polygons > 0)
        file.note(count_text(assembly.polygons, "face of more than three vertices is cut into a fan",
                             "faces of more than three vertices are cut into fans") +
                  " of triangles");
    if (assembly.collapsed > 0)
        file.note(count_text(assembly.collapsed, "triangle has", "triangles have") + " a vertex twice and " +
                  (assembly.collapsed == 1 ? "is" : "are") + " left out");
    if (assembly.lines > 0)
        file.note(count_text(assembly.lines, "face of fewer than three vertices is",
                             "faces of fewer than three vertices are") +
                  " not used");
    if (geometry.triangles.empty()) {
        if (geometry.in_space()) {
            file.note(
                "there are no triangles, so its points are read as points of the plane; their heights are the column "
                "\"z\"");
            mesh.attributes.push_back({"z", std::exchange(geometry.heights, {})});
            for (double& z : mesh.attributes.back().values)
                if (!std::isfinite(z)) z = NAN;
        }
    } else if (const uint64_t equal = count_equal_positions(mesh.points); equal > 0) {
        file.note(count_text(equal, "vertex has", "vertices have") + " the position of an earlier one; all are kept");
    }
    set_attributes(geometry, std::move(mesh.attributes));
    geometry.rows = std::move(mesh.rows);
    geometry.name = path.filename().string();
    return std::move(geometry);
}

}  // namespace flipscope::io
