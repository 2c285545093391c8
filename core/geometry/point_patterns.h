// The generators' constructions that need more than a few lines, each in a source of its own: points on one circle, at
// a distance from each other, relaxed, of a quasicrystal, and of a random matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

inline constexpr uint64_t kMaxLatticeCirclePoints = 1'000'000;
/// `count` distinct points with x^2 + y^2 = R^2, the same whole number R^2 for all, counter-clockwise from the positive
/// x axis: on the smallest circle with that many integer points, evenly selected if it has more. |x| and |y| stay below
/// 2^52. Throws Error above kMaxLatticeCirclePoints.
std::vector<Point> lattice_circle_points(uint64_t count);

/// A maximal sampling at distance r has about kPoissonDensity / r^2 points, and more for a large r because of the
/// boundary.
inline constexpr double kPoissonDensity = 0.612;

/// Points of the unit square at mutual distances of at least `radius` (below 2), nearly maximal. Random numbers come
/// from the stream `key`, from number `counter` on; only +, -, * and comparisons decide, so every machine agrees.
/// Method: Bridson, Fast Poisson disk sampling in arbitrary dimensions, SIGGRAPH sketches 2007.
std::vector<Point> poisson_disk_points(double radius, uint64_t key, uint64_t counter);

inline constexpr uint64_t kMostRelaxedPoints = 1'000'000;
inline constexpr double kMostRelaxationMoves = 4e7;  // points times iterations
inline constexpr double kUsualRelaxations = 40;

/// Moves every point to the centroid of its Voronoi cell, `iterations` times, on the unit square as a torus;
/// coordinates lie in [0, 1). One cell takes a microsecond or two; the result is the same on every machine. Method: S.
/// P. Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982; cells are cut out of
/// a square by the bisectors to the points around, nearest rings of a grid first, until no farther point can cut them
/// (C. H. Rycroft, Voro++, Chaos 19, 2009).
void relax(std::vector<Point>& points, uint64_t iterations);

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

inline constexpr uint64_t kMostGinibrePoints = 2000;  // the time grows with the third power

/// The eigenvalues of an upper Hessenberg matrix of complex numbers (x: the real part), in the order they are found.
/// `rows`: (n, n), row by row; below the first subdiagonal nothing is read. It is overwritten. Errors are some units in
/// the last place of the matrix's norm. O(n³): 20 n³ operations or so. Throws Error unless rows has n² entries.
/// Method: explicitly shifted QR iteration with Wilkinson's shift, by rotations (J. G. F. Francis 1961; Golub and
/// Van Loan, Matrix Computations, section 7.5).
std::vector<Point> hessenberg_eigenvalues(std::vector<Point>& rows, uint64_t n);

/// A random upper Hessenberg matrix with the eigenvalues of a matrix of independent complex normal numbers of variance
/// 1: Householder's reduction turns that into one whose entries are independent still, normal above the subdiagonal,
/// and on it the length of a vector of n - 1, n - 2, … such numbers (I. Dumitriu and A. Edelman, Matrix models for beta
/// ensembles, Journal of Mathematical Physics 43, 2002, do so for symmetric matrices). Real where it can be.
std::vector<Point> ginibre_matrix(uint64_t n, const Random& random);

/// Eigenvalues of an n by n matrix of independent complex normal numbers of variance 1/n, shuffled: the finite Ginibre
/// process. They are a determinantal process that fills the unit disc evenly.
/// Source: J. Ginibre, Statistical ensembles of complex, quaternion, and real matrices, Journal of Mathematical
/// Physics 6, 1965.
std::vector<Point> ginibre_points(uint64_t n, const Random& random);

}  // namespace flipscope
