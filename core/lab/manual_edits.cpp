#include "lab/manual_edits.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "compute/error.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope {

namespace {

// By kind.
constexpr const char* kNotSupported[] = {
    " moves no vertices manually",   " flips no edges manually", " adds no vertices manually",
    " removes no vertices manually", " paints no obstacles",     " wipes off no obstacles",
    " freezes no vertices",          " releases no vertices",    " changes no parameters during a run"};
static_assert(std::size(kNotSupported) == static_cast<size_t>(Edit::Kind::kAdjust) + 1);

}  // namespace

std::string refusal_of(const LabInfo& lab, Edit::Kind kind) {
    std::vector<std::string> others;
    for (const RegistryEntry& other : registry())
        if (other.info().supports(kind)) others.push_back("the " + other.info().title);
    std::string text = "The " + lab.title + kNotSupported[static_cast<size_t>(kind)];
    for (size_t i = 0; i < others.size(); ++i)
        text += (i == 0 ? "; " : i + 1 < others.size() ? ", " : " and ") + others[i];
    return text + (others.empty() ? "." : others.size() == 1 ? " does." : " do.");
}

Edit PlacedEdit::made_on(const Lab& lab) const {
    Edit made = edit;
    if (find) made.id = find(lab);
    return made;
}

bool is_same(const PlacedEdit& planned, const Edit& made) {
    const auto is_same_value = [](const Parameter& x, const Parameter& y) {
        return x.name == y.name && x.value == y.value;
    };
    const Edit& edit = planned.edit;
    return edit.kind == made.kind && (planned.find || edit.id == made.id) && edit.part == made.part &&
           edit.place == made.place && edit.radius == made.radius && edit.path == made.path &&
           std::equal(edit.values.begin(), edit.values.end(), made.values.begin(), made.values.end(), is_same_value);
}

bool follows(const std::map<uint64_t, Edit>& made, const std::vector<PlacedEdit>& plan) {
    return made.size() <= plan.size() &&
           std::equal(made.begin(), made.end(), plan.begin(),
                      [](const auto& one, const PlacedEdit& planned) { return is_same(planned, one.second); });
}

std::vector<Parameter> checked_adjustment(Lab& lab, const std::vector<Parameter>& values, const std::string& place) {
    const std::string start = place.empty() ? "" : place + ": ";
    if (!supports_edit(lab, Edit::Kind::kAdjust)) throw Error(start + refusal_of(lab.info(), Edit::Kind::kAdjust));
    const std::vector<ParameterDescription> parameters = list_parameters(lab);
    std::vector<Parameter> checked;
    for (const Parameter& given : values) {
        const std::string &name = given.name, &value = given.value;
        require_value(parameters, lab.info().id, name, value, place);
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const ParameterDescription& one) { return one.name == name; });
        if (found->effect == EffectAt::kView)
            throw Error(start + name + " changes the picture alone: set it before the run, with --set");
        if (found->effect != EffectAt::kStep) {
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
