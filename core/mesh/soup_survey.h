// Statistics of arbitrary planar triangles: edges, illegal edges, smallest angles, and changes since the previous
// triangles. For the output of other programs, from which no TriangleMesh can be built; inspect_mesh() (inspect.h)
// lists the defects. Host code; signs are exact.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/context.h"
#include "compute/view.h"
#include "geometry/point.h"

namespace flipscope {

using SoupTriangles = std::vector<std::array<uint32_t, 3>>;

struct SoupSurvey {
    struct Edge {
        uint32_t lesser = 0, greater = 0;      // vertex ids
        uint32_t triangle_count = 0;           // triangles at the edge, without those that repeat a corner
        uint32_t left = kNone, right = kNone;  // if two triangles lie on its two sides, as seen from the lesser vertex
        uint32_t left_apex = kNone, right_apex = kNone;
        bool illegal = false;  // in no Delaunay triangulation, exactly; if left and right are known
    };
    std::vector<Edge> edges;                         // by (lesser, greater), as MeshInspection::edges
    SoupTriangles corners;                           // (t, 3) as given, but counter-clockwise
    std::vector<uint8_t> used;                       // (n) a triangle has this point at a corner
    uint64_t illegal = 0;                            // edges
    uint64_t outline = 0;                            // edges with one triangle
    uint64_t unused = 0;                             // points
    uint64_t hash = 0;                               // of the set of triangles, as MeshSummary::hash; 0 without any
    double minimum_angle = 0;                        // degrees; 0: a triangle is flat; NaN: no triangles
    std::vector<double> minimum_angles;              // (t) degrees, if requested
    const Edge* find(uint32_t a, uint32_t b) const;  // nullptr: no edge of the triangles
    uint32_t index_of(const Edge* edge) const { return static_cast<uint32_t>(edge - edges.data()); }
};

/// `triangles` must have existing points, with coordinates in the range of the predicates. `context`: provides threads,
/// or nullptr. The result does not depend on the number of threads.
SoupSurvey survey_soup(const std::vector<Point>& points, const SoupTriangles& triangles, Context* context,
                       bool all_angles = false);

/// The triangles in only one of two lists, compared by corners and orientation, whichever corner comes first.
struct SoupChanges {
    std::vector<uint32_t> fresh;    // indices into the later list, ascending
    std::vector<uint32_t> removed;  // indices into the earlier list, ascending
    // Edges of the earlier list only: their ends, the lesser first; ascending.
    std::vector<std::array<uint32_t, 2>> lost_edges;
    std::vector<uint32_t> fresh_edges;  // edges of the later list only: indices into its survey, ascending
};
SoupChanges compare_soups(const SoupTriangles& before, const SoupTriangles& now, const SoupSurvey& survey_of_now);

}  // namespace flipscope
