// Validates that a file contains a triangulation that a lab may flip: once after reading, before connect(). Errors name
// triangles and vertices by number. Signs are exact; the only repair is reversing a clockwise drawing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "geometry/point.h"

namespace flipscope {

/// Whether every triangle of the plane is clockwise: a triangulation seen from behind. False without triangles.
bool all_clockwise(const Geometry& geometry);

/// "triangle 3 (vertices 0, 1, 2)"; kNone is written as "none".
std::string triangle_name(uint32_t triangle, const std::array<uint32_t, 3>& corners);

/// Swaps the last two corners of every triangle, if all_clockwise().
void turn_all(Geometry& geometry);

/// Throws Error unless the triangles of a plane geometry are a triangulation: any two of them share nothing, a vertex
/// or a whole edge. All may be clockwise. Holes, several pieces, outlines that are not convex and vertices where pieces
/// touch are fine; unused points are ignored. The message names up to five offenders by their numbers in the file, from
/// 0, and a lower bound for the rest.
void require_triangulation(const Geometry& geometry);

/// Throws Error, as above, unless the triangles of a surface name existing vertices, three different ones each, whose
/// coordinates are numbers in the range of the predicates. Returns the number of triangles without area, for a note to
/// the user.
uint64_t require_surface(const Geometry& geometry);

}  // namespace flipscope
