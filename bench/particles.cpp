#include "bench/particles.h"

#include <algorithm>

namespace flipscope::bench {

namespace {

struct ParticleSection {
    const char* name;
    bool (*run)(const ParticlesPlan&, nlohmann::ordered_json& json);
};
constexpr ParticleSection kParticleSections[] = {
    {"short-range", step_short_range}, {"long-range", step_long_range}, {"packed-starts", step_packed_starts},
    {"all-pairs", sum_all_pairs},      {"near-pairs", sum_near_pairs},  {"peer", compare_with_peer},
};

}  // namespace

void choose(const std::vector<std::string>& words, ParticlesPlan& plan) {
    std::vector<std::string> sections, chosen;
    for (const ParticleSection& section : kParticleSections) sections.emplace_back(section.name);
    std::vector<std::string> known = plan.configurations;
    known.insert(known.end(), sections.begin(), sections.end());
    require_known(words, known);
    for (const std::string& word : words) {
        const bool is_section = std::find(sections.begin(), sections.end(), word) != sections.end();
        (is_section ? plan.sections : chosen).push_back(word);
    }
    if (!chosen.empty()) plan.configurations = chosen;
}

bool run_particles(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    bool agree = true;
    for (const ParticleSection& section : kParticleSections) {
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
