// STL: triangles that repeat their vertices, as text ("solid", "facet", "vertex x y z", ...) or binary (80 bytes
// without meaning, a count, 50 bytes per triangle). Equal vertices are joined. The first word does not distinguish the
// two: many binary files begin with "solid".

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

constexpr size_t kBinaryHeader = 80, kBinaryFrame = 84, kBinaryTriangle = 50;

uint64_t binary_count(std::string_view text) { return integer_at(text, kBinaryHeader, 4); }

Point3 binary_vertex(std::string_view triangle, size_t corner) {
    const auto number = [&](size_t i) {  // the first three numbers are the unused normal
        return real_of(integer_at(triangle, 4 * (3 * corner + 3 + i), 4), 4);
    };
    return {number(0), number(1), number(2)};
}

/// Begins like text: "solid", then a blank or the end of the line.
bool says_solid(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return lower_case(text.substr(0, 5)) == "solid" && (text.size() == 5 || is_blank(text[5]) || text[5] == '\n');
}

/// "endsolid" of "end solid", "endloop" of "END LOOP".
std::string take_keyword(std::string_view& rest) {
    std::string word = lower_case(take_word(rest));
    return word == "end" ? word + lower_case(take_word(rest)) : word;
}

void read_stl_text(const InputFile& file, MeshFile& mesh) {
    enum class In { kNothing, kSolid, kFacet } in = In::kNothing;
    int vertices = 0;
    Lines lines(file.path, file.bytes);
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = trimmed(line);
        if (rest.empty()) continue;
        const std::string word = take_keyword(rest);
        if (word == "solid" && in == In::kNothing) {
            in = In::kSolid;
        } else if (word == "facet" && in == In::kSolid) {
            in = In::kFacet;
            vertices = 0;
            mesh.face_lines.push_back(lines.number());
        } else if (word == "vertex" && in == In::kFacet && ++vertices <= 3) {
            mesh.points.push_back(read_place(rest, "\"vertex x y z\"", line, lines));
        } else if (word == "endfacet" && in == In::kFacet && vertices == 3) {
            in = In::kSolid;
        } else if (word == "endsolid" && in == In::kSolid) {
            in = In::kNothing;
        } else if (in != In::kFacet || (word != "outer" && word != "endloop")) {
            const char* what = in == In::kNothing ? "\"solid\""
                               : in == In::kSolid ? "\"facet\" or \"endsolid\""
                                                  : "a facet of three vertices";
            throw lines.expected(what, line);
        }
    }
    if (in != In::kNothing)
        throw file.fail("ends within " +
                        (in == In::kFacet ? "facet " + std::to_string(mesh.face_lines.size()) : "a solid") +
                        ", there is no \"endsolid\"");
}

void read_stl_binary(const InputFile& file, uint64_t room, MeshFile& mesh) {
    const std::string_view bytes = file.bytes;
    if (bytes.size() < kBinaryFrame) throw file.fail("is neither text nor binary STL");
    const uint64_t count = binary_count(bytes);
    if (count > room)
        throw file.fail("promises " + std::to_string(count) + " triangles, but has room for " + std::to_string(room) +
                        "; if it should be text, it must begin with \"solid\"");
    mesh.points.reserve(3 * count);
    CancelPoll poll;
    for (uint64_t t = 0; t < count; ++t) {
        poll();
        for (size_t corner = 0; corner < 3; ++corner) {
            const Point3 p = binary_vertex(bytes.substr(kBinaryFrame + t * kBinaryTriangle), corner);
            for (const auto& [value, axis] : {std::pair{p.x, 'x'}, {p.y, 'y'}, {p.z, 'z'}})
                if (!std::isfinite(value))
                    throw file.fail("triangle " + std::to_string(t) + ": " + axis + " is not a finite number");
            mesh.points.push_back(p);
        }
    }
    const size_t end = kBinaryFrame + count * kBinaryTriangle;
    if (end < bytes.size())
        file.note(std::to_string(bytes.size() - end) + " bytes after the last triangle are not used");
}

/// Every three points form a triangle; equal points are merged at the index of the first.
void join_equal_points(MeshFile& mesh) {
    std::vector<Point3>& points = mesh.points;
    std::vector<uint32_t> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const Point3 p = points[a], q = points[b];
        return std::tie(p.x, p.y, p.z, a) < std::tie(q.x, q.y, q.z, b);
    });
    for (size_t i = 0; i < order.size(); ++i)
        first[order[i]] = i > 0 && points[order[i]] == points[order[i - 1]] ? first[order[i - 1]] : order[i];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < points.size(); ++i) {
        if (first[i] == i) {
            points[kept] = points[i];
            first[i] = kept++;
        } else {
            first[i] = first[first[i]];  // the first one has its new id already
        }
        if (i % 3 == 2) mesh.face_ends.push_back(i + 1);
    }
    mesh.joined = points.size() - kept;
    points.resize(kept);
    mesh.corners = std::move(first);
}

}  // namespace

MeshFile read_stl(const InputFile& file) {
    const std::string_view bytes = file.bytes;
    const uint64_t room = bytes.size() < kBinaryFrame ? 0 : (bytes.size() - kBinaryFrame) / kBinaryTriangle;
    const bool fits = bytes.size() >= kBinaryFrame && binary_count(bytes) == room &&
                      bytes.size() == kBinaryFrame + room * kBinaryTriangle;
    MeshFile mesh;
    if (says_solid(bytes) && !fits)
        read_stl_text(file, mesh);
    else
        read_stl_binary(file, room, mesh);
    if (mesh.points.empty()) throw file.fail("no triangles found");
    if (mesh.points.size() > 0x7fffffff) throw file.fail("more triangles than 32-bit ids can name");
    join_equal_points(mesh);
    return mesh;
}

}  // namespace flipscope::io
