#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_2.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_traits_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
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

std::vector<std::array<uint32_t, 3>> triangles_by_cgal(const std::vector<Point>& points) {
    using Vertex = CGAL::Triangulation_vertex_base_with_info_2<uint32_t, Kernel>;
    CGAL::Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<Vertex>> made;
    std::vector<std::pair<Kernel::Point_2, uint32_t>> places;
    for (const Point point : points) places.push_back({{point.x, point.y}, static_cast<uint32_t>(places.size())});
    made.insert(places.begin(), places.end());
    std::vector<std::array<uint32_t, 3>> triangles;
    if (made.dimension() == 2)
        for (auto face = made.finite_faces_begin(); face != made.finite_faces_end(); ++face)
            triangles.push_back({face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()});
    return triangles;
}

std::string cgal_version() { return CGAL_VERSION_STR; }

}  // namespace flipscope::bench
