// Points lifted to the paraboloid: heights, convexity of edges, the upper hull, picks and marks.
#include "instruments/paraboloid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "delaunay/furthest_point.h"
#include "flipscope/predicates.h"
#include "geometry/generators.h"
#include "instruments/exploring_lab.h"
#include "lab/facets.h"

using namespace flipscope;

namespace {

/// Six times the volume of a lifted tetrahedron, times L; exact for small whole numbers.
int64_t volume_of_lifted(const Lift& lift, const std::array<Point, 4>& p) {
    int64_t m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[i][0] = static_cast<int64_t>(p[i].x - p[3].x);
        m[i][1] = static_cast<int64_t>(p[i].y - p[3].y);
        m[i][2] = static_cast<int64_t>((lift.height(p[i]) - lift.height(p[3])) * lift.length);
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

using Triangles = std::set<std::array<uint32_t, 3>>;

std::array<uint32_t, 3> from_least(std::array<uint32_t, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

/// Every triangle of the points whose circle contains all others.
Triangles furthest_by_brute_force(const std::vector<Point>& points) {
    Triangles found;
    const auto n = static_cast<uint32_t>(points.size());
    for (uint32_t a = 0; a < n; ++a)
        for (uint32_t b = 0; b < n; ++b)
            for (uint32_t c = 0; c < n; ++c) {
                if (a > b || a > c || orient2d(points[a], points[b], points[c]) <= 0) continue;
                bool holds = true;
                for (uint32_t d = 0; d < n && holds; ++d)
                    holds = d == a || d == b || d == c ||
                            incircle_tied(points[a], points[b], points[c], points[d], a, b, c, d) > 0;
                if (holds) found.insert({a, b, c});
            }
    return found;
}

Triangles furthest(const std::vector<Point>& points) {
    std::vector<uint32_t> inputs(points.size());
    std::iota(inputs.begin(), inputs.end(), 0u);
    const auto triangles = furthest_point_delaunay(points, inputs, 1000);
    REQUIRE(triangles);
    Triangles found;
    for (const auto& t : *triangles) found.insert(from_least(t));
    CHECK(found.size() == triangles->size());
    return found;
}

struct LiftedLab : ExploringLab {
    Paraboloid paraboloid;

    LiftedLab(const DeviceUnderTest& device, const std::string& id, const std::string& points,
              const std::vector<Parameter>& parameters = {})
        : ExploringLab(device, id, std::make_shared<const Geometry>(generate(parse_generator(points))), parameters) {
        lift({true, false});
    }
    void lift(Paraboloid::Choice choice) {
        scene = lab->scene();
        paraboloid.update(context, scene, choice);
        paraboloid.apply(scene);
    }
    const SceneView& view() const { return scene.view(1); }
    template <class Shape>
    const Shape& shape(const std::string& layer) const {
        return std::get<Shape>(view().layer(layer)->shape);
    }
    std::vector<double> heights() const {
        const auto& points = shape<PointsLayer>("points");
        return points.heights->download(points.count);
    }
};

}  // namespace

TEST_CASE("paraboloid: vertices lie on it, drawn from the mesh's own buffers, equal on every device") {
    std::vector<double> first;
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        const LiftedLab lifted(device, "build", "uniform:3000");
        const TriangleMesh& mesh = *lifted.scene.mesh;
        REQUIRE(lifted.scene.view_count() == 2);
        CHECK(lifted.view().in_space);
        const std::vector<double> heights = lifted.heights();
        const std::vector<Point> places = mesh.positions.download(heights.size());
        REQUIRE(heights.size() == 3000);
        for (size_t i = 0; i < heights.size(); ++i) REQUIRE(heights[i] == lifted.paraboloid.lift().height(places[i]));
        if (first.empty()) first = heights;
        CHECK(heights == first);
        CHECK(lifted.shape<SegmentsLayer>("edges").ends == &mesh.edges);
        CHECK(lifted.shape<SegmentsLayer>("edges").states == states_or_none(mesh.edge_states));
        CHECK(lifted.shape<TrianglesLayer>("triangles").corners == &mesh.triangles);
        const auto& shadow = lifted.shape<TrianglesLayer>("shadow");
        CHECK(shadow.corners == &mesh.triangles);
        CHECK(shadow.heights->read(7) == lifted.paraboloid.floor());
    }
}

TEST_CASE("paraboloid: a lifted tetrahedron is oriented as the in-circle test says, exactly") {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> on_grid(-4, 4);
    const Lift lift{{0, 0}, 4};
    size_t cocircular = 0;
    for (size_t i = 0; i < case_count(20'000); ++i) {
        std::array<Point, 4> p;
        for (Point& one : p) one = {double(on_grid(random)), double(on_grid(random))};
        const int64_t volume = volume_of_lifted(lift, p);
        const int sign = volume > 0 ? 1 : volume < 0 ? -1 : 0;
        REQUIRE(sign == incircle(p[0], p[1], p[2], p[3]));
        cocircular += sign == 0;
    }
    CHECK(cocircular > 0);
}

TEST_CASE("paraboloid: the lower hull is the Delaunay triangulation: no vertex lies below a triangle's plane") {
    for (const char* points : {"grid:49", "ring:24", "uniform:60"}) {
        INFO(points);
        LiftedLab lifted({DeviceRequest::kCpu, 2, ""}, "flip", points);
        const TriangleMesh& mesh = *lifted.scene.mesh;
        for (uint32_t t = 0; t < mesh.triangle_count; ++t)
            CHECK(
                lifted.paraboloid.lifted(lifted.context, lifted.lab->scene(), {ElementKind::kTriangle, t}, {}).empty());
    }
}

TEST_CASE("paraboloid: the upper hull agrees with brute force on small sets, also on lines and circles") {
    std::mt19937 random(2);
    for (size_t i = 0; i < case_count(4000); ++i) {
        const int side = 2 + static_cast<int>(i % 4);
        std::uniform_int_distribution<int> on_grid(0, side), count(0, 9);
        std::set<std::pair<int, int>> places;
        for (int k = count(random); k > 0; --k) places.insert({on_grid(random), on_grid(random)});
        std::vector<Point> points;
        for (const auto& [x, y] : places) points.push_back({double(x), double(y)});
        std::shuffle(points.begin(), points.end(), random);
        REQUIRE(furthest(points) == furthest_by_brute_force(points));
    }
    std::vector<Point> ring;
    for (const auto& [x, y] : {std::pair{5, 0}, {4, 3}, {3, 4}, {0, 5}, {-3, 4}, {-4, 3}, {-5, 0}, {-4, -3}, {0, -5}})
        ring.push_back({double(x), double(y)});
    CHECK(furthest(ring) == furthest_by_brute_force(ring));
    CHECK(furthest(ring).size() == ring.size() - 2);
    std::vector<uint32_t> inputs(ring.size());
    CHECK_FALSE(furthest_point_delaunay(ring, inputs, 8));
}

TEST_CASE("paraboloid: the upper hull's edges are a layer in both views, and the diagram one of the plane") {
    LiftedLab lifted({DeviceRequest::kCpu, 2, ""}, "build", "uniform:200");
    CHECK_FALSE(lifted.scene.layer(Paraboloid::kUpperHull));
    lifted.lift({true, true});
    const size_t triangles = lifted.paraboloid.upper_triangles().size();
    REQUIRE(triangles > 2);
    const auto& edges = lifted.shape<SegmentsLayer>(Paraboloid::kUpperHull);
    CHECK(edges.count == 2 * triangles + 1);
    CHECK(edges.heights);
    // A line for each edge inside, a ray for each edge of the convex hull.
    CHECK(std::get<SegmentsLayer>(lifted.scene.layer("furthest-point")->shape).count == edges.count);
    CHECK(std::get<SegmentsLayer>(lifted.scene.layer(Paraboloid::kUpperHull)->shape).ends == edges.ends);
}

TEST_CASE("paraboloid: what is picked on it is the element of the plane") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        LiftedLab lifted(device, "build", "uniform:100");
        const Scene plane = lifted.lab->scene();
        const ViewAxes above{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // from here both views coincide
        const auto& inspectable = *find_facet<Inspectable>(*lifted.lab);
        for (int i = 0; i < 100; ++i) {
            const Point place{0.05 + 0.1 * (i % 10), 0.05 + 0.1 * (i / 10)};
            const Element found = lifted.paraboloid.pick(lifted.context, plane, {place, 0.02, above, 1});
            CHECK(found == inspectable.pick({place, 0.02, {}, 0}));
        }
    }
}

TEST_CASE("paraboloid: a circle is lifted to a plane, and the points below it are marked in both views") {
    LiftedLab lifted({DeviceRequest::kCpu, 2, ""}, "build", "uniform:40", {{"flips", "off"}});
    const Scene plane = lifted.lab->scene();
    const TriangleMesh& mesh = *plane.mesh;
    const Lift& lift = lifted.paraboloid.lift();
    const auto& inspectable = *find_facet<Inspectable>(*lifted.lab);
    size_t below = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        const std::vector<uint32_t> corners = mesh.triangles.download(3, 3 * size_t(t));
        if (std::ranges::any_of(corners, [&](uint32_t v) { return v >= mesh.infinite(); })) continue;
        const Element triangle{ElementKind::kTriangle, t};
        const std::vector<Highlight> marks = inspectable.inspect(triangle).highlights;
        const std::vector<Highlight> found = lifted.paraboloid.lifted(lifted.context, plane, triangle, marks);
        Point p[3];
        for (int k = 0; k < 3; ++k) p[k] = mesh.positions.read(corners[k]);
        size_t inside = 0, in_plane = 0, in_space = 0;
        for (uint32_t v = 0; v < mesh.infinite(); ++v) inside += incircle(p[0], p[1], p[2], mesh.positions.read(v)) > 0;
        for (const Highlight& mark : found) {
            if (mark.name == "below the plane") ++(mark.part == 0 ? in_plane : in_space);
            if (!contains(mark.name, "circumcircle")) continue;
            const Point3 a = lift(p[0]), ab = lift(p[1]) - a, ac = lift(p[2]) - a;
            const Point3 normal{ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z, ab.x * ac.y - ab.y * ac.x};
            const double length = std::sqrt(dot(normal, normal));
            for (const Point3& place : mark.places) {
                const double far = 1 + std::abs(place.z);
                CHECK(std::abs(dot(place - a, normal)) < 1e-6 * far * far * std::max(length, 1e-3));
            }
        }
        CHECK(in_plane == inside);
        CHECK(in_space == inside);
        below += inside;
    }
    CHECK(below > 0);  // without flips it is not Delaunay
}

TEST_CASE("paraboloid: a scene without a planar mesh, or without room, stays as it is") {
    LiftedLab surface({DeviceRequest::kCpu, 2, ""}, "flip", "sphere:60");
    CHECK(surface.paraboloid.part() == kNone);
    CHECK(surface.scene.view_count() == 1);
    LiftedLab few({DeviceRequest::kCpu, 2, ""}, "build", "uniform:2");
    CHECK(few.paraboloid.part() == kNone);
    few.lift({false, false});
    CHECK(few.scene.view_count() == 1);
}
