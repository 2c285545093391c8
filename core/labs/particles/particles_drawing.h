// What the Particles lab draws that is no buffer of the engine: state words and radii of discs, numbers that colour
// them, arrows of forces and pushes, trails, the outline of the box. Nothing here is state: it is all made anew from
// the engine, by kernels, into buffers that OpenGL draws.
#pragma once

#include <memory>
#include <vector>

#include "labs/particles/particles_parameters.h"
#include "labs/scene.h"
#include "particles/dynamics.h"
#include "particles/measures.h"

namespace flipscope {

/// State words of discs: the species in the lowest bits, and whether it was in an overlap in this step.
enum ParticleBit : State { kSpeciesMask = 0x0F, kOverlapState = 1 << 4 };

/// Positions as they were kept after a step.
struct ParticleFrame {
    uint64_t round = 0;
    uint64_t numbering = 0;            // another one where ids mean other particles
    double time = 0;                   //
    std::vector<Point> positions;      // (n) world units
    std::vector<Point> displacements;  // (n) since the start, across borders
    std::vector<uint8_t> species;      // (n)
    std::vector<double> orientations;  // (n) radians; empty: none swim
};

class ParticlesDrawing {
  public:
    static constexpr uint32_t kTrailFrames = 24;
    /// Edges of so few particles can be longer than half the box, and are drawn in pieces.
    static constexpr uint32_t kFew = 64;

    void reset(ParticleColour colour);
    /// Of the engine's present state. `moved`: more than edges has changed since the last time. `measures` is measured
    /// anew where the colour is one of its numbers.
    void draw(Context& context, const ParticleDynamics& dynamics, bool moved, ParticleMeasures& measures);
    /// The last of these make the trails, with the present places at their ends; all have as many particles as now.
    void set_trails(Context& context, const std::vector<std::shared_ptr<const ParticleFrame>>& frames);
    /// All layers, over the box; none before draw().
    void add_layers(const ParticleDynamics& dynamics, Scene& scene) const;

  private:
    void write_scalars(Context& context, const ParticleDynamics& dynamics, ParticleMeasures& measures);
    void draw_discs(Context& context, const ParticleDynamics& dynamics);
    void draw_trails(Context& context, const ParticleDynamics& dynamics);
    void split_edges(Context& context, const ParticleDynamics& dynamics);
    std::vector<LegendEntry> disc_legend(const ParticleModel& model) const;
    ColourScale scale(const ParticleModel& model, uint32_t count) const;

    ParticleColour colour_ = ParticleColour::kSpecies;
    uint32_t count_ = 0;
    bool one_radius_ = true, long_edges_ = false;
    uint32_t trail_frames_ = 0, trail_count_ = 0;
    Buffer<State> disc_states_{"disc states", Residence::kDrawn};           // (n)
    Buffer<double> radii_{"radii", Residence::kDrawn};                      // (n) world units; of one diameter unused
    Buffer<float> scalars_{"numbers of discs", Residence::kDrawn};          // (n)
    Buffer<Point> force_arrows_{"force arrows", Residence::kDrawn};         // (n, 2) from, to
    Buffer<Point> push_arrows_{"push arrows", Residence::kDrawn};           // (n, 2)
    Buffer<Point> outline_{"outline of the box", Residence::kDrawn};        // (4)
    Buffer<Point> trail_points_{"trails", Residence::kDrawn};               // (n, frames + 1)
    Buffer<uint32_t> trail_starts_{"starts of trails", Residence::kDrawn};  // (n + 1)
    Buffer<Point> trail_places_{"places of trails"};                        // (frames, n) displacements
    Buffer<Point> edge_pieces_{"pieces of edges", Residence::kDrawn};       // (e, 5)
    Buffer<uint32_t> piece_starts_{"starts of edges", Residence::kDrawn};   // (e + 1)
};

/// What lies at a place of the periodic box. A particle counts from within `radius` of its place, then edges, then the
/// whole of a disc, then triangles. id kNone: nothing, or a place outside the box.
Element pick_particle(Context& context, const ParticleState& state, const Probe& probe);

}  // namespace flipscope
