// Finds the parts of the convex hull that triangles leave uncovered or cover twice: holes with their outlines, exactly,
// for any other defects. judge() calls it if the triangles do not tile the hull.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/judge.h"
#include "geometry/bounding_boxes.h"

namespace flipscope {

struct Coverage {
    std::vector<Hole> holes;  // by their vertices
    /// Outside of these boxes nothing is covered twice, and no edge ends in the interior of another.
    std::vector<BoundingBox> suspects;
    bool complete = true;  // false: too many edges cross; no holes are listed, and `suspects` covers everything
};

/// A directed edge with more triangles on one side than on the other, where the outside of the hull counts as one
/// triangle: the boundary of a wrongly covered part.
struct ExcessEdge {
    uint32_t from, to;  // input points
    int32_t excess;  // triangles on the left minus triangles on the right, minus 1 where the hull runs along it, plus
                     // 1 where it runs against it; not 0
};

/// `edges`: all excess edges, without duplicates. Every place of the hull is covered 1 more time than their winding
/// number around it. Takes about the time of sorting the edges, and more for crossings. Coordinates must be in the
/// range of the predicates, points distinct. Throws Cancelled.
Coverage find_coverage(std::span<const Point> points, std::span<const ExcessEdge> edges);

}  // namespace flipscope
