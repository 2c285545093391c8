// Flip passes as a machine: what they work in, and how one follows another. The labs that flip own one each and say
// which rule judges; the kernels are those of flip.h. Between calls nothing is hidden: `moment` and the list of
// suspects are all there is to save. Sources that include this header are compiled by nvcc when there is one.
#pragma once

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "compute/primitives.h"
#include "delaunay/flip.h"

namespace flipscope {

struct FlipCounts {
    uint64_t suspected = 0, illegal = 0, won = 0, lost = 0, blocked = 0;
};

class FlipMachine {
  public:
    static constexpr uint32_t kBlindPasses = 4;  // on CUDA, between two looks at what is left

    /// Everything about the moment that is not in a buffer; saved and loaded as it is.
    struct Moment {
        uint32_t stamp = 0;             // of flip passes and splits, ever growing
        uint32_t suspects = 0;          // edges in the list
        uint32_t all = 0;               // 1: there is no list, all `suspects` edges are meant
        uint32_t current_list = 0;      // which of the two
        uint32_t illegal = 0, won = 0;  // of the last bid and flip
        uint64_t mesh_hash = 0;         // change of the mesh's hash since watch_for_cycles()
        uint64_t illegal_hash = 0;
    };

    /// Forgets everything; room for bids on so many triangles. `conflict`: who gets a triangle that two need.
    void reset(Context& context, size_t triangles, ConflictRule conflict) {
        context_ = &context;
        moment = {};
        conflict_ = conflict;
        bids_.resize(context, triangles, false);
        bids_.fill_bytes(0xFF);
        totals_.resize(context, kTotals);
        tallies_.resize(context, kTallyWidth * kBlindPasses);
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
        return {mesh, list, outcomes_.view(), bids_.view(), moment.stamp, conflict_};
    }

    /// Tests the suspects; illegal ones bid. `settles`: winners and losers are told apart at once, for the eye.
    /// `hashes`: also hashes the illegal ones, for repeats_itself().
    template <class Rule>
    FlipCounts bid(const MeshView& mesh, const Rule& rule, bool hashes, bool settles = false) {
        ++moment.stamp;
        outcomes_.resize(*context_, moment.suspects, false);
        tallies_.fill_bytes(0);
        const FlipPass now = pass(mesh);
        launch(*context_, "flip.bid", moment.suspects, BidForFlip<Rule>{now, rule, hashes, true}, tallies_.view());
        if (settles || Rule::kLooksAround)
            launch(*context_, "flip.settle", moment.suspects, SettleBids<Rule>{now, rule});
        const Tally tally = read_tally(0);
        moment.illegal = static_cast<uint32_t>(tally.value[0]);
        moment.illegal_hash = tally.value[1];
        return {moment.suspects, tally.value[0], 0, 0, tally.value[2]};
    }
    FlipCounts flip(const MeshView& mesh, bool hashes) {
        tallies_.fill_bytes(0);
        launch(*context_, "flip.flip", moment.suspects, FlipEdge{pass(mesh), hashes, 0}, tallies_.view());
        const Tally tally = read_tally(0);
        moment.mesh_hash += tally.value[3];
        moment.won = static_cast<uint32_t>(tally.value[0]);
        return {moment.suspects, moment.illegal, tally.value[0], tally.value[1], 0};
    }
    void repair(const MeshView& mesh, uint32_t edge_count) {
        const FlipPass now = pass(mesh);
        launch(*context_, "flip.repair", moment.suspects, RepairEdges{now});
        Buffer<uint32_t>& list = suspects_[1 - moment.current_list];
        list.resize(*context_, std::min(size_t(moment.suspects) + 3 * size_t(moment.won), size_t(edge_count)), false);
        expand(*context_, "flip.collect", moment.suspects, CollectSuspects{now, list.view()}, totals_.view());
        take_list(1 - moment.current_list, totals_.read(0));
    }

    /// All flip passes in one go, until a pass has nothing left to flip: the same kernels, but on CUDA a few passes are
    /// launched blindly, sized on the device; those that find no suspect left do nothing. `after_pass(counts)` is told
    /// of every pass that tested something (blocked edges are not counted apart), at most `most` of them; it returns
    /// false to stop.
    template <class Rule, class AfterPass>
    void run(const MeshView& mesh, uint32_t edge_count, const Rule& rule, uint32_t most_passes,
             const AfterPass& after_pass) {
        uint32_t passes_left = most_passes;
        bool going = moment.suspects > 0 && passes_left > 0;
        while (going) {
            const uint32_t blind = context_->on_cuda() ? std::min(kBlindPasses, passes_left) : 1;
            passes_left -= blind;
            Extent extent = moment.suspects;
            outcomes_.resize(*context_, blind > 1 ? edge_count : moment.suspects, false);
            tallies_.fill_bytes(0);
            for (uint32_t k = 0; k < blind; ++k) {
                const View<uint64_t> tally = tally_view(k);
                ++moment.stamp;
                FlipPass now = pass(mesh);
                launch(*context_, "flip.bid", extent, BidForFlip<Rule>{now, rule, false, false}, tally);
                if (Rule::kLooksAround) launch(*context_, "flip.settle", extent, SettleBids<Rule>{now, rule});
                launch(*context_, "flip.flip", extent, FlipEdge{now, false, 2}, tally);
                launch(*context_, "flip.repair", extent, RepairEdges{now});
                // Behind a blind pass the next list can hold any edge; else the outer edges of every flip and those
                // that stay.
                size_t most = edge_count;
                if (blind == 1) most = std::min(most, size_t(moment.suspects) + 3 * size_t(read_tally(0).value[2]));
                Buffer<uint32_t>& next = suspects_[1 - moment.current_list];
                next.resize(*context_, most, false);
                const View<uint32_t> total{totals_.view().data + k % 2, 1};
                append(*context_, "flip.collect", extent, CollectSuspects{now, next.view()}, total);
                extent = Extent(total, edge_count);
                take_list(1 - moment.current_list, 0);
            }
            moment.suspects = totals_.read((blind - 1) % 2);
            Tally tallies[kBlindPasses];
            tallies_.download(tallies[0].value, size_t(blind) * kTallyWidth);
            for (uint32_t k = 0; going && k < blind; ++k) {
                const Tally& tally = tallies[k];
                if (tally.value[1] == 0) break;
                moment.illegal = static_cast<uint32_t>(tally.value[0]);
                moment.won = static_cast<uint32_t>(tally.value[2]);
                going = after_pass(FlipCounts{tally.value[1], tally.value[0], tally.value[2], tally.value[3], 0});
            }
            going = going && moment.suspects > 0 && passes_left > 0;
        }
    }

    void watch_for_cycles() {
        seen_.clear();
        moment.mesh_hash = 0;
    }
    /// Whether the flips have been here before since watch_for_cycles(): same triangles, same illegal edges.
    bool repeats_itself() { return !seen_.insert(mix64(moment.mesh_hash) ^ moment.illegal_hash).second; }
    void mark_cycle(const MeshView& mesh) { launch(*context_, "watch.cycle", moment.suspects, MarkCycle{pass(mesh)}); }

    /// The list of the moment, for hashes and snapshots; of no use while moment.all.
    const Buffer<uint32_t>& suspects() const { return suspects_[moment.current_list]; }
    uint32_t suspects_in_list() const { return moment.all ? 0 : moment.suspects; }
    /// The other list, to be filled and then taken with take_list().
    Buffer<uint32_t>& spare_list() { return suspects_[1 - moment.current_list]; }
    void take_spare_list(uint32_t count) { take_list(1 - moment.current_list, count); }
    View<uint64_t> bids() const { return bids_.view(); }
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
    void restore_list(const std::byte* ids) {
        if (const uint32_t count = suspects_in_list()) {
            suspects_[moment.current_list].resize(*context_, count, false);
            context_->copy(suspects_[moment.current_list].view().data, ids, count * sizeof(uint32_t));
        }
        bids_.fill_bytes(0xFF);
        seen_.clear();
    }

  private:
    static constexpr size_t kTotals = 2;

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
    Buffer<Outcome> outcomes_{"outcomes"};
    Buffer<uint64_t> bids_{"bids"};
    Buffer<uint32_t> totals_{"totals"};
    Buffer<uint64_t> tallies_{"tallies"};
    std::unordered_set<uint64_t> seen_;

  public:
    Moment moment;
};

}  // namespace flipscope
