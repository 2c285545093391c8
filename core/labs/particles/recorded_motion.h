// What the recorded frames of the Particles lab say about motion: mean-squared displacement over all time origins,
// self-intermediate scattering, and how long neighbours stay neighbours; as curves, a distribution and tables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/context.h"
#include "geometry/torus_box.h"
#include "lab/report.h"
#include "labs/particles/particle_frames.h"
#include "particles/motion.h"

namespace flipscope {

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
