// Particles as a source of the Events lab: discs that move in a periodic box, and the Delaunay triangulation of the
// torus that they keep in any case as the graph of their contacts. The same to the bit on every device. The box, in
// world units, is seen on a lattice of its shape that closes on itself.
#pragma once

#include <memory>
#include <string>

#include "events/sources/source.h"
#include "particles/model.h"

namespace flipscope {

/// As the parameters say: config, count, density, box, swimming_speed, seed and contact_distance;
/// the lattice has about as many pixels as they ask for. Throws Error as make_start() and ParticleDynamics::reset() do.
std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters);

/// Of another model and start. `name`: what the model is called. Of the parameters contact_distance and the number of
/// pixels count.
std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters, ParticleModel model,
                                             ParticleStart start, const std::string& name);

}  // namespace flipscope
