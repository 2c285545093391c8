// The Flip lab: any triangulation made Delaunay by parallel edge flips, in the plane and on surfaces, after Navarro,
// Hitschfeld and Scheihing (2011), as a machine of named passes. Whoever is not flipping*.cpp uses it as an Algorithm,
// by make_flipping().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "delaunay/construction.h"
#include "delaunay/flip_machine.h"
#include "mesh/connect.h"
#include "mesh/quality.h"
#include "steps/hand.h"

namespace flipscope {

std::unique_ptr<Algorithm> make_flipping();

enum class Criterion : uint32_t { kInCircle, kAngles, kAnglesFloat };

struct FlippingParameters {
    int start = 0;          // Start: how points become a triangulation
    double scramble = 1;    // random flips tried, per edge
    double moved_by = 0.3;  // of the mean spacing
    int seed = 1;           // of these
    int criterion = 0;      // Criterion
    double epsilon = 1e-9;  // radians, of the angle criterion
    double dihedral = 0.5;  // radians; steeper creases of a surface stay
    int conflict = 1;       // ConflictRule
    int block_size = 128;   // CUDA threads per block
};

/// What a surface must keep, counted once before and once after.
struct SurfaceFacts {
    uint64_t creases = 0;  // edges whose dihedral angle is past the limit
    uint64_t illegal = 0;  // edges that the rule would flip
    uint64_t blocked = 0;  // edges illegal by their angles that cannot flip, and are no creases
    uint64_t held = 0;     // edges illegal by their angles that are creases
};

class Flipping final : public Construction, public TakesAtOnce {
  public:
    enum Pass : uint32_t { kBid, kFlip, kRepair, kHand };
    enum Counter : uint32_t { kSuspected, kIllegal, kBlocked, kWon, kLost, kLeft, kCounters };

    const AlgorithmInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const override { return state_.next; }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    std::vector<Fact> inspect(Element element) const override;
    CheckReport check() const override;
    TriangleSoup soup() const override;
    std::vector<Histogram> histograms() const override;
    bool takes(Edit::Kind kind) const override {
        return kind == Edit::Kind::kMoveVertex || kind == Edit::Kind::kFlipEdge;
    }
    /// After a bid an edge flips by hand at once, and the bid is withdrawn: what was clicked may have won it, and would
    /// flip twice.
    bool takes_at_once(Edit::Kind kind) const override { return kind == Edit::Kind::kFlipEdge && state_.next == kFlip; }
    StepResult edit(const Edit& edit) override;

    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

    uint32_t iterations() const { return state_.iteration; }  // begun so far
    /// For the race: which rule settles conflicts at the next reset().
    void set_conflict(ConflictRule rule) { wished_.conflict = static_cast<int>(rule); }
    void take_parameters(const Flipping& other) { wished_ = other.wished_; }

  private:
    // Angles in floating point could flip in circles; from this iteration on, it is watched for.
    static constexpr uint32_t kUnwatched = 100;
    // In checks: of angles, radians, and of cosines of dihedral angles, which may have been rounded another way before.
    static constexpr double kRounding = 1e-12;

    struct Moment {
        uint32_t next = kNone;
        uint32_t iteration = 0;
        uint32_t watch_from = kUnwatched;  // the iteration after which cycles are looked for
        uint32_t cycling = 0;              // 1: stopped because the flips repeat themselves
        uint32_t stuck = 0;                // 1: the last pass of the rule "first taken" had no winner
        uint32_t moved = 0;                // 1: a vertex has been moved by hand, so places count as state
        uint32_t folded = 0;               // 1: an edge of a surface has been flipped by hand
        FlipMachine::Moment flips;
    };

    std::shared_ptr<const Geometry> triangulated(Context& context, const std::shared_ptr<const Geometry>& input) const;
    Geometry laid_out(std::vector<uint32_t>& inputs);
    std::string describe_start(const Connection& connection) const;
    StepResult begin_step(uint32_t pass) const;
    void bid(StepResult& result);
    void flip(StepResult& result);
    void repair(StepResult& result);
    void end(const std::string& why, StepResult& result);
    void measure(StepResult& result) const;
    bool watches_for_cycles() const { return !exact() && state_.iteration > state_.watch_from; }
    bool exact() const { return !in_space() && now_.criterion == int(Criterion::kInCircle); }
    bool in_space() const { return !mesh_.heights.empty(); }
    bool marking() const { return marks_ && mesh_.watched(); }
    void forget_marks();
    MeshView mesh_view() const;
    Slack slack() const;
    SurfaceRule surface_rule() const;
    template <class Visit>
    auto with_rule(const Visit& visit) const;
    SurfaceFacts survey_surface(double rounding) const;
    void inspect_surface_edge(uint32_t edge, std::vector<Fact>& facts) const;
    void add_conflict(uint32_t edge, std::vector<Fact>& facts) const;

    // flipping_edit.cpp
    void move_vertex(const Edit& edit, StepResult& result);
    void move_in_plane(uint32_t vertex, Point place);
    void take_out_and_put_in(uint32_t vertex, Point place);
    void turn_over(uint32_t vertex, Point place);
    void flip_by_hand(uint32_t edge, StepResult& result);
    void suspect_around(const uint32_t (&vertices)[4]);
    void restore(StepResult& result);
    ConflictRule repeatable_conflict() const;

    uint32_t waiting_count() const override { return 0; }
    bool fixed_outline() const override { return !connection_.convex_outline; }
    uint64_t unused_count() const override { return connection_.unused_points; }

    FlippingParameters wished_, now_;  // as set by the user; as of the last reset
    bool marks_ = true;                // off: finish() is running, nobody watches
    FlipMachine flips_;
    Connection connection_;  // what the mesh was like when it was loaded
    Buffer<uint8_t> pinched_{"pinched vertices"};
    double low_z_ = 0, high_z_ = 0;
    AngleCounts angles_before_;
    SurfaceFacts facts_before_;
    CheckReport check_before_;  // of a surface
    std::string greeting_;      // to be said by the first pass
    Moment state_;              // its `flips` only between save() and load(): the machine has the present one
    mutable std::vector<Point> moved_points_;  // what soup() lends when a vertex was moved
    mutable std::vector<double> moved_heights_;
};

}  // namespace flipscope
