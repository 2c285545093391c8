#include "app/pass_colours.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/palette.h"
#include "labs/registry.h"

namespace flipscope::app {

namespace {

std::vector<std::string> names_of(const LabInfo& info) {
    std::vector<std::string> names;
    for (const PassInfo& pass : info.passes) names.push_back(pass.name);
    return names;
}

/// The first colour that is not among these; of more names than colours the last ones share one.
uint32_t first_but(const std::set<uint32_t>& taken, uint32_t colours) {
    uint32_t colour = 0;
    while (colour + 1 < colours && taken.count(colour)) ++colour;
    return colour;
}

}  // namespace

std::vector<uint32_t> pass_colours(const std::vector<std::vector<std::string>>& labs,
                                   const std::vector<std::string>& passes, uint32_t colours) {
    std::vector<std::vector<std::string>> all = labs;
    if (std::find(labs.begin(), labs.end(), passes) == labs.end()) all.push_back(passes);
    std::map<std::string, uint32_t> colour_of;
    for (const std::vector<std::string>& lab : all)
        for (const std::string& name : lab) {
            if (colour_of.count(name)) continue;
            std::set<uint32_t> of_all, of_companions;  // of passes that are in a lab with this one
            for (const auto& [other, colour] : colour_of) of_all.insert(colour);
            for (const std::vector<std::string>& beside : all)
                if (std::find(beside.begin(), beside.end(), name) != beside.end())
                    for (const std::string& other : beside)
                        if (const auto known = colour_of.find(other); known != colour_of.end())
                            of_companions.insert(known->second);
            colour_of[name] = first_but(of_all.size() < colours ? of_all : of_companions, colours);
        }
    std::vector<uint32_t> found;
    for (const std::string& name : passes) found.push_back(colour_of[name]);
    return found;
}

std::vector<uint32_t> pass_colours(const LabInfo& info) {
    std::vector<std::vector<std::string>> labs;
    for (const RegistryEntry& entry : registry()) labs.push_back(names_of(entry.info()));
    return pass_colours(labs, names_of(info), Palette::kPasses);
}

}  // namespace flipscope::app
