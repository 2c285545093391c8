// Flip passes as a machine: what they work in, and how one follows another. The labs that flip own one each and say
// which rule judges; the kernels are those of flip.h. Between calls nothing is hidden: `moment` and the list of
// suspects are all there is to save. Sources that include this header are compiled by nvcc when there is one.
#pragma once

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compute/primitives.h"
#include "compute/snapshot.h"
#include "delaunay/flip.h"
#include "delaunay/flip_around.h"
#include "delaunay/flip_display.h"
#include "delaunay/flip_suspects.h"

namespace flipscope {

struct FlipCounts {
    uint64_t suspected = 0, illegal = 0, won = 0, lost = 0, blocked = 0;
};

struct CopyList {
    View<const uint32_t> from;
    View<uint32_t> to;
    FLIPSCOPE_HD void operator()(uint32_t i) const { to[i] = from[i]; }
};

class FlipMachine {
  public:
    static constexpr uint32_t kBlindPasses = 4;  // on CUDA, between two looks at what is left
    static constexpr uint32_t kSparse = 128;     // with fewer contenders than one edge in so many, they are listed

    /// Everything about the moment that is not in a buffer; saved and loaded as it is.
    struct Moment {
        uint32_t stamp = 0;             // of flip passes and splits, ever growing
        uint32_t suspects = 0;          // edges in the list
        uint32_t all = 0;               // 1: there is no list, all `suspects` edges are meant
        uint32_t current_list = 0;      // which of the two
        uint32_t contenders = 0;        // of these, not legal: between bid and repair
        uint32_t illegal = 0, won = 0;  // of the last bid and flip
        uint64_t mesh_hash = 0;         // change of the mesh's hash since watch_for_cycles()
        uint64_t illegal_hash = 0;
    };

    /// Forgets everything; room for bids on so many triangles. `conflict`: who gets a triangle that two need. `edges`:
    /// how many there are, for rules that look around.
    void reset(Context& context, size_t triangles, ConflictRule conflict, size_t edges = 0) {
        context_ = &context;
        moment = {};
        conflict_ = conflict;
        bids_.resize(context, triangles, false);
        bids_.fill_bytes(0xFF);
        calm_.resize(context, edges, false);
        calm_.fill_bytes(0);
        turned_.resize(context, triangles, false);
        turned_.fill_bytes(0);
        totals_.resize(context, kTotals);
        tallies_.resize(context, 2 * kTallyWidth * kBlindPasses);
        seen_.clear();
    }
    void suspect_all(uint32_t edge_count) {
        moment.suspects = edge_count;
        moment.all = 1;
    }

    /// From the next bid on.
    void set_conflict(ConflictRule conflict) { conflict_ = conflict; }

    FlipPass pass(const MeshView& mesh) const {
        const View<uint32_t> list = moment.all ? View<uint32_t>{} : suspects_[moment.current_list].view();
        return {mesh,
                list,
                contenders_[current_contenders_].view(),
                outcomes_[current_contenders_].view(),
                bids_.view(),
                turned_.view(),
                {},
                calm_.empty() ? View<uint8_t>{} : calm_.view(),
                moment.stamp,
                conflict_};
    }

    /// Tests the suspects; illegal ones bid. `settles`: winners and losers are told apart at once, for display.
    template <class Rule>
    FlipCounts bid(const MeshView& mesh, const Rule& rule, bool settles = false) {
        ++moment.stamp;
        make_room(moment.suspects);
        const FlipPass now = pass(mesh);
        expand(*context_, "flip.claim", moment.suspects, BidForFlip<Rule>{now, rule}, totals_.view());
        moment.contenders = read_total();
        if (settles || Rule::kLooksAround)
            launch(*context_, "flip.settle", moment.contenders, SettleBids<Rule>{now, rule});
        launch(*context_, "flip.count", moment.contenders, CountContenders{now}, cleared_tallies());
        const Tally tally = read_tally(0);
        moment.illegal = static_cast<uint32_t>(tally.value[0]);
        moment.illegal_hash = tally.value[1];
        moment.won = 0;
        return {moment.suspects, tally.value[0], 0, 0, tally.value[2]};
    }
    /// After a bid that nothing follows: its contenders are the suspects now, as a repair without a flip would leave
    /// it.
    void leave_contenders() {
        Buffer<uint32_t>& list = spare_list();
        list.resize(*context_, moment.contenders, false);
        if (moment.contenders)
            launch(*context_, "flip.leave", moment.contenders,
                   CopyList{contenders_[current_contenders_].view(), list.view()});
        take_spare_list(moment.contenders);
    }
    /// Undoes a bid that no flip has followed: its suspects are as they were, and their bids lose against any new one.
    void withdraw() { moment.contenders = moment.illegal = moment.won = 0; }
    FlipCounts flip(const MeshView& mesh, bool hashes) {
        launch(*context_, "flip.flip", moment.contenders, FlipEdge{pass(mesh), hashes}, cleared_tallies());
        const Tally tally = read_tally(0);
        moment.mesh_hash += tally.value[2];
        moment.won = static_cast<uint32_t>(tally.value[0]);
        return {moment.suspects, moment.illegal, tally.value[0], tally.value[1], 0};
    }
    void repair(const MeshView& mesh, uint32_t edge_count) {
        const FlipPass now = pass(mesh);
        launch(*context_, "flip.repair", moment.contenders, RepairEdges{now});
        Buffer<uint32_t>& list = spare_list();
        list.resize(*context_, std::min(size_t(moment.contenders) + 3 * size_t(moment.won), size_t(edge_count)), false);
        expand(*context_, "flip.collect", moment.contenders, CollectSuspects{now, list.view()}, totals_.view());
        take_spare_list(read_total());
    }

    /// All flip passes in one go, until a pass has nothing left to flip: the same kernels, but on CUDA a few passes are
    /// launched blindly, sized on the device; those that find no suspect left do nothing. `after_pass(counts)` is told
    /// of every pass that tested something, at most `most_passes` of them; it returns false to stop.
    template <class Rule, class AfterPass>
    void run(const MeshView& mesh, uint32_t edge_count, const Rule& rule, uint32_t most_passes,
             const AfterPass& after_pass) {
        if (moment.suspects == 0 || most_passes == 0) return;
        uint32_t passes_left = most_passes;
        uint64_t tested = moment.suspects;
        ++moment.stamp;
        make_room(moment.suspects);
        FlipPass now = pass(mesh);
        append(*context_, "flip.claim", moment.suspects, BidForFlip<Rule>{now, rule}, totals_.view());
        Extent contenders = moment.contenders = read_total();
        bool going = moment.contenders > 0;
        if (!going) after_pass(FlipCounts{tested, 0, 0, 0, 0});
        while (going) {
            const uint32_t blind = context_->on_cuda() ? std::min(kBlindPasses, passes_left) : 1;
            passes_left -= blind;
            tallies_.fill_bytes(0);
            for (uint32_t k = 0; k < blind; ++k) {
                // Where much is left, marks cost less than lists; where little is, going through all marks costs more.
                const bool marks = !context_->on_cuda() && contenders.bound > edge_count / kSparse;
                now.marks = marks ? marks_view(edge_count) : View<uint8_t>{};
                const View<uint64_t> tally = tally_view(2 * k), next_tally = tally_view(2 * k + 1);
                if (Rule::kLooksAround) launch(*context_, "flip.settle", contenders, SettleBids<Rule>{now, rule});
                launch(*context_, "flip.flip", contenders, FlipEdge{now, false}, tally);
                if (!marks) launch(*context_, "flip.repair", contenders, RepairEdges{now});
                // Behind a blind pass any edge can contend; else the outer edges of every flip and those that stay.
                size_t most = edge_count;
                if (blind == 1) most = std::min(most, contenders.bound + 3 * size_t(read_tally(2 * k).value[0]));
                current_contenders_ = 1 - current_contenders_;
                ++moment.stamp;
                make_room(most);
                FlipPass next = pass(mesh);
                const View<uint32_t> total{totals_.view().data + k, 1};
                if (marks) {
                    Buffer<uint32_t>& list = spare_list();
                    list.resize(*context_, most, false);
                    list_marked(*context_, "flip.collect", now.marks, list.view(), total);
                    take_spare_list(totals_.read(k));
                    next = pass(mesh);
                    append(*context_, "flip.claim", moment.suspects, BidForFlip<Rule>{next, rule}, total);
                    next_tally[0] = moment.suspects;
                } else {
                    append(*context_, "flip.collect", contenders, CollectAndBid<Rule>{{now, {}}, next, rule}, total,
                           next_tally);
                }
                contenders = context_->on_cuda() ? Extent(total, edge_count) : Extent(totals_.read(k));
                now = next;
            }
            Tally tallies[2 * kBlindPasses];
            tallies_.download(tallies[0].value, 2 * size_t(blind) * kTallyWidth);
            moment.contenders = totals_.read(blind - 1);
            for (uint32_t k = 0; going && k < blind; ++k) {
                const uint64_t won = tallies[2 * k].value[0], lost = tallies[2 * k].value[1];
                if (tested == 0) break;
                moment.illegal = static_cast<uint32_t>(won + lost);
                moment.won = static_cast<uint32_t>(won);
                going = after_pass(FlipCounts{tested, won + lost, won, lost, 0});
                tested = tallies[2 * k + 1].value[0];
            }
            contenders = moment.contenders;
            if (moment.contenders == 0 && going && tested > 0) after_pass(FlipCounts{tested, 0, 0, 0, 0});
            going = going && moment.contenders > 0 && passes_left > 0;
        }
        leave_contenders();  // tested but not flipped: suspects, if the run goes on pass by pass
    }

    void watch_for_cycles() {
        seen_.clear();
        moment.mesh_hash = 0;
    }
    /// Whether the flips have been here before since watch_for_cycles(): same triangles, same illegal edges.
    bool repeats_itself() { return !seen_.insert(mix64(moment.mesh_hash) ^ moment.illegal_hash).second; }
    void mark_cycle(const MeshView& mesh) { mark("watch.cycle", MarkCycle{pass(mesh)}); }
    /// For display, after a bid or a flip: a kernel over the contenders.
    template <class Kernel>
    void mark(const char* label, const Kernel& kernel) {
        launch(*context_, label, moment.contenders, kernel);
    }

    /// The list of the moment, for hashes and snapshots; of no use while moment.all.
    const Buffer<uint32_t>& suspects() const { return suspects_[moment.current_list]; }
    uint32_t suspects_in_list() const { return moment.all ? 0 : moment.suspects; }
    /// The other list, to be filled and then taken with take_list().
    Buffer<uint32_t>& spare_list() { return suspects_[1 - moment.current_list]; }
    void take_spare_list(uint32_t count) { take_list(1 - moment.current_list, count); }
    View<uint32_t> totals() const { return totals_.view(); }
    uint32_t read_total() const { return totals_.read(0); }
    View<uint64_t> cleared_tallies() {
        tallies_.fill_bytes(0);
        return tallies_.view();
    }
    Tally read_tally(uint32_t k) const {
        Tally tally;
        tallies_.download(tally.value, kTallyWidth, size_t(k) * kTallyWidth);
        return tally;
    }

    /// After `moment` was loaded: bids start again from its stamp.
    void restore_list(const Snapshot& snapshot, size_t index) {
        const uint32_t count = suspects_in_list();
        require_count<uint32_t>(snapshot, index, count);
        if (count) {
            suspects_[moment.current_list].resize(*context_, count, false);
            take_block(*context_, snapshot, index, suspects_[moment.current_list]);
        }
        bids_.fill_bytes(0xFF);
        turned_.fill_bytes(0);  // stamps of what is not to come in the same way
        seen_.clear();
        moment.contenders = 0;
    }
    /// What repeats_itself() has seen, in no order: for snapshots.
    std::vector<uint64_t> seen() const { return {seen_.begin(), seen_.end()}; }
    void restore_seen(const std::vector<uint64_t>& seen) { seen_ = {seen.begin(), seen.end()}; }

  private:
    static constexpr size_t kTotals = kBlindPasses;  // of contenders after each blind pass

    View<uint8_t> marks_view(uint32_t edge_count) {
        if (marks_.size() < edge_count) {
            marks_.resize(*context_, edge_count, false);
            marks_.fill_bytes(0);
        }
        return marks_.view(edge_count);
    }
    void make_room(size_t contenders) {
        contenders_[current_contenders_].resize(*context_, contenders, false);
        outcomes_[current_contenders_].resize(*context_, contenders, false);
    }
    View<uint64_t> tally_view(uint32_t k) const {
        return {tallies_.view().data + size_t(k) * kTallyWidth, kTallyWidth};
    }
    void take_list(uint32_t which, uint32_t count) {
        moment.current_list = which;
        moment.suspects = count;
        moment.all = 0;
    }

    Context* context_ = nullptr;
    ConflictRule conflict_ = ConflictRule::kLowestId;
    Buffer<uint32_t> suspects_[2] = {Buffer<uint32_t>("suspects"), Buffer<uint32_t>("suspects 2")};
    Buffer<uint32_t> contenders_[2] = {Buffer<uint32_t>("contenders"), Buffer<uint32_t>("contenders 2")};
    Buffer<Outcome> outcomes_[2] = {Buffer<Outcome>("outcomes"), Buffer<Outcome>("outcomes 2")};
    uint32_t current_contenders_ = 0;
    Buffer<uint64_t> bids_{"bids"};
    Buffer<uint32_t> turned_{"turned"};
    Buffer<uint8_t> calm_{"calm"};
    Buffer<uint8_t> marks_{"marks"};  // all 0 between passes
    Buffer<uint32_t> totals_{"totals"};
    Buffer<uint64_t> tallies_{"tallies"};
    std::unordered_set<uint64_t> seen_;

  public:
    Moment moment;
};

}  // namespace flipscope
