// Tests of the checker: it finds and reports faults of every kind, planted in a good mesh.
#include "mesh/checks.h"

#include "delaunay/constructions/host_mesh.h"
#include "delaunay/runs.h"
#include "flipscope/triangulate.h"
#include "mesh/connect.h"
#include "mesh/delaunay_mesh.h"
#include "mesh/legality.h"
#include "mesh/surgery.h"

using namespace flipscope;

namespace {

/// A copy of a finished mesh that can be spoilt.
struct Spoilt {
    TriangleMesh mesh;
    Context& context;

    Spoilt(Context& owner, const TriangleMesh& from) : context(owner) {
        const auto copy = [&](auto& to, const auto& source) {
            const auto values = source.download();
            to.upload(context, values.data(), values.size());
        };
        copy(mesh.positions, from.positions);
        copy(mesh.inputs, from.inputs);
        copy(mesh.heights, from.heights);
        mesh.reset(context, from.infinite(), from.triangles.size() / 3, from.edges.size() / 2, true);
        copy(mesh.triangles, from.triangles);
        copy(mesh.half_edge_at, from.half_edge_at);
        copy(mesh.edges, from.edges);
        copy(mesh.corner_of, from.corner_of);
        mesh.triangle_count = from.triangle_count;
        mesh.edge_count = from.edge_count;
    }
    void turn(uint32_t edge) {
        HostMesh host = download_mesh(mesh);
        flip_edge(host.view(), edge);
        repair_flipped(host.view(), edge);
        mesh.triangles.upload(context, host.triangles.data(), host.triangles.size());
        mesh.half_edge_at.upload(context, host.half_edge_at.data(), host.half_edge_at.size());
        mesh.edges.upload(context, host.edges.data(), host.edges.size());
        mesh.corner_of.upload(context, host.corner_of.data(), host.corner_of.size());
    }
    Quad quad(uint32_t edge) const {
        const uint32_t left = mesh.corner_of.read(2 * edge), right = mesh.corner_of.read(2 * edge + 1);
        return {mesh.triangles.read(left), mesh.triangles.read(next_corner(left)),
                mesh.triangles.read(previous_corner(left)), mesh.triangles.read(previous_corner(right))};
    }
    CheckReport check() const { return check_mesh(context, mesh); }
};

bool lists_edge(const CheckReport& report, uint32_t edge) {
    return std::any_of(report.failures.begin(), report.failures.end(), [&](const CheckFailure& failure) {
        return failure.code == "illegal-edge" && failure.elements[0].id == edge;
    });
}

/// A mesh of given triangles.
struct FromTriangles {
    TriangleMesh mesh;
    Buffer<uint8_t> pinched{"pinched"};
    Connection connection;
    FromTriangles(Context& context, const Geometry& geometry) {
        connection = connect(context, geometry, mesh, pinched, true);
    }
};

/// An m × n grid of quadrilaterals in space, closed around or not, each cut in two.
Geometry patch(uint32_t m, uint32_t n, bool around_m, bool around_n) {
    Geometry geometry{"patch", {}};
    const uint32_t rows = around_m ? m : m + 1, columns = around_n ? n : n + 1;
    for (uint32_t i = 0; i < rows; ++i)
        for (uint32_t j = 0; j < columns; ++j) {
            const double a = 6.2831853 * i / m, b = 6.2831853 * j / n, r = 3 + std::cos(b);
            geometry.points.push_back({r * std::cos(a), r * std::sin(a)});
            geometry.heights.push_back(std::sin(b));
        }
    const auto id = [&](uint32_t i, uint32_t j) { return (i % rows) * columns + j % columns; };
    for (uint32_t i = 0; i < m; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            geometry.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
            geometry.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
        }
    return geometry;
}

}  // namespace

TEST_CASE("check: a good mesh passes and says so; a fault of every kind is found and named") {
    on_every_device([&](Context& context) {
        const size_t hull = triangulate(context, generated("uniform:1500")->points).hull.size();
        const DelaunayMesh made(context, generated("uniform:1500"));
        const TriangleMesh& good = made.mesh();
        const std::vector<Point> at = good.positions.download();
        {
            const CheckReport report = Spoilt(context, good).check();
            CHECK(report.passed);
            CHECK(report.failures.empty());
            CHECK(report.sentence == "Delaunay: every one of 4," + std::to_string(497 - hull) +
                                         " edges is legal, exactly, and the hull is " + "convex (" +
                                         std::to_string(hull) +
                                         " ghost edges, to the vertex at infinity, are legal, too)");
        }
        {
            INFO("a flipped edge");
            Spoilt spoilt(context, good);
            uint32_t turned = 0;
            for (uint32_t edge = 17; turned < 1; edge += 101) {  // a convex quadrilateral
                const Quad q = spoilt.quad(edge);
                if (std::max({q.from, q.to, q.left, q.right}) >= good.infinite()) continue;
                if (orient2d(at[q.right], at[q.to], at[q.left]) <= 0 ||
                    orient2d(at[q.left], at[q.from], at[q.right]) <= 0)
                    continue;
                spoilt.turn(edge);
                ++turned;
                const CheckReport report = spoilt.check();
                CHECK_FALSE(report.passed);
                CHECK(report.illegal_edges >= 1);
                CHECK(report.inverted_triangles == 0);
                CHECK(report.broken_references == 0);
                CHECK(report.reflex_hull == 0);
                CHECK(report.euler);
                CHECK(lists_edge(report, edge));
                const Quad now = spoilt.quad(edge);
                const auto point = [&](uint32_t v) { return "point " + std::to_string(good.inputs.read(v)); };
                CHECK(std::any_of(report.failures.begin(), report.failures.end(), [&](const CheckFailure& failure) {
                    return failure.elements[0].id == edge &&
                           contains(failure.sentence, point(now.right) + " lies inside the circumcircle of the " +
                                                          "triangle with " + point(now.left));
                }));
                CHECK(report.sentence.rfind("not Delaunay: ", 0) == 0);
                CHECK(contains(report.sentence, "illegal edge"));
            }
        }
        {
            INFO("broken references, of each of the four kinds");
            for (int kind = 0; kind < 4; ++kind) {
                Spoilt spoilt(context, good);
                Buffer<uint32_t>& buffer = kind == 0   ? spoilt.mesh.corner_of
                                           : kind == 1 ? spoilt.mesh.half_edge_at
                                           : kind == 2 ? spoilt.mesh.edges
                                                       : spoilt.mesh.triangles;
                for (const uint32_t value : {buffer.read(40) ^ 1u, kNone, 0x7FFFFFFFu}) {
                    if (kind == 1 && value != (buffer.read(40) ^ 1u)) continue;
                    const uint32_t old = buffer.read(40);
                    buffer.write(40, value);
                    const CheckReport report = spoilt.check();
                    INFO("kind ", kind, ", value ", value);
                    CHECK_FALSE(report.passed);
                    CHECK(report.broken_references >= 1);
                    CHECK(contains(report.sentence, "broken reference"));
                    if (kind == 3 && value > good.infinite())
                        CHECK(report.broken_references == 3);  // two edges, a corner
                    REQUIRE_FALSE(report.failures.empty());
                    const std::string code = report.failures[0].code;
                    CHECK((code == "broken-reference" || code == "inverted-triangle" || code == "flat-triangle"));
                    CHECK(report.failure_count == report.failures.size());
                    buffer.write(40, old);
                }
                CHECK(spoilt.check().passed);
            }
        }
        {
            INFO("an inverted triangle, and a flat one");
            Spoilt spoilt(context, good);
            uint32_t v = 700;  // moved across the plane: its triangles turn over
            spoilt.mesh.positions.write(v, {at[v].x + 0.3, at[v].y + 0.2});
            CheckReport report = spoilt.check();
            CHECK_FALSE(report.passed);
            CHECK(report.inverted_triangles >= 1);
            CHECK(contains(report.sentence, "flat or inverted"));
            size_t listed = 0;
            for (const CheckFailure& failure : report.failures) {
                if (failure.code != "inverted-triangle") continue;
                ++listed;
                CHECK(contains(failure.sentence, " is inverted: its corners run clockwise"));
                REQUIRE(failure.places.size() == 3);
                const Point3 normal =
                    cross(failure.places[1] - failure.places[0], failure.places[2] - failure.places[0]);
                CHECK(failure.value == doctest::Approx(normal.z / 2));
            }
            CHECK(listed == report.inverted_triangles);
            Spoilt flat(context, good);
            uint32_t corner[3], t = 0;
            for (;; ++t) {
                flat.mesh.triangles.download(corner, 3, 3 * size_t(t));
                if (std::max({corner[0], corner[1], corner[2]}) < good.infinite()) break;
            }
            flat.mesh.positions.write(corner[0], at[corner[1]]);
            report = flat.check();
            CHECK_FALSE(report.passed);
            CHECK(report.inverted_triangles >= 1);
        }
        {
            INFO("points left out");
            const auto unfinished = started(context, generated("uniform:1500"), "build");
            for (int i = 0; i < 30; ++i) unfinished->step();
            const CheckReport inner = check_mesh(context, *unfinished->scene().mesh);
            CHECK_FALSE(inner.passed);
            CHECK_FALSE(inner.euler);
            CHECK_FALSE(facet<Checkable>(*unfinished).check().passed);
            CHECK(contains(facet<Checkable>(*unfinished).check().sentence, "not inserted yet"));
            Spoilt missing(context, good);  // all counts right, but a vertex is not used
            auto triangles = missing.mesh.triangles.download(), edges = missing.mesh.edges.download();
            for (uint32_t& corner : triangles) corner = corner == 700 ? 701 : corner;
            for (uint32_t& end : edges) end = end == 700 ? 701 : end;
            missing.mesh.triangles.upload(context, triangles.data(), triangles.size());
            missing.mesh.edges.upload(context, edges.data(), edges.size());
            const CheckReport report = missing.check();
            CHECK(report.broken_references == 0);
            CHECK_FALSE(report.euler);
            CHECK_FALSE(report.passed);
        }
        {
            INFO("triangles too few or too many");
            Spoilt spoilt(context, good);
            spoilt.mesh.triangle_count -= 2;
            spoilt.mesh.edge_count -= 3;
            CHECK_FALSE(spoilt.check().passed);
        }
        {
            INFO("a reflex hull");
            Spoilt spoilt(context, good);
            bool done = false;
            for (uint32_t edge = 0; edge < good.edge_count && !done; ++edge) {
                const Quad q = spoilt.quad(edge);
                if (q.right != good.infinite() && q.left != good.infinite()) continue;
                spoilt.turn(edge);  // the triangle at a hull edge goes to infinity
                const CheckReport report = spoilt.check();
                CHECK_FALSE(report.passed);
                CHECK(report.reflex_hull == 1);
                CHECK(report.inverted_triangles == 0);
                CHECK(contains(report.sentence, "reflex hull vertex"));
                done = true;
            }
            CHECK(done);
        }
    });
}

TEST_CASE("summary: counts and the hash are of the finite triangles over input indices, nothing else") {
    on_every_device([&](Context& context) {
        const std::vector<Point> square{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 1}};
        const DelaunayMesh made(context, std::make_shared<Geometry>(Geometry{"square", square}));
        const TriangleMesh& mesh = made.mesh();
        const MeshSummary summary = summarise(context, mesh, mesh.infinite());
        CHECK(summary.triangles == 4);
        CHECK(summary.edges == 8);
        CHECK(summary.hull_edges == 4);
        const std::vector<Point> larger{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2}};
        CHECK(triangulate(context, larger).hash == summary.hash);
        const std::vector<Point> other_order{{1, 1}, {0, 0}, {2, 0}, {2, 2}, {0, 2}};
        CHECK(triangulate(context, other_order).hash != summary.hash);
    });
}

TEST_CASE("check: within a fixed outline, edges between two triangles are judged and nothing else") {
    on_every_device([&](Context& context) {
        Geometry holed = triangulated(context, *generated("uniform:1500"));
        std::erase_if(holed.triangles, [&](const std::array<uint32_t, 3>& t) {
            const Point p = holed.points[t[0]];
            return (p.x - 0.5) * (p.x - 0.5) + (p.y - 0.5) * (p.y - 0.5) < 0.04 || p.x < 0.1;
        });
        const FromTriangles made(context, holed);
        CHECK(made.connection.outlines >= 2);
        const CheckReport report = check_mesh(context, made.mesh, {.fixed_outline = true});
        INFO(report.sentence);
        CHECK(report.passed);
        CHECK(report.sentence.rfind("Delaunay within its outline: ", 0) == 0);
        CHECK(report.boundary_edges == made.connection.boundary_edges);
        CHECK(report.boundary_edges > 50);
        const CheckReport as_hull = check_mesh(context, made.mesh);
        CHECK_FALSE(as_hull.passed);
        CHECK_FALSE(as_hull.euler);
        CHECK(as_hull.reflex_hull > 0);

        const MeshSummary summary = summarise(context, made.mesh, made.mesh.infinite());
        CHECK(summary.triangles == holed.triangles.size());
        CHECK(summary.hull_edges == report.boundary_edges);
        CHECK(2 * summary.edges == 3 * summary.triangles + summary.hull_edges);
        CHECK(report.euler_characteristic ==
              int64_t(made.mesh.infinite()) - int64_t(summary.edges) + int64_t(summary.triangles));

        // An illegal edge inside is found; one of a doubled outline is not there to be judged.
        const std::vector<Point> at = made.mesh.positions.download();
        bool turned = false;
        for (uint32_t edge = 5; !turned; edge += 31) {
            Spoilt spoilt(context, made.mesh);
            const Quad q = spoilt.quad(edge);
            if (std::max({q.from, q.to, q.left, q.right}) >= made.mesh.infinite()) continue;
            if (orient2d(at[q.right], at[q.to], at[q.left]) <= 0 || orient2d(at[q.left], at[q.from], at[q.right]) <= 0)
                continue;
            spoilt.turn(edge);
            turned = true;
            const CheckReport after = check_mesh(context, spoilt.mesh, {.fixed_outline = true});
            CHECK_FALSE(after.passed);
            CHECK(after.illegal_edges >= 1);
            CHECK(after.reflex_hull == 0);
            CHECK(after.broken_references == 0);
            CHECK(after.sentence.rfind("not Delaunay within its outline: ", 0) == 0);
            CHECK(lists_edge(after, edge));
        }
        Spoilt lost(context, made.mesh);
        lost.mesh.corner_of.write(40, lost.mesh.corner_of.read(40) ^ 1u);
        CHECK_FALSE(check_mesh(context, lost.mesh, {.fixed_outline = true}).passed);
        Spoilt missing(context, made.mesh);
        missing.mesh.triangle_count -= 1;
        CHECK_FALSE(check_mesh(context, missing.mesh, {.fixed_outline = true}).passed);
    });
}

TEST_CASE("check: what no flip of a surface may change is counted") {
    on_every_device([&](Context& context) {
        const auto checked = [&](const Geometry& geometry, int64_t characteristic, uint64_t boundary) {
            const FromTriangles made(context, geometry);
            const CheckReport report = check_surface(context, made.mesh);
            INFO(report.sentence);
            CHECK(report.passed);
            CHECK(report.broken_references == 0);
            CHECK(report.euler_characteristic == characteristic);
            CHECK(report.boundary_edges == boundary);
            CHECK(report.boundary_edges == made.connection.boundary_edges + made.connection.seam_edges.size());
            const MeshSummary summary = summarise(context, made.mesh, made.mesh.infinite());
            CHECK(summary.triangles == geometry.triangles.size());
            CHECK(summary.hull_edges == boundary);
            CHECK(2 * summary.edges == 3 * summary.triangles + boundary);
            return report;
        };
        checked(patch(40, 30, true, true), 0, 0);      // torus
        checked(patch(40, 30, true, false), 0, 80);    // tube
        checked(patch(40, 30, false, false), 1, 140);  // disk
        Geometry two = patch(5, 7, false, false);
        two.triangles.resize(20);
        const CheckReport plain = checked(two, 1, 18);
        CHECK(plain.duplicate_edges == 0);
        CHECK(plain.flat_triangles == 0);

        // three pages along one edge: two copies more of it
        const Geometry book{
            "book", {{0, 0}, {0, 0}, {1, 0}, {0, 1}, {-1, 0}}, {0, 1, 0, 0, 0}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
        const CheckReport pages = checked(book, 5 - 9 + 3, 9);
        CHECK(pages.duplicate_edges == 2);
        CHECK(pages.failures.empty());  // it is for others to say whether they matter
        {
            const FromTriangles made(context, book);
            CheckReport listed = check_surface(context, made.mesh);
            list_duplicate_edges(context, made.mesh, ", again", listed);
            REQUIRE(listed.failures.size() == 2);
            CHECK(listed.failures[0].elements[0].id != listed.failures[1].elements[0].id);
            for (const CheckFailure& failure : listed.failures) {
                CHECK(failure.code == "duplicate-edge");
                CHECK(failure.vertices == std::vector<int64_t>{0, 1});
                CHECK(contains(failure.sentence, " has both ends in common with another edge, again"));
            }
        }
        const Geometry needle{
            "needle", {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {-1, 3}}, {0, 3, 6, 0, 1}, {{0, 2, 3}, {3, 2, 4}, {0, 1, 2}}};
        CHECK(checked(needle, 1, 5).flat_triangles == 1);
        {
            const FromTriangles made(context, needle);
            CheckReport listed = check_surface(context, made.mesh);
            list_flat_triangles(context, made.mesh, "", listed);
            REQUIRE(listed.failures.size() == 1);
            CHECK(listed.failures[0].elements[0].id == 2);
            CHECK(listed.failures[0].places[2] == Point3{2, 2, 6});
        }
        CHECK(check_surface(context, TriangleMesh{}).passed);
        CHECK(CheckReport::nothing("no triangles yet").sentence == "no triangles yet");

        // a tetrahedron's edge, turned, lies on the opposite one
        const Geometry tetrahedron{"tetrahedron",
                                   {{0, 0}, {1, 0}, {0, 1}, {0, 0}},
                                   {0, 0, 0, 1},
                                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
        CHECK(checked(tetrahedron, 2, 0).duplicate_edges == 0);
        const FromTriangles made(context, tetrahedron);
        Spoilt spoilt(context, made.mesh);
        spoilt.turn(2);
        const CheckReport turned = check_surface(context, spoilt.mesh);
        CHECK(turned.passed);
        CHECK(turned.euler_characteristic == 2);
        CHECK(turned.duplicate_edges == 1);
        spoilt.mesh.half_edge_at.write(3, spoilt.mesh.half_edge_at.read(3) ^ 1u);
        const CheckReport broken = check_surface(context, spoilt.mesh);
        CHECK_FALSE(broken.passed);
        CHECK(broken.broken_references > 0);
        CHECK(broken.sentence.rfind("not sound: ", 0) == 0);
        spoilt.mesh.triangles.write(3, 1000);
        CHECK_FALSE(check_surface(context, spoilt.mesh).passed);
    });
}
