// Proximity graphs, the spanning tree and the α-complex of points in the plane, as parts of their Delaunay
// triangulation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

/// The structures that an edge belongs to.
enum StructureBit : uint32_t {
    kOnHull = 1 << 0,         // on the outline of the triangulation
    kNearestOfFrom = 1 << 1,  // leads from its first vertex to the nearest one
    kNearestOfTo = 1 << 2,    // the same of its second vertex
    kInTree = 1 << 3,         // of the Euclidean minimum spanning tree
    kInRelative = 1 << 4,     // of the relative neighbourhood graph
    kInGabriel = 1 << 5,
    kInSkeleton = 1 << 6,  // the β-skeleton
    kFiniteEdge = 1 << 7,  // neither to infinity nor to a helper
};

struct Structures {
    std::vector<std::array<uint32_t, 2>> edges;      // (e) indices of points
    std::vector<uint32_t> words;                     // (e) bits of StructureBit
    std::vector<double> alpha;                       // (e) world units
    std::vector<double> beta;                        // (e) the greatest β of a skeleton with the edge, at most 1024
    std::vector<std::array<uint32_t, 3>> triangles;  // (t) indices of points, counter-clockwise
    std::vector<double> triangle_alpha;              // (t) world units
};

/// Finds all structures of points: core/statistics/structures.h has the definitions, the ties and the sources.
///
/// `points`: (n, 2) doubles in world units, in host memory, as of triangulate(); of equal points the first is named.
/// `beta`: of the β-skeleton, from 1/1024 to 1024. Signs are exact, and the result is the same on every device and for
/// any number of threads; α and β are rounded. Points on one line have the edges along it, none on a hull.
///
/// Throws Error for coordinates that triangulate() refuses and a β out of range; Cancelled after Context::cancel().
Structures find_structures(Context& context, std::span<const Point> points, double beta = 1);

}  // namespace flipscope
