// Particles as a source of the Events lab: moving discs in a periodic box, with their Delaunay triangulation of the
// torus as the contact graph. The same bits on every device. The box, in world units, is shown on a periodic lattice of
// its shape.
#pragma once

#include <memory>
#include <string>

#include "events/sources/source.h"
#include "particles/model.h"

namespace flipscope {

/// As the parameters say: config, count, density, box, swimming_speed, seed and those that begin with "particle"; the
/// lattice has about the requested number of pixels. Throws Error as make_start() and
/// ParticleDynamics::reset() do.
std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters);

/// For another model and start. `name`: of the model. Uses only the number of pixels of the parameters.
std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters, ParticleModel model,
                                             ParticleStart start, const std::string& name);

}  // namespace flipscope
