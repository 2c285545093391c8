// Makes a triangulation that is not Delaunay from points of the plane: the start of the Flip lab for points without
// triangles. Host code, except insertion's kernels; every result is exactly valid.
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

/// The points with triangles over them, counter-clockwise and covering the convex hull, exactly; ignores triangles of
/// the input. The points keep their order. Of equal points the triangles use the first. Fewer than three distinct
/// points, or all on one line: no triangles. The same options give the same result on every device.
///
/// kFan throws Error for points that are not in convex position, or if every apex leaves a flat triangle (it uses the
/// lowest apex that leaves none).
/// kMoved changes only the points' places, and so the input's name. Vertices on the hull stay, and so does the outline;
/// if a triangle would be inverted, the moves of its three corners are halved until none is. Copies move along.
/// Throws Cancelled when the context is cancelled.
Geometry make_triangulation(Context& context, const Geometry& points, Start start, const MakerOptions& options);

}  // namespace flipscope
