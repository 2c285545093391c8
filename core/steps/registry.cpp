#include "steps/registry.h"

#include "compute/error.h"
#include "delaunay/insertion.h"
#include "delaunay/serial.h"

namespace flipscope {

const std::vector<RegistryEntry>& registry() {
    static const std::vector<RegistryEntry> entries{
        {"build", &make_insertion},
        {"serial", &make_serial},
    };
    return entries;
}

std::unique_ptr<Algorithm> make_algorithm(const std::string& id) {
    std::string known;
    for (const RegistryEntry& entry : registry()) {
        if (entry.id == id) return entry.make();
        known += (known.empty() ? "" : ", ") + entry.id;
    }
    throw Error("unknown lab \"" + id + "\"; there is: " + known);
}

}  // namespace flipscope
