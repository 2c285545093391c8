// A flowing emulsion: droplets of one fluid in another, both computed by a lattice Boltzmann model of two components,
// as in Bernaschi, Lulli and Sbragaglia (2016, section IV), with the forces and the parameters of TLBfind. A body force
// or moving walls drive it, in a channel with flat or rough walls, or in a periodic box.
#pragma once

#include <vector>

#include "events/sources/flow_record.h"
#include "events/sources/source.h"
#include "events/sources/source_emulsion_fluid.h"

namespace flipscope {

class Emulsion final : public Source {
  public:
    /// Droplets placed as by Droplets for the same parameters. Throws Error if they would be too small for the width of
    /// an interface.
    Emulsion(Context& context, const SourceParameters& parameters, const std::vector<Point>& start);

    Lattice lattice() const override { return lattice_; }
    /// An unstable fluid ends the run: its frame is not shown.
    uint32_t advance(Context& context, uint32_t steps) override;
    std::optional<SourceTrouble> trouble() const override {
        return wrong_ > 0 ? std::optional(SourceTrouble{SourceTrouble::Kind::kUnstable, steps_, wrong_}) : std::nullopt;
    }
    Buffer<float>* field() override { return &field_; }
    View<const uint8_t> obstacles() override { return fluid_.obstacles(); }
    double usual_threshold() const override { return kThreshold; }
    uint32_t usual_interval() const override { return 100; }
    uint64_t steps() const override { return steps_; }
    FlowProfile profile() const override;
    std::optional<double> greatest_speed() const override { return greatest_speed_; }
    void show_flow(Context& context, FlowFields& flow) const override { fluid_.show_flow(context, means_, flow); }
    std::vector<SourceNote> notes() const override { return notes_; }
    std::optional<double> packing() const override { return packing_; }
    SourceDescription description() const override;
    void save(Snapshot& snapshot) const override;
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block) override;
    uint64_t hash() const override;

    const EmulsionFluid& fluid() const { return fluid_; }

    static constexpr double kLeastRadius = 6;              // pixels; the interface alone takes about four
    static constexpr double kThreshold = 0.8;              // TLBfind's
    static constexpr float kDense = 1.33f, kThin = 0.18f;  // in equilibrium: of a component in its phase, and outside
    static constexpr float kAtWall = 0.612f;               // of either component, for the forces: TLBfind's
    static constexpr double kViscosity = 1. / 6;           // of one fluid, pixels² per step

  private:
    void drive(const SourceParameters& parameters, double density, EmulsionFluid::Start& fluid);
    uint64_t show(Context& context);

    Context* context_;
    Lattice lattice_;
    EmulsionFluid fluid_;
    size_t count_ = 0;   // droplets at the start
    double radius_ = 0;  // mean, pixels
    bool channel_ = false, is_driven_ = false;
    double wide_ = 0;        // of the channel, or height of the box, pixels
    double wall_speed_ = 0;  // pixels per step; 0: a body force drives the flow, or nothing
    double stress_ = 0;      // at the walls, of the body force, lattice units
    uint32_t first_ = 0;     // column or row at which the profile starts
    uint64_t steps_ = 0;
    FlowRecord record_, latest_record_;  // of the pixels along the flow: of the last sound frame, and of every step
    SumsOverTime means_, latest_means_;  // the same of the fields, with rows if there are mean fields
    double settling_ = 0;                // steps until the flow without droplets is steady
    double greatest_speed_ = 0;
    std::vector<SourceNote> notes_;
    std::optional<double> packing_;  // of the droplets at the start
    Buffer<float> field_{"field", Residence::kDrawn}, latest_{"latest field"};
    uint64_t wrong_ = 0;  // pixels without a sound density; 0: stable
};

}  // namespace flipscope
