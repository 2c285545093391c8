// The mesh alone: its first triangle, its two operations, and the rule for edges that must flip.
#include "mesh/delaunay_mesh.h"
#include "mesh/triangle_mesh.h"

#include <random>
#include <set>

#include "delaunay/flip_films.h"
#include "mesh/hash.h"
#include "mesh/illegal_reason.h"
#include "mesh/legality.h"
#include "mesh/star_of.h"
#include "mesh/surgery.h"

using namespace flipscope;

namespace {

TriangleMesh first_triangle(Context& context) {
    TriangleMesh mesh;
    const std::vector<Point> points{{0, 0}, {4, 0}, {0, 4}, {1, 1}, {0.5, 2}, {0, 0}};
    const std::vector<uint32_t> inputs{0, 1, 2, 3, 4, kNone};
    mesh.positions.upload(context, points.data(), points.size());
    mesh.inputs.upload(context, inputs.data(), inputs.size());
    mesh.reset(context, 5, true);
    mesh.start(context, 0, 1, 2);
    return mesh;
}

Triangles triangles_in(const HostMesh& mesh) {
    Triangles triangles;
    for (size_t corner = 0; corner < mesh.triangles.size(); corner += 3)
        triangles.push_back({mesh.triangles[corner], mesh.triangles[corner + 1], mesh.triangles[corner + 2]});
    return triangles;
}

}  // namespace

TEST_CASE("mesh: splits and turns keep the references, and four turns of an edge are none") {
    Context context(DeviceRequest::kCpu, 1);
    const DelaunayMesh made(context, generated("uniform:60"));
    CHECK(made.mesh().triangle_count == 2 * 61 - 4);
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        HostMesh host = download_mesh(made.mesh());
        const MeshView mesh = host.view();
        for (int i = 0; i < 40; ++i) {
            const uint32_t edge = uint32_t(random() % host.edge_count());
            const Quad before = quad_at(mesh, edge);
            if (before.left == before.right) continue;
            flip_edge(mesh, edge);
            CHECK(broken_references(host) > 0);  // until the repair
            repair_flipped(mesh, edge);
            CHECK(broken_references(host) == 0);
            const Quad after = quad_at(mesh, edge);
            CHECK(after.from == before.right);
            CHECK(after.to == before.left);
            CHECK(std::set<uint32_t>{after.left, after.right} == std::set<uint32_t>{before.from, before.to});
        }
        const HostMesh before = host;
        const uint32_t edge = uint32_t(random() % host.edge_count());
        if (quad_at(mesh, edge).left == quad_at(mesh, edge).right) continue;
        for (int i = 0; i < 4; ++i) {
            flip_edge(mesh, edge);
            repair_flipped(mesh, edge);
        }
        // The triangles may have turned their places, but they are the same.
        CHECK(sorted_triangles(triangles_in(host)) == sorted_triangles(triangles_in(before)));
    }

    HostMesh host = download_mesh(first_triangle(context));
    const auto split = [&](uint32_t triangle, uint32_t vertex) {
        const uint32_t triangles = host.triangle_count(), edges = host.edge_count();
        for (auto* words : {&host.triangles, &host.half_edge_at, &host.edges, &host.corner_of})
            words->resize(words->size() + 6);
        split_triangle(host.view(), triangle, vertex, triangles, edges);
        link_split(host.view(), triangles);
        CHECK(broken_references(host) == 0);
    };
    split(0, 3);
    const Triangles now = triangles_in(host);
    CHECK(Triangles{{0, 1, 3}, {1, 2, 3}, {2, 0, 3}} == Triangles{now[0], now[4], now[5]});
    split(2, 4);  // a ghost
}

TEST_CASE("star: its walk is whole if it returns, and ends where a reference is stale or a vertex is in no triangle") {
    Context context(DeviceRequest::kCpu, 1);
    TriangleMesh mesh = first_triangle(context);
    const auto star = [&](size_t most, uint32_t vertex = 0) { return star_of(context, mesh, vertex, most); };
    CHECK(star(9).spokes.size() == 3);
    CHECK(star(9).whole);
    CHECK(star(2).spokes.size() == 2);
    CHECK_FALSE(star(2).whole);
    CHECK(star(9, 4).spokes.empty());
    CHECK_FALSE(star(9, 4).whole);
    // Half-edge 1 leads to a triangle that is in use no more, though it would lead back.
    mesh.corner_of.write(1, 3 * mesh.triangle_count);
    mesh.triangles.write(3 * size_t(mesh.triangle_count) + 1, 0);
    mesh.half_edge_at.write(3 * size_t(mesh.triangle_count) + 1, 5);
    CHECK(star(9).spokes.size() == 1);
    CHECK_FALSE(star(9).whole);
}

TEST_CASE("mesh: on a torus it has no heights from before") {
    Context context(DeviceRequest::kCpu, 1);
    TriangleMesh mesh = first_triangle(context);
    mesh.heights.fill(context, 6, 0);
    CHECK(mesh.view().heights);
    mesh.reset_torus(context, 5, false);
    CHECK_FALSE(mesh.view().heights);
}

TEST_CASE("legality: the same answer as the in-circle test with ties settled, from either side") {
    std::mt19937_64 random(2);
    Context context(DeviceRequest::kCpu, 1);
    HostMesh host = download_mesh(first_triangle(context));
    const std::vector<Point> ring = lattice_circle_points(16);
    size_t ties = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::vector<Point> p(4);
        for (Point& q : p) q = i % 2 ? ring[random() % 16] : Point{double(random() % 4), double(random() % 4)};
        // from 0 → to 1, left 2, right 3: a convex quadrilateral
        if (orient2d(p[0], p[1], p[2]) <= 0 || orient2d(p[1], p[0], p[3]) <= 0) continue;
        for (int k = 0; k < 4; ++k) {
            host.positions[k] = p[k];
            host.inputs[k] = uint32_t(random() % 1000) * 4 + uint32_t(k);
        }
        const MeshView mesh = host.view();
        const auto rank = host.inputs;
        const bool expected = incircle_tied(p[0], p[1], p[2], p[3], rank[0], rank[1], rank[2], rank[3]) > 0;
        CHECK(is_illegal(mesh, {0, 1, 2, 3}, PredicateMode::kExact) == expected);
        CHECK(is_illegal(mesh, {1, 0, 3, 2}, PredicateMode::kExact) == expected);
        if (incircle(p[0], p[1], p[2], p[3]) == 0) {  // then exactly one diagonal is right
            ++ties;
            CHECK(is_illegal(mesh, {3, 2, 0, 1}, PredicateMode::kExact) != expected);
        }
    }
    CHECK(ties > 1000);
}

TEST_CASE("legality: flat triangles, hull edges and edges to infinity") {
    Context context(DeviceRequest::kCpu, 1);
    HostMesh host = download_mesh(first_triangle(context));
    const uint32_t inf = host.infinite;
    host.positions = {{0, 0}, {4, 0}, {2, 0}, {2, -3}, {2, 3}, {0, 0}};
    const MeshView mesh = host.view();
    const auto exact = [&](Quad q) { return is_illegal(mesh, q, PredicateMode::kExact); };
    CHECK(exact({0, 1, 2, 3}));    // flat on the left
    CHECK(exact({0, 1, 4, 2}));    // flat on the right
    CHECK(exact({0, 1, 2, inf}));  // a point on the hull
    CHECK_FALSE(is_tied(mesh, {0, 1, 2, inf}));
    CHECK_FALSE(exact({0, 1, 4, inf}));  // a hull edge
    CHECK_FALSE(exact({0, 1, inf, 3}));
    CHECK_FALSE(exact({0, 2, 4, 1}));  // a short edge of a flat triangle
    CHECK(carries_flat_triangle(mesh, {0, 1, 2, 3}, PredicateMode::kExact));
    CHECK_FALSE(carries_flat_triangle(mesh, {0, 1, 4, 3}, PredicateMode::kExact));
    CHECK_FALSE(carries_flat_triangle(mesh, {inf, 1, 4, 3}, PredicateMode::kExact));
    CHECK_FALSE(exact({0, 1, 2, 2}));  // the flip would duplicate an edge
    // Edges to infinity: with left → to → right along the hull as the ghosts see it.
    CHECK(exact({inf, 2, 0, 4}) != exact({inf, 2, 4, 0}));
    CHECK_FALSE(exact({inf, 2, 0, 1}));  // collinear hull vertices stay
    CHECK_FALSE(exact({2, inf, 0, 1}));
    CHECK(exact({inf, 2, 0, 4}) == exact({2, inf, 4, 0}));
    CHECK(is_between(PredicateMode::kExact, {0, 0}, {0, 4}, {0, 1}));
    CHECK_FALSE(is_between(PredicateMode::kExact, {0, 0}, {0, 4}, {0, 5}));
    CHECK_FALSE(is_between(PredicateMode::kExact, {0, 0}, {0, 4}, {1, 1}));
}

TEST_CASE("hash: a triangle hashes the same from all three corners, and not when inverted") {
    CHECK(hash_triangle(1, 2, 3) == hash_triangle(2, 3, 1));
    CHECK(hash_triangle(1, 2, 3) == hash_triangle(3, 1, 2));
    CHECK(hash_triangle(1, 2, 3) != hash_triangle(1, 3, 2));
    CHECK(hash_words({5}) == mix64(5));
    CHECK(hash_triangle(0, 0xFFFFFFFEu, 5) == hash_triangle(5, 0, 0xFFFFFFFEu));
    std::set<uint64_t> hashes;
    for (uint32_t a = 0; a < 20; ++a)
        for (uint32_t b = a + 1; b < 20; ++b)
            for (uint32_t c = a + 1; c < 20; ++c)
                if (b != c) CHECK(hashes.insert(hash_triangle(a, b, c)).second);
}
