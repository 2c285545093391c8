// The yardstick: CGAL's Delaunay_triangulation_2 over its exact-predicates kernel, with its own spatial sort. One
// thread: CGAL's planar triangulation has no parallel mode. Only built where CGAL is installed.
#pragma once

#include <memory>
#include <string>

#include "bench/measure.h"
#include "geometry/point.h"

namespace flipscope::bench {

/// Converts the points beforehand; a run is one insert(begin, end) into an empty triangulation.
std::unique_ptr<Contestant> make_cgal(const Geometry& points);
std::string cgal_version();

}  // namespace flipscope::bench
