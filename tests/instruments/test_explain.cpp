// sanitizers: none
// Explained elements: deferred edges name the edges that hold their triangles, stars and cells are those of the mesh,
// links lead to what they name, and the determinants' numbers are exact.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "delaunay/flip/claims.h"
#include "delaunay/flip/flip_conflicts.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"
#include "flipscope/predicates.h"
#include "geometry/exact_values.h"
#include "instruments/explain.h"

using namespace flipscope;

namespace {

Report told(const Lab& lab, ElementKind kind, uint32_t id) { return facet<Inspectable>(lab).inspect({kind, id}); }

std::set<uint32_t> linked(const Report& report, const char* property, ElementKind kind) {
    std::set<uint32_t> ids;
    if (const Property* found = report.find(property))
        for (const Link& link : found->links)
            if (link.element.kind == kind) ids.insert(link.element.id);
    return ids;
}

const Highlight* highlight(const Report& report, const std::string& part_of_name) {
    for (const Highlight& one : report.highlights)
        if (contains(one.name, part_of_name)) return &one;
    return nullptr;
}

uint32_t key(uint32_t edge, ConflictRule rule) { return key_of(edge, rule); }

/// Of each triangle the illegal edge of the lowest key at it, from the mesh and the in-circle test alone.
std::map<uint32_t, uint32_t> lowest_claims(const HostMesh& mesh, const std::vector<State>& states, ConflictRule rule) {
    std::map<uint32_t, uint32_t> lowest;
    for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
        if (!(states[edge] & kStateIllegal)) continue;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t t = mesh.corner_of[2 * size_t(edge) + side] / 3;
            const auto found = lowest.find(t);
            if (found == lowest.end() || key(edge, rule) < key(found->second, rule)) lowest[t] = edge;
        }
    }
    return lowest;
}

}  // namespace

TEST_CASE("explain: the key of an edge leads back to the edge") {
    for (uint32_t edge = 0; edge < 200'000; edge += 7) CHECK(unhashed(hashed(edge)) == edge);
    for (const uint32_t edge : {0u, 1u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu}) CHECK(unhashed(hashed(edge)) == edge);
}

TEST_CASE("explain: a deferred edge names the edges that hold its triangles, before the flips and after them") {
    size_t deferred = 0;
    for (const DeviceUnderTest& device : devices_under_test())
        for (const auto& [setting, rule] : {std::pair{"conflict=hashed", ConflictRule::kHashedId},
                                            std::pair{"conflict=lowest", ConflictRule::kLowestId}})
            for (const char* text : {"uniform:300", "grid:100"}) {
                INFO(device.name, " ", setting, " ", text);
                Stage stage(device, generated(text), {"start=scrambled", setting});
                for (int iteration = 0; iteration < 3 && !stage.lab->done(); ++iteration) {
                    stage.lab->step();  // claim
                    if (stage.lab->done()) break;
                    const HostMesh mesh = stage.mesh();
                    const std::vector<State> states = stage.lab->scene().mesh->edge_states.download();
                    const auto lowest = lowest_claims(mesh, states, rule);
                    std::map<uint32_t, std::set<uint32_t>> before;
                    for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
                        if (!(states[edge] & kStateDeferred)) continue;
                        ++deferred;
                        std::set<uint32_t> expected;
                        for (uint32_t side = 0; side < 2; ++side) {
                            const uint32_t t = mesh.corner_of[2 * size_t(edge) + side] / 3;
                            if (lowest.at(t) != edge) expected.insert(lowest.at(t));
                        }
                        const Report report = told(*stage.lab, ElementKind::kEdge, edge);
                        CHECK(linked(report, "Last pass", ElementKind::kEdge) == expected);
                        const Property& last = *report.find("Last pass");
                        CHECK(text_of(last.value) == "deferred");
                        for (const uint32_t holder : expected) {
                            CHECK(contains(last.why, "edge " + std::to_string(holder) + ", which holds triangle "));
                            CHECK(highlight(report, "edge " + std::to_string(holder)));
                        }
                        before[edge] = expected;
                    }
                    stage.lab->step();  // flip: what holds a triangle has not changed, whatever has moved
                    for (const auto& [edge, expected] : before)
                        CHECK(linked(told(*stage.lab, ElementKind::kEdge, edge), "Last pass", ElementKind::kEdge) ==
                              expected);
                    stage.lab->step();  // repair: it is queued again
                    for (const auto& [edge, expected] : before)
                        CHECK(text_of(told(*stage.lab, ElementKind::kEdge, edge).find("Last pass")->value) == "queued");
                }
            }
    CHECK(deferred > 40 * devices_under_test().size());
}

TEST_CASE("explain: an edge shows its triangles, circles, opposite vertices and the other diagonal") {
    Stage stage(one_device(), generated("uniform:60"), {"start=sweep"});
    stage.lab->step();
    const HostMesh mesh = stage.mesh();
    size_t inner = 0;
    for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
        const uint32_t left = mesh.corner_of[2 * size_t(edge)], right = mesh.corner_of[2 * size_t(edge) + 1];
        const uint32_t ids[4] = {mesh.triangles[left], mesh.triangles[next_corner(left)],
                                 mesh.triangles[previous_corner(left)], mesh.triangles[previous_corner(right)]};
        if (*std::max_element(ids, ids + 4) >= mesh.infinite) continue;
        ++inner;
        const Report report = told(*stage.lab, ElementKind::kEdge, edge);
        CHECK(linked(report, "Triangles", ElementKind::kTriangle) == std::set<uint32_t>{left / 3, right / 3});
        CHECK(linked(report, "Ends", ElementKind::kVertex) == std::set<uint32_t>{ids[0], ids[1]});
        CHECK(linked(report, "Opposite", ElementKind::kVertex) == std::set<uint32_t>{ids[2], ids[3]});
        const Highlight* diagonal = highlight(report, "the other diagonal");
        REQUIRE(diagonal);
        CHECK(diagonal->style == Highlight::Style::kDashed);
        CHECK(diagonal->places[0].x == mesh.positions[ids[2]].x);
        CHECK(diagonal->places[1].y == mesh.positions[ids[3]].y);
        CHECK(highlight(report, "triangle " + std::to_string(left / 3)));
        const Point a = mesh.positions[ids[0]], b = mesh.positions[ids[1]], c = mesh.positions[ids[2]],
                    d = mesh.positions[ids[3]];
        const DeterminantValues values = incircle_values(a, b, c, d);
        CHECK(report.find("Double")->value.number() == values.rounded);
        CHECK(report.find("Error bound")->value.number() == values.error);
        CHECK(report.find("Exact")->value.number() == values.exact.rounded);
        CHECK(report.find("Exact")->why.find(hex_text(values.exact.rounded)) == 0);
        const bool fits = !contains(report.find("Other diagonal")->why, "cannot flip");
        const bool convex = orient2d(c, a, d) > 0 && orient2d(d, b, c) > 0;
        CHECK(fits == convex);
    }
    CHECK(inner > 20);
}

TEST_CASE("explain: a tie tells the sign that decided") {
    Stage stage(one_device(), generated("grid:25"), {}, "build");
    stage.lab->finish({});
    const HostMesh mesh = stage.mesh();
    size_t ties = 0;
    for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
        const Report report = told(*stage.lab, ElementKind::kEdge, edge);
        const Property* exact = report.find("Exact");
        if (!exact) continue;
        const Property* tie = report.find("Tie-break");
        CHECK((tie != nullptr) == (text_of(exact->value) == "0"));
        if (!tie) continue;
        ++ties;
        CHECK(text_of(tie->value) == std::string("sign −"));  // the triangulation is finished: nothing is illegal
        CHECK(contains(tie->why, "perturbation rank"));
    }
    CHECK(ties > 5);
}

TEST_CASE("explain: a vertex has the degree, the neighbours and the cell that the mesh gives it") {
    for (const char* lab : {"build", "serial", "strips", "subdivide"}) {
        INFO(lab);
        if (lab == std::string("serial") && one_device().request == DeviceRequest::kCuda)
            continue;  // it is for the CPU
        Stage stage(one_device(), generated("uniform:200"), {}, lab);
        stage.lab->finish({});
        const HostMesh mesh = stage.mesh();
        std::map<uint32_t, std::set<uint32_t>> neighbours, triangles;
        std::set<uint32_t> hull;
        for (uint32_t slot = 0; slot < 3 * mesh.triangle_count(); ++slot) {
            const uint32_t from = mesh.triangles[slot], to = mesh.triangles[next_corner(slot)];
            if (to == mesh.infinite) hull.insert(from);
            if (from == mesh.infinite) hull.insert(to);
            if (std::max(from, to) < mesh.infinite) {
                neighbours[from].insert(to);
                neighbours[to].insert(from);
                if (mesh.triangles[previous_corner(slot)] != mesh.infinite) triangles[from].insert(slot / 3);
            }
        }
        double cells = 0;
        for (uint32_t v = 0; v < mesh.infinite; ++v) {
            const Report report = told(*stage.lab, ElementKind::kVertex, v);
            CHECK(report.find("Degree")->value.number() == static_cast<double>(neighbours[v].size()));
            CHECK(linked(report, "Neighbours", ElementKind::kVertex) == neighbours[v]);
            CHECK(linked(report, "Triangles", ElementKind::kTriangle) == triangles[v]);
            const Property& cell = *report.find("Voronoi cell");
            CHECK((text_of(cell.value) == "unbounded") == hull.contains(v));
            REQUIRE(highlight(report, "star of"));
            if (hull.contains(v)) continue;
            cells += cell.value.number();
            const Highlight* drawn = highlight(report, "Voronoi cell");
            REQUIRE(drawn);
            CHECK(drawn->kind == Highlight::Kind::kPolygon);
            CHECK(drawn->places.size() == neighbours[v].size());
            // Every corner is as far from the vertex as from the nearest of all others, or nearer than that.
            const Point at = mesh.positions[v];
            for (const Point3& corner : drawn->places) {
                const double own = std::hypot(corner.x - at.x, corner.y - at.y);
                for (uint32_t other = 0; other < mesh.infinite; ++other) {
                    const Point p = mesh.positions[other];
                    CHECK(std::hypot(corner.x - p.x, corner.y - p.y) > own * (1 - 1e-6));
                }
            }
        }
        CHECK(cells > 0);
    }
}

TEST_CASE("explain: a point that waits tells its triangle, and the walk there enters neighbours one after the other") {
    for (const char* lab : {"build", "serial"}) {
        if (lab == std::string("serial") && one_device().request == DeviceRequest::kCuda) continue;
        Stage stage(one_device(), generated("uniform:80"), {}, lab);
        size_t walks = 0, steps = 0;
        while (!stage.lab->done()) {
            stage.lab->step();
            const TriangleMesh* mesh_now = stage.lab->scene().mesh;
            if (!mesh_now || mesh_now->triangle_count == 0 || stage.lab->done()) continue;
            const HostMesh mesh = stage.mesh();
            for (uint32_t v = 0; v < mesh.infinite; v += 7) {
                const Report report = told(*stage.lab, ElementKind::kVertex, v);
                const Property* waits = report.find("Waits in");
                if (!waits) continue;
                ++walks;
                CHECK_FALSE(report.find("Degree"));
                const uint32_t t = waits->links.at(0).element.id;
                const uint32_t* c = &mesh.triangles[3 * size_t(t)];
                const Point p = mesh.positions[v];
                if (std::max({c[0], c[1], c[2]}) < mesh.infinite)
                    for (uint32_t k = 0; k < 3; ++k)
                        CHECK(orient2d(mesh.positions[c[k]], mesh.positions[c[(k + 1) % 3]], p) >= 0);
                const Property& walk = *report.find("Walk");
                CHECK(walk.links.back().element.id == t);
                steps += walk.links.size() - 1;
            }
        }
        INFO(lab);
        CHECK(walks > 10);
        CHECK(steps > 0);
    }
}

TEST_CASE("explain: a triangle's neighbours, edges and angles") {
    Stage stage(one_device(), generated("uniform:100"), {}, "build");
    stage.lab->finish({});
    const HostMesh mesh = stage.mesh();
    for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
        const Report report = told(*stage.lab, ElementKind::kTriangle, t);
        std::set<uint32_t> beyond, edges;
        for (uint32_t slot = 3 * t; slot < 3 * t + 3; ++slot) {
            const uint32_t half = mesh.half_edge_at[slot];
            edges.insert(half >> 1);
            beyond.insert(mesh.corner_of[half ^ 1] / 3);
        }
        CHECK(linked(report, "Neighbours", ElementKind::kTriangle) == beyond);
        CHECK(linked(report, "Edges", ElementKind::kEdge) == edges);
        if (const Property* angles = report.find("Angles")) {
            double sum = 0;
            for (const double angle : std::get<std::vector<double>>(angles->value.content)) sum += angle;
            CHECK(sum == doctest::Approx(180));
            CHECK(report.find("Exact")->value.number() > 0);
        }
    }
}

TEST_CASE("explain: an edge of a surface says whether it flips as the claim pass decides") {
    size_t creases = 0, blocked = 0, illegal = 0, legal = 0;
    for (const Input& input : test_surfaces(5))
        for (const char* limit : {"dihedral=0.2", "dihedral=1"}) {
            Stage stage(one_device(), input, {limit});
            stage.lab->step();
            if (!stage.lab->scene().mesh || stage.lab->scene().mesh->edge_count == 0) continue;
            const TriangleMesh& mesh = *stage.lab->scene().mesh;
            const std::vector<State> states = mesh.edge_states.download();
            for (uint32_t edge = 0; edge < std::min(mesh.edge_count, 400u); ++edge) {
                const Report report = told(*stage.lab, ElementKind::kEdge, edge);
                const Property* flips = report.find("Flips");
                if (!flips) continue;
                INFO(input->name, " edge ", edge, ": ", flips->why);
                const bool must = states[edge] & kStateIllegal, held = states[edge] & kStateBlocked;
                const bool says_blocked = flips->why.starts_with("blocked");
                CHECK((text_of(flips->value) == "yes") == must);
                CHECK(says_blocked == held);
                creases += flips->why.starts_with("a crease");
                legal += flips->why.starts_with("legal");
                blocked += held;
                illegal += must;
            }
        }
    CHECK(creases > 0);
    CHECK(blocked > 0);
    CHECK(illegal > 0);
    CHECK(legal > 0);
}
