#include "delaunay/constructions/serial.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "delaunay/constructions/walk_path.h"
#include "mesh/hash.h"
#include "mesh/surgery.h"

namespace flipscope {

void SerialInsertion::reset(Context& context, std::shared_ptr<const Geometry> input, const SerialOptions& options) {
    if (context.on_cuda())
        throw Error("the serial construction runs on the CPU: choose --device cpu to compare with it");
    begin(context, std::move(input));
    state_ = {};
    state_.next = kOrder;
    options_ = options;
    order_.clear();
    work_.clear();
    clear_work();
}

uint32_t SerialInsertion::waiting_count() const {
    return order_.empty() ? 0 : static_cast<uint32_t>(order_.size()) - state_.inserted;
}

PassResult SerialInsertion::run(uint32_t pass) {
    context_->throw_if_cancelled();
    walk_.clear();
    test_.reset();
    PassResult result = PassResult::of(pass, kCounters);
    using Own = SerialInsertion;
    constexpr void (Own::*kPasses[])(PassResult&) = {&Own::order_points, &Own::seed,     &Own::locate,
                                                     &Own::split,        &Own::legalise, &Own::explore_cavity,
                                                     &Own::rejoin,       &Own::cut_ears};
    run_from(*this, kPasses, result);
    result.counters[kUninserted] = result.pass == kOrder ? distinct_ : waiting_count();
    result.close(state_.next, state_.round);
    return result;
}

void SerialInsertion::finish(const AfterRound& after_round, uint32_t inserted) {
    {
        const MarksMeanwhile marks(*this);
        run_rounds(
            std::vector<int64_t>(kCounters, 0), {kUninserted}, after_round,
            [&] { return !done() && !(state_.next == kLocate && state_.inserted >= inserted); },
            [&] { return step(); });
    }
    clear_marks();
}

void SerialInsertion::order_points(PassResult&) {
    order_input(0);
    state_.next = distinct_ ? uint32_t(kSeed) : kNone;
}

void SerialInsertion::seed(PassResult& result) {
    FirstTriangle first = find_first_triangle(*context_, mesh_.positions.view(), distinct_, bounds_);
    state_.next = kNone;
    if (!first.found()) {
        join_line();
        return;
    }
    order_ = order_of_insertion(options_.order, mesh_.positions.view(), mesh_.inputs.view(), distinct_, bounds_, first);
    state_.star = first.centre;
    start_mesh(0);
    mesh_.start(*context_, first.a, first.b, first.c);
    mark_waiting();
    if (!order_.empty()) state_.next = kLocate;
    result.counters[kInserted] = 3;
    result.ended = Level::kRound;
}

/// From where its own insertion would start.
std::vector<uint32_t> SerialInsertion::walk_to(uint32_t vertex) const {
    if (state_.next < kLocate || state_.next == kNone || removed_ != kNone) return {};
    const bool waits = std::any_of(order_.begin() + state_.inserted, order_.end(),
                                   [&](const OrderedPoint& one) { return one.vertex == vertex; });
    if (!waits) return {};
    return walk_path(*context_, walk_through(mesh_.view()), mesh_.positions.read(vertex), start_of_walk(), kMostWalked);
}

void SerialInsertion::locate(PassResult& result) {
    clear_marks();
    const MeshView mesh = mesh_view();
    const auto [vertex, begins_round] = order_[state_.inserted];
    state_.round += begins_round;
    centre_ = vertex;
    now_ = {};
    const Walk walk = walk_through(mesh);
    const Point p = mesh.positions[vertex];
    location_ = walk.counted(p, start_of_walk(), now_.walked);
    const uint32_t t = location_.triangle();
    const bool cavity = options_.method == SerialOptions::Method::kBowyerWatson;
    state_.next = cavity ? kCavity : kSplit;
    if (cavity) {
        cavity_ = {t};
        crossed_.clear();
        border_.clear();
        stack_ = {3 * t + 2, 3 * t + 1, 3 * t};
    }
    result.counters[kWalked] = now_.walked;
    if (!marking()) return;
    walk_ = walk_path(*context_, walk, p, start_of_walk(), std::min(now_.walked + 2, kMostWalked));
    for (const uint32_t entered : walk_) mesh.triangle_states[entered] = kStateChosen;
    mesh.triangle_states[t] = cavity ? kStateLocked : kStateChosen;
    mesh.vertex_states[vertex] = kStateChosen;
}

void SerialInsertion::split(PassResult& result) {
    clear_marks();
    const MeshView mesh = mesh_view();
    const uint32_t t = location_.triangle(), u = mesh_.triangle_count, e = mesh_.edge_count;
    stack_.clear();
    for (uint32_t k = 0; k < 3; ++k) stack_.push_back(mesh.half_edge_at[3 * t + k] >> 1);
    // A point on an edge leaves a flat triangle there, which must go first.
    if (location_.is_on_edge()) std::swap(stack_[location_.corner() - 3 * t], stack_[2]);
    split_triangle(mesh, t, centre_, u, e);
    link_split(mesh, u);
    mesh_.triangle_count += 2;
    mesh_.edge_count += 3;
    state_.last = t;
    state_.next = kLegalise;
    ++state_.inserted;
    mark_inserted(e, 3);
    if (mesh.edge_states)
        for (const uint32_t edge : stack_) mesh.edge_states[edge] = kStateQueued;
    result.counters[kInserted] = 1;
}

/// Counts the test, and marks the edge by its verdict.
bool SerialInsertion::test(const MeshView& mesh, uint32_t edge, const Quad& quad) {
    const bool illegal = is_illegal(mesh, quad, PredicateMode::kExact);
    ++now_.tested;
    if (!mesh.edge_states) return illegal;
    mesh.edge_states[edge] = illegal ? kStateIllegal : kStateChosen;
    if (quad.right == centre_)
        test_ = {quad.to, quad.from, quad.left, quad.right, illegal};
    else
        test_ = {quad.from, quad.to, quad.right, quad.left, illegal};
    return illegal;
}

/// Algorithm 3, with a stack instead of recursion.
void SerialInsertion::legalise(PassResult& result) {
    const MeshView mesh = mesh_view();
    const Pace pace = this->pace();
    uint32_t tested = 0, illegal = 0, flipped = 0;
    while (illegal_edge_ != kNone || !stack_.empty()) {
        if (illegal_edge_ != kNone) {
            flip(mesh, std::exchange(illegal_edge_, kNone));
            ++flipped;
            if (pace != Pace::kPoint) break;
            continue;
        }
        const uint32_t edge = stack_.back();
        stack_.pop_back();
        ++tested;
        if (test(mesh, edge, quad_at(mesh, edge))) {
            illegal_edge_ = edge;
            ++illegal;
        }
        if (pace == Pace::kTest) break;
    }
    result.counters[kQueued] = tested;
    result.counters[kIllegal] = illegal;
    result.counters[kFlipped] = flipped;
    if (illegal_edge_ == kNone && stack_.empty()) end_point(result);
}

/// The edges to test next are those opposite to the new point; without one, all four around the flipped edge.
void SerialInsertion::flip(const MeshView& mesh, uint32_t edge) {
    flip_edge(mesh, edge);
    repair_flipped(mesh, edge);
    ++now_.changed;
    if (mesh.edge_states) mesh.edge_states[edge] = kStateGranted;
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t corner = mesh.corner_of[2 * edge + side];
        for (const uint32_t outer : {next_corner(corner), previous_corner(corner)}) {
            if (mesh.from(outer) == centre_ || mesh.to(outer) == centre_) continue;
            stack_.push_back(mesh.half_edge_at[outer] >> 1);
            if (mesh.edge_states) mesh.edge_states[stack_.back()] = kStateQueued;
        }
    }
}

/// The triangles whose circles contain the point are connected; of a ghost, the circle is the half-plane beyond its
/// edge. The search crosses edges counter-clockwise, so that `border_` is in order around the point.
void SerialInsertion::explore_cavity(PassResult& result) {
    const MeshView mesh = mesh_view();
    const Pace pace = this->pace();
    uint32_t tested = 0, joined = 0;
    while (!stack_.empty()) {
        const uint32_t inner = stack_.back(), outer = mesh.across(inner), edge = mesh.half_edge_at[inner] >> 1;
        stack_.pop_back();
        ++tested;
        const bool joins = test(mesh, edge, {mesh.from(inner), mesh.to(inner), centre_, mesh.apex(outer)});
        if (joins) {
            ++joined;
            cavity_.push_back(triangle_of(outer));
            crossed_.push_back(edge);
            stack_.push_back(previous_corner(outer));
            stack_.push_back(next_corner(outer));
            if (mesh.triangle_states) mesh.triangle_states[triangle_of(outer)] = kStateLocked;
        } else {
            border_.push_back(inner);
        }
        if (pace == Pace::kTest || (pace == Pace::kFlip && joins)) break;
    }
    result.counters[kQueued] = tested;
    result.counters[kIllegal] = joined;
    if (stack_.empty()) state_.next = kRejoin;
}

/// The ids of the cavity's triangles and of the edges between them are used again, and two triangles and three edges
/// are new.
void SerialInsertion::rejoin(PassResult& result) {
    clear_marks();
    const MeshView mesh = mesh_view();
    now_.changed = static_cast<uint32_t>(cavity_.size());
    state_.last = cavity_.front();
    for (uint32_t k = 0; k < 2; ++k) cavity_.push_back(mesh_.triangle_count++);
    for (uint32_t k = 0; k < 3; ++k) crossed_.push_back(mesh_.edge_count++);
    std::vector<std::pair<uint32_t, uint32_t>> sides;  // first end and half-edge of each side of the border
    for (const uint32_t inner : border_) sides.emplace_back(mesh.from(inner), mesh.half_edge_at[inner]);
    const size_t count = sides.size();
    for (size_t i = 0; i < count; ++i) {
        const uint32_t corner = 3 * cavity_[i], beyond = 3 * cavity_[(i + 1) % count] + 2;
        const uint32_t spoke = crossed_[i], end = sides[(i + 1) % count].first;
        mesh.triangles[corner] = sides[i].first;
        mesh.triangles[corner + 1] = end;
        mesh.triangles[corner + 2] = centre_;
        mesh.half_edge_at[corner] = sides[i].second;
        mesh.corner_of[sides[i].second] = corner;
        mesh.edges[2 * spoke] = end;
        mesh.edges[2 * spoke + 1] = centre_;
        mesh.half_edge_at[corner + 1] = 2 * spoke;
        mesh.corner_of[2 * spoke] = corner + 1;
        mesh.half_edge_at[beyond] = 2 * spoke + 1;
        mesh.corner_of[2 * spoke + 1] = beyond;
        mark_inserted(spoke, 1);
    }
    ++state_.inserted;
    result.counters[kInserted] = 1;
    end_point(result);
}

/// Ends the work on a point: it is inserted, removed or moved, and all edges are legal.
void SerialInsertion::end_point(PassResult& result) {
    const bool inserted = centre_ != kNone;
    if (inserted) work_.push_back(now_);
    if (removed_ != kNone) {
        forget(std::exchange(removed_, kNone));
        adopt(after_);
    }
    centre_ = kNone;
    state_.next = waiting_count() ? uint32_t(kLocate) : kNone;
    const bool ends_round = done() || !inserted || order_[state_.inserted].begins_round;
    result.ended = ends_round ? Level::kRound : Level::kIteration;
    if (done() && pace() != Pace::kTest) mesh_.clear_states();
}

void SerialInsertion::clear_work() {
    centre_ = illegal_edge_ = removed_ = kNone;
    now_ = {};
    stack_.clear();
    after_ = {};
    walk_.clear();
    test_.reset();
}

void SerialInsertion::clear_marks() {
    if (!marking()) return;
    mesh_.clear_states();
    mark_waiting();
}

void SerialInsertion::mark_waiting() {
    if (!marking() || mesh_.triangle_count == 0) return;
    for (size_t i = state_.inserted; i < order_.size(); ++i)
        mesh_.vertex_states.view()[order_[i].vertex] = kStateWaiting;
}

/// The point at work has new edges, from this one on.
void SerialInsertion::mark_inserted(uint32_t edge, uint32_t count) {
    if (!marking()) return;
    mesh_.vertex_states.view()[centre_] = kStateFresh;
    for (uint32_t k = 0; k < count; ++k) mesh_.edge_states.view()[edge + k] = kStateFresh;
}

uint64_t SerialInsertion::state_hash() const {
    uint64_t hash = hash_words({state_.next, state_.inserted, state_.round, state_.last}, mesh_hash());
    if (at_rest() || state_.next <= kSeed) return hash;
    hash = hash_words({centre_, location_.word, illegal_edge_, removed_}, hash);
    for (const std::vector<uint32_t>* list : {&stack_, &border_})
        for (const uint32_t each : *list) hash = mix64(hash ^ each);
    return hash;
}

Snapshot SerialInsertion::save() const {
    if (state_.next > kSeed && !at_rest())
        throw std::logic_error("the construction can be saved between two points only");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    put_values(snapshot, order_.data(), order_.size());
    put_values(snapshot, work_.data(), work_.size());
    save_mesh(snapshot);
    return snapshot;
}

void SerialInsertion::load(const Snapshot& snapshot, size_t beside) {
    constexpr size_t kMeshAt = 3;
    const auto run_state =
        load_run_state<RunState>(snapshot, kMeshAt + kMeshBlocks + beside, "the serial construction");
    if (after_.geometry) {  // a removal, or a change of the points, was interrupted
        mesh_.triangle_count = mesh_.edge_count = 0;
        order_.clear();
        removed_ = kNone;
        adopt(after_);
    }
    require_mesh_fits(snapshot, kMeshAt);
    require_below<uint32_t>(snapshot, 1, mesh_.positions.size());
    auto order = load_vector<OrderedPoint>(snapshot, 1);
    if (run_state.inserted > order.size()) throw std::logic_error("a snapshot with more inserted points than points");
    work_ = load_vector<PointWork>(snapshot, 2);
    state_ = run_state;
    order_ = std::move(order);
    load_mesh(snapshot, kMeshAt);
    clear_work();
    mark_waiting();
}

}  // namespace flipscope
