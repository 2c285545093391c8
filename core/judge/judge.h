// Judges a triangulation by any program: are the triangles a triangulation, of all points and of the whole hull, and
// Delaunay? Lists all defects with their places, and the differences from the exact triangulation, edge by edge. Called
// by `flipscope check`, the shrinker and `flipscope torture`; repairs nothing. Signs are exact.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "judge/coverage.h"
#include "mesh/checks.h"

namespace flipscope {

using VertexPair = std::array<uint32_t, 2>;  // indices of points, the lesser first

/// Edges in which a triangulation and the exact one of the same points differ. Points at one place are one vertex with
/// the lowest index. Ascending.
struct Differences {
    std::vector<VertexPair> missed;    // only in the exact one
    std::vector<VertexPair> spurious;  // only in the judged one
    /// Edges of either list that are optional: four or more points are cocircular, so a Delaunay triangulation may or
    /// may not have the edge.
    std::vector<VertexPair> ties;
};

struct Judgement {
    bool triangulation = true;  // any two triangles share nothing, a vertex or a whole edge, and have one orientation
    bool complete = true;       // every place of the points is a vertex, and the convex hull is covered
    bool delaunay = true;       // no vertex lies strictly inside the circumcircle of any triangle; none is flat
    /// The defects, by code and then by id. `passed`: all three of the above. The codes, in addition to those of
    /// inspect_mesh(), which violate `triangulation`:
    ///   duplicate-triangle      has the three vertices of an earlier one
    ///   shared-place            triangles use two points of one place
    ///   unused-point            no triangle has a point of this place; spoils `complete`
    ///   missing-area            a part of the hull that no triangle covers; `value`: its area; spoils `complete`
    ///   missing-hull-edge       two neighbours on the hull that no edge joins; spoils `complete`
    ///   illegal-edge            `value`: by how many degrees the angles opposite to it exceed 180 together; spoils
    ///                           `delaunay`
    ///   circle-not-empty        of a triangle without an illegal edge; spoils `delaunay`
    ///   duplicate-point         at the place of an earlier point; spoils nothing
    /// Elements are triangles by their index and points by theirs, and edges by their index in `edges`.
    CheckReport report;
    std::map<std::string, uint64_t> counts;  // defects by code, including unlisted ones
    std::vector<VertexPair> edges;           // of the judged triangles; empty if no defect refers to an edge
    Differences differences;
    std::vector<Hole> holes;                     // one for each missing-area, in the same order
    uint64_t edge_count = 0;                     // of the judged triangles, each pair of places once
    std::vector<std::array<uint32_t, 3>> exact;  // (t, 3) the Delaunay triangulation of the points
    uint64_t exact_edges = 0, exact_hull_edges = 0;
    uint64_t duplicates = 0;   // points at the place of an earlier one
    bool searched_all = true;  // false: the search ended early because of too many overlaps
    bool in_one_line = false;  // all points are collinear or coincide: nothing to triangulate
};

/// `geometry`: points of the plane with coordinates in the range of the predicates, and arbitrary triangles over them,
/// which may all be clockwise. Host code on the context's threads; the exact triangulation is built on its device.
/// Throws Error for a surface in space and for coordinates out of range, Cancelled.
Judgement judge(Context& context, const Geometry& geometry);

/// Whether a failure of this code fails the verdict: false for duplicate-point.
bool spoils(const std::string& code);

/// Every code of judge() with a sentence that explains it, in the order of the report.
struct DefectCode {
    const char* code;
    const char* sentence;
};
const std::vector<DefectCode>& defect_codes();

}  // namespace flipscope
