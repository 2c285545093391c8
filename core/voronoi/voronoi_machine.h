// Sites on a lattice, their digital Voronoi diagram, its graph of neighbours beside the exact one, and Lloyd's
// iteration towards a centroidal diagram (Bernaschi, Lulli and Sbragaglia 2016, sections II and III B), as a machine of
// named passes. After place and obstacles one round is
//
//   colour (as many steps as the method has) → centroids → (corners → link → arrange → compare) → move
//
// and rounds continue while iterations are left and a site is far enough from its centroid; the last round has no move.
// Everything is a function of the sites and the obstacles, so a snapshot holds only these. The Voronoi lab runs it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "compute/pass.h"
#include "compute/snapshot.h"
#include "mesh/checks.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/graph_comparison.h"
#include "voronoi/graph/lattice_graph.h"
#include "voronoi/lloyd.h"

namespace flipscope {

struct VoronoiInput {
    Lattice lattice;
    std::vector<Point> sites;        // world units: lattice units
    std::vector<uint32_t> names;     // (n) by label: permanent names of sites; labels may change
    uint32_t next_name = 0;          // of the next added site
    std::vector<Point> points;       // to be clustered, lattice units; otherwise empty
    std::vector<uint8_t> obstacles;  // (h, w) or empty
    std::vector<uint16_t> density;   // (h, w) of make_density(), or empty: uniform
    double reach = 0;                // the greatest distance of a site from the lattice, lattice units
};

struct VoronoiOptions {
    ColouringMethod method = ColouringMethod::kExact;
    StencilRules rules = {};
    uint32_t lloyd = 0;           // iterations
    double tolerance = 1e-3;      // world units: the iteration ends when all sites are nearer to their centroids
    bool graph_per_round = true;  // when stepping; otherwise only the last round has a graph, as in finish()
    bool compare = true;          // with the exact graph
};

class VoronoiMachine {
  public:
    enum Pass : uint32_t { kPlace, kObstacles, kColour, kCentroids, kCorners, kLink, kArrange, kCompare, kMove, kEdit };
    enum Counter : uint32_t {
        kSites,
        kCorner,
        kLinks,
        kIslands,
        kProlonged,
        kMissed,
        kSpurious,
        kBlocked,
        kWrong,
        kMoved,
        kEmpty,
        kCounters
    };
    /// The results on the sites as last coloured.
    enum Made : uint32_t { kColoured = 1, kMeasured = 2, kCornered = 4, kLinked = 8, kCompared = 16 };

    /// The state that is not in buffers; saved and loaded bytewise.
    struct State {
        uint32_t next = kNone;
        uint32_t round = 0;
        uint32_t jumps = 0;      // steps of this round's colouring done
        uint32_t to_go = 0;      // iterations of Lloyd's left
        uint32_t moves = 0;      // and done
        uint32_t sites = 0;      // number of sites
        uint32_t next_name = 0;  // of the next added site
        uint32_t made = 0;       // bits of Made
        uint32_t move_follows = 0;
        uint32_t unused = 0;
        double energy = 0, largest_move = 0;
    };

    /// Restarts. Throws Error for a lattice that is too large, and for points too far from the origin.
    void reset(Context& context, std::shared_ptr<const VoronoiInput> input, const VoronoiOptions& options,
               bool records_states);
    bool done() const { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Runs one pass. Throws std::logic_error when done, and Cancelled.
    PassResult step();
    /// Runs to the end, with a graph only in the last round, and without counts that only a display needs.
    /// `after_round` (may be empty) receives the counters of each round.
    void finish(const std::function<void(const PassResult&)>& after_round);

    // Edits, between two rounds. They change only the sites or the obstacles; call restart() afterwards.
    void set_sites(const std::vector<Point>& sites, const std::vector<uint32_t>& names);
    /// Covers the pixels within `radius` of a path with obstacles, or frees them.
    void paint(const std::vector<Point>& path, double radius, bool covers);
    /// The name for a new site.
    uint32_t take_name() { return state_.next_name++; }
    /// Discards all results; all iterations are left.
    void restart();
    /// The counts of an earlier state, from which an edit is repeated; the sites and obstacles stay.
    void set_state(const State& state) { state_ = state; }

    /// The same for stepping and finish() and on every device.
    uint64_t state_hash() const;
    static constexpr size_t kBlocks = 5;
    /// Throws std::logic_error during a colouring.
    Snapshot save() const;
    /// Loads a snapshot of the same input. Blocks after the first kBlocks belong to the caller.
    void load(const Snapshot& snapshot);

    /// Compares colours with the nearest sites by brute force, on sampled rows of a large lattice, and the graph with
    /// the exact one; verifies the rows and the places of the sites. Waits for the device.
    CheckReport check() const;

    const State& state() const { return state_; }
    bool has(Made made) const { return state_.made & made; }
    const VoronoiOptions& options() const { return options_; }
    const VoronoiInput& input() const { return *input_; }
    const std::vector<uint32_t>& names() const { return names_; }  // (n) by label
    const Buffer<Point>& sites() const { return sites_; }          // (n)
    const Colouring& colouring() const { return colouring_; }
    const Lloyd& lloyd() const { return lloyd_; }
    const LatticeGraph& graph() const { return graph_; }
    /// Of the last compare; empty before it.
    const std::optional<ExactGraph>& exact() const { return exact_; }
    const GraphComparison& comparison() const { return comparison_; }

    // These wait for the device.
    std::vector<Point> host_sites() const;
    /// The sites at the last colouring: Lloyd's iteration may have moved them since.
    std::vector<Point> coloured_sites() const;
    std::vector<uint8_t> host_obstacles() const { return colouring_.obstacles().download(); }  // (h, w) or empty
    std::vector<uint64_t> areas() const;  // (n) pixels, or points; empty: not measured
    uint64_t count_obstacles() const;
    /// The number of pixels where jump flooding left a colour other than the nearest site's.
    uint64_t count_wrong_colours() const { return colouring_.count_errors(*context_); }
    struct OddPixels {
        uint64_t islands = 0, prolonged = 0;
    };
    OddPixels count_odd_pixels() const;  // from the colours, even if pixel states are not recorded

  private:
    PassResult run(uint32_t pass, bool fast);
    void place(PassResult& result);
    void show_obstacles(PassResult& result);
    void colour(PassResult& result);
    void centroids(PassResult& result);
    void corners(PassResult& result);
    void link(PassResult& result);
    void arrange(PassResult& result);
    void compare(PassResult& result);
    void move(PassResult& result);
    void blank();
    void compare_with_exact();
    void rebuild(uint32_t made);
    uint32_t after_graph() const { return state_.move_follows ? uint32_t(kMove) : kNone; }
    bool floods() const { return options_.method == ColouringMethod::kJumpFlooding; }

    Context* context_ = nullptr;
    std::shared_ptr<const VoronoiInput> input_ = std::make_shared<VoronoiInput>();
    VoronoiOptions options_;
    bool records_states_ = true;
    bool fast_ = false;  // this pass: no counts for display only, and no graph before the last round
    std::vector<uint32_t> names_;
    Buffer<Point> sites_{"sites"};
    mutable Colouring colouring_;  // mutable: counting errors uses its scratch memory
    Lloyd lloyd_;
    LatticeGraph graph_;
    std::optional<ExactGraph> exact_;
    GraphComparison comparison_;
    State state_;
};

}  // namespace flipscope
