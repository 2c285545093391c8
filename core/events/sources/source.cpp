#include "events/sources/source.h"

#include <stdexcept>

#include "compute/error.h"
#include "events/sources/source_droplets.h"
#include "events/sources/source_emulsion.h"
#include "events/sources/source_parts.h"

namespace flipscope {

std::unique_ptr<Source> make_source(Context& context, const SourceParameters& parameters,
                                    std::shared_ptr<const Geometry> input) {
    if (input && input->tracks) return make_tracks_source(context, input->tracks, parameters);
    if (input && input->field) return make_recording(context, input->field, parameters);
    if (parameters.kind == SourceParameters::kBubbles) return make_bubbles(context, parameters);
    if (parameters.kind == SourceParameters::kParticles)
        throw std::logic_error("particles are made by make_particle_source()");
    const std::vector<Point> start = input ? input->points : std::vector<Point>();
    if (parameters.kind == SourceParameters::kEmulsion) return std::make_unique<Emulsion>(context, parameters, start);
    return std::make_unique<Droplets>(context, parameters, start);
}

Lattice checked_lattice(const SourceParameters& parameters) {
    constexpr int kMost = 16384;
    const auto fits = [](int n) { return n >= 1 && n <= kMost; };
    if (!fits(parameters.width) || !fits(parameters.height))
        throw Error("expected a lattice of 1 to 16384 pixels in each direction, found " +
                    std::to_string(parameters.width) + " × " + std::to_string(parameters.height));
    return {static_cast<uint32_t>(parameters.width), static_cast<uint32_t>(parameters.height), parameters.periodic};
}

}  // namespace flipscope
