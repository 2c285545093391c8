#include "lab/manual_edits.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "compute/error.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope {

namespace {

const char* what_it_does_not(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::kMoveVertex:
            return " moves no vertices manually";
        case Edit::Kind::kFlipEdge:
            return " flips no edges manually";
        case Edit::Kind::kAddVertex:
            return " adds no vertices manually";
        case Edit::Kind::kRemoveVertex:
            return " removes no vertices manually";
        case Edit::Kind::kPaint:
            return " paints no obstacles";
        case Edit::Kind::kWipe:
            return " wipes off no obstacles";
        case Edit::Kind::kFreeze:
            return " freezes no vertices";
        case Edit::Kind::kRelease:
            return " releases no vertices";
        case Edit::Kind::kAdjust:
            return " changes no parameters during a run";
    }
    return " makes no changes of this kind manually";
}

}  // namespace

std::string refusal_of(const LabInfo& lab, Edit::Kind kind) {
    std::vector<std::string> others;
    for (const RegistryEntry& other : registry())
        if (other.info().supports(kind)) others.push_back("the " + other.info().title);
    std::string text = "The " + lab.title + what_it_does_not(kind);
    for (size_t i = 0; i < others.size(); ++i)
        text += (i == 0 ? "; " : i + 1 < others.size() ? ", " : " and ") + others[i];
    return text + (others.empty() ? "." : others.size() == 1 ? " does." : " do.");
}

std::vector<Parameter> checked_adjustment(Lab& lab, const std::vector<Parameter>& values, const std::string& place) {
    const std::string start = place.empty() ? "" : place + ": ";
    if (!supports_edit(lab, Edit::Kind::kAdjust)) throw Error(start + refusal_of(lab.info(), Edit::Kind::kAdjust));
    const std::vector<ParameterDescription> parameters = list_parameters(lab);
    std::vector<Parameter> checked;
    for (const auto& [name, value] : values) {
        require_value(parameters, lab.info().id, name, value, place);
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const ParameterDescription& one) { return one.name == name; });
        if (found->effect == EffectAt::kView)
            throw Error(start + name + " changes the picture alone: set it before the run, with --set");
        if (found->effect == EffectAt::kStart) {
            std::vector<std::string> others;
            for (const ParameterDescription& one : parameters)
                if (one.effect == EffectAt::kStep) others.push_back(one.name);
            throw Error(start + "a run must start over to change " + name +
                        "; during a run these can be changed: " + join_words(others, ", "));
        }
        const auto same = [&](const Parameter& one) { return one.name == name; };
        if (std::any_of(checked.begin(), checked.end(), same))
            throw Error(start + name + " is given twice for the same step");
        checked.push_back({name, value});
    }
    if (checked.empty()) throw Error(start + "no parameter is given that is to change");
    return checked;
}

}  // namespace flipscope
