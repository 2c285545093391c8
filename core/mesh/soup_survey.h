// What there is to count in triangles of the plane that need not fit together: their edges, which of these are illegal,
// how small the angles are, and what has changed since the triangles before. For what other programs made, where no
// TriangleMesh can be connected; inspect_mesh() (inspect.h) says what is wrong. Host code; signs are exact.
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
        uint32_t triangle_count = 0;           // at it, of those that have three different corners
        uint32_t left = kNone, right = kNone;  // of two that lie on its two sides, as seen from the lesser vertex
        uint32_t left_apex = kNone, right_apex = kNone;
        bool illegal = false;  // no Delaunay triangulation has it, exactly; where left and right are known
    };
    std::vector<Edge> edges;                         // by (lesser, greater), as MeshInspection::edges
    SoupTriangles corners;                           // (t, 3) as given, but counter-clockwise
    std::vector<uint8_t> used;                       // (n) a triangle has this point at a corner
    uint64_t illegal = 0;                            // edges
    uint64_t outline = 0;                            // edges with one triangle
    uint64_t unused = 0;                             // points
    uint64_t hash = 0;                               // of the set of triangles, as MeshSummary::hash; 0 without any
    double minimum_angle = 0;                        // degrees; 0 where a triangle is flat, NaN without triangles
    std::vector<double> minimum_angles;              // (t) degrees, where they were asked for
    const Edge* find(uint32_t a, uint32_t b) const;  // nullptr: no edge of the triangles
    uint32_t index_of(const Edge* edge) const { return static_cast<uint32_t>(edge - edges.data()); }
};

/// `triangles` name points that exist; coordinates are in the range of the predicates. `context`: whose threads to use,
/// or nullptr. The same for any number of threads.
SoupSurvey survey_soup(const std::vector<Point>& points, const SoupTriangles& triangles, Context* context,
                       bool all_angles = false);

/// Which triangles are in one list and not in the other: by their corners and orientation, whichever corner comes
/// first.
struct SoupChanges {
    std::vector<uint32_t> fresh;    // indices into the later list, ascending
    std::vector<uint32_t> removed;  // indices into the earlier list, ascending
    // That only the earlier ones have: their ends, the lesser first; ascending.
    std::vector<std::array<uint32_t, 2>> lost_edges;
    std::vector<uint32_t> fresh_edges;  // that only the later ones have: indices into their survey, ascending
};
SoupChanges compare_soups(const SoupTriangles& before, const SoupTriangles& now, const SoupSurvey& survey_of_now);

}  // namespace flipscope
