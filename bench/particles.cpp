#include "bench/particles.h"

#include <algorithm>

#include "bench/particles_forces.h"
#include "compute/error.h"
#include "compute/suggest.h"

namespace flipscope::bench {

const std::vector<NamedParticleSection>& particle_sections() {
    static const std::vector<NamedParticleSection> sections{
        {"all-pairs", "The long-range force: warp shuffles, shared memory, CPU threads and one (figure 12)",
         sum_all_pairs},
        {"vector-units", "The same on one CPU thread, by set of instructions, against what its vector units can do",
         compare_vector_units},
        {"near-pairs", "The short-range force by cells and by lists, for each configuration of table 1",
         sum_near_pairs},
    };
    return sections;
}

bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    std::vector<std::string> names;
    for (const NamedParticleSection& section : particle_sections()) names.emplace_back(section.name);
    for (const std::string& name : plan.only) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string near = nearest_word(name, names);
        std::string hint = near.empty() ? "; there are" : "; did you mean \"" + near + "\"?";
        for (const std::string& each : names)
            if (near.empty()) hint += " " + each;
        throw Error("no section \"" + name + "\" of --particles" + hint);
    }
    bool agree = true;
    for (const NamedParticleSection& section : particle_sections()) {
        if (!plan.only.empty() && std::find(plan.only.begin(), plan.only.end(), section.name) == plan.only.end())
            continue;
        json[section.name] = nlohmann::ordered_json::array();
        agree &= section.run(plan, json[section.name]);
    }
    return agree;
}

}  // namespace flipscope::bench
