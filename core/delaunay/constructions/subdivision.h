// Triangulation by space subdivision: a square around all points is split in four, again and again, each part with the
// points that can own a place in it, until so few are left that trying all triples finds the Voronoi vertices in it;
// pass by pass. The engine behind the Subdivision lab.
//
// After K. Ishikawa and O. Yamamoto, On computation of Delaunay triangulation on CUDA using a simple data structure
// (Meijo University): one array of (point, cell, head), in which each cell has a contiguous part. The paper's is in
// doubles and for points in general position; here every decision is exact, each Voronoi vertex is in one half-open
// cell, cocircular points become a fan by rank, and triangles outside the root are added at the end.
#pragma once

#include <memory>
#include <vector>

#include "compute/cleared_words.h"
#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/serial.h"
#include "delaunay/constructions/subdivision_view.h"

namespace flipscope {

struct SubdivisionOptions {
    uint32_t leaf = 3;          // cells with at most so many candidates leave; 3 … kMostByThread
    uint32_t patience = 3;      // splits in a row that multiply a cell's candidates until it leaves; 0: any number
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

class Subdivision final : public PointConstruction {
  public:
    enum Pass : uint32_t { kOrder, kBroadcast, kSolve, kSplit, kLeach, kPack, kOutside, kJoin };
    enum Counter : uint32_t { kCells, kCandidates, kCopied, kRemoved, kLeft, kByHost, kFound, kCounters };

    /// Starts over. Throws Error, and changes nothing, for more points than can be triangulated. Points in the device's
    /// memory must stay until the first pass has run.
    void reset(Context& context, const InputPoints& input, const SubdivisionOptions& options);

    const SubdivisionOptions& options() const { return options_; }
    uint32_t next_pass() const override { return state_.next; }
    void finish(const AfterRound& after_round, uint32_t rounds = kNone) override;
    uint32_t round() const override { return state_.round; }
    uint32_t waiting_count() const override { return 0; }  // no point ever waits: all are candidates from the start

    // ---- for display ------------------------------------------------------------------------------------------------
    /// The present cells and array. Begins and ends are those of the last pass broadcast, or of a later split.
    CellsView cells() const;
    uint32_t cell_count() const { return state_.cells; }
    uint32_t candidate_count() const { return state_.candidates; }
    const Cell& root() const { return state_.root; }
    /// Before the pass pack: (m) 0 for candidates that the pass leach found superfluous.
    View<const uint32_t> stays() const { return stays_.view(); }
    /// Between the passes solve and split: the judged cells, including those that have left since.
    CellsView judged() const;
    uint32_t judged_count() const { return state_.judged; }
    uint32_t judged_candidates() const { return state_.judged_candidates; }
    View<const uint32_t> verdicts() const { return verdicts_.view(); }
    /// The triangles found so far, the first ones in the mesh's buffer: one for each Voronoi vertex.
    uint32_t found() const { return state_.found; }

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

  private:
    /// The state of the run outside buffers; saved and loaded as a whole.
    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0;
        uint32_t cells = 0, candidates = 0;
        uint32_t found = 0;                          // triangles
        uint32_t judged = 0, judged_candidates = 0;  // at the last judgement; the spare buffers still have them
        Cell root;
    };
    static constexpr size_t kOwnBlocks = 5;

    /// Also throws Error where the candidates are more than an array can hold.
    PassResult run(uint32_t pass) override;
    void order(PassResult&);
    void choose_root();
    void broadcast(PassResult&);
    void solve(PassResult& result);
    void split(PassResult& result);
    void leach(PassResult& result);
    void pack(PassResult& result);
    void find_outside(PassResult& result);
    void join(PassResult&);

    uint32_t read_total() const { return total_.read(0); }
    void swap_arrays();
    /// Adds the Delaunay triangles of a few of the points whose circumcentres are in `inside`, or not in `outside`.
    void triangulate_on_host(std::vector<uint32_t> vertices, const Cell* inside, const Cell* outside);
    void take_host_copies();
    bool wants_triangle(const uint32_t* corners, const Cell* inside, const Cell* outside) const;
    void append_found();

    SubdivisionOptions options_;
    RunState state_;
    Buffer<Cell> cells_{"cells"}, spare_cells_{"more cells"};
    Buffer<uint32_t> begins_{"heads"}, ends_{"tails"}, spare_begins_{"more heads"}, spare_ends_{"more tails"};
    Buffer<uint32_t> points_{"candidates"}, cell_of_{"cells of candidates"};
    Buffer<uint32_t> spare_points_{"more candidates"}, spare_cell_of_{"cells of more candidates"};
    Buffer<uint32_t> stays_{"signs"};        // (m) 1: not removed
    Buffer<uint32_t> at_border_{"border"};   // (v) 1: a candidate of a cell that left at the root's border
    Buffer<uint32_t> odd_{"odd cells"};      // (c) 1: not all candidates on one circle
    Buffer<uint32_t> verdicts_{"verdicts"};  // (c)
    Buffer<uint32_t> numbers_{"cell numbers"}, list_{"cells for the host"}, total_{"total"};
    Buffer<uint64_t> least_{"least distances"}, central_{"central candidates"};
    ClearedWords sums_{"sums"};

    // For cells solved on the host; positions and input indices on the host, copied when first needed.
    std::vector<Point> host_positions_;
    std::vector<uint32_t> host_inputs_, host_found_;
    std::unique_ptr<Context> host_context_;  // if the other one is on CUDA
    SerialInsertion serial_;
};

}  // namespace flipscope
