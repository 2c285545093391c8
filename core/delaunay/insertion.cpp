// Parallel insertion, pass by pass. One round is
//
//   vote → split → link → (bid → flip → repair) until nothing is illegal → relocate
//
// and rounds go on until no point waits. Each function below is one pass: it launches the kernels of
// insertion_kernels.h and flip.h, reads a handful of counts, and says which pass is next. step() runs one of them;
// finish() runs them all, without state words and with fewer looks at the counts, and must end in the same state.
#include "delaunay/insertion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/seed.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_insertion() { return std::make_unique<Insertion>(); }

void Insertion::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (wished_.enclosure == int(Enclosure::kSupertriangle))
        for (const Point& p : input->points)
            if (std::max(std::fabs(p.x), std::fabs(p.y)) > kMaxCoordinate / 16)
                throw Error(input->name +
                            ": coordinates are too large for a finite supertriangle; choose the enclosure "
                            "\"infinity\"");
    begin(context, std::move(input));
    context.set_block_size(static_cast<uint32_t>(wished_.block_size) / 32 * 32);
    now_ = wished_;
    seen_.clear();
    voted_ = false;
    state_ = {};
    state_.next = kOrder;
    totals_.resize(context, 2);
    tallies_.resize(context, kTallyWidth);
}

StepResult Insertion::step() {
    if (done()) throw std::logic_error("the build is finished: reset it to start over");
    return run(state_.next);
}

void Insertion::finish(const std::function<void(const StepResult&)>& after_round) {
    marks_ = false;
    StepResult round;
    round.counters.assign(kCounters, 0);
    try {
        while (!done()) {
            const bool only_flips = state_.next == kBid && !naive() && now_.flips && now_.flip_limit == 0;
            const StepResult result = only_flips ? flip_until_legal() : run(state_.next);
            for (size_t k = 0; k < kCounters; ++k)
                if (result.counters[k] != kNotCounted) round.counters[k] += result.counters[k];
            join(round.message, result.message);
            if (result.ended < Level::kRound) continue;
            round.pass = result.pass;
            round.next = result.next;
            round.ended = result.ended;
            round.round = result.round;
            round.counters[kUninserted] = state_.waiting;
            if (after_round) after_round(round);
            round.counters.assign(kCounters, 0);
            round.message.clear();
        }
    } catch (...) {
        marks_ = true;
        throw;
    }
    marks_ = true;
    if (mesh_.watched()) {  // what stepping leaves behind
        mesh_.clear_states();
        mark_waiting();
        if (state_.cycling) launch(*context_, "watch.cycle", state_.suspects, MarkCycle{flip_pass()});
    }
}

// ---- the passes, in the order they run ------------------------------------------------------------------------------

StepResult Insertion::run(uint32_t pass) {
    StepResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    switch (pass) {
        case kOrder:
            order(result);
            break;
        case kSeed:
            seed(result);
            break;
        case kVote:
            vote(result);
            break;
        case kSplit:
            split(result);
            break;
        case kLink:
            link();
            break;
        case kBid:
            bid(result);
            break;
        case kFlip:
            flip(result);
            break;
        case kRepair:
            repair(result);
            break;
        default:
            relocate(result);
            break;
    }
    result.next = state_.next;
    result.round = state_.round;
    result.iteration = pass == kBid || pass == kFlip || pass == kRepair ? state_.iteration : 0;
    if (done()) result.ended = Level::kEnd;
    return result;
}

void Insertion::order(StepResult& result) {
    order_input(finite_enclosure() ? 3 : 0, result.message);
    state_.waiting = distinct_;
    state_.next = distinct_ ? uint32_t(kSeed) : kNone;
    result.counters[kUninserted] = distinct_;
}

void Insertion::seed(StepResult& result) {
    Context& context = *context_;
    const View<const Point> positions = mesh_.positions.view();
    FirstTriangle first = find_first_triangle(context, positions, distinct_, bounds_);
    if (!first.found()) {
        state_.waiting = 0;
        end_early(join_line(), result);
        return;
    }
    if (finite_enclosure()) {
        Point corners[3];
        make_supertriangle(context, positions, distinct_, bounds_, corners);
        first.a = distinct_, first.b = distinct_ + 1, first.c = distinct_ + 2;
        first.centre = {corners[0], corners[1], corners[2]};
        for (uint32_t k = 0; k < 3; ++k) {
            mesh_.positions.write(distinct_ + k, corners[k]);
            // Their rank in ties comes from an index that no input point has.
            mesh_.inputs.write(distinct_ + k, static_cast<uint32_t>(input_->points.size()) + k);
        }
    }
    star_ = first.centre;
    start_mesh(finite_enclosure() ? 3 : 0, first.a, first.b, first.c);
    state_.triangles = mesh_.triangle_count;
    state_.edges = mesh_.edge_count;

    const size_t triangle_room = mesh_.triangles.size() / 3;
    votes_.resize(context, triangle_room, false);
    bids_.resize(context, triangle_room, false);
    votes_.fill_bytes(0xFF);
    bids_.fill_bytes(0xFF);
    for (uint32_t k = 0; k < 2; ++k) {
        waiting_ids_[k].resize(context, distinct_, false);
        waiting_locations_[k].resize(context, distinct_, false);
    }
    state_.current = 0;
    expand(context, "seed.start", distinct_, StartWaiting{waiting(0), first.a, first.b, first.c}, totals_.view());
    state_.waiting = totals_.read(0);
    locate("seed.locate", "seed.locate.vote");
    mark_waiting();
    result.counters[kInserted] = helpers_ ? 0 : 3;
    result.counters[kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(kVote) : kNone;
}

void Insertion::vote(StepResult& result) {
    if (naive() && state_.round >= most_naive_rounds()) {
        end_early("After " + std::to_string(state_.round) + " rounds " + std::to_string(state_.waiting) +
                      " points still wait, many in one triangle: this precision cannot tell them apart. Stopped.",
                  result);
        return;
    }
    ++state_.round;
    state_.iteration = 0;
    const Waiting now = waiting(state_.current);
    if (!voted_)
        launch(*context_, "vote", state_.waiting,
               VoteForPoint{mesh_view(), now, votes_.view(), static_cast<VoteRule>(now_.vote)});
    voted_ = false;
    if (marking()) launch(*context_, "watch.vote", state_.waiting, MarkWinningVotes{mesh_view(), now, votes_.view()});
    result.counters[kUninserted] = state_.waiting;
    state_.next = kSplit;
}

void Insertion::split(StepResult& result) {
    Context& context = *context_;
    const uint32_t most = std::min(state_.waiting, state_.triangles);
    chosen_ids_.resize(context, most, false);
    chosen_locations_.resize(context, most, false);
    expand(context, "split.choose", state_.waiting,
           ChoosePoints{mesh_view(), waiting(state_.current), waiting(1 - state_.current), chosen_ids_.view(),
                        chosen_locations_.view(), votes_.view()},
           totals_.view());
    state_.chosen = totals_.read(0);
    state_.waiting -= state_.chosen;
    state_.current = 1 - state_.current;
    ++state_.stamp;
    clear_tallies();
    launch(context, "split", state_.chosen, SplitTriangle{split_pass()}, tallies_.view());
    state_.on_edge = static_cast<uint32_t>(read_tallies().value[0]);
    state_.triangles += 2 * state_.chosen;
    state_.edges += 3 * state_.chosen;
    mesh_.triangle_count = state_.triangles;
    mesh_.edge_count = state_.edges;
    result.counters[kInserted] = state_.chosen;
    result.counters[kUninserted] = state_.waiting;
    state_.next = kLink;
}

void Insertion::link() {
    Context& context = *context_;
    launch(context, "link", state_.chosen, LinkNeighbours{split_pass()});

    const FlipPass pass = flip_pass();
    Buffer<uint32_t>& list = suspects_[1 - state_.current_list];
    list.resize(context, size_t(state_.suspects) + 3 * size_t(state_.chosen), false);
    uint32_t kept = 0;
    if (state_.suspects) {
        expand(context, "link.keep", state_.suspects, KeepSuspects{pass, list.view()}, totals_.view());
        kept = totals_.read(0);
    }
    const CollectSuspects collect{pass, {list.view().data + kept, list.size() - kept}};
    expand(context, "link.suspect", state_.chosen, SuspectSplit{split_pass(), collect}, totals_.view());
    state_.suspects = kept + totals_.read(0);
    state_.current_list = 1 - state_.current_list;
    state_.chosen = 0;
    seen_.clear();
    state_.mesh_hash = 0;
    choose_scope();
}

/// Sets what comes after link or repair: another flip pass, and of which edges; or relocation.
void Insertion::choose_scope() {
    const bool over_limit = now_.flip_limit > 0 && state_.waiting > 0 && state_.iteration >= uint32_t(now_.flip_limit);
    state_.scope = !now_.flips || over_limit ? FlipScope::kFlatOnly : FlipScope::kAll;
    // Beyond the limit flat triangles still go, until a pass finds none.
    const bool flat_left =
        state_.on_edge > 0 && !(state_.iteration > 0 && state_.illegal == 0 && state_.scope == FlipScope::kFlatOnly);
    const bool more = state_.suspects > 0 && (state_.scope == FlipScope::kAll || flat_left);
    if (!more && !now_.flips) state_.suspects = 0;
    state_.next = more ? kBid : kRelocate;
}

void Insertion::bid(StepResult& result) {
    ++state_.stamp;
    ++state_.iteration;
    outcomes_.resize(*context_, state_.suspects, false);
    if (marking())
        launch(*context_, "watch.flips", state_.edges,
               ForgetFlips{mesh_.edge_states.view(), mesh_.triangle_states.view(), state_.edges, state_.triangles});
    clear_tallies();
    launch(*context_, "flip.bid", state_.suspects, BidForFlip{flip_pass(), naive()}, tallies_.view());
    const Tally tally = read_tallies();
    state_.illegal = static_cast<uint32_t>(tally.value[0]);
    state_.illegal_hash = tally.value[1];
    result.counters[kSuspected] = state_.suspects;
    result.counters[kIllegal] = state_.illegal;
    state_.next = kFlip;
    if (naive() && state_.illegal && repeats_itself()) {
        state_.cycling = 1;
        if (marking()) launch(*context_, "watch.cycle", state_.suspects, MarkCycle{flip_pass()});
        end_early(
            "The flips repeat themselves: with this precision both diagonals of some quadrilaterals look illegal. "
            "Stopped at round " +
                std::to_string(state_.round) + ", pass " + std::to_string(state_.iteration) +
                "; the cycling edges are marked.",
            result);
    }
}

/// All flip passes of a round in one go: the same kernels, but the host does not look at every pass. On CUDA a few
/// passes are launched blindly, sized on the device; those that find no suspect left do nothing.
StepResult Insertion::flip_until_legal() {
    Context& context = *context_;
    const uint32_t blind = context.on_cuda() ? kBlindPasses : 1;
    StepResult result;
    result.pass = kRepair;
    result.counters.assign(kCounters, kNotCounted);
    clear_tallies();
    uint64_t won = 0;
    while (state_.suspects) {
        Extent extent = state_.suspects;
        outcomes_.resize(context, blind > 1 ? state_.edges : state_.suspects, false);
        for (uint32_t k = 0; k < blind; ++k) {
            ++state_.stamp;
            FlipPass pass = flip_pass();
            launch(context, "flip.bid", extent, BidForFlip{pass, false}, tallies_.view());
            launch(context, "flip.flip", extent, FlipEdge{pass, false, 2}, tallies_.view());
            launch(context, "flip.repair", extent, RepairEdges{pass});
            // Behind a blind pass the next list can hold any edge; else the outer edges of every flip and the losers.
            size_t most = state_.edges;
            if (blind == 1) {
                const uint64_t before = std::exchange(won, read_tallies().value[2]);
                most = std::min(most, size_t(state_.suspects + 3 * (won - before)));
            }
            Buffer<uint32_t>& next = suspects_[1 - state_.current_list];
            next.resize(context, most, false);
            const View<uint32_t> total{totals_.view().data + k % 2, 1};
            append(context, "flip.collect", extent, CollectSuspects{pass, next.view()}, total);
            extent = Extent(total, state_.edges);
            state_.current_list = 1 - state_.current_list;
        }
        state_.iteration += blind;
        state_.suspects = totals_.read((blind - 1) % 2);
    }
    const Tally tally = read_tallies();
    result.counters[kIllegal] = static_cast<int64_t>(tally.value[0]);
    result.counters[kSuspected] = static_cast<int64_t>(tally.value[1]);
    result.counters[kWon] = result.counters[kFlipped] = static_cast<int64_t>(tally.value[2]);
    result.counters[kLost] = static_cast<int64_t>(tally.value[3]);
    result.ended = Level::kIteration;
    result.round = state_.round;
    state_.next = kRelocate;
    return result;
}

/// Whether this round has been here before: same triangles, same illegal edges.
bool Insertion::repeats_itself() { return !seen_.insert(mix64(state_.mesh_hash) ^ state_.illegal_hash).second; }

void Insertion::flip(StepResult& result) {
    clear_tallies();
    FlipPass pass = flip_pass();
    launch(*context_, "flip.flip", state_.suspects, FlipEdge{pass, naive(), 0}, tallies_.view());
    const Tally tally = read_tallies();
    if (marking()) launch(*context_, "watch.inconsistent", state_.suspects, MarkInconsistent{pass});
    state_.mesh_hash += tally.value[3];
    state_.won = static_cast<uint32_t>(tally.value[0]);
    result.counters[kWon] = result.counters[kFlipped] = state_.won;
    result.counters[kLost] = static_cast<int64_t>(tally.value[1]);
    state_.next = kRepair;
}

void Insertion::repair(StepResult& result) {
    Context& context = *context_;
    const FlipPass pass = flip_pass();
    launch(context, "flip.repair", state_.suspects, RepairEdges{pass});
    Buffer<uint32_t>& list = suspects_[1 - state_.current_list];
    const size_t most = size_t(state_.suspects) + 3 * size_t(state_.won);
    list.resize(context, std::min(most, size_t(state_.edges)), false);
    expand(context, "flip.collect", state_.suspects, CollectSuspects{pass, list.view()}, totals_.view());
    state_.suspects = totals_.read(0);
    state_.current_list = 1 - state_.current_list;
    result.ended = Level::kIteration;
    choose_scope();
}

void Insertion::relocate(StepResult& result) {
    locate("relocate", "relocate.vote");
    if (marking()) {
        mesh_.clear_states();
        mark_waiting();
    }
    result.counters[kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(kVote) : kNone;
    if (done() && helpers_)
        if (const size_t lost = lost_hull_edges().size() / 2)
            result.message = std::to_string(lost) + (lost == 1 ? " edge" : " edges") +
                             " of the convex hull got lost: the finite supertriangle is not far enough away.";
}

/// Finds all waiting points. When nobody watches, they vote at once.
void Insertion::locate(const char* label, const char* label_with_vote) {
    const Waiting now = waiting(state_.current);
    const RelocatePoint relocate{{mesh_view(), star_, mode(), most_steps()}, now};
    voted_ = !marks_;
    if (!voted_) {
        launch(*context_, label, state_.waiting, relocate);
        return;
    }
    const RelocateAndVote both{relocate, {mesh_view(), now, votes_.view(), static_cast<VoteRule>(now_.vote)}};
    if (context_->on_cuda() || naive()) {
        launch(*context_, label_with_vote, state_.waiting, both);
        return;
    }
    const uint32_t runs = (state_.waiting + RelocateRun::kLength - 1) / RelocateRun::kLength;
    launch(*context_, label_with_vote, runs,
           RelocateRun{both, state_.waiting, state_.waiting / 128 >= state_.triangles});
}

// ---- small helpers --------------------------------------------------------------------------------------------------

void Insertion::mark_waiting() {
    if (!mesh_.watched()) return;
    launch(*context_, "watch.waiting", state_.waiting,
           MarkVertices{waiting_ids_[state_.current].view(), mesh_.vertex_states.view(), kStateWaiting});
    for (uint32_t k = 0; k < helpers_; ++k) mesh_.vertex_states.write(distinct_ + k, kStateHelper);
}

void Insertion::end_early(const std::string& why, StepResult& result) {
    state_.next = kNone;
    result.ended = Level::kEnd;
    join(result.message, why);
}

MeshView Insertion::mesh_view() const {
    MeshView view = mesh_.view();
    if (!marks_) view.vertex_states = view.edge_states = view.triangle_states = {};
    return view;
}

FlipPass Insertion::flip_pass() const {
    return {mesh_view(), suspects_[state_.current_list].view(),    outcomes_.view(), bids_.view(), state_.stamp,
            mode(),      static_cast<ConflictRule>(now_.conflict), state_.scope};
}

SplitPass Insertion::split_pass() const {
    const bool before = state_.next == kSplit;  // the split itself has not counted its triangles yet
    return {flip_pass(),
            chosen_ids_.view(),
            chosen_locations_.view(),
            votes_.view(),
            state_.triangles - (before ? 0 : 2 * state_.chosen),
            state_.edges - (before ? 0 : 3 * state_.chosen)};
}

/// With exact predicates every walk arrives. Naive ones may lead it in circles: then it is cut off.
uint32_t Insertion::most_steps() const {
    return naive() ? 64 + 8 * static_cast<uint32_t>(std::sqrt(double(state_.triangles))) : kNone;
}

/// Rounds take logarithmic time unless rounding has thrown the points together; then they would come in one by one.
uint32_t Insertion::most_naive_rounds() const { return 64 + 8 * static_cast<uint32_t>(std::bit_width(distinct_)); }

Tally Insertion::read_tallies() {
    Tally tally;
    tallies_.download(tally.value, kTallyWidth);
    return tally;
}

// ---- hash, saving and loading ---------------------------------------------------------------------------------------

uint64_t Insertion::state_hash() const {
    uint64_t hash = mesh_hash();
    const uint32_t words[] = {state_.next, state_.round, state_.waiting, state_.suspects, state_.cycling};
    for (const uint32_t word : words) hash = mix64(hash ^ word);
    if (mesh_.triangle_count == 0) return hash;
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        hash = hash_words(*context_, buffer.view().first(count), hash);
    };
    add(waiting_ids_[state_.current], state_.waiting);
    add(waiting_locations_[state_.current], state_.waiting);
    if (state_.suspects) add(suspects_[state_.current_list], state_.suspects);
    return hash;
}

Snapshot Insertion::save() const {
    if (state_.next != kOrder && state_.next != kVote && !done())
        throw std::logic_error("the build can be saved before the first pass and at the end of a round only");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    save_mesh(snapshot);
    put_block(snapshot, waiting_ids_[state_.current], state_.triangles ? state_.waiting : 0);
    put_block(snapshot, waiting_locations_[state_.current], state_.triangles ? state_.waiting : 0);
    put_block(snapshot, suspects_[state_.current_list], state_.suspects);
    return snapshot;
}

void Insertion::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() != 4 + kMeshBlocks || snapshot.blocks[0].size() != sizeof(Moment))
        throw std::logic_error("not a snapshot of the Build lab");
    require_mesh_fits(snapshot, 1);
    require_fits(snapshot, 1 + kMeshBlocks, waiting_ids_[0]);
    take_values(snapshot, 0, &state_);
    load_mesh(snapshot, 1);
    seen_.clear();
    voted_ = false;
    if (state_.triangles == 0) return;
    take_block(*context_, snapshot, 1 + kMeshBlocks, waiting_ids_[state_.current]);
    take_block(*context_, snapshot, 2 + kMeshBlocks, waiting_locations_[state_.current]);
    suspects_[state_.current_list].resize(*context_, state_.suspects, false);
    take_block(*context_, snapshot, 3 + kMeshBlocks, suspects_[state_.current_list]);
    votes_.fill_bytes(0xFF);
    bids_.fill_bytes(0xFF);  // stamps start again from the saved one
    mark_waiting();
}

}  // namespace flipscope
