// Values of parameters that were chosen and not used yet: they take effect when the run starts over, or, of those that
// can change during a run, as a step of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/parameters.h"

namespace flipscope::app {

class ParameterDrafts {
  public:
    /// `in_use`: the parameters as the lab has them, of which this is number `index`. The value in use is no draft.
    void set(const std::vector<ParameterDescription>& in_use, size_t index, std::string value) {
        drafts_.resize(in_use.size());
        drafts_.at(index).reset();
        if (value != in_use[index].value) drafts_[index] = std::move(value);
    }
    /// The draft, or the value in use.
    std::string value(const std::vector<ParameterDescription>& in_use, size_t index) const {
        return index < drafts_.size() && drafts_[index] ? *drafts_[index] : in_use.at(index).value;
    }
    bool any() const {
        return std::any_of(drafts_.begin(), drafts_.end(), [](const auto& draft) { return draft.has_value(); });
    }
    /// Of parameters that can change during a run.
    bool any_for_step(const std::vector<ParameterDescription>& in_use) const { return !for_step(in_use).empty(); }
    void drop() { drafts_.clear(); }
    /// Those that have come into use as they are; a value chosen since stays a draft.
    void drop_used(const std::vector<ParameterDescription>& in_use, const std::vector<Parameter>& used) {
        for (size_t i = 0; i < std::min(drafts_.size(), in_use.size()); ++i)
            if (drafts_[i] && std::count(used.begin(), used.end(), Parameter{in_use[i].name, *drafts_[i]}) > 0)
                drafts_[i].reset();
    }
    /// What would change as a step.
    std::vector<Parameter> for_step(const std::vector<ParameterDescription>& in_use) const {
        std::vector<Parameter> values;
        for (size_t i = 0; i < std::min(drafts_.size(), in_use.size()); ++i)
            if (drafts_[i] && in_use[i].takes == Takes::kStep) values.push_back({in_use[i].name, *drafts_[i]});
        return values;
    }
    /// As a new start takes them.
    std::vector<Parameter> changes(const std::vector<ParameterDescription>& in_use) const {
        std::vector<Parameter> changes;
        for (size_t i = 0; i < std::min(drafts_.size(), in_use.size()); ++i)
            if (drafts_[i]) changes.push_back({in_use[i].name, *drafts_[i]});
        return changes;
    }

  private:
    std::vector<std::optional<std::string>> drafts_;  // as the parameters, or fewer
};

}  // namespace flipscope::app
