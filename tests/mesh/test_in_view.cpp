// Elements within a box, against a loop over all elements; and none if they are too many.
#include "delaunay/flip_films.h"
#include "mesh/pick.h"

using namespace flipscope;

TEST_CASE("in view: vertices, edges and triangles within a box, as long as they are few") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Stage stage(device, generated("uniform:2000"), {}, "build");
        stage.lab->finish({});
        const HostMesh mesh = stage.mesh();
        const TriangleMesh& made = *stage.lab->scene().mesh;
        const Point low{0.4, 0.4}, high{0.5, 0.45};
        const auto inside = [&](Point p) { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; };
        std::vector<uint32_t> vertices, edges;
        for (uint32_t v = 0; v < mesh.infinite; ++v)
            if (inside(mesh.positions[v])) vertices.push_back(v);
        for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
            const uint32_t corner = mesh.corner_of[2 * size_t(e)];
            const uint32_t a = mesh.triangles[corner], b = mesh.triangles[next_corner(corner)];
            if (std::max(a, b) >= mesh.infinite) continue;
            const Point p = mesh.positions[a], q = mesh.positions[b];
            if (inside({p.x / 2 + q.x / 2, p.y / 2 + q.y / 2})) edges.push_back(e);
        }
        REQUIRE(vertices.size() > 3);
        const auto ask = [&](ElementKind kind, uint32_t count, uint32_t most) {
            return elements_in_box(stage.context, made, kind, count, low, high, most);
        };
        CHECK(ask(ElementKind::kVertex, mesh.infinite, 100) == vertices);
        CHECK(ask(ElementKind::kEdge, made.edge_count, 200) == edges);
        CHECK(ask(ElementKind::kVertex, mesh.infinite, static_cast<uint32_t>(vertices.size())) == vertices);
        CHECK_FALSE(ask(ElementKind::kVertex, mesh.infinite, static_cast<uint32_t>(vertices.size()) - 1));
        const auto triangles = ask(ElementKind::kTriangle, made.triangle_count, 200);
        REQUIRE(triangles);
        CHECK(triangles->size() > vertices.size());
        CHECK(ask(ElementKind::kTriangle, 0, 200)->empty());
        const Point at = mesh.positions[7];  // a box is closed
        CHECK(elements_in_box(stage.context, made, ElementKind::kVertex, mesh.infinite, at, at, 9) == std::vector{7u});
    }
}
