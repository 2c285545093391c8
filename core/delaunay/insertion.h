// The Build lab: parallel insertion with flips (algorithm 4 of Drozd 2025) as a machine of named passes. Whoever is not
// insertion.cpp uses it as an Algorithm, by make_insertion().
#pragma once

#include <memory>
#include <string>

#include "delaunay/construction.h"
#include "delaunay/flip_machine.h"
#include "delaunay/insertion_kernels.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_insertion();

enum class Enclosure : uint32_t { kInfinity, kSupertriangle };

struct InsertionParameters {
    int predicate = 0;     // PredicateMode
    bool flips = true;     // off: figure 15 of the thesis
    int flip_limit = 0;    // flip passes per round while points wait; 0: until nothing is illegal
    int conflict = 0;      // ConflictRule
    int vote = 0;          // VoteRule
    int enclosure = 0;     // Enclosure
    int block_size = 128;  // CUDA threads per block
};

class Insertion final : public Construction {
  public:
    enum Pass : uint32_t { kOrder, kSeed, kVote, kSplit, kLink, kBid, kFlip, kRepair, kRelocate };
    enum Counter : uint32_t { kInserted, kSuspected, kIllegal, kWon, kLost, kFlipped, kUninserted, kCounters };

    const AlgorithmInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const override { return state_.next; }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    /// Everything about the moment that is not in a buffer; saved and loaded as it is.
    struct Moment {
        uint32_t next = kNone;
        uint32_t round = 0, iteration = 0;
        uint32_t waiting = 0;  // points not inserted
        uint32_t chosen = 0;   // points of this round, between vote and link
        uint32_t on_edge = 0;  // points of this round that were inserted on an edge
        uint32_t triangles = 0, edges = 0;
        uint32_t current = 0;  // which of the two waiting lists
        FlipScope scope = FlipScope::kAll;
        uint32_t cycling = 0;  // 1: stopped because the flips repeat themselves
        FlipMachine::Moment flips;
    };

    StepResult run(uint32_t pass);
    void order(StepResult& result);
    void seed(StepResult& result);
    void vote(StepResult& result);
    void split(StepResult& result);
    void link();
    void bid(StepResult& result);
    void flip(StepResult& result);
    void repair(StepResult& result);
    void relocate(StepResult& result);
    void locate(const char* label, const char* label_with_vote);
    void choose_scope();
    StepResult flip_until_legal();
    void mark_waiting();
    void end_early(const std::string& why, StepResult& result);

    uint32_t waiting_count() const override { return state_.waiting; }

    MeshView mesh_view() const;
    Waiting waiting(uint32_t which) const { return {waiting_ids_[which].view(), waiting_locations_[which].view()}; }
    FlipPass flip_pass() const { return flips_.pass(mesh_view()); }
    InCircleRule rule() const { return {mode(), state_.scope}; }
    SplitPass split_pass() const;
    PredicateMode mode() const { return static_cast<PredicateMode>(now_.predicate); }
    bool naive() const { return mode() != PredicateMode::kExact; }
    bool marking() const { return marks_ && mesh_.watched(); }
    uint32_t most_steps() const;
    uint32_t most_naive_rounds() const;
    bool finite_enclosure() const { return now_.enclosure == int(Enclosure::kSupertriangle); }

    InsertionParameters wished_, now_;  // as set by the user; as of the last reset
    bool marks_ = true;                 // off: finish() is running, nobody watches
    bool voted_ = false;                // the last relocation has cast the votes of the next round
    Buffer<uint32_t> waiting_ids_[2] = {Buffer<uint32_t>("waiting ids"), Buffer<uint32_t>("waiting ids 2")};
    Buffer<uint32_t> waiting_locations_[2] = {Buffer<uint32_t>("waiting places"), Buffer<uint32_t>("waiting places 2")};
    Buffer<uint64_t> votes_{"votes"};
    Buffer<uint32_t> chosen_ids_{"chosen ids"}, chosen_locations_{"chosen places"};
    FlipMachine flips_;

    Moment state_;  // its `flips` only between save() and load(): the machine has the present one
    StarCentre star_;
};

}  // namespace flipscope
