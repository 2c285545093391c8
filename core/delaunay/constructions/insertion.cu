// Parallel insertion, pass by pass. One round is
//
//   vote → split → link → (claim → flip → repair) until a claim finds nothing illegal → relocate
//
// until no point waits. Each function below is one pass: it launches the kernels of split.h and flip.h, reads a few
// counts, and chooses the next pass. step() runs one of them; finish() runs them all, with insertion_kernels.h and
// flip_fast.h, without state words and with fewer read-backs, and must end in the same state.
#include "delaunay/constructions/insertion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/constructions/rounds.h"
#include "delaunay/constructions/seed.h"
#include "delaunay/constructions/walk_path.h"
#include "mesh/checks.h"

namespace flipscope {

namespace {

void require_room_around(const Bounds& bounds, const std::string& name) {
    for (const double v : {bounds.low.x, bounds.low.y, bounds.high.x, bounds.high.y})
        if (std::fabs(v) > kMaxCoordinate / 16)
            throw Error(name +
                        ": coordinates are too large for a finite supertriangle; choose the enclosure "
                        "\"infinity\"");
}

}  // namespace

bool starts_from_sample(const InsertionOptions& options, uint32_t distinct) {
    return options.start == InsertionStart::kSample && options.predicate == PredicateMode::kExact && options.flips &&
           options.enclosure == Enclosure::kInfinity && distinct >= options.fewest_sampled;
}

void Insertion::reset(Context& context, const InputPoints& input, const InsertionOptions& options) {
    if (options.enclosure == Enclosure::kSupertriangle) {
        const std::string& name = input.geometry->name;
        for (const Point& p : input.geometry->points) require_room_around({p, p}, name);
        if (input.resident) require_room_around(bounds_of(context, input.resident), name);
    }
    begin(context, input);
    context.set_block_size(options.block_size / 32 * 32);
    options_ = options;
    voted_ = false;
    state_ = {};
    state_.next = kOrder;
    flips_.reset(context, 0, options_.conflict);
}

void Insertion::finish(const AfterRound& after_round, uint32_t rounds) {
    {
        const MarksMeanwhile marks(*this);
        run_rounds(
            std::vector<int64_t>(kCounters, 0), {kUninserted}, after_round,
            [&] { return !done() && !(state_.next == kVote && state_.round >= rounds); },
            [&] {
                if (runs_rounds_at_once()) return round_at_once();
                const bool only_flips = state_.next == kClaim && flips_to_the_end();
                return only_flips ? flip_until_legal() : run(state_.next);
            });
    }
    if (mesh_.records_states()) {  // the marks that stepping leaves
        mesh_.clear_states();
        mark_waiting();
        if (state_.cycling) flips_.mark_cycle(mesh_view());
    }
}

PassResult Insertion::run(uint32_t pass) {
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(pass, kCounters);
    constexpr void (Insertion::*kRuns[])(PassResult&) = {&Insertion::order, &Insertion::seed,   &Insertion::vote,
                                                         &Insertion::split, &Insertion::link,   &Insertion::claim,
                                                         &Insertion::flip,  &Insertion::repair, &Insertion::relocate};
    run_from(*this, kRuns, result);
    result.iteration = pass == kClaim || pass == kFlip || pass == kRepair ? state_.iteration : 0;
    result.close(state_.next, state_.round);
    return result;
}

void Insertion::order(PassResult& result) {
    order_input(finite_enclosure() ? 3 : 0);
    state_.waiting = distinct_;
    state_.next = distinct_ ? uint32_t(kSeed) : kNone;
    result.counters[kUninserted] = distinct_;
}

void Insertion::seed(PassResult& result) {
    if (!(starts_from_sample(options_, distinct_) && seed_with_sample()) && !seed_with_triangle()) {
        state_.waiting = 0;
        join_line();
        end_early(result);
        return;
    }
    state_.triangles = mesh_.triangle_count;
    state_.edges = mesh_.edge_count;
    locate();
    mark_waiting();
    result.counters[kInserted] = helpers_ ? 0 : distinct_ - state_.waiting;
    result.counters[kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(kVote) : kNone;
}

bool Insertion::seed_with_sample() {
    const uint32_t stride = sample_stride(distinct_);
    if (!sample_.triangulate(*context_, mesh_, distinct_, bounds_, stride)) return false;
    start_mesh(0);
    sample_.place_into(*context_, mesh_);
    star_ = sample_.centre();
    make_room();
    state_.waiting = distinct_ - sample_.size();
    launch(*context_, "seed.start", state_.waiting, WaitBesideSample{waiting(0), stride, sample_.triangles()});
    return true;
}

/// False: all points lie on one line.
bool Insertion::seed_with_triangle() {
    Context& context = *context_;
    const View<const Point> positions = mesh_.positions.view();
    FirstTriangle first = find_first_triangle(context, positions, distinct_, bounds_);
    if (!first.found()) return false;
    if (finite_enclosure()) {
        Point corners[3];
        make_supertriangle(context, positions, distinct_, bounds_, corners);
        first.a = distinct_, first.b = distinct_ + 1, first.c = distinct_ + 2;
        first.centre = {corners[0], corners[1], corners[2]};
        for (uint32_t k = 0; k < 3; ++k) {
            mesh_.positions.write(distinct_ + k, corners[k]);
            // Their rank in ties comes from an index that no input point has.
            mesh_.inputs.write(distinct_ + k, name_end() + k);
        }
    }
    star_ = first.centre;
    start_mesh(finite_enclosure() ? 3 : 0);
    mesh_.start(*context_, first.a, first.b, first.c);
    make_room();
    compact(context, "seed.start", distinct_, StartWaiting{waiting(0), first.a, first.b, first.c}, flips_.totals());
    state_.waiting = flips_.read_total();
    return true;
}

void Insertion::make_room() {
    const size_t triangle_room = mesh_.triangles.size() / 3;
    flips_.reset(*context_, triangle_room, options_.conflict);
    flips_.clear_claims();
    for (uint32_t k = 0; k < 2; ++k) {
        waiting_ids_[k].resize(*context_, distinct_, false);
        waiting_locations_[k].resize(*context_, distinct_, false);
    }
    state_.current = 0;
}

void Insertion::vote(PassResult& result) {
    if (naive() && state_.round >= most_naive_rounds()) {
        end_early(result);
        return;
    }
    ++state_.round;
    state_.iteration = 0;
    const Waiting now = waiting(state_.current);
    if (!voted_) launch(*context_, "vote", state_.waiting, VoteForPoint{mesh_view(), now, votes(), options_.vote});
    voted_ = false;
    if (marking()) launch(*context_, "watch.vote", state_.waiting, MarkWinningVotes{mesh_view(), now, votes()});
    result.counters[kUninserted] = state_.waiting;
    state_.next = kSplit;
}

/// `total`: receives their number, at most that of the result.
uint32_t Insertion::choose(View<uint32_t> total) {
    const Waiting now = waiting(state_.current);
    compact(*context_, "split.choose", state_.waiting,
            ChoosePoints{mesh_view(), now, {waiting(1 - state_.current), state_.waiting}, votes()}, total);
    flips_.lend_outcomes(now.ids, now.locations);  // not used again in this round
    return std::min(state_.waiting, state_.triangles);
}

void Insertion::count_split(uint32_t chosen, uint64_t on_edge) {
    state_.chosen = chosen;
    state_.on_edge = static_cast<uint32_t>(on_edge);
    state_.waiting -= chosen;
    state_.current = 1 - state_.current;
    state_.triangles += 2 * chosen;
    state_.edges += 3 * chosen;
    mesh_.triangle_count = state_.triangles;
    mesh_.edge_count = state_.edges;
}

void Insertion::split(PassResult& result) {
    choose(flips_.totals());
    const uint32_t chosen = flips_.read_total();
    ++flips_.run_state.stamp;
    launch(*context_, "split", chosen, SplitTriangle{split_pass()}, flips_.cleared_block_sums());
    count_split(chosen, flips_.read_sums(0).value[0]);
    result.counters[kInserted] = state_.chosen;
    result.counters[kUninserted] = state_.waiting;
    state_.next = kLink;
}

void Insertion::link(PassResult&) {
    Context& context = *context_;
    launch(context, "link", state_.chosen, LinkNeighbours{split_pass()});

    const FlipPass pass = flip_pass();
    const uint32_t queued = flips_.run_state.queued;
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(context, size_t(queued) + 3 * size_t(state_.chosen), false);
    uint32_t kept = 0;
    if (queued) {
        compact(context, "link.keep", queued, KeepWorklist{pass, list.view()}, flips_.totals());
        kept = flips_.read_total();
    }
    const CollectWorklist collect{pass, {list.view().data + kept, list.size() - kept}};
    compact(context, "link.queue", state_.chosen, QueueSplit{split_pass(), collect}, flips_.totals());
    flips_.take_spare_list(kept + flips_.read_total());
    state_.chosen = 0;
    flips_.start_cycle_check();
    choose_scope();
}

/// Sets the pass after link, repair or a claim that found nothing: another flip pass and its worklist, or relocation.
void Insertion::choose_scope() {
    const bool over_limit = options_.flip_limit > 0 && state_.waiting > 0 && state_.iteration >= options_.flip_limit;
    state_.scope = !options_.flips || over_limit ? FlipScope::kFlatOnly : FlipScope::kAll;
    // After the limit flat triangles still flip, until a pass finds none.
    const bool flat_left = state_.on_edge > 0 && !(state_.iteration > 0 && flips_.run_state.illegal == 0 &&
                                                   state_.scope == FlipScope::kFlatOnly);
    const bool more = flips_.run_state.queued > 0 && (state_.scope == FlipScope::kAll || flat_left);
    if (!more && !options_.flips) flips_.run_state.queued = 0;
    state_.next = more ? kClaim : kRelocate;
}

void Insertion::claim(PassResult& result) {
    ++state_.iteration;
    const MeshView view = mesh_view();
    const uint64_t illegal =
        run_claim(*context_, mesh_, view, kQueued, result, [&] { return flips_.claim(view, rule()); });
    state_.next = kFlip;
    if (illegal == 0) {  // nothing to flip, so nothing to repair
        flips_.leave_candidates();
        result.ended = Level::kIteration;
        choose_scope();
    } else if (naive() && flips_.repeats_itself()) {
        state_.cycling = 1;
        if (marking()) flips_.mark_cycle(mesh_view());
        end_early(result);
    }
}

/// All flip passes of a round in one go: the same kernels, without a read-back after every pass.
PassResult Insertion::flip_until_legal() {
    PassResult result = PassResult::of(kRepair, kCounters, 0);
    result.counters[kInserted] = result.counters[kUninserted] = kNotCounted;
    flips_.run(mesh_view(), state_.edges, rule(), kNone, [&](const FlipCounts& counts) {
        ++state_.iteration;
        count_flip_pass(counts, kQueued, result);
        return true;
    });
    result.ended = Level::kIteration;
    result.round = state_.round;
    state_.next = kRelocate;
    return result;
}

/// Whether every round flips until nothing is illegal, with predicates for which flips end.
bool Insertion::flips_to_the_end() const { return !naive() && options_.flips && options_.flip_limit == 0; }

bool Insertion::runs_rounds_at_once() const {
    return state_.next == kVote && flips_to_the_end() && flips_.run_state.queued == 0;
}

/// Makes room for the outer edges of this many split triangles.
View<uint32_t> Insertion::worklist_of(uint32_t chosen) {
    if (context_->on_cuda()) return flips_.first_worklist(state_.edges + 3 * chosen);
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, 3 * size_t(chosen), false);
    return list.view();
}

/// The passes from split on, with a few iterations of flips.
FlipMachine::Passes Insertion::launch_split_and_flips(const SplitPass& split, Extent chosen, View<uint32_t> list) {
    Context& context = *context_;
    const uint32_t edges = state_.edges + 3 * chosen.bound;
    const uint64_t likely = 2 * uint64_t(chosen.bound);
#if defined(__CUDACC__)
    if (context.on_cuda() && 3 * chosen.bound <= FlipMachine::kFewer)
        return flips_.launch_passes_of_few(mesh_view(), edges, rule(), list, FlipMachine::kMostPasses, likely,
                                           SplitInOneCluster{split, chosen, list, flips_.listed_word().data,
                                                             flips_.claimed_word().data, flips_.guest_words(0).data});
#endif
    launch(context, "split", chosen, SplitTriangle{split}, flips_.guest_words(0));
    launch(context, "link", chosen, LinkNeighbours{split});
    compact(context, "link.queue", chosen, QueueSplit{split, {split.pass, list}}, flips_.listed_word());
    return flips_.launch_passes(mesh_view(), edges, rule(), Extent(flips_.listed_word(), 3 * chosen.bound), list,
                                context.on_cuda() ? FlipMachine::kMostPasses : 1, likely);
}

/// A whole round in one go: each kernel runs over the count that the one before left on the device, and the host reads
/// once, if the flips end soon.
PassResult Insertion::round_at_once() {
    Context& context = *context_;
    context.throw_if_cancelled();
    PassResult result = PassResult::of(kRelocate, kCounters, 0);
    vote(result);
    state_.scope = FlipScope::kAll;
    flips_.clear_words();

    Extent chosen(flips_.also_listed_word(), choose(flips_.also_listed_word()));
    if (!context.on_cuda()) chosen = chosen.resolve();

    ++flips_.run_state.stamp;
    const SplitPass split = split_pass();
    FlipMachine::Passes passes = launch_split_and_flips(split, chosen, worklist_of(chosen.bound));
    // Flips are mostly finished by now, so the device need not be signalled to stop.
    if (context.on_cuda())
        launch_relocation(Extent::rest_of(flips_.also_listed_word(), state_.waiting, flips_.left_word(passes)),
                          waiting(1 - state_.current));
    const FlipMachine::Words words = flips_.read_words();
    const bool relocated = context.on_cuda() && words.totals[passes.count - 1] == 0;
    count_split(static_cast<uint32_t>(words.also_listed), words.guests[0].value[0]);
    result.counters[kInserted] = std::exchange(state_.chosen, 0);
    flips_.end_passes(
        mesh_view(), state_.edges, rule(), passes, words.listed, kNone,
        [&](const FlipCounts& counts) {
            ++state_.iteration;
            count_flip_pass(counts, kQueued, result);
            return true;
        },
        &words);

    voted_ = true;
    if (!relocated) launch_relocation(state_.waiting, waiting(state_.current));
    result.counters[kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(kVote) : kNone;
    result.close(state_.next, state_.round);
    return result;
}

void Insertion::flip(PassResult& result) {
    run_flip(flips_, mesh_view(), naive(), kQueued, result);
    state_.next = kRepair;
}

void Insertion::repair(PassResult& result) {
    flips_.repair(mesh_view(), state_.edges);
    result.ended = Level::kIteration;
    choose_scope();
}

void Insertion::relocate(PassResult& result) {
    locate();
    if (marking()) {
        mesh_.clear_states();
        mark_waiting();
    }
    result.counters[kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(kVote) : kNone;
}

/// Locates all waiting points. If no states are recorded, they vote at once.
void Insertion::locate() {
    voted_ = !marks_;
    if (voted_)
        launch_relocation(state_.waiting, waiting(state_.current));
    else
        launch(*context_, "relocate", state_.waiting, relocation(waiting(state_.current)));
}

std::vector<uint32_t> Insertion::walk_to(uint32_t vertex) const {
    const bool linked = state_.next == kVote || state_.next == kSplit || state_.next == kClaim ||
                        state_.next == kFlip || state_.next == kRelocate;
    if (!linked || state_.waiting == 0 || mesh_.triangle_count == 0) return {};
    const uint32_t place = place_in_list(*context_, waiting_ids_[state_.current].view(), state_.waiting, vertex);
    if (place == kNone) return {};
    const uint32_t start = Location{waiting_locations_[state_.current].read(place)}.triangle();
    if (start >= mesh_.triangle_count) return {};
    return walk_path(*context_, {mesh_.view(), star_, mode(), most_steps()}, mesh_.positions.read(vertex), start,
                     kMostWalked);
}

RelocatePoint Insertion::relocation(const Waiting& list) const {
    return {{mesh_view(), star_, mode(), most_steps()}, list};
}

/// Locates waiting points, which then vote at once.
void Insertion::launch_relocation(Extent count, const Waiting& list) {
    const RelocateAndVote both{relocation(list), {mesh_view(), list, votes(), options_.vote}};
    if (naive()) {
        launch(*context_, "relocate.vote", count, both);
        return;
    }
    if (context_->on_cuda()) {
        launch(*context_, "relocate.vote", count, RelocateInWarp{both});
        return;
    }
    const uint32_t runs = (count.bound + RelocateRun::kLength - 1) / RelocateRun::kLength;
    launch(*context_, "relocate.vote", runs, RelocateRun{both, count.bound, count.bound / 128 >= state_.triangles});
}

void Insertion::mark_waiting() {
    if (!mesh_.records_states()) return;
    launch(*context_, "watch.waiting", state_.waiting,
           MarkVertices{waiting_ids_[state_.current].view(), mesh_.vertex_states.view(), kStateWaiting});
    for (uint32_t k = 0; k < helpers_; ++k) mesh_.vertex_states.write(distinct_ + k, kStateHelper);
}

void Insertion::end_early(PassResult& result) {
    state_.next = kNone;
    result.ended = Level::kEnd;
    result.counters[kUninserted] = state_.waiting;
}

SplitPass Insertion::split_pass() const {
    const bool before = state_.next == kSplit;  // the split itself has not counted its triangles yet
    return {flip_pass(),
            {waiting(before ? 1 - state_.current : state_.current), state_.waiting + (before ? 0 : state_.chosen)},
            votes(),
            state_.triangles - (before ? 0 : 2 * state_.chosen),
            state_.edges - (before ? 0 : 3 * state_.chosen)};
}

/// With exact predicates every walk ends. A walk with naive ones may cycle, and is cut off.
uint32_t Insertion::most_steps() const {
    return naive() ? 64 + 8 * static_cast<uint32_t>(std::sqrt(double(state_.triangles))) : kNone;
}

/// The number of rounds is logarithmic unless rounding has clustered the points; then they would enter one by one.
uint32_t Insertion::most_naive_rounds() const { return 64 + 8 * static_cast<uint32_t>(std::bit_width(distinct_)); }

uint64_t Insertion::state_hash() const {
    uint64_t hash =
        hash_words({state_.next, state_.round, state_.waiting, flips_.run_state.queued, state_.cycling}, mesh_hash());
    if (mesh_.triangle_count == 0) return hash;
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    add(waiting_ids_[state_.current], state_.waiting);
    add(waiting_locations_[state_.current], state_.waiting);
    if (const uint32_t queued = flips_.worklist_size()) add(flips_.worklist(), queued);
    return hash;
}

Snapshot Insertion::save() const {
    if (state_.next != kOrder && state_.next != kVote && !done())
        throw std::logic_error("an insertion can be saved before the first pass and at the end of a round only");
    Snapshot snapshot;
    RunState run_state = state_;
    run_state.flips = flips_.run_state;
    put_values(snapshot, &run_state, 1);
    save_mesh(snapshot);
    put_block(snapshot, waiting_ids_[state_.current], state_.triangles ? state_.waiting : 0);
    put_block(snapshot, waiting_locations_[state_.current], state_.triangles ? state_.waiting : 0);
    put_block(snapshot, flips_.worklist(), flips_.worklist_size());
    return snapshot;
}

void Insertion::load(const Snapshot& snapshot, size_t beside) {
    const auto run_state = load_run_state<RunState>(snapshot, 4 + kMeshBlocks + beside, "an insertion");
    require_mesh_fits(snapshot, 1);
    require_fits(snapshot, 1 + kMeshBlocks, waiting_ids_[0]);
    require_fits(snapshot, 2 + kMeshBlocks, waiting_locations_[0]);
    for (const size_t waiting : {1, 2})
        require_count<uint32_t>(snapshot, waiting + kMeshBlocks, run_state.triangles ? run_state.waiting : 0);
    require_count<uint32_t>(snapshot, 3 + kMeshBlocks, run_state.flips.all ? 0 : run_state.flips.queued);
    state_ = run_state;
    flips_.restore_run(state_.flips);
    load_mesh(snapshot, 1);
    voted_ = false;
    if (state_.triangles == 0) return;
    load_block(*context_, snapshot, 1 + kMeshBlocks, waiting_ids_[state_.current]);
    load_block(*context_, snapshot, 2 + kMeshBlocks, waiting_locations_[state_.current]);
    flips_.restore_list(snapshot, 3 + kMeshBlocks);
    mark_waiting();
}

}  // namespace flipscope
