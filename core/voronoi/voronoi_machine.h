// Sites on a lattice, their digital Voronoi diagram, the graph of its neighbours beside the exact one, and Lloyd's
// iteration towards a centroidal diagram (Bernaschi, Lulli and Sbragaglia 2016, sections II and III B), as a machine of
// named passes. After place and obstacles one round is
//
//   colour (as many steps as the method has) → centroids → (corners → link → arrange → compare) → move
//
// and rounds go on while iterations are left and a site is far enough from its centroid; the last round has no move.
// All but the sites and the obstacles is a function of these two, so a snapshot has no more. The Voronoi lab runs it.
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
    std::vector<uint32_t> names;     // (n) by label: what a site is called; labels may change, names stay
    uint32_t next_name = 0;          // of a site added later
    std::vector<Point> points;       // to be put into clusters, lattice units; else empty
    std::vector<uint8_t> obstacles;  // (h, w) or empty
    std::vector<uint16_t> density;   // (h, w) of make_density(), or empty: uniform
    double reach = 0;                // how far beyond the lattice there are sites, lattice units
};

struct VoronoiOptions {
    ColouringMethod method = ColouringMethod::kExact;
    StencilRules rules = {};
    uint32_t lloyd = 0;           // iterations
    double tolerance = 1e-3;      // world units: sites nearer to their centroids end the iteration
    bool graph_per_round = true;  // when stepping; else the last round alone has a graph, as in finish()
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
    /// What is known of the sites as they were coloured last.
    enum Made : uint32_t { kColoured = 1, kMeasured = 2, kCornered = 4, kLinked = 8, kCompared = 16 };

    /// What of the state is in no buffer; saved and loaded as it is.
    struct State {
        uint32_t next = kNone;
        uint32_t round = 0;
        uint32_t jumps = 0;      // steps of this round's colouring that have run
        uint32_t to_go = 0;      // iterations of Lloyd's that are left
        uint32_t moves = 0;      // and that were made
        uint32_t sites = 0;      // so many there are
        uint32_t next_name = 0;  // of a site that is added
        uint32_t made = 0;       // bits of Made
        uint32_t move_follows = 0;
        uint32_t unused = 0;
        double energy = 0, largest_move = 0;
    };

    /// Starts over. Throws Error for a lattice that is too large, and for points too far from the origin.
    void reset(Context& context, std::shared_ptr<const VoronoiInput> input, const VoronoiOptions& options,
               bool records_states);
    bool done() const { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Runs one pass. Throws std::logic_error when done, and Cancelled.
    PassResult step();
    /// Runs to the end, with a graph in the last round alone, and without counts that only a display needs.
    /// `after_round` (may be empty) gets the counters of each round.
    void finish(const std::function<void(const PassResult&)>& after_round);

    // Edits, between two rounds. They set the sites or the obstacles alone: restart() makes a state of them.
    void set_sites(const std::vector<Point>& sites, const std::vector<uint32_t>& names);
    /// Covers the pixels within `radius` of a path with obstacles, or frees them.
    void paint(const std::vector<Point>& path, double radius, bool covers);
    /// The name of a site that is added.
    uint32_t take_name() { return state_.next_name++; }
    /// Nothing is coloured, and all iterations are left.
    void restart();
    /// The counts of an earlier state, from which an edit is to be made again; the sites and obstacles stay.
    void set_state(const State& state) { state_ = state; }

    /// The same after every step and finish() on every device.
    uint64_t state_hash() const;
    static constexpr size_t kBlocks = 5;
    /// Throws std::logic_error in the middle of a colouring.
    Snapshot save() const;
    /// Of the same input. Blocks after the first kBlocks are the caller's.
    void load(const Snapshot& snapshot);

    /// Compares colours with the nearest sites by brute force, on a sample of rows where the lattice is large, and the
    /// graph with the exact one; and looks at the rows and the places of the sites. Waits for the device.
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
    /// The sites as they were when the lattice was coloured: Lloyd's iteration may have moved them since.
    std::vector<Point> coloured_sites() const;
    std::vector<uint8_t> host_obstacles() const { return colouring_.obstacles().download(); }  // (h, w) or empty
    std::vector<uint64_t> areas() const;  // (n) pixels, or points; empty: not measured
    uint64_t count_obstacles() const;
    /// Pixels that jump flooding left another colour than that of the nearest site.
    uint64_t count_wrong_colours() const { return colouring_.count_errors(*context_); }
    struct OddPixels {
        uint64_t islands = 0, prolonged = 0;
    };
    OddPixels count_odd_pixels() const;  // from the colours alone, whether pixel states are recorded or not

  private:
    // `fast`: nothing is counted for display alone, and rounds before the last have no graph
    PassResult run(uint32_t pass, bool fast);
    void place(PassResult& result);
    void show_obstacles(PassResult& result);
    void colour(PassResult& result, bool fast);
    void centroids(PassResult& result, bool fast);
    void corners(PassResult& result, bool fast);
    void link();
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
    std::vector<uint32_t> names_;
    Buffer<Point> sites_{"sites"};
    mutable Colouring colouring_;  // counting its errors needs working memory
    Lloyd lloyd_;
    LatticeGraph graph_;
    std::optional<ExactGraph> exact_;
    GraphComparison comparison_;
    State state_;
};

}  // namespace flipscope
