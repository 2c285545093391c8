#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "compute/random.h"
#include "mesh/pick.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;

/// The part of a mesh that picking reads; without ghosts, and without the two references that only flips need.
TriangleMesh mesh_of(Context& context, const std::vector<Point3>& places, const Triangles& triangles,
                     bool in_space = true) {
    TriangleMesh mesh;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> seen;
    std::vector<uint32_t> corners, edges;
    for (const auto& t : triangles)
        for (uint32_t k = 0; k < 3; ++k) {
            corners.push_back(t[k]);
            const auto [u, v] = std::minmax(t[k], t[(k + 1) % 3]);
            if (seen.emplace(std::pair(u, v), 0).second) edges.insert(edges.end(), {u, v});
        }
    mesh.reset(context, static_cast<uint32_t>(places.size()), triangles.size(), edges.size() / 2, false);
    std::vector<Point> flat;
    std::vector<double> heights;
    for (const Point3& p : places) {
        flat.push_back({p.x, p.y});
        heights.push_back(p.z);
    }
    flat.emplace_back();
    heights.push_back(0);
    mesh.positions.upload(context, flat.data(), flat.size());
    if (in_space) mesh.heights.upload(context, heights.data(), heights.size());
    mesh.triangles.upload(context, corners.data(), corners.size());
    mesh.edges.upload(context, edges.data(), edges.size());
    mesh.triangle_count = static_cast<uint32_t>(triangles.size());
    mesh.edge_count = static_cast<uint32_t>(edges.size() / 2);
    return mesh;
}

/// A sphere of rings around the z axis, outward.
void sphere(uint32_t rings, uint32_t around, std::vector<Point3>& places, Triangles& triangles, Point3 at = {}) {
    const double pi = 3.141592653589793;
    places.push_back(at + Point3{0, 0, -1});
    for (uint32_t i = 1; i <= rings; ++i)
        for (uint32_t j = 0; j < around; ++j) {
            const double h = -pi / 2 + pi * i / (rings + 1), a = 2 * pi * (j + 0.5 * i) / around;
            places.push_back(at + Point3{std::cos(h) * std::cos(a), std::cos(h) * std::sin(a), std::sin(h)});
        }
    places.push_back(at + Point3{0, 0, 1});
    const auto id = [&](uint32_t i, uint32_t j) { return 1 + (i - 1) * around + j % around; };
    for (uint32_t j = 0; j < around; ++j) triangles.push_back({0, id(1, j + 1), id(1, j)});
    for (uint32_t i = 1; i < rings; ++i)
        for (uint32_t j = 0; j < around; ++j) {
            triangles.push_back({id(i, j), id(i, j + 1), id(i + 1, j)});
            triangles.push_back({id(i, j + 1), id(i + 1, j + 1), id(i + 1, j)});
        }
    const auto top = static_cast<uint32_t>(places.size() - 1);
    for (uint32_t j = 0; j < around; ++j) triangles.push_back({id(rings, j), id(rings, j + 1), top});
}

const ViewAxes kTop{};
const ViewAxes kFront{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
const ViewAxes kAslant = [] {
    const double s = std::sqrt(0.5), t = std::sqrt(1.0 / 3), u = std::sqrt(1.0 / 6);
    return ViewAxes{{-s, s, 0}, {-u, -u, 2 * u}, {t, t, t}};
}();

Element pick(Context& context, const TriangleMesh& mesh, Point place, double radius, const ViewAxes& view = kTop) {
    return pick_element(context, mesh, mesh.vertex_count - 1, {place, radius, view, 1});
}

/// By definition, on the host.
bool is_hidden(const std::vector<Point3>& places, const Triangles& triangles, uint32_t v, const ViewAxes& view) {
    const Point at = view.project(places[v]);
    for (const auto& t : triangles) {
        if (t[0] == v || t[1] == v || t[2] == v) continue;
        Point p[3];
        for (int k = 0; k < 3; ++k) p[k] = view.project(places[t[static_cast<size_t>(k)]]);
        const auto area = [](Point a, Point b, Point c) {
            return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        };
        const double whole = area(p[0], p[1], p[2]);
        const double w0 = area(at, p[1], p[2]) / whole, w1 = area(p[0], at, p[2]) / whole, w2 = 1 - w0 - w1;
        if (!(w0 > -1e-9 && w1 > -1e-9 && w2 > -1e-9)) continue;
        const double near =
            w0 * view.nearness(places[t[0]]) + w1 * view.nearness(places[t[1]]) + w2 * view.nearness(places[t[2]]);
        if (near > view.nearness(places[v]) + 1e-9) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("picking in space: of two squares one above the other, the one in front is meant") {
    on_every_device([&](Context& context) {
        const std::vector<Point3> places{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                         {0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 4, 1}};
        const Triangles triangles{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
        const TriangleMesh mesh = mesh_of(context, places, triangles);
        Element found = pick(context, mesh, {3, 1}, 0.1);
        CHECK(found.kind == ElementKind::kTriangle);
        CHECK(found.id == 2);
        CHECK(found.part == 1);  // as the probe says
        found = pick(context, mesh, {0.05, 0.02}, 0.1);
        CHECK(found.kind == ElementKind::kVertex);
        CHECK(found.id == 4);
        found = pick(context, mesh, {2.02, 2}, 0.1);  // both diagonals lie there
        CHECK(found.kind == ElementKind::kEdge);
        CHECK(mesh.edges.read(2 * size_t(found.id)) + mesh.edges.read(2 * size_t(found.id) + 1) == 4 + 6);
        // From below it is the other way round.
        const ViewAxes below{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
        found = pick(context, mesh, {3, -1}, 0.1, below);
        CHECK(found.id == 0);
        found = pick(context, mesh, {0, 0}, 0.1, below);
        CHECK(found.kind == ElementKind::kVertex);
        CHECK(found.id == 0);
        CHECK(pick(context, mesh, {9, 9}, 0.1).id == kNone);
        // From the front they are two lines.
        found = pick(context, mesh, {2, 0.97}, 0.1, kFront);
        CHECK(found.kind == ElementKind::kEdge);
        CHECK(mesh.edges.read(2 * size_t(found.id)) + mesh.edges.read(2 * size_t(found.id) + 1) == 4 + 5);
    });
}

TEST_CASE("picking in space: of a sphere every vertex that is seen can be picked, and none that is hidden") {
    on_every_device([&](Context& context) {
        std::vector<Point3> places;
        Triangles triangles;
        sphere(9, 14, places, triangles);
        const TriangleMesh mesh = mesh_of(context, places, triangles);
        for (const ViewAxes& view : {kTop, kFront, kAslant}) {
            uint32_t seen = 0;
            for (uint32_t v = 0; v < places.size(); ++v) {
                CAPTURE(v);
                const Element found = pick(context, mesh, view.project(places[v]), 0.02, view);
                const bool hidden = is_hidden(places, triangles, v, view);
                const bool picked = found.kind == ElementKind::kVertex && found.id == v;
                CHECK(picked != hidden);
                seen += picked;
            }
            CHECK(seen > places.size() / 3);
            CHECK(seen < places.size() * 3 / 4);
        }
    });
}

TEST_CASE("picking in space: far from the origin it finds the same") {
    on_every_device([&](Context& context) {
        std::vector<Point3> places, far_places;
        Triangles triangles, same;
        const Point3 far{1 << 28, -(1 << 29), 1 << 27};  // the coordinates keep 2^-24
        sphere(9, 14, places, triangles);
        sphere(9, 14, far_places, same, far);
        const TriangleMesh near_mesh = mesh_of(context, places, triangles),
                           far_mesh = mesh_of(context, far_places, same);
        for (int i = 0; i < 60; ++i) {
            const double a = 2.399963 * i, r = 0.9 * std::sqrt((i + 0.5) / 60);
            const Point at{r * std::cos(a), r * std::sin(a)}, off = kAslant.project(far);
            const Element one = pick(context, near_mesh, at, 0.03, kAslant);
            const Element two = pick(context, far_mesh, {at.x + off.x, at.y + off.y}, 0.03, kAslant);
            CHECK(one.kind == two.kind);
            CHECK(one.id == two.id);
        }
    });
}

TEST_CASE("picking in space: a surface seen from straight above answers as the plane does") {
    on_every_device([&](Context& context) {
        std::vector<Point3> places;
        Triangles triangles;
        const uint32_t n = 8;
        for (uint32_t i = 0; i < n * n; ++i) {
            const double x = i % n, y = i / n;
            places.push_back({x + 0.3 * std::sin(7.0 * i), y + 0.3 * std::cos(5.0 * i), 0.2 * std::sin(x * y)});
        }
        for (uint32_t y = 0; y + 1 < n; ++y)
            for (uint32_t x = 0; x + 1 < n; ++x) {
                const uint32_t a = y * n + x;
                triangles.push_back({a, a + 1, a + n + 1});
                triangles.push_back({a, a + n + 1, a + n});
            }
        const TriangleMesh surface = mesh_of(context, places, triangles),
                           flat = mesh_of(context, places, triangles, false);
        for (int i = 0; i < 200; ++i) {
            const Point at{std::fmod(0.618034 * i, 7.0), std::fmod(0.754878 * i, 7.0)};
            const Element one = pick(context, surface, at, 0.12), two = pick(context, flat, at, 0.12);
            CHECK(one.kind == two.kind);
            CHECK(one.id == two.id);
        }
    });
}

TEST_CASE("picking in space: nothing, one vertex, flat triangles and edges along the line of sight break nothing") {
    on_every_device([&](Context& context) {
        const TriangleMesh one = mesh_of(context, {{1, 2, 3}}, {});
        CHECK(pick(context, one, {1, 2}, 0.5).id == 0);
        CHECK(pick(context, one, {5, 5}, 0.5).id == kNone);
        // All equal; and upright, seen from above as a line.
        const TriangleMesh equal = mesh_of(context, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}});
        CHECK(pick(context, equal, {1, 1}, 0.5).id == 0);
        CHECK(pick(context, equal, {3, 1}, 0.5).id == kNone);
        const TriangleMesh upright = mesh_of(context, {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, {{0, 1, 2}});
        const Element edge = pick(context, upright, {2, 0.01}, 0.1);
        CHECK(edge.kind == ElementKind::kEdge);
        CHECK(edge.id != kNone);
        // The vertex nearer to the eye hides the one below it no more than a place would; ids decide.
        CHECK(pick(context, upright, {0, 0}, 0.1).kind == ElementKind::kVertex);
    });
}

TEST_CASE("picking in space: what a triangle in front hides is not picked, though they may share a vertex") {
    on_every_device([&](Context& context) {
        const TriangleMesh apart = mesh_of(context, {{1, 1, 0}, {3, 1, 0}, {1, 3, 0}, {0, 0, 1}, {9, 0, 1}, {0, 9, 1}},
                                           {{3, 4, 5}, {0, 1, 2}});
        CHECK(pick(context, apart, {1, 1}, 0.1).kind == ElementKind::kTriangle);
        // A roof over vertex 1 hides the edges from there.
        const TriangleMesh roof =
            mesh_of(context, {{3, 1, 0}, {0, 0, 0}, {1, 3, 0}, {}, {9, 0, 9}, {0, 9, 9}}, {{1, 4, 5}, {0, 1, 2}});
        for (const Point at : {Point{1.5, 0.5}, {0.5, 1.5}}) {
            const Element found = pick(context, roof, at, 0.3);
            CHECK(found.kind == ElementKind::kTriangle);
            CHECK(found.id == 0);
        }
    });
}

TEST_CASE("picking among lines: the nearest vertex or edge within the radius, and no states unless they are recorded") {
    on_every_device([&](Context& context) {
        Linework lines;
        const std::vector<Point> places{{0, 0}, {4, 0}};
        const std::vector<uint32_t> ends{0, 1};
        for (const bool with_states : {true, false}) {
            lines.reset(context, 2, 1, with_states);
            CHECK(lines.records_states() == with_states);
            CHECK(lines.vertex_states.download() == std::vector<State>(with_states ? 2 : 0));
        }
        lines.positions.upload(context, places.data(), 2);
        lines.edges.upload(context, ends.data(), 2);
        lines.edge_count = 1;
        const Element vertex = pick_element(context, lines, 2, {{3.9, 0}, 0.2, kTop});
        CHECK(vertex.kind == ElementKind::kVertex);
        CHECK(vertex.id == 1);
        CHECK(vertex.part == 0);
        CHECK(pick_element(context, lines, 2, {{2, 0.05}, 0.2, kTop}).kind == ElementKind::kEdge);
        CHECK(pick_element(context, lines, 2, {{2, 0.15}, 0.2, kTop}).id == kNone);
    });
}

TEST_CASE("picking in the plane: a triangle holds the places of its edges") {
    on_every_device([&](Context& context) {
        const TriangleMesh one = mesh_of(context, {{0, 0, 0}, {10, 90, 0}, {0, 90, 0}}, {{0, 1, 2}}, false);
        const Element found = pick(context, one, {7, 63}, 0);  // rounding puts it next to its edge
        CHECK(found.kind == ElementKind::kTriangle);
        CHECK(found.id == 0);
    });
}
