// What the readers of meshes share. Each first checks its file's frame (counts, lines, sizes), so that a malformed file
// is refused with its place before anything is allocated for it. Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"
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
    std::vector<uint64_t> rows;         // (n) as in Geometry
    uint64_t joined = 0;                // vertices that were equal to an earlier one and are not in `points`
    uint64_t first_index = 0;           // what the file calls the first vertex
};

// One reader a format.
MeshFile read_gmsh(const InputFile& file);
MeshFile read_obj(const InputFile& file);
MeshFile read_off(const InputFile& file);
MeshFile read_ply(const InputFile& file);
MeshFile read_stl(const InputFile& file);
/// VTK's legacy files; a lattice in one is a field.
Geometry read_vtk(const InputFile& file);
/// Triangle's .ele; reads the .node of the same name too.
MeshFile read_ele(const InputFile& file);

/// Takes out the points that are no corner of a face, such as those in the middle of sides, and returns how many; none
/// where there are no faces. Every corner must name a point.
uint64_t leave_out_unused(MeshFile& mesh);

/// The points and triangles of a mesh, after a check of every index and coordinate; see read_geometry.
Geometry to_geometry(const InputFile& file, MeshFile mesh);

// Numbers of a vertex's line; `what` says what was expected, `line` what was found. They throw Error.

/// The decimal number that `word` is. One that is too small for a double is the smallest double, which to_geometry()
/// refuses or takes as 0.
double coordinate(std::string_view word, const std::string& what, std::string_view line, const Lines& lines);
/// The three coordinates at the start of `text`. What follows (colours, normals, weights) is not used, but must be
/// numbers; "nan" is one.
Point3 read_place(std::string_view text, const std::string& what, std::string_view line, const Lines& lines);
void require_numbers(std::string_view text, const std::string& what, std::string_view line, const Lines& lines);

}  // namespace flipscope::io
