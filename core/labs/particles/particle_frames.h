// Frames that the Particles lab records: where particles were after a step, for trails and for export; and how a saved
// run holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Positions as they were kept after a step.
struct ParticleFrame {
    uint64_t id = 0;  // another one for other contents
    uint64_t round = 0;
    uint64_t numbering = 0;            // another one where ids mean other particles
    double time = 0;                   //
    std::vector<Point> positions;      // (n) world units
    std::vector<Point> displacements;  // (n) since the start, across borders
    std::vector<uint8_t> species;      // (n)
    std::vector<double> orientations;  // (n) radians; empty: none swim
    std::vector<int64_t> ids;          // (n) what each is called for good; empty: particle i has the id i
    std::vector<double> diameters;     // (s) of each species, world units
};
using ParticleFrames = std::vector<std::shared_ptr<const ParticleFrame>>;

/// All of them as one block of a snapshot, and back. frames_of() throws std::logic_error for anything else.
std::vector<std::byte> bytes_of(const ParticleFrames& frames);
ParticleFrames frames_of(const std::vector<std::byte>& bytes);

}  // namespace flipscope
