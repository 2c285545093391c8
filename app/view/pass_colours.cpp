#include "app/view/pass_colours.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "app/view/colour_difference.h"
#include "app/view/palette.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

std::vector<std::string> names_of(const LabInfo& info) {
    std::vector<std::string> names;
    for (const PassInfo& pass : info.passes) names.push_back(pass.name);
    return names;
}

constexpr double kApart = 12, kApartForFewCones = 7;  // CIEDE2000

/// Which pairs of Palette::pass() may occur in one lab.
std::vector<char> distinct_pairs() {
    std::vector<char> apart(size_t(Palette::kPasses) * Palette::kPasses, 1);
    for (const bool light : {false, true})
        for (const ColourVision eyes : {ColourVision::kAll, ColourVision::kNoRed, ColourVision::kNoGreen}) {
            std::vector<Lab2000> seen;
            for (uint32_t i = 0; i < Palette::kPasses; ++i) seen.push_back(lab_of(palette(light).pass(i), eyes));
            for (size_t i = 0; i < seen.size(); ++i)
                for (size_t k = 0; k < seen.size(); ++k)
                    if (difference(seen[i], seen[k]) <= (eyes == ColourVision::kAll ? kApart : kApartForFewCones))
                        apart[i * seen.size() + k] = 0;
        }
    return apart;
}

}  // namespace

std::vector<uint32_t> pass_colours(const std::vector<std::vector<std::string>>& labs,
                                   const std::vector<std::string>& passes, uint32_t colours,
                                   const std::function<bool(uint32_t, uint32_t)>& apart) {
    std::vector<std::vector<std::string>> all = labs;
    if (std::find(labs.begin(), labs.end(), passes) == labs.end()) all.push_back(passes);
    std::map<std::string, uint32_t> colour_of;
    for (const std::vector<std::string>& lab : all)
        for (const std::string& name : lab) {
            if (colour_of.count(name)) continue;
            std::set<uint32_t> of_all, of_companions;  // of passes that share a lab with this one
            for (const auto& [other, colour] : colour_of) of_all.insert(colour);
            for (const std::vector<std::string>& beside : all)
                if (std::find(beside.begin(), beside.end(), name) != beside.end())
                    for (const std::string& other : beside)
                        if (const auto known = colour_of.find(other); known != colour_of.end())
                            of_companions.insert(known->second);
            // By preference: unused and distinct, shared and distinct, unused, or only different from its companions'.
            std::optional<uint32_t> best;
            int best_worth = -1;
            for (uint32_t colour = 0; colour < colours; ++colour) {
                if (of_companions.count(colour)) continue;
                const bool clear = std::all_of(of_companions.begin(), of_companions.end(),
                                               [&](uint32_t other) { return apart(colour, other); });
                if (const int worth = 2 * clear + !of_all.count(colour); worth > best_worth)
                    best = colour, best_worth = worth;
            }
            colour_of[name] = best.value_or(colours - 1);  // with more companions than colours, the last ones share one
        }
    std::vector<uint32_t> found;
    for (const std::string& name : passes) found.push_back(colour_of[name]);
    return found;
}

std::vector<uint32_t> pass_colours(const LabInfo& info) {
    static const std::vector<char> apart = distinct_pairs();
    std::vector<std::vector<std::string>> labs;
    for (const RegistryEntry& entry : registry()) labs.push_back(names_of(entry.info()));
    return pass_colours(labs, names_of(info), Palette::kPasses,
                        [](uint32_t a, uint32_t b) { return apart[size_t(a) * Palette::kPasses + b] != 0; });
}

}  // namespace flipscope::app
