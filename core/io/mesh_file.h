// Common parts of the mesh readers. Each first validates the structure of its file (counts, lines, sizes), so that a
// malformed file is refused with the place of the error before memory is allocated. Only the readers in this folder
// include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"
#include "io/parse.h"

namespace flipscope::io {

/// A mesh as in its file: faces with any number of corners, which may be nonexistent vertices.
struct MeshFile {
    std::vector<Point3> points;
    std::vector<uint32_t> corners;      // vertex ids of all faces, one face after another, counted from 0
    std::vector<uint64_t> face_ends;    // (f) where in `corners` each face ends
    std::vector<uint64_t> point_lines;  // (n) from 1; empty: the file has no lines, or vertices are joined
    std::vector<uint64_t> face_lines;   // (f) the same
    std::vector<Attribute> attributes;  // (n) each; of readers that join no vertices
    std::vector<uint64_t> rows;         // (n) as in Geometry
    uint64_t joined = 0;                // vertices merged with an equal earlier one
    uint64_t first_index = 0;           // the file's index of the first vertex
};

/// Removes points that are not a corner of a face, such as midpoints of sides; returns their number. Does nothing
/// without faces. Every corner must be an existing point.
uint64_t leave_out_unused(MeshFile& mesh);

/// Validates every index and coordinate, and converts the mesh; see read_geometry.
Geometry to_geometry(const InputFile& file, MeshFile mesh);

// Parse numbers of a vertex's line; `what` is expected, `line` is quoted. They throw Error.

/// A decimal number. Underflow gives the smallest double, which to_geometry() refuses or replaces by 0.
double coordinate(std::string_view word, const std::string& what, std::string_view line, const Lines& lines);
/// The three coordinates at the start of `text`. The rest (colours, normals, weights) is ignored but must be numbers;
/// "nan" is one.
Point3 read_place(std::string_view text, const std::string& what, std::string_view line, const Lines& lines);
void require_numbers(std::string_view text, const std::string& what, std::string_view line, const Lines& lines);

}  // namespace flipscope::io
