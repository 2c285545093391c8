// Droplets carried by a prescribed flow, for the sources: their places, their mutual repulsion, and their field on the
// lattice. Each droplet's shape is cut back near another, so that every droplet is one component of the field above the
// threshold, and no two share one.
#pragma once

#include <vector>

#include "events/sources/flow_record.h"
#include "events/sources/source.h"
#include "events/sources/source_vessel.h"

namespace flipscope {

class Droplets final : public Source {
  public:
    /// One droplet per point of `start`, scaled to the vessel; if it is empty, the number in the parameters, in a
    /// jittered triangular arrangement. Throws Error if droplets would be too small to separate on the lattice.
    /// `carried`: by the flow. Droplets too wide for the gaps between posts are then kept out of them, where walls
    /// would throw them to and fro.
    Droplets(Context& context, const SourceParameters& parameters, const std::vector<Point>& start,
             bool carried = true);

    Lattice lattice() const override { return vessel_.lattice; }
    uint32_t advance(Context& context, uint32_t steps) override;
    Buffer<float>* field() override { return &field_; }
    View<const uint8_t> obstacles() override { return obstacles_.view(); }
    uint32_t usual_interval() const override { return 100; }
    uint64_t steps() const override { return steps_; }
    FlowProfile profile() const override { return record_.profile(); }
    std::vector<SourceNote> notes() const override { return notes_; }
    std::optional<double> packing() const override { return packing_; }
    SourceDescription description() const override;
    void save(Snapshot& snapshot) const override;
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block) override;
    uint64_t hash() const override;

    // For tests, and for callers that need more than the field.
    const Vessel& vessel() const { return vessel_; }
    const Flow& flow() const { return flow_; }
    std::vector<Point> places() const { return places_.download(); }   // (n) world units
    const std::vector<double>& radii() const { return given_radii_; }  // (n) pixels

    static constexpr double kLeastRadius = 3;  // pixels; a film of a pixel or two cannot separate smaller ones

  private:
    void build_vessel(const SourceParameters& parameters, size_t count);
    void note_posts(const SourceParameters& parameters);
    void build_flow(const SourceParameters& parameters);
    void choose_radii(const SourceParameters& parameters, size_t count);
    std::vector<Point> arranged(const SourceParameters& parameters, size_t count) const;
    std::vector<Point> fitted(const std::vector<Point>& start) const;
    void place(Context& context, const std::vector<Point>& places);
    void move(Context& context, const Flow& flow, View<uint64_t> sums);
    void paint(Context& context);
    double free_area() const;

    Vessel vessel_;
    Flow flow_;
    double radius_ = 0, largest_ = 0;  // mean and largest, pixels
    double packing_ = 0;               // as achieved
    std::vector<double> given_radii_;
    uint64_t steps_ = 0;
    uint32_t cells_x_ = 1, cells_y_ = 1;  // at least as wide as the largest droplet
    uint32_t tile_ = 16;                  // pixels per side of the squares painted together
    Buffer<uint8_t> obstacles_{"obstacles"};
    Buffer<Point> places_{"droplets"}, moved_{"droplets moved"};
    Buffer<double> radii_{"radii"};
    Buffer<uint64_t> heads_{"droplet cells"}, other_heads_{"droplet cells, next"};  // first droplet + 1; 0: none
    Buffer<uint32_t> next_{"droplets in a cell"}, other_next_{"droplets in a cell, next"};
    FlowRecord record_;  // of the displacements per step, in a channel
    std::vector<SourceNote> notes_;
    Buffer<uint32_t> near_{"droplets near a tile"}, near_count_{"how many near a tile"};
    Buffer<float> field_{"field", Residence::kDrawn};
};

}  // namespace flipscope
