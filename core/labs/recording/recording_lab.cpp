// The Recording lab: the steps of another program on the timeline, with all instruments. Each pass shows the next step
// of the recording and computes only reports on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/context.h"
#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "geometry/recording.h"
#include "instruments/drawn_soup.h"
#include "instruments/explain_soup.h"
#include "instruments/failure_marks.h"
#include "lab/element_links.h"
#include "lab/lab.h"
#include "mesh/hash.h"
#include "mesh/illegal_reason.h"
#include "mesh/inspect.h"
#include "mesh/pick.h"
#include "mesh/soup_survey.h"

namespace flipscope {

namespace {

// The meaning of state bits in this lab.
constexpr State kFresh = kStateFresh, kIllegal = kStateIllegal, kMarked = kStateChosen, kUnused = kStateWaiting,
                kAtFault = kStateBlocked;
// Beside illegal edges, not all eyes can distinguish the colour of chosen ones.
constexpr Role kMarkedEdge = Role::kDeferred;

/// One step of a recording, judged: its edges and angles, its failures, and its changes since the step before. A pure
/// function of the recording, computed on demand.
struct JudgedStep {
    enum Counter : uint32_t { kPoints, kTriangles, kNew, kRemoved, kMarked, kIllegal, kDefects, kCounters };
    struct Counts {
        std::array<int64_t, kCounters> counters{};
        double minimum_angle = 0;  // degrees; NaN without triangles
        std::string fault;         // a sentence if the triangles do not fit together
        std::string false_sign;    // a sentence if the program found wrong signs
    };

    Geometry geometry;  // of the step
    SoupSurvey survey;
    MeshInspection found;  // including wrong signs of predicates
    bool fits = true;      // the triangles fit together, whatever signs the program found
    SoupChanges changes;
    Counts counts;
};

/// "2 predicates have wrong signs: in-circle of …"; empty: none.
std::string add_false_signs(std::vector<CheckFailure> found, CheckReport& report) {
    if (found.empty()) return {};
    const std::string sentence = count_text(found.size(), "predicate has a wrong sign", "predicates have wrong signs") +
                                 ": " + found[0].sentence;
    report.sentence += std::string(report.passed ? ", but " : "; ") + sentence;
    report.passed = false;
    for (CheckFailure& failure : found) add_failure(report, std::move(failure));
    return sentence + ".";
}

/// The signs in step i, from 0, that differ from the exact ones, each with the code "false-sign". Their elements are
/// points of the step.
std::vector<CheckFailure> false_signs(const RecordedSteps& recording, size_t i) {
    const RecordedSteps::Step& step = recording.steps[i];
    std::vector<CheckFailure> found;
    for (size_t k = 0; k < step.tests.size(); ++k) {
        const RecordedSteps::Test& test = step.tests[k];
        const auto at = [&](size_t corner) { return (*step.points)[test.points[corner]]; };
        const int exact = test.in_circle ? incircle(at(0), at(1), at(2), at(3)) : orient2d(at(0), at(1), at(2));
        if (exact == test.sign) continue;
        CheckFailure failure{
            "false-sign", test.in_circle ? "in-circle of points " : "orientation of points ", {}, {}, {}};
        const size_t count = test.in_circle ? 4 : 3;
        for (size_t corner = 0; corner < count; ++corner) {
            const uint32_t v = test.points[corner];
            failure.sentence += (corner == 0 ? "" : corner + 1 == count ? " and " : ", ") + std::to_string(v);
            failure.elements.push_back({ElementKind::kVertex, v});
            failure.vertices.push_back(v);
            failure.places.push_back({at(corner).x, at(corner).y, 0});
        }
        failure.sentence += " in step " + std::to_string(i + 1) + ": the program found sign " + sign_name(test.sign) +
                            ", exactly it is " + sign_name(exact) + " (test " + std::to_string(k) + " of the step)";
        found.push_back(std::move(failure));
    }
    return found;
}

/// Judges step i, from 0, on the threads of `context` or, for nullptr, serially. Takes time in proportion to this step
/// and the one before.
JudgedStep judge_step(const RecordedSteps& recording, size_t i, Context* context) {
    static const SoupTriangles kNothing;
    const RecordedSteps::Step& step = recording.steps[i];
    const SoupTriangles& before = i > 0 ? *recording.steps[i - 1].triangles : kNothing;
    JudgedStep judged;
    judged.geometry.name = "step " + std::to_string(i + 1);
    judged.geometry.points = *step.points;
    judged.geometry.triangles = *step.triangles;
    judged.survey = survey_soup(*step.points, *step.triangles, context);
    judged.found = inspect_mesh(judged.geometry, context);
    judged.changes = compare_soups(before, *step.triangles, judged.survey);
    judged.fits = judged.found.report.passed;
    if (!judged.fits)
        judged.counts.fault = "S" + judged.found.report.sentence.substr(1) + ".";  // "Step 17 is no valid …"
    judged.counts.false_sign = add_false_signs(false_signs(recording, i), judged.found.report);
    const CheckReport& report = judged.found.report;
    auto& counters = judged.counts.counters;
    counters[JudgedStep::kPoints] = static_cast<int64_t>(step.points->size());
    counters[JudgedStep::kTriangles] = static_cast<int64_t>(step.triangles->size());
    counters[JudgedStep::kNew] = static_cast<int64_t>(judged.changes.fresh.size());
    counters[JudgedStep::kRemoved] = static_cast<int64_t>(judged.changes.removed.size());
    counters[JudgedStep::kMarked] = static_cast<int64_t>(step.marks.count());
    counters[JudgedStep::kIllegal] = static_cast<int64_t>(judged.survey.illegal);
    if (!report.passed) {
        const uint64_t defects = report.failure_count - std::min(judged.found.harmless, report.failure_count);
        counters[JudgedStep::kDefects] = static_cast<int64_t>(std::max<uint64_t>(defects, 1));
    }
    judged.counts.minimum_angle = judged.survey.minimum_angle;
    return judged;
}

/// Counts steps first … first + counts.size() - 1, several at once on the context's threads.
void count_steps(const RecordedSteps& recording, size_t first, std::vector<JudgedStep::Counts>& counts,
                 Context& context) {
    context.run_chunks(static_cast<uint32_t>(counts.size()),
                       [&](uint32_t chunk) { counts[chunk] = judge_step(recording, first + chunk, nullptr).counts; });
}

class RecordingLab final : public Lab, public Inspectable, public Checkable, public Measurable {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override { return !recording_ || at_ == recording_->steps.size(); }
    uint32_t next_pass() const override { return done() ? kNone : 0; }
    StepResult step() override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    CheckReport check() const override;
    /// Another program decided, so the end is checked, and failures marked, at once.
    bool needs_check() const override { return true; }
    Report statistics() const override;
    Result result() const override;
    TriangleSoup soup() const override;

  private:
    using Step = RecordedSteps::Step;
    using Edge = SoupSurvey::Edge;

    const Step& shown() const { return recording_->steps[at_ > 0 ? at_ - 1 : 0]; }
    const JudgedStep::Counts& counts_of(size_t i);
    const JudgedStep& judged() const;
    void draw() const;
    void upload_states(const JudgedStep& step) const;
    void add_fault(const char* code, std::string sentence, const Element& element,
                   const std::vector<uint32_t>& vertices, CheckReport& report) const;
    bool require_hull(CheckReport& report) const;
    void require_complete(CheckReport& report) const;
    void require_delaunay(CheckReport& report) const;
    void add_earlier_signs(CheckReport& report) const;
    void inspect_vertex(uint32_t vertex, Properties& properties) const;
    InspectedSoup soup_shown() const;  // after the first step
    void inspect_edge(uint32_t id, Properties& properties, Report& report) const;

    int judge_ = 0, used_judge_ = 0;  // as set; as of the last reset: 1: complete; 2: Delaunay
    bool will_record_states_ = true, records_states_ = true;
    Context* context_ = nullptr;
    std::shared_ptr<const RecordedSteps> recording_;
    double level_ = 0;  // z of all points
    Bounds bounds_;
    size_t at_ = 0;  // steps done; the one before is shown
    std::string start_message_;
    std::vector<std::optional<JudgedStep::Counts>> counts_;        // by step, as far as computed
    mutable std::optional<std::pair<size_t, JudgedStep>> judged_;  // the last step inspected
    mutable std::vector<std::optional<size_t>> false_signs_;       // by step, as far as a check has counted them

    mutable std::optional<size_t> drawn_;  // at_ when last drawn
    mutable TriangleMesh mesh_;
};

void RecordingLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("judge", "Check requires",
                   "What a step must be to pass the check; illegal edges are counted and marked in any case.", judge_,
                   {{"triangulation", "any two triangles share nothing, a vertex or a whole edge"},
                    {"complete", "the same, every point is used, and the outline is the convex hull"},
                    {"delaunay", "a triangulation, and the Delaunay one of the points that it uses"}});
}

void RecordingLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (input->in_space())
        throw Error(input->name + " is a surface in space, and a recording is of the plane; the Flip lab takes it");
    std::string message;
    std::shared_ptr<const RecordedSteps> recording = input->recording;
    if (!recording) {
        auto one = std::make_shared<RecordedSteps>();
        one->name = input->name;
        one->steps.push_back({std::make_shared<const RecordedSteps::Points>(input->points),
                              std::make_shared<const RecordedSteps::Triangles>(input->triangles)});
        for (size_t i = 0; i < input->triangles.size(); ++i)
            for (const uint32_t v : input->triangles[i])
                if (v >= input->points.size())
                    throw Error(input->name + ": triangle " + std::to_string(i) + " names point " + std::to_string(v) +
                                ", which does not exist");
        recording = std::move(one);
        message = "This is no recording: it is shown as one of a single step.";
    }
    bounds_ = bounds_of(*recording);
    context_ = &context;
    recording_ = std::move(recording);
    level_ = input->level;
    start_message_ = std::move(message);
    used_judge_ = judge_;
    records_states_ = will_record_states_;
    at_ = 0;
    counts_.assign(recording_->steps.size(), std::nullopt);
    judged_.reset();
    false_signs_.assign(recording_->steps.size(), std::nullopt);
    drawn_.reset();
    size_t most_points = 0, most_triangles = 0;
    for (const Step& step : recording_->steps) {
        most_points = std::max(most_points, step.points->size());
        most_triangles = std::max(most_triangles, step.triangles->size());
    }
    // Allocates for the largest step once.
    mesh_.reset(context, static_cast<uint32_t>(most_points), most_triangles, 3 * most_triangles, records_states_);
    mesh_.positions.resize(context, most_points + 1, false);
}

/// Counts many small steps ahead of time in one batch: recordings have thousands of them.
const JudgedStep::Counts& RecordingLab::counts_of(size_t i) {
    if (counts_[i]) return *counts_[i];
    constexpr size_t kMostAhead = 64, kMostTriangles = 200'000, kLarge = 20'000;
    size_t end = i, triangles = 0;
    while (end < counts_.size() && end - i < kMostAhead && !counts_[end]) {
        const Step& step = recording_->steps[end];
        triangles += step.triangles->size() + step.points->size();
        if (triangles > kMostTriangles || step.triangles->size() > kLarge) break;
        ++end;
    }
    if (end <= i + 1) {
        judged_.emplace(i, judge_step(*recording_, i, context_));
        counts_[i] = judged_->second.counts;
        return *counts_[i];
    }
    std::vector<JudgedStep::Counts> counts(end - i);
    count_steps(*recording_, i, counts, *context_);
    for (size_t k = 0; k < counts.size(); ++k) counts_[i + k] = std::move(counts[k]);
    return *counts_[i];
}

StepResult RecordingLab::step() {
    if (done()) throw std::logic_error("step() when done");
    context_->throw_if_cancelled();
    const JudgedStep::Counts& counts = counts_of(at_);
    ++at_;
    StepResult result;
    result.pass = 0;
    result.next = next_pass();
    result.round = static_cast<uint32_t>(at_);
    result.ended = done() ? Level::kEnd : Level::kRound;
    result.counters.assign(counts.counters.begin(), counts.counters.end());
    result.measures = {counts.minimum_angle};
    if (at_ == 1) result.message.add("no-recording", start_message_);
    // The sentence follows a caption, which may lack a full stop.
    const std::string& caption = shown().caption;
    const bool ends = caption.empty() || std::string(".!?:;").find(caption.back()) != std::string::npos;
    const bool alone = counts.fault.empty() && counts.false_sign.empty();
    result.message.add("caption", caption + (ends || alone ? "" : "."));
    result.message.add("defects", counts.fault);
    result.message.add("false-sign", counts.false_sign);
    result.breakpoint_hit = counts.counters[JudgedStep::kDefects] > 0;
    result.must_stop = !counts.false_sign.empty();
    return result;
}

uint64_t RecordingLab::state_hash() const {
    uint64_t hash = mix64(at_);
    if (!recording_) return hash;
    const Step& step = shown();
    const auto add = [&](uint64_t word) { hash = mix64(hash ^ word); };
    add(step.points->size());
    for (const Point p : *step.points) {
        add(exact::bits_of(p.x));
        add(exact::bits_of(p.y));
    }
    if (at_ == 0) return hash;
    add(step.triangles->size());
    for (const auto& [a, b, c] : *step.triangles) {
        add(uint64_t(a) << 32 | b);
        add(c);
    }
    add(step.marks.vertices.size());
    for (const uint32_t v : step.marks.vertices) add(v);
    add(step.marks.edges.size());
    for (const auto& [a, b] : step.marks.edges) add(uint64_t(a) << 32 | b);
    add(step.marks.triangles.size());
    for (const uint32_t t : step.marks.triangles) add(t);
    return hash;
}

Snapshot RecordingLab::save() const {
    Snapshot snapshot;
    const uint64_t at = at_;
    put_values(snapshot, &at, 1);
    return snapshot;
}

void RecordingLab::load(const Snapshot& snapshot) {
    const auto at = load_run_state<uint64_t>(snapshot, 1, "a recording");
    if (at > recording_->steps.size())
        throw std::logic_error("a snapshot of another recording: step " + std::to_string(at) + " of " +
                               std::to_string(recording_->steps.size()));
    at_ = at;
}

/// The step shown; invalid before the first step.
const JudgedStep& RecordingLab::judged() const {
    const size_t i = at_ - 1;
    if (!judged_ || judged_->first != i) judged_.emplace(i, judge_step(*recording_, i, context_));
    return judged_->second;
}

void RecordingLab::draw() const {
    if (drawn_ == at_) return;
    drawn_.reset();
    if (at_ == 0) {
        const Geometry points{recording_->name, *shown().points};
        draw_soup(*context_, points, {}, records_states_, mesh_);
        const std::vector<State> states(points.points.size() + 1, kUnused);
        if (records_states_) mesh_.vertex_states.upload(*context_, states.data(), states.size());
    } else {
        const JudgedStep& step = judged();
        draw_soup(*context_, step.geometry, step.found.edges, records_states_, mesh_);
        if (records_states_) upload_states(step);
    }
    drawn_ = at_;
}

void RecordingLab::upload_states(const JudgedStep& step) const {
    const RecordedSteps::Marks& marks = shown().marks;
    const SoupSurvey& survey = step.survey;
    using Kind = ElementKind;
    SoupStates states(mesh_);
    if (!survey.corners.empty())
        for (uint32_t v = 0; v < survey.used.size(); ++v)
            if (!survey.used[v]) states.set({Kind::kVertex, v}, kUnused);
    for (const uint32_t t : step.changes.fresh) states.set({Kind::kTriangle, t}, kFresh);
    for (uint32_t e = 0; e < survey.edges.size(); ++e)
        if (survey.edges[e].illegal) states.set({Kind::kEdge, e}, kIllegal);
    for (const uint32_t e : step.changes.fresh_edges) states.set({Kind::kEdge, e}, kFresh);
    for (const uint32_t v : marks.vertices) states.set({Kind::kVertex, v}, kMarked);
    for (const uint32_t t : marks.triangles) states.set({Kind::kTriangle, t}, kMarked);
    for (const auto& [a, b] : marks.edges)
        if (const Edge* edge = survey.find(a, b)) states.set({Kind::kEdge, survey.index_of(edge)}, kMarked);
    if (!step.found.report.passed)
        for (const CheckFailure& failure : step.found.report.failures) {
            if (failure.code == "unused-point" || (step.fits && failure.code == "duplicate-point")) continue;
            for (const Element& element : failure.elements) states.set(element, kAtFault);
        }
    states.upload(*context_, mesh_);
}

Scene RecordingLab::scene() const {
    Scene scene;
    if (!recording_) return scene;
    draw();
    const auto points = static_cast<uint32_t>(shown().points->size());
    scene.low = bounds_.low;
    scene.high = bounds_.high;
    if (points == 0) return scene;
    scene.add_mesh(mesh_, points);
    scene.has_incidence = false;
    const auto add_lines = [&](const char* id, const char* title, const char* sentence, Role role,
                               const std::vector<std::array<uint32_t, 2>>& edges) {
        std::vector<uint32_t> ends;
        for (const auto& [a, b] : edges)
            if (a < points && b < points) ends.insert(ends.end(), {a, b});
        scene.add_few_lines(id, title, sentence, std::move(ends), role);
    };
    using E = LegendEntry::Element;
    const char* const fault = "It has a defect, which the inspector describes.";
    const char* const mark = "The recording marks it in this step.";
    const char* const fresh = "It was not there in the step before.";
    const std::vector<LegendEntry> legend = {
        {E::kEdge, kAtFault, Role::kFailed, "at fault", fault},
        {E::kTriangle, kAtFault, Role::kFailed, "at fault", fault},
        {E::kVertex, kAtFault, Role::kFailed, "at fault", fault},
        {E::kEdge, kMarked, kMarkedEdge, "marked", mark},
        {E::kTriangle, kMarked, Role::kChosen, "marked", mark},
        {E::kVertex, kMarked, Role::kChosen, "marked", mark},
        {E::kEdge, kIllegal, Role::kIllegal, "illegal",
         "The circumcircle of one triangle contains the apex of the other."},
        {E::kEdge, kFresh, Role::kFresh, "new", fresh},
        {E::kTriangle, kFresh, Role::kFresh, "new", fresh},
        {E::kVertex, kUnused, Role::kWaiting, "in no triangle", "No triangle of this step has it at a corner."},
        {E::kEdge, kStateMissing, Role::kLostContact, "removed", "It existed in the step before."},
    };
    if (at_ > 0) {
        const JudgedStep& step = judged();
        // If the points have changed, edges of the step before have no place in this one.
        if (at_ > 1 && recording_->steps[at_ - 2].points == shown().points)
            add_lines("removed", "Removed edges", "Edges of the step before that were removed", Role::kLostContact,
                      step.changes.lost_edges);
        std::vector<std::array<uint32_t, 2>> apart;
        for (const auto& [a, b] : shown().marks.edges)
            if (!step.survey.find(a, b)) apart.push_back({a, b});
        add_lines("marked", "Marked pairs of points",
                  "Pairs that the recording marks and that are no edges of its triangles", kMarkedEdge, apart);
    }
    scene.set_legend(legend);
    return scene;
}

Element RecordingLab::pick(const Probe& probe) const {
    if (!recording_ || shown().points->empty()) return {};
    draw();
    return pick_element(*context_, mesh_, static_cast<uint32_t>(shown().points->size()), probe);
}

void RecordingLab::inspect_vertex(uint32_t vertex, Properties& properties) const {
    const Point at = (*shown().points)[vertex];
    properties.add("Point", vertex, "index in the step's points, from 0");
    properties.add("x", Value::exactly(at.x, "world units"), "exactly as read");
    properties.add("y", Value::exactly(at.y, "world units"));
    if (at_ == 0) return;
    const size_t before = properties.size();
    explain_soup_vertex(soup_shown(), vertex, properties);
    if (properties.size() == before) properties.add("Triangles", "none", "no triangle of this step has it at a corner");
}

InspectedSoup RecordingLab::soup_shown() const {
    const SoupSurvey& survey = judged().survey;
    return {*shown().points, *shown().triangles, [&survey](uint32_t a, uint32_t b) {
                const SoupSurvey::Edge* const found = survey.find(a, b);
                return found ? survey.index_of(found) : kNone;
            }};
}

/// Adds highlights and the section of the predicates to `report`.
void RecordingLab::inspect_edge(uint32_t id, Properties& properties, Report& report) const {
    const JudgedStep& step = judged();
    const Edge& edge = step.survey.edges[id];
    const RecordedSteps::Points& points = *shown().points;
    const Point from = points[edge.lesser], to = points[edge.greater];
    const auto name = [](uint32_t v) { return "point " + std::to_string(v); };
    properties.add("Edge", id, name(edge.lesser) + " to " + name(edge.greater));
    properties.add("Length", Value(std::hypot(from.x - to.x, from.y - to.y), "world units"));
    const bool both = edge.triangle_count == 2 && edge.left != kNone && edge.right != kNone;
    if (both) {
        properties.add("Triangles", std::vector<int64_t>{edge.left, edge.right},
                       "with " + name(edge.left_apex) + " and " + name(edge.right_apex) + " opposite");
    } else if (edge.triangle_count == 1) {
        properties.add("Triangle", edge.left != kNone ? edge.left : edge.right,
                       "the only one at it, with " + name(edge.left != kNone ? edge.left_apex : edge.right_apex) +
                           " opposite: it is on the outline");
    } else {
        properties.add("Triangles", edge.triangle_count,
                       edge.triangle_count == 2 ? "both on the same side" : "more than an edge of the plane can have");
    }
    if (std::binary_search(step.changes.fresh_edges.begin(), step.changes.fresh_edges.end(), id))
        properties.add("New", true, "it was not there in the step before");
    if (!both) return;
    const Point left = points[edge.left_apex], right = points[edge.right_apex];
    const int sign = explain_soup_quad(soup_shown(), {edge.lesser, edge.greater, edge.left_apex, edge.right_apex},
                                       {edge.left, edge.right}, "the circle of triangle " + std::to_string(edge.left),
                                       properties, report);
    std::string why = "by the in-circle test";
    if (edge.illegal) {
        why = "it is not Delaunay: " +
              sentence_of(reason_of_illegal(from, to, left, right), edge.left_apex, edge.right_apex);
    } else if (sign == 0) {
        why = "cocircular: either diagonal is Delaunay";
    }
    properties.add("Legal", !edge.illegal, why);
}

Report RecordingLab::inspect(Element element) const {
    Report report;
    if (!recording_ || element.id == kNone) return report;
    const Step& step = shown();
    const RecordedSteps::Marks& marks = step.marks;
    Properties properties;
    bool marked = false;
    if (element.kind == ElementKind::kVertex && element.id < step.points->size()) {
        inspect_vertex(element.id, properties);
        marked = std::find(marks.vertices.begin(), marks.vertices.end(), element.id) != marks.vertices.end();
    } else if (at_ == 0) {
        return report;
    } else if (element.kind == ElementKind::kEdge && element.id < judged().survey.edges.size()) {
        const Edge& edge = judged().survey.edges[element.id];
        inspect_edge(element.id, properties, report);
        explain_soup_edge(soup_shown(), edge.lesser, edge.greater, properties, report.highlights);
        order_of_edge(properties);
        marked = std::any_of(marks.edges.begin(), marks.edges.end(), [&](const auto& pair) {
            return std::minmax(pair[0], pair[1]) == std::minmax(edge.lesser, edge.greater);
        });
    } else if (element.kind == ElementKind::kTriangle && element.id < step.triangles->size()) {
        const auto& c = (*step.triangles)[element.id];
        properties.add("Triangle", element.id,
                       "points " + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]));
        const std::vector<uint32_t>& fresh = judged().changes.fresh;
        if (std::binary_search(fresh.begin(), fresh.end(), element.id))
            properties.add("New", true, "it was not there in the step before");
        explain_soup_triangle(soup_shown(), element.id, properties, report);
        marked = std::find(marks.triangles.begin(), marks.triangles.end(), element.id) != marks.triangles.end();
    } else {
        return report;
    }
    if (marked && at_ > 0)
        properties.add("Marked", true, step.caption.empty() ? "by the recording" : "by the recording: " + step.caption);
    report.sections.insert(report.sections.begin(), {"", "", std::move(properties)});
    if (at_ > 0) report.add(faults_of(judged().found.report, element, "unused-point"));
    return report;
}

/// Adds a failure of the step shown, at these points.
void RecordingLab::add_fault(const char* code, std::string sentence, const Element& element,
                             const std::vector<uint32_t>& vertices, CheckReport& report) const {
    CheckFailure failure{code, std::move(sentence), {element}, {}, {}};
    for (const uint32_t v : vertices) {
        const Point at = (*shown().points)[v];
        failure.vertices.push_back(v);
        failure.places.push_back({at.x, at.y, 0});
    }
    add_failure(report, std::move(failure));
}

/// Whether the outline is one loop without a reflex corner: the convex hull of the points used.
bool RecordingLab::require_hull(CheckReport& report) const {
    const RecordedSteps::Points& points = *shown().points;
    const SoupSurvey& survey = judged().survey;
    std::vector<uint32_t> after(points.size(), kNone);  // along the outline, the triangles on the left
    for (const Edge& edge : survey.edges) {
        if (edge.triangle_count != 1) continue;
        const bool forward = edge.left != kNone;
        after[forward ? edge.lesser : edge.greater] = forward ? edge.greater : edge.lesser;
    }
    uint64_t reflex = 0, loops = 0, along = 0;
    std::vector<uint8_t> seen(points.size(), 0);
    for (uint32_t v = 0; v < after.size(); ++v) {
        if (after[v] == kNone) continue;
        const uint32_t next = after[v], last = after[next];
        ++along;
        if (last == kNone || orient2d(points[v], points[next], points[last]) < 0) {
            ++reflex;
            add_fault("reflex-hull",
                      "the outline is reflex at point " + std::to_string(next) + ", and not the convex hull",
                      {ElementKind::kVertex, next}, {next}, report);
        }
        if (seen[v]) continue;
        ++loops;
        for (uint32_t w = v; w != kNone && !seen[w]; w = after[w]) seen[w] = 1;
    }
    report.reflex_hull = reflex;
    const bool convex = reflex == 0 && loops <= 1 && along == survey.outline;
    if (!convex && reflex == 0) add_failure(report, {"several-outlines", "the outline is not one loop", {}, {}, {}});
    return convex;
}

/// Whether a triangulation has all points and their convex hull. Copies of a point count as one point; collinear points
/// have no triangle.
void RecordingLab::require_complete(CheckReport& report) const {
    const SoupSurvey& survey = judged().survey;
    const RecordedSteps::Points& points = *shown().points;
    const bool none = survey.corners.empty();
    const auto before = [](Point p, Point q) { return p.x != q.x ? p.x < q.x : p.y < q.y; };
    std::vector<Point> used;
    for (uint32_t v = 0; v < points.size() && !none; ++v)
        if (survey.used[v]) used.push_back(points[v]);
    std::sort(used.begin(), used.end(), before);
    size_t other = 1;  // a point elsewhere than the first
    while (other < points.size() && points[other] == points[0]) ++other;
    size_t off_line = other + 1;  // a point off the line through both
    while (off_line < points.size() && orient2d(points[0], points[other], points[off_line]) == 0) ++off_line;
    const bool in_one_line = off_line >= points.size();
    const bool convex = require_hull(report);
    uint64_t unused = 0;
    for (uint32_t v = 0; v < points.size() && !in_one_line; ++v) {
        if (std::binary_search(used.begin(), used.end(), points[v], before)) continue;
        ++unused;
        add_fault("unused-point", "point " + std::to_string(v) + " is in no triangle", {ElementKind::kVertex, v}, {v},
                  report);
    }
    if (convex && unused == 0) {
        report.sentence += "; it is complete: it has every point, and the convex hull";
        return;
    }
    report.passed = false;
    report.sentence += "; not complete: " + count_text(unused, "unused point", "unused points") +
                       (convex ? "" : ", and the outline is not the convex hull");
}

/// Whether a triangulation is the Delaunay triangulation of the points it uses: if no edge is illegal and its outline
/// is one loop without a reflex corner.
void RecordingLab::require_delaunay(CheckReport& report) const {
    const RecordedSteps::Points& points = *shown().points;
    const SoupSurvey& survey = judged().survey;
    for (uint32_t e = 0; e < survey.edges.size(); ++e) {
        const Edge& edge = survey.edges[e];
        if (edge.illegal)
            add_fault("illegal-edge",
                      "edge " + std::to_string(e) + " (points " + std::to_string(edge.lesser) + " and " +
                          std::to_string(edge.greater) + ") is illegal: " +
                          sentence_of(reason_of_illegal(points[edge.lesser], points[edge.greater],
                                                        points[edge.left_apex], points[edge.right_apex]),
                                      edge.left_apex, edge.right_apex),
                      {ElementKind::kEdge, e}, {edge.lesser, edge.greater}, report);
    }
    const bool convex = require_hull(report);
    if (survey.illegal == 0 && convex) {
        report.sentence += "; it is the Delaunay triangulation of the points that it uses";
        return;
    }
    report.passed = false;
    report.sentence += "; not Delaunay: " + count_text(survey.illegal, "illegal edge", "illegal edges") +
                       (convex ? "" : ", and the outline is not the convex hull");
}

/// Adds wrong signs of earlier steps, so that the check of the last step reports all of them.
void RecordingLab::add_earlier_signs(CheckReport& report) const {
    const RecordedSteps::Points& now = *shown().points;
    size_t count = 0;
    std::string first;
    for (size_t i = 0; i + 1 < at_; ++i) {
        context_->throw_if_cancelled();
        if (false_signs_[i] == 0) continue;
        std::vector<CheckFailure> found = false_signs(*recording_, i);
        false_signs_[i] = found.size();
        count += found.size();
        for (CheckFailure& failure : found) {
            if (first.empty()) first = failure.sentence;
            // A point of that step is an element of this one only if it still lies there.
            const RecordedSteps::Points& then = *recording_->steps[i].points;
            const auto is_here = [&](const Element& vertex) {
                return vertex.id < now.size() && now[vertex.id] == then[vertex.id];
            };
            if (!std::all_of(failure.elements.begin(), failure.elements.end(), is_here)) {
                failure.elements.clear();
                failure.places.resize(std::min<size_t>(failure.places.size(), 3));
            }
            add_failure(report, std::move(failure));
        }
    }
    if (count == 0) return;
    report.sentence += std::string(report.passed ? ", but " : "; ") +
                       count_text(count, "predicate of an earlier step has a wrong sign",
                                  "predicates of earlier steps have wrong signs") +
                       ": " + first;
    report.passed = false;
}

CheckReport RecordingLab::check() const {
    if (!recording_ || at_ == 0) return CheckReport::nothing("no step of the recording is shown yet");
    const JudgedStep& step = judged();
    CheckReport report = step.found.report;
    // Points without a triangle are not a failure here, since a later step may add them. The sentence has their number.
    std::erase_if(report.failures, [&](const CheckFailure& failure) {
        return failure.code == "unused-point" || (step.fits && failure.code == "duplicate-point");
    });
    const uint64_t unused = step.survey.corners.empty() ? 0 : step.survey.unused;
    report.failure_count -= std::min(report.failure_count, step.fits ? step.found.harmless : unused);
    report.failure_count = std::max<uint64_t>(report.failure_count, report.failures.size());
    report.illegal_edges = step.survey.illegal;
    report.boundary_edges = step.survey.outline;
    if (used_judge_ == 2 && report.passed && !step.survey.corners.empty())
        require_delaunay(report);
    else if (used_judge_ == 1 && report.passed)
        require_complete(report);
    else if (!step.survey.corners.empty())
        report.sentence += step.survey.illegal == 0
                               ? "; no edge is illegal"
                               : "; " + count_text(step.survey.illegal, "edge is", "edges are") + " illegal";
    add_earlier_signs(report);
    return report;
}

Report RecordingLab::statistics() const {
    Report report;
    if (!recording_ || at_ == 0 || shown().triangles->empty()) return report;
    constexpr size_t kBins = 20;
    std::vector<double> bins(kBins);
    const SoupSurvey survey = survey_soup(*shown().points, *shown().triangles, context_, true);
    for (const double angle : survey.minimum_angles)
        ++bins[std::min(static_cast<size_t>(std::max(angle, 0.0) / 3), kBins - 1)];
    report.add(
        Distribution{"minimum angles",
                     "The minimum angle of every triangle; the Delaunay triangulation maximises the smallest of all.",
                     "°",
                     0,
                     60,
                     {},
                     std::move(bins)});
    return report;
}

Result RecordingLab::result() const {
    Result result;
    if (!recording_) return result;
    result.points = shown().points->size();
    result.numbers.add("steps", recording_->steps.size());
    if (at_ == 0) return result;
    const JudgedStep& step = judged();
    result.unused = step.survey.unused;
    result.triangles = shown().triangles->size();
    result.edges = step.survey.edges.size();
    result.hull_edges = step.survey.outline;
    result.triangulation_hash = step.survey.hash;
    result.numbers.add("illegal edges", step.counts.counters[JudgedStep::kIllegal]);
    result.numbers.add("defects", step.counts.counters[JudgedStep::kDefects]);
    return result;
}

TriangleSoup RecordingLab::soup() const {
    TriangleSoup soup;
    if (!recording_) return soup;
    soup.points = shown().points.get();
    soup.level = level_;
    if (at_ > 0) soup.triangles = *shown().triangles;
    return soup;
}

const LabInfo& RecordingLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "recording",
            "Recording lab",
            "Shows what another program recorded, step by step, and judges each step: new triangles, illegal edges, "
            "defects.",
            "No paper: the steps are those of any algorithm that writes them. Signs are exact, and nothing is mended.",
            {{"step", "Shows the next step of the recording."}},
            {{"points", "points of the step", true},
             {"triangles", "triangles of the step", true},
             {"new", "triangles that were not there in the step before"},
             {"removed", "triangles of the step before that were removed"},
             {"marked", "vertices, edges and triangles that the recording marks in the step", true},
             {"illegal", "edges with two triangles that are not Delaunay, exactly", true, true},
             {"defects",
              "what keeps the triangles of the step from being a triangulation: overlaps, crossings, flat triangles "
              "and the like; and predicates of which the program found another sign than the exact one",
              true}},
            {{"minimum angle", "The smallest angle of all triangles of the step; 0 where one is flat.", "°"}}};
        made.inputs = {InputKind::kPoints, InputKind::kMeshes, InputKind::kRecordings};
        made.renumbers_elements = true;
        made.example = "quad:400";
        made.breakpoint = "a step is no valid triangulation, or a predicate has a wrong sign";
        made.plotted_per_round = made.plotted_per_pass = {"illegal", "defects"};
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_recording_lab() { return std::make_unique<RecordingLab>(); }

}  // namespace flipscope
