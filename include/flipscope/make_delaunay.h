// A given triangulation made Delaunay by parallel edge flips, as a function call: for programs that use the library and
// have triangles already.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

struct MakeDelaunayOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made when the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    // Of surfaces alone.
    double epsilon = 1e-9;  // radians: an edge flips when the angles opposite to it sum up to more than π + epsilon
    double dihedral = 0.5;  // radians: creases steeper than this stay
    bool neighbours = true;
};

struct FlippedTriangulation {
    /// (t, 3) indices into the points, counter-clockwise in the plane; as many as were given.
    std::vector<std::array<uint32_t, 3>> triangles;
    /// (t, 3) triangle opposite to corner k; kNone beyond the outline, and across an edge of a surface that has more
    /// than two triangles or two that cannot be turned alike. Empty when not asked for.
    std::vector<std::array<uint32_t, 3>> neighbours;
    uint64_t flips = 0;
    uint32_t iterations = 0;  // parallel passes over the edges that may flip, the last of which found none
    /// Of a surface: edges that are illegal by their angles and stay, since they are creases, and since flipping them
    /// would duplicate an edge or leave a triangle without area. 0 in the plane.
    uint64_t creases = 0, blocked = 0;
    /// False: rounding made the flips of a surface repeat themselves, and they were stopped. Always true in the plane.
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
/// Throws Error when there is no triangle, a coordinate is not in range, or the triangles are no triangulation: they
/// overlap, cross, are flat or turned against each other, or name points that do not exist; the message names up to
/// five of them. Throws Cancelled when the context was told to.
FlippedTriangulation make_delaunay(Context& context, std::span<const Point> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

/// The same for a triangle mesh in space, whose vertices stay where they are: an edge flips when the sum of the angles
/// opposite to it exceeds π (the paper's rule for surfaces), unless it is a crease, its other diagonal is an edge
/// already, or a triangle without area would come of it. Angles are computed in doubles. `points`: (n, 3). Triangles
/// may meet in any way; those that can be are turned alike.
FlippedTriangulation make_delaunay(Context& context, std::span<const Point3> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

/// The same on a context made for this call, as triangulate() does.
FlippedTriangulation make_delaunay(std::span<const Point> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});
FlippedTriangulation make_delaunay(std::span<const Point3> points, TriangleSpan triangles,
                                   const MakeDelaunayOptions& options = {});

}  // namespace flipscope
