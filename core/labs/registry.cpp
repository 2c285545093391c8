#include "lab/registry.h"

#include "compute/error.h"
#include "compute/suggest.h"
#include "labs/labs.h"

namespace flipscope {

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"Triangulations", "build", &build_lab_info, &make_build_lab},
        {"Triangulations", "flip", &flip_lab_info, &make_flip_lab},
        {"Triangulations", "race", &race_lab_info, &make_race_lab},
        {"Triangulations", "serial", &serial_lab_info, &make_serial_lab},
        {"Triangulations", "strips", &strips_lab_info, &make_strips_lab},
        {"Triangulations", "subdivide", &subdivide_lab_info, &make_subdivide_lab},
        {"Triangulations", "race-builds", &race_builds_lab_info, &make_race_builds_lab},
        {"Triangulations", "race-predicates", &race_predicates_lab_info, &make_race_predicates_lab},
        {"Lattices and particles", "voronoi", &voronoi_lab_info, &make_voronoi_lab},
        {"Lattices and particles", "events", &events_lab_info, &make_events_lab},
        {"Lattices and particles", "particles", &particles_lab_info, &make_particles_lab},
        {"Checks", "microscope", &microscope_lab_info, &make_microscope_lab},
        {"Checks", "judge", &judge_lab_info, &make_judge_lab},
        {"Checks", "recording", &recording_lab_info, &make_recording_lab},
    };
    return entries;
}

static const RegistryEntry& entry_of(const std::string& id) {
    std::vector<std::string> known;
    for (const RegistryEntry& entry : registry()) {
        if (entry.id == id) return entry;
        known.push_back(entry.id);
    }
    throw Error("unknown lab " + excerpt(id) + suggestion(id, known));
}

const LabInfo& lab_info(const std::string& id) { return entry_of(id).info(); }
std::unique_ptr<Lab> make_lab(const std::string& id) { return entry_of(id).make(); }

}  // namespace flipscope
