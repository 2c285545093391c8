// Eigenvalues of random complex matrices. Used by the generator "ginibre".
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/point.h"
#include "geometry/random_streams.h"

namespace flipscope {

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
