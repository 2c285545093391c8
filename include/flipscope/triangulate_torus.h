// The Delaunay triangulation of points in a periodic box, and point location in it, for programs that use the library.
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
    /// (2n, 3) across the edge from corner k + 1 to corner k + 2: the corner 3 · triangle + place of the triangle on
    /// its other side at which the same edge begins, so at the image of the vertex of corner k + 2.
    std::vector<std::array<uint32_t, 3>> across;
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

struct TorusPlaces {
    std::vector<Point> places;        // (q) where the queries are in the box, rounded to its grid
    std::vector<uint32_t> triangles;  // (q) kNone: no number, or farther than 16 sides from the box; or no triangles
    std::vector<ImageShift> images;   // (q) add this to the images of that triangle's corners, and it holds the place
};

/// Finds the triangles that hold `queries` (q), exactly for the queries as they are rounded to the grid; on an edge or
/// at a vertex the lowest of the triangles there. A visibility walk (De Floriani, Falcidieni, Nagy and Pienovi, 1991)
/// in the unrolled plane, from the vertex that is next along a Morton curve. On the context's threads; throws
/// Cancelled.
TorusPlaces locate_on_torus(Context& context, const TorusTriangles& made, std::span<const Point> queries);

}  // namespace flipscope
