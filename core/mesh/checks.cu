#include "mesh/checks.h"

#include <bit>

#include "compute/primitives.h"
#include "compute/text.h"
#include "geometry/collinear.h"
#include "mesh/collect_failures.h"
#include "mesh/hash.h"
#include "mesh/illegal_reason.h"
#include "mesh/legality.h"

namespace flipscope {

namespace {

struct CheckOrientation {
    MeshView mesh;
    View<uint32_t> used;  // (v) set to 1
    // sum 0: turned or flat, 1: names a vertex that does not exist
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; ++k) {
            v[k] = mesh.triangles[3 * t + k];
            if (v[k] > mesh.infinite) {
                ++sums.value[1];
                return;
            }
            atomic_store(used[v[k]], 1u);
        }
        if (mesh.is_ghost(t)) return;
        sums.value[0] += orient2d(mesh.positions[v[0]], mesh.positions[v[1]], mesh.positions[v[2]]) <= 0;
    }
};

struct CountFinite {
    MeshView mesh;
    uint32_t triangle_count;
    // sum 0: finite triangles, 1: finite edges, 2: of these, with one finite triangle. One index for both.
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        if (i < triangle_count) sums.value[0] += !mesh.is_ghost(i);
        if (mesh.edges[2 * i] == mesh.infinite || mesh.edges[2 * i + 1] == mesh.infinite) return;
        ++sums.value[1];
        sums.value[2] +=
            mesh.is_ghost(triangle_of(mesh.corner_of[2 * i])) != mesh.is_ghost(triangle_of(mesh.corner_of[2 * i + 1]));
    }
};

struct CheckAreas {
    MeshView mesh;
    View<uint32_t> used;  // (v) set to 1
    // sum 0: no area, 1: names a vertex that does not exist
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t v = mesh.triangles[3 * t + k];
            if (v > mesh.infinite) {
                ++sums.value[1];
                return;
            }
            atomic_store(used[v], 1u);
        }
        if (mesh.is_ghost(t)) return;
        const Point3 p = mesh.place(mesh.triangles[3 * t]), q = mesh.place(mesh.triangles[3 * t + 1]),
                     r = mesh.place(mesh.triangles[3 * t + 2]);
        sums.value[0] += collinear(p, q, r);
    }
};

struct MakeEdgeKeys {
    MeshView mesh;
    int vertex_bits;
    View<uint64_t> keys;
    View<uint32_t> ids;
    FLIPSCOPE_HD void operator()(uint32_t edge) const {
        const uint32_t from = mesh.edges[2 * edge], to = mesh.edges[2 * edge + 1];
        keys[edge] = uint64_t(from < to ? from : to) << vertex_bits | (from < to ? to : from);
        ids[edge] = edge;
    }
};

struct EqualKeys : FailureTest {
    View<const uint64_t> keys;
    View<const uint32_t> ids;
    uint64_t vertex_mask = 0;
    uint32_t infinite = kNone;
    FLIPSCOPE_HD bool operator()(uint32_t i) const {
        return i > 0 && keys[i] == keys[i - 1] && (keys[i] & vertex_mask) != infinite;
    }
    FLIPSCOPE_HD uint32_t element(uint32_t i) const { return ids[i]; }
};

struct CheckLegality {
    MeshView mesh;
    bool fixed_outline;
    // sum 0: illegal, 1: reflex hull, 2: illegal by the tie rule alone
    FLIPSCOPE_HD void operator()(uint32_t edge, BlockSums& sums) const {
        const Quad q = quad_at(mesh, edge);
        if ((fixed_outline && touches_infinity(mesh, q)) || !is_illegal(mesh, q, PredicateMode::kExact)) return;
        ++sums.value[q.from == mesh.infinite || q.to == mesh.infinite ? 1 : is_tied(mesh, q) ? 2 : 0];
    }
};

struct SummariseTriangles {
    MeshView mesh;
    uint32_t real_vertices;
    FLIPSCOPE_HD bool counts(uint32_t t) const {
        return mesh.triangles[3 * t] < real_vertices && mesh.triangles[3 * t + 1] < real_vertices &&
               mesh.triangles[3 * t + 2] < real_vertices;
    }
    // sum 0: triangles, 1: hash
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        if (!counts(t)) return;
        ++sums.value[0];
        sums.value[1] += hash_triangle(mesh.inputs[mesh.triangles[3 * t]], mesh.inputs[mesh.triangles[3 * t + 1]],
                                       mesh.inputs[mesh.triangles[3 * t + 2]]);
    }
};

struct SummariseEdges {
    SummariseTriangles triangles;
    // sum 0: edges, 1: hull edges
    FLIPSCOPE_HD void operator()(uint32_t edge, BlockSums& sums) const {
        const MeshView& mesh = triangles.mesh;
        const bool left = triangles.counts(triangle_of(mesh.corner_of[2 * edge]));
        const bool right = triangles.counts(triangle_of(mesh.corner_of[2 * edge + 1]));
        sums.value[0] += left || right;
        sums.value[1] += left != right;
    }
};

struct HashWords {
    Words words;
    uint64_t seed;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        sums.value[0] += mix64(seed ^ ((uint64_t(i) << 32) | words[i]));
    }
};

/// Fills in what both checks count, and returns how many edges are finite. References must be sound.
uint64_t count_finite(Context& context, const TriangleMesh& mesh, CheckReport& report) {
    // A closed mesh has more edges than triangles: 3/2 as many.
    const BlockSums finite =
        sums_of(context, "check.finite", mesh.edge_count, CountFinite{mesh.view(), mesh.triangle_count});
    report.boundary_edges = finite.value[2];
    report.euler_characteristic = static_cast<int64_t>(mesh.infinite()) - static_cast<int64_t>(finite.value[1]) +
                                  static_cast<int64_t>(finite.value[0]);
    return finite.value[1];
}

/// Edges by their ends, so that those with both ends in common are neighbours.
struct SortedEdges {
    Buffer<uint64_t> keys{"edge keys"};
    Buffer<uint32_t> ids{"edge ids"};
    EqualKeys equal;

    SortedEdges(Context& context, const TriangleMesh& mesh) {
        keys.resize(context, mesh.edge_count);
        ids.resize(context, mesh.edge_count);
        const int bits = std::bit_width(mesh.infinite());
        launch(context, "check.edge keys", mesh.edge_count, MakeEdgeKeys{mesh.view(), bits, keys.view(), ids.view()});
        sort_by_key(context, "check.sort", keys, ids, 2 * bits);
        equal = {{}, keys.view(), ids.view(), (uint64_t(1) << bits) - 1, mesh.infinite()};
    }
};

/// `finite`: how many edges are; the others are ghosts, to the vertex at infinity.
void describe(CheckReport& report, const TriangleMesh& mesh, uint64_t finite, bool fixed_outline) {
    const auto fault = [&](uint64_t count, const char* one, const char* many) {
        if (!count) return;
        report.passed = false;
        if (!report.sentence.empty()) report.sentence += ", ";
        report.sentence += with_commas(count) + " " + (count == 1 ? one : many);
    };
    fault(report.broken_references, "broken reference", "broken references");
    fault(report.inverted_triangles, "flat or inverted triangle", "flat or inverted triangles");
    fault(report.illegal_edges, "illegal edge", "illegal edges");
    fault(report.reflex_hull, "reflex hull vertex", "reflex hull vertices");
    fault(report.tied_edges, "edge against the tie rule", "edges against the tie rule");
    if (!report.euler) {
        report.passed = false;
        report.sentence += report.sentence.empty() ? "" : ", ";
        report.sentence += fixed_outline ? "points left out or triangles and edges that do not fit together"
                                         : "points left out or Euler's count broken";
    }
    const bool only_ties =
        !report.passed && report.euler &&
        report.broken_references + report.inverted_triangles + report.illegal_edges + report.reflex_hull == 0;
    if (only_ties)
        report.sentence = std::string(fixed_outline ? "Delaunay within its outline" : "Delaunay") +
                          ", but not the triangulation that the tie rule chooses: " + report.sentence;
    else if (!report.passed)
        report.sentence = (fixed_outline ? "not Delaunay within its outline: " : "not Delaunay: ") + report.sentence;
    else if (fixed_outline)
        report.sentence = "Delaunay within its outline: every edge between two of its triangles is legal, exactly; " +
                          with_commas(report.boundary_edges) + " are on the outline";
    else
        report.sentence = "Delaunay: every one of " + with_commas(finite) +
                          " edges is legal, exactly, and the hull is convex (" + with_commas(mesh.edge_count - finite) +
                          " ghost edges, to the vertex at infinity, are legal, too)";
}

}  // namespace

CheckReport check_mesh(Context& context, const TriangleMesh& mesh, const CheckOptions& options) {
    CheckReport report;
    if (mesh.vertex_count == 0) {
        report.checked = report.passed = false;
        report.sentence = "there is no triangle yet";
        return report;
    }
    const MeshView view = mesh.view();
    Buffer<uint32_t> used("used vertices");
    used.fill(context, mesh.vertex_count, 0);

    report.broken_references = count_failures(context, "check.references", mesh.edge_count,
                                              BrokenReference{{}, view, 3 * mesh.triangle_count});
    const BlockSums inverted =
        sums_of(context, "check.orientation", mesh.triangle_count, CheckOrientation{view, used.view()});
    report.broken_references += inverted.value[1];
    report.inverted_triangles = inverted.value[0];
    const uint64_t unused = count_failures(context, "check.used", mesh.vertex_count, UnusedVertex{{}, used.view()});
    if (options.fixed_outline)
        report.euler = unused == 0 && 3ull * mesh.triangle_count == 2ull * mesh.edge_count;
    else
        report.euler = unused == 0 && mesh.triangle_count + 4ull == 2ull * mesh.vertex_count &&
                       mesh.edge_count + 6ull == 3ull * mesh.vertex_count;
    uint64_t finite = 0;
    if (report.broken_references == 0) {  // else the edges cannot be trusted
        finite = count_finite(context, mesh, report);
        const BlockSums legality =
            sums_of(context, "check.legality", mesh.edge_count, CheckLegality{view, options.fixed_outline});
        report.illegal_edges = legality.value[0];
        report.reflex_hull = legality.value[1];
        report.tied_edges = legality.value[2];
    }
    describe(report, mesh, finite, options.fixed_outline);
    if (!report.passed) collect_mesh_failures(context, mesh, used.view(), options.fixed_outline, report);
    return report;
}

void list_duplicate_edges(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report) {
    if (report.duplicate_edges == 0) return;
    const SortedEdges sorted(context, mesh);
    collect_failures(context, "check.list doubled", mesh, mesh.edge_count, ElementKind::kEdge, "duplicate-edge",
                     report.duplicate_edges, sorted.equal, report, [&](const FailureRecord& record) {
                         return name_of(record, ElementKind::kEdge) + " has both ends in common with another edge" +
                                why;
                     });
}

CheckReport check_surface(Context& context, const TriangleMesh& mesh) {
    CheckReport report;
    if (mesh.vertex_count == 0) {
        report.sentence = "sound: there is nothing";
        return report;
    }
    const MeshView view = mesh.view();
    Buffer<uint32_t> used("used vertices");
    used.fill(context, mesh.vertex_count, 0);
    report.broken_references = count_failures(context, "check.references", mesh.edge_count,
                                              BrokenReference{{}, view, 3 * mesh.triangle_count});
    const BlockSums areas = sums_of(context, "check.areas", mesh.triangle_count, CheckAreas{view, used.view()});
    report.broken_references += areas.value[1];
    report.flat_triangles = areas.value[0];
    // A closed surface has no ghost, so nothing names the infinite vertex, which is the last one.
    const uint64_t unused = count_failures(context, "check.used", mesh.infinite(), UnusedVertex{{}, used.view()});
    report.euler = unused == 0 && 3ull * mesh.triangle_count == 2ull * mesh.edge_count;
    if (report.broken_references == 0) {
        count_finite(context, mesh, report);
        report.duplicate_edges =
            count_failures(context, "check.doubled", mesh.edge_count, SortedEdges(context, mesh).equal);
    }
    report.passed = report.broken_references == 0 && report.euler;
    report.sentence = report.passed
                          ? "sound: every triangle and edge name each other; " + with_commas(report.boundary_edges) +
                                " edges on the boundary, Euler characteristic " +
                                std::to_string(report.euler_characteristic)
                      : report.euler ? "not sound: " + with_commas(report.broken_references) + " broken references"
                                     : "not sound: points left out or triangles and edges that do not fit together";
    if (!report.passed) collect_surface_failures(context, mesh, used.view(), report);
    return report;
}

MeshSummary summarise(Context& context, const TriangleMesh& mesh, uint32_t real_vertices) {
    if (mesh.triangle_count == 0) return {};
    const SummariseTriangles triangles{mesh.view(), real_vertices};
    const BlockSums counted = sums_of(context, "summary.triangles", mesh.triangle_count, triangles);
    const BlockSums edges = sums_of(context, "summary.edges", mesh.edge_count, SummariseEdges{triangles});
    return {counted.value[0], edges.value[0], edges.value[1], mix64(counted.value[1])};
}

uint64_t hash_words(Context& context, Words words, uint64_t seed) {
    seed = mix64(seed ^ words.count);
    return mix64(seed ^ sums_of(context, "hash", static_cast<uint32_t>(words.count), HashWords{words, seed}).value[0]);
}

}  // namespace flipscope
