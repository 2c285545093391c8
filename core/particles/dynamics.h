// Particles in a periodic box, time step by time step, pass by pass: the engine behind the Particles lab. One step is
//
//   forces → integrate → untangle → claim, flip, repair … → push, untangle, claim, flip, repair … → measure
//
// After Carter, Hitschfeld, Navarro and Soto (algorithm 1): positions move without regard to the triangulation;
// triangles that this turned over are flipped upright; edges flip until the triangulation is Delaunay; overlapping
// pairs, which are then all found on its edges, are pushed apart, and so on until none overlaps. Between steps the
// triangulation is the Delaunay triangulation of the positions on the torus, exactly. If untangling gets stuck, it is
// rebuilt.
//
// In a channel, a box that is periodic along one axis only, moves and pushes stop at the walls (walls.h), so discs stay
// between the walls and never overlap them. With a shear rate γ̇ the walls, H apart, move by ± γ̇ H / 2 and carry the
// discs whose centres lie within the largest diameter of them at the start; the others drift with the solvent between
// them, by γ̇ (y - H / 2). Lees–Edwards borders would need images at distances that change and are not on the box's
// grid, on which the exact predicates and the shifts of the kept triangulation rest; walls need neither.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/cleared_words.h"
#include "compute/pass.h"
#include "compute/snapshot.h"
#include "delaunay/torus/torus_triangulation.h"
#include "particles/model.h"
#include "particles/pair_forces.h"

namespace flipscope {

struct FindOverlaps;
template <class Box>
struct MoveParticle;
struct OverlapRule;
template <class Box>
struct PushApart;
struct PushSums;
struct Walls;

class ParticleDynamics {
  public:
    enum Pass : uint32_t { kForces, kIntegrate, kUntangle, kClaim, kFlip, kRepair, kPush, kMeasure, kPasses };
    enum Counter : uint32_t {
        kTested,       // edges tested by a claim
        kIllegal,      // of these, not Delaunay
        kGranted,      // flips of a flip or untangling pass
        kDeferred,     //
        kInverted,     // triangles that are not counter-clockwise, before the first untangling pass after a motion
        kOverlapping,  // overlapping pairs, before a push
        kPushed,       // particles that a push moved
        kCapped,       // of these, pushes shortened to the cap
        kRebuilt,      // 1: the triangulation was rebuilt
        kCut,          // particles whose move was cut to half the box
        kCounters
    };

    /// Restarts, and builds the triangulation on the device. Throws Error for a model that check_model() refuses, for
    /// two particles at one place, for a cutoff beyond half the box and for discs wider than a channel. Without
    /// particles there is no pass.
    void reset(Context& context, const ParticleModel& model, ParticleStart start);
    /// Changes forces, motion, pushes and the properties of the species, from the next step on; the number of species,
    /// the particles and the box stay. Throws like reset(), and then changes nothing.
    void change_model(const ParticleModel& model);
    void set_records_states(bool records) { will_record_states_ = records; }  // at the next reset()

    uint32_t next_pass() const { return state_.next; }
    /// Runs one pass.
    PassResult step();
    /// Finishes the present time step, or runs a whole one, with fewer round trips to the host: the same state as
    /// stepping. Counters are summed over its passes; the level is kRound.
    PassResult finish_round();
    uint64_t round() const { return state_.round; }  // time steps begun

    const ParticleModel& model() const { return model_; }
    const TorusBox& box() const { return triangulation_.box(); }
    uint32_t count() const { return count_; }
    Context& context() const { return *context_; }
    /// Includes the positions: vertex i of its mesh is particle i.
    const TorusTriangulation& triangulation() const { return triangulation_; }
    const Buffer<uint8_t>& species() const { return species_; }
    const Buffer<double>& orientations() const { return orientations_; }  // (n) radians; of active particles
    const Buffer<Point>& forces() const { return forces_; }               // (n) of this step, before noise
    const Buffer<Point>& displacements()
        const;                           // (n) since the start, across borders; computed on demand during a step
    const Buffer<Point>& moves() const;  // (n) of this step, including pushes; likewise
    const Buffer<Point>& pushes() const { return pushes_; }            // (n) of this step, all rounds together
    const Buffer<uint8_t>& overlapped() const { return overlapped_; }  // (n) 1: in an overlap in this step
    const Buffer<uint8_t>& frozen() const { return frozen_; }  // (n) 1: moved only by manual edits; 2, 3: by a wall
    SpeciesTable species_table() const;
    std::vector<double> diameters() const;  // (n) world units
    double diameter(uint32_t id) const { return model_.species[species_.read(id)].diameter * size(id); }
    /// (n) diameter over that of the species; empty: all 1.
    const std::vector<double>& sizes() const { return sizes_; }

    /// Of the last completed step.
    struct StepSummary {
        uint64_t round = 0;
        uint64_t overlapping_left = 0;   // pairs on edges, after the last push
        uint64_t overlapping_held = 0;   // of these, pairs of frozen particles
        uint64_t overlapping_first = 0;  // before the first
        uint32_t pushes = 0;             // rounds of pushes
        uint32_t flip_passes = 0;        // of the whole step, untangling included
        uint64_t flips = 0;              //
        uint32_t rebuilds = 0;
        uint64_t cut = 0;                      // particles whose move was cut to half the box
        double mean_squared_displacement = 0;  // since the start, world units squared
        double mean_speed = 0;                 // |move| / Δt
    };
    const StepSummary& last_step() const { return summary_; }
    uint64_t total_flips() const { return state_.flips; }
    uint64_t total_pushes() const { return state_.pushes; }
    uint64_t total_rebuilds() const { return state_.rebuilds; }

    uint64_t state_hash() const;
    /// Only before the first pass and between time steps; otherwise throws std::logic_error.
    Snapshot save() const;
    void load(const Snapshot& snapshot);

    // Manual edits between time steps. The triangulation is made Delaunay at once. Each throws Error, and changes
    // nothing, for an impossible edit.
    void move_particle(uint32_t id, Point place);    // wraps `place` into the box, and clamps it to the walls
    void freeze_particle(uint32_t id, bool frozen);  // a frozen particle exerts forces, but only edits move it
    bool is_frozen(uint32_t id) const;
    uint32_t add_particle(Point place, uint8_t species);  // returns its id, the last
    void remove_particle(uint32_t id);                    // the last particle takes its id
    /// As TorusTriangulation::name_vertices(); valid until particles are added, removed or loaded.
    void name_particles(const std::vector<uint32_t>& names) { triangulation_.name_vertices(names); }

  private:
    /// The part of the state that is not in buffers; saved and loaded as it is.
    struct RunState {
        uint32_t next = kNone;
        uint32_t iteration = 0;                        // flip passes and pushes of this step so far
        uint32_t untangling = 0;                       // 1: between untangling passes
        uint32_t inverted = 0;                         // triangles, after the last motion
        uint32_t rebuilt = 0;                          // 1: since the last push
        uint32_t held = 0;                             // pairs of frozen particles reported in this step
        uint64_t found = 0, pushed = 0, capped = 0;    // pairs and particles reported in this step
        uint64_t round = 0;                            // time steps begun
        uint64_t flips = 0, pushes = 0, rebuilds = 0;  // since the start
        StepSummary step;                              // of the current step
    };

    struct Counts;
    struct Found {
        uint64_t pairs;       // that overlap
        uint32_t held;        // of these, pairs of frozen particles
        uint32_t listed = 0;  // edges in pairs_, perhaps with others, if it follows along and there is room
    };

    PassResult run(uint32_t pass);
    bool is_moving() const;
    const Buffer<Point>& add_motion(View<const Point> displacements, Buffer<Point>& sums) const;
    Walls walls() const;
    double size(uint32_t id) const { return sizes_.empty() ? 1 : sizes_[id]; }
    double largest() const { return range_.y; }
    void take_sizes(std::vector<double> sizes);
    void update_diameters();
    void hold_to_walls();
    template <class Box>
    MoveParticle<Box> move_particles(const Box& box);
    void launch_integrate();
    void integrate(PassResult& result);
    void untangle(PassResult& result);
    void claim(PassResult& result);
    void flip(PassResult& result);
    OverlapRule overlap_rule() const;
    FindOverlaps find_overlaps(View<const uint32_t> edges) const;
    void launch_find(const TorusTriangulation::Ahead& near);
    TorusTriangulation::Ahead launch_follow_all(const TorusTriangulation::Motion& motion);
    TorusTriangulation::Ahead launch_follow_stars(const TorusTriangulation::Motion& motion);
    PushSums push_sums() const;
    enum class Following { kAlone, kAlong };  // in a separate pass, or fused with the preceding one
    Found find(Following following);
    std::optional<Found> push(PassResult& result, Following following);
    template <class Box>
    PushApart<Box> push_apart(const Box& box);
    void launch_push_all();
    void launch_push_listed(uint32_t listed);
    View<uint64_t> sums(size_t which) const;
    BlockSums read_sums(size_t which) const;
    void launch_measure(const Extent& extent);
    void measure(PassResult& result);
    void end_step(PassResult& result, const BlockSums* all);
    bool finds_near() const;
    bool has_one_diameter() const;
    Diameters discs() const;
    View<const uint8_t> frozen_if_any() const;
    void count_pushed(PassResult& result, const BlockSums& sums);
    void rebuild();
    void after_legal();
    /// Visits the buffers of points, in the order of snapshots and the hash.
    template <class Self, class Visit>
    static void for_points(Self& self, const Visit& visit);
    void make_buffers();
    void make_scratch();
    void require_rest() const;
    void require_particle(uint32_t id) const;
    Point free_place(Point place, uint8_t species, uint32_t except) const;
    template <class Change>
    void change_all(std::vector<Point> places, const Change& change);

    Context* context_ = nullptr;
    ParticleModel model_;
    uint32_t count_ = 0;
    bool will_record_states_ = true;
    TorusTriangulation triangulation_;
    PairForces pair_forces_;
    Buffer<uint8_t> species_{"species"}, frozen_{"frozen"}, overlapped_{"overlapped"}, moved_{"moved"};
    std::vector<double> sizes_;
    Point range_;                            // least and largest diameter, world units
    Buffer<double> diameters_{"diameters"};  // (n) world units; unused if all are equal
    Buffer<uint32_t> pairs_{"edges of overlapping pairs"};
    TorusTriangulation::Motion motion_;  // of the last push
    Buffer<double> orientations_{"orientations", Residence::kDrawn};
    Buffer<Point> forces_{"forces"}, displacements_{"displacements"}, moves_{"moves"}, pushes_{"pushes"};
    mutable Buffer<Point> displacements_now_{"displacements during a step"}, moves_now_{"moves during a step"};
    Buffer<uint64_t> push_sums_{"sums of pushes"};  // (n, 2) of the push under way (PushSums); 0 between pushes
    Buffer<ImageShift> sides_{"sides"};             // (n) how the last motion took particles across the border
    ClearedWords counts_{"particle counts"};        // Counts since the step began
    RunState state_;
    StepSummary summary_;
    uint64_t illegal_ahead_ = 0, illegal_after_integration_ = 0;  // edges made illegal by the last motions
    bool may_be_frozen_ = false;                                  // false: no particle is
    std::optional<Found> found_ahead_;  // before a push: the result of the next search for overlaps, if already known
    std::optional<bool> moved_far_;     // before forces: the result of PairForces::look()
};

}  // namespace flipscope
