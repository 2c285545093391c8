#include "lab/registry.h"

#include "compute/error.h"
#include "compute/suggest.h"
#include "lab/parameters.h"
#include "labs/build/build_lab.h"
#include "labs/events/events_lab.h"
#include "labs/flip/flip_lab.h"
#include "labs/judge/judge_lab.h"
#include "labs/microscope/microscope_lab.h"
#include "labs/particles/particles_lab.h"
#include "labs/point_editing_lab.h"
#include "labs/race/race_lab.h"
#include "labs/race_builds/race_builds_lab.h"
#include "labs/race_predicates/race_predicates_lab.h"
#include "labs/recording/recording_lab.h"
#include "labs/serial/serial_lab.h"
#include "labs/strips/strips_lab.h"
#include "labs/subdivide/subdivide_lab.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

static bool takes_none(Edit::Kind) { return false; }

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"Triangulations", "build", &build_lab_info, &make_build_lab, &PointEditingLab::makes},
        {"Triangulations", "flip", &flip_lab_info, &make_flip_lab, &FlipLab::makes},
        {"Triangulations", "race", &race_lab_info, &make_race_lab, &takes_none},
        {"Triangulations", "serial", &serial_lab_info, &make_serial_lab, &PointEditingLab::makes},
        {"Triangulations", "strips", &strips_lab_info, &make_strips_lab, &PointEditingLab::makes},
        {"Triangulations", "subdivide", &subdivide_lab_info, &make_subdivide_lab, &PointEditingLab::makes},
        {"Triangulations", "race-builds", &race_builds_lab_info, &make_race_builds_lab, &takes_none},
        {"Triangulations", "race-predicates", &race_predicates_lab_info, &make_race_predicates_lab, &takes_none},
        {"Lattices and particles", "voronoi", &voronoi_lab_info, &make_voronoi_lab, &voronoi_lab_takes},
        {"Lattices and particles", "events", &events_lab_info, &make_events_lab, &takes_none},
        {"Lattices and particles", "particles", &particles_lab_info, &make_particles_lab, &ParticlesLab::makes},
        {"Checks", "microscope", &microscope_lab_info, &make_microscope_lab, &microscope_lab_supports},
        {"Checks", "judge", &judge_lab_info, &make_judge_lab, &takes_none},
        {"Checks", "recording", &recording_lab_info, &make_recording_lab, &takes_none},
    };
    return entries;
}

static const RegistryEntry& entry_of(const std::string& id) {
    std::vector<std::string> known;
    for (const RegistryEntry& entry : registry()) {
        if (entry.id == id) return entry;
        known.push_back(entry.id);
    }
    const std::string meant = nearest_word(id, known);
    throw Error("unknown lab " + excerpt(id) + (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") +
                "; there is: " + join_words(known, ", "));
}

const LabInfo& lab_info(const std::string& id) { return entry_of(id).info(); }
std::unique_ptr<Lab> make_lab(const std::string& id) { return entry_of(id).make(); }

}  // namespace flipscope
