// Edge flips, pass by pass. One iteration is
//
//   claim → flip → repair
//
// over a worklist, at first all edges; the paper calls the first two exclusion & processing. It ends when no edge is
// illegal. Each pass below launches kernels of flip.h through the FlipMachine, reads a few counts, and chooses the next
// pass. step() runs one pass; finish() runs them all, without state words and with fewer read-backs, and must end in
// the same state.
#include "delaunay/constructions/flipping.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/constructions/hand_kernels.h"
#include "geometry/bounds.h"
#include "mesh/collect_failures.h"
#include "mesh/validate.h"

namespace flipscope {

namespace {

struct ForgetMarks {
    View<State> edge_states, triangle_states;
    uint32_t edge_count, triangle_count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i < edge_count) edge_states[i] = State(edge_states[i] & kStateSeam);
        if (i < triangle_count) triangle_states[i] = 0;
    }
};

/// Sums in the order of the members of SurfaceFacts.
struct SurveyEdge {
    MeshView mesh;
    SurfaceRule rule;
    double crease_cosine;  // of the dihedral angle from which an edge counts as a crease
    FLIPSCOPE_HD void operator()(uint32_t edge, BlockSums& sums) const {
        const Quad q = quad_at(mesh, edge);
        if (touches_infinity(mesh, q)) return;
        const Point3 from = mesh.place(q.from), to = mesh.place(q.to);
        const bool crease = !meets_flatly(normal_of(from, to, mesh.place(q.left)),
                                          normal_of(to, from, mesh.place(q.right)), crease_cosine);
        sums.value[0] += crease;
        if (!rule.is_illegal_by_angle(mesh, q)) return;
        const Verdict verdict = rule.judge(mesh, edge, q);
        sums.value[1] += must_flip(verdict);
        sums.value[2] += verdict == Verdict::kBlocked;
        sums.value[3] += crease;
    }
};

/// Edges of a surface that are past the dihedral limit, or that the rule would flip.
struct SurfaceFault : FailureTest {
    SurveyEdge survey;
    bool creases;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        BlockSums sums;
        survey(edge, sums);
        return sums.value[creases ? 0 : 1] > 0;
    }
};

}  // namespace

template <class Visit>
auto Flipping::with_rule(const Visit& visit) const {
    if (in_space()) return visit(surface_rule());
    switch (options_.criterion) {
        case Criterion::kInCircle:
            break;
        case Criterion::kAngles:
            return visit(AngleRule<double>{slack()});
        case Criterion::kAnglesFloat:
            return visit(AngleRule<float>{slack()});
    }
    return visit(InCircleRule{PredicateMode::kExact, FlipScope::kAll, !connection_.convex_outline});
}

Slack Flipping::slack() const { return {std::cos(options_.epsilon), std::sin(options_.epsilon)}; }

SurfaceRule Flipping::surface_rule() const {
    return make_surface_rule(options_.epsilon, options_.dihedral,
                             pinched_.empty() ? View<const uint8_t>{} : pinched_.view());
}

void Flipping::reset(Context& context, std::shared_ptr<const Geometry> input, const FlippingOptions& options) {
    // All validation comes before any change of the present state.
    const std::shared_ptr<const Geometry> geometry = triangulated(context, input, options);
    context.set_block_size(options.block_size / 32 * 32);
    begin(context, geometry);
    options_ = options;
    state_ = {};
    low_z_ = high_z_ = 0;
    angles_before_ = {};
    connection_ = {};
    equal_to_.clear();
    mesh_.heights.resize(context, 0);
    pinched_.resize(context, 0);
    flips_.reset(context, 0, options_.conflict);

    std::vector<uint32_t> inputs;
    const Geometry ordered = laid_out(inputs);
    if (ordered.triangles.empty()) {
        if (distinct_) join_line();
        return;
    }
    connection_ = connect(context, ordered, mesh_, pinched_, will_record_states_);
    distinct_ = mesh_.infinite();
    // connect() has named its vertices after `ordered`; ties and hashes use the input's indices.
    std::vector<uint32_t> names = mesh_.inputs.download();
    for (uint32_t v = 0; v < distinct_; ++v) names[v] = inputs[names[v]];
    mesh_.inputs.upload(context, names.data(), names.size());

    flips_.reset(context, mesh_.triangle_count, options_.conflict, in_space() ? mesh_.edge_count : 0);
    flips_.queue_all(mesh_.edge_count);
    state_.next = kClaim;
    angles_before_ = count_angles(context, mesh_);
    if (in_space()) {
        facts_before_ = survey_surface(0);
        check_before_ = check_surface(context, mesh_);
    }
}

/// The input with valid triangles; without triangles, they are made by the parameter `start`.
std::shared_ptr<const Geometry> Flipping::triangulated(Context& context, const std::shared_ptr<const Geometry>& input,
                                                       const FlippingOptions& options) {
    if (input->in_space()) {
        if (input->triangles.empty())
            throw Error(input->name + ": these are points in space without triangles; a surface needs triangles");
        require_surface(*input);
        return input;
    }
    if (!input->triangles.empty()) {
        require_triangulation(*input);
        if (!all_clockwise(*input)) return input;
        auto turned = std::make_shared<Geometry>(*input);
        turn_all(*turned);
        return turned;
    }
    auto made = std::make_shared<Geometry>(make_triangulation(context, *input, options.start, options.maker));
    made->level = input->level;
    made->names = input->names;
    return made;
}

/// The triangulation with vertices and triangles in an order in which neighbours are near in memory. In the plane:
/// along a Hilbert curve, equal points merged; a surface keeps its order. `inputs`: the input index of each vertex.
/// Sets the bounds.
Geometry Flipping::laid_out(std::vector<uint32_t>& inputs) {
    const Geometry& given = *input_;
    if (given.in_space()) {
        inputs.resize(given.points.size());
        std::iota(inputs.begin(), inputs.end(), 0u);
        const Bounds bounds = bounds_of(given.points);
        bounds_ = {bounds.low, bounds.high};
        const auto [low, high] = std::minmax_element(given.heights.begin(), given.heights.end());
        low_z_ = *low;
        high_z_ = *high;
        distinct_ = static_cast<uint32_t>(given.points.size());
        return given;
    }
    Buffer<uint32_t> first_equal("first equal points");
    set_first_equal(&first_equal);
    order_input(0);
    set_first_equal(nullptr);
    equal_to_ = first_equal.download();
    inputs = mesh_.inputs.download();
    inputs.resize(distinct_);
    Geometry ordered{given.name, mesh_.positions.download()};
    ordered.points.resize(distinct_);

    std::vector<uint32_t> rank(given.points.size(), kNone);
    for (uint32_t v = 0; v < distinct_; ++v) rank[inputs[v]] = v;
    for (const auto& triangle : given.triangles) {
        std::array<uint32_t, 3> corners{};
        for (uint32_t k = 0; k < 3; ++k) corners[k] = rank[equal_to_.empty() ? triangle[k] : equal_to_[triangle[k]]];
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        ordered.triangles.push_back(corners);
    }
    sort_or_cancel(ordered.triangles.begin(), ordered.triangles.end());
    return ordered;
}

PassResult Flipping::step() {
    if (done()) throw std::logic_error("the flips are finished: reset them to start over");
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(state_.next, kCounters);
    if (state_.next == kClaim)
        claim(result);
    else if (state_.next == kFlip)
        flip(result);
    else
        repair(result);
    result.iteration = state_.iteration;
    result.close(state_.next, state_.iteration);
    return result;
}

/// Exclusion: which edges are illegal, and which are granted their two triangles.
void Flipping::claim(PassResult& result) {
    ++state_.iteration;
    if (state_.iteration == state_.check_cycles_from + 1) flips_.start_cycle_check();
    forget_marks();
    // The paper's rule can grant every triangle to an edge that lost its other claim; then the lowest edge is granted.
    flips_.set_conflict(state_.stuck ? ConflictRule::kLowestId : options_.conflict);
    const FlipCounts counts = with_rule([&](const auto& rule) { return flips_.claim(mesh_view(), rule, marking()); });
    result.counters[kQueued] = static_cast<int64_t>(counts.queued);
    result.counters[kIllegal] = static_cast<int64_t>(counts.illegal);
    result.counters[kBlocked] = static_cast<int64_t>(counts.blocked);
    state_.next = kFlip;
    if (counts.illegal == 0) {
        // The worklist becomes empty, as after finish(); blocked edges stay listed.
        if (!counts.blocked) flips_.run_state.queued = flips_.run_state.all = 0;
        end(result);
    } else if (checks_cycles() && !state_.stuck && flips_.repeats_itself()) {
        state_.cycling = 1;
        if (marking()) flips_.mark_cycle(mesh_view());
        end(result);
    }
}

/// Processing: the granted edges flip.
void Flipping::flip(PassResult& result) {
    const FlipCounts counts = flips_.flip(mesh_view(), checks_cycles());
    if (marking()) flips_.mark("watch.stale", MarkStale{flips_.pass(mesh_view())});
    state_.stuck = counts.granted == 0;
    result.counters[kGranted] = static_cast<int64_t>(counts.granted);
    result.counters[kDeferred] = static_cast<int64_t>(counts.deferred);
    state_.next = kRepair;
}

void Flipping::repair(PassResult& result) {
    flips_.repair(mesh_view(), mesh_.edge_count);
    result.counters[kRemaining] = flips_.run_state.queued;
    result.ended = Level::kRound;
    state_.next = flips_.run_state.queued ? uint32_t(kClaim) : kNone;
}

void Flipping::finish(const AfterRound& after_round) {
    const auto tell = [&](const PassResult& result) {
        if (after_round) after_round(result);
    };
    if (done()) return;
    {
        const MarksMeanwhile marks(*this);
        PassResult whole = PassResult::of(kRepair, kCounters);
        while (!done() && state_.next != kClaim) step();
        if (!done()) {
            flips_.set_conflict(options_.conflict);
            const uint32_t most =
                exact() ? kNone : state_.check_cycles_from - std::min(state_.check_cycles_from, state_.iteration);
            FlipCounts last;
            with_rule([&](const auto& rule) {
                flips_.run(mesh_view(), mesh_.edge_count, rule, most, [&](const FlipCounts& counts) {
                    last = counts;
                    if (counts.illegal == 0)
                        return false;  // if edges are blocked, the claim is run once more, to be seen
                    state_.stuck = counts.granted == 0;
                    ++state_.iteration;
                    whole.counters = {int64_t(counts.queued),  int64_t(counts.illegal),  int64_t(counts.blocked),
                                      int64_t(counts.granted), int64_t(counts.deferred), kNotCounted};
                    whole.round = whole.iteration = state_.iteration;
                    whole.ended = Level::kRound;
                    tell(whole);
                    return counts.granted > 0;
                });
            });
            state_.next = flips_.run_state.queued ? uint32_t(kClaim) : kNone;
            if (done() && last.illegal == 0) {
                whole.counters = {int64_t(last.queued), 0, 0, kNotCounted, kNotCounted, kNotCounted};
                whole.round = whole.iteration = ++state_.iteration;
                whole.ended = Level::kEnd;
                tell(whole);
            }
        }
        while (!done()) {
            const PassResult result = step();
            if (result.ended >= Level::kRound) tell(result);
        }
    }
    forget_marks();
    if (mesh_.records_states() && flips_.run_state.queued) {  // the marks that stepping leaves
        if (state_.cycling)
            flips_.mark_cycle(mesh_view());
        else
            flips_.mark("watch.blocked", MarkBlocked{flips_.pass(mesh_view())});
    }
}

void Flipping::end(PassResult& result) {
    state_.next = kNone;
    result.ended = Level::kEnd;
}

void Flipping::forget_marks() {
    if (marking())
        launch(*context_, "watch.flips", std::max(mesh_.edge_count, mesh_.triangle_count),
               ForgetMarks{mesh_.edge_states.view(), mesh_.triangle_states.view(), mesh_.edge_count,
                           mesh_.triangle_count});
}

PassResult Flipping::begin_edit() const {
    if (mesh_.triangle_count == 0) throw Error("There is no triangle here, so there is nothing to edit.");
    PassResult result = PassResult::of(kEdit, kCounters);
    result.ended = Level::kRound;
    return result;
}

void Flipping::end_edit(PassResult& result) {
    state_.cycling = state_.stuck = 0;
    state_.check_cycles_from = state_.iteration + kUncheckedIterations;
    result.next = state_.next;
    result.round = result.iteration = state_.iteration;
    result.counters[kRemaining] = done() ? 0 : flips_.run_state.queued;
}

PassResult Flipping::move_vertex(uint32_t vertex, Point3 place) {
    PassResult result = begin_edit();
    if (!done() && state_.next != kClaim) throw std::logic_error("vertices are moved between iterations only");
    if (vertex >= distinct_) throw Error("There is no vertex " + std::to_string(vertex) + " to move.");
    for (const double v : {place.x, place.y, in_space() ? place.z : 0})
        if (!coordinate_in_range(v)) throw Error("A vertex cannot go there: the coordinates are out of range.");
    const bool was_done = done();
    if (in_space()) {
        mesh_.positions.write(vertex, {place.x, place.y});
        mesh_.heights.write(vertex, place.z);
        low_z_ = std::min(low_z_, place.z);
        high_z_ = std::max(high_z_, place.z);
    } else {
        move_in_plane(vertex, {place.x, place.y});
    }
    bounds_ = bounds_.with(Point{place.x, place.y});
    state_.moved = 1;
    if (!flips_.run_state.all) queue_around({vertex, kNone, kNone, kNone});
    if (was_done) restore(result);
    end_edit(result);
    return result;
}

void Flipping::move_in_plane(uint32_t vertex, Point place) {
    const MeshView mesh = mesh_view();
    const uint32_t taken =
        reduce(*context_, "edit.taken", distinct_, FindVertexAt{mesh, vertex, place}, uint32_t(kNone));
    if (taken != kNone)
        throw Error("Point " + std::to_string(mesh_.inputs.read(taken)) +
                    " is there already; two cannot share a place.");
    launch(*context_, "edit.try", mesh_.triangle_count, TryMove{mesh, vertex, place}, flips_.cleared_block_sums());
    const BlockSums sums = flips_.read_sums(0);
    const auto [finite, inverted, ghosts, spread] = sums.value;
    // All of a hull vertex's triangles may stay upright while the hull crosses itself, so it is always removed.
    const bool line_without = ghosts > 0 && spread == 0;
    if (inverted == 0 && finite > 0 && (ghosts == 0 || line_without)) {
        mesh_.positions.write(vertex, place);
        return;
    }
    if (!connection_.convex_outline)
        throw Error(ghosts ? "A vertex of the outline stays where it is, because this outline is not the convex hull."
                           : "The vertex would leave the triangles around it, which this triangulation does not allow, "
                             "because its outline is not the convex hull.");
    if (line_without)
        turn_over(vertex, place);
    else
        take_out_and_put_in(vertex, place);
}

/// If all other vertices are on one line, and the place on its other side.
void Flipping::turn_over(uint32_t vertex, Point place) {
    const uint32_t a = vertex == 0, b = vertex <= 1 ? 2 : 1;  // any two others
    if (orient2d(place, mesh_.positions.read(a), mesh_.positions.read(b)) == 0)
        throw Error("All vertices would then lie on one line, and no triangle would be left; move it elsewhere.");
    launch(*context_, "edit.turn over", std::max(mesh_.triangle_count, mesh_.edge_count),
           ExchangeWithInfinity{mesh_view(), vertex, mesh_.triangle_count, mesh_.edge_count});
    mesh_.positions.write(vertex, place);
    flips_.queue_all(mesh_.edge_count);
}

/// For a mesh closed by the convex hull, with two dimensions left without the vertex.
void Flipping::take_out_and_put_in(uint32_t vertex, Point place) {
    const MeshView mesh = mesh_view();
    Buffer<FreedBySplit> freed("freed by a split");
    freed.resize(*context_, 1);
    const uint32_t triangles = mesh_.triangle_count;
    const uint32_t spoke = reduce(*context_, "edit.spoke", triangles, FindSpoke{mesh, vertex}, uint32_t(kNone));
    launch(*context_, "edit.out", 1, TakeOut{mesh, spoke, freed.view()});
    const uint32_t holder = reduce(*context_, "edit.locate", triangles, FindHolder{mesh, place}, uint32_t(kNone));
    mesh_.positions.write(vertex, place);
    launch(*context_, "edit.in", 1, PutIn{mesh, holder & 0x7FFFFFFFu, vertex, freed.view()});
    flips_.queue_all(mesh_.edge_count);  // edges flipped anywhere in the old star
    if (done()) return;                  // restore() follows
    flips_.set_conflict(repeatable_conflict());
    flips_.run(mesh, mesh_.edge_count, MakeValid{}, kNone, [](const FlipCounts& counts) { return counts.illegal > 0; });
    flips_.queue_all(mesh_.edge_count);
}

/// Makes it Delaunay again at once. Edges at infinity take part, so that the hull follows. On a surface it could take
/// too long, or cycle: the iterations then finish it.
void Flipping::restore(PassResult& result) {
    uint64_t flips = 0;
    bool legal = false;
    const auto tell = [&](const FlipCounts& counts) {
        flips += counts.granted;
        legal = counts.illegal == 0;
        return !legal;
    };
    flips_.set_conflict(repeatable_conflict());
    const MeshView mesh = mesh_view();
    if (in_space()) {
        flips_.run(mesh, mesh_.edge_count, surface_rule(), kUncheckedIterations, tell);
    } else {
        const InCircleRule rule{PredicateMode::kExact, FlipScope::kAll, !connection_.convex_outline};
        flips_.run(mesh, mesh_.edge_count, rule, kNone, tell);
    }
    forget_marks();
    result.counters[kGranted] = static_cast<int64_t>(flips);
    legal = legal || flips_.run_state.queued == 0;
    state_.next = legal ? kNone : uint32_t(kClaim);
    if (legal) result.ended = Level::kEnd;
}

/// The paper's rule can end in a pass without a granted edge.
ConflictRule Flipping::repeatable_conflict() const {
    const auto rule = options_.conflict;
    return rule == ConflictRule::kFirstTaken ? ConflictRule::kLowestId : rule;
}

/// Makes the worklist: every edge with one of these vertices at its four corners.
void Flipping::queue_around(const uint32_t (&vertices)[4]) {
    // The present list, of blocked edges at the end, is not searched.
    if (flips_.run_state.queued) return flips_.queue_all(mesh_.edge_count);
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, mesh_.edge_count, false);
    const QueueAround around{mesh_view(), {vertices[0], vertices[1], vertices[2], vertices[3]}, list.view()};
    compact(*context_, "edit.queue", mesh_.edge_count, around, flips_.totals());
    flips_.take_spare_list(flips_.read_total());
}

PassResult Flipping::flip_edge(uint32_t edge) {
    PassResult result = begin_edit();
    if (state_.next == kRepair) throw std::logic_error("edges are flipped manually between passes that agree only");
    if (edge >= mesh_.edge_count) throw Error("There is no edge " + std::to_string(edge) + " to flip.");
    const uint32_t corner = mesh_.corner_of.read(2 * size_t(edge)), twin = mesh_.corner_of.read(2 * size_t(edge) + 1);
    const Quad q{mesh_.triangles.read(corner), mesh_.triangles.read(twin),
                 mesh_.triangles.read(previous_corner(corner)), mesh_.triangles.read(previous_corner(twin))};
    if (std::max({q.from, q.to, q.left, q.right}) >= distinct_)
        throw Error("This edge is on the outline: it has one triangle and nothing to flip to.");
    Point3 at[4];
    const uint32_t ids[4] = {q.from, q.to, q.left, q.right};
    for (uint32_t k = 0; k < 4; ++k) {
        const Point p = mesh_.positions.read(ids[k]);
        at[k] = {p.x, p.y, in_space() ? mesh_.heights.read(ids[k]) : 0};
    }
    const auto flat = [&](uint32_t k) { return Point{at[k].x, at[k].y}; };
    if (!in_space() && (orient2d(flat(2), flat(0), flat(3)) <= 0 || orient2d(flat(3), flat(1), flat(2)) <= 0))
        throw Error(
            "This edge cannot flip: its two triangles do not make a convex quadrilateral, so the other diagonal "
            "lies outside.");
    if (in_space()) {
        Buffer<uint32_t> answer("answer");
        answer.resize(*context_, 1);
        launch(*context_, "edit.ask", 1, AskForDouble{mesh_view(), surface_rule(), edge, answer.view()});
        if (q.left == q.right || answer.read(0))
            throw Error("This edge cannot flip: the surface has an edge between the two vertices opposite already.");
        if (is_degenerate(at[0], at[3], at[2]) || is_degenerate(at[1], at[2], at[3]))
            throw Error("This edge cannot flip: it would make a triangle without area.");
    }
    forget_marks();
    if (state_.next == kFlip) flips_.withdraw();
    if (!flips_.run_state.all) queue_around({q.from, q.to, q.left, q.right});
    launch(*context_, "edit.flip", 1, FlipByHand{mesh_view(), edge});
    if (marking()) mesh_.edge_states.write(edge, kStateFlipped);
    result.counters[kGranted] = 1;
    state_.folded = in_space();
    state_.next = kClaim;
    end_edit(result);
    return result;
}

// `rounding`: the error of angles in radians, and of cosines of dihedral angles.
SurfaceRule Flipping::rule_for_survey(double rounding) const {
    SurfaceRule rule = surface_rule();
    rule.slack = {std::cos(options_.epsilon + rounding), std::sin(options_.epsilon + rounding)};
    return rule;
}

SurfaceFacts Flipping::survey_surface(double rounding) const {
    const SurfaceRule rule = rule_for_survey(rounding);
    const BlockSums sum = sums_of(*context_, "check.surface", mesh_.edge_count,
                                  SurveyEdge{mesh_.view(), rule, rule.limit_cosine - rounding});
    return {sum.value[0], sum.value[1], sum.value[2], sum.value[3]};
}

void Flipping::list_surface_faults(SurfaceFaults which, double rounding, uint64_t count,
                                   const std::function<std::string(const FailureRecord&)>& say,
                                   CheckReport& report) const {
    const bool creases = which == SurfaceFaults::kCreases;
    const SurfaceRule rule = rule_for_survey(rounding);
    collect_failures(*context_, creases ? "check.list creases" : "check.list illegal", mesh_, mesh_.edge_count,
                     ElementKind::kEdge, creases ? "crease" : "illegal-edge", count,
                     SurfaceFault{{}, {mesh_.view(), rule, rule.limit_cosine - rounding}, creases}, report, say);
}

TriangleSoup Flipping::soup() const {
    TriangleSoup soup = Construction::soup();
    if (!input_) return soup;
    if (input_->in_space()) soup.heights = &input_->heights;
    if (!state_.moved) return soup;
    moved_points_ = input_->points;
    moved_heights_ = input_->heights;
    const std::vector<uint32_t> inputs = mesh_.inputs.download();
    const std::vector<Point> at = mesh_.positions.download();
    const std::vector<double> heights = in_space() ? mesh_.heights.download() : std::vector<double>{};
    CancelPoll poll;
    for (uint32_t v = 0; v < distinct_; ++v) {
        poll();
        moved_points_[inputs[v]] = at[v];
        if (in_space()) moved_heights_[inputs[v]] = heights[v];
    }
    for (size_t i = 0; i < equal_to_.size(); ++i) {  // copies, which no triangle uses, move along
        poll();
        moved_points_[i] = moved_points_[equal_to_[i]];
    }
    soup.points = &moved_points_;
    if (in_space()) soup.heights = &moved_heights_;
    return soup;
}

uint64_t Flipping::state_hash() const {
    const bool listed = !done() && state_.next == kClaim;
    uint64_t hash = hash_words({state_.next, state_.cycling, listed ? flips_.run_state.queued : 0}, mesh_hash());
    const auto add = [&](const auto& buffer, size_t count) {
        hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (listed && flips_.worklist_size()) add(flips_.worklist(), flips_.worklist_size());
    if (state_.moved) {
        add(mesh_.positions, distinct_);
        if (in_space()) add(mesh_.heights, distinct_);
    }
    return hash;
}

Snapshot Flipping::save() const {
    if (state_.next != kClaim && !done())
        throw std::logic_error("the flips can be saved between iterations and at the end only");
    Snapshot snapshot;
    RunState run_state = state_;
    run_state.flips = flips_.run_state;
    put_values(snapshot, &run_state, 1);
    save_mesh(snapshot);
    put_block(snapshot, flips_.worklist(), flips_.worklist_size());
    put_block(snapshot, mesh_.positions, distinct_);
    put_block(snapshot, mesh_.heights, in_space() ? distinct_ : 0);
    const std::vector<uint64_t> seen = flips_.seen();
    put_values(snapshot, seen.data(), seen.size());
    return snapshot;
}

void Flipping::load(const Snapshot& snapshot) {
    const auto run_state = load_run_state<RunState>(snapshot, 5 + kMeshBlocks, "edge flips");
    require_mesh_fits(snapshot, 1);
    require_fits(snapshot, 2 + kMeshBlocks, mesh_.positions);
    require_fits(snapshot, 3 + kMeshBlocks, mesh_.heights);
    require_count<Point>(snapshot, 2 + kMeshBlocks, distinct_);
    require_count<double>(snapshot, 3 + kMeshBlocks, in_space() ? distinct_ : 0);
    require_count<uint32_t>(snapshot, 1 + kMeshBlocks, run_state.flips.all ? 0 : run_state.flips.queued);
    state_ = run_state;
    flips_.restore_run(state_.flips);
    load_mesh(snapshot, 1);
    flips_.restore_list(snapshot, 1 + kMeshBlocks);
    load_block(*context_, snapshot, 2 + kMeshBlocks, mesh_.positions);
    load_block(*context_, snapshot, 3 + kMeshBlocks, mesh_.heights);
    flips_.restore_seen(load_vector<uint64_t>(snapshot, 4 + kMeshBlocks));
}

}  // namespace flipscope
