// The labs of this build: description and constructor of each, for the registry and for labs that run other labs. A lab
// includes this file only if it runs others, so that a new lab leaves the others compiled.
#pragma once

#include <memory>

#include "lab/lab.h"

namespace flipscope {

const LabInfo& build_lab_info();
const LabInfo& events_lab_info();
const LabInfo& flip_lab_info();
const LabInfo& judge_lab_info();
const LabInfo& microscope_lab_info();
const LabInfo& particles_lab_info();
const LabInfo& race_lab_info();
const LabInfo& race_builds_lab_info();
const LabInfo& race_predicates_lab_info();
const LabInfo& recording_lab_info();
const LabInfo& serial_lab_info();
const LabInfo& strips_lab_info();
const LabInfo& subdivide_lab_info();
const LabInfo& voronoi_lab_info();

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
