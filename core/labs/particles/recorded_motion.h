// Frames recorded by the Particles lab, for trails and export, and what they say about motion: mean-squared
// displacement over all time origins, self-intermediate scattering, and how long neighbours stay neighbours; as curves,
// a distribution and tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "geometry/torus_box.h"
#include "lab/report.h"
#include "particles/motion.h"

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

struct RecordedMotion {
    double interval = 0;  // time between frames
    double wavenumber = 0;
    MotionCurves curves;
    std::vector<double> times;  // (frames)
    std::vector<NeighbourPair> pairs;
    std::vector<int64_t> ids;  // (n) permanent ids; empty: particle i has the id i
};

/// The last frames at equal intervals and with the same particles; fewer than two: none.
ParticleFrames evenly_recorded(ParticleFrames frames);
/// About how many displacements a mean over all origins adds up.
double cost_of_motion(const ParticleFrames& frames);

/// `frames`: evenly_recorded(). Neighbours are joined by an edge of the Delaunay triangulation in this box that is not
/// longer than `longest`, world units; 0: any. `held`: (n) as motion_over_origins() has it.
RecordedMotion recorded_motion(Context& context, const ParticleFrames& frames, const TorusBox& box,
                               const std::vector<uint8_t>& held, double wavenumber, double longest);
/// `label`: of the run, in legends.
void add_curves(const RecordedMotion& motion, const std::string& label, Report& report);
Table table_of_motion(const std::shared_ptr<const RecordedMotion>& motion);
Table table_of_neighbours(const std::shared_ptr<const RecordedMotion>& motion);

}  // namespace flipscope
