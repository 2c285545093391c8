// The parts of the Particles lab's picture that are not buffers of the engine: state words and radii of discs, numbers
// that colour them, arrows of forces and pushes, trails, the outline of the box, its walls. It holds no state: kernels
// compute all of it from the engine's state, in buffers shared with OpenGL.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "lab/scene.h"
#include "labs/particles/particles_parameters.h"
#include "labs/particles/recorded_motion.h"
#include "particles/dynamics.h"
#include "particles/measures.h"

namespace flipscope {

/// State words of discs: the species in the lowest bits, and overlaps along an edge, in this state or earlier in this
/// step.
enum ParticleBit : State { kSpeciesMask = 0x0F, kWasInOverlap = 1 << 4, kOverlaps = 1 << 5 };

class ParticlesDrawing {
  public:
    static constexpr uint32_t kTrailFrames = 24;
    /// With so few particles, edges may be longer than half the box and are drawn in pieces.
    static constexpr uint32_t kFew = 64;

    /// `corner`: of the box, in the world.
    void reset(ParticleColour colour, Point corner);
    /// Takes effect at the next draw(), which needs `moved`.
    void set_colour(ParticleColour colour) { colour_ = colour; }
    /// Call it if frozen particles may have changed since the last draw().
    void update_frozen() { update_frozen_ = true; }
    /// Draws the engine's present state. `moved`: more than edges has changed since the last call. `dt`: of the step in
    /// which particles moved. Updates `measures` if the colour is one of its numbers.
    void draw(Context& context, const ParticleDynamics& dynamics, bool moved, double dt, ParticleMeasures& measures);
    /// Trails through the last of these frames to the present places. All frames must have the present number of
    /// particles.
    void set_trails(Context& context, const ParticleFrames& frames);
    /// All layers, over the box; nothing before draw().
    void add_layers(const ParticleDynamics& dynamics, Scene& scene) const;

  private:
    const Buffer<Point>& places(const ParticleDynamics& dynamics) const;
    void write_scalars(Context& context, const ParticleDynamics& dynamics, double dt, ParticleMeasures& measures);
    void draw_discs(Context& context, const ParticleDynamics& dynamics);
    void mark_discs(Context& context, const ParticleDynamics& dynamics);
    void draw_trails(Context& context, const ParticleDynamics& dynamics);
    void draw_frozen(Context& context, const ParticleDynamics& dynamics);
    void split_edges(Context& context, const ParticleDynamics& dynamics);
    std::vector<LegendEntry> disc_legend(const ParticleModel& model) const;
    ColourScale scale(const ParticleDynamics& dynamics, uint32_t count) const;

    ParticleColour colour_ = ParticleColour::kSpecies;
    Point corner_;
    uint32_t count_ = 0;
    bool one_radius_ = true, long_edges_ = false;
    uint32_t trail_frames_ = 0, trail_count_ = 0;
    Buffer<Point> places_{"places", Residence::kDrawn};            // (n) world; unused if the box begins at 0
    Buffer<State> disc_states_{"disc states", Residence::kDrawn};  // (n)
    Buffer<uint8_t> overlapping_{"overlapping"};                   // (n) 1: in an overlap along an edge
    Buffer<double> radii_{"radii", Residence::kDrawn};             // (n) world units; unused if all diameters are equal
    Buffer<float> scalars_{"numbers of discs", Residence::kDrawn};          // (n)
    Buffer<Point> force_arrows_{"force arrows", Residence::kDrawn};         // (n, 2) from, to
    Buffer<Point> push_arrows_{"push arrows", Residence::kDrawn};           // (n, 2)
    Buffer<Point> outline_{"outline of the box", Residence::kDrawn};        // (4)
    Buffer<Point> trail_points_{"trails", Residence::kDrawn};               // (n, frames + 1)
    Buffer<uint32_t> trail_starts_{"starts of trails", Residence::kDrawn};  // (n + 1)
    bool update_frozen_ = true;
    uint32_t frozen_count_ = 0;
    Buffer<uint32_t> frozen_{"frozen ones"}, ring_starts_{"starts of rings", Residence::kDrawn};  // (f), (f + 1)
    Buffer<Point> unit_ring_{"ring"}, rings_{"rings", Residence::kDrawn};  // (points of a ring), (f, points of a ring)
    Buffer<Point> trail_places_{"places of trails"};                       // (kTrailFrames, n) displacements
    std::array<std::shared_ptr<const ParticleFrame>, kTrailFrames> trail_rows_;  // frames in these rows, or nullptr
    std::array<uint32_t, kTrailFrames> trail_order_{};                           // the rows of the trails, oldest first
    Buffer<Point> edge_pieces_{"pieces of edges", Residence::kDrawn};            // (e, 5)
    Buffer<uint32_t> edge_corners_{"slots of edges"};                            // (e)
    Buffer<uint32_t> edges_{"edges between walls", Residence::kDrawn};           // (e, 2); kNone: beyond the walls
    Buffer<uint32_t> triangles_{"triangles between walls", Residence::kDrawn};   // (t, 3) likewise
    Buffer<uint32_t> piece_starts_{"starts of edges", Residence::kDrawn};        // (e + 1)
};

/// The element at a place of the periodic box: a particle within `radius` or the inner part of its disc, then edges,
/// then the whole disc, then triangles. id kNone: nothing, or a place outside the box.
Element pick_particle(Context& context, const ParticleState& state, const Probe& probe);

}  // namespace flipscope
