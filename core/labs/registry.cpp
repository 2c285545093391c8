#include "labs/registry.h"

#include "compute/error.h"
#include "compute/suggest.h"
#include "labs/build/build_lab.h"
#include "labs/events/events_lab.h"
#include "labs/flip/flip_lab.h"
#include "labs/parameters.h"
#include "labs/race/race_lab.h"
#include "labs/serial/serial_lab.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"build", &make_build_lab},   {"flip", &make_flip_lab},       {"race", &make_race_lab},
        {"serial", &make_serial_lab}, {"voronoi", &make_voronoi_lab}, {"events", &make_events_lab},
    };
    return entries;
}

std::unique_ptr<Lab> make_lab(const std::string& id) {
    std::vector<std::string> known;
    for (const RegistryEntry& entry : registry()) {
        if (entry.id == id) return entry.make();
        known.push_back(entry.id);
    }
    const std::string meant = nearest_word(id, known);
    throw Error("unknown lab " + excerpt(id) + (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") +
                "; there is: " + join_words(known, ", "));
}

}  // namespace flipscope
