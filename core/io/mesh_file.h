// What the readers of meshes share. Each first looks over its file's frame (counts, lines, sizes), so that a lying or
// broken file is refused with its place before anything is allocated for it. OFF and PLY are read here; of OBJ and STL
// the library is handed a text without whatever it would stumble over. Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/parse.h"

namespace flipscope::io {

/// A mesh as its file tells it: faces of any number of corners, which may name vertices that do not exist.
struct MeshFile {
    std::vector<Point3> points;
    std::vector<uint32_t> corners;      // vertex ids of all faces, one face after another, counted from 0
    std::vector<uint64_t> face_ends;    // (f) where in `corners` each face ends
    std::vector<uint64_t> point_lines;  // (n) from 1; empty: the file has no lines, or vertices are joined
    std::vector<uint64_t> face_lines;   // (f) the same
    std::vector<Attribute> attributes;  // (n) each; of readers that join no vertices
    uint64_t joined = 0;                // vertices that were equal to an earlier one and are not in `points`
    uint64_t first_index = 0;           // what the file calls the first vertex
};

enum class MeshFormat { kObj, kStl };

/// CGAL's reader of the format, which adds to points, corners, face_ends and joined. `text` must be whole and within
/// the limits of the format's own reader below. Doubles are the nearest to what is written. False, with what was read
/// so far, when CGAL cannot make sense of it. Prints nothing.
bool read_with_cgal(MeshFormat format, std::string text, MeshFile& mesh);

// One reader a format; `text` is the whole file, `path` is for messages.
MeshFile read_obj(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);
MeshFile read_off(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);
MeshFile read_ply(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);
MeshFile read_stl(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);
/// Triangle's .ele; reads the .node of the same name too.
MeshFile read_ele(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes);

/// The points and triangles of a mesh whose every index and coordinate was looked at; see read_geometry.
Geometry to_geometry(const std::filesystem::path& path, const MeshFile& mesh, std::vector<std::string>& notes);

// Numbers of a vertex's line; `what` says what was expected, `line` what was found. They throw Error.

/// The decimal number that `word` is, which must have room in a double.
double coordinate(std::string_view word, const std::string& what, std::string_view line, const Lines& lines);
/// Takes `count` coordinates off the start of `text` and returns them as they are written. What follows (colours,
/// normals, weights) is not used, but must be numbers; "nan" is one.
std::string_view take_coordinates(std::string_view& text, size_t count, const std::string& what, std::string_view line,
                                  const Lines& lines);
void require_numbers(std::string_view text, const std::string& what, std::string_view line, const Lines& lines);

}  // namespace flipscope::io
