// Triangulation by strips: points sorted into vertical strips, every strip's points joined into a chain by y,
// neighbouring chains zipped together, the outline closed, and then made Delaunay by edge flips; pass by pass. It needs
// neither point location nor rounds of insertion, only a sort and ranks.
#pragma once

#include "delaunay/constructions/construction.h"
#include "delaunay/flip/flip_machine.h"

namespace flipscope {

struct Regions;
struct ZipView;

struct StripsOptions {
    double strips = 1;          // number of strips, as a multiple of the square root of the number of points
    uint32_t region = 0;        // triangles per region that is made legal by itself; 0: by the number of points
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

class Strips final : public PointConstruction {
  public:
    enum Pass : uint32_t { kOrder, kChain, kZip, kClose, kLegalise, kClaim, kFlip, kRepair };
    enum Counter : uint32_t { kZipped, kClosed, kQueued, kIllegal, kGranted, kDeferred, kFlipped, kCounters };

    /// Starts over. Throws Error, and changes nothing, for more points than can be triangulated. Points in the device's
    /// memory must stay until the first pass has run.
    void reset(Context& context, const InputPoints& input, const StripsOptions& options);

    const StripsOptions& options() const { return options_; }
    uint32_t next_pass() const override { return state_.next; }
    /// There are two rounds, the joining and the flips.
    void finish(const AfterRound& after_round, uint32_t rounds = kNone) override;
    uint32_t round() const override { return state_.round; }
    TriangleClaims triangle_claims() const override { return flips_.triangle_claims(); }
    uint32_t waiting_count() const override { return state_.joined || done() ? 0 : distinct_; }
    /// The strips of the points; 0 before they are ordered.
    const PointStrips& strips() const { return strips_; }
    /// The regions of triangles for the pass kLegalise. Of three or more points, once they are ordered.
    Regions regions() const;
    /// Whether the chains are joined, so that there is a mesh.
    bool joined() const { return state_.joined != 0; }

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    /// The state of the run outside buffers; saved and loaded as a whole.
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0, iteration = 0;
        uint32_t zipped = 0;  // triangles between chains
        uint32_t joined = 0;  // 1: there is a mesh
        FlipMachine::RunState flips;
    };

    PassResult run(uint32_t pass) override;
    void order(PassResult& result);
    void chain(PassResult&);
    void zip(PassResult& result);
    void close(PassResult& result);
    void legalise(PassResult& result);
    PassResult join();
    void make_room();
    void launch_zip(bool outline, View<uint64_t> sums);
    void launch_legalise(View<uint64_t> sums);
    void queue_between_regions();
    bool is_line(uint64_t triangles);
    void claim(PassResult& result);
    void flip(PassResult& result);
    void repair(PassResult& result);
    PassResult flip_until_legal();
    ZipView zip_view() const;

    StripsOptions options_;
    void mark_made();
    PointStrips strips_;
    Buffer<uint32_t> work_{"strip work"};  // for the zipping, then for regions
    FlipMachine flips_;
    RunState state_;  // `flips` is used between save() and load() only; else the machine has it
};

}  // namespace flipscope
