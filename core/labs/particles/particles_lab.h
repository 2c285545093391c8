// The Particles lab: Brownian and active discs in a periodic box, whose overlaps are found and resolved on a Delaunay
// triangulation that is flipped along under them, after Carter, Hitschfeld, Navarro and Soto, as a machine of named
// passes. The engine is particles/dynamics.h; here are its parameters, its picture, and what is told of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "labs/lab.h"
#include "labs/particles/particles_drawing.h"
#include "labs/particles/particles_parameters.h"
#include "particles/dynamics.h"
#include "particles/measures.h"
#include "particles/overlap_audit.h"

namespace flipscope {

const LabInfo& particles_lab_info();
std::unique_ptr<Lab> make_particles_lab();

class ParticlesLab final : public Lab,
                           public Inspectable,
                           public Editable,
                           public Checkable,
                           public Measurable,
                           public Exporter,
                           public TrajectoryExporter {
  public:
    /// Passes and counters of the engine come first.
    static constexpr uint32_t kEdit = ParticleDynamics::kPasses;
    enum Measure : uint32_t {
        kDisplacement,
        kExpected,
        kSpeed,
        kPushes,
        kFlipPasses,
        kLeft,
        kLargestCluster,
        kMeasures
    };

    const LabInfo& info() const override { return particles_lab_info(); }
    void parameters(ParameterVisitor& visitor) override { visit_particles_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { wants_states_ = records_states; }

    bool done() const override;
    uint32_t next_pass() const override { return done() ? kNone : dynamics_->next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    /// Whether such labs make edits of this kind; for the registry, too.
    static bool makes(Edit::Kind kind) {
        return kind == Edit::Kind::kMoveVertex || kind == Edit::Kind::kAddVertex || kind == Edit::Kind::kRemoveVertex;
    }
    bool takes(Edit::Kind kind) const override { return makes(kind); }
    Level rests_after() const override { return Level::kRound; }
    uint64_t numbering() const override { return state_.numbering; }
    StepResult edit(const Edit& edit) override;
    CheckReport check() const override;
    Report statistics() const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    /// Positions of every `record`-th step, with the start.
    Trajectory trajectory() const override;
    std::string records_nothing() const override;

    Result result() const override;
    TriangleSoup soup() const override { return {}; }
    uint64_t state_hash() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    struct RunState {
        uint64_t numbering = 0;
        uint64_t edits = 0;
        uint64_t samples = 0, frames = 0;  // so many of each
    };
    /// Of the mean-squared displacement, for its curve.
    struct Sample {
        uint64_t step = 0;
        double displacement = 0, expected = 0;  // world units squared
    };
    struct KeptFrame {
        uint64_t id = 0;  // of what is in it
        std::shared_ptr<const ParticleFrame> frame;
    };

    bool amid_step() const;
    void complete(StepResult& result);
    void tell_of_step(const ParticleDynamics::StepSummary& step, StepMessage& message);
    void keep_frame();
    std::vector<std::shared_ptr<const ParticleFrame>> frames(size_t last = SIZE_MAX) const;
    void draw(bool moved = true);
    void changed() { audit_.reset(); }
    ParticleState particles() const;
    const OverlapAudit& audit() const;
    void measure() const;
    void inspect_particle(uint32_t id, Report& report) const;
    void inspect_edge(uint32_t edge, Report& report) const;
    void inspect_triangle(uint32_t triangle, Report& report) const;
    void add_forces(uint32_t id, Report& report) const;
    StepResult begin_edit() const;
    uint8_t species_of_new() const;
    std::string name_of_species(uint32_t species) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    ParticlesParameters requested_, now_;  // as set by the user; as of the last reset
    bool wants_states_ = true, records_states_ = true;
    std::unique_ptr<ParticleDynamics> dynamics_;  // nullptr before the first reset
    uint64_t duplicates_ = 0;                     // of the input's points, left out
    StepMessage greeting_;                        // what the first step says beside its own message
    RunState state_;
    std::vector<Sample> samples_;
    std::vector<uint64_t> kept_;       // ids of the frames up to this state
    std::vector<KeptFrame> all_kept_;  // all of them, also of what lies in the future where the user has gone back
    uint64_t trails_drawn_ = 0;        // which frames the trails are drawn of
    ParticlesDrawing drawing_;
    mutable ParticleMeasures measures_;
    mutable std::optional<OverlapAudit> audit_;  // of this state, where it was asked for
};

}  // namespace flipscope
