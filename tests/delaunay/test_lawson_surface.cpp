#include <cmath>
#include <set>

#include "delaunay/constructions/lawson.h"
#include "delaunay/runs.h"
#include "mesh/connect.h"

using namespace flipscope;

namespace {

HostMesh connected_surface(Context& context, const Geometry& geometry) {
    TriangleMesh mesh;
    Buffer<uint8_t> pinched;
    connect(context, geometry, mesh, pinched, false);
    REQUIRE(pinched.empty());
    return download_mesh(mesh);
}

SurfaceRule rule_with(double dihedral) { return make_surface_rule(1e-9, dihedral); }

uint64_t count_illegal_of_surface(HostMesh& host, const SurfaceRule& rule) {
    const MeshView mesh = host.view();
    uint64_t illegal = 0;
    for (uint32_t edge = 0; edge < host.edge_count(); ++edge)
        illegal += must_flip(rule.judge(mesh, edge, quad_at(mesh, edge)));
    return illegal;
}

uint64_t count_creases(HostMesh& host, const SurfaceRule& rule) {
    const MeshView mesh = host.view();
    uint64_t creases = 0;
    for (uint32_t edge = 0; edge < host.edge_count(); ++edge) {
        const Quad q = quad_at(mesh, edge);
        if (touches_infinity(mesh, q)) continue;
        const Point3 from = mesh.place(q.from), to = mesh.place(q.to);
        creases += !meets_flatly(normal_of(from, to, mesh.place(q.left)), normal_of(to, from, mesh.place(q.right)),
                                 rule.limit_cosine);
    }
    return creases;
}

bool has_duplicate_edges(const HostMesh& host) {
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (uint32_t edge = 0; edge < host.edge_count(); ++edge) {
        const uint32_t a = host.edges[2 * size_t(edge)], b = host.edges[2 * size_t(edge) + 1];
        if (a != host.infinite && b != host.infinite && !seen.insert({std::min(a, b), std::max(a, b)}).second)
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("lawson on surfaces: no edge is left that could flip, no edge is duplicated and no crease is made") {
    Context context(DeviceRequest::kCpu, 2);
    for (const std::string text : {"sphere:6", "sphere:500", "torus-knot:2000", "terrain:3000", "infinity:1500"})
        for (const double dihedral : {0.05, 0.2, 0.5, 3.1}) {
            INFO(text, ", dihedral limit ", dihedral);
            HostMesh host = connected_surface(context, *generated(text));
            const SurfaceRule rule = rule_with(dihedral);
            const uint64_t illegal = count_illegal_of_surface(host, rule), creases = count_creases(host, rule);
            const LawsonResult result = flip_sequentially_by(host, rule, 100 * uint64_t(host.edge_count()));
            CHECK(result.finished);
            CHECK((result.flips == 0) == (illegal == 0));
            CHECK(count_illegal_of_surface(host, rule) == 0);
            CHECK(count_creases(host, rule) <= creases);
            CHECK_FALSE(has_duplicate_edges(host));
            CHECK(flip_sequentially_by(host, rule).flips == 0);
        }
}

TEST_CASE("lawson on surfaces: an edge that must not flip at first is asked again") {
    Context context(DeviceRequest::kCpu, 1);
    const SurfaceRule rule = rule_with(0.05);
    HostMesh host = connected_surface(context, *generated("terrain:20000"));
    flip_sequentially(host, [&](const MeshView& mesh, uint32_t edge, const Quad& quad) {
        return must_flip(rule.judge(mesh, edge, quad));
    });
    CHECK(count_illegal_of_surface(host, rule) > 0);
    CHECK(flip_sequentially_by(host, rule).flips > 0);
    CHECK(count_illegal_of_surface(host, rule) == 0);
}

TEST_CASE("lawson by a rule: in the plane as by the exact test") {
    Context context(DeviceRequest::kCpu, 1);
    HostMesh one = connected_surface(context, *generated("quad:900")), other = one;
    CHECK(flip_sequentially_by(one, InCircleRule{}).flips == flip_sequentially(other).flips);
    CHECK(one.triangles == other.triangles);
}
