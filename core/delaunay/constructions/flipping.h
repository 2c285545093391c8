// Parallel edge flips make any triangulation Delaunay, in the plane and on surfaces, after C. Navarro, N. Hitschfeld
// and E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips (EuroCG 2011): the engine behind the Flip
// lab. step() runs one pass, finish() all the rest; a vertex can be moved and an edge flipped between iterations.
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

/// Facts about a surface that flips must preserve, counted before and after a run.
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

    /// Starts over. Throws Error, and changes nothing, for triangles that are neither a triangulation nor a surface,
    /// points in space without triangles, and a start that the points do not allow.
    void reset(Context& context, std::shared_ptr<const Geometry> input, const FlippingOptions& options);

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const { return state_.next; }
    /// Throws std::logic_error when done, Cancelled when the context is cancelled.
    PassResult step();
    /// The same kernels and the same state as stepping, with fewer read-backs. `after_round` (may be empty) gets
    /// the counters of each iteration.
    void finish(const AfterRound& after_round);

    /// Moves a vertex, as one step of the pass kEdit. A finished triangulation is made Delaunay again at once; during a
    /// run the next iterations flip the edges that became illegal. Between iterations and at the end only. Throws
    /// Error, and changes nothing, if the vertex cannot move there. `place`: z has no meaning in the plane.
    PassResult move_vertex(uint32_t vertex, Point3 place);
    /// Flips an edge, legal or not, as one step of the pass kEdit; the next iterations continue from there. Between
    /// iterations, at the end, and after a claim, which is withdrawn: the edge may have been granted, and would flip
    /// twice. Throws Error, and changes nothing, for an edge that cannot flip.
    PassResult flip_edge(uint32_t edge);

    const FlippingOptions& options() const { return options_; }
    uint32_t iterations() const { return state_.iteration; }  // begun so far
    /// Stopped because the flips cycle: rounded angles.
    bool cycling() const { return state_.cycling != 0; }
    bool in_space() const { return !mesh_.heights.empty(); }
    double low_z() const { return low_z_; }
    double high_z() const { return high_z_; }
    /// Whether a vertex was moved by hand, or a manual flip may have folded a surface.
    bool edited_by_hand() const { return state_.moved || state_.folded; }
    /// Facts found when the mesh was loaded.
    const Connection& connection() const { return connection_; }
    const AngleCounts& angles_before() const { return angles_before_; }
    const SurfaceFacts& facts_before() const { return facts_before_; }
    const CheckReport& check_before() const { return check_before_; }  // of a surface
    /// Surveys the present surface. `rounding`: the error of angles in radians, and of cosines of dihedral angles.
    SurfaceFacts survey_surface(double rounding) const;
    enum class SurfaceFaults { kCreases, kIllegal };
    /// Appends the edges of which survey_surface(rounding) has counted `count`.
    void list_surface_faults(SurfaceFaults which, double rounding, uint64_t count,
                             const std::function<std::string(const FailureRecord&)>& say, CheckReport& report) const;
    /// In the plane with exact signs, on a surface by its angles.
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
    // Rounded angles could flip in circles; after so many iterations the run checks for that.
    static constexpr uint32_t kUncheckedIterations = 100;

    struct RunState {
        uint32_t next = kNone;
        uint32_t iteration = 0;
        uint32_t check_cycles_from = kUncheckedIterations;  // the first iteration that looks for cycles
        uint32_t cycling = 0;                               // 1: stopped because the flips cycle
        uint32_t stuck = 0;   // 1: the last pass of the rule "first taken" had no granted edge
        uint32_t moved = 0;   // 1: a vertex was moved by hand, so positions are part of the state
        uint32_t folded = 0;  // 1: an edge of a surface was flipped by hand
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
    Connection connection_;  // found when the mesh was loaded
    Buffer<uint8_t> pinched_{"pinched vertices"};
    std::vector<uint32_t> equal_to_;  // in the plane: the first point equal to each, as of set_first_equal()
    double low_z_ = 0, high_z_ = 0;
    AngleCounts angles_before_;
    SurfaceFacts facts_before_;
    CheckReport check_before_;  // of a surface
    RunState state_;            // `flips` is used between save() and load() only; else the machine has it
    mutable std::vector<Point> moved_points_;  // returned by soup() after a vertex was moved
    mutable std::vector<double> moved_heights_;
};

}  // namespace flipscope
