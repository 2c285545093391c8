#include "steps/registry.h"

#include "compute/error.h"
#include "compute/suggest.h"
#include "delaunay/flipping.h"
#include "delaunay/insertion.h"
#include "delaunay/race.h"
#include "delaunay/serial.h"
#include "events/events_lab.h"
#include "steps/parameters.h"
#include "voronoi/voronoi_lab.h"

namespace flipscope {

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"build", &make_insertion}, {"flip", &make_flipping},       {"race", &make_race},
        {"serial", &make_serial},   {"voronoi", &make_voronoi_lab}, {"events", &make_events_lab},
    };
    return entries;
}

std::unique_ptr<Algorithm> make_algorithm(const std::string& id) {
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
