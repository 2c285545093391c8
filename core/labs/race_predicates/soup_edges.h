// The edges of a triangle soup with the points opposite to them, and in which edges two soups over the same points
// differ: what the Predicate race marks and lists. On the host; broken triangulations are taken as they are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/view.h"
#include "mesh/soup.h"

namespace flipscope {

struct SoupEdge {
    std::array<uint32_t, 2> ends;  // indices of points, the lesser first
    /// Opposite to it: on the left of the way from the lesser end to the greater, and on the right. kNone: no triangle.
    std::array<uint32_t, 2> apexes = {kNone, kNone};
    friend bool operator==(const SoupEdge&, const SoupEdge&) = default;
};

/// Each edge once, ascending; those of the path, where all points lie on one line, have no triangle.
std::vector<SoupEdge> edges_of(const TriangleSoup& soup);

/// Those whose ends are joined in one of the two and not in the other: of the first, and of the second.
std::array<std::vector<SoupEdge>, 2> differing_edges(const std::vector<SoupEdge>& first,
                                                     const std::vector<SoupEdge>& second);

}  // namespace flipscope
