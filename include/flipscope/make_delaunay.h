// A function that makes a given triangulation Delaunay by parallel edge flips, for programs that use the library.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

struct MakeDelaunayOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made if the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    // For surfaces only.
    double epsilon = 1e-9;  // radians: an edge flips when the angles opposite to it sum up to more than π + epsilon
    double dihedral = 0.5;  // radians: creases steeper than this stay
    bool neighbours = true;
};

struct FlippedTriangulation {
    /// (t, 3) indices into the points, counter-clockwise in the plane; as many as were given.
    std::vector<std::array<uint32_t, 3>> triangles;
    /// (t, 3) triangle opposite to corner k; kNone beyond the outline, and across an edge of a surface with more than
    /// two triangles or two that cannot be oriented consistently. Empty if not requested.
    std::vector<std::array<uint32_t, 3>> neighbours;
    uint64_t flips = 0;
    uint32_t iterations = 0;  // parallel passes over the edges that may flip, the last of which found none
    /// Of a surface: illegal edges that stay, because they are creases, or because flipping them would duplicate an
    /// edge or leave a triangle without area. 0 in the plane.
    uint64_t creases = 0, blocked = 0;
    /// False: rounding made the flips of a surface cycle, and they were stopped. Always true in the plane.
    bool settled = true;
};

/// Flips the edges of a triangulation in the plane until every edge between two triangles is legal, after C. Navarro,
/// N. Hitschfeld and E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips (EuroCG 2011), decided by an
/// exact in-circle test; of points on one circle the index decides, as in triangulate(). Where the outline is the
/// convex hull, the result is the Delaunay triangulation of the points that the triangles use; else the constrained one
/// within the outline, which stays with its holes and bays.
///
/// `points`: (n, 2) doubles, world units; each coordinate 0 or of a magnitude between 2^-200 and 2^200. `triangles`:
/// (t, 3) indices into them, all counter-clockwise or all clockwise. Both in host memory. Of equal points the result
/// names the first. Order and first corners of the triangles are not kept.
///
/// Throws Error if there is no triangle, a coordinate is out of range, or the triangles are not a triangulation: they
/// overlap, cross, are flat or inconsistently oriented, or name points that do not exist; the message names up to five
/// of them. Throws Cancelled after Context::cancel().
FlippedTriangulation make_delaunay(Context& context, std::span<const Point> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

/// The same for a triangle mesh in space, whose vertices stay in place: an edge flips when the sum of the angles
/// opposite to it exceeds π (the paper's rule for surfaces), unless it is a crease, its other diagonal is an edge
/// already, or a new triangle would have no area. Angles are computed in doubles. `points`: (n, 3). Triangles may meet
/// in any way; they are oriented consistently as far as possible.
FlippedTriangulation make_delaunay(Context& context, std::span<const Point3> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

/// The same on a context made for this call, as triangulate() does.
FlippedTriangulation make_delaunay(std::span<const Point> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});
FlippedTriangulation make_delaunay(std::span<const Point3> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

}  // namespace flipscope
