// The edges of a triangle soup with their opposite points, and the edges in which two soups over the same points
// differ, for the Predicate race. Host code; accepts broken triangulations.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/view.h"
#include "mesh/soup.h"

namespace flipscope {

struct SoupEdge {
    std::array<uint32_t, 2> ends;  // indices of points, the lesser first
    /// Opposite points: left of the direction from the lesser end to the greater, and right. kNone: no triangle.
    std::array<uint32_t, 2> apexes = {kNone, kNone};
    friend bool operator==(const SoupEdge&, const SoupEdge&) = default;
};

/// Each edge once, ascending. Edges of the path of collinear points have no triangle.
std::vector<SoupEdge> edges_of(const TriangleSoup& soup);

/// Edges that only one of the two has: only the first, and only the second.
std::array<std::vector<SoupEdge>, 2> differing_edges(const std::vector<SoupEdge>& first,
                                                     const std::vector<SoupEdge>& second);

}  // namespace flipscope
