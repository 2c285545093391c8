// Poor triangulations for the Flip lab: planar ones, exactly valid but far from Delaunay, and surfaces in space with
// sheared triangles. Available by name through generators.h. Grids have the numbers of rows and columns whose product
// is the count and whose cells are nearest to square; if there are none, the few surplus vertices split triangles, so
// that every mesh has exactly the requested number of vertices.
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

// Each makes `count` vertices with triangles, without a name. Planar triangles are exactly counter-clockwise and cover
// their convex hull; closed surfaces face outwards.

/// The unit square as Navarro's subdivided and noisy quad: about three in ten of its edges are illegal.
Geometry make_quad(uint64_t count, const Random& random);

/// A lattice of acute triangles, shaken: a Delaunay triangulation in which no four points lie on one circle.
Geometry make_triangular(uint64_t count, const Random& random);

/// Edelsbrunner's quadratic case, in whole numbers: two rows of points, k + 1 of them below and to the right of the m +
/// 1 above. A triangulation of the strip is a word of k letters A (a step along the lower row) and m letters B; A…AB…B
/// is given and B…BA…A is Delaunay. A flip exchanges two neighbouring letters, and every AB is illegal, so it takes
/// exactly k m flips, in any order. k and m differ by one at most.
Geometry make_worst(uint64_t count, const Random& random);

Geometry make_sphere(uint64_t count, const Random& random);      // Euler characteristic 2, radius 1
Geometry make_torus_knot(uint64_t count, const Random& random);  // 0
Geometry make_terrain(uint64_t count, const Random& random);     // 1
Geometry make_infinity(uint64_t count, const Random& random);    // 0
Geometry make_band(uint64_t count, const Random& random);        // 0, not orientable

// Shared by the mesh generators.

struct GridShape {
    uint64_t rows = 0, columns = 0;
    uint64_t surplus = 0;  // vertices that are not on the grid
};

/// The grid of `count` cells whose ratio of rows to columns is nearest to `aspect`, if within a factor of four;
/// otherwise, within a factor of one and a half, the grid with the smallest surplus. The minimum numbers of rows and
/// columns take precedence.
GridShape choose_grid(uint64_t count, double aspect, uint64_t min_rows, uint64_t min_columns);

/// Adds `count` vertices, each in the middle of a different triangle, which is split into three.
void split_triangles(Geometry& mesh, uint64_t count);

}  // namespace flipscope
