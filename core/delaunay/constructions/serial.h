// Serial insertion (Lawson 1977): one point at a time, each followed by the flips that it makes necessary; the engine
// behind the Serial lab, and the reference for the parallel constructions. Host only.
//
// Algorithms 2 and 3 of P. Drozd, Delaunay Triangulations on the GPU (2025). The thesis's point location tests every
// triangle, which makes it O(n²). Here points come in a biased randomized order (Amenta, Choi and Rote 2003): ever
// larger random samples, each along the Hilbert curve, so that the walk from the last point is short and the whole
// takes O(n log n) expected time.
#pragma once

#include <memory>
#include <vector>

#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/locate.h"
#include "delaunay/constructions/seed.h"

namespace flipscope {

class SerialInsertion final : public PointConstruction {
  public:
    enum Pass : uint32_t { kOrder, kSeed, kInsert, kLegalise };
    enum Counter : uint32_t { kInserted, kWalked, kQueued, kIllegal, kFlipped, kUninserted, kCounters };

    /// Starts over. Throws Error, and changes nothing, on CUDA and for more points than can be triangulated. `by_flip`:
    /// step() makes one flip at a time, otherwise all flips of a point; the states between points are the same.
    void reset(Context& context, std::shared_ptr<const Geometry> input, bool by_flip = false);
    bool by_flip() const { return by_flip_; }
    uint32_t next_pass() const override { return state_.next; }
    PassResult step() override;
    /// Rounds are samples of points.
    void finish(const AfterRound& after_round, uint32_t inserted = kNone) override;
    /// Points that passes have inserted, those of the first triangle not counted.
    uint32_t progress() const override { return state_.inserted; }
    uint32_t round() const override { return state_.round; }
    uint32_t waiting_count() const override;
    std::vector<uint32_t> walk_to(uint32_t vertex) const override;
    uint64_t state_hash() const override;
    /// Between two points; otherwise throws std::logic_error.
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    struct RunState {
        uint32_t next = kNone;
        uint32_t inserted = 0;  // position in the order
        uint32_t round = 0;     // samples begun: 1, 2, …; an empty one has no number
        uint32_t last = 0;      // triangle of the last point, where the next walk starts
    };

    void seed(PassResult& result);
    void choose_order(const FirstTriangle& first);
    uint32_t insert();
    uint32_t legalise(uint32_t most, uint32_t& tested, uint32_t& illegal);
    uint32_t sample_of(uint32_t vertex) const;
    bool begins_sample(size_t place) const;
    void mark_waiting();

    RunState state_;
    bool by_flip_ = false;
    StarCentre star_;
    std::vector<uint32_t> order_;  // vertex ids, in the order of insertion
    std::vector<uint32_t> stack_;  // edges to test
};

}  // namespace flipscope
