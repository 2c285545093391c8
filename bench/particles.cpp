#include "bench/particles.h"

#include <algorithm>

#include "bench/particles_forces.h"
#include "bench/particles_peer.h"
#include "bench/particles_steps.h"
#include "compute/error.h"
#include "compute/suggest.h"

namespace flipscope::bench {

const std::vector<NamedParticleSection>& particle_sections() {
    static const std::vector<NamedParticleSection> sections{
        {"short-range", "A time step with the short-range force, overlaps and triangulation (figures 9 and 10)",
         step_short_range},
        {"long-range", "The same with the long-range force (figures 9 to 11)", step_long_range},
        {"packed-starts", "The short-range force from starts on a packed lattice, where discs touch soon (figure 10)",
         step_packed_starts},
        {"all-pairs", "The long-range force: warp shuffles, shared memory, CPU threads and one (figure 12)",
         sum_all_pairs},
        {"vector-units", "The same on one CPU thread, by set of instructions, against what its vector units can do",
         compare_vector_units},
        {"near-pairs", "The short-range force by cells and by lists, for each configuration of table 1",
         sum_near_pairs},
        {"peer", "The same beside LAMMPS, where it was built in", compare_with_peer},
    };
    return sections;
}

void choose(const std::vector<std::string>& words, ParticlesPlan& plan) {
    std::vector<std::string> names = plan.configurations;
    const size_t configurations = names.size();
    for (const NamedParticleSection& section : particle_sections()) names.emplace_back(section.name);
    std::vector<std::string> chosen;
    for (const std::string& word : words) {
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end()) {
            const std::string near = nearest_word(word, names);
            std::string hint = near.empty() ? "; there are" : "; did you mean \"" + near + "\"?";
            for (const std::string& each : names)
                if (near.empty()) hint += " " + each;
            throw Error("no section or configuration \"" + word + "\" of --particles" + hint);
        }
        const bool is_configuration = found - names.begin() < static_cast<std::ptrdiff_t>(configurations);
        (is_configuration ? chosen : plan.sections).push_back(word);
    }
    if (!chosen.empty()) plan.configurations = chosen;
}

bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    bool agree = true;
    for (const NamedParticleSection& section : particle_sections()) {
        if (!plan.sections.empty() &&
            std::find(plan.sections.begin(), plan.sections.end(), section.name) == plan.sections.end())
            continue;
        json[section.name] = nlohmann::ordered_json::array();
        agree &= section.run(plan, json[section.name]);
    }
    return agree;
}

std::vector<Figure> figures_of_particles(const nlohmann::ordered_json& json) {
    const nlohmann::ordered_json none;
    const auto section = [&](const char* name) -> const nlohmann::ordered_json& {
        return json.contains(name) ? json.at(name) : none;
    };
    std::vector<Figure> figures = figures_of_steps(section("short-range"), section("long-range"));
    if (const Figure pairs = figure_of_all_pairs(section("all-pairs")); !pairs.curves.empty()) figures.push_back(pairs);
    return figures;
}

}  // namespace flipscope::bench
