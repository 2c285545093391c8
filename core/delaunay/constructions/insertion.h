// Parallel insertion with flips (algorithm 4 of P. Drozd, Delaunay Triangulations on the GPU, 2025), pass by pass: the
// engine behind triangulate() and the Build lab. step() runs one pass, finish() all the rest.
#pragma once

#include <algorithm>

#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/insertion_kernels.h"
#include "delaunay/constructions/sample_start.h"
#include "delaunay/flip/flip_machine.h"

namespace flipscope {

enum class Enclosure : uint32_t {
    kInfinity,       // a vertex at infinity: the hull is exact
    kSupertriangle,  // a large finite triangle, as in the thesis: hull edges can get lost
};

/// The triangulation before the first round.
enum class InsertionStart : uint32_t {
    kSample,    // the triangulation of a sample of the points, by strips
    kTriangle,  // three points
};

struct InsertionOptions {
    PredicateMode predicate = PredicateMode::kExact;
    InsertionStart start = InsertionStart::kSample;  // kTriangle if starts_from_sample() is false
    uint32_t fewest_sampled = 512;                   // fewest distinct points for a sample
    bool flips = true;                               // off: figure 15 of the thesis
    uint32_t flip_limit = 0;  // flip passes per round while points wait; 0: until nothing is illegal
    ConflictRule conflict = ConflictRule::kLowestId;
    VoteRule vote = VoteRule::kNearestCircumcentre;
    Enclosure enclosure = Enclosure::kInfinity;
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

/// The sample's stride along the curve: shorter for few points, where a round costs little but its launches.
inline uint32_t sample_stride(uint32_t distinct) { return std::clamp(distinct / 256, 4u, 32u); }
/// Whether so many distinct points start from a sample of them: not a few, and only with exact flips and a vertex at
/// infinity, which give the same triangles as strips.
bool starts_from_sample(const InsertionOptions& options, uint32_t distinct);

class Insertion final : public PointConstruction {
  public:
    enum Pass : uint32_t { kOrder, kSeed, kVote, kSplit, kLink, kClaim, kFlip, kRepair, kRelocate };
    enum Counter : uint32_t { kInserted, kQueued, kIllegal, kGranted, kDeferred, kFlipped, kUninserted, kCounters };

    /// Starts over. Throws Error, and changes nothing, for more points than can be triangulated and for coordinates too
    /// large for a finite supertriangle. Points in the device's memory must stay until the first pass has run.
    void reset(Context& context, const InputPoints& input, const InsertionOptions& options);

    uint32_t next_pass() const override { return state_.next; }
    void finish(const AfterRound& after_round, uint32_t rounds = kNone) override;

    const InsertionOptions& options() const { return options_; }
    uint32_t round() const override { return state_.round; }
    uint32_t iteration() const { return state_.iteration; }  // flip passes of the round, begun so far
    /// Stopped because the flips cycle: rounded predicates.
    bool cycling() const { return state_.cycling != 0; }
    uint32_t waiting_count() const override { return state_.waiting; }
    TriangleClaims triangle_claims() const override { return flips_.triangle_claims(); }
    std::vector<uint32_t> walk_to(uint32_t vertex) const override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    /// The state of the run outside buffers; saved and loaded as a whole.
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0, iteration = 0;
        uint32_t waiting = 0;  // points not inserted
        uint32_t chosen = 0;   // points of this round, between vote and link
        uint32_t on_edge = 0;  // points of this round that were inserted on an edge
        uint32_t triangles = 0, edges = 0;
        uint32_t current = 0;  // which of the two waiting lists
        FlipScope scope = FlipScope::kAll;
        uint32_t cycling = 0;  // 1: stopped because the flips cycle
        FlipMachine::RunState flips;
    };

    PassResult run(uint32_t pass) override;
    void order(PassResult& result);
    void seed(PassResult& result);
    bool seed_with_sample();
    bool seed_with_triangle();
    void make_room();
    void vote(PassResult& result);
    uint32_t choose(View<uint32_t> total);
    void count_split(uint32_t chosen, uint64_t on_edge);
    void split(PassResult& result);
    void link(PassResult&);
    void claim(PassResult& result);
    void flip(PassResult& result);
    void repair(PassResult& result);
    void relocate(PassResult& result);
    void locate();
    RelocatePoint relocation(const Waiting& list) const;
    void launch_relocation(Extent count, const Waiting& list);
    void choose_scope();
    PassResult flip_until_legal();
    PassResult round_at_once();
    bool runs_rounds_at_once() const;
    View<uint32_t> worklist_of(uint32_t chosen);
    FlipMachine::Passes launch_split_and_flips(const SplitPass& split, Extent chosen, View<uint32_t> list);
    bool flips_to_the_end() const;
    void mark_waiting();
    void end_early(PassResult& result);

    Waiting waiting(uint32_t which) const { return {waiting_ids_[which].view(), waiting_locations_[which].view()}; }
    View<uint64_t> votes() const { return flips_.words_between_passes(); }
    FlipPass flip_pass() const { return flips_.pass(mesh_view()); }
    InCircleRule rule() const { return {mode(), state_.scope}; }
    SplitPass split_pass() const;
    PredicateMode mode() const { return options_.predicate; }
    bool naive() const { return mode() != PredicateMode::kExact; }
    uint32_t most_steps() const;
    uint32_t most_naive_rounds() const;
    bool finite_enclosure() const { return options_.enclosure == Enclosure::kSupertriangle; }

    InsertionOptions options_;
    bool voted_ = false;  // the last relocation has cast the votes of the next round
    Buffer<uint32_t> waiting_ids_[2] = {Buffer<uint32_t>("waiting ids"), Buffer<uint32_t>("waiting ids 2")};
    Buffer<uint32_t> waiting_locations_[2] = {Buffer<uint32_t>("waiting places"), Buffer<uint32_t>("waiting places 2")};
    FlipMachine flips_;
    SampleStart sample_;

    RunState state_;  // `flips` is used between save() and load() only; else the machine has it
    StarCentre star_;
};

}  // namespace flipscope
