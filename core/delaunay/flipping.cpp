// Edge flips, pass by pass. One iteration is
//
//   bid → flip → repair
//
// over the edges that are suspected, at first all; the paper calls the first two exclusion & processing. It ends when
// no edge is illegal. Each pass below launches kernels of flip.h through the FlipMachine, reads a handful of counts,
// and says what is next. step() runs one pass; finish() runs them all, without state words and with fewer looks at the
// counts, and must end in the same state.
#include "delaunay/flipping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/makers.h"
#include "mesh/validate.h"
#include "steps/facts.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_flipping() { return std::make_unique<Flipping>(); }

namespace {

struct ForgetMarks {
    View<State> edge_states, triangle_states;
    uint32_t edge_count, triangle_count;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i < edge_count) edge_states[i] = State(edge_states[i] & kStateSeam);
        if (i < triangle_count) triangle_states[i] = 0;
    }
};

}  // namespace

template <class Visit>
auto Flipping::with_rule(const Visit& visit) const {
    if (in_space()) return visit(surface_rule());
    switch (static_cast<Criterion>(now_.criterion)) {
        case Criterion::kInCircle:
            break;
        case Criterion::kAngles:
            return visit(AngleRule<double>{slack()});
        case Criterion::kAnglesFloat:
            return visit(AngleRule<float>{slack()});
    }
    return visit(InCircleRule{PredicateMode::kExact, FlipScope::kAll, !connection_.convex_outline});
}

Slack Flipping::slack() const { return {std::cos(now_.epsilon), std::sin(now_.epsilon)}; }

SurfaceRule Flipping::surface_rule() const {
    return make_surface_rule(now_.epsilon, now_.dihedral, pinched_.empty() ? View<const uint8_t>{} : pinched_.view());
}

// ---- from input to mesh ---------------------------------------------------------------------------------------------

void Flipping::reset(Context& context, std::shared_ptr<const Geometry> input) {
    // Whatever can be wrong with the input is found before anything of the last one is lost.
    const std::shared_ptr<const Geometry> geometry = triangulated(context, input);
    context.set_block_size(static_cast<uint32_t>(wished_.block_size) / 32 * 32);
    begin(context, geometry);
    now_ = wished_;
    state_ = {};
    greeting_.clear();
    low_z_ = high_z_ = 0;
    angles_before_ = {};
    connection_ = {};
    mesh_.heights.resize(context, 0);
    pinched_.resize(context, 0);
    flips_.reset(context, 0, static_cast<ConflictRule>(now_.conflict));

    std::vector<uint32_t> inputs;
    const Geometry ordered = laid_out(inputs);
    if (ordered.triangles.empty()) {
        greeting_ = distinct_ ? join_line() : "There are no points: nothing to flip.";
        return;
    }
    connection_ = connect(context, ordered, mesh_, pinched_, wants_states_);
    distinct_ = mesh_.infinite();
    // connect() has named its vertices after `ordered`; ties and hashes go by the user's indices.
    std::vector<uint32_t> names = mesh_.inputs.download();
    for (uint32_t v = 0; v < distinct_; ++v) names[v] = inputs[names[v]];
    mesh_.inputs.upload(context, names.data(), names.size());

    flips_.reset(context, mesh_.triangle_count, static_cast<ConflictRule>(now_.conflict),
                 in_space() ? mesh_.edge_count : 0);
    flips_.suspect_all(mesh_.edge_count);
    state_.next = kBid;
    angles_before_ = count_angles(context, mesh_);
    if (in_space()) {
        facts_before_ = survey_surface(0);
        check_before_ = check_surface(context, mesh_);
    }
    greeting_ = describe_start(connection_);
}

/// The input with triangles, valid ones; made as the parameter `start` says when there are none.
std::shared_ptr<const Geometry> Flipping::triangulated(Context& context,
                                                       const std::shared_ptr<const Geometry>& input) const {
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
    const MakerOptions options{static_cast<uint64_t>(wished_.seed), wished_.scramble, wished_.moved_by};
    auto made =
        std::make_shared<Geometry>(make_triangulation(context, *input, static_cast<Start>(wished_.start), options));
    made->level = input->level;
    return made;
}

/// The triangulation with vertices and triangles in an order in which neighbours are near in memory. In the plane:
/// along a Hilbert curve, equal points merged; a surface stays as its maker left it. `inputs`: what each vertex is in
/// the input. Sets the bounds.
Geometry Flipping::laid_out(std::vector<uint32_t>& inputs) {
    const Geometry& given = *input_;
    if (given.in_space()) {
        inputs.resize(given.points.size());
        std::iota(inputs.begin(), inputs.end(), 0u);
        bounds_ = {given.points[0], given.points[0]};
        for (const Point& p : given.points) {
            bounds_.low = {std::min(bounds_.low.x, p.x), std::min(bounds_.low.y, p.y)};
            bounds_.high = {std::max(bounds_.high.x, p.x), std::max(bounds_.high.y, p.y)};
        }
        const auto [low, high] = std::minmax_element(given.heights.begin(), given.heights.end());
        low_z_ = *low;
        high_z_ = *high;
        distinct_ = static_cast<uint32_t>(given.points.size());
        return given;
    }
    std::string merged;
    order_input(0, merged);
    inputs = mesh_.inputs.download();
    inputs.resize(distinct_);
    Geometry ordered{given.name, mesh_.positions.download()};
    ordered.points.resize(distinct_);

    std::vector<uint32_t> rank(given.points.size(), kNone);
    for (uint32_t v = 0; v < distinct_; ++v) rank[inputs[v]] = v;
    std::vector<uint32_t> sorted;  // vertices by place, once a triangle names a copy of a point that comes earlier
    const auto vertex_at = [&](Point place) {
        const auto before = [](Point p, Point q) { return p.x != q.x ? p.x < q.x : p.y < q.y; };
        if (sorted.empty()) {
            sorted.resize(distinct_);
            std::iota(sorted.begin(), sorted.end(), 0u);
            std::sort(sorted.begin(), sorted.end(),
                      [&](uint32_t v, uint32_t w) { return before(ordered.points[v], ordered.points[w]); });
        }
        return *std::lower_bound(sorted.begin(), sorted.end(), place,
                                 [&](uint32_t v, Point p) { return before(ordered.points[v], p); });
    };
    for (const auto& triangle : given.triangles) {
        std::array<uint32_t, 3> corners{};
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t& found = rank[triangle[k]];
            if (found == kNone) found = vertex_at(given.points[triangle[k]]);
            corners[k] = found;
        }
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        ordered.triangles.push_back(corners);
    }
    sort_or_cancel(ordered.triangles.begin(), ordered.triangles.end());
    return ordered;
}

std::string Flipping::describe_start(const Connection& connection) const {
    std::string text;
    if (connection.turned)
        join(text, count_text(connection.turned, "triangle was", "triangles were") + " turned around to agree.");
    if (connection.seams)
        join(text, count_text(connection.seams, "edge is", "edges are") +
                       " non-manifold (not two triangles that agree): marked, and never flipped.");
    if (connection.unused_points)
        join(text, count_text(connection.unused_points, "point is", "points are") + " in no triangle and left out.");
    if (!in_space() && !connection.convex_outline)
        join(text, "The outline is not the convex hull: its edges stay, and the result is Delaunay within it.");
    if (in_space() && facts_before_.creases)
        join(text, count_text(facts_before_.creases, "edge is a crease past the dihedral limit and stays.",
                              "edges are creases past the dihedral limit and stay."));
    return text;
}

// ---- the passes, in the order they run ------------------------------------------------------------------------------

StepResult Flipping::begin_step(uint32_t pass) const {
    StepResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    return result;
}

StepResult Flipping::step() {
    if (done()) throw std::logic_error("the flips are finished: reset the lab to start over");
    context_->throw_if_cancelled();
    StepResult result = begin_step(state_.next);
    std::swap(result.message, greeting_);
    switch (state_.next) {
        case kBid:
            bid(result);
            break;
        case kFlip:
            flip(result);
            break;
        default:
            repair(result);
            break;
    }
    result.next = state_.next;
    result.round = result.iteration = state_.iteration;
    if (done()) result.ended = Level::kEnd;
    return result;
}

/// Exclusion: who is illegal, and who gets its two triangles.
void Flipping::bid(StepResult& result) {
    ++state_.iteration;
    if (state_.iteration == state_.watch_from + 1) flips_.watch_for_cycles();
    if (state_.iteration == 1 && marks_) measure(result);
    forget_marks();
    // The paper's rule can leave every triangle to somebody who did not get the other; then the lowest may go on.
    flips_.set_conflict(state_.stuck ? ConflictRule::kLowestId : static_cast<ConflictRule>(now_.conflict));
    const FlipCounts counts = with_rule([&](const auto& rule) { return flips_.bid(mesh_view(), rule, marking()); });
    result.counters[kSuspected] = static_cast<int64_t>(counts.suspected);
    result.counters[kIllegal] = static_cast<int64_t>(counts.illegal);
    result.counters[kBlocked] = static_cast<int64_t>(counts.blocked);
    state_.next = kFlip;
    if (counts.illegal == 0) {
        std::string why;
        if (counts.blocked)
            why = count_text(counts.blocked, "edge is", "edges are") +
                  " illegal and cannot flip: that would turn a triangle over, double an edge or make a crease.";
        else
            flips_.moment.suspects = flips_.moment.all = 0;  // nobody need be asked again, as finish() leaves it
        end(why, result);
    } else if (watches_for_cycles() && !state_.stuck && flips_.repeats_itself()) {
        state_.cycling = 1;
        if (marking()) flips_.mark_cycle(mesh_view());
        end("The flips repeat themselves: in floating point both diagonals of some quadrilaterals look illegal; a "
            "larger ε ends this. Stopped in iteration " +
                std::to_string(state_.iteration) + "; the cycling edges are marked.",
            result);
    }
}

/// Processing: the winners turn.
void Flipping::flip(StepResult& result) {
    const FlipCounts counts = flips_.flip(mesh_view(), watches_for_cycles());
    if (marking()) flips_.mark("watch.inconsistent", MarkInconsistent{flips_.pass(mesh_view())});
    state_.stuck = counts.won == 0;
    result.counters[kWon] = static_cast<int64_t>(counts.won);
    result.counters[kLost] = static_cast<int64_t>(counts.lost);
    state_.next = kRepair;
}

void Flipping::repair(StepResult& result) {
    flips_.repair(mesh_view(), mesh_.edge_count);
    result.counters[kLeft] = flips_.moment.suspects;
    result.ended = Level::kRound;
    if (marks_) measure(result);
    state_.next = flips_.moment.suspects ? uint32_t(kBid) : kNone;
}

void Flipping::finish(const std::function<void(const StepResult&)>& after_round) {
    const auto tell = [&](const StepResult& result) {
        if (after_round) after_round(result);
    };
    if (done()) return;
    marks_ = false;
    try {
        StepResult whole = begin_step(kRepair);
        while (!done() && state_.next != kBid) step();
        if (!done()) {
            std::swap(whole.message, greeting_);
            flips_.set_conflict(static_cast<ConflictRule>(now_.conflict));
            const uint32_t most = exact() ? kNone : state_.watch_from - std::min(state_.watch_from, state_.iteration);
            FlipCounts last;
            with_rule([&](const auto& rule) {
                flips_.run(mesh_view(), mesh_.edge_count, rule, most, [&](const FlipCounts& counts) {
                    last = counts;
                    if (counts.illegal == 0)
                        return false;  // if edges are blocked, the bid is run once more, to be seen
                    state_.stuck = counts.won == 0;
                    ++state_.iteration;
                    whole.counters = {int64_t(counts.suspected), int64_t(counts.illegal), int64_t(counts.blocked),
                                      int64_t(counts.won),       int64_t(counts.lost),    kNotCounted};
                    whole.round = whole.iteration = state_.iteration;
                    whole.ended = Level::kRound;
                    tell(whole);
                    whole.message.clear();
                    return counts.won > 0;
                });
            });
            state_.next = flips_.moment.suspects ? uint32_t(kBid) : kNone;
            if (done() && last.illegal == 0) {
                whole.counters = {int64_t(last.suspected), 0, 0, kNotCounted, kNotCounted, kNotCounted};
                whole.round = whole.iteration = ++state_.iteration;
                whole.ended = Level::kEnd;
                tell(whole);
            } else {
                std::swap(whole.message, greeting_);  // if nobody was told yet
            }
        }
        while (!done()) {
            const StepResult result = step();
            if (result.ended >= Level::kRound) tell(result);
        }
    } catch (...) {
        marks_ = true;
        throw;
    }
    marks_ = true;
    forget_marks();
    if (mesh_.watched() && flips_.moment.suspects) {  // what stepping leaves behind
        if (state_.cycling)
            flips_.mark_cycle(mesh_view());
        else
            flips_.mark("watch.blocked", MarkBlocked{flips_.pass(mesh_view())});
    }
}

// ---- small helpers --------------------------------------------------------------------------------------------------

void Flipping::end(const std::string& why, StepResult& result) {
    state_.next = kNone;
    result.ended = Level::kEnd;
    join(result.message, why);
}

void Flipping::measure(StepResult& result) const { result.measures = {harmonic_index(*context_, mesh_)}; }

void Flipping::forget_marks() {
    if (marking())
        launch(*context_, "watch.flips", std::max(mesh_.edge_count, mesh_.triangle_count),
               ForgetMarks{mesh_.edge_states.view(), mesh_.triangle_states.view(), mesh_.edge_count,
                           mesh_.triangle_count});
}

MeshView Flipping::mesh_view() const {
    MeshView view = mesh_.view();
    if (!marks_) view.vertex_states = view.edge_states = view.triangle_states = {};
    return view;
}

// ---- hash, saving and loading ---------------------------------------------------------------------------------------

uint64_t Flipping::state_hash() const {
    uint64_t hash = mesh_hash();
    const bool listed = !done() && state_.next == kBid;
    for (const uint32_t word : {state_.next, state_.cycling, listed ? flips_.moment.suspects : 0})
        hash = mix64(hash ^ word);
    const auto add = [&](const auto& buffer, size_t count) {
        hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (listed && flips_.suspects_in_list()) add(flips_.suspects(), flips_.suspects_in_list());
    if (state_.moved) {
        add(mesh_.positions, distinct_);
        if (in_space()) add(mesh_.heights, distinct_);
    }
    return hash;
}

Snapshot Flipping::save() const {
    if (state_.next != kBid && !done())
        throw std::logic_error("the flips can be saved between iterations and at the end only");
    Snapshot snapshot;
    Moment moment = state_;
    moment.flips = flips_.moment;
    put_values(snapshot, &moment, 1);
    save_mesh(snapshot);
    put_block(snapshot, flips_.suspects(), flips_.suspects_in_list());
    put_block(snapshot, mesh_.positions, distinct_);
    put_block(snapshot, mesh_.heights, in_space() ? distinct_ : 0);
    const std::vector<uint64_t> seen = flips_.seen();
    put_values(snapshot, seen.data(), seen.size());
    return snapshot;
}

void Flipping::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() != 5 + kMeshBlocks || snapshot.blocks[0].size() != sizeof(Moment))
        throw std::logic_error("not a snapshot of the Flip lab");
    require_mesh_fits(snapshot, 1);
    require_fits(snapshot, 2 + kMeshBlocks, mesh_.positions);
    require_fits(snapshot, 3 + kMeshBlocks, mesh_.heights);
    require_count<Point>(snapshot, 2 + kMeshBlocks, distinct_);
    require_count<double>(snapshot, 3 + kMeshBlocks, in_space() ? distinct_ : 0);
    Moment moment;
    take_values(snapshot, 0, &moment, 1);
    require_count<uint32_t>(snapshot, 1 + kMeshBlocks, moment.flips.all ? 0 : moment.flips.suspects);
    state_ = moment;
    flips_.moment = state_.flips;
    load_mesh(snapshot, 1);
    flips_.restore_list(snapshot, 1 + kMeshBlocks);
    take_block(*context_, snapshot, 2 + kMeshBlocks, mesh_.positions);
    take_block(*context_, snapshot, 3 + kMeshBlocks, mesh_.heights);
    flips_.restore_seen(take_vector<uint64_t>(snapshot, 4 + kMeshBlocks));
}

}  // namespace flipscope
