// Triangulations worth mending, for the Flip lab: of the plane, exactly valid but far from Delaunay, and surfaces in
// space whose triangles are sheared. Reached by name through generators.h. A shape that is a grid takes the number of
// rows and columns nearest to square cells whose product is the count; where there is none, the few vertices left over
// split triangles, so that every mesh has exactly the vertices asked for.
#pragma once

#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

inline constexpr uint64_t kMaxMeshCount = 20'000'000;
inline constexpr uint64_t kMaxWorstCount = 1'000'000;  // takes 2.5·10¹¹ flips

inline constexpr uint64_t kMinQuadCount = 4;
inline constexpr uint64_t kMinWorstCount = 4;
inline constexpr uint64_t kMinSphereCount = 6;
inline constexpr uint64_t kMinTorusKnotCount = 300;
inline constexpr uint64_t kMinTerrainCount = 4;
inline constexpr uint64_t kMinInfinityCount = 120;
inline constexpr uint64_t kMinBandCount = 24;

// Each gives `count` vertices and triangles over them, without a name. Those of the plane are counter-clockwise,
// exactly, and cover their convex hull; closed surfaces face outwards.

/// The unit square as Navarro's subdivided and noisy quad: about three in ten of its edges are illegal.
Geometry make_quad(uint64_t count, const Random& random);

/// A lattice of acute triangles, shaken: a Delaunay triangulation in which no four points lie on one circle.
Geometry make_triangular(uint64_t count, const Random& random);

/// Edelsbrunner's quadratic case, in whole numbers: two rows of points, k + 1 of them below and to the right of the
/// m + 1 above. A triangulation of the strip is a word of k letters A (a step along the lower row) and m letters B;
/// A…AB…B is given and B…BA…A is Delaunay. A flip exchanges two neighbouring letters, and every AB is illegal, so it
/// takes exactly k m flips, in whatever order. k and m differ by one at most.
Geometry make_worst(uint64_t count, const Random& random);

Geometry make_sphere(uint64_t count, const Random& random);      // Euler characteristic 2, radius 1
Geometry make_torus_knot(uint64_t count, const Random& random);  // 0
Geometry make_terrain(uint64_t count, const Random& random);     // 1
Geometry make_infinity(uint64_t count, const Random& random);    // 0
Geometry make_band(uint64_t count, const Random& random);        // 0, not orientable

// What the generators of meshes share.

struct GridShape {
    uint64_t rows = 0, columns = 0;
    uint64_t surplus = 0;  // vertices that are not on the grid
};

/// The grid whose rows times columns are `count` and whose ratio of rows to columns is nearest to `aspect`, if one is
/// within a factor of four of it. Else, of those within a factor of one and a half, the one that leaves fewest over.
/// The least numbers of rows and columns come before the ratio.
GridShape choose_grid(uint64_t count, double aspect, uint64_t min_rows, uint64_t min_columns);

/// Adds `count` vertices, each to the middle of another triangle, which it splits into three.
void split_triangles(Geometry& mesh, uint64_t count);

}  // namespace flipscope
