// Any triangulation made Delaunay by parallel edge flips, in the plane and on surfaces, after C. Navarro, N. Hitschfeld
// and E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips (EuroCG 2011): the engine behind the Flip
// lab. step() runs one pass, finish() all that are left; between iterations a vertex can be moved and an edge flipped.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/makers.h"
#include "delaunay/flip/flip_machine.h"
#include "mesh/checks.h"
#include "mesh/connect.h"
#include "mesh/quality.h"

namespace flipscope {

enum class Criterion : uint32_t { kInCircle, kAngles, kAnglesFloat };

struct FlippingOptions {
    Start start = Start::kInsertion;  // how points without triangles become a triangulation
    MakerOptions maker;
    Criterion criterion = Criterion::kInCircle;  // in the plane; on surfaces it is always the angles, in double
    double epsilon = 1e-9;                       // radians, of the angle criterion
    double dihedral = 0.5;                       // radians; steeper creases of a surface stay
    ConflictRule conflict = ConflictRule::kHashedId;
    uint32_t block_size = 128;  // CUDA threads per block: a multiple of 32
};

/// What a surface must keep, counted once before and once after.
struct SurfaceFacts {
    uint64_t creases = 0;  // edges whose dihedral angle is past the limit
    uint64_t illegal = 0;  // edges that the rule would flip
    uint64_t blocked = 0;  // edges illegal by their angles that cannot flip, and are no creases
    uint64_t held = 0;     // edges illegal by their angles that are creases
};

class Flipping final : public Construction {
  public:
    enum Pass : uint32_t { kClaim, kFlip, kRepair, kEdit };
    enum Counter : uint32_t { kQueued, kIllegal, kBlocked, kGranted, kDeferred, kRemaining, kCounters };

    /// Starts over. Throws Error, and is as before, for triangles that are no triangulation or no surface, points in
    /// space without triangles, and a start that the points do not allow.
    void reset(Context& context, std::shared_ptr<const Geometry> input, const FlippingOptions& options);

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Throws std::logic_error when done, Cancelled when the context is cancelled.
    PassResult step();
    /// The same kernels and the same state as stepping, with fewer read-backs. `after_round` (may be empty) gets
    /// the counters of each iteration.
    void finish(const AfterRound& after_round);

    /// Moves a vertex, as one step of the pass kEdit. A triangulation that was finished is Delaunay again at once; in
    /// the middle of a run what became illegal is left to the next iterations. Between iterations and at the end only.
    /// Throws Error, and changes nothing, where the vertex cannot go. `place`: z has no meaning in the plane.
    PassResult move_vertex(uint32_t vertex, Point3 place);
    /// Flips an edge, legal or not, as one step of the pass kEdit; the next iterations go on from there. Between
    /// iterations, at the end, and after a claim, which is withdrawn: its claims may be granted already, and it would
    /// flip twice. Throws Error, and changes nothing, for an edge that cannot flip.
    PassResult flip_edge(uint32_t edge);

    const FlippingOptions& options() const { return options_; }
    uint32_t iterations() const { return state_.iteration; }  // begun so far
    /// Stopped because the flips repeat themselves: angles in floating point.
    bool cycling() const { return state_.cycling != 0; }
    bool in_space() const { return !mesh_.heights.empty(); }
    double low_z() const { return low_z_; }
    double high_z() const { return high_z_; }
    /// Whether a vertex was moved, and whether a surface may have been folded, by hand.
    bool moved() const { return state_.moved != 0; }
    bool edited_by_hand() const { return state_.moved || state_.folded; }
    /// What the mesh was like when it was loaded.
    const Connection& connection() const { return connection_; }
    const AngleCounts& angles_before() const { return angles_before_; }
    const SurfaceFacts& facts_before() const { return facts_before_; }
    const CheckReport& check_before() const { return check_before_; }  // of a surface
    /// Of a surface, now. `rounding`: angles may be off by it, radians, and so may cosines of dihedral angles.
    SurfaceFacts survey_surface(double rounding) const;
    enum class SurfaceFaults { kCreases, kIllegal };
    /// Appends those edges to the report, of which survey_surface(rounding) has counted `count`.
    void list_surface_faults(SurfaceFaults which, double rounding, uint64_t count,
                             const std::function<std::string(const FailureRecord&)>& say, CheckReport& report) const;
    /// Decided by exact signs; of a surface angles are all there is.
    bool exact() const { return !in_space() && options_.criterion == Criterion::kInCircle; }

    uint32_t waiting_count() const override { return 0; }
    TriangleClaims triangle_claims() const override { return flips_.triangle_claims(); }
    bool fixed_outline() const override { return !connection_.convex_outline; }
    uint64_t unused_count() const override { return connection_.unused_points; }
    TriangleSoup soup() const override;

    uint64_t state_hash() const;
    /// Between iterations and at the end; otherwise throws std::logic_error.
    Snapshot save() const;
    void load(const Snapshot& snapshot);

  private:
    // Angles in floating point could flip in circles; after so many iterations that is checked.
    static constexpr uint32_t kUncheckedIterations = 100;

    struct RunState {
        uint32_t next = kNone;
        uint32_t iteration = 0;
        uint32_t check_cycles_from = kUncheckedIterations;  // the iteration after which cycles are looked for
        uint32_t cycling = 0;                               // 1: stopped because the flips repeat themselves
        uint32_t stuck = 0;   // 1: the last pass of the rule "first taken" had no granted edge
        uint32_t moved = 0;   // 1: a vertex has been moved by hand, so places count as state
        uint32_t folded = 0;  // 1: an edge of a surface has been flipped by hand
        FlipMachine::RunState flips;
    };

    static std::shared_ptr<const Geometry> triangulated(Context& context, const std::shared_ptr<const Geometry>& input,
                                                        const FlippingOptions& options);
    Geometry laid_out(std::vector<uint32_t>& inputs);
    void claim(PassResult& result);
    void flip(PassResult& result);
    void repair(PassResult& result);
    void end(PassResult& result);
    bool checks_cycles() const { return !exact() && state_.iteration > state_.check_cycles_from; }
    void forget_marks();
    Slack slack() const;
    SurfaceRule surface_rule() const;
    SurfaceRule rule_for_survey(double rounding) const;
    template <class Visit>
    auto with_rule(const Visit& visit) const;

    PassResult begin_edit() const;
    void end_edit(PassResult& result);
    void move_in_plane(uint32_t vertex, Point place);
    void take_out_and_put_in(uint32_t vertex, Point place);
    void turn_over(uint32_t vertex, Point place);
    void queue_around(const uint32_t (&vertices)[4]);
    void restore(PassResult& result);
    ConflictRule repeatable_conflict() const;

    FlippingOptions options_;
    FlipMachine flips_;
    Connection connection_;  // what the mesh was like when it was loaded
    Buffer<uint8_t> pinched_{"pinched vertices"};
    std::vector<uint32_t> equal_to_;  // in the plane: the first point equal to each, as of set_first_equal()
    double low_z_ = 0, high_z_ = 0;
    AngleCounts angles_before_;
    SurfaceFacts facts_before_;
    CheckReport check_before_;  // of a surface
    RunState state_;            // its `flips` only between save() and load(): the machine has the present one
    mutable std::vector<Point> moved_points_;  // what soup() lends when a vertex was moved
    mutable std::vector<double> moved_heights_;
};

}  // namespace flipscope
