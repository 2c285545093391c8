#include "delaunay/constructions/strips.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "compute/primitives.h"
#include "delaunay/constructions/rounds.h"
#include "delaunay/constructions/seed.h"
#include "delaunay/constructions/strips_kernels.h"
#include "delaunay/flip/flip_in_regions.h"
#include "mesh/checks.h"

namespace flipscope {

namespace {

/// For display: the edges made since it ran last. Edges that do not exist yet have no corner.
struct MarkMadeEdges {
    View<const uint32_t> edges;
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        constexpr State kKnown = kStateChosen;  // reused on edges, where it has no meaning
        if (edges[2 * e] == kNone) return;
        states[e] = states[e] == 0 ? State(kStateFresh) : kKnown;
    }
};

}  // namespace

void Strips::reset(Context& context, const InputPoints& input, const StripsOptions& options) {
    begin(context, input);
    context.set_block_size(options.block_size / 32 * 32);
    options_ = options;
    state_ = {};
    state_.next = kOrder;
    strips_.count = 0;
    flips_.reset(context, 0, ConflictRule::kLowestId);
}

void Strips::finish(const AfterRound& after_round, uint32_t rounds) {
    {
        // After the chains are joined, only the marks of stepping are left.
        const MarksMeanwhile marks(*this, rounds <= 1);
        run_rounds(
            std::vector<int64_t>(kCounters, 0), {}, after_round,
            [&] { return !done() && !(state_.next == kClaim && state_.iteration == 0 && state_.round >= rounds); },
            [&] {
                if (state_.next == kClaim) return flip_until_legal();
                return state_.next == kZip && !marks_ ? join() : run(state_.next);
            });
    }
    if (done() && mesh_.records_states()) mesh_.clear_states();  // as stepping leaves them
}

PassResult Strips::run(uint32_t pass) {
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(pass, kCounters);
    constexpr void (Strips::*kRuns[])(PassResult&) = {&Strips::order, &Strips::chain,    &Strips::zip,
                                                      &Strips::close, &Strips::legalise, &Strips::claim,
                                                      &Strips::flip,  &Strips::repair};
    run_from(*this, kRuns, result);
    result.iteration = pass >= kClaim ? state_.iteration : 0;
    result.close(state_.next, state_.round);
    return result;
}

void Strips::order(PassResult&) {
    const size_t n = input_count();
    const auto wanted =
        static_cast<uint32_t>(std::max(1.0, std::round(options_.strips * std::sqrt(static_cast<double>(n)))));
    order_input_in_strips(wanted, strips_, work_.memory());
    if (distinct_ == 0) {
        state_.next = kNone;
        return;
    }
    state_.round = 1;
    state_.next = kChain;
}

ZipView Strips::zip_view() const {
    const auto part = [&](uint32_t k) {
        return View<uint32_t>{work_.view().data + k * 2 * size_t(distinct_), 2 * size_t(distinct_)};
    };
    return {mesh_.view(), strips_.begins.view(), strips_.strip_of.view(), part(0), part(1), part(2),
            distinct_,    strips_.count};
}

void Strips::chain(PassResult&) {
    Context& context = *context_;
    if (distinct_ < 3) {
        join_line();
        state_.next = kNone;
        return;
    }
    mesh_.reset(context, distinct_, will_record_states_);
    place_infinite();
    if (marking()) mesh_.edges.fill_bytes(0xFF);  // edges that do not exist yet have no corner
    work_.resize(context, 6 * size_t(distinct_) + 2 * regions().edge_room(), false);
    if (context.on_cuda())
        launch(context, "chain", 2 * distinct_, ChainPoints{zip_view()});
    else
        launch(context, "chain", (distinct_ - 1) / ChainRunOfPoints::kLength + 1, ChainRunOfPoints{{zip_view()}});
    mark_made();
    state_.next = kZip;
}

void Strips::zip(PassResult& result) {
    launch_zip(false, flips_.cleared_block_sums());
    state_.zipped = static_cast<uint32_t>(flips_.read_sums(0).value[0]);
    mark_made();
    result.counters[kZipped] = state_.zipped;
    state_.next = kClose;
}

void Strips::close(PassResult& result) {
    launch_zip(true, flips_.cleared_block_sums());
    const uint64_t closed = flips_.read_sums(0).value[0];
    result.counters[kClosed] = static_cast<int64_t>(closed);
    mark_made();
    make_room();
    if (is_line(state_.zipped + closed)) {
        result.ended = Level::kRound;
        return;
    }
    state_.joined = 1;
    state_.next = kLegalise;
}

void Strips::legalise(PassResult& result) {
    if (marking()) mesh_.clear_states();
    flips_.clear_words();
    launch_legalise(flips_.block_sums(0));
    const FlipMachine::Words words = flips_.read_words();
    result.counters[kFlipped] = static_cast<int64_t>(words.sums[0].value[0]);
    flips_.end_stamps(flips_.run_state.stamp + static_cast<uint32_t>(words.listed));
    queue_between_regions();
    result.ended = Level::kRound;
    state_.next = kClaim;
}

/// Zip, close and legalise in one go: the same kernels, with one read-back.
PassResult Strips::join() {
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(kLegalise, kCounters);
    result.ended = Level::kRound;
    make_room();
    flips_.clear_words();
    launch_zip(false, flips_.block_sums(0));
    launch_zip(true, flips_.block_sums(1));
    launch_legalise(flips_.block_sums(2));
    const auto words = flips_.read_words();
    const uint64_t zipped = words.sums[0].value[0], closed = words.sums[1].value[0];
    state_.zipped = static_cast<uint32_t>(zipped);
    result.counters[kZipped] = static_cast<int64_t>(zipped);
    result.counters[kClosed] = static_cast<int64_t>(closed);
    if (!is_line(zipped + closed)) {
        result.counters[kFlipped] = static_cast<int64_t>(words.sums[2].value[0]);
        state_.joined = 1;
        flips_.end_stamps(flips_.run_state.stamp + static_cast<uint32_t>(words.listed));
        queue_between_regions();
        state_.next = kClaim;
    }
    result.close(state_.next, state_.round);
    return result;
}

/// About as many triangles as in four pairs of strips; for many points at least enough to keep the threads of a block
/// busy. For few points regions stay small, so that flips are left where two regions meet.
Regions Strips::regions() const {
    const uint32_t all = 2 * distinct_ - 2, least = distinct_ > 512 ? 4096 : 0;
    const uint32_t wanted = options_.region > 0 ? options_.region : std::max(least, 4 * (all / strips_.count));
    return Regions::of(std::min(wanted, all), all);
}

void Strips::make_room() {
    mesh_.triangle_count = 2 * distinct_ - 2;
    mesh_.edge_count = 3 * distinct_ - 3;
    flips_.reset(*context_, mesh_.triangles.size() / 3, ConflictRule::kLowestId);
}

void Strips::launch_zip(bool outline, View<uint64_t> sums) {
    launch(*context_, outline ? "close.pieces" : "zip.pieces", ZipPieces::threads(distinct_),
           ZipPieces{{zip_view()}, outline}, sums);
    if (outline)
        launch(*context_, "close", 2 * strips_.count, CloseOutline{{zip_view()}}, sums);
    else
        launch(*context_, "zip", 2 * distinct_, ZipStrips{zip_view()}, sums);
}

void Strips::launch_legalise(View<uint64_t> sums) {
    // Reuses the scratch memory of the zipping.
    const Regions regions = this->regions();
    const size_t room = size_t(regions.count()) * regions.edge_room();
    const FlipPass pass = flips_.pass(mesh_view());
    flips_.begin_stamps();
    launch_regions(*context_,
                   {mesh_view(),
                    regions,
                    pass.claims,
                    pass.changed_in,
                    pass.stamp + 1,
                    {{work_.view().data, room}, {work_.view().data + room, room}},
                    flips_.listed_word()},
                   sums);
    compact(*context_, "legalise.queue", mesh_.edge_count,
            EdgesBetweenRegions{mesh_.corner_of.view(), regions, work_.view()}, flips_.totals());
}

/// The worklist has room for the existing edges, not for the maximum.
void Strips::queue_between_regions() {
    const uint32_t count = flips_.read_total();
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, count, false);
    launch(*context_, "legalise.queue", count, CopyList{work_.view(), list.view()});
    flips_.take_spare_list(count);
    const size_t room = work_.size() / 2;
    flips_.lend_lists({work_.view().data, room}, {work_.view().data + room, room});
}

/// Without triangles all points may be on one line; then the run is finished.
bool Strips::is_line(uint64_t triangles) {
    if (triangles > 0 || find_first_triangle(*context_, mesh_.positions.view(), distinct_, bounds_).found())
        return false;
    join_line();
    state_.next = kNone;
    return true;
}

void Strips::mark_made() {
    if (marking())
        launch(*context_, "watch.made", 3 * distinct_ - 3, MarkMadeEdges{mesh_.edges.view(), mesh_.edge_states.view()});
}

void Strips::claim(PassResult& result) {
    state_.round = 2;
    ++state_.iteration;
    const MeshView view = mesh_view();
    const auto claim = [&] { return flips_.claim(view, InCircleRule{}); };
    state_.next = kFlip;
    if (run_claim(*context_, mesh_, view, kQueued, result, claim) > 0) return;
    flips_.leave_candidates();
    state_.next = kNone;
}

void Strips::flip(PassResult& result) {
    run_flip(flips_, mesh_view(), false, kQueued, result);
    state_.next = kRepair;
}

void Strips::repair(PassResult& result) {
    flips_.repair(mesh_view(), mesh_.edge_count);
    result.ended = Level::kIteration;
    state_.next = kClaim;
}

/// All flip passes in one go: the same kernels, without a read-back after every pass.
PassResult Strips::flip_until_legal() {
    PassResult result = PassResult::of(kClaim, kCounters, 0);
    state_.round = 2;
    result.counters[kZipped] = result.counters[kClosed] = kNotCounted;
    flips_.run(mesh_view(), mesh_.edge_count, InCircleRule{}, kNone, [&](const FlipCounts& counts) {
        count_flip_pass(counts, kQueued, result);
        return true;
    });
    state_.next = kNone;
    result.close(state_.next, state_.round);
    return result;
}

uint64_t Strips::state_hash() const {
    const uint64_t hash = hash_words({state_.next, state_.round, state_.joined, flips_.run_state.queued}, mesh_hash());
    const uint32_t queued = state_.joined ? flips_.worklist_size() : 0;
    return queued ? hash_words(*context_, words_of(flips_.worklist(), queued), hash) : hash;
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
    const auto run_state = load_run_state<RunState>(snapshot, 2 + kMeshBlocks + beside, "a triangulation by strips");
    require_mesh_fits(snapshot, 1);
    require_count<uint32_t>(snapshot, 1 + kMeshBlocks, run_state.flips.all ? 0 : run_state.flips.queued);
    state_ = run_state;
    load_mesh(snapshot, 1);
    // The buffers may belong to another run.
    flips_.reset(*context_, state_.joined ? mesh_.triangles.size() / 3 : 0, ConflictRule::kLowestId);
    flips_.restore_run(state_.flips);
    if (!state_.joined) return;
    flips_.restore_list(snapshot, 1 + kMeshBlocks);
}

}  // namespace flipscope
