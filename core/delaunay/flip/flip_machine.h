// The flip machine: the buffers of flip passes, and their order. Every engine that flips owns one and chooses the rule;
// the kernels are those of flip.h and flip_fast.h. Between calls `run_state` and the worklist are the whole state,
// which a snapshot saves. Sources that include this header are compiled by nvcc when there is one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compute/append.h"
#include "compute/cleared_words.h"
#include "compute/launch_on_cuda.h"
#include "compute/primitives.h"
#include "compute/snapshot.h"
#include "delaunay/flip/claims.h"
#include "delaunay/flip/flip_around.h"
#include "delaunay/flip/flip_display.h"
#include "delaunay/flip/flip_fast.h"
#include "delaunay/flip/flip_in_one_cluster.h"

namespace flipscope {

struct FlipCounts {
    uint64_t queued = 0, illegal = 0, granted = 0, deferred = 0, blocked = 0;
};

struct CopyList {
    View<const uint32_t> from;
    View<uint32_t> to;
    FLIPSCOPE_HD void operator()(uint32_t i) const { to[i] = from[i]; }
};

struct NoOtherClaim {};

class FlipMachine {
  public:
    static constexpr uint32_t kBlindPasses = 4;    // on CUDA, launched before the host reads a count
    static constexpr uint32_t kMostPasses = 16;    // of these and one cluster's
    static constexpr uint32_t kGuests = 2;         // of guest_words()
    static constexpr uint32_t kFew = 32768;        // the most candidates for one cluster of CUDA blocks
    static constexpr uint32_t kFewer = 8192;       // candidates for which its pass takes less time than a launch
    static constexpr uint32_t kVeryFew = 2048;     // candidates for which its first pass does, too
    static constexpr uint32_t kOfOneBlock = 1024;  // candidates for which one block takes less time than a cluster
    static constexpr uint32_t kSparse = 128;  // with less than one candidate in so many edges, candidates are listed

    /// The state of the run outside buffers; saved and loaded as a whole.
    struct RunState {
        uint32_t stamp = 0;                 // of flip passes and splits, increasing
        uint32_t queued = 0;                // edges in the worklist
        uint32_t all = 0;                   // 1: there is no list, the worklist is all edges
        uint32_t current_list = 0;          // which of the two
        uint32_t candidates = 0;            // of these, not legal: between claim and repair
        uint32_t illegal = 0, granted = 0;  // of the last claim and flip
        uint64_t mesh_hash = 0;             // change of the mesh's hash since start_cycle_check()
        uint64_t illegal_hash = 0;
    };

    /// Clears everything and makes room for claims on so many triangles. `conflict`: which of two edges is granted a
    /// triangle. `edges`: their number, for rules with kLooksAround.
    void reset(Context& context, size_t triangles, ConflictRule conflict, size_t edges = 0) {
        last_stamp_ = std::max(last_stamp_, run_state.stamp);
        if (context_ != &context) stamped_ = 0;
        context_ = &context;
        run_state = {};
        conflict_ = conflict;
        settled_.fill(context, edges, 0);
        const Memory *const claims = claims_.memory(), *const changed = changed_in_.memory();
        claims_.resize(context, triangles, false);
        changed_in_.resize(context, triangles, false);
        const bool same = claims_.memory() == claims && changed_in_.memory() == changed;
        if (same && triangles <= stamped_ && last_stamp_ < kLastStamp)
            run_state.stamp = last_stamp_;  // claims and stamps of older passes have no effect on newer ones
        else if (triangles > 0)
            clear_stamps();
        totals_.resize(context, 1);
        words_.resize(context, sizeof(Words) / sizeof(uint64_t));  // all are read, even those that no kernel wrote
        seen_.clear();
        flipped_ = {};
        lent_lists_[0] = lent_lists_[1] = {};
        lent_outcomes_[0] = lent_outcomes_[1] = {};
    }
    /// Scratch memory until the next reset(), for both lists of candidates if they fit.
    void lend_lists(View<uint32_t> first, View<uint32_t> second) {
        lent_lists_[0] = first;
        lent_lists_[1] = second;
    }
    /// The same for the outcomes of both lists, before a claim.
    void lend_outcomes(View<uint32_t> first, View<uint32_t> second) {
        for (const auto& [which, words] : {std::pair{0, first}, {1, second}})
            lent_outcomes_[which] = {reinterpret_cast<Outcome*>(words.data), sizeof(uint32_t) * words.count};
    }
    /// The memory of claims, for a caller's own use between flip passes: a word (t) for each triangle. It leaves words
    /// of at least 2^63 as they are or sets them to 2^64 - 1; before the next claim all must be such words.
    View<uint64_t> words_between_passes() const { return claims_.view(); }
    /// Sets all of them to 2^64 - 1.
    void clear_claims() { claims_.fill_bytes(0xFF); }
    void queue_all(uint32_t edge_count) {
        run_state.queued = edge_count;
        run_state.all = 1;
    }

    /// After the last claim pass.
    TriangleClaims triangle_claims() const { return {&claims_, run_state.stamp, conflict_}; }

    /// run() launches so many passes before the first read-back, then twice as many, up to kBlindPasses. Use a low
    /// number if one pass is mostly enough.
    void set_first_blind(uint32_t passes) { first_blind_ = passes; }
    /// From the next claim on; every edge that flips is added to it.
    void set_flipped_list(const FlippedList& list) { flipped_ = list; }
    /// From the next claim on.
    void set_conflict(ConflictRule conflict) { conflict_ = conflict; }

    FastPass pass(const MeshView& mesh) const {
        const View<uint32_t> list = run_state.all ? View<uint32_t>{} : worklists_[run_state.current_list].view();
        return {{mesh, list, candidate_list(current_candidates_), outcome_list(current_candidates_), claims_.view(),
                 changed_in_.view(), settled_.empty() ? View<uint8_t>{} : settled_.view(), run_state.stamp, conflict_},
                {},
                flipped_};
    }

    /// Tests the worklist; illegal edges claim their triangles. `settles`: claims are settled at once, for display.
    template <class Rule>
    FlipCounts claim(const MeshView& mesh, const Rule& rule, bool settles = false) {
        ++run_state.stamp;
        make_room(run_state.queued);
        const FlipPass now = pass(mesh);
        compact(*context_, "flip.claim", run_state.queued, FastClaim<Rule>{{now, rule}}, totals_.view());
        run_state.candidates = read_total();
        if (settles || Rule::kLooksAround)
            launch(*context_, "flip.settle", run_state.candidates, SettleClaims<Rule>{now, rule});
        launch(*context_, "flip.count", run_state.candidates, CountCandidates{now}, cleared_block_sums());
        const BlockSums sums = read_sums(0);
        run_state.illegal = static_cast<uint32_t>(sums.value[0]);
        run_state.illegal_hash = sums.value[1];
        run_state.granted = 0;
        return {run_state.queued, sums.value[0], 0, 0, sums.value[2]};
    }
    /// After a claim without a flip: its candidates become the worklist, as a repair without a flip would leave it.
    void leave_candidates() {
        Buffer<uint32_t>& list = spare_list();
        list.resize(*context_, run_state.candidates, false);
        if (run_state.candidates)
            launch(*context_, "flip.leave", run_state.candidates,
                   CopyList{candidate_list(current_candidates_), list.view()});
        take_spare_list(run_state.candidates);
    }
    /// Undoes a claim before its flip: restores the worklist, and makes any new claim lower.
    void withdraw() { run_state.candidates = run_state.illegal = run_state.granted = 0; }
    FlipCounts flip(const MeshView& mesh, bool hashes) {
        const FastPass now = pass(mesh);
        if (hashes || flipped_.edges)
            launch(*context_, "flip.flip", run_state.candidates, FastFlip(now, hashes, false), cleared_block_sums());
        else
            launch(*context_, "flip.flip", run_state.candidates, FlipAhead{{now}}, cleared_block_sums());
        const BlockSums sums = read_sums(0);
        run_state.mesh_hash += sums.value[2];
        run_state.granted = static_cast<uint32_t>(sums.value[0]);
        return {run_state.queued, run_state.illegal, sums.value[0], sums.value[1], 0};
    }
    void repair(const MeshView& mesh, uint32_t edge_count) {
        const FlipPass now = pass(mesh);
        launch(*context_, "flip.repair", run_state.candidates, RepairEdges{now});
        Buffer<uint32_t>& list = spare_list();
        list.resize(*context_,
                    std::min(size_t(run_state.candidates) + 3 * size_t(run_state.granted), size_t(edge_count)), false);
        compact(*context_, "flip.collect", run_state.candidates, CollectWorklist{now, list.view()}, totals_.view());
        take_spare_list(read_total());
    }

    /// All flip passes until nothing is illegal. On CUDA a few passes are launched before the host reads a count: their
    /// sizes are on the device, and passes over an empty worklist do nothing. Calls `after_pass(counts)` for every pass
    /// that tested something, at most `most_passes`; it returns false to stop.
    template <class Rule, class AfterPass>
    void run(const MeshView& mesh, uint32_t edge_count, const Rule& rule, uint32_t most_passes,
             const AfterPass& after_pass) {
        if (run_state.queued == 0 || most_passes == 0) return;
        Passes passes = launch_claim(mesh, edge_count, rule, run_state.queued, {}, totals_.view(), false);
        // If one pass is mostly enough, the first read-back comes after it.
        if (context_->on_cuda() && first_blind_ == 1) launch_blind(mesh, edge_count, rule, passes, 1);
        end_passes(mesh, edge_count, rule, passes, run_state.queued, most_passes, after_pass);
    }

    /// Counts of the last launched passes and of kernels launched along with them: one read-back.
    struct Words {
        BlockSums sums[2 * kMostPasses];  // two a pass: of flips, and of edges tested after them
        uint32_t totals[kMostPasses];     // candidates after each pass
        uint64_t undone;                  // 1: there were too many candidates for one cluster
        BlockSums guests[kGuests];
        uint64_t claimed;              // candidates of launch_passes() before its first pass
        uint64_t listed, also_listed;  // lengths of two lists of the caller's kernels
    };
    static_assert(sizeof(Words) % sizeof(uint64_t) == 0);
    /// Flip passes that were launched and whose counts have not been read.
    struct Passes {
        struct Before {  // restored if one cluster had too many candidates
            FastPass now;
            Extent candidates = 0;
            uint32_t current_candidates = 0;
            uint32_t count = 0;
        };
        FastPass now;           // the last pass
        Extent candidates = 0;  // after them
        uint32_t count = 0;
        bool in_one_cluster = false;  // the last pass
        Before before;
    };
    /// Launches the first `count` passes (at most kMostPasses) of run() without a read-back; the length of the worklist
    /// may be on the device alone. Precondition: clear_words(); the caller's own kernels may follow it. `worklist`
    /// replaces the machine's own. Then the caller may launch other kernels, which left_word() stops, and calls
    /// end_passes(). On CUDA all passes, or all but the first, are one launch of one cluster; with too many candidates
    /// for it they do not run. `likely`: expected candidates before the first pass; affects launches only, not results.
    /// `first(pass)`: another kernel for the first claim, over `queued` indices of its own, which lists candidates as
    /// ClaimForFlip does and has the last guest_words() as sums. If `stop`, a word on the device, is not 0 after that,
    /// nothing flips.
    template <class Rule, class First = NoOtherClaim>
    Passes launch_passes(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Extent queued,
                         View<uint32_t> worklist, uint32_t count, uint64_t likely, const First& first = {},
                         const uint32_t* stop = nullptr) {
        const Passes passes = launch_claim(mesh, edge_count, rule, queued, worklist, claimed_word(), true, first);
        return launch_passes_after(mesh, edge_count, rule, passes, count, likely, stop);
    }
    /// The same if the caller's kernels make the first claim: they list candidates in begin_passes().now and count them
    /// in claimed_word(). Then launch_passes_after().
    Passes begin_passes(const MeshView& mesh, uint32_t edge_count) {
        ++run_state.stamp;
        make_room(edge_count);
        return {pass(mesh), Extent(claimed_word(), edge_count), 0, false, {}};
    }
    View<uint32_t> claimed_word() const { return word_at(offsetof(Words, claimed)); }
    /// On CUDA: memory for the worklist of launch_passes() and launch_passes_of_few() of `edge_count` edges. The first
    /// claim reads it, and flips write their candidates over it.
    View<uint32_t> first_worklist(uint32_t edge_count) {
        current_candidates_ = 1 - current_candidates_;
        make_room(edge_count);
        current_candidates_ = 1 - current_candidates_;
        return candidate_list(1 - current_candidates_);
    }
    template <class Rule>
    Passes launch_passes_after(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Passes passes,
                               uint32_t count, uint64_t likely, const uint32_t* stop) {
        passes.candidates.stops[0] = stop;
        passes.candidates.likely = static_cast<uint32_t>(std::min<uint64_t>(likely, edge_count));
        const bool clusters = context_->on_cuda();
        if (likely > kVeryFew || !clusters)
            launch_blind(mesh, edge_count, rule, passes, clusters ? passes_of_many(likely) : count, true);
        if (passes.count < count) launch_in_one_cluster(mesh, edge_count, rule, passes, count - passes.count);
        return passes;
    }
    /// Passes until few enough candidates are left for one cluster. Each pass leaves about half of the candidates.
    static uint32_t passes_of_many(uint64_t candidates) {
        uint32_t passes = 1;
        for (; passes < kBlindPasses && candidates > kFewer; candidates /= 2) ++passes;
        return passes;
    }
    /// launch_passes() on CUDA, all by one cluster: `before` lists `worklist` and the candidates of the first pass, at
    /// most kFew, as in flip_in_one_cluster().
    template <class Rule, class Before>
    Passes launch_passes_of_few(const MeshView& mesh, uint32_t edge_count, const Rule& rule, View<uint32_t> worklist,
                                uint32_t count, uint64_t likely, const Before& before) {
        Passes passes = begin_passes(mesh, edge_count);
        passes.now.worklist = worklist;
        passes.candidates.likely = static_cast<uint32_t>(likely);
        launch_in_one_cluster(mesh, edge_count, rule, passes, count, before);
        return passes;
    }
    /// For a kernel of the caller's that claims and flips until nothing is illegal: its passes have the stamp of
    /// `first` and the following ones, and alternate between the two lists of candidates.
    struct OwnPasses {
        FastPass first;
        View<uint32_t> other_candidates;
        View<Outcome> other_outcomes;
    };
    OwnPasses begin_own_passes(const MeshView& mesh, uint32_t edge_count) {
        make_room(edge_count);
        current_candidates_ = 1 - current_candidates_;
        make_room(edge_count);
        const View<uint32_t> other = candidate_list(current_candidates_);
        const View<Outcome> other_outcomes = outcome_list(current_candidates_);
        current_candidates_ = 1 - current_candidates_;
        ++run_state.stamp;
        begin_stamps();
        return {pass(mesh), other, other_outcomes};
    }
    /// `next_stamp`: the first unused one. The worklist is empty.
    void end_own_passes(uint32_t next_stamp) {
        end_stamps(next_stamp);
        run_state.candidates = 0;
        take_list(run_state.current_list, 0);
    }

    /// On the device; 0: no edge is left to flip.
    const uint32_t* left_word(const Passes& passes) const { return blind_total_view(passes.count - 1).data; }
    /// Reads the counts of launched passes, whose worklist had `tested` edges, and runs the remaining ones as run()
    /// does. `seen`: the counts, if the caller has read them.
    template <class Rule, class AfterPass>
    void end_passes(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Passes& passes, uint64_t tested,
                    uint32_t most_passes, const AfterPass& after_pass, const Words* seen = nullptr) {
        uint32_t passes_left = most_passes, most_blind = first_blind_;
        bool going = true;
        if (passes.count == 0) {  // only the claim so far
            passes.candidates = run_state.candidates = read_total();
            going = run_state.candidates > 0;
            if (!going) after_pass(FlipCounts{tested, 0, 0, 0, 0});
        }
        while (going) {
            if (passes.count == 0 && context_->on_cuda() && !Rule::kLooksAround && run_state.candidates <= kFewer) {
                clear_counts();
                launch_in_one_cluster(mesh, edge_count, rule, passes, std::min(kMostPasses, passes_left));
            } else if (passes.count == 0) {
                launch_blind(mesh, edge_count, rule, passes,
                             context_->on_cuda() ? std::min(most_blind, passes_left) : 1);
            }
            uint32_t blind = std::exchange(passes.count, 0);
            const Words words = seen ? *std::exchange(seen, nullptr) : read_words();
            run_state.candidates = words.totals[blind - 1];
            if (std::exchange(passes.in_one_cluster, false) && words.undone) {
                blind = passes.before.count;
                passes.now = passes.before.now;
                current_candidates_ = passes.before.current_candidates;
                run_state.stamp = passes.now.stamp;
            }
            most_blind = std::min(2 * most_blind, kBlindPasses);
            passes_left -= blind;
            for (uint32_t k = 0; going && k < blind; ++k) {
                const uint64_t granted = words.sums[2 * k].value[0], deferred = words.sums[2 * k].value[1];
                if (tested == 0) break;
                run_state.illegal = static_cast<uint32_t>(granted + deferred);
                run_state.granted = static_cast<uint32_t>(granted);
                going = after_pass(FlipCounts{tested, granted + deferred, granted, deferred, 0});
                tested = words.sums[2 * k + 1].value[0];
            }
            passes.candidates = run_state.candidates;
            if (run_state.candidates == 0 && going && tested > 0) after_pass(FlipCounts{tested, 0, 0, 0, 0});
            going = going && run_state.candidates > 0 && passes_left > 0;
        }
        leave_candidates();  // tested but not flipped: the worklist, if the run continues pass by pass
    }

    Words read_words() const {  // waits
        Words words;
        words_.read(reinterpret_cast<uint64_t*>(&words), sizeof(Words) / sizeof(uint64_t));
        return words;
    }
    /// Four sums of kernels that are launched along with the passes; the machine does not write them.
    View<uint64_t> guest_words(uint32_t guest) const {
        return {words_.view().data + offsetof(Words, guests) / sizeof(uint64_t) + size_t(guest) * kSumCount, kSumCount};
    }
    View<uint32_t> listed_word() const { return word_at(offsetof(Words, listed)); }
    View<uint32_t> also_listed_word() const { return word_at(offsetof(Words, also_listed)); }
    void clear_words() { words_.begin(); }

    void start_cycle_check() {
        seen_.clear();
        run_state.mesh_hash = 0;
    }
    /// Whether this state was reached before since start_cycle_check(): same triangles, same illegal edges.
    bool repeats_itself() { return !seen_.insert(mix64(run_state.mesh_hash) ^ run_state.illegal_hash).second; }
    void mark_cycle(const MeshView& mesh) { mark("watch.cycle", MarkCycle{pass(mesh)}); }
    /// For display, after a claim or a flip: a kernel over the candidates.
    template <class Kernel>
    void mark(const char* label, const Kernel& kernel) {
        launch(*context_, label, run_state.candidates, kernel);
    }

    /// The worklist as a list, for hashes and snapshots; unused while run_state.all.
    const Buffer<uint32_t>& worklist() const { return worklists_[run_state.current_list]; }
    uint32_t worklist_size() const { return run_state.all ? 0 : run_state.queued; }
    /// The other list, to be filled and then taken with take_list().
    Buffer<uint32_t>& spare_list() { return worklists_[1 - run_state.current_list]; }
    void take_spare_list(uint32_t count) { take_list(1 - run_state.current_list, count); }
    View<uint32_t> totals() const { return totals_.view(); }
    uint32_t read_total() const { return totals_.read(0); }
    View<uint64_t> cleared_block_sums() {
        clear_sums();
        return sums_view(0);
    }
    /// More block sums, for kernels between flip passes; cleared_block_sums() clears them, too.
    View<uint64_t> block_sums(uint32_t k) { return sums_view(k); }
    BlockSums read_sums(uint32_t k) const {
        BlockSums sums;
        words_.read(sums.value, kSumCount, size_t(k) * kSumCount);
        return sums;
    }

    /// Before kernels that use an unknown number of stamps from the next one on, because they can be cancelled. After
    /// them call end_stamps() with a stamp that they have not reached.
    void begin_stamps() { last_stamp_ = kLastStamp; }
    void end_stamps(uint32_t stamp) {
        last_stamp_ = 0;
        run_state.stamp = stamp;
    }
    /// Restores a saved state; restore_list() restores its worklist, if it has one.
    void restore_run(const RunState& saved) {
        last_stamp_ = std::max(last_stamp_, run_state.stamp);
        run_state = saved;
    }
    /// Restores a saved state with an empty worklist.
    void restore_stamp(uint32_t stamp) {
        clear_stamps();
        run_state.stamp = stamp;
    }
    /// After restore_run(): claims start again from its stamp.
    void restore_list(const Snapshot& snapshot, size_t index) {
        if (run_state.current_list > 1) throw std::logic_error("a snapshot with a worklist that there is not");
        const uint32_t count = worklist_size();
        require_count<uint32_t>(snapshot, index, count);
        if (count) {
            worklists_[run_state.current_list].resize(*context_, count, false);
            load_block(*context_, snapshot, index, worklists_[run_state.current_list]);
        }
        clear_stamps();  // of passes after the saved state
        run_state.candidates = 0;
    }
    /// The states stored for repeats_itself(), in no order: for snapshots.
    std::vector<uint64_t> seen() const { return {seen_.begin(), seen_.end()}; }
    void restore_seen(const std::vector<uint64_t>& seen) { seen_ = {seen.begin(), seen.end()}; }

  private:
    static constexpr uint32_t kLastStamp = 1u << 31;
    void clear_stamps() {
        claims_.fill_bytes(0xFF);
        changed_in_.fill_bytes(0);
        stamped_ = claims_.size();
        last_stamp_ = 0;
    }
    View<uint8_t> marks_view(uint32_t edge_count) {
        if (marks_.size() < edge_count || marking_) {
            marks_.fill(*context_, std::max<size_t>(marks_.size(), edge_count), 0);
            marking_ = false;
        }
        return marks_.view(edge_count);
    }
    View<uint32_t> candidate_list(uint32_t which) const {
        return lent_lists_[which] ? lent_lists_[which] : candidates_[which].view();
    }
    View<Outcome> outcome_list(uint32_t which) const {
        return lent_outcomes_[which] ? lent_outcomes_[which] : outcomes_[which].view();
    }
    void make_room(size_t candidates) {
        View<uint32_t>& lent = lent_lists_[current_candidates_];
        if (lent.count < candidates) {
            lent = {};
            candidates_[current_candidates_].resize(*context_, candidates, false);
        }
        View<Outcome>& lent_outcomes = lent_outcomes_[current_candidates_];
        if (lent_outcomes.count >= candidates) return;
        lent_outcomes = {};
        outcomes_[current_candidates_].resize(*context_, candidates, false);
    }
    View<uint32_t> word_at(size_t offset) const {
        return {reinterpret_cast<uint32_t*>(words_.view().data + offset / sizeof(uint64_t)), 1};
    }
    View<uint64_t> sums_view(uint32_t k) const { return {words_.view().data + size_t(k) * kSumCount, kSumCount}; }
    void clear_sums() { context_->fill(words_.view().data, 0, sizeof(Words::sums)); }
    void clear_counts() { context_->fill(words_.view().data, 0, offsetof(Words, guests)); }
    View<uint32_t> blind_total_view(uint32_t k) const {
        return {reinterpret_cast<uint32_t*>(words_.view().data + offsetof(Words, totals) / sizeof(uint64_t)) + k, 1};
    }
    uint32_t read_blind_total(uint32_t k) const {
        uint64_t two = 0;
        words_.read(&two, 1, offsetof(Words, totals) / sizeof(uint64_t) + k / 2);
        return static_cast<uint32_t>(k % 2 ? two >> 32 : two);
    }

    /// `worklist` empty: the machine's own.
    template <class Rule, class First = NoOtherClaim>
    Passes launch_claim(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Extent queued,
                        View<uint32_t> worklist, View<uint32_t> total, bool cleared,
                        [[maybe_unused]] const First& first = {}) {
        ++run_state.stamp;
        // A cluster that continues here uses this list again, with the largest possible number of candidates.
        make_room(std::is_same_v<First, NoOtherClaim> && !context_->on_cuda() ? queued.bound : edge_count);
        FastPass now = pass(mesh);
        if (worklist) now.worklist = worklist;
        if constexpr (std::is_same_v<First, NoOtherClaim>)
            append_unordered(*context_, "flip.claim", queued, FastClaim<Rule>{{now, rule}}, total, {}, cleared);
        else
            append_unordered(*context_, "flip.claim", queued, first(now), total, guest_words(kGuests - 1), cleared);
        return {now, Extent(total, edge_count), 0, false, {}};
    }
    template <class Rule>
    void launch_blind(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Passes& passes, uint32_t count,
                      bool cleared = false) {
        if (!cleared) clear_counts();
        FastPass& now = passes.now;
        Extent& candidates = passes.candidates;
        for (uint32_t k = 0; k < count; ++k) {
            if (!context_->on_cuda()) candidates = candidates.resolve();
            // With many candidates marks cost less than lists; with few, going through all marks costs more.
            const bool marks = !context_->on_cuda() && candidates.bound > edge_count / kSparse;
            now.marks = marks ? marks_view(edge_count) : View<uint8_t>{};
            marking_ = marking_ || marks;
            const View<uint64_t> sums = sums_view(2 * k), next_sums = sums_view(2 * k + 1);
            if (Rule::kLooksAround) launch(*context_, "flip.settle", candidates, SettleClaims<Rule>{now, rule});
            launch(*context_, "flip.flip", candidates, FastFlip(now, false, true), sums);
            // After a pass without a read-back any edge can be a candidate; else outer edges of flips, and candidates
            // that stay.
            size_t most = edge_count;
            if (!context_->on_cuda()) most = std::min(most, candidates.bound + 3 * size_t(read_sums(2 * k).value[0]));
            current_candidates_ = 1 - current_candidates_;
            ++run_state.stamp;
            make_room(most);
            FastPass next = pass(mesh);
            const View<uint32_t> total = blind_total_view(k);
            if (marks) {
                Buffer<uint32_t>& list = spare_list();
                list.resize(*context_, most, false);
                list_marked(*context_, "flip.collect", now.marks, list.view(), total);
                marking_ = false;
                take_spare_list(read_blind_total(k));
                next = pass(mesh);
                append_unordered(*context_, "flip.claim", run_state.queued, FastClaim<Rule>{{next, rule}}, total);
                next_sums[0] = run_state.queued;
            } else {
                append_unordered(*context_, "flip.collect", candidates.times(4),
                                 CollectAndClaim<Rule>{{now, {}}, next, rule}, total, next_sums, true);
            }
            const uint32_t likely = candidates.is_known() ? candidates.bound : candidates.likely;
            candidates = Extent(total, edge_count);
            candidates.likely = likely;
            now = next;
        }
        passes.count = count;
    }
    /// `count` passes after those that launch_blind() has launched. `before`: as of flip_in_one_cluster().
    template <class Rule, class... Before>
    void launch_in_one_cluster(const MeshView& mesh, uint32_t edge_count, const Rule& rule, Passes& passes,
                               uint32_t count, const Before&... before) {
#if defined(__CUDACC__)
        if constexpr (!Rule::kLooksAround) {
            const uint32_t first = passes.count;
            const Extent& candidates = passes.candidates;
            passes.before = {passes.now, candidates, current_candidates_, first};
            passes.in_one_cluster = true;
            passes.count += count;
            current_candidates_ = 1 - current_candidates_;
            make_room(edge_count);
            // More passes take less time than the read-back that they save.
            const uint32_t most = count > kBlindPasses ? kFewer : kFew;
            const bool one_block = (candidates.is_known() ? candidates.bound : candidates.likely) <= kOfOneBlock;
            const uint32_t blocks = context_->forms_clusters() && !one_block ? detail::kBlocksInCluster : 1;
            const auto launch_kernel = [&](const auto& listing) {
                launch_cluster_on_cuda(*context_, "flip.few", most, blocks, detail::kThreadsInClusterBlock,
                                       &detail::flip_in_one_cluster<Rule, std::decay_t<decltype(listing)>>, passes.now,
                                       candidate_list(current_candidates_), outcome_list(current_candidates_), rule,
                                       candidates, most, count, sums_view(2 * first).data, blind_total_view(first).data,
                                       words_.view().data + offsetof(Words, undone) / sizeof(uint64_t), listing);
            };
            if constexpr (sizeof...(Before) == 0)
                launch_kernel(detail::NothingBefore{});
            else
                launch_kernel(before...);
            if (count % 2 == 0) current_candidates_ = 1 - current_candidates_;
            run_state.stamp += count;
            passes.now = pass(mesh);
            passes.candidates = Extent(blind_total_view(passes.count - 1), edge_count);
        }
#else
        (void)mesh, (void)edge_count, (void)rule, (void)passes, (void)count, ((void)before, ...);
#endif
    }
    void take_list(uint32_t which, uint32_t count) {
        run_state.current_list = which;
        run_state.queued = count;
        run_state.all = 0;
    }

    Context* context_ = nullptr;
    ConflictRule conflict_ = ConflictRule::kLowestId;
    FlippedList flipped_;
    uint32_t first_blind_ = kBlindPasses;
    Buffer<uint32_t> worklists_[2] = {Buffer<uint32_t>("worklist"), Buffer<uint32_t>("worklist 2")};
    Buffer<uint32_t> candidates_[2] = {Buffer<uint32_t>("candidates"), Buffer<uint32_t>("candidates 2")};
    View<uint32_t> lent_lists_[2];
    View<Outcome> lent_outcomes_[2];
    Buffer<Outcome> outcomes_[2] = {Buffer<Outcome>("outcomes"), Buffer<Outcome>("outcomes 2")};
    uint32_t current_candidates_ = 0;
    // Stamps grow over all runs, so that these buffers need not be cleared for the next one.
    size_t stamped_ = 0;       // triangles whose stamps are at most last_stamp_, or that of the present run
    uint32_t last_stamp_ = 0;  // of the runs before
    Buffer<uint64_t> claims_{"claims"};
    Buffer<uint32_t> changed_in_{"changed in"};
    Buffer<uint8_t> settled_{"calm"};
    Buffer<uint8_t> marks_{"marks"};  // all 0 between passes,
    bool marking_ = false;            // except after one that was cancelled
    Buffer<uint32_t> totals_{"totals"};
    ClearedWords words_{"flip counts"};  // Words
    std::unordered_set<uint64_t> seen_;

  public:
    RunState run_state;
};

}  // namespace flipscope
