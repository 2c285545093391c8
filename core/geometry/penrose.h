// The vertices of a rhombic Penrose tiling. Used by the generator "penrose".
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

inline constexpr uint64_t kMostPenroseVertices = 20'000'000;

/// Vertices per area of one edge squared: (τ + 1) / (τ sin 72° + sin 36°) with the golden ratio τ.
inline constexpr double kPenroseDensity = 1.2310734148701014;

/// The `count` vertices nearest (in the maximum norm) to the middle of the unit square, of the tiling with edges
/// √(kPenroseDensity / count): they fill the square. The seed chooses one of the uncountably many tilings; none of them
/// is singular. All decisions are exact; the coordinates are rounded once at the end. Method: N. G. de Bruijn,
/// Algebraic theory of Penrose's non-periodic tilings of the plane, Indagationes Mathematicae 43, 1981: a rhomb for
/// each crossing of two lines in five families of equidistant parallels. Here each rhomb gives one of its corners, the
/// one in which a fixed direction enters it, so each vertex is found once.
std::vector<Point> penrose_vertices(uint64_t count, const Random& random);

}  // namespace flipscope
