// Reports on a construction, worded the same for all its labs.
#include "labs/construction_lab.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/error.h"
#include "compute/text.h"
#include "instruments/explain.h"
#include "instruments/triangle_words.h"
#include "lab/element_links.h"
#include "mesh/failures.h"
#include "mesh/illegal_reason.h"
#include "mesh/legality.h"

namespace flipscope {

namespace {

struct Corner {
    uint32_t id, input;
    bool infinite;
    Point at;
    std::string name;
};

Corner corner_of(const Construction& made, uint32_t v) {
    const TriangleMesh& mesh = made.mesh();
    if (v == mesh.infinite()) return {v, kNone, true, {}, "infinity"};
    const uint32_t input = mesh.inputs.read(v);
    return {v, input, false, mesh.positions.read(v), point_name(made, input)};
}

/// Corners of the supertriangle are not points of the input.
PredicatePoint predicate_point(const Construction& made, const Corner& corner) {
    return {corner.name, corner.at, corner.id < made.distinct() ? corner.input : kNone};
}

/// An edge and its two triangles on the host, so that reports evaluate the same rules as the kernels.
class HostQuad {
  public:
    HostQuad(const Corner& from, const Corner& to, const Corner& left, const Corner& right) {
        quad_.from = take(0, from);
        quad_.to = take(1, to);
        quad_.left = take(2, left);
        quad_.right = right.id == left.id ? quad_.left : take(3, right);
    }

    bool is_illegal() const {
        MeshView mesh;
        mesh.positions = {at_, kInfinite};
        mesh.inputs = {inputs_, kInfinite};
        mesh.infinite = kInfinite;
        return flipscope::is_illegal(mesh, quad_, PredicateMode::kExact);
    }

  private:
    static constexpr uint32_t kInfinite = 4;
    uint32_t take(uint32_t place, const Corner& corner) {
        if (corner.infinite) return kInfinite;
        at_[place] = corner.at;
        inputs_[place] = corner.input;
        return place;
    }

    Point at_[kInfinite];
    uint32_t inputs_[kInfinite] = {};
    Quad quad_{};
};

void inspect_vertex(const Corner& v, bool helper, Properties& properties) {
    properties.add("Point", helper ? Value("corner of the supertriangle") : Value(v.input),
                   helper ? "not part of the input" : "index in the input, from 0");
    properties.add("x", Value::exactly(v.at.x, "world units"), "exactly as read");
    properties.add("y", Value::exactly(v.at.y, "world units"));
}

void tell_exact_place(Point at, Properties& properties) {
    properties.add("x in hex", hex_text(at.x), "to the last bit");
    properties.add("y in hex", hex_text(at.y));
}

}  // namespace

Report ConstructionLab::inspect(Element element) const {
    const Construction& made = construction();
    Report report;
    if (element.id == kNone || made.distinct() == 0) return report;
    Properties properties;
    if (element.kind == ElementKind::kVertex) {
        if (element.id < made.mesh().infinite()) {
            const Corner v = corner_of(made, element.id);
            const bool helper = element.id >= made.distinct();
            inspect_vertex(v, helper, properties);
            explain_vertex(made, v.id, properties, report.highlights);
            tell_exact_place(v.at, properties);
            if (!helper) describe_order(v.id, properties);
        }
    } else if (element.kind == ElementKind::kEdge) {
        if (element.id < made.mesh().edge_count) return inspect_edge(element.id);
    } else if (element.id < made.mesh().triangle_count) {
        Corner c[3];
        std::string names;
        for (uint32_t k = 0; k < 3; ++k) {
            c[k] = corner_of(made, made.mesh().triangles.read(3 * element.id + k));
            names += (k ? ", " : "") + c[k].name;
        }
        properties.add("Triangle", element.id, names);
        if (c[0].infinite || c[1].infinite || c[2].infinite)
            properties.add("Ghost", true, "it joins an edge of the hull to the vertex at infinity");
        else
            describe_triangle(element.id, {c[0].at, c[1].at, c[2].at}, {0, 0}, properties, report.highlights);
        explain_triangle(made, element.id, properties);
        explain_last_pass(made, element.kind, element.id, properties, report.highlights);
        if (!c[0].infinite && !c[1].infinite && !c[2].infinite) {
            report.add(std::move(properties));
            report.sections.push_back(predicate_section(
                std::array{predicate_point(made, c[0]), predicate_point(made, c[1]), predicate_point(made, c[2])}, 0,
                ""));
            return report;
        }
    }
    report.add(std::move(properties));
    return report;
}

void ConstructionLab::describe_order(uint32_t vertex, Properties& properties) const {
    properties.add("Hilbert index", vertex, "its id during the construction");
}

Report ConstructionLab::inspect_edge(uint32_t edge) const {
    const Construction& made = construction();
    Report report;
    Properties properties;
    std::vector<Highlight>& highlights = report.highlights;
    const auto finish = [&] {
        explain_edge(made, edge, properties, highlights);
        explain_last_pass(made, ElementKind::kEdge, edge, properties, highlights);
        order_of_edge(properties);
        report.add(std::move(properties));
        return std::move(report);
    };
    const uint32_t sides[2] = {made.mesh().corner_of.read(2 * edge), made.mesh().corner_of.read(2 * edge + 1)};
    const Corner from = corner_of(made, made.mesh().triangles.read(sides[0]));
    const Corner to = corner_of(made, made.mesh().triangles.read(next_corner(sides[0])));
    const Corner left = corner_of(made, made.mesh().triangles.read(previous_corner(sides[0])));
    const Corner right = corner_of(made, made.mesh().triangles.read(previous_corner(sides[1])));
    const bool ghost = from.infinite || to.infinite, at_infinity = ghost || left.infinite || right.infinite;
    properties.add("Edge", edge, from.name + " to " + to.name);
    if (ghost) properties.add("Ghost", true, "it joins a vertex of the hull to the one at infinity");
    if (!ghost) properties.add("Length", Value(std::hypot(from.at.x - to.at.x, from.at.y - to.at.y), "world units"));
    properties.add("Triangles", std::vector<int64_t>{triangle_of(sides[0]), triangle_of(sides[1])},
                   "with " + left.name + " and " + right.name + " opposite");
    if (at_infinity && !ghost) properties.add("On the hull", true, "one of its triangles is a ghost");
    std::vector<int64_t> flat;
    for (uint32_t side = 0; side < 2 && !ghost; ++side) {
        const Corner& apex = side ? right : left;
        if (!apex.infinite && orient2d(from.at, to.at, apex.at) == 0) flat.push_back(triangle_of(sides[side]));
    }
    add_flat(flat, properties);
    int sign = 0;
    if (!at_infinity) {
        sign = add_in_circle(from.at, to.at, left.at, right.at, right.name,
                             "the circle of triangle " + std::to_string(triangle_of(sides[0])), properties);
        add_wrong_in_circle(from.at, to.at, left.at, right.at, sign, properties);
    }
    if (at_infinity && made.fixed_outline()) {
        properties.add("Legal", true, "not tested: the outline is not the convex hull, and stays");
        return finish();
    }
    const bool illegal = HostQuad(from, to, left, right).is_illegal();
    for (uint32_t side = 0; side < 2 && !ghost; ++side) {
        const Corner& apex = side ? right : left;
        if (apex.infinite) continue;
        highlight_circumcircle(from.at, to.at, apex.at, triangle_of(sides[side]),
                               illegal ? Role::kIllegal : Role::kPlain, highlights);
    }
    std::string why = "by the in-circle test";
    if (ghost) {
        why = illegal ? "the hull is reflex here" : "the hull is convex here";
    } else if (at_infinity) {
        why = "an edge of the hull stays unless its triangle is flat";
    } else if (sign == 0 && !illegal) {
        const uint32_t ends = std::max(perturbation_rank(from.input), perturbation_rank(to.input));
        const uint32_t apexes = std::max(perturbation_rank(left.input), perturbation_rank(right.input));
        why = std::string("cocircular: the point of the highest perturbation rank ") +
              (ends > apexes ? "is an end of this edge, so the other diagonal cuts it off"
                             : "is already cut off by this edge");
    }
    if (illegal && !ghost) {
        const IllegalReason reason =
            at_infinity ? IllegalReason::kFlatAtHull : reason_of_illegal(from.at, to.at, left.at, right.at);
        why = sentence_of(reason, left.input, right.input);
    }
    properties.add("Legal", !illegal, illegal ? "it must flip: " + why : why);
    if (at_infinity) return finish();
    report = finish();
    report.sections.push_back(predicate_section(
        std::array{predicate_point(made, from), predicate_point(made, to), predicate_point(made, left),
                   predicate_point(made, right)},
        incircle_tied(from.at, to.at, left.at, right.at, from.input, to.input, left.input, right.input),
        sign == 0 ? why : ""));
    return report;
}

Element ConstructionLab::pick(const Probe& probe) const {
    const Construction& made = construction();
    if (made.distinct() == 0) return {};
    return pick_element(made.context(), made.mesh(), made.distinct(), probe);
}

std::vector<LegendEntry> construction_legend() {
    using E = LegendEntry::Element;
    return {
        {E::kEdge, kStateCycling, Role::kCycling, "cycling", "This edge flips back and forth without end."},
        {E::kEdge, kStateGranted, Role::kFlipped, "flipped", "It is the other diagonal of its two triangles now."},
        {E::kEdge, kStateDeferred, Role::kDeferred, "deferred",
         "Illegal, but another edge was granted one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal",
         "The circumcircle of one triangle contains the apex of the other."},
        {E::kEdge, kStateStale, Role::kStale, "stale incidence",
         "A flip moved it to another triangle, and its incidence is not updated yet."},
        {E::kEdge, kStateQueued, Role::kQueued, "queued", "It may have become illegal and will be tested."},
        {E::kEdge, kStateFresh, Role::kFresh, "new", "Made in this round."},
        {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Rotated by the last flip."},
        {E::kTriangle, kStateFresh, Role::kFresh, "split", "Made by a split in this round."},
        {E::kVertex, kStateHelper, Role::kHelper, "supertriangle", "Not a point of the input."},
        {E::kVertex, kStateChosen, Role::kChosen, "chosen", "The point that is inserted into its triangle next."},
        {E::kVertex, kStateFresh, Role::kFresh, "inserted", "Inserted in this round."},
        {E::kVertex, kStateWaiting, Role::kWaiting, "waiting", "Not inserted yet."},
    };
}

/// Labels the points of illegal ghost edges, which counters count but no line shows. Empty if there are too many edges
/// to search after every pass.
static LabelsLayer illegal_ghosts(const Construction& made) {
    constexpr uint32_t kMostEdges = 30'000;
    constexpr double kAside = 0.03;  // of the bounds' diagonal, outwards
    LabelsLayer labels;
    const TriangleMesh& mesh = made.mesh();
    if (!mesh.records_states() || mesh.edge_count > kMostEdges) return labels;
    const std::vector<State> states = mesh.edge_states.download(mesh.edge_count);
    const std::vector<uint32_t> ends = mesh.edges.download(2 * size_t{mesh.edge_count});
    const Point low = made.bounds().low, high = made.bounds().high;
    const Point middle{std::midpoint(low.x, high.x), std::midpoint(low.y, high.y)};
    const double aside = kAside * std::hypot(high.x - low.x, high.y - low.y);
    for (uint32_t e = 0; e < mesh.edge_count; ++e) {
        const uint32_t a = ends[2 * e], b = ends[2 * e + 1];
        if ((a != mesh.infinite() && b != mesh.infinite()) || !(states[e] & kStateIllegal)) continue;
        const Point at = mesh.positions.read(a == mesh.infinite() ? b : a);
        const double far = std::hypot(at.x - middle.x, at.y - middle.y);
        const double step = far > 0 ? aside / far : 0;
        labels.labels.push_back({{at.x + step * (at.x - middle.x), at.y + step * (at.y - middle.y)}, "ghost"});
    }
    return labels;
}

Scene ConstructionLab::scene() const {
    const Construction& made = construction();
    Scene scene;
    scene.low = made.bounds().low;
    scene.high = made.bounds().high;
    if (made.distinct() == 0) return scene;
    scene.add_mesh(made.mesh(), made.distinct(), made.helpers() ? made.distinct() : kNone);
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = construction_legend();
    // Below the points: the line of collinear input, and hull edges that a finite supertriangle lost.
    if (made.path().size() > 1) {
        std::vector<uint32_t> pairs;
        for (size_t i = 0; i + 1 < made.path().size(); ++i)
            pairs.insert(pairs.end(), {made.path()[i], made.path()[i + 1]});
        scene.add_few_lines("line", "Line", "The points in order along the line that all of them lie on",
                            std::move(pairs));
    }
    std::vector<uint32_t> missing = made.helpers() && done() ? made.lost_hull_edges() : std::vector<uint32_t>{};
    if (!missing.empty()) {
        legend.insert(legend.begin(), {E::kEdge, kStateMissing, Role::kMissing, "missing hull edge",
                                       "An edge of the convex hull: the supertriangle is too near."});
        scene.add_few_lines("lost_edges", "Missing hull edges",
                            "Edges of the convex hull that the supertriangle cut off", std::move(missing),
                            Role::kMissing);
    }
    scene.set_legend(legend);
    if (LabelsLayer ghosts = illegal_ghosts(made); !ghosts.labels.empty()) {
        scene.layers.push_back({"illegal_ghosts", "Illegal ghosts",
                                "Illegal edges from a point of the hull to the vertex at infinity: they are counted, "
                                "and no line is drawn for them",
                                true, std::move(ghosts)});
        scene.layers.back().role = Role::kIllegal;
    }
    return scene;
}

static void list_lost_hull_edges(const Construction& made, CheckReport& report) {
    const std::vector<uint32_t>& lost = made.lost_hull_edges();
    report.failure_count += lost.size() / 2;
    for (size_t i = 0; i < lost.size() && report.failures.size() < kMostFailures; i += 2) {
        CheckFailure failure{"lost-hull-edge", "", {}, {}, {}};
        for (size_t k = i; k < i + 2; ++k) {
            const Point at = made.mesh().positions.read(lost[k]);
            failure.vertices.push_back(made.mesh().inputs.read(lost[k]));
            failure.places.push_back({at.x, at.y, 0});
        }
        failure.sentence = "the edge of the convex hull from point " + std::to_string(failure.vertices[0]) +
                           " to point " + std::to_string(failure.vertices[1]) + " is missing";
        report.failures.push_back(std::move(failure));
    }
}

CheckReport ConstructionLab::check() const {
    const Construction& made = construction();
    CheckReport report;
    if (!made.path().empty() || made.distinct() < 3) {
        report.passed = report.checked = done();
        report.sentence = report.passed ? "Delaunay: there is no triangle to check" : "there is no triangle yet";
        return report;
    }
    report = check_mesh(made.context(), made.mesh());
    if (made.helpers() && report.passed)
        report.sentence += "; " + std::to_string(summarise(made.context(), made.mesh(), made.distinct()).edges) +
                           " edges are left without the supertriangle";
    if (const uint32_t waiting = made.waiting_count()) {
        report.passed = false;
        report.sentence =
            count_text(waiting, "point is not inserted yet; ", "points are not inserted yet; ") + report.sentence;
    }
    if (made.helpers() && done())
        if (const uint64_t lost = made.lost_hull_edges().size() / 2) {
            report.passed = false;
            report.sentence = count_text(lost, "edge", "edges") +
                              " of the convex hull missing because of the finite supertriangle; " + report.sentence;
            list_lost_hull_edges(made, report);
        }
    return report;
}

Result ConstructionLab::result() const {
    const Construction& made = construction();
    Result result;
    result.points = made.input() ? made.input()->points.size() : 0;
    if (made.distinct() == 0) return result;
    result.unused = made.unused_count();
    result.duplicates = result.points - made.distinct() - result.unused;
    result.waiting = made.waiting_count();
    if (!made.path().empty() || made.mesh().triangle_count == 0) {
        result.edges = made.path().empty() ? 0 : made.path().size() - 1;
        result.hull_edges = result.edges;
        return result;
    }
    const MeshSummary summary = summarise(made.context(), made.mesh(), made.distinct());
    result.triangles = summary.triangles;
    result.edges = summary.edges;
    result.hull_edges = summary.hull_edges;
    // One of each for every edge of the outline; the outline of a finite supertriangle has three.
    const double ghosts = made.helpers() ? 3 : double(summary.hull_edges);
    if (ghosts > 0) {
        result.numbers.add_number("ghost edges", "to the vertex at infinity", ghosts);
        result.numbers.add_number("ghost triangles", "with a corner at infinity", ghosts);
    }
    result.triangulation_hash = summary.hash;
    if (made.helpers() && done()) result.lost_hull_edges = made.lost_hull_edges().size() / 2;
    return result;
}

void require_plane(const Geometry& input) {
    if (input.in_space())
        throw Error(
            input.name +
            ": this is a surface in space, and this lab takes points of the plane; the Flip lab takes surfaces");
}

StepMessage ordering_message(const Construction& made) {
    const size_t n = made.input()->points.size(), distinct = made.distinct();
    StepMessage message;
    if (n == 0)
        message.add("no-points", "There are no points: nothing to triangulate.");
    else if (distinct < n)
        message.add("duplicates", std::to_string(n - distinct) + " of " + std::to_string(n) +
                                      (n - distinct == 1 ? " points is a duplicate and was merged."
                                                         : " points are duplicates and were merged."));
    return message;
}

StepMessage line_message(const Construction& made) {
    StepMessage message;
    if (made.distinct() == 1)
        message.add("one-point", "There is one point: nothing to triangulate.");
    else if (made.distinct() == 2)
        message.add("two-points", "There are two points: one edge and no triangle.");
    else
        message.add("one-line", "All " + std::to_string(made.distinct()) +
                                    " points lie on one line: there is no triangle; they are joined in order.");
    return message;
}

}  // namespace flipscope
