// The verdict on any program's triangulation: are these triangles a triangulation, of all points, of the whole hull,
// and Delaunay? It lists every defect with its place, and every edge that differs from the exact triangulation. It
// repairs nothing. Signs are exact.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

enum class ElementKind { kVertex, kEdge, kTriangle, kPixel };  // kPixel: of a lattice, y · width + x

/// An element with a failure.
struct Element {
    ElementKind kind = ElementKind::kTriangle;
    uint32_t id = kNone;
    uint32_t part = 0;  // in a lab: the index of a view of its scene; else 0
    bool operator==(const Element&) const = default;
};

/// One failure.
struct CheckFailure {
    std::string code;               // "illegal-edge", "inverted-triangle", …: the kind of failure
    std::string sentence;           // "edge 12 (points 3 and 7) is illegal: …"
    std::vector<Element> elements;  // the failing elements, first the one named by the code; empty: no single element
    std::vector<int64_t> vertices;  // their corners, as indices in the input
    std::vector<Point3> places;  // corners of the elements one after the other (1 of a vertex or pixel, 2 of an edge,
                                 // 3 of a triangle), world units; without elements 1 to 3 places, or none
    double value = std::numeric_limits<double>::quiet_NaN();  // a measured value; NaN: none
    bool noted = false;                                       // harmless: listed, but not marked in the picture
};

/// The result of a check.
struct FailureList {
    bool passed = true;
    std::vector<CheckFailure> failures;  // at most 100 000, and 20 000 of one code
    uint64_t failure_count = 0;          // including unlisted ones
    std::string sentence;                // the verdict for a reader
};

/// A part of the hull that no triangle covers, connected through its interior.
struct Hole {
    std::vector<uint32_t> vertices;  // input points on its outer boundary, counter-clockwise from the lowest on
    std::vector<Point> outline;      // the whole outer boundary, counter-clockwise; where edges cross, rounded
    double area = 0;                 // world units squared, rounded
    Point inside;                    // a place in it, up to rounding
};

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
    /// The defects, by code and then by ids. `passed`: all three of the above. defect_codes() explains each code. A
    /// defect makes `triangulation` false, unless stated otherwise:
    ///   duplicate-triangle      has the three vertices of an earlier one
    ///   shared-place            triangles use two points of one place
    ///   unused-point            no triangle has a point of this place; affects `complete`
    ///   missing-area            a part of the hull that no triangle covers; `value`: its area; affects `complete`
    ///   missing-hull-edge       two neighbours on the hull that no edge joins; affects `complete`
    ///   illegal-edge            `value`: degrees by which the sum of its opposite angles exceeds 180; affects
    ///                           `delaunay`
    ///   circle-not-empty        of a triangle without an illegal edge; affects `delaunay`
    ///   duplicate-point         at the place of an earlier point; affects nothing
    /// Elements are triangles by their index and points by theirs, and edges by their index in `edges`.
    FailureList report;
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

/// `points`: of the plane, coordinates in the range of the predicates. `triangles`: over them, and they may be
/// anything; all of them may be clockwise. Host code on the context's threads; the exact triangulation is made on its
/// device. Throws Error for coordinates out of range, Cancelled.
Judgement judge(Context& context, std::span<const Point> points, TriangleSpan triangles);

/// Whether a failure of this code fails the verdict: false for duplicate-point.
bool spoils(const std::string& code);

/// Every code of judge() with a sentence that explains it, in the order of the report.
struct DefectCode {
    const char* code;
    const char* sentence;
};
const std::vector<DefectCode>& defect_codes();

}  // namespace flipscope
