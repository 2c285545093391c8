// Lloyd relaxation of points on the unit torus. Used by the generator "blue-noise".
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

inline constexpr uint64_t kMostRelaxedPoints = 1'000'000;
inline constexpr double kMostRelaxationMoves = 4e7;  // points times iterations
inline constexpr double kUsualRelaxations = 40;

/// Moves every point to the centroid of its Voronoi cell, `iterations` times, on the unit square as a torus;
/// coordinates lie in [0, 1). One cell takes a microsecond or two; the result is the same on every machine. Method: S.
/// P. Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982; cells are cut out of
/// a square by the bisectors to the points around, nearest rings of a grid first, until no farther point can cut them
/// (C. H. Rycroft, Voro++, Chaos 19, 2009).
void relax(std::vector<Point>& points, uint64_t iterations);

}  // namespace flipscope
