#include "app/session/run_parameters.h"

#include <algorithm>
#include <utility>

#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

std::vector<Parameter> changed_parameters(const LabModel& model) {
    const std::unique_ptr<Lab> lab = make_lab(model.info.id);
    const std::vector<Parameter> usual = values_of(list_parameters(*lab));
    std::vector<Parameter> changed = values_of(model.parameters);
    std::erase_if(changed, [&](const Parameter& one) { return std::count(usual.begin(), usual.end(), one) > 0; });
    return changed;
}

void RunParameters::set(size_t index, std::string value) {
    const ParameterDescription& parameter = model().parameters.at(index);
    if (!adjustable() || parameter.effect != EffectAt::kView) {
        drafts_.erase(parameter.name);
        if (value != parameter.value) drafts_[parameter.name] = std::move(value);
        previews_ = parameter.effect == EffectAt::kPreview && model().known() == 0;
        return;
    }
    const auto show = [this, name = parameter.name, value = std::move(value)] {
        const auto run = [=, this] {
            Lab& lab = worker_.timeline().lab();
            set_parameter(lab, name, value);
            facet<Adjustable>(lab).apply_view_parameters();
        };
        worker_.start({.changes_scene = true, .run = run});
    };
    worker_.request_of_run(show, "show " + parameter.name);
}

std::string RunParameters::value(size_t index) const {
    const ParameterDescription& parameter = model().parameters.at(index);
    const auto draft = drafts_.find(parameter.name);
    return draft != drafts_.end() ? draft->second : parameter.value;
}

std::vector<Parameter> RunParameters::drafts(bool for_step) const {
    std::vector<Parameter> found;
    for (const ParameterDescription& one : model().parameters)
        if (const auto draft = drafts_.find(one.name);
            draft != drafts_.end() && (!for_step || one.effect == EffectAt::kStep))
            found.push_back({one.name, draft->second});
    return found;
}

void RunParameters::adjust(size_t index, std::string value) {
    if (can_change(index)) make({{model().parameters.at(index).name, std::move(value)}});
}

void RunParameters::change_now() {
    if (can_change_now()) make(drafts(true));
}

void RunParameters::make(std::vector<Parameter> values) {
    Edit change;
    change.kind = Edit::Kind::kAdjust;
    change.values = values;
    edits_.make(change, [this, values = std::move(values)] {
        for (const auto& [name, value] : values)  // a newer value stays a draft
            if (const auto draft = drafts_.find(name); draft != drafts_.end() && draft->second == value)
                drafts_.erase(draft);
    });
}

}  // namespace flipscope::app
