#include "delaunay/strips.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/primitives.h"
#include "delaunay/seed.h"
#include "delaunay/strips_kernels.h"
#include "mesh/checks.h"

namespace flipscope {

void Strips::reset(Context& context, std::shared_ptr<const Geometry> input, const StripsOptions& options) {
    begin(context, std::move(input));
    start(context, options);
}

void Strips::reset(Context& context, View<const Point> points, const StripsOptions& options, const std::string& name) {
    begin(context, std::make_shared<Geometry>(Geometry{name, {}}), points);
    start(context, options);
}

void Strips::start(Context& context, const StripsOptions& options) {
    context.set_block_size(options.block_size / 32 * 32);
    options_ = options;
    state_ = {};
    state_.next = kOrder;
    strips_.count = 0;
    flips_.reset(context, 0, ConflictRule::kLowestId);
}

PassResult Strips::step() {
    if (done()) throw std::logic_error("the triangulation is finished: reset it to start over");
    return run(state_.next);
}

void Strips::finish(const std::function<void(const PassResult&)>& after_round, uint32_t rounds) {
    marks_ = false;
    PassResult round;
    round.counters.assign(kCounters, 0);
    try {
        while (!done()) {
            const PassResult result = state_.next == kClaim ? flip_until_legal() : run(state_.next);
            for (size_t k = 0; k < kCounters; ++k)
                if (result.counters[k] != kNotCounted) round.counters[k] += result.counters[k];
            if (result.ended < Level::kRound) continue;
            round.pass = result.pass;
            round.next = result.next;
            round.ended = result.ended;
            round.round = result.round;
            if (after_round) after_round(round);
            round.counters.assign(kCounters, 0);
            if (state_.round >= rounds) break;
        }
    } catch (...) {
        marks_ = true;
        throw;
    }
    marks_ = true;
    if (mesh_.records_states()) mesh_.clear_states();  // as stepping leaves them
}

// ---- the passes, in the order they run ------------------------------------------------------------------------------

PassResult Strips::run(uint32_t pass) {
    context_->throw_if_cancelled();
    PassResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    switch (pass) {
        case kOrder:
            order(result);
            break;
        case kChain:
            chain();
            break;
        case kZip:
            zip(result);
            break;
        case kClose:
            close(result);
            break;
        case kClaim:
            claim(result);
            break;
        case kFlip: {
            const FlipCounts counts = flips_.flip(mesh_view(), false);
            if (marking()) flips_.mark("watch.stale", MarkStale{flips_.pass(mesh_view())});
            result.counters[kGranted] = result.counters[kFlipped] = static_cast<int64_t>(counts.granted);
            result.counters[kDeferred] = static_cast<int64_t>(counts.deferred);
            state_.next = kRepair;
            break;
        }
        default:
            flips_.repair(mesh_view(), mesh_.edge_count);
            result.ended = Level::kIteration;
            state_.next = kClaim;
    }
    result.next = state_.next;
    result.round = state_.round;
    result.iteration = pass >= kClaim ? state_.iteration : 0;
    if (done()) result.ended = Level::kEnd;
    return result;
}

void Strips::order(PassResult&) {
    const size_t n = input_count();
    const auto wanted =
        static_cast<uint32_t>(std::max(1.0, std::round(options_.strips * std::sqrt(static_cast<double>(n)))));
    order_input_in_strips(wanted, strips_);
    if (distinct_ == 0) {
        state_.next = kNone;
        return;
    }
    state_.round = 1;
    state_.next = kChain;
}

ZipView Strips::zip_view() const {
    return {mesh_.view(), strips_.begins.view(), strips_.strip_of.view(), below_.view(), under_.view(), link_.view(),
            distinct_,    strips_.count};
}

void Strips::chain() {
    Context& context = *context_;
    if (distinct_ < 3) {
        join_line();
        state_.next = kNone;
        return;
    }
    mesh_.reset(context, distinct_, wants_states_);
    mesh_.positions.write(mesh_.infinite(), bounds_.low);
    mesh_.inputs.write(mesh_.infinite(), kNone);
    if (marking()) mesh_.edges.fill_bytes(0xFF);  // those that are not made yet lead nowhere
    below_.resize(context, 2 * size_t(distinct_), false);
    under_.resize(context, 2 * size_t(distinct_), false);
    link_.resize(context, 2 * size_t(distinct_), false);
    launch(context, "chain", 2 * distinct_, ChainPoints{zip_view()});
    state_.next = kZip;
}

void Strips::zip(PassResult& result) {
    launch(*context_, "zip", 2 * distinct_, ZipStrips{zip_view(), false}, flips_.cleared_block_sums());
    state_.zipped = static_cast<uint32_t>(flips_.read_sums(0).value[0]);
    result.counters[kZipped] = state_.zipped;
    state_.next = kClose;
}

void Strips::close(PassResult& result) {
    Context& context = *context_;
    launch(context, "close", 2 * distinct_, ZipStrips{zip_view(), true}, flips_.cleared_block_sums());
    result.counters[kClosed] = static_cast<int64_t>(flips_.read_sums(0).value[0]);
    result.ended = Level::kRound;
    mesh_.triangle_count = 2 * distinct_ - 2;
    mesh_.edge_count = 3 * distinct_ - 3;
    // Without a triangle all points can be on one line.
    if (state_.zipped == 0 && result.counters[kClosed] == 0 &&
        !find_first_triangle(context, mesh_.positions.view(), distinct_, bounds_).found()) {
        join_line();
        state_.next = kNone;
        return;
    }
    state_.joined = 1;
    flips_.reset(context, mesh_.triangles.size() / 3, ConflictRule::kLowestId);
    flips_.queue_all(mesh_.edge_count);
    state_.next = kClaim;
}

void Strips::claim(PassResult& result) {
    state_.round = 2;
    ++state_.iteration;
    if (marking())
        launch(*context_, "watch.flips", mesh_.edge_count,
               ForgetFlips{mesh_.edge_states.view(), mesh_.triangle_states.view(), mesh_.edge_count,
                           mesh_.triangle_count});
    const FlipCounts counts = flips_.claim(mesh_view(), InCircleRule{});
    result.counters[kQueued] = static_cast<int64_t>(counts.queued);
    result.counters[kIllegal] = static_cast<int64_t>(counts.illegal);
    state_.next = kFlip;
    if (counts.illegal > 0) return;
    flips_.leave_candidates();
    if (marking()) mesh_.clear_states();
    state_.next = kNone;
}

/// All flip passes in one go: the same kernels, but the host does not look at every pass.
PassResult Strips::flip_until_legal() {
    PassResult result;
    result.pass = kClaim;
    state_.round = 2;
    result.counters.assign(kCounters, 0);
    result.counters[kZipped] = result.counters[kClosed] = kNotCounted;
    flips_.run(mesh_view(), mesh_.edge_count, InCircleRule{}, kNone, [&](const FlipCounts& counts) {
        ++state_.iteration;
        result.counters[kIllegal] += static_cast<int64_t>(counts.illegal);
        result.counters[kQueued] += static_cast<int64_t>(counts.queued);
        result.counters[kGranted] += static_cast<int64_t>(counts.granted);
        result.counters[kDeferred] += static_cast<int64_t>(counts.deferred);
        return true;
    });
    result.counters[kFlipped] = result.counters[kGranted];
    result.ended = Level::kEnd;
    result.round = state_.round;
    state_.next = kNone;
    return result;
}

MeshView Strips::mesh_view() const {
    MeshView view = mesh_.view();
    if (!marks_) view.vertex_states = view.edge_states = view.triangle_states = {};
    return view;
}

// ---- hash, saving and loading ---------------------------------------------------------------------------------------

uint64_t Strips::state_hash() const {
    uint64_t hash = mesh_hash();
    const uint32_t words[] = {state_.next, state_.round, state_.joined, flips_.run_state.queued};
    for (const uint32_t word : words) hash = mix64(hash ^ word);
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        if (count) hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (state_.joined) add(flips_.worklist(), flips_.worklist_size());
    return hash;
}

Snapshot Strips::save() const {
    const bool unflipped = state_.next == kClaim && state_.iteration == 0;
    if (state_.next != kOrder && !unflipped && !done())
        throw std::logic_error("strips can be saved before the first pass, before the first flip and at the end only");
    Snapshot snapshot;
    RunState run_state = state_;
    run_state.flips = flips_.run_state;
    put_values(snapshot, &run_state, 1);
    save_mesh(snapshot);
    put_block(snapshot, flips_.worklist(), flips_.worklist_size());
    return snapshot;
}

void Strips::load(const Snapshot& snapshot, size_t beside) {
    if (snapshot.blocks.size() != 2 + kMeshBlocks + beside || snapshot.blocks[0].size() != sizeof(RunState))
        throw std::logic_error("not a snapshot of a triangulation by strips");
    require_mesh_fits(snapshot, 1);
    RunState run_state;
    take_values(snapshot, 0, &run_state, 1);
    require_count<uint32_t>(snapshot, 1 + kMeshBlocks, run_state.flips.all ? 0 : run_state.flips.queued);
    state_ = run_state;
    flips_.run_state = state_.flips;
    load_mesh(snapshot, 1);
    if (!state_.joined) return;
    flips_.restore_list(snapshot, 1 + kMeshBlocks);
}

}  // namespace flipscope
