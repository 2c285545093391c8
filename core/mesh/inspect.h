// Lists all defects of the triangles of a file, element by element: to open and mark a broken mesh, and for `flipscope
// check FILE`. require_triangulation() (validate.h) decides whether a lab may start and stops at the first answer; this
// lists everything. Host code on all threads; signs are exact.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mesh/checks.h"

namespace flipscope {

struct MeshInspection {
    /// `passed`: a lab may start from the mesh. Failures are sorted by code, in this order, and by id:
    ///   missing-vertex             a triangle names a vertex that does not exist
    ///   repeated-vertex            a triangle has one vertex at two of its corners
    ///   duplicate-triangle         in the plane: has the three vertices of an earlier one
    ///   coordinate-out-of-range    of a vertex that a triangle uses
    ///   flat-triangle              its corners lie on one line
    ///   inverted-triangle          in the plane: the other way round than most
    ///   edge-with-three-triangles  three or more; `value` says how many
    ///   opposed-triangles          of a surface: the two at an edge have opposite orientations
    ///   folded-edge                in the plane: its two triangles lie on the same side
    ///   overlapping-triangles      in the plane: two whose interiors meet
    ///   crossing-edges             in the plane: of two triangles that overlap
    ///   vertex-on-edge             in the plane: between the ends of an edge
    ///   duplicate-point            at the place of an earlier point
    ///   unused-point               in no triangle, where there are triangles
    /// An unused point is harmless, and so is a duplicate point unless triangles use two points at one place. In a
    /// surface flat triangles are harmless, as are edges with three triangles, where it is cut, and opposed triangles,
    /// which are reoriented. Flat triangles, duplicate ones and those without three vertices are not compared in pairs.
    /// Elements are triangles and points by their index in the geometry, and edges by their index in `edges`.
    CheckReport report;
    std::map<std::string, uint64_t> counts;      // failures by code, including unlisted ones
    std::vector<std::array<uint32_t, 2>> edges;  // vertex ids, the lesser first; ascending
    bool searched_all = true;                    // false: the search for pairs ended early, and there may be more
    uint64_t overlaps = 0;                       // pairs of overlapping triangles
    uint64_t of_points = 0;                      // failures that are duplicate or unused points
    uint64_t harmless = 0;                       // of a planar mesh: harmless failures, listed or not
};

struct InspectOptions {
    Context* context = nullptr;  // provides threads; or nullptr
    bool points = true;          // false: duplicate and unused points are not searched for
    /// (triangles) or empty: all. Not 0 for triangles that may overlap or wrongly touch others; the remaining ones are
    /// known not to, and are not compared in pairs.
    std::span<const uint8_t> suspects = {};
};

/// Linear time for triangles spread as in a mesh. If very many bounding boxes meet, the search for pairs ends early,
/// and the sentence says "at least". Throws Cancelled.
MeshInspection inspect_mesh(const Geometry& geometry, const InspectOptions& options);
inline MeshInspection inspect_mesh(const Geometry& geometry, Context* context = nullptr) {
    return inspect_mesh(geometry, InspectOptions{context});
}

}  // namespace flipscope
