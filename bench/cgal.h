// The reference: CGAL's Delaunay_triangulation_2 over its exact-predicates kernel, with its own spatial sort, and its
// periodic one. One thread: CGAL's planar triangulations have no parallel mode. Only built if CGAL is installed.
#pragma once

#include <memory>
#include <string>

#include "bench/measure.h"
#include "geometry/point.h"

namespace flipscope::bench {

/// Converts the points in advance; a run is one insert(begin, end) into an empty triangulation.
std::unique_ptr<Contestant> make_cgal(const Geometry& points);
/// The same in a periodic box: Periodic_2_Delaunay_triangulation_2 over [0, side)², with the points wrapped in advance.
/// Counts the triangles of one sheet.
std::unique_ptr<Contestant> make_periodic_cgal(const Geometry& points, double side);
std::string cgal_version();

}  // namespace flipscope::bench
