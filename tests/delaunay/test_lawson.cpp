#include "delaunay/constructions/lawson.h"

#include <initializer_list>
#include <set>
#include <utility>

#include "delaunay/constructions/makers.h"
#include "delaunay/flip_films.h"
#include "flipscope/triangulate.h"
#include "mesh/connect.h"

using namespace flipscope;

namespace {

HostMesh connected(Context& context, const Geometry& geometry) {
    TriangleMesh mesh;
    Buffer<uint8_t> pinched;
    connect(context, geometry, mesh, pinched, false);
    REQUIRE(pinched.empty());
    return download_mesh(mesh);
}

Triangles finite_triangles(const HostMesh& host) {
    Triangles triangles;
    for (size_t t = 0; t < host.triangle_count(); ++t) {
        const uint32_t* v = &host.triangles[3 * t];
        if (std::max({v[0], v[1], v[2]}) < host.infinite)
            triangles.push_back({host.inputs[v[0]], host.inputs[v[1]], host.inputs[v[2]]});
    }
    return sorted_triangles(triangles);
}

uint64_t count_illegal(HostMesh& host) {
    const MeshView mesh = host.view();
    uint64_t illegal = 0;
    for (uint32_t edge = 0; edge < host.edge_count(); ++edge)
        illegal += is_illegal(mesh, quad_at(mesh, edge), PredicateMode::kExact);
    return illegal;
}

/// From `start` to the Delaunay triangulation.
void check_ends_delaunay(Context& context, const Geometry& start) {
    if (start.triangles.empty()) return;
    HostMesh host = connected(context, start);
    REQUIRE(broken_references(host) == 0);
    const bool was_delaunay = count_illegal(host) == 0;
    const LawsonResult result = flip_sequentially_by(host, InCircleRule{});
    CHECK(result.finished);
    CHECK((result.flips == 0) == was_delaunay);
    CHECK(result.tests >= host.edge_count());
    CHECK(result.tests <= host.edge_count() + 4 * result.flips);
    CHECK(broken_references(host) == 0);
    CHECK(count_illegal(host) == 0);
    CHECK(finite_triangles(host) == sorted_triangles(triangulate(context, start.points).triangles));
    CHECK(flip_sequentially_by(host, InCircleRule{}).flips == 0);
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

TEST_CASE("lawson: from every start to the triangulation of the Build lab, on every kind of points") {
    Context context(DeviceRequest::kCpu, 2);
    for (const GeneratorInfo& generator : generators()) {
        if (generator.makes != GeneratorOutput::kPoints) continue;
        for (const auto& [count, offset] : std::initializer_list<std::pair<uint64_t, const char*>>{
                 {3, ""}, {4, ""}, {20, ""}, {700, ""}, {300, "@x=1e8,y=-1e9"}}) {
            const Input input = generated(generator, count, offset);
            for (const Start start : {Start::kInsertion, Start::kSweep, Start::kScrambled, Start::kMoved}) {
                INFO(input->name, ", start ", static_cast<int>(start));
                check_ends_delaunay(context, make_triangulation(context, *input, start, {}));
            }
        }
    }
}

TEST_CASE("lawson: stops at the limit with every reference in order, and can go on") {
    Context context(DeviceRequest::kCpu, 1);
    HostMesh host = connected(context, make_triangulation(context, *generated("uniform:500"), Start::kSweep, {}));
    HostMesh whole = host;
    const uint64_t needed = flip_sequentially_by(whole, InCircleRule{}).flips;
    const LawsonResult part = flip_sequentially_by(host, InCircleRule{}, 100);
    CHECK_FALSE(part.finished);
    CHECK(part.flips == 100);
    CHECK(broken_references(host) == 0);
    const LawsonResult rest = flip_sequentially_by(host, InCircleRule{});
    CHECK(rest.finished);
    CHECK(rest.flips > 0);
    CHECK(needed > 100);
    CHECK(finite_triangles(host) == finite_triangles(whole));
    CHECK(flip_sequentially_by(whole, InCircleRule{}, 0).finished);  // nothing to do is no limit
}

TEST_CASE("lawson on surfaces: no edge is left that could flip, no edge is duplicated and no crease is made") {
    Context context(DeviceRequest::kCpu, 2);
    for (const std::string text : {"sphere:6", "sphere:500", "torus-knot:2000", "terrain:3000", "infinity:1500"})
        for (const double dihedral : {0.05, 0.2, 0.5, 3.1}) {
            INFO(text, ", dihedral limit ", dihedral);
            HostMesh host = connected(context, *generated(text));
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

TEST_CASE("lawson on surfaces: an edge that cannot flip at first is tested again") {
    Context context(DeviceRequest::kCpu, 1);
    const SurfaceRule rule = rule_with(0.05);
    HostMesh host = connected(context, *generated("terrain:20000"));
    flip_sequentially(host, [&](const MeshView& mesh, uint32_t edge, const Quad& quad) {
        return must_flip(rule.judge(mesh, edge, quad));
    });
    CHECK(count_illegal_of_surface(host, rule) > 0);
    CHECK(flip_sequentially_by(host, rule).flips > 0);
    CHECK(count_illegal_of_surface(host, rule) == 0);
}

TEST_CASE("lawson on surfaces: a limit holds for all sweeps together") {
    Context context(DeviceRequest::kCpu, 1);
    const SurfaceRule rule = rule_with(0.05);
    const HostMesh start = connected(context, *generated("terrain:3000"));
    HostMesh whole = start;
    const LawsonResult needed = flip_sequentially_by(whole, rule);
    CHECK(needed.finished);
    HostMesh swept = start;
    const uint64_t of_first_sweep =
        flip_sequentially(swept, [&](const MeshView& mesh, uint32_t edge, const Quad& quad) {
            return must_flip(rule.judge(mesh, edge, quad));
        }).flips;
    REQUIRE(of_first_sweep < needed.flips);  // there is a second one
    for (const uint64_t most : {needed.flips - 1, needed.flips, of_first_sweep}) {
        HostMesh host = start;
        const LawsonResult part = flip_sequentially_by(host, rule, most);
        CHECK(part.flips == most);
        CHECK(part.finished == (most == needed.flips));
    }
}
