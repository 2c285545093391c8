#include "labs/flip/flip_lab.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "compute/error.h"
#include "compute/text.h"
#include "geometry/collinear.h"
#include "instruments/explain.h"
#include "lab/vocabulary.h"
#include "mesh/checks.h"
#include "mesh/star_of.h"

namespace flipscope {

namespace {

// Tolerances of checks: angles in radians, and cosines of dihedral angles, which may have been rounded differently
// before.
constexpr double kRounding = 1e-12;
constexpr double kDegree = 3.14159265358979323846 / 180;

double degrees(const Angle<double>& angle) { return std::atan2(angle.sine, angle.cosine) / kDegree; }
std::string degree_text(double angle) { return format_short(angle) + "°"; }

Point3 surface_place(const TriangleMesh& mesh, uint32_t v) {
    const Point p = mesh.positions.read(v);
    return {p.x, p.y, mesh.heights.read(v)};
}

double dihedral_of(Point3 m, Point3 n) { return std::atan2(length(cross(m, n)), dot(m, n)); }

/// An edge of a surface with its two triangles.
struct SurfaceQuad {
    uint32_t corners[2];  // of the edge, in its triangles
    uint32_t ids[4];      // from, to, left, right
    Point3 at[4];         // of finite vertices

    SurfaceQuad(const TriangleMesh& mesh, uint32_t edge)
        : corners{mesh.corner_of.read(2 * size_t(edge)), mesh.corner_of.read(2 * size_t(edge) + 1)},
          ids{mesh.triangles.read(corners[0]), mesh.triangles.read(corners[1]),
              mesh.triangles.read(previous_corner(corners[0])), mesh.triangles.read(previous_corner(corners[1]))} {
        for (uint32_t k = 0; k < 4; ++k)
            if (ids[k] < mesh.infinite()) at[k] = surface_place(mesh, ids[k]);
    }
};

/// Why an edge between two triangles does not flip, in the order of the rule's tests (SurfaceRule); empty: it flips.
std::string why_surface_edge_stays(const Flipping& flipping, const SurfaceQuad& quad) {
    const TriangleMesh& mesh = flipping.mesh();
    const FlippingOptions& options = flipping.options();
    const auto& [edge_corners, ids, at] = quad;
    if (ids[2] == ids[3]) return "both its triangles have the same three vertices";
    const auto [from, to, left, right] = at;
    const SurfaceRule rule = make_surface_rule(options.epsilon, options.dihedral);
    if (!exceeds_pi(angle_at(left, from, to), angle_at(right, to, from), rule.slack))
        return "legal: the angles opposite to it are together no more than 180° + \xCE\xB5";
    const Point3 old[2] = {collinear(from, to, left) ? Point3{} : unit_of(normal_of(from, to, left)),
                           collinear(to, from, right) ? Point3{} : unit_of(normal_of(to, from, right))};
    const std::string limit = "the dihedral limit of " + format_short(options.dihedral) + " rad";
    if (!units_meet_flatly(old[0], old[1], rule.limit_cosine))
        return "a crease: its triangles meet past " + limit + ", so it is part of the shape";
    if (collinear(from, right, left) || collinear(to, left, right))
        return "blocked: the flip would make a triangle without area";
    const Point3 made[2] = {unit_of(normal_of(from, right, left)), unit_of(normal_of(to, left, right))};
    const Point3 upward = old[0] + old[1];
    if (!(dot(made[0], upward) > 0) || !(dot(made[1], upward) > 0)) return "blocked: the flip would invert a triangle";
    if (!units_meet_flatly(made[0], made[1], rule.limit_cosine))
        return "blocked: the edge in its place would be a crease past " + limit;
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t corner = k & 1 ? previous_corner(edge_corners[k >> 1]) : next_corner(edge_corners[k >> 1]);
        const uint32_t beyond = triangle_of(mesh.corner_of.read(mesh.half_edge_at.read(corner) ^ 1u));
        uint32_t corners[3];
        for (uint32_t c = 0; c < 3; ++c) corners[c] = mesh.triangles.read(3 * size_t(beyond) + c);
        if (std::max({corners[0], corners[1], corners[2]}) >= mesh.infinite()) continue;
        const Point3 there = unit_of(normal_of(surface_place(mesh, corners[0]), surface_place(mesh, corners[1]),
                                               surface_place(mesh, corners[2])));
        const Point3 next = made[k == 0 || k == 3 ? 1 : 0];
        if (!units_meet_flatly(there, next, rule.limit_cosine) &&
            units_meet_flatly(there, old[k >> 1], rule.limit_cosine))
            return "blocked: edge " + std::to_string(mesh.half_edge_at.read(corner) >> 1) +
                   " beside it would become a crease past " + limit;
    }
    const Star star = star_of(flipping.context(), mesh, ids[2], 1u << 16);
    for (const uint32_t spoke : star.spokes)
        if (mesh.triangles.read(next_corner(spoke)) == ids[3])
            return "blocked: an edge joins the opposite vertices already";
    return {};
}

}  // namespace

FlippingOptions FlipParameters::options() const {
    return {.start = static_cast<Start>(start),
            .maker = {static_cast<uint64_t>(seed), scramble, moved_by},
            .criterion = static_cast<Criterion>(criterion),
            .epsilon = epsilon,
            .dihedral = dihedral,
            .conflict = static_cast<ConflictRule>(conflict),
            .block_size = static_cast<uint32_t>(block_size)};
}

void FlipLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    flipping_.reset(context, std::move(input), parameters_.options());
    greeting_ = describe_start();
}

StepResult FlipLab::step() {
    StepResult result = flipping_.step();
    std::swap(result.message, greeting_);
    result.message.add(message_after(result));
    if ((result.pass == Flipping::kClaim && result.iteration == 1) || result.pass == Flipping::kRepair) measure(result);
    return result;
}

void FlipLab::finish(const std::function<void(const StepResult&)>& after_round) {
    flipping_.finish([&](const PassResult& round) {
        StepResult result = round;
        result.message = std::exchange(greeting_, {});
        result.message.add(message_after(round));
        if (after_round) after_round(result);
    });
}

StepResult FlipLab::edit(const Edit& edit) {
    if (!info().supports(edit.kind)) throw Error(refusal_of(info(), edit.kind));
    StepResult result = edit.kind == Edit::Kind::kMoveVertex ? move_along(edit) : flipping_.flip_edge(edit.id);
    measure(result);
    return result;
}

/// Moves to one place after another: the result of a move depends on the triangulation before it.
PassResult FlipLab::move_along(const Edit& edit) {
    std::vector<Point3> places = edit.path;
    if (!edit.goes_on) places.insert(places.begin(), edit.place);
    std::optional<Snapshot> before;  // to restore if a later place is rejected
    if (places.size() > 1) before = flipping_.save();
    PassResult moved = edit.goes_on ? drag_ : PassResult{};
    try {
        for (const Point3& place : places) {
            PassResult result = flipping_.move_vertex(edit.id, place);
            for (size_t k = 0; k < std::min(moved.counters.size(), result.counters.size()); ++k)
                if (!info().counters[k].is_gauge && moved.counters[k] != kNotCounted)
                    result.counters[k] =
                        moved.counters[k] + (result.counters[k] == kNotCounted ? 0 : result.counters[k]);
            moved = std::move(result);
        }
    } catch (const Error&) {
        if (before) flipping_.load(*before);
        throw;
    }
    return drag_ = std::move(moved);
}

void FlipLab::measure(StepResult& result) const {
    result.measures = {harmonic_index(flipping_.context(), flipping_.mesh())};
}

StepMessage FlipLab::describe_start() const {
    const Connection& connection = flipping_.connection();
    StepMessage message;
    if (connection.turned)
        message.add("reversed", count_text(connection.turned, "triangle was", "triangles were") +
                                    " reversed, so that all have one orientation.");
    if (connection.seams)
        message.add("non-manifold",
                    count_text(connection.seams, "edge is", "edges are") +
                        " non-manifold (not two triangles of one orientation): marked, and never flipped.");
    if (connection.unused_points)
        message.add("unused",
                    count_text(connection.unused_points, "point is", "points are") + " in no triangle and left out.");
    if (!flipping_.in_space() && !connection.convex_outline)
        message.add("outline",
                    "The outline is not the convex hull: its edges stay, and the result is Delaunay within it.");
    if (flipping_.in_space() && flipping_.facts_before().creases)
        message.add("creases",
                    count_text(flipping_.facts_before().creases, "edge is a crease past the dihedral limit and stays.",
                               "edges are creases past the dihedral limit and stay."));
    return message;
}

/// Why the flips ended although some edges are illegal.
StepMessage FlipLab::message_after(const PassResult& result) const {
    StepMessage message;
    if (!done() || result.pass != Flipping::kClaim) return message;
    if (flipping_.cycling()) {
        message.add("cycling",
                    "The flips cycle: in floating point both diagonals of some quadrilaterals test illegal; a larger ε "
                    "ends this. Stopped in iteration " +
                        std::to_string(result.iteration) + "; the cycling edges are marked.");
        return message;
    }
    const int64_t blocked = result.counters[Flipping::kBlocked];
    if (result.counters[Flipping::kIllegal] == 0 && blocked > 0)
        message.add("blocked",
                    count_text(static_cast<uint64_t>(blocked), "edge is", "edges are") +
                        " illegal and cannot flip: that would invert a triangle, duplicate an edge or make a crease.");
    return message;
}

Report FlipLab::inspect(Element element) const {
    Report report;
    if (element.id == kNone || flipping_.distinct() == 0) return report;
    const bool edge = element.kind == ElementKind::kEdge && element.id < flipping_.mesh().edge_count;
    if (!flipping_.in_space()) return ConstructionLab::inspect(element);
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < flipping_.distinct()) {
        const Point3 at = surface_place(flipping_.mesh(), element.id);
        properties.add("Vertex", flipping_.mesh().inputs.read(element.id), "index in the input, from 0");
        properties.add("x", Value::exactly(at.x, "world units"), "exactly as read");
        properties.add("y", Value::exactly(at.y, "world units"));
        properties.add("z", Value::exactly(at.z, "world units"));
        explain_vertex(flipping_, element.id, properties, report.highlights);
    } else if (edge) {
        inspect_surface_edge(element.id, properties);
        explain_edge(flipping_, element.id, properties, report.highlights);
        explain_last_pass(flipping_, element.kind, element.id, properties, report.highlights);
    } else if (element.kind == ElementKind::kTriangle && element.id < flipping_.mesh().triangle_count) {
        inspect_surface_triangle(element.id, properties);
        explain_triangle(flipping_, element.id, properties);
        explain_last_pass(flipping_, element.kind, element.id, properties, report.highlights);
    }
    report.add(std::move(properties));
    return report;
}

void FlipLab::inspect_surface_triangle(uint32_t triangle, Properties& properties) const {
    Point3 at[3];
    std::string names;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t v = flipping_.mesh().triangles.read(3 * size_t(triangle) + k);
        if (v >= flipping_.distinct()) {
            properties.add("Triangle", triangle);
            properties.add("Ghost", true, "it joins an edge of the boundary to the vertex at infinity");
            return;
        }
        at[k] = surface_place(flipping_.mesh(), v);
        names += (k ? ", vertex " : "vertex ") + std::to_string(flipping_.mesh().inputs.read(v));
    }
    properties.add("Triangle", triangle, names);
    if (collinear(at[0], at[1], at[2])) {
        properties.add("Flat", true, "exactly: its three vertices lie on one line");
        properties.add("Area", Value(0.0, "world units squared"), "exactly");
        return;
    }
    properties.add("Area", Value(length(normal_of(at[0], at[1], at[2])) / 2, "world units squared"));
    std::vector<double> angles;
    for (uint32_t k = 0; k < 3; ++k) angles.push_back(degrees(angle_at(at[k], at[(k + 1) % 3], at[(k + 2) % 3])));
    properties.add("Angles", Value(std::move(angles), "°"), "at its vertices, in this order");
}

void FlipLab::inspect_surface_edge(uint32_t edge, Properties& properties) const {
    const SurfaceQuad quad(flipping_.mesh(), edge);
    const auto& [corners, ids, at] = quad;
    std::string names[4];
    for (uint32_t k = 0; k < 4; ++k)
        names[k] = ids[k] >= flipping_.distinct() ? "infinity"
                                                  : "vertex " + std::to_string(flipping_.mesh().inputs.read(ids[k]));
    properties.add("Edge", edge, names[0] + " to " + names[1]);
    if (ids[0] >= flipping_.distinct() || ids[1] >= flipping_.distinct()) {
        properties.add("Ghost", true, "it joins a vertex of the boundary to the one at infinity");
        return;
    }
    properties.add("Length", Value(length(at[1] - at[0]), "world units"));
    if (ids[2] >= flipping_.distinct() || ids[3] >= flipping_.distinct()) {
        const bool seam = std::binary_search(flipping_.connection().seam_edges.begin(),
                                             flipping_.connection().seam_edges.end(), edge);
        if (seam)
            properties.add("Non-manifold", true, "not two triangles that agree: cut here, never flipped");
        else
            properties.add("On the boundary", true, "one triangle only: never flipped");
        return;
    }
    properties.add("Triangles", std::vector<int64_t>{triangle_of(corners[0]), triangle_of(corners[1])},
                   "with " + names[2] + " and " + names[3] + " opposite");
    const double lambda = degrees(angle_at(at[2], at[0], at[1])), gamma = degrees(angle_at(at[3], at[1], at[0]));
    properties.add("Angles opposite", Value(std::vector<double>{lambda, gamma}, "°"),
                   "together " + degree_text(lambda + gamma) + "; more than 180° + \xCE\xB5 is illegal");
    std::vector<int64_t> flat;
    for (uint32_t side = 0; side < 2; ++side)
        if (collinear(at[0], at[1], at[2 + side])) flat.push_back(triangle_of(corners[side]));
    if (flat.empty()) {
        const double dihedral = dihedral_of(normal_of(at[0], at[1], at[2]), normal_of(at[1], at[0], at[3]));
        properties.add("Dihedral angle", Value(dihedral, "rad"),
                       dihedral > flipping_.options().dihedral
                           ? "past the limit: a crease, which stays"
                           : "within the limit of " + format_short(flipping_.options().dihedral));
    } else {
        properties.add("Flat", flat, "exactly: three vertices on one line, so there is no normal");
        properties.add("Dihedral angle", "none", "a flat triangle makes no crease");
    }
    if (collinear(at[0], at[3], at[2]) || collinear(at[1], at[2], at[3])) {
        properties.add("After a flip", "none", "it would make a triangle without area");
    } else {
        const double made = dihedral_of(normal_of(at[0], at[3], at[2]), normal_of(at[1], at[2], at[3]));
        properties.add("After a flip", Value(made, "rad"), "dihedral angle of the edge that would replace it");
    }
    const std::string stays = why_surface_edge_stays(flipping_, quad);
    properties.add("Flips", stays.empty(), stays.empty() ? "illegal by its angles, and free to flip" : stays);
}

CheckReport FlipLab::check() const {
    if (flipping_.mesh().triangle_count == 0) return ConstructionLab::check();
    if (!flipping_.in_space())
        return check_mesh(flipping_.context(), flipping_.mesh(),
                          {.fixed_outline = !flipping_.connection().convex_outline});
    CheckReport report = check_surface(flipping_.context(), flipping_.mesh());
    const SurfaceFacts facts = flipping_.survey_surface(kRounding);
    const auto worse = [&](uint64_t now, uint64_t before, const char* what) {
        if (now <= before) return;
        if (report.passed)
            report.sentence = "not Delaunay by angles: ";
        else
            report.sentence += "; ";
        report.passed = false;
        report.sentence += std::to_string(now - before) + " " + what;
    };
    report.illegal_edges = facts.illegal;
    const bool by_hand = flipping_.edited_by_hand();
    const SurfaceFacts& facts_before = flipping_.facts_before();
    const CheckReport& check_before = flipping_.check_before();
    // Counts do not tell which of them are new: all of the kind are listed, and the text says so.
    const auto among = [](uint64_t now, uint64_t before) {
        return before == 0 ? std::string() : "; of " + std::to_string(now) + " there were " + std::to_string(before);
    };
    if (!by_hand) {  // manual edits may fold the surface
        worse(facts.creases, facts_before.creases, "creases past the dihedral limit that were not there before");
        if (facts.creases > facts_before.creases)
            flipping_.list_surface_faults(
                Flipping::SurfaceFaults::kCreases, kRounding, facts.creases,
                [&](const FailureRecord& record) {
                    return name_of(record, ElementKind::kEdge) + " is a crease past the dihedral limit" +
                           among(facts.creases, facts_before.creases);
                },
                report);
        worse(report.flat_triangles, check_before.flat_triangles, "triangles without area that were not there before");
    }
    if (report.flat_triangles)
        list_flat_triangles(flipping_.context(), flipping_.mesh(),
                            among(report.flat_triangles, check_before.flat_triangles), report);
    list_seams(report);
    worse(report.duplicate_edges, check_before.duplicate_edges, "duplicate edges that were not there before");
    if (report.duplicate_edges > check_before.duplicate_edges)
        list_duplicate_edges(flipping_.context(), flipping_.mesh(),
                             among(report.duplicate_edges, check_before.duplicate_edges), report);
    if (report.boundary_edges != check_before.boundary_edges ||
        report.euler_characteristic != check_before.euler_characteristic) {
        report.sentence = (report.passed ? "not Delaunay by angles: " : report.sentence + "; ") +
                          "the boundary or the Euler characteristic has changed";
        report.passed = false;
        add_failure(report, {"boundary-changed", "the boundary or the Euler characteristic has changed", {}, {}, {}});
    }
    worse(facts.illegal, 0, "edges are illegal and could flip");
    if (facts.illegal)
        flipping_.list_surface_faults(
            Flipping::SurfaceFaults::kIllegal, kRounding, facts.illegal,
            [](const FailureRecord& record) {
                return name_of(record, ElementKind::kEdge) + " is illegal by its angles, and could flip";
            },
            report);
    if (report.passed) {
        report.sentence = "Delaunay by angles: no edge that could flip is illegal";
        if (facts.held)
            report.sentence += "; " + count_text(facts.held, "illegal edge is a crease", "illegal edges are creases") +
                               " past the dihedral limit";
        if (facts.blocked) report.sentence += "; " + count_text(facts.blocked, "cannot flip", "cannot flip");
        report.sentence += "; same boundary, same Euler characteristic";
        if (!by_hand) report.sentence += ", no new crease";
        // Not a failure of the flips, but marked all the same.
        if (report.flat_triangles)
            report.sentence += "; " + count_text(report.flat_triangles, "triangle", "triangles") + " without area";
        if (const size_t seams = flipping_.connection().seam_edges.size())
            report.sentence += "; " + count_text(seams, "edge", "edges") + " cut where the surface is non-manifold";
    }
    return report;
}

uint64_t FlipLab::illegal_edges() const {
    if (flipping_.mesh().triangle_count == 0) return 0;
    if (!flipping_.in_space()) {
        const CheckReport report = FlipLab::check();
        return report.illegal_edges + report.tied_edges;
    }
    const SurfaceFacts facts = flipping_.survey_surface(kRounding);
    return facts.illegal + facts.blocked;
}

/// Edges where the input is not a surface: an edge of more than two triangles occurs once per cut.
void FlipLab::list_seams(CheckReport& report) const {
    const std::vector<uint32_t>& seams = flipping_.connection().seam_edges;
    if (seams.empty()) return;
    const TriangleMesh& mesh = flipping_.mesh();
    const std::vector<uint32_t> ends = mesh.edges.download(), inputs = mesh.inputs.download();
    const std::vector<Point> places = mesh.positions.download();
    const std::vector<double> heights = mesh.heights.download();
    for (const uint32_t edge : seams) {
        CheckFailure failure{"non-manifold-edge", "edge " + std::to_string(edge), {{ElementKind::kEdge, edge}}, {}, {}};
        for (const uint32_t vertex : {ends[2 * edge], ends[2 * edge + 1]}) {
            failure.vertices.push_back(inputs[vertex]);
            failure.places.push_back({places[vertex].x, places[vertex].y, heights[vertex]});
        }
        failure.sentence += " (points " + std::to_string(failure.vertices[0]) + " and " +
                            std::to_string(failure.vertices[1]) +
                            ") is non-manifold: there are not two triangles of one orientation at it";
        add_failure(report, std::move(failure));
    }
}

Report FlipLab::statistics() const {
    Report report;
    if (flipping_.mesh().triangle_count == 0) return report;
    const AngleCounts now = count_angles(flipping_.context(), flipping_.mesh());
    const AngleCounts& before = flipping_.angles_before();
    Distribution least{"minimum angles",
                       "The minimum angle of every triangle; the Delaunay triangulation maximises the smallest of all.",
                       "°",
                       0,
                       60,
                       as_counts(before.least),
                       as_counts(now.least)};
    report.add(std::move(least));
    report.add({"angles", "All angles of all triangles.", "°", 0, 180, as_counts(before.all), as_counts(now.all)});
    return report;
}

const LabInfo& FlipLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "flip",
            "Flip lab",
            "Makes any triangulation Delaunay, in the plane or on a surface: all illegal edges flip at once that do "
            "not conflict.",
            "After C. Navarro, N. Hitschfeld and E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips "
            "(EuroCG 2011), with the exact in-circle test, conflicts that are resolved repeatably, and passes over a "
            "worklist of edges that may have become illegal.",
            {{"claim",
              "Every edge of the worklist is tested; an illegal one claims both its triangles, and each triangle "
              "grants one claim (the paper's exclusion)."},
             {"flip",
              "Edges whose claims are granted on both sides flip, all at once, as a rotation of the two triangles (the "
              "paper's processing)."},
             {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
             {"edit", "A manual edit: a vertex was moved, or an edge was flipped."}},
            {{"queued",
              "worklist edges tested, because they may have become illegal; ghosts, to the vertex at infinity, "
              "included"},
             {"illegal", "edges that must flip"},
             {"blocked",
              "illegal edges that must not flip: the flip would invert a triangle, duplicate an edge or make a crease"},
             {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
              Quantity::kGrantedFlips},
             {"deferred", "illegal edges that must wait for a later iteration"},
             {"remaining", "edges in the worklist of the next iteration, ghosts included", true}},
            {{"harmonic index",
              "The sum of the cotangents of all angles. In the plane every flip of an illegal edge decreases it; the "
              "Delaunay triangulation minimises it.",
              ""}}};
        made.edits = {Edit::Kind::kMoveVertex, Edit::Kind::kFlipEdge};
        made.inputs = {InputKind::kPoints, InputKind::kMeshes, InputKind::kSurfaces};
        made.example = "uniform:1000";
        return made;
    }();
    return info;
}

void FlipLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("start", "Points start as",
                   "How points become a triangulation that is not Delaunay. A mesh is used as it is.",
                   parameters_.start,
                   {{"insertion", "inserted one triangle at a time, without a flip: long thin triangles"},
                    {"sweep", "from left to right, each point joined to all it sees of those before"},
                    {"fan", "all joined to one; for points in convex position, such as a ring"},
                    {"scrambled", "Delaunay, then random flips away from it"},
                    {"moved", "Delaunay, then every point inside moves a little, as in a simulation"}});
    visitor.number(
        "scramble", "Random flips",
        "For the start \"scrambled\": how many flips are tried per edge. 0.01 tries one for every hundred edges.",
        parameters_.scramble, 0, 10);
    visitor.number("moved_by", "Moved by",
                   "For the start \"moved\": how far a point goes at most, in mean distances between neighbours.",
                   parameters_.moved_by, 0, 10);
    visit_seed(visitor, "Seed of the start", parameters_.seed);
    visitor.choice("criterion", "An edge is illegal by",
                   "Which test an edge of the plane must pass. On surfaces it is always the angles, in double.",
                   parameters_.criterion,
                   {{"incircle", "the exact in-circle test; ties by input index: always ends, and in one result"},
                    {"angles", "the paper's test: the angles opposite to it exceed \xCF\x80 + \xCE\xB5; in double"},
                    {"angles-float", "the same in single precision: with a small \xCE\xB5 flips may cycle"}});
    visitor.number("epsilon", "\xCE\xB5 of the angles",
                   "Radians by which the two angles may exceed \xCF\x80 before an edge must flip.", parameters_.epsilon,
                   0, 0.5);
    visitor.number("dihedral", "Dihedral limit",
                   "On surfaces, radians: where two triangles meet at a greater angle there is a crease, which no flip "
                   "flattens and no flip makes. 0 is flat.",
                   parameters_.dihedral, 0, 3.1);
    visit_conflict_rule(visitor, parameters_.conflict);
    visit_block_size(visitor, parameters_.block_size);
}

Scene FlipLab::scene() const {
    Scene scene = ConstructionLab::scene();
    scene.in_space = flipping_.in_space();
    scene.low_z = flipping_.low_z();
    scene.high_z = flipping_.high_z();
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = {
        {E::kEdge, kStateCycling, Role::kCycling, "cycling", "This edge flips back and forth without end."},
        {E::kEdge, kStateFlipped, Role::kFlipped, "flipped", "It is the other diagonal of its two triangles now."},
        {E::kEdge, kStateGranted, Role::kGranted, "granted", "Illegal, and both its claims are granted: it will flip."},
        {E::kEdge, kStateDeferred, Role::kDeferred, "deferred",
         "Illegal, but another edge was granted one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal", "Not Delaunay: it must flip."},
        {E::kEdge, kStateBlocked, Role::kBlocked, "blocked",
         "Illegal, but its flip would invert a triangle, duplicate an edge or make a crease."},
        {E::kEdge, kStateStale, Role::kStale, "stale incidence",
         "A flip moved it to another triangle, and its incidence is not updated yet."},
        {E::kEdge, kStateQueued, Role::kQueued, "queued", "It may have become illegal and will be tested."},
        {E::kTriangle, kStateLocked, Role::kLocked, "locked", "Granted to an edge that will flip."},
        {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Rotated by the last flip."},
    };
    if (flipping_.connection().seams)
        legend.insert(legend.begin() + 1, {E::kEdge, kStateSeam, Role::kSeam, "non-manifold",
                                           "It does not join two triangles of one orientation: never flipped."});
    scene.set_legend(legend);
    return scene;
}

std::unique_ptr<Lab> make_flip_lab() { return std::make_unique<FlipLab>(); }

}  // namespace flipscope
