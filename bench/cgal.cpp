#include "bench/cgal.h"

#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_2.h>
#include <CGAL/Periodic_2_Delaunay_triangulation_traits_2.h>
#include <CGAL/version.h>

#include <chrono>
#include <cmath>
#include <vector>

namespace flipscope::bench {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Delaunay = CGAL::Delaunay_triangulation_2<Kernel>;

class Cgal : public Contestant {
  public:
    explicit Cgal(const Geometry& set) {
        points_.reserve(set.points.size());
        for (const Point point : set.points) points_.emplace_back(point.x, point.y);
    }
    std::string name() const override { return "cgal"; }
    double run() override {
        Delaunay triangulation;
        const auto start = std::chrono::steady_clock::now();
        triangulation.insert(points_.begin(), points_.end());
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
        triangles_ = triangulation.dimension() == 2 ? triangulation.number_of_faces() : 0;
        return elapsed.count();
    }
    uint64_t triangles() const override { return triangles_; }

  private:
    std::vector<Kernel::Point_2> points_;
    uint64_t triangles_ = 0;
};

using PeriodicKernel = CGAL::Periodic_2_Delaunay_triangulation_traits_2<Kernel>;
using Periodic = CGAL::Periodic_2_Delaunay_triangulation_2<PeriodicKernel>;

class PeriodicCgal : public Contestant {
  public:
    PeriodicCgal(const Geometry& set, double side) : box_(0, 0, side, side) {
        const auto wrapped = [side](double v) {
            const double w = v - side * std::floor(v / side);
            return w < side ? w : 0;  // rounding
        };
        points_.reserve(set.points.size());
        for (const Point point : set.points) points_.emplace_back(wrapped(point.x), wrapped(point.y));
    }
    std::string name() const override { return "periodic cgal"; }
    double run() override {
        Periodic triangulation(box_);
        const auto start = std::chrono::steady_clock::now();
        triangulation.insert(points_.begin(), points_.end(), true);
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
        triangles_ = 2 * triangulation.number_of_vertices();
        return elapsed.count();
    }
    uint64_t triangles() const override { return triangles_; }

  private:
    Periodic::Iso_rectangle box_;
    std::vector<Periodic::Point> points_;
    uint64_t triangles_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> make_periodic_cgal(const Geometry& points, double side) {
    return std::make_unique<PeriodicCgal>(points, side);
}
std::unique_ptr<Contestant> make_cgal(const Geometry& points) { return std::make_unique<Cgal>(points); }
std::string cgal_version() { return CGAL_VERSION_STR; }

}  // namespace flipscope::bench
