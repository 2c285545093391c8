#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_2.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_traits_2.h>
#include <CGAL/version.h>

#include <cmath>
#include <vector>

#include "bench/experiments.h"

namespace flipscope::bench {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Delaunay = CGAL::Delaunay_triangulation_2<Kernel>;
using PeriodicKernel = CGAL::Periodic_2_Delaunay_triangulation_traits_2<Kernel>;
using Periodic = CGAL::Periodic_2_Delaunay_triangulation_2<PeriodicKernel>;

}  // namespace

Contestant make_cgal(const std::vector<Point>& points, double side, uint64_t& triangles) {
    std::vector<Kernel::Point_2> places;
    const auto wrapped = [side](double v) {
        if (side <= 0) return v;
        const double w = v - side * std::floor(v / side);
        return w < side ? w : 0;  // rounding
    };
    for (const Point point : points) places.emplace_back(wrapped(point.x), wrapped(point.y));
    const auto run = [places = std::move(places), side, &triangles] {
        Delaunay plane;
        Periodic periodic(Periodic::Iso_rectangle(0, 0, std::max(side, 1.0), std::max(side, 1.0)));
        const auto start = Clock::now();
        if (side > 0)
            periodic.insert(places.begin(), places.end(), true);
        else
            plane.insert(places.begin(), places.end());
        const double ms = ms_since(start);
        triangles = side > 0 ? 2 * periodic.number_of_vertices() : plane.dimension() == 2 ? plane.number_of_faces() : 0;
        return ms;
    };
    return {"cgal", run, true};
}

std::string cgal_version() { return CGAL_VERSION_STR; }

}  // namespace flipscope::bench
