// The labs of this build, for the registry and for labs that run other labs. A lab includes this file only if it runs
// others, so that a new lab leaves the others compiled.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

std::unique_ptr<Lab> make_build_lab();
std::unique_ptr<Lab> make_events_lab();
std::unique_ptr<Lab> make_flip_lab();
std::unique_ptr<Lab> make_judge_lab();
std::unique_ptr<Lab> make_microscope_lab();
std::unique_ptr<Lab> make_particles_lab();
std::unique_ptr<Lab> make_race_lab();
std::unique_ptr<Lab> make_race_builds_lab();
std::unique_ptr<Lab> make_race_predicates_lab();
std::unique_ptr<Lab> make_recording_lab();
std::unique_ptr<Lab> make_serial_lab();
std::unique_ptr<Lab> make_strips_lab();
std::unique_ptr<Lab> make_subdivide_lab();
std::unique_ptr<Lab> make_voronoi_lab();

}  // namespace flipscope
