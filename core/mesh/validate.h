// Is what a file holds a triangulation that a lab may flip? Asked once after reading, before connect(); what is wrong
// is said with the numbers of triangles and vertices. Signs are exact; nothing is mended here but the side from which
// a drawing is seen.
#pragma once

#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

/// Whether every triangle of the plane is clockwise: a triangulation seen from behind. False without triangles.
bool all_clockwise(const Geometry& geometry);

/// Swaps the last two corners of every triangle: what all_clockwise() asks for.
void turn_all(Geometry& geometry);

/// Throws Error unless the triangles of a plane geometry are a triangulation: any two of them share nothing, a vertex
/// or a whole edge. All may be clockwise. Holes, several pieces, outlines that are not convex and vertices where pieces
/// touch are fine; points that no triangle uses are not looked at. The message names up to five offenders by their
/// numbers in the file, from 0, and says how many more there are at least.
void require_triangulation(const Geometry& geometry);

/// Throws Error, as above, unless the triangles of a surface name existing vertices, three different ones each, whose
/// coordinates are numbers in the range of the predicates. Returns how many triangles have no area, which is for the
/// user to know.
uint64_t require_surface(const Geometry& geometry);

}  // namespace flipscope
