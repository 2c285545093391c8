// The Judge lab: triangles made by any program, beside the exact Delaunay triangulation of the same points, with all
// errors and all differing edges marked and listed. judge() (core/judge) decides; the lab draws and explains.
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/bounds.h"
#include "instruments/drawn_soup.h"
#include "instruments/explain_soup.h"
#include "instruments/failure_marks.h"
#include "judge/judge.h"
#include "lab/element_links.h"
#include "lab/lab.h"
#include "mesh/hash.h"
#include "mesh/pick.h"
#include "mesh/soup_survey.h"

namespace flipscope {

namespace {

using Triangles = std::vector<std::array<uint32_t, 3>>;

// The meaning of state bits in this lab.
constexpr State kAtFault = kStateBlocked, kIllegal = kStateIllegal, kDiffers = kStateFresh, kTie = kStateQueued,
                kUnused = kStateWaiting;

enum Counter : uint32_t { kDefects, kMissed, kSpurious, kTies, kHoles, kCounters };

/// One of the two views: triangles over the points, and their edges.
struct Side {
    Geometry geometry;
    std::vector<VertexPair> edges;  // ascending
    uint64_t hash = 0;              // of the set of triangles
    mutable TriangleMesh mesh;

    /// Index of an edge by its two points; kNone: no such edge.
    uint32_t find(VertexPair pair) const {
        if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
        const auto found = std::lower_bound(edges.begin(), edges.end(), pair);
        return found == edges.end() || *found != pair ? kNone : static_cast<uint32_t>(found - edges.begin());
    }
    void collect_edges(Context& context) {
        const size_t n = geometry.points.size();
        Triangles whole;
        for (const auto& c : geometry.triangles)
            if (c[0] < n && c[1] < n && c[2] < n) whole.push_back(c);
        const SoupSurvey survey = survey_soup(geometry.points, whole, &context);
        hash = survey.hash;
        edges.clear();
        edges.reserve(survey.edges.size());
        for (const SoupSurvey::Edge& edge : survey.edges) edges.push_back({edge.lesser, edge.greater});
    }
};

/// Edges of exactly one triangle.
uint64_t boundary_edge_count(const std::vector<std::array<uint32_t, 3>>& triangles) {
    std::vector<VertexPair> sides;
    for (const auto& c : triangles)
        for (int k = 0; k < 3; ++k) sides.push_back({std::min(c[k], c[(k + 1) % 3]), std::max(c[k], c[(k + 1) % 3])});
    std::sort(sides.begin(), sides.end());
    uint64_t count = 0;
    for (size_t i = 0, end = 0; i < sides.size(); i = end) {
        while (end < sides.size() && sides[end] == sides[i]) ++end;
        count += end - i == 1;
    }
    return count;
}

class JudgeLab final : public Lab, public Inspectable, public Checkable, public Detector {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override {
        visitor.choice("require", "Passes when it is", "What the triangles must be to pass the check.", require_,
                       {{"delaunay", "a Delaunay triangulation of all points"},
                        {"complete", "a triangulation of all points and of the whole convex hull"},
                        {"triangulation", "a triangulation of some of them"}});
    }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override { return !context_ || judged_; }
    uint32_t next_pass() const override { return done() ? kNone : 0; }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        if (done()) return;
        const StepResult result = step();
        if (after_round) after_round(result);
    }
    uint64_t state_hash() const override;
    Snapshot save() const override {
        Snapshot snapshot;
        const uint64_t judged = judged_;
        put_values(snapshot, &judged, 1);
        return snapshot;
    }
    void load(const Snapshot& snapshot) override {
        const auto judged = load_run_state<uint64_t>(snapshot, 1, "the Judge lab");
        if (judged && !judgement_) judge_now();
        judged_ = judged != 0;
        drawn_.reset();
    }

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    CheckReport check() const override;
    /// Another program decided, so the end is checked, and failures marked, at once.
    bool needs_check() const override { return true; }
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return judged_ ? differing_.size() : 0; }
    Result result() const override;
    TriangleSoup soup() const override;

  private:
    struct Differing {
        VertexPair edge;
        bool missed, tie;
    };
    void judge_now();
    void draw() const;
    void inspect_vertex(size_t side, uint32_t vertex, Properties& properties) const;
    InspectedSoup soup_of(size_t side) const;
    void inspect_edge(size_t side, uint32_t id, Properties& properties, Report& report) const;
    const Side& side(uint32_t part) const { return sides_[part == 1 ? 1 : 0]; }
    Point at(uint32_t v) const { return input_->points[v]; }

    int require_ = 0, used_require_ = 0;
    bool will_record_states_ = true, records_states_ = true;
    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    Bounds bounds_;
    bool judged_ = false;
    std::optional<Judgement> judgement_;  // kept when the run goes back
    CheckReport report_;                  // the report of the judgement, with edge ids of the first view
    std::vector<Differing> differing_;
    Side sides_[2];                      // the given triangles; the exact triangulation
    mutable std::optional<bool> drawn_;  // judged_ when last drawn
};

void JudgeLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (input->in_space())
        throw Error(input->name +
                    " is a surface in space, and triangulations of the plane are judged here; the Flip lab takes it");
    context_ = &context;
    input_ = std::move(input);
    records_states_ = will_record_states_;
    used_require_ = require_;
    judged_ = false;
    judgement_.reset();
    differing_.clear();
    drawn_.reset();
    for (Side& one : sides_) one.edges.clear();
    sides_[0].geometry = *input_;
    sides_[0].collect_edges(context);
    sides_[1].geometry = {"exact", input_->points};
    bounds_ = bounds_of(input_->points);
}

void JudgeLab::judge_now() {
    Judgement found_now = judge(*context_, *input_);
    sides_[1].geometry.triangles = std::move(found_now.exact);
    sides_[1].collect_edges(*context_);
    // A cancelled pass starts over, so nothing is stored before this line.
    judgement_ = std::move(found_now);
    report_ = CheckReport{judgement_->report};
    for (CheckFailure& failure : report_.failures) {
        for (Element& element : failure.elements)
            if (element.kind == ElementKind::kEdge) element.id = sides_[0].find(judgement_->edges.at(element.id));
        if (failure.code != "illegal-edge") continue;
        failure.elements.resize(1);  // its triangles are not at fault themselves
        failure.places.resize(2);
    }
    if (input_->triangles.empty() && !judgement_->in_one_line) {
        report_.passed = report_.checked = false;
        report_.sentence = "no triangles are given, so there is nothing to judge";
    } else if (!report_.passed) {
        const auto answer = [](bool yes, const char* what, const char* not_so) { return yes ? what : not_so; };
        report_.sentence = std::string(answer(judgement_->triangulation, "a triangulation, ", "no triangulation, ")) +
                           answer(judgement_->complete, "complete, ", "not complete, ") +
                           answer(judgement_->delaunay, "Delaunay: ", "not Delaunay: ") +
                           count_text(report_.failure_count, "defect", "defects");
    }
    if (used_require_ == 1) report_.passed = report_.checked && judgement_->triangulation && judgement_->complete;
    if (used_require_ == 2) report_.passed = report_.checked && judgement_->triangulation;
    const Differences& found = judgement_->differences;
    differing_.clear();
    const auto take = [&](const std::vector<VertexPair>& edges, bool missed) {
        for (const VertexPair& edge : edges)
            differing_.push_back({edge, missed, std::binary_search(found.ties.begin(), found.ties.end(), edge)});
    };
    take(found.missed, true);
    take(found.spurious, false);
    // Edges that no tie explains come first.
    std::stable_sort(differing_.begin(), differing_.end(),
                     [](const Differing& a, const Differing& b) { return a.tie < b.tie; });
}

StepResult JudgeLab::step() {
    if (done()) throw std::logic_error("step() when done");
    if (!judgement_) judge_now();
    judged_ = true;
    const Differences& found = judgement_->differences;
    StepResult result;
    result.pass = 0;
    result.next = kNone;
    result.round = 1;
    result.ended = Level::kEnd;
    result.counters.resize(kCounters);
    result.counters[kDefects] = static_cast<int64_t>(report_.failure_count);
    result.counters[kMissed] = static_cast<int64_t>(found.missed.size());
    result.counters[kSpurious] = static_cast<int64_t>(found.spurious.size());
    result.counters[kTies] = static_cast<int64_t>(found.ties.size());
    result.counters[kHoles] = static_cast<int64_t>(judgement_->holes.size());
    result.breakpoint_hit = !report_.passed;
    return result;
}

uint64_t JudgeLab::state_hash() const {
    uint64_t hash = mix64(judged_);
    if (!input_) return hash;
    const auto add = [&](uint64_t word) { hash = mix64(hash ^ word); };
    for (const Point& p : input_->points) {
        add(exact::bits_of(p.x));
        add(exact::bits_of(p.y));
    }
    for (const auto& [a, b, c] : input_->triangles) {
        add(uint64_t(a) << 32 | b);
        add(c);
    }
    if (!judged_) return hash;
    for (const Differing& one : differing_) add(uint64_t(one.edge[0]) << 32 | one.edge[1]);
    for (const CheckFailure& failure : report_.failures)
        for (const Element& element : failure.elements) add(uint64_t(element.kind) << 32 | element.id);
    return hash;
}

void JudgeLab::draw() const {
    if (drawn_ == judged_) return;
    drawn_.reset();
    for (size_t k = 0; k < 2; ++k) {
        const Side& one = sides_[k];
        const bool shown = k == 0 || judged_;
        if (shown)
            draw_soup(*context_, one.geometry, one.edges, records_states_, one.mesh);
        else
            draw_soup(*context_, {"exact", input_->points}, {}, records_states_, one.mesh);
        if (!records_states_ || !judged_) continue;
        SoupStates states(one.mesh);
        for (const Differing& differing : differing_)
            if (differing.missed == (k == 1))
                states.set({ElementKind::kEdge, one.find(differing.edge)}, differing.tie ? kTie : kDiffers);
        if (k == 0)
            for (const CheckFailure& failure : report_.failures) {
                if (failure.noted || failure.elements.empty()) continue;
                const State state = failure.code == "illegal-edge"   ? kIllegal
                                    : failure.code == "unused-point" ? kUnused
                                                                     : kAtFault;
                for (const Element& element : failure.elements) states.set(element, state);
            }
        states.upload(*context_, one.mesh);
    }
    drawn_ = judged_;
}

Scene JudgeLab::scene() const {
    Scene scene;
    if (!input_) return scene;
    draw();
    const auto points = static_cast<uint32_t>(input_->points.size());
    using E = LegendEntry::Element;
    const char* const fault = "It has a defect, which the inspector and the list of failures describe.";
    const std::vector<LegendEntry> legends[2] = {
        {{E::kEdge, kIllegal, Role::kIllegal, "illegal",
          "The circumcircle of one triangle contains the apex of the other."},
         {E::kEdge, kAtFault, Role::kFailed, "fails the check", fault},
         {E::kTriangle, kAtFault, Role::kFailed, "fails the check", fault},
         {E::kVertex, kAtFault, Role::kFailed, "fails the check", fault},
         {E::kVertex, kUnused, Role::kWaiting, "in no triangle", "No triangle has it at a corner."},
         {E::kEdge, kDiffers, Role::kSpurious, "not exact", "The exact triangulation has no such edge."},
         {E::kEdge, kTie, Role::kZero, "tie", "Its four points lie on one circle: either diagonal is Delaunay."}},
        {{E::kEdge, kDiffers, Role::kMissing, "missing", "The judged triangles have no such edge."},
         {E::kEdge, kTie, Role::kZero, "tie", "Its four points lie on one circle: either diagonal is Delaunay."}},
    };
    scene.title = "As given";
    scene.beside.emplace_back();
    scene.beside[0].title = "Exact Delaunay triangulation";
    for (size_t k = 0; k < 2; ++k) {
        SceneView& view = scene.view(k);
        view.low = bounds_.low;
        view.high = bounds_.high;
        if (points == 0) continue;
        view.add_mesh(sides_[k].mesh, points);
        view.has_incidence = false;
        if (k == 0 && judged_) {
            std::vector<uint32_t> outlines, hull;
            for (const Hole& hole : judgement_->holes)
                for (size_t i = 0; i < hole.vertices.size(); ++i) {
                    outlines.push_back(hole.vertices[i]);
                    outlines.push_back(hole.vertices[(i + 1) % hole.vertices.size()]);
                }
            for (const CheckFailure& failure : report_.failures)
                if (failure.code == "missing-hull-edge")
                    for (const int64_t v : failure.vertices) hull.push_back(static_cast<uint32_t>(v));
            view.add_few_lines("holes", "Missing areas", "Outlines of what no triangle covers", std::move(outlines),
                               Role::kMissing);
            view.add_few_lines("hull", "Missing hull edges", "Neighbours on the convex hull that no edge joins",
                               std::move(hull), Role::kMissing);
        }
        view.set_legend(legends[k]);
        for (const char* id : {"holes", "hull"})
            if (Layer* missing = view.layer(id))
                missing->legend = {{E::kEdge, kStateMissing, Role::kMissing, "missing", missing->sentence}};
    }
    return scene;
}

Element JudgeLab::pick(const Probe& probe) const {
    if (!input_ || input_->points.empty()) return {};
    draw();
    Element found = pick_element(*context_, side(probe.part).mesh, static_cast<uint32_t>(input_->points.size()), probe);
    found.part = probe.part;
    return found;
}

InspectedSoup JudgeLab::soup_of(size_t which) const {
    const Side& one = sides_[which];
    return {input_->points, one.geometry.triangles,
            [&one](uint32_t a, uint32_t b) {
                return one.find({a, b});
            },
            static_cast<uint32_t>(which)};
}

void JudgeLab::inspect_vertex(size_t which, uint32_t vertex, Properties& properties) const {
    properties.add("Point", vertex, "index in the input, from 0");
    properties.add("x", Value::exactly(at(vertex).x, "world units"), "exactly as read");
    properties.add("y", Value::exactly(at(vertex).y, "world units"));
    if (which == 0 || judged_) explain_soup_vertex(soup_of(which), vertex, properties);
}

/// Adds highlights and the section of the predicates to `report`.
void JudgeLab::inspect_edge(size_t which, uint32_t id, Properties& properties, Report& report) const {
    const Side& one = sides_[which];
    const auto [a, b] = one.edges[id];
    const auto name = [](uint32_t v) { return "point " + std::to_string(v); };
    properties.add("Edge", id, name(a) + " to " + name(b));
    properties.add("Length", Value(std::hypot(at(a).x - at(b).x, at(a).y - at(b).y), "world units"));
    std::vector<int64_t> triangles;
    std::vector<uint32_t> apexes;
    for (const auto& [triangle, apex] : soup_of(which).triangles_at(a, b)) {
        triangles.push_back(triangle);
        apexes.push_back(apex);
    }
    properties.add("Triangles", triangles, "that have it");
    if (apexes.size() == 2) {
        const bool turns = orient2d(at(a), at(b), at(apexes[0])) < 0;
        const uint32_t left = apexes[turns ? 1 : 0], right = apexes[turns ? 0 : 1];
        if (orient2d(at(a), at(b), at(left)) > 0 && orient2d(at(a), at(b), at(right)) < 0) {
            const std::array of{static_cast<uint32_t>(triangles[turns ? 1 : 0]),
                                static_cast<uint32_t>(triangles[turns ? 0 : 1])};
            const int sign = explain_soup_quad(soup_of(which), {a, b, left, right}, of, "the circle with " + name(left),
                                               properties, report);
            properties.add("Legal", sign <= 0,
                           sign > 0   ? "the other diagonal is Delaunay"
                           : sign < 0 ? "by the in-circle test"
                                      : "cocircular: either diagonal is Delaunay");
        }
    }
    if (!judged_) return;
    const auto differs = std::find_if(differing_.begin(), differing_.end(), [&](const Differing& other) {
        return other.edge == VertexPair{a, b} && other.missed == (which == 1);
    });
    if (differs == differing_.end())
        properties.add("Difference", "none", "both triangulations have this edge");
    else
        properties.add("Difference", differs->missed ? "missed" : "spurious",
                       differs->tie ? "a tie: legal either way, since four points lie on one circle"
                       : which == 1 ? "the judged triangles have no such edge"
                                    : "the exact triangulation has no such edge");
    if (const uint32_t there = sides_[1 - which].find({a, b}); there != kNone)
        properties.add_links("In the other view", {edge_link(there, static_cast<uint32_t>(1 - which))});
}

Report JudgeLab::inspect(Element element) const {
    Report report;
    if (!input_ || element.id == kNone) return report;
    const size_t which = element.part == 1 ? 1 : 0;
    const Side& one = sides_[which];
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < input_->points.size()) {
        inspect_vertex(which, element.id, properties);
    } else if (which == 1 && !judged_) {
        return report;
    } else if (element.kind == ElementKind::kEdge && element.id < one.edges.size()) {
        inspect_edge(which, element.id, properties, report);
        explain_soup_edge(soup_of(which), one.edges[element.id][0], one.edges[element.id][1], properties,
                          report.highlights);
        order_of_edge(properties);
    } else if (element.kind == ElementKind::kTriangle && element.id < one.geometry.triangles.size()) {
        const auto& c = one.geometry.triangles[element.id];
        properties.add("Triangle", element.id,
                       "points " + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]));
        explain_soup_triangle(soup_of(which), element.id, properties, report);
    } else {
        return report;
    }
    report.sections.insert(report.sections.begin(), {"", "", std::move(properties)});
    if (judged_ && which == 0) report.add(faults_of(report_, element));
    for (Highlight& highlight : report.highlights) highlight.part = element.part;
    return report;
}

CheckReport JudgeLab::check() const {
    if (judged_) return report_;
    return CheckReport::nothing("nothing has been judged yet");
}

std::vector<Detection> JudgeLab::detections(size_t first) const {
    std::vector<Detection> list;
    if (!judged_) return list;
    for (size_t i = first; i < differing_.size(); ++i) {
        const auto& [edge, missed, tie] = differing_[i];
        Detection one;
        one.kind = std::string(missed ? "missed" : "spurious") + (tie ? " (tie)" : "");
        one.place = {at(edge[0]).x / 2 + at(edge[1]).x / 2, at(edge[0]).y / 2 + at(edge[1]).y / 2};
        one.vertices = {edge[0], edge[1]};
        one.round = 1;
        list.push_back(std::move(one));
    }
    return list;
}

Result JudgeLab::result() const {
    Result result;
    if (!input_) return result;
    result.points = input_->points.size();
    result.triangles = input_->triangles.size();
    result.edges = sides_[0].edges.size();
    result.triangulation_hash = sides_[0].hash;
    if (!judged_) return result;
    const auto answer = [](bool yes) { return Value(yes ? "yes" : "no"); };
    result.numbers.add("triangulation", answer(judgement_->triangulation));
    result.numbers.add("complete", answer(judgement_->complete));
    result.numbers.add("Delaunay", answer(judgement_->delaunay));
    result.numbers.add("defects", report_.failure_count);
    result.numbers.add("missed edges", judgement_->differences.missed.size());
    result.numbers.add("spurious edges", judgement_->differences.spurious.size());
    result.numbers.add("ties", judgement_->differences.ties.size());
    result.duplicates = judgement_->duplicates;
    result.hull_edges = boundary_edge_count(input_->triangles);
    return result;
}

TriangleSoup JudgeLab::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    soup.points = &input_->points;
    soup.level = input_->level;
    for (const auto& c : input_->triangles)
        if (c[0] < input_->points.size() && c[1] < input_->points.size() && c[2] < input_->points.size())
            soup.triangles.push_back(c);
    return soup;
}

const LabInfo& JudgeLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "judge",
            "Judge lab",
            "Judges triangles that any program made, beside the exact Delaunay triangulation of the same points: all "
            "that is wrong, and every edge in which the two differ.",
            "No paper: definitions alone, with exact signs. Ties of cocircular points are legal either way.",
            {{"judge", "Looks at every triangle, edge and vertex, and compares with the exact triangulation."}},
            {{"defects", "defects of the triangles", false, true},
             {"missed", "edges of the exact triangulation that the triangles do not have"},
             {"spurious", "edges that the exact triangulation does not have"},
             {"ties", "of both, edges that are legal either way"},
             {"holes", "parts of the convex hull that no triangle covers"}}};
        made.inputs = {InputKind::kPoints, InputKind::kMeshes};
        made.example = "triangular:400";
        made.keeps_triangles = true;
        made.detects = "difference";
        made.detects_changes = false;
        made.breakpoint = "the triangles fail the check";
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_judge_lab() { return std::make_unique<JudgeLab>(); }

}  // namespace flipscope
