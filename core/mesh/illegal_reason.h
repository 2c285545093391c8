// Why an edge of a planar triangulation is illegal, in the same words for the list of failures and the inspector. nvcc,
// if present, compiles the sources that use its kernel side.
#pragma once

#include <cstdint>
#include <string>

#include "flipscope/predicates.h"
#include "mesh/legality.h"

namespace flipscope {

enum class IllegalReason : uint32_t { kInside, kTie, kNoCircle, kFlatAtHull };

/// For an illegal edge from a to b with c on its left and d on its right, all finite.
FLIPSCOPE_HD inline IllegalReason reason_of_illegal(Point a, Point b, Point c, Point d) {
    if (orient2d(a, b, c) <= 0 || orient2d(b, a, d) <= 0) return IllegalReason::kNoCircle;
    return exact::incircle_sign(a, b, c, d) == 0 ? IllegalReason::kTie : IllegalReason::kInside;
}

/// Whether an illegal edge is illegal by the tie rule alone: its four points lie on one circle, so it is Delaunay.
FLIPSCOPE_HD inline bool is_tied(const MeshView& mesh, const Quad& q) {
    if (touches_infinity(mesh, q)) return false;
    const View<const Point>& at = mesh.positions;
    return reason_of_illegal(at[q.from], at[q.to], at[q.left], at[q.right]) == IllegalReason::kTie;
}

/// What follows "edge 12 is illegal: ". `left`, `right`: the input indices of the points opposite to the edge.
std::string sentence_of(IllegalReason reason, uint32_t left, uint32_t right);

}  // namespace flipscope
