// From points of the plane to a triangulation that is not Delaunay: where the Flip lab starts when it is given points
// alone. Host code but for insertion's kernels; every result is exactly valid.
#pragma once

#include <cstdint>

#include "compute/context.h"
#include "geometry/point.h"

namespace flipscope {

enum class Start {
    kInsertion,  // parallel insertion with its flips switched off, bays of the outline filled: long thin triangles
                 // everywhere
    kSweep,      // from left to right, each point joined to all it sees of the hull so far
    kFan,        // all diagonals from the lowest vertex: for points in convex position only
    kScrambled,  // Delaunay, then random flips
    kMoved,      // Delaunay, then every point is moved a little
};

struct MakerOptions {
    uint64_t seed = 1;
    double scramble =
        0.5;  // kScrambled: flips tried, per edge; those of quads that are not strictly convex are not made
    double moved_by = 0.1;  // kMoved: the longest move, of the mean spacing sqrt(area of the hull / points)
};

/// The points with triangles over them, counter-clockwise and covering the convex hull, exactly; triangles that the
/// input came with are not looked at. The points keep their order. Of equal points the first is used, and its copies
/// by no triangle. Fewer than three distinct points, or all on one line: no triangles. The same for the same options on
/// every device.
///
/// kFan throws Error for points that are not in convex position, or that leave a flat triangle whatever the apex (it
/// is the lowest vertex that leaves none).
/// kMoved: only where the points lie changes, and with that the name says so. Vertices on the hull stay, and so the
/// outline does; where a triangle would be turned over, the moves of its three corners are halved until none is. Copies
/// move along.
/// Throws Cancelled when the context is cancelled.
Geometry make_triangulation(Context& context, const Geometry& points, Start start, const MakerOptions& options);

}  // namespace flipscope
