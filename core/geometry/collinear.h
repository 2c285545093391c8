// Whether three points in space are collinear. Exact, for the same range of coordinates as the planar predicates. Used
// to detect triangles of a surface without area.
#pragma once

#include "flipscope/predicates.h"

namespace flipscope {

/// True if all three projections along the axes are collinear; also if points coincide.
FLIPSCOPE_HD inline bool collinear(Point3 p, Point3 q, Point3 r) {
    return orient2d({p.x, p.y}, {q.x, q.y}, {r.x, r.y}) == 0 && orient2d({p.y, p.z}, {q.y, q.z}, {r.y, r.z}) == 0 &&
           orient2d({p.z, p.x}, {q.z, q.x}, {r.z, r.x}) == 0;
}

}  // namespace flipscope
