// The Flip lab: makes any triangulation Delaunay by parallel edge flips, in the plane and on surfaces. The Flip race
// runs two of them.
#pragma once

#include <memory>

#include "delaunay/constructions/flipping.h"
#include "lab/lab.h"
#include "lab/manual_edits.h"
#include "labs/construction_lab.h"

namespace flipscope {

/// As set by the panel and the command line.
struct FlipParameters {
    int start = 0;  // Start
    double scramble = 1, moved_by = 0.3;
    int seed = 1;
    int criterion = 0;  // Criterion
    double epsilon = 1e-9, dihedral = 0.5;
    int conflict = 1;  // ConflictRule
    int block_size = 128;

    FlippingOptions options() const;
};

class FlipLab final : public ConstructionLab, public Editable, public Measurable {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { flipping_.set_records_states(records_states); }

    uint32_t next_pass() const override { return flipping_.next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    CheckReport check() const override;
    bool is_exact() const override { return flipping_.in_space() || flipping_.exact(); }
    Report statistics() const override;
    /// After a claim an edge can be flipped manually at once.
    bool supports_at_once(Edit::Kind kind) const override {
        return kind == Edit::Kind::kFlipEdge && next_pass() == Flipping::kFlip;
    }
    StepResult edit(const Edit& edit) override;

    uint64_t state_hash() const override { return flipping_.state_hash(); }
    Snapshot save() const override { return flipping_.save(); }
    void load(const Snapshot& snapshot) override { flipping_.load(snapshot); }

    uint32_t iterations() const { return flipping_.iterations(); }
    /// Illegal edges, flippable or not: in the plane by the exact in-circle test, on a surface by angles, creases
    /// excluded. Tests every edge.
    uint64_t illegal_edges() const;
    /// For the race: the rule for conflicts from the next reset() on.
    void set_conflict(ConflictRule rule) { parameters_.conflict = static_cast<int>(rule); }
    void take_parameters(const FlipLab& other) { parameters_ = other.parameters_; }

  private:
    const Construction& construction() const override { return flipping_; }
    void inspect_surface_edge(uint32_t edge, Properties& properties) const;
    void inspect_surface_triangle(uint32_t triangle, Properties& properties) const;
    PassResult move_along(const Edit& edit);
    StepMessage describe_start() const;
    void list_seams(CheckReport& report) const;
    StepMessage message_after(const PassResult& result) const;
    void measure(StepResult& result) const;

    FlipParameters parameters_;
    Flipping flipping_;
    StepMessage greeting_;  // for the first pass
    PassResult drag_;       // the total of the drag in progress so far
};

}  // namespace flipscope
