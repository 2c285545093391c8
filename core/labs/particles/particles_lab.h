// The Particles lab: Brownian and active discs in a periodic box, or in a channel with two walls, as a machine of named
// passes. Overlaps are found and resolved on a Delaunay triangulation, which is kept by flips while the discs move,
// after Carter, Hitschfeld, Navarro and Soto. The engine is particles/dynamics.h; here are its parameters, its scene
// and its reports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "labs/labs.h"
#include "labs/particles/particles_drawing.h"
#include "labs/particles/particles_parameters.h"
#include "particles/dynamics.h"
#include "particles/measures.h"
#include "particles/overlap_audit.h"

namespace flipscope {

class ParticlesLab final : public Lab,
                           public Inspectable,
                           public Editable,
                           public Adjustable,
                           public Checkable,
                           public Measurable,
                           public Exporter,
                           public TableExporter,
                           public TrajectoryExporter {
  public:
    /// Passes and counters of the engine come first.
    static constexpr uint32_t kEdit = ParticleDynamics::kPasses;
    enum Measure : uint32_t {
        kDisplacement,
        kExpected,
        kSpeed,
        kOverlapping,
        kPushes,
        kFlipPasses,
        kLeft,
        kLargestCluster,
        kMeasures
    };

    const LabInfo& info() const override { return particles_lab_info(); }
    void parameters(ParameterVisitor& visitor) override { visit_particles_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override;
    std::string endless() const override;
    uint32_t next_pass() const override { return done() ? kNone : dynamics_->next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    Level editable_after() const override { return Level::kRound; }
    uint64_t numbering() const override { return state_.numbering; }
    bool is_frozen(uint32_t vertex) const override { return dynamics_ && dynamics_->is_frozen(vertex); }
    StepResult edit(const Edit& edit) override;
    StepResult adjust(const std::vector<Parameter>& values) override;
    void apply_view_parameters() override;
    void finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) override;
    CheckReport check() const override;
    Report statistics() const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    std::vector<ArrayInfo> tables() const override;
    Table table(const std::string& name) const override;
    /// Positions after every `record`-th step, and at the start.
    Trajectory trajectory() const override;
    std::string records_nothing() const override;

    Result result() const override;
    uint64_t state_hash() const override;
    Snapshot save() const override;
    /// Includes the frames recorded up to this state.
    Snapshot save_whole() const override;
    void load(const Snapshot& snapshot) override;

  private:
    struct RunState {
        uint64_t numbering = 0;
        uint64_t edits = 0;
        uint64_t samples = 0, frames = 0;  // counts
        uint64_t next_id = 0;              // greater than all ids
        // The last change of parameters, or the start of the run:
        uint64_t changed_round = 0;     // time steps done by then
        double changed_time = 0;        // their time
        double dt_before = 0;           // Δt of the last of them; 0: none
        ExpectedDisplacement expected;  // its value by then
    };
    /// A sample of the mean-squared displacement, for its curve.
    struct Sample {
        uint64_t step = 0;
        double time = 0;
        double displacement = 0, expected = 0;  // world units squared
    };

    bool is_mid_step() const;
    bool ends_at_rebuild() const;
    double time_after(uint64_t round) const;
    double dt_of_moves() const;
    void use_values(const std::string& values);
    double area_of_all(const ParticleModel& model) const;
    void require_room(const ParticleModel& model) const;
    void complete(StepResult& result);
    void report_overlaps(StepMessage& message) const;
    void report_step(const ParticleDynamics::StepSummary& step, StepMessage& message);
    void keep_frame();
    void know(std::shared_ptr<const ParticleFrame> frame);
    ParticleFrames frames(size_t last = SIZE_MAX) const;
    void draw(bool moved = true);
    void draw_now() const;
    void changed() { audit_.reset(); }
    void name_rows();
    Point in_world(Point in_box) const { return {corner_.x + in_box.x, corner_.y + in_box.y}; }
    Point in_the_box(Point place) const { return {place.x - corner_.x, place.y - corner_.y}; }
    std::vector<Point> all_in_world(std::vector<Point> in_box) const;
    ParticleState particles() const;
    const OverlapAudit& audit() const;
    void measure() const;
    bool is_beyond_walls(Element element) const;
    void inspect_particle(uint32_t id, Report& report) const;
    void inspect_edge(uint32_t edge, Report& report) const;
    void inspect_triangle(uint32_t triangle, Report& report) const;
    void add_forces(uint32_t id, Report& report) const;
    uint64_t step_of_motion() const;
    void describe_overlaps(uint32_t id, Properties& properties, std::vector<Highlight>& highlights) const;
    StepResult begin_edit() const;
    uint8_t species_of_new() const;
    std::string name_of_species(uint32_t species) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    bool is_scaled_ = false;               // the input's points were scaled
    ParticlesParameters requested_, now_;  // as set by the user; as of the last reset and later steps
    std::string start_values_,
        step_values_;  // those of EffectAt::kStep, one line "dt=0.01" each: at the start; of now_
    bool will_record_states_ = true, records_states_ = true;
    std::unique_ptr<ParticleDynamics> dynamics_;  // nullptr before the first reset
    Point corner_;                                // of the box, in the world
    uint64_t duplicates_ = 0;                     // points of the input left out
    std::vector<uint32_t> rows_;                  // (n) row of the input by initial particle; empty: no input
    StepMessage greeting_;                        // added to the message of the first step
    RunState state_;
    std::vector<Sample> samples_;
    std::vector<int64_t> ids_;                                  // permanent id by particle; empty: i has the id i
    std::vector<uint64_t> kept_;                                // ids of the frames up to this state
    ParticleFrames all_kept_;                                   // also later ones, after going back
    mutable uint64_t trails_drawn_ = 0;                         // hash of the frames in the trails
    mutable bool to_draw_ = false, moved_since_drawn_ = false;  // when the scene is asked for
    mutable ParticlesDrawing drawing_;                          // of the state of the last scene()
    mutable ParticleMeasures measures_;
    mutable std::optional<OverlapAudit> audit_;  // of this state; computed on demand
};

}  // namespace flipscope
