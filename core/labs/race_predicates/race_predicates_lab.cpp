// The Predicate race: the Build lab twice on the same points, with exact predicates and with floats or doubles, side by
// side on one timeline. It finds the first pass after which the triangles differ, and lists the differing edges with
// the verdicts of each side's predicate.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/text.h"
#include "delaunay/constructions/insertion.h"
#include "flipscope/predicates.h"
#include "geometry/bounds.h"
#include "geometry/exact_values.h"
#include "instruments/side_by_side.h"
#include "instruments/triangle_words.h"
#include "lab/parameters.h"
#include "labs/labs.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr const char* kSides[] = {"left", "right"};

/// An edge with the two opposite points, by index in the input, in the order of the test.
struct TestedEdge {
    uint32_t from, to, left, right;  // left, right: kNone if there is no triangle

    bool has_quad() const { return left != kNone && right != kNone; }
    bool has_triangle() const { return left != kNone || right != kNone; }
};

/// An edge in which the two sides differ. Saved and loaded bytewise.
struct Difference {
    TestedEdge edge;
    uint32_t side;    // the side that has the edge
    uint32_t at_end;  // 0: found when they parted; 1: at the end
};

/// The progress of the race itself. Saved and loaded bytewise.
struct Progress {
    uint32_t passes = 0;        // so far
    uint32_t rounds[2] = {};    // of each side, begun so far
    uint32_t parted_in = 0;     // number of the first pass after which triangles differ, from 1; 0: none so far
    uint32_t parted_pass = 0;   // the kind of that pass
    uint32_t parted_round = 0;  //
    uint32_t end_round = 0;     // of the last pass, once both are done
};

/// The verdict of both predicates on an edge: the in-circle test if it has two triangles, the orientation if it has
/// one.
struct Verdicts {
    bool in_circle = false;
    bool distinct = false;  // no point occurs twice, unlike in triangles folded onto each other
    /// Four points on one circle, exactly: either diagonal is Delaunay.
    bool is_tie() const { return in_circle && distinct && exact_sign == 0; }
    double exact = 0, rounded = 0;    // the determinant; in the precision of the right side
    int exact_sign = 0, decided = 0;  // without and with the tie-break
    int naive = 0;                    // the sign that the right side uses
    std::string points;               // "points 3, 5, 8 and 9"
};

/// An edge of a triangle soup.
struct SoupEdge {
    std::array<uint32_t, 2> ends;  // indices of points, the lesser first
    /// Opposite points: left of the direction from the lesser end to the greater, and right. kNone: no triangle.
    std::array<uint32_t, 2> apexes = {kNone, kNone};
};

/// Each edge once, ascending, also of broken triangulations. Edges of the path of collinear points have no triangle.
std::vector<SoupEdge> edges_of(const TriangleSoup& soup) {
    std::vector<SoupEdge> sides;  // of triangles; each with one apex
    sides.reserve(3 * soup.triangles.size() + soup.path.size());
    for (const auto& corners : soup.triangles)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = corners[k], b = corners[(k + 1) % 3], apex = corners[(k + 2) % 3];
            if (a < b)
                sides.push_back({{a, b}, {apex, kNone}});
            else
                sides.push_back({{b, a}, {kNone, apex}});
        }
    for (size_t i = 0; i + 1 < soup.path.size(); ++i)
        sides.push_back({{std::min(soup.path[i], soup.path[i + 1]), std::max(soup.path[i], soup.path[i + 1])}});
    std::sort(sides.begin(), sides.end(), [](const SoupEdge& a, const SoupEdge& b) {
        return a.ends != b.ends ? a.ends < b.ends : a.apexes < b.apexes;
    });
    std::vector<SoupEdge> edges;
    for (const SoupEdge& side : sides) {
        if (edges.empty() || edges.back().ends != side.ends) {
            edges.push_back(side);
            continue;
        }
        for (size_t k = 0; k < 2; ++k)
            if (edges.back().apexes[k] == kNone) edges.back().apexes[k] = side.apexes[k];
    }
    return edges;
}

/// Edges that only the first of the two has, and only the second.
std::array<std::vector<SoupEdge>, 2> differing_edges(const std::vector<SoupEdge>& first,
                                                     const std::vector<SoupEdge>& second) {
    const auto before = [](const SoupEdge& a, const SoupEdge& b) { return a.ends < b.ends; };
    std::array<std::vector<SoupEdge>, 2> only;
    std::set_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(only[0]), before);
    std::set_difference(second.begin(), second.end(), first.begin(), first.end(), std::back_inserter(only[1]), before);
    return only;
}

class PredicateRace final : public Lab, public Inspectable, public Checkable, public Detector {
  public:
    PredicateRace() {
        for (auto& side : sides_) side = make_build_lab();
    }

    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override {
        for (auto& side : sides_) side->set_records_states(records_states);
    }

    bool done() const override { return sides_[0]->done() && sides_[1]->done(); }
    uint32_t next_pass() const override {
        const auto runs = which_run();
        return runs[0] ? sides_[0]->next_pass() : runs[1] ? sides_[1]->next_pass() : kNone;
    }
    StepResult step() override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override {
        Element found = of_side<Inspectable>(probe.part).pick(probe);
        found.part = probe.part;
        return found;
    }
    CheckReport check() const override {
        return check_of_all({{kSides[0], of_side<Checkable>(0).check()}, {kSides[1], of_side<Checkable>(1).check()}});
    }
    bool is_exact() const override { return false; }
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return differences_.size(); }
    Report report_of_detection(size_t index) const override;
    Result result() const override;
    TriangleSoup soup() const override { return sides_[0]->soup(); }

    uint64_t state_hash() const override { return mix64(sides_[0]->state_hash()) ^ sides_[1]->state_hash(); }
    Snapshot save() const override {
        Snapshot all;
        put_values(all, &progress_, 1);
        put_values(all, differences_.data(), differences_.size());
        put_sides(all, {sides_[0]->save(), sides_[1]->save()});
        return all;
    }
    void load(const Snapshot& snapshot) override;

  private:
    template <class Facet>
    const Facet& of_side(uint32_t part) const {
        return facet<Facet>(std::as_const(*sides_[part ? 1 : 0]));
    }
    bool parted() const { return progress_.parted_in > 0; }
    PredicateMode naive_mode() const { return kNaivePredicates[now_]; }
    /// "exact", or the predicate of the right side.
    std::string predicate_of(uint32_t side) const { return name_of(side ? naive_mode() : PredicateMode::kExact); }
    Point at(uint32_t input) const { return input_->points[input]; }

    std::array<bool, 2> which_run() const;
    bool have_other_triangles() const {
        return sides_[0]->result().triangulation_hash != sides_[1]->result().triangulation_hash;
    }
    const std::array<std::vector<SoupEdge>, 2>& now_differing() const;
    void list_differences(bool at_end);
    std::string title(uint32_t side) const;
    void mark_differing(uint32_t side, SceneView& view) const;
    /// The edge of a side's mesh: without its apexes if its incidence is stale, nullopt if it is not finite.
    std::optional<TestedEdge> tested_edge(uint32_t side, uint32_t edge) const;
    Verdicts verdicts(const TestedEdge& edge) const;
    Table table_of(const Verdicts& found) const;
    std::string sentence_of(const Verdicts& found) const;

    std::unique_ptr<Lab> sides_[2];
    int requested_ = 2, now_ = 2;  // index into kNaivePredicates; as of the last reset
    std::shared_ptr<const Geometry> input_;
    Progress progress_;
    bool rests_[2] = {true, true};  // whether each side is before its first pass, between two rounds, or done
    std::vector<Difference> differences_;
    mutable std::optional<std::array<std::vector<SoupEdge>, 2>> differing_;  // of the present state; computed on demand
};

void PredicateRace::parameters(ParameterVisitor& visitor) {
    visitor.choice("against", "Against", "The predicates of the right side; the left side is exact.", requested_,
                   {{"double", "determinants in double precision: wrong where rounding exceeds them"},
                    {"float", "determinants in single precision: often wrong, and flips may cycle"},
                    {"double-circumcentre", "in-circle by circumcentre and radius in double precision"},
                    {"float-circumcentre", "the same in single precision"}});
    ParameterVisitor of_build;
    sides_[0]->parameters(of_build);
    for (ParameterDescription& each : of_build.found()) {
        each.rules.clear();  // they are about parameters that are left out
        // By the conflict rule that depends on the timing of threads two equal runs would part.
        if (each.name == "conflict" && each.options.back().name == "first") each.options.pop_back();
    }
    // Naive predicates start from a triangle, and a torus is always exact.
    visitor.add(std::move(of_build), [](const std::string& name) {
        return !is_one_of(name, {"predicate", "seeding", "domain", "box"});
    });
}

void PredicateRace::reset(Context& context, std::shared_ptr<const Geometry> input) {
    set_parameter(*sides_[0], "predicate", "exact");
    set_parameter(*sides_[0], "seeding", "triangle");
    for (const ParameterDescription& each : list_parameters(*sides_[0]))
        set_parameter(*sides_[1], each.name, each.value);
    set_parameter(*sides_[1], "predicate", name_of(kNaivePredicates[requested_]));
    // If the left side accepts the input, so does the right one: an Error is thrown before anything has changed.
    for (auto& side : sides_) side->reset(context, input);
    now_ = requested_;
    input_ = std::move(input);
    progress_ = {};
    rests_[0] = rests_[1] = true;
    differences_.clear();
    differing_.reset();
}

/// Both run the same pass. A side that finishes the flips of a round first waits before the relocation, so that both
/// stay in the same round until one is done.
std::array<bool, 2> PredicateRace::which_run() const {
    if (sides_[0]->done() || sides_[1]->done()) return {!sides_[0]->done(), !sides_[1]->done()};
    const uint32_t next[2] = {sides_[0]->next_pass(), sides_[1]->next_pass()};
    if (next[0] != next[1])
        for (const uint32_t place : {Insertion::kVote, Insertion::kRelocate})
            for (uint32_t k = 0; k < 2; ++k)
                if (next[k] == place) return {k != 0, k != 1};
    return {true, true};
}

StepResult PredicateRace::step() {
    if (done()) throw std::logic_error("both sides are done: reset the race to start again");
    const auto runs = which_run();
    StepResult both;
    StepMessage messages[2];
    both.ended = Level::kIteration;
    differing_.reset();
    for (uint32_t k = 0; k < 2; ++k) {
        StepResult one;
        if (runs[k]) {
            one = sides_[k]->step();
            both.pass = one.pass;
            both.iteration = std::max(both.iteration, one.iteration);
            both.ended = std::min(both.ended, one.ended);
            progress_.rounds[k] = one.round;
            rests_[k] = one.ended >= Level::kRound;
            messages[k] = one.message;
        }
        one.counters.resize(Insertion::kCounters, kNotCounted);
        both.counters.insert(both.counters.end(), one.counters.begin(), one.counters.end());
    }
    ++progress_.passes;
    both.round = std::max(progress_.rounds[0], progress_.rounds[1]);
    both.next = next_pass();
    if (rests_[0] && rests_[1]) both.ended = Level::kRound;
    if (done()) both.ended = Level::kEnd;

    if (messages[0].text() == messages[1].text()) {
        both.message = std::move(messages[0]);
    } else {
        for (uint32_t k = 0; k < 2; ++k)
            for (const StepMessage::Sentence& each : messages[k].sentences)
                both.message.add(std::string(kSides[k]) + "/" + each.kind, (k ? "Right: " : "Left: ") + each.text);
    }
    const bool changes =
        both.pass == Insertion::kSeed || both.pass == Insertion::kSplit || both.pass == Insertion::kFlip;
    if (!parted() && changes && have_other_triangles()) {
        progress_.parted_in = progress_.passes;
        progress_.parted_pass = both.pass;
        progress_.parted_round = both.round;
        list_differences(false);
        both.breakpoint_hit = true;
        const auto& only = now_differing();
        const size_t count = only[0].size() + only[1].size();
        const auto ties = std::count_if(differences_.begin(), differences_.end(), [&](const Difference& each) {
            return each.edge.has_triangle() && verdicts(each.edge).is_tie();
        });
        both.message.add(
            "parted",
            "They part in pass " + std::to_string(progress_.parted_in) + " (" + info().passes[both.pass].name +
                "): " + count_text(count, "edge differs, ", "edges differ, ") + std::to_string(only[0].size()) +
                " only exact and " + std::to_string(only[1].size()) + " only " + predicate_of(1) +
                (ties > 0 ? "; " + count_text(static_cast<uint64_t>(ties), "of them is a tie", "of them are ties")
                          : std::string()) +
                ".");
    }
    if (done()) {
        progress_.end_round = both.round;
        if (parted() && progress_.parted_in < progress_.passes) list_differences(true);
        if (!parted()) both.message.add("together", "They never part: the same triangles after every pass.");
    }
    return both;
}

void PredicateRace::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() < 3) throw std::logic_error("not a snapshot of the " + info().title);
    const auto progress = load_value<Progress>(snapshot, 0);
    std::vector<Difference> differences = load_vector<Difference>(snapshot, 1);
    const std::vector<Snapshot> both = read_sides(snapshot, 2, 2, info().title);
    for (uint32_t k = 0; k < 2; ++k) sides_[k]->load(both[k]);
    progress_ = progress;
    differences_ = std::move(differences);
    rests_[0] = rests_[1] = true;
    differing_.reset();
}

const std::array<std::vector<SoupEdge>, 2>& PredicateRace::now_differing() const {
    if (!differing_) {
        if (parted())
            differing_ = differing_edges(edges_of(sides_[0]->soup()), edges_of(sides_[1]->soup()));
        else
            differing_.emplace();
    }
    return *differing_;
}

/// Keeps the order of points in which the side tests them, if its mesh has the edge up to date.
void PredicateRace::list_differences(bool at_end) {
    const auto& only = now_differing();
    for (uint32_t k = 0; k < 2; ++k) {
        const size_t first = differences_.size();
        for (const SoupEdge& edge : only[k])
            differences_.push_back({{edge.ends[0], edge.ends[1], edge.apexes[0], edge.apexes[1]}, k, at_end});
        const Scene scene = sides_[k]->scene();
        if (only[k].empty() || !scene.mesh || scene.mesh->triangle_count == 0) continue;
        const TriangleMesh& mesh = *scene.mesh;
        const std::vector<uint32_t> halves = mesh.corner_of.download(), corners = mesh.triangles.download(),
                                    names = mesh.edges.download(), inputs = mesh.inputs.download();
        const auto name = [&](uint32_t v) { return v < mesh.infinite() && v < inputs.size() ? inputs[v] : kNone; };
        const auto vertex_at = [&](uint32_t corner) { return corner < corners.size() ? corners[corner] : kNone; };
        for (uint32_t e = 0; e < mesh.edge_count; ++e) {
            const uint32_t corner = halves[2 * e], from = names[2 * e], to = names[2 * e + 1];
            if (vertex_at(corner) != from || vertex_at(next_corner(corner)) != to) continue;
            const TestedEdge tested{name(from), name(to), name(vertex_at(previous_corner(corner))),
                                    name(vertex_at(previous_corner(halves[2 * e + 1])))};
            const std::array<uint32_t, 2> ends{std::min(tested.from, tested.to), std::max(tested.from, tested.to)};
            const auto found = std::lower_bound(only[k].begin(), only[k].end(), ends,
                                                [](const SoupEdge& edge, const auto& key) { return edge.ends < key; });
            if (found == only[k].end() || found->ends != ends) continue;
            if (std::minmax(tested.left, tested.right) == std::minmax(found->apexes[0], found->apexes[1]))
                differences_[first + static_cast<size_t>(found - only[k].begin())].edge = tested;
        }
    }
}

std::vector<Detection> PredicateRace::detections(size_t first) const {
    std::vector<Detection> list;
    for (size_t i = first; i < differences_.size(); ++i) {
        const Difference& each = differences_[i];
        const uint32_t a = std::min(each.edge.from, each.edge.to), b = std::max(each.edge.from, each.edge.to);
        Detection one;
        one.kind = "only " + predicate_of(each.side) + (each.at_end ? ", at the end" : "");
        one.place = {at(a).x / 2 + at(b).x / 2, at(a).y / 2 + at(b).y / 2};
        one.vertices = {a, b};
        one.round = each.at_end ? progress_.end_round : progress_.parted_round;
        one.measures.assign(info().detection_measures.size(), std::numeric_limits<double>::quiet_NaN());
        if (each.edge.has_triangle()) {
            const Verdicts found = verdicts(each.edge);
            if (found.is_tie()) one.kind += " (tie)";
            one.measures = {found.exact, found.rounded, double(found.decided), double(found.naive)};
        }
        list.push_back(std::move(one));
    }
    return list;
}

Verdicts PredicateRace::verdicts(const TestedEdge& edge) const {
    Verdicts found;
    found.in_circle = edge.has_quad();
    const bool right_alone = edge.left == kNone;
    const uint32_t a = right_alone ? edge.to : edge.from, b = right_alone ? edge.from : edge.to,
                   c = right_alone ? edge.right : edge.left, d = edge.right;
    const auto name = [](uint32_t v) { return std::to_string(v); };
    found.distinct = found.in_circle && c != d && c != a && c != b && d != a && d != b;
    DeterminantValues values;
    if (found.in_circle) {
        values = incircle_values(at(a), at(b), at(c), at(d));
        found.decided = incircle_tied(at(a), at(b), at(c), at(d), a, b, c, d);
        found.naive = in_circle(naive_mode(), at(a), at(b), at(c), at(d), a, b, c, d);
        found.points = "points " + name(a) + ", " + name(b) + ", " + name(c) + " and " + name(d);
    } else {
        values = orient2d_values(at(a), at(b), at(c));
        found.decided = values.exact.sign;
        found.naive = orient(naive_mode(), at(a), at(b), at(c));
        found.points = "points " + name(a) + ", " + name(b) + " and " + name(c);
    }
    found.exact = values.exact.rounded;
    found.exact_sign = values.exact.sign;
    found.rounded = in_single_precision(naive_mode()) ? double(values.single) : values.rounded;
    return found;
}

std::string PredicateRace::sentence_of(const Verdicts& found) const {
    return std::string(found.in_circle ? "The in-circle determinant" : "The orientation determinant") + " of " +
           found.points + (found.in_circle ? "; above 0: the edge must flip." : "; above 0: counter-clockwise.");
}

Table PredicateRace::table_of(const Verdicts& found) const {
    const auto meaning = [&](int sign) {
        if (found.in_circle) return sign > 0 ? "must flip" : "stays";
        return sign > 0 ? "counter-clockwise" : sign < 0 ? "clockwise" : "on one line";
    };
    std::string why = found.is_tie() ? "exactly 0: decided by the perturbation" : "";
    std::string naive_why =
        found.in_circle && uses_circumcentre(naive_mode()) ? "decided by circumcentre and radius" : "";
    if (found.naive != found.decided && meaning(found.naive) != std::string(meaning(found.decided)))
        naive_why += naive_why.empty() ? "not the true answer" : ": not the true answer";
    return Table::of(
        {{"predicates", "of the left side, and of the right one"},
         {"determinant", "in their precision; of the exact one, rounded once"},
         {"sign", "that decides"},
         {found.in_circle ? "edge" : "triangle", "what follows from it"}},
        {{{Value("exact"), Value::exactly(found.exact), sign_name(found.decided), meaning(found.decided)},
          std::move(why)},
         {{Value(predicate_of(1)), Value::exactly(found.rounded), sign_name(found.naive), meaning(found.naive)},
          std::move(naive_why)}});
}

std::optional<TestedEdge> PredicateRace::tested_edge(uint32_t side, uint32_t edge) const {
    const Scene scene = sides_[side]->scene();
    if (!scene.mesh || edge >= scene.mesh->edge_count) return std::nullopt;
    const TriangleMesh& mesh = *scene.mesh;
    const auto name = [&](uint32_t v) {
        const uint32_t input = v < mesh.infinite() ? mesh.inputs.read(v) : kNone;
        return input < input_->points.size() ? input : kNone;  // a corner of a supertriangle has no index
    };
    const auto vertex_at = [&](uint32_t corner) {
        return corner / 3 < mesh.triangle_count ? mesh.triangles.read(corner) : kNone;
    };
    const uint32_t from = mesh.edges.read(2 * edge), to = mesh.edges.read(2 * edge + 1);
    TestedEdge tested{name(from), name(to), kNone, kNone};
    if (tested.from == kNone || tested.to == kNone) return std::nullopt;
    const uint32_t corner = mesh.corner_of.read(2 * edge), other = mesh.corner_of.read(2 * edge + 1);
    const auto joins = [&](uint32_t at, uint32_t a, uint32_t b) {
        return vertex_at(at) == a && vertex_at(next_corner(at)) == b;
    };
    if (!joins(corner, from, to) || !joins(other, to, from))
        return tested;  // stale: the corner belongs to a flipped triangle
    tested.left = name(vertex_at(previous_corner(corner)));
    tested.right = name(vertex_at(previous_corner(other)));
    return tested;
}

Report PredicateRace::inspect(Element element) const {
    const uint32_t side = element.part ? 1 : 0;
    Report report = inspect_side(of_side<Inspectable>(side), element);
    if (report.empty() || element.kind != ElementKind::kEdge) return report;
    std::optional<TestedEdge> edge = tested_edge(side, element.id);
    if (!edge) return report;
    const std::vector<SoupEdge>& only = now_differing()[side];
    const std::array<uint32_t, 2> ends{std::min(edge->from, edge->to), std::max(edge->from, edge->to)};
    const auto found =
        std::find_if(only.begin(), only.end(), [&](const SoupEdge& other) { return other.ends == ends; });
    const bool differs = found != only.end();
    if (differs && !edge->has_triangle()) edge = TestedEdge{ends[0], ends[1], found->apexes[0], found->apexes[1]};
    for (Section& section : report.sections)
        if (auto* properties = std::get_if<Properties>(&section.content)) {
            properties->add("Difference", differs ? "only " + predicate_of(side) : std::string("none"),
                            differs ? "the other side does not join these points" : "both sides have this edge");
            break;
        }
    if (edge->has_triangle()) {
        const Verdicts decided = verdicts(*edge);
        report.add("exact against " + predicate_of(1), sentence_of(decided), table_of(decided));
    }
    return report;
}

Report PredicateRace::report_of_detection(size_t index) const {
    Report report;
    if (index >= differences_.size()) return report;
    const Difference& each = differences_[index];
    const TestedEdge& edge = each.edge;
    std::vector<uint32_t> points{edge.from, edge.to};
    for (const uint32_t apex : {edge.left, edge.right})
        if (apex != kNone) points.push_back(apex);
    Diagram diagram;
    diagram.title = "An edge only with " + predicate_of(each.side) + " predicates";
    Bounds bounds{at(points[0]), at(points[0])};
    for (const uint32_t v : points) bounds = bounds.with(at(v));
    const auto [low, high] = bounds;
    const double extent = std::max(high.x - low.x, high.y - low.y);
    const Point middle{low.x / 2 + high.x / 2, low.y / 2 + high.y / 2};
    diagram.show_around(middle, 0.65 * extent);
    if (edge.has_quad())
        if (const auto circle = circumcircle(at(edge.from), at(edge.to), at(edge.left))) {
            constexpr int kChords = 256;
            const auto on_circle = [&](int i) {
                const double angle = i * (2 * 3.14159265358979323846 / kChords);
                return Point{circle->centre.x + circle->radius * std::cos(angle),
                             circle->centre.y + circle->radius * std::sin(angle)};
            };
            for (int i = 0; i < kChords; ++i)
                if (diagram.shows(on_circle(i)) && diagram.shows(on_circle(i + 1)))
                    diagram.add_line(on_circle(i), on_circle(i + 1), Role::kExact);
        }
    for (size_t k = 2; k < points.size(); ++k) {
        diagram.add_line(at(edge.from), at(points[k]), Role::kPlain);
        diagram.add_line(at(edge.to), at(points[k]), Role::kPlain);
    }
    diagram.add_line(at(edge.from), at(edge.to), each.side ? Role::kSpurious : Role::kMissed);
    for (const uint32_t v : points) diagram.add_point(at(v), Role::kPlain, std::to_string(v));
    if (edge.has_triangle()) {
        const Verdicts found = verdicts(edge);
        diagram.sentence = sentence_of(found) + " Exactly " + format_short(found.exact) + ", sign " +
                           sign_name(found.decided) + (found.is_tie() ? ", perturbed" : "") + "; in " +
                           predicate_of(1) + " " + format_short(found.rounded) + ", sign " + sign_name(found.naive) +
                           ".";
        report.add({std::move(diagram)});
        report.add("exact against " + predicate_of(1), sentence_of(found), table_of(found));
    } else {
        report.add({std::move(diagram)});
    }
    return report;
}

std::string PredicateRace::title(uint32_t side) const {
    const std::string name = side ? "Predicates: " + predicate_of(1) : "Predicates: exact";
    if (sides_[side]->done()) return progress_.passes > 0 ? name + ": done" : name;
    return which_run()[side] ? name : name + ": waiting for the other side";
}

void PredicateRace::mark_differing(uint32_t side, SceneView& view) const {
    const std::vector<SoupEdge>& only = now_differing()[side];
    if (only.empty() || !view.mesh || view.layers.empty()) return;
    const TriangleMesh& mesh = *view.mesh;
    const std::vector<uint32_t> inputs = mesh.inputs.download();
    std::vector<uint32_t> vertex_of(input_->points.size(), kNone);
    for (uint32_t v = 0; v < mesh.infinite() && v < inputs.size(); ++v)
        if (inputs[v] < vertex_of.size()) vertex_of[inputs[v]] = v;
    std::vector<uint32_t> ends;
    for (const SoupEdge& edge : only)
        for (const uint32_t end : edge.ends) ends.push_back(vertex_of[end]);
    const std::string sentence = side ? "The exact side does not have this edge."
                                      : "The side with " + predicate_of(1) + " predicates does not have this edge.";
    const Role role = side ? Role::kSpurious : Role::kMissed;
    view.add_few_lines("differing", "Differing edges", "Edges that the other side does not have", std::move(ends), role)
        ->legend = {{LegendEntry::Element::kEdge, kStateMissing, role, "only " + predicate_of(side), sentence}};
}

Scene PredicateRace::scene() const {
    std::vector<Scene> scenes;
    for (uint32_t k = 0; k < 2; ++k) {
        scenes.push_back(sides_[k]->scene());
        scenes.back().title = title(k);
        mark_differing(k, scenes.back());
    }
    return side_by_side(std::move(scenes));
}

/// Counts of the exact side, and where and how far the sides part.
Result PredicateRace::result() const {
    Result result = sides_[0]->result();
    const std::string naive = predicate_of(1);
    Properties numbers;
    if (parted()) {
        const auto parted_with =
            std::count_if(differences_.begin(), differences_.end(), [](const Difference& one) { return !one.at_end; });
        const auto& only = now_differing();
        numbers.add_number("parted in pass", info().passes[progress_.parted_pass].name, progress_.parted_in);
        numbers.add_number("edges that differed then", "", parted_with);
        numbers.add_number("edges only exact", "in this state", only[0].size());
        numbers.add_number("edges only " + naive, "in this state", only[1].size());
        if (done())
            result.headline = "parted in pass " + std::to_string(progress_.parted_in) + " (" +
                              info().passes[progress_.parted_pass].name + "); in the end " +
                              (only[0].empty() && only[1].empty()
                                   ? "the same triangles"
                                   : count_text(only[0].size(), "edge is", "edges are") + " only exact, " +
                                         std::to_string(only[1].size()) + " only " + naive);
    } else if (done()) {
        result.headline = "exact and " + naive + " never part: the same triangles after every pass";
    }
    numbers.append(std::move(result.numbers));
    result.numbers = std::move(numbers);
    return result;
}

const LabInfo& PredicateRace::info() const {
    static const LabInfo info = [] {
        LabInfo made = make_build_lab()->info();
        made.id = "race-predicates";
        made.title = "Predicate race";
        made.sentence =
            "The Build lab twice on the same points, with exact predicates and with naive ones, side by side on one "
            "timeline: the first pass where they part, the edges that differ, both determinants there.";
        made.paper =
            "As of the Build lab; the comparison is ours. Both sides start from one triangle, as naive predicates "
            "must.";
        made.edits.clear();
        made.passes.resize(Insertion::kRelocate + 1);  // without those of a torus and manual edits
        for (PassInfo& pass : made.passes) pass.sentence = pass.sentence.substr(0, pass.sentence.find(" On a torus"));
        made.passes[Insertion::kSeed].sentence =
            "Three of the points make the first triangle. One vertex at infinity closes the plane around it.";
        made.counters = counters_of_sides(made.counters, {kSides[0], kSides[1]});
        made.example = "uniform:400@x=10000,y=10000";  // they part, and meet again
        made.detects = "difference";
        made.detects_changes = false;
        made.detects_note = "They are listed when the two part, and again at the end.";
        made.detection_measures = {
            {"exact determinant",
             "The in-circle determinant of the edge and the two points opposite to it, exactly, rounded once; of an "
             "edge of the hull the orientation of its triangle.",
             ""},
            {"rounded determinant", "The same in the precision of the right side.", ""},
            {"exact sign",
             "The sign that decides on the left: of the determinant, or where it is 0 of the perturbed one.", ""},
            {"rounded sign", "The sign that decides on the right.", ""}};
        made.breakpoint = "the two sides part";
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_race_predicates_lab() { return std::make_unique<PredicateRace>(); }

}  // namespace flipscope
