#include "lab/registry.h"

#include "compute/error.h"
#include "compute/suggest.h"
#include "labs/labs.h"

namespace flipscope {

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"Triangulations", &make_build_lab},
        {"Triangulations", &make_flip_lab},
        {"Triangulations", &make_race_lab},
        {"Triangulations", &make_serial_lab},
        {"Triangulations", &make_strips_lab},
        {"Triangulations", &make_subdivide_lab},
        {"Triangulations", &make_race_builds_lab},
        {"Triangulations", &make_race_predicates_lab},
        {"Lattices and particles", &make_voronoi_lab},
        {"Lattices and particles", &make_events_lab},
        {"Lattices and particles", &make_particles_lab},
        {"Checks", &make_microscope_lab},
        {"Checks", &make_judge_lab},
        {"Checks", &make_recording_lab},
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
