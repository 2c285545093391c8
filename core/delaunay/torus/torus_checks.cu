#include "delaunay/torus/torus_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compute/launch.h"
#include "compute/text.h"
#include "delaunay/torus/torus_rules.h"
#include "mesh/collect_failures.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

struct BrokenTorusReference : BrokenReference {
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        return BrokenReference::operator()(edge) ||
               !(mesh.shifts[mesh.corner_of[2 * edge]] == -mesh.shifts[mesh.corner_of[2 * edge + 1]]);
    }
};

struct BrokenTriangle : FailureTest {
    MeshView mesh;
    uint32_t vertices = 0;
    int most_x = 0, most_y = 0;  // sides that an edge leads over
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        ImageShift round;
        for (uint32_t k = 0; k < 3; ++k) {
            if (mesh.triangles[3 * t + k] >= vertices) return true;
            const ImageShift shift = mesh.shifts[3 * t + k];
            if (shift.x > most_x || shift.x < -most_x || shift.y > most_y || shift.y < -most_y) return true;
            round = round + shift;
        }
        return !(round == ImageShift{});
    }
};

struct InvertedTriangle : FailureTest {
    MeshView mesh;
    TorusBox box;
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        return torus_orient2d(box, {0, 0}, triangle.b, triangle.c) <= 0;
    }
};

struct IllegalEdge : FailureTest {
    MeshView mesh;
    TorusBox box;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        return torus_incircle(box, quad.to, quad.left, quad.right) > 0;
    }
};

/// An edge of a cylinder that separates the last triangle from the ghosts and is not on the border.
struct CrookedBorder : FailureTest {
    MeshView mesh;
    double low = 0, high = 0;  // the borders, along the open axis
    FLIPSCOPE_HD double place(uint32_t vertex) const {
        return mesh.open == OpenAxis::kX ? mesh.positions[vertex].x : mesh.positions[vertex].y;
    }
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        const uint32_t corner = mesh.corner_of[2 * edge];
        if (mesh.is_beyond(corner)) return false;
        const bool first = mesh.is_beyond_borders(triangle_of(corner)),
                   second = mesh.is_beyond_borders(triangle_of(mesh.corner_of[2 * edge + 1]));
        const double from = place(mesh.from(corner)), to = place(mesh.to(corner));
        return (first || second) && (from != to || (from != low && from != high));
    }
};

/// Sum 0: twice the area of all triangles in steps of the grid squared, modulo 2^64.
struct AddAreas {
    MeshView mesh;
    TorusBox box;
    double per_step;  // 1 / grid, a power of two
    FLIPSCOPE_HD uint64_t steps(double v) const { return static_cast<uint64_t>(static_cast<int64_t>(v * per_step)); }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        if (mesh.is_beyond_borders(t)) return;
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        sums.value[0] += steps(triangle.b.x) * steps(triangle.c.y) - steps(triangle.b.y) * steps(triangle.c.x);
    }
};

/// Sum 0: triangles, sum 1: edges.
struct CountWithinBorders {
    MeshView mesh;
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        sums.value[0] += !mesh.is_beyond_borders(t);
        for (uint32_t corner = 3 * t; corner < 3 * t + 3; ++corner)
            sums.value[1] += (mesh.half_edge_at[corner] & 1) == 0 && !mesh.is_beyond(corner);
    }
};

struct MarkUsed {
    MeshView mesh;
    View<uint32_t> used;
    FLIPSCOPE_HD void operator()(uint32_t corner) const { atomic_store(used[mesh.triangles[corner]], 1u); }
};

/// A triangle over ids and images, the same for its three rotations.
struct HashTorusTriangles {
    MeshView mesh;
    FLIPSCOPE_HD static uint64_t word(ImageShift shift) { return uint64_t(uint8_t(shift.x)) << 8 | uint8_t(shift.y); }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        if (mesh.is_beyond_borders(t)) return;
        uint64_t sum = 0;  // over its edges, each of which names both ends and the image: no rotation is preferred
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t corner = 3 * t + k;
            const uint64_t ends = uint64_t(mesh.inputs[mesh.from(corner)]) << 32 | mesh.inputs[mesh.to(corner)];
            const uint64_t edge = mix64(ends) ^ word(mesh.shifts[corner]);
            sum += mix64(mix64(edge) ^ mesh.inputs[mesh.apex(corner)]);
        }
        sums.value[0] += mix64(sum);
    }
};

struct HashShifts {
    View<const ImageShift> shifts;
    FLIPSCOPE_HD void operator()(uint32_t corner, BlockSums& sums) const {
        sums.value[0] += mix64(uint64_t(corner) << 16 | HashTorusTriangles::word(shifts[corner]));
    }
};

}  // namespace

CheckReport check_of_empty_torus() {
    CheckReport report;
    report.sentence = "there is no vertex, and nothing to check";
    return report;
}

CheckReport check_torus(Context& context, const TriangleMesh& triangulation, const TorusBox& box) {
    CheckReport report;
    const uint32_t count = triangulation.vertex_count, triangles = triangulation.triangle_count,
                   edges = triangulation.edge_count;
    if (count == 0) return check_of_empty_torus();
    const MeshView mesh = triangulation.view();
    const auto most_sides = [&](double side, OpenAxis axis) {
        return box.open == axis ? 1 : static_cast<int>(kMostShift * box.longer() / side);
    };
    double low = 0, high = 0;  // of the vertices, along the open axis
    if (box.is_cylinder()) {
        const std::vector<Point> places = triangulation.positions.download();
        const auto place = [&](Point p) { return box.open == OpenAxis::kX ? p.x : p.y; };
        low = high = place(places[0]);
        for (size_t v = 0; v < count; ++v)
            low = std::min(low, place(places[v])), high = std::max(high, place(places[v]));
    }
    std::string faults;
    const auto test_all = [&](const char* label, uint32_t n, ElementKind kind, const char* code, const auto& test,
                              const char* one, const char* many, const char* says) {
        const uint64_t failing = count_failures(context, label, n, test);
        if (failing == 0) return failing;
        report.passed = false;
        faults += (faults.empty() ? "" : ", ") + count_text(failing, one, many);
        collect_failures(context, "check.list", triangulation, n, kind, code, failing, test, report,
                         [&](const FailureRecord& record) { return name_of(record, kind) + " " + says; });
        return failing;
    };
    report.euler = triangles == 2ull * count && edges == 3ull * count;
    if (!report.euler) {
        report.passed = false;
        faults = "Euler's count broken: " + std::to_string(count) + " vertices, " + std::to_string(edges) +
                 " edges and " + std::to_string(triangles) + " triangles";
        add_failure(report, {"euler", faults, {}, {}, {}});
    }
    report.euler_characteristic = int64_t(count) - edges + triangles;
    report.broken_references = test_all(
        "check.triangles", triangles, ElementKind::kTriangle, "broken-triangle",
        BrokenTriangle{{}, mesh, count, most_sides(box.sides.x, OpenAxis::kX), most_sides(box.sides.y, OpenAxis::kY)},
        "broken triangle", "broken triangles",
        "names a vertex that is not there, or its edges do not lead back to where they begin");
    if (report.broken_references == 0)
        report.broken_references = test_all("check.references", edges, ElementKind::kEdge, "broken-reference",
                                            BrokenTorusReference{{{}, mesh, 3 * triangles}}, "broken reference",
                                            "broken references", "and its triangles do not name each other");
    if (report.broken_references == 0) {
        Buffer<uint32_t> used("used vertices");
        used.fill(context, count, 0);
        launch(context, "check.use", 3 * triangles, MarkUsed{mesh, used.view()});
        if (test_all("check.used", count, ElementKind::kVertex, "unused-vertex", UnusedVertex{{}, used.view()},
                     "vertex in no triangle", "vertices in no triangle", "is in no triangle"))
            report.euler = false;
        report.inverted_triangles =
            test_all("check.orientation", triangles, ElementKind::kTriangle, "inverted-triangle",
                     InvertedTriangle{{}, mesh, box}, "flat or inverted triangle", "flat or inverted triangles",
                     "is not counter-clockwise");
        const double per_step = 1 / box.grid;
        const uint64_t area = sums_of(context, "check.areas", triangles, AddAreas{mesh, box, per_step}).value[0];
        const auto width = static_cast<uint64_t>((box.open == OpenAxis::kX ? high - low : box.sides.x) * per_step),
                   height = static_cast<uint64_t>((box.open == OpenAxis::kY ? high - low : box.sides.y) * per_step);
        if (area != 2 * width * height) {
            report.passed = false;
            const std::string says = std::string("the areas of all triangles do not add up to that ") +
                                     (box.is_cylinder() ? "between the borders" : "of the box");
            faults += (faults.empty() ? "" : ", ") + says;
            add_failure(report, {"area", says, {}, {}, {}});
        }
        if (box.is_cylinder())
            test_all("check.borders", edges, ElementKind::kEdge, "crooked-border", CrookedBorder{{}, mesh, low, high},
                     "crooked border edge", "crooked border edges",
                     "is at the border, which is not the straight line through the lowest or the highest point");
        report.illegal_edges =
            test_all("check.legality", edges, ElementKind::kEdge, "illegal-edge", IllegalEdge{{}, mesh, box},
                     "illegal edge", "illegal edges",
                     "is illegal: the circle of one of its triangles holds the apex of the other, or goes through it "
                     "and the tie rule chooses the other diagonal");
    }
    const TorusCounts within = count_within_borders(context, triangulation);
    const std::string surface = box.is_cylinder() ? "the cylinder: " : "the torus: ";
    report.sentence = report.passed
                          ? "Delaunay on " + surface + count_text(count, "vertex", "vertices") + ", " +
                                count_text(within.triangles, "triangle", "triangles") + ", which cover " +
                                (box.is_cylinder() ? "it once between its straight borders" : "the box once") +
                                ", and " + count_text(within.edges, "edge", "edges") + ", each legal, exactly"
                          : "not Delaunay on " + surface + faults;
    return report;
}

TorusCounts count_within_borders(Context& context, const TriangleMesh& mesh) {
    if (!mesh.on_cylinder() || mesh.triangle_count == 0) return {mesh.triangle_count, mesh.edge_count};
    const BlockSums sums = sums_of(context, "count.borders", mesh.triangle_count, CountWithinBorders{mesh.view()});
    return {static_cast<uint32_t>(sums.value[0]), static_cast<uint32_t>(sums.value[1])};
}

uint64_t hash_torus(Context& context, const TriangleMesh& mesh) {
    if (mesh.triangle_count == 0) return 0;
    return mix64(sums_of(context, "hash.torus", mesh.triangle_count, HashTorusTriangles{mesh.view()}).value[0]);
}

uint64_t hash_shifts(Context& context, const TriangleMesh& mesh) {
    return sums_of(context, "hash.shifts", 3 * mesh.triangle_count, HashShifts{mesh.shifts.view()}).value[0];
}

}  // namespace flipscope
