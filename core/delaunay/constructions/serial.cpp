#include "delaunay/constructions/serial.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "compute/error.h"
#include "delaunay/constructions/walk_path.h"
#include "mesh/hash.h"
#include "mesh/legality.h"
#include "mesh/surgery.h"

namespace flipscope {

namespace {

constexpr PredicateMode kMode = PredicateMode::kExact;

}  // namespace

void SerialInsertion::reset(Context& context, std::shared_ptr<const Geometry> input, bool by_flip) {
    if (context.on_cuda())
        throw Error("the serial construction runs on the CPU: choose --device cpu to compare with it");
    begin(context, std::move(input));
    state_ = {};
    state_.next = kOrder;
    by_flip_ = by_flip;
    order_.clear();
    stack_.clear();
}

uint32_t SerialInsertion::waiting_count() const {
    return order_.empty() ? 0 : static_cast<uint32_t>(order_.size()) - state_.inserted;
}

PassResult SerialInsertion::step() {
    if (done()) throw std::logic_error("the construction is finished: reset it to start over");
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(state_.next, kCounters);
    switch (result.pass) {
        case kOrder:
            order_input(0);
            state_.next = distinct_ ? uint32_t(kSeed) : kNone;
            break;
        case kSeed:
            seed(result);
            break;
        case kInsert:
            result.counters[kWalked] = insert();
            result.counters[kInserted] = 1;
            break;
        default: {
            uint32_t tested = 0, illegal = 0;
            result.counters[kFlipped] = legalise(by_flip_ ? 1 : kNone, tested, illegal);
            result.counters[kQueued] = tested;
            result.counters[kIllegal] = illegal;
            if (state_.next == kLegalise) break;
            const bool sample_ends = state_.next == kNone || begins_sample(state_.inserted);
            result.ended = sample_ends ? Level::kRound : Level::kIteration;
            break;
        }
    }
    result.counters[kUninserted] = result.pass == kOrder ? distinct_ : waiting_count();
    result.close(state_.next, state_.round);
    return result;
}

void SerialInsertion::finish(const AfterRound& after_round, uint32_t inserted) {
    PassResult round = PassResult::of(kLegalise, kCounters, 0);
    {
        const MarksMeanwhile marks(*this);
        while (!done() && !(state_.next == kInsert && state_.inserted >= inserted)) {
            if (state_.next < kInsert || state_.next == kLegalise || !after_round || context_->cancelled()) {
                const PassResult result = step();
                for (size_t k = 0; k < kCounters; ++k)
                    if (result.counters[k] != kNotCounted) round.counters[k] += result.counters[k];
                if (result.ended < Level::kRound || !after_round) continue;
            } else {
                round.counters[kWalked] += insert();
                uint32_t tested = 0, illegal = 0;
                round.counters[kFlipped] += legalise(kNone, tested, illegal);
                round.counters[kInserted] += 1;
                round.counters[kQueued] += tested;
                round.counters[kIllegal] += illegal;
                if (!done() && !begins_sample(state_.inserted)) continue;
            }
            round.next = state_.next;
            round.round = state_.round;
            round.ended = done() ? Level::kEnd : Level::kRound;
            round.counters[kUninserted] = waiting_count();
            after_round(round);
            round.counters.assign(kCounters, 0);
        }
    }
    mesh_.clear_states();
    mark_waiting();
}

void SerialInsertion::seed(PassResult& result) {
    const FirstTriangle first = find_first_triangle(*context_, mesh_.positions.view(), distinct_, bounds_);
    state_.next = kNone;
    if (!first.found()) {
        join_line();
        return;
    }
    star_ = first.centre;
    start_mesh(0);
    mesh_.start(*context_, first.a, first.b, first.c);
    choose_order(first);
    mark_waiting();
    if (!order_.empty()) state_.next = kInsert;
    result.counters[kInserted] = 3;
    result.ended = Level::kRound;
}

/// The sample that a vertex belongs to: the last has about half of all points, the one before a quarter, and so on.
uint32_t SerialInsertion::sample_of(uint32_t vertex) const {
    const uint32_t samples = static_cast<uint32_t>(std::bit_width(distinct_));
    const uint32_t zeros = static_cast<uint32_t>(std::countr_zero(mix64(vertex)));
    return samples - std::min(samples - 1, zeros);
}

/// Whether the point at this place of the order is the first of its sample.
bool SerialInsertion::begins_sample(size_t place) const {
    return place == 0 || sample_of(order_[place]) != sample_of(order_[place - 1]);
}

void SerialInsertion::choose_order(const FirstTriangle& first) {
    order_.clear();
    order_.reserve(distinct_);
    for (uint32_t v = 0; v < distinct_; ++v)
        if (v != first.a && v != first.b && v != first.c) order_.push_back(v);
    stable_sort_or_cancel(order_.begin(), order_.end(),
                          [&](uint32_t a, uint32_t b) { return sample_of(a) < sample_of(b); });
}

/// From the triangle of the last point, where its own insertion would start.
std::vector<uint32_t> SerialInsertion::walk_to(uint32_t vertex) const {
    if (state_.next != kInsert && state_.next != kLegalise) return {};
    const auto from = order_.begin() + state_.inserted;
    if (std::find(from, order_.end(), vertex) == order_.end()) return {};
    return walk_path(*context_, {mesh_.view(), star_, kMode, kNone}, mesh_.positions.read(vertex), state_.last,
                     kMostWalked);
}

/// Returns the number of triangles entered on the way to the point.
uint32_t SerialInsertion::insert() {
    const MeshView mesh = mesh_view();
    if (begins_sample(state_.inserted)) ++state_.round;
    const uint32_t p = order_[state_.inserted++];
    const Walk walk{mesh, star_, kMode, kNone};
    uint32_t walked = 0;
    const Location location = walk.counted(mesh.positions[p], state_.last, walked);
    const uint32_t t = location.triangle(), u = mesh_.triangle_count, e = mesh_.edge_count;
    stack_.clear();
    for (uint32_t k = 0; k < 3; ++k) stack_.push_back(mesh.half_edge_at[3 * t + k] >> 1);
    // A point on an edge leaves a flat triangle there, which must go first.
    if (location.is_on_edge()) std::swap(stack_[location.corner() - 3 * t], stack_[2]);
    split_triangle(mesh, t, p, u, e);
    link_split(mesh, u);
    mesh_.triangle_count += 2;
    mesh_.edge_count += 3;
    state_.last = t;
    state_.next = kLegalise;
    if (mesh.vertex_states) {
        mesh_.clear_states();
        for (size_t i = state_.inserted; i < order_.size(); ++i) mesh.vertex_states[order_[i]] = kStateWaiting;
        mesh.vertex_states[p] = kStateFresh;
        for (uint32_t k = 0; k < 3; ++k) mesh.edge_states[e + k] = kStateFresh;
        for (const uint32_t edge : stack_) mesh.edge_states[edge] = kStateQueued;
    }
    return walked;
}

/// Algorithm 3, with a stack instead of recursion. Returns the number of flips, at most `most`.
uint32_t SerialInsertion::legalise(uint32_t most, uint32_t& tested, uint32_t& illegal) {
    const MeshView mesh = mesh_view();
    const uint32_t p = order_[state_.inserted - 1];
    uint32_t flips = 0;
    while (!stack_.empty()) {
        const uint32_t edge = stack_.back();
        stack_.pop_back();
        ++tested;
        const bool must_flip = is_illegal(mesh, quad_at(mesh, edge), kMode);
        if (mesh.edge_states) mesh.edge_states[edge] = must_flip ? kStateGranted : 0;
        if (!must_flip) continue;
        ++illegal;
        ++flips;
        flip_edge(mesh, edge);
        repair_flipped(mesh, edge);
        // After the flip the edge ends at p; the two edges opposite to p are the next worklist edges.
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = mesh.corner_of[2 * edge + side];
            const uint32_t opposite = mesh.from(corner) == p ? next_corner(corner) : previous_corner(corner);
            stack_.push_back(mesh.half_edge_at[opposite] >> 1);
            if (mesh.edge_states) mesh.edge_states[stack_.back()] = kStateQueued;
        }
        if (flips >= most) return flips;
    }
    state_.next = state_.inserted < order_.size() ? uint32_t(kInsert) : kNone;
    if (done()) mesh_.clear_states();
    return flips;
}

void SerialInsertion::mark_waiting() {
    if (!mesh_.records_states() || mesh_.triangle_count == 0) return;
    for (size_t i = state_.inserted; i < order_.size(); ++i) mesh_.vertex_states.view()[order_[i]] = kStateWaiting;
}

uint64_t SerialInsertion::state_hash() const {
    const uint32_t sample = state_.inserted ? sample_of(order_[state_.inserted - 1]) : 0;
    uint64_t hash = hash_words({state_.next, state_.inserted, sample, state_.last}, mesh_hash());
    for (const uint32_t edge : stack_) hash = mix64(hash ^ edge);
    return hash;
}

Snapshot SerialInsertion::save() const {
    if (state_.next == kLegalise) throw std::logic_error("the construction can be saved between two points only");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    save_mesh(snapshot);
    return snapshot;
}

void SerialInsertion::load(const Snapshot& snapshot, size_t beside) {
    const auto run_state = load_run_state<RunState>(snapshot, 1 + kMeshBlocks + beside, "the serial construction");
    require_mesh_fits(snapshot, 1);
    state_ = run_state;
    load_mesh(snapshot, 1);
    stack_.clear();
    mark_waiting();
}

}  // namespace flipscope
