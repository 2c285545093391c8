// Which part of the convex hull do triangles leave uncovered, and where do they cover it twice? Holes with their
// outlines, exactly, whatever else is wrong with the triangles. judge() calls it for what is no tiling of the hull; it
// knows no triangulation and judges no circle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/bounding_boxes.h"
#include "geometry/point.h"

namespace flipscope {

/// A part of the hull that no triangle covers, connected through its interior.
struct Hole {
    std::vector<uint32_t> vertices;  // input points on its outer boundary, counter-clockwise from the lowest on
    std::vector<Point> outline;      // the whole outer boundary, counter-clockwise; where edges cross, rounded
    double area = 0;                 // world units squared, rounded
    Point inside;                    // a place in it, as far as doubles can tell
};

struct Coverage {
    std::vector<Hole> holes;  // by their vertices
    /// Nothing outside of these is covered twice, and no edge ends between the ends of another.
    std::vector<BoundingBox> suspects;
    bool complete = true;  // false: more edges cross than are looked at, holes are not listed, and all is suspect
};

/// A directed edge that has more triangles on one side than on the other, the hull counted as one more triangle on its
/// outside: the boundary of what is covered wrongly.
struct ExcessEdge {
    uint32_t from, to;  // input points
    int32_t excess;  // triangles on the left minus triangles on the right, minus 1 where the hull runs along it, plus
                     // 1 where it runs against it; not 0
};

/// `edges`: all of them; none twice. They tell how often every place of the hull is covered: 1 more than their winding
/// number around it. Takes about the time of sorting them, and more where they cross. Coordinates in the range of the
/// predicates, no two points at one place. Throws Cancelled.
Coverage find_coverage(std::span<const Point> points, std::span<const ExcessEdge> edges);

}  // namespace flipscope
