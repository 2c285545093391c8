// From triangles to a mesh: adjacency, reorientation, cuts and boundaries.
#include "mesh/connect.h"

#include <map>
#include <random>
#include <set>

#include "delaunay/flip_films.h"
#include "flipscope/triangulate.h"
#include "mesh/checks.h"

using namespace flipscope;

namespace {

struct Connected : HostMesh {
    TriangleMesh mesh;
    Buffer<uint8_t> pinched{"pinched"};
    Connection connection;

    Connected(Context& context, const Geometry& geometry, bool with_states = true) {
        connection = connect(context, geometry, mesh, pinched, with_states);
        static_cast<HostMesh&>(*this) = download_mesh(mesh);
    }
    uint32_t from(uint32_t corner) const { return triangles[corner]; }
    uint32_t to(uint32_t corner) const { return triangles[next_corner(corner)]; }
    uint32_t across(uint32_t corner) const { return corner_of[half_edge_at[corner] ^ 1]; }
};

/// Everything that triangle_mesh.h and connect.h promise of any input.
void check_promises(const Geometry& geometry, const Connected& c) {
    const TriangleMesh& mesh = c.mesh;
    const uint32_t t = static_cast<uint32_t>(geometry.triangles.size()), inf = mesh.infinite();
    const Connection& found = c.connection;
    REQUIRE(mesh.triangles.size() == 3 * size_t(mesh.triangle_count));
    REQUIRE(mesh.half_edge_at.size() == mesh.triangles.size());
    REQUIRE(mesh.edges.size() == 2 * size_t(mesh.edge_count));
    REQUIRE(mesh.corner_of.size() == mesh.edges.size());
    REQUIRE(3 * mesh.triangle_count == 2 * mesh.edge_count);
    REQUIRE(mesh.positions.size() == mesh.vertex_count);
    REQUIRE(mesh.inputs.size() == mesh.vertex_count);
    CHECK(mesh.heights.size() == (geometry.in_space() ? mesh.vertex_count : 0));
    CHECK(c.inputs[inf] == kNone);
    CHECK(std::is_sorted(c.inputs.begin(), c.inputs.end()));

    REQUIRE(broken_references(c) == 0);
    for (uint32_t e = 0; e < mesh.edge_count; ++e) CHECK(c.edges[2 * e] < c.edges[2 * e + 1]);
    bool ascending = true;
    for (uint32_t e = 1; e < mesh.edge_count; ++e) {
        const bool before = c.edges[2 * e - 1] == inf, now = c.edges[2 * e + 1] == inf;
        const auto last = std::pair(c.edges[2 * e - 2], c.edges[2 * e - 1]);
        ascending = ascending && (before != now ? now : last <= std::pair(c.edges[2 * e], c.edges[2 * e + 1]));
    }
    CHECK(ascending);

    uint64_t turned = 0;
    std::set<uint32_t> used;
    for (uint32_t i = 0; i < t; ++i) {
        std::array<uint32_t, 3> now{};
        for (uint32_t k = 0; k < 3; ++k) {
            REQUIRE(c.triangles[3 * i + k] < inf);
            now[k] = c.inputs[c.triangles[3 * i + k]];
            used.insert(now[k]);
            CHECK(c.positions[c.triangles[3 * i + k]] == geometry.points[now[k]]);
        }
        const auto& then = geometry.triangles[i];
        if (now == then) continue;
        CHECK(now == std::array{then[0], then[2], then[1]});
        ++turned;
    }
    CHECK(turned == found.turned);
    CHECK(used.size() == inf);
    CHECK(found.unused_points == geometry.points.size() - used.size());

    // Ghosts: one for every boundary half-edge, linked to each other, infinite vertex last.
    bool walled = true;
    std::map<uint32_t, uint32_t> ends;
    for (uint32_t g = t; g < mesh.triangle_count; ++g) {
        walled = walled && c.triangles[3 * g + 2] == inf && c.triangles[3 * g] < inf && c.triangles[3 * g + 1] < inf;
        walled = walled && c.across(3 * g) < 3 * t && c.across(3 * g + 1) >= 3 * t && c.across(3 * g + 2) >= 3 * t;
    }
    CHECK(walled);
    CHECK(mesh.triangle_count - t == found.boundary_edges + found.seam_edges.size());
    CHECK(found.seam_edges.size() >= 2 * found.seams);

    // Umbrellas: the orbits of the corners, and the orbits of the ghosts at a vertex are the same.
    std::vector<uint32_t> umbrellas(inf, 0);
    std::vector<bool> seen(c.triangles.size());
    for (uint32_t start = 0; start < c.triangles.size(); ++start) {
        if (seen[start] || c.from(start) == inf) continue;
        uint32_t finite = 0;
        for (uint32_t corner = start; !seen[corner]; corner = next_corner(c.across(corner)))
            seen[corner] = true, finite += corner < 3 * t;
        CHECK(finite > 0);
        ++umbrellas[c.from(start)];
    }
    uint64_t pinched = 0;
    const std::vector<uint8_t> marks = c.pinched.download();
    for (uint32_t v = 0; v < inf; ++v) pinched += umbrellas[v] > 1;
    CHECK(pinched == found.pinched_vertices);
    CHECK(marks.size() == (pinched ? mesh.vertex_count : 0));
    if (pinched)
        for (uint32_t v = 0; v < inf; ++v) CHECK(marks[v] == (umbrellas[v] > 1));

    if (!mesh.records_states()) return;
    const std::vector<State> states = mesh.edge_states.download();
    REQUIRE(states.size() == mesh.edge_count);
    std::vector<uint32_t> marked;
    for (uint32_t e = 0; e < mesh.edge_count; ++e)
        if (states[e]) marked.push_back(e);
    CHECK(marked == found.seam_edges);
}

Geometry space(std::vector<Point3> points, std::vector<std::array<uint32_t, 3>> triangles) {
    Geometry geometry{"test", {}, {}, std::move(triangles)};
    for (const Point3 p : points) geometry.points.push_back({p.x, p.y}), geometry.heights.push_back(p.z);
    return geometry;
}

Connection connected(const Geometry& geometry) {
    Connection first;
    on_every_device([&](Context& context) {
        const Connected c(context, geometry);
        check_promises(geometry, c);
        first = c.connection;
        CHECK_FALSE(Connected(context, geometry, false).mesh.records_states());
    });
    return first;
}

}  // namespace

TEST_CASE("connect: a Delaunay triangulation becomes the very mesh that insertion makes, in counts and hash") {
    on_every_device([&](Context& context) {
        std::vector<Input> inputs = hard_inputs();
        inputs.push_back(generated("uniform:3000"));
        for (const Input& input : inputs) {
            INFO(input->name);
            const Triangulation delaunay = triangulate(context, input->points);
            Geometry geometry = *input;
            geometry.triangles = delaunay.triangles;
            const Connected c(context, geometry);
            check_promises(geometry, c);
            if (geometry.triangles.empty()) continue;
            CHECK(c.connection.convex_outline);
            CHECK(c.connection.turned == 0);
            CHECK(c.connection.seams == 0);
            const CheckReport report = check_mesh(context, c.mesh);
            INFO(report.sentence);
            CHECK(report.passed);
            CHECK(summarise(context, c.mesh, c.mesh.infinite()).hash == delaunay.hash);
        }
    });
}

TEST_CASE("connect: nothing, and one triangle") {
    for (const uint32_t points : {0u, 1u, 2u, 3u}) {
        const Connection found = connected(plane_mesh(std::vector<Point>(points, {1, 2}), {}));
        CHECK(found.unused_points == points);
        CHECK(found.components == 0);
        CHECK_FALSE(found.convex_outline);
    }
    Context context(DeviceRequest::kCpu, 1);
    CHECK(finished(context, generated("line:5"), "flip")->result().unused == 0);  // on a line, without a triangle
    const Connection one = connected(plane_mesh({{0, 0}, {9, 9}, {1, 0}, {0, 1}}, {{2, 3, 0}}));
    CHECK(one.convex_outline);
    CHECK(one.boundary_edges == 3);
    CHECK(one.unused_points == 1);
    CHECK(one.outlines == 1);
}

TEST_CASE("connect: holes, bays, islands and triangles that touch at a corner have their outlines apart") {
    Context context(DeviceRequest::kCpu, 2);
    // a square ring around a hole
    const std::vector<Point> ring{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 1}, {2, 1}, {2, 2}, {1, 2}};
    const Connection hole = connected(
        plane_mesh(ring, {{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}}));
    CHECK(hole.outlines == 2);
    CHECK(hole.boundary_edges == 8);
    CHECK(hole.components == 1);
    CHECK_FALSE(hole.convex_outline);
    const Connection bay = connected(plane_mesh({{0, 0}, {2, 1}, {4, 0}, {2, 3}}, {{0, 1, 3}, {1, 2, 3}}));
    CHECK(bay.outlines == 1);
    CHECK_FALSE(bay.convex_outline);
    // collinear points on the outline do not spoil it
    CHECK(connected(plane_mesh({{0, 0}, {2, 0}, {4, 0}, {2, 3}}, {{0, 1, 3}, {1, 2, 3}})).convex_outline);
    const Connection apart =
        connected(plane_mesh({{0, 0}, {1, 0}, {0, 1}, {5, 5}, {6, 5}, {5, 6}}, {{0, 1, 2}, {3, 4, 5}}));
    CHECK(apart.components == 2);
    CHECK(apart.outlines == 2);
    CHECK_FALSE(apart.convex_outline);
    // four triangles around one vertex, at two of its sides only: bow ties
    const Connection tie =
        connected(plane_mesh({{0, 0}, {2, -1}, {2, 1}, {-2, 1}, {-2, -1}, {3, 0}}, {{0, 1, 2}, {0, 3, 4}, {1, 5, 2}}));
    CHECK(tie.pinched_vertices == 1);
    CHECK(tie.outlines == 2);
    CHECK(tie.components == 2);
}

TEST_CASE("connect: every subset of a triangulation's triangles keeps the promises") {
    Context context(DeviceRequest::kCpu, 2);
    std::mt19937_64 random(77);
    for (size_t i = 0; i < case_count(60); ++i) {
        Geometry geometry = triangulated(context, *generated("uniform:" + std::to_string(5 + i % 60)));
        std::shuffle(geometry.triangles.begin(), geometry.triangles.end(), random);
        geometry.triangles.resize(1 + random() % geometry.triangles.size());
        for (auto& t : geometry.triangles) std::rotate(t.begin(), t.begin() + random() % 3, t.end());
        const Connected c(context, geometry);
        check_promises(geometry, c);
        CHECK(c.connection.turned == 0);
        CHECK(c.connection.seams == 0);
    }
}

TEST_CASE("connect: a surface's triangles are oriented alike, and a closed one has no ghost") {
    const std::vector<Point3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Connection alike = connected(space(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}));
    CHECK(alike.turned == 0);
    CHECK(alike.boundary_edges == 0);
    CHECK(alike.outlines == 0);
    const Connection mixed = connected(space(corners, {{0, 2, 1}, {0, 3, 1}, {1, 2, 3}, {0, 2, 3}}));
    CHECK(mixed.turned == 2);
    CHECK(mixed.components == 1);
    CHECK(mixed.seams == 0);
    CHECK_FALSE(mixed.convex_outline);
    // one triangle twice: a pillow
    const Connection pillow = connected(space(corners, {{0, 1, 2}, {0, 1, 2}}));
    CHECK(pillow.turned == 1);
    CHECK(pillow.boundary_edges == 0);
    CHECK(pillow.pinched_vertices == 0);
}

TEST_CASE("connect: a surface is cut where it is none: at edges of three triangles, and once around a Möbius band") {
    Context context(DeviceRequest::kCpu, 2);
    const Geometry fan =
        space({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}});
    const Connection book = connected(fan);
    CHECK(book.seams == 1);
    CHECK(book.seam_edges.size() == 3);
    CHECK(book.components == 3);
    CHECK(book.boundary_edges == 6);
    CHECK(book.pinched_vertices == 2);

    Geometry band = space({}, {});
    const uint32_t n = 12;  // quadrilaterals
    for (uint32_t i = 0; i < n; ++i) {
        const double a = 2 * 3.14159265358979 * i / n;
        for (const double w : {-0.3, 0.3}) {
            const double r = 1 + w * std::cos(a / 2);
            band.points.push_back({r * std::cos(a), r * std::sin(a)});
            band.heights.push_back(w * std::sin(a / 2));
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t a = 2 * i, b = a + 1;
        const uint32_t c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;  // the last one twists
        band.triangles.push_back({a, c, b});
        band.triangles.push_back({b, c, d});
    }
    const Connection moebius = connected(band);
    CHECK(moebius.seams == 1);
    CHECK(moebius.seam_edges.size() == 2);
    CHECK(moebius.components == 1);
    CHECK(moebius.boundary_edges == 2 * n);
    CHECK(moebius.outlines == 1);          // cut once it is a plain band
    CHECK(moebius.pinched_vertices == 2);  // the ends of the cut
}

TEST_CASE("connect: any soup of triangles, however tangled, becomes a sound mesh") {
    Context context(DeviceRequest::kCpu, 2);
    std::mt19937_64 random(4242);
    for (size_t i = 0; i < case_count(400); ++i) {
        Geometry soup = space({}, {});
        const uint32_t n = 3 + random() % 12, t = random() % 40;
        for (uint32_t v = 0; v < n; ++v)
            soup.points.push_back({double(random() % 100), double(random() % 100)}), soup.heights.push_back(double(v));
        while (soup.triangles.size() < t) {
            const std::array<uint32_t, 3> c{uint32_t(random() % n), uint32_t(random() % n), uint32_t(random() % n)};
            if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) soup.triangles.push_back(c);
        }
        const Connected c(context, soup);
        check_promises(soup, c);
    }
}

TEST_CASE("connect: a triangle that names a missing vertex or one vertex twice is refused by its number") {
    Context context(DeviceRequest::kCpu, 1);
    const auto message = [&](const Geometry& geometry) -> std::string {
        return error_of([&] { Connected c(context, geometry); }, "");
    };
    const std::vector<Point3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(contains(message(space(points, {{0, 1, 2}, {0, 3, 1}})), "triangle 1 names vertex 3"));
    CHECK(contains(message(space(points, {{0, 1, 2}, {0, 2, 2}})), "triangle 1 has vertex 2 at two"));
    CHECK(contains(message(plane_mesh({{0, 0}, {1, 0}}, {{0, 1, 0}})), "triangle 0 has vertex 0 at two"));
    CHECK(contains(message(plane_mesh({}, {{0, 1, kNone}})), "triangle 0 names vertex 0"));
}
