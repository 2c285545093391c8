// A function for the Delaunay triangulation of points in a periodic box, for programs that use the library.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

struct TorusTriangles {
    Point sides;                // of the triangulated box, world units: rounded to its grid
    std::vector<Point> points;  // (n) as they were triangulated: in the box, from (0, 0), rounded to the grid
    std::vector<std::array<uint32_t, 3>> triangles;  // (2n, 3) indices into the points, counter-clockwise
    /// (2n, 3) the image of its point that each corner is, in sides, relative to the first corner, whose own is 0:
    /// corner k of a triangle is at points[triangles[t][k]] + sides · images[t][k].
    std::vector<std::array<ImageShift, 3>> images;
    uint64_t hash = 0;  // of the set of triangles with their images: the same on every device
};

/// Triangulates points of a rectangle with opposite sides identified, exactly for the points as they are rounded: to a
/// grid of at most 2e-14 of the longer side, on which all differences are exact. n points have 2n triangles and 3n
/// edges, even if they are so few that an edge leads from a point to an image of itself. Ties of cocircular points
/// depend on their positions alone.
///
/// `points`: (n) world units, wrapped into the box; `sides`: its width and height, above 0. Throws Error for a side or
/// a coordinate that is no number, a longer side of more than 100 shorter ones, a point farther than 16 sides from the
/// box, two points at one place of it, and too many points (2^29); Cancelled after Context::cancel().
TorusTriangles triangulate_torus(Context& context, std::span<const Point> points, Point sides);

}  // namespace flipscope
