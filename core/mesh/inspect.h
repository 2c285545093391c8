// All that is wrong with the triangles of a file, element by element: for opening a broken mesh and marking what is
// wrong, and for `flipscope check FILE`. require_triangulation() (validate.h) decides whether a lab may start, and
// stops where it knows; this goes on and lists. Host code on all threads; signs are exact.
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
    /// `passed`: a lab may start from it. The failures are, in this order of codes and by ids:
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
    /// The last does not spoil a mesh, nor does a duplicate point unless triangles use two points of one place, nor in
    /// a surface what is flat, has three triangles or is opposed: it is cut there, and turned to one orientation. Flat
    /// triangles, duplicate ones and those that name no three vertices are left out of the comparisons of pairs.
    /// Elements are triangles and points by their index in the geometry, and edges by their index in `edges`.
    CheckReport report;
    std::map<std::string, uint64_t> counts;      // of the failures by their codes, with those that are not listed
    std::vector<std::array<uint32_t, 2>> edges;  // vertex ids, the lesser first; ascending
    bool searched_all = true;  // false: the search for pairs ended early, and more of them may overlap, cross or touch
    uint64_t overlaps = 0;     // pairs of overlapping triangles
    uint64_t of_points = 0;    // failures that are duplicate or unused points
    uint64_t harmless = 0;     // of a planar mesh: failures that do not spoil it, listed or not
};

struct InspectOptions {
    Context* context = nullptr;  // whose threads to use, or none
    bool points = true;          // false: places that several points share and unused points are not looked for
    /// (triangles) or empty: all. Not 0 for triangles that may overlap or touch others where they must not. The caller
    /// knows that no others do, and they are left out of the comparisons of pairs.
    std::span<const uint8_t> suspects = {};
};

/// Takes time in proportion to the triangles where they are spread as in a mesh. Where very many bounding boxes meet,
/// the search for pairs ends early, and the sentence says "at least". Throws Cancelled.
MeshInspection inspect_mesh(const Geometry& geometry, const InspectOptions& options);
inline MeshInspection inspect_mesh(const Geometry& geometry, Context* context = nullptr) {
    return inspect_mesh(geometry, InspectOptions{context});
}

}  // namespace flipscope
