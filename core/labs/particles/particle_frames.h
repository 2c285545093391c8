// Frames recorded by the Particles lab, for trails and export: the particles after a step, and their form in a saved
// run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// The state of the particles after a step.
struct ParticleFrame {
    uint64_t id = 0;  // changes with the contents
    uint64_t round = 0;
    uint64_t numbering = 0;            // changes when edits renumber particles
    double time = 0;                   //
    std::vector<Point> positions;      // (n) world units
    std::vector<Point> displacements;  // (n) since the start, across borders
    std::vector<uint8_t> species;      // (n)
    std::vector<double> orientations;  // (n) radians; empty: none swim
    std::vector<int64_t> ids;          // (n) permanent ids; empty: particle i has the id i
    std::vector<double> diameters;     // (s) of each species, world units
    std::vector<double> sizes;         // (n) diameter over that of the species; empty: all 1

    double diameter(size_t i) const { return diameters.at(species[i]) * (sizes.empty() ? 1 : sizes[i]); }
};
using ParticleFrames = std::vector<std::shared_ptr<const ParticleFrame>>;

/// All frames as one block of a snapshot, and back. frames_of() throws std::logic_error for any other block.
std::vector<std::byte> bytes_of(const ParticleFrames& frames);
ParticleFrames frames_of(const std::vector<std::byte>& bytes);

}  // namespace flipscope
