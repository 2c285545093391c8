// sanitizers: none
// One vocabulary: the parameters, arrays and counters of all labs, laid side by side.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delaunay/runs.h"
#include "lab/facets.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

struct Told {
    std::string lab;
    ParameterDescription parameter;
};

std::vector<Told> all_parameters() {
    std::vector<Told> all;
    for (const RegistryEntry& entry : registry()) {
        const auto lab = entry.make();
        for (ParameterDescription& parameter : list_parameters(*lab)) all.push_back({entry.id, std::move(parameter)});
    }
    return all;
}

/// The common beginning of a sentence that may continue with the lab's particulars.
std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }
std::string without_dot(std::string text) {
    if (!text.empty() && text.back() == '.') text.pop_back();
    return text;
}

/// The allowed values, without the ends of a range and the options of a choice.
std::string kind_of(const ParameterDescription& parameter) {
    if (parameter.kind == ParameterDescription::Kind::kChoice) return "choice";
    if (parameter.kind == ParameterDescription::Kind::kToggle) return parameter.range();
    return parameter.kind == ParameterDescription::Kind::kInteger ? "integer" : "number";
}

}  // namespace

TEST_CASE("vocabulary: a parameter's name means the same in every lab") {
    std::map<std::string, Told> known;
    for (const Told& told : all_parameters()) {
        const auto [place, fresh] = known.emplace(told.parameter.name, told);
        if (fresh) continue;
        // Fields' words for two things: a population that attracts sites, and a part of an area; how pixels find their
        // sites, and how points are inserted.
        if (told.parameter.name == "density" || told.parameter.name == "method") continue;
        const Told& other = place->second;
        INFO(told.parameter.name, ", of ", told.lab, " and of ", other.lab);
        CHECK(without_dot(first_sentence(told.parameter.sentence)) ==
              without_dot(first_sentence(other.parameter.sentence)));
        CHECK(kind_of(told.parameter) == kind_of(other.parameter));
        // A lab may have fewer options, not others: only the Particles lab has particles of the user's own.
        for (size_t i = 0; i < std::min(told.parameter.options.size(), other.parameter.options.size()); ++i) {
            CHECK(told.parameter.options[i].name == other.parameter.options[i].name);
            CHECK(told.parameter.options[i].sentence == other.parameter.options[i].sentence);
        }
    }
    CHECK(known.size() > 50);
}

TEST_CASE("vocabulary: names are words with underscores, values are words with hyphens") {
    // A digit numbers what there are several of: fraction_1, and the configurations of a paper's table. An axis ends a
    // name, and a value as well: drift_x, periodic_x.
    const std::regex name("[a-z]+(_[a-z]+)*(_[1-9])?"), value("[a-z]+[0-9]?(-[a-z]+)*(_[xy])?");
    for (const Told& told : all_parameters()) {
        INFO(told.lab, ": ", told.parameter.name);
        CHECK(std::regex_match(told.parameter.name, name));
        for (const auto& option : told.parameter.options) {
            INFO(option.name);
            CHECK(std::regex_match(option.name, value));
        }
    }
}

TEST_CASE("vocabulary: no lab has two parameters, arrays or counters of one name") {
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        const auto lab = entry.make();
        std::set<std::string> names;
        for (const ParameterDescription& parameter : list_parameters(*lab)) CHECK(names.insert(parameter.name).second);
        names.clear();
        for (const ArrayInfo& array : arrays_of(*lab)) CHECK(names.insert(array.name).second);
        names.clear();
        for (const CounterInfo& counter : lab->info().counters) CHECK(names.insert(counter.name).second);
    }
}
