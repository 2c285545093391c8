#include "mesh/collect_failures.h"

#include <cmath>

#include "geometry/collinear.h"
#include "mesh/illegal_reason.h"

namespace flipscope {

namespace {

FLIPSCOPE_HD inline bool names_missing_vertex(const MeshView& mesh, uint32_t t) {
    for (uint32_t k = 0; k < 3; ++k)
        if (mesh.triangles[3 * t + k] > mesh.infinite) return true;
    return false;
}

struct MissingVertex : FailureTest {
    MeshView mesh;
    FLIPSCOPE_HD bool operator()(uint32_t t) const { return names_missing_vertex(mesh, t); }
};

/// Finite triangles of the plane whose orientation is `sign`.
struct Oriented : FailureTest {
    MeshView mesh;
    int sign;
    FLIPSCOPE_HD Point at(uint32_t t, uint32_t k) const { return mesh.positions[mesh.triangles[3 * t + k]]; }
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        return !names_missing_vertex(mesh, t) && !mesh.is_ghost(t) && orient2d(at(t, 0), at(t, 1), at(t, 2)) == sign;
    }
    /// Its area, rounded: world units squared.
    FLIPSCOPE_HD double value(uint32_t t) const {
        return sign == 0 ? 0 : flipscope::detail::orient2d(at(t, 0), at(t, 1), at(t, 2)).value / 2;
    }
};

struct WithoutArea : FailureTest {
    MeshView mesh;
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        if (names_missing_vertex(mesh, t) || mesh.is_ghost(t)) return false;
        return collinear(mesh.place(mesh.triangles[3 * t]), mesh.place(mesh.triangles[3 * t + 1]),
                         mesh.place(mesh.triangles[3 * t + 2]));
    }
};

struct Illegal : FailureTest {
    MeshView mesh;
    bool fixed_outline;
    bool tied;  // those by the tie rule alone, or the others
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        if (q.from == mesh.infinite || q.to == mesh.infinite) return false;
        if (fixed_outline && touches_infinity(mesh, q)) return false;
        return is_illegal(mesh, q, PredicateMode::kExact) && is_tied(mesh, q) == tied;
    }
    FLIPSCOPE_HD IllegalReason reason(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        if (touches_infinity(mesh, q)) return IllegalReason::kFlatAtHull;
        return reason_of_illegal(mesh.positions[q.from], mesh.positions[q.to], mesh.positions[q.left],
                                 mesh.positions[q.right]);
    }
    FLIPSCOPE_HD uint32_t detail(uint32_t edge) const { return static_cast<uint32_t>(reason(edge)); }
    /// The in-circle determinant, rounded; 0 for a tie; NaN where rounding leaves nothing of it, or there is no circle.
    FLIPSCOPE_HD double value(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        const IllegalReason why = reason(edge);
        if (why != IllegalReason::kInside) return why == IllegalReason::kTie ? 0 : NAN;
        const auto rounded = flipscope::detail::incircle(mesh.positions[q.from], mesh.positions[q.to],
                                                         mesh.positions[q.left], mesh.positions[q.right]);
        return rounded.value > rounded.error ? rounded.value : NAN;
    }
};

/// Tests edges to infinity; the element is the finite end, a vertex of the hull.
struct ReflexHull : FailureTest {
    MeshView mesh;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        return (q.from == mesh.infinite || q.to == mesh.infinite) && is_illegal(mesh, q, PredicateMode::kExact);
    }
    FLIPSCOPE_HD uint32_t element(uint32_t edge) const {
        const Quad q = quad_at(mesh, edge);
        return q.from == mesh.infinite ? q.to : q.from;
    }
};

std::string point_text(uint32_t input) { return "point " + std::to_string(input); }

std::string illegal_text(const FailureRecord& record) {
    return name_of(record, ElementKind::kEdge) +
           " is illegal: " + sentence_of(static_cast<IllegalReason>(record.detail), record.inputs[2], record.inputs[3]);
}

void collect_references(Context& context, const TriangleMesh& mesh, View<uint32_t> used, CheckReport& report) {
    if (report.broken_references > 0) {
        const BrokenReference broken{{}, mesh.view(), 3 * mesh.triangle_count};
        collect_failures(context, "check.list references", mesh, mesh.edge_count, ElementKind::kEdge,
                         "broken-reference", count_failures(context, "check.count references", mesh.edge_count, broken),
                         broken, report, [](const FailureRecord& record) {
                             return name_of(record, ElementKind::kEdge) + " and its triangles do not name each other";
                         });
        const MissingVertex missing{{}, mesh.view()};
        collect_failures(context, "check.list missing", mesh, mesh.triangle_count, ElementKind::kTriangle,
                         "missing-vertex", count_failures(context, "check.count missing", mesh.triangle_count, missing),
                         missing, report, [](const FailureRecord& record) {
                             return name_of(record, ElementKind::kTriangle) + " names a vertex that does not exist";
                         });
    }
    const UnusedVertex is_unused{{}, used};
    const uint64_t unused = count_failures(context, "check.unused", mesh.infinite(), is_unused);
    collect_failures(context, "check.list unused", mesh, mesh.infinite(), ElementKind::kVertex, "unused-point", unused,
                     is_unused, report,
                     [](const FailureRecord& record) { return point_text(record.inputs[0]) + " is in no triangle"; });
    if (!report.euler && unused == 0)
        add_failure(report,
                    {"euler-count", "the numbers of vertices, edges and triangles do not fit together", {}, {}, {}});
}

}  // namespace

std::string name_of(const FailureRecord& record, ElementKind kind) {
    static constexpr const char* kKinds[] = {"vertex ", "edge ", "triangle ", "pixel "};
    std::string text = kKinds[static_cast<int>(kind)] + std::to_string(record.id), points;
    uint32_t finite = 0, seen = 0;
    for (uint32_t k = 0; k < record.corners; ++k) finite += record.inputs[k] != kNone;
    for (uint32_t k = 0; k < record.corners; ++k) {
        if (record.inputs[k] == kNone) continue;
        ++seen;
        points += (seen == 1 ? "" : seen == finite ? " and " : ", ") + std::to_string(record.inputs[k]);
    }
    return finite == 0 ? text : text + (finite == 1 ? " (point " : " (points ") + points + ")";
}

// Failures of a code follow each other.
size_t room_for(const FailureList& report, const std::string& code) {
    const auto other = std::partition_point(report.failures.rbegin(), report.failures.rend(),
                                            [&](const CheckFailure& failure) { return failure.code == code; });
    const auto listed = static_cast<size_t>(other - report.failures.rbegin());
    return std::min(kMostFailures - std::min(kMostFailures, report.failures.size()),
                    kMostOfOneCode - std::min(kMostOfOneCode, listed));
}

void add_failure(FailureList& report, CheckFailure failure) {
    ++report.failure_count;
    if (room_for(report, failure.code) > 0) report.failures.push_back(std::move(failure));
}

void collect_mesh_failures(Context& context, const TriangleMesh& mesh, View<uint32_t> used, bool fixed_outline,
                           CheckReport& report) {
    const MeshView view = mesh.view();
    if (report.inverted_triangles > 0)
        for (const int sign : {-1, 0}) {
            const Oriented oriented{{}, view, sign};
            collect_failures(context, "check.list orientation", mesh, mesh.triangle_count, ElementKind::kTriangle,
                             sign < 0 ? "inverted-triangle" : "flat-triangle",
                             count_failures(context, "check.count orientation", mesh.triangle_count, oriented),
                             oriented, report, [sign](const FailureRecord& record) {
                                 return name_of(record, ElementKind::kTriangle) +
                                        (sign < 0 ? " is inverted: its corners run clockwise"
                                                  : " is flat: its corners lie on one line");
                             });
        }
    collect_failures(context, "check.list illegal", mesh, mesh.edge_count, ElementKind::kEdge, "illegal-edge",
                     report.illegal_edges, Illegal{{}, view, fixed_outline, false}, report, illegal_text);
    collect_failures(context, "check.list hull", mesh, mesh.edge_count, ElementKind::kVertex, "reflex-hull",
                     report.reflex_hull, ReflexHull{{}, view}, report, [](const FailureRecord& record) {
                         return "the hull is not convex at " + point_text(record.inputs[0]);
                     });
    collect_failures(context, "check.list ties", mesh, mesh.edge_count, ElementKind::kEdge, "tied-edge",
                     report.tied_edges, Illegal{{}, view, fixed_outline, true}, report, illegal_text);
    collect_references(context, mesh, used, report);
}

void collect_surface_failures(Context& context, const TriangleMesh& mesh, View<uint32_t> used, CheckReport& report) {
    collect_references(context, mesh, used, report);
}

void list_flat_triangles(Context& context, const TriangleMesh& mesh, const std::string& why, CheckReport& report) {
    collect_failures(context, "check.list flat", mesh, mesh.triangle_count, ElementKind::kTriangle, "flat-triangle",
                     report.flat_triangles, WithoutArea{{}, mesh.view()}, report, [&](const FailureRecord& record) {
                         return name_of(record, ElementKind::kTriangle) + " has no area" + why;
                     });
}

}  // namespace flipscope
