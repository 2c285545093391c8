// Passes on a subset of a lab's parameters, for a lab that runs another lab inside it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lab/parameter_visitor.h"

namespace flipscope {

/// Forwards to `to` the parameters whose names `wanted` accepts, with their attributes. A heading is forwarded with the
/// first accepted parameter under it.
class ParameterFilter : public ParameterVisitor {
  public:
    ParameterFilter(ParameterVisitor& to, std::function<bool(const std::string& name)> wanted)
        : to_(to), wanted_(std::move(wanted)) {}

    void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                const std::vector<Option>& options) override {
        if (passes(name)) to_.choice(name, title, sentence, value, options);
    }
    void toggle(const std::string& name, const std::string& title, const std::string& sentence, bool& value) override {
        if (passes(name)) to_.toggle(name, title, sentence, value);
    }
    void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value, int least,
                 int most) override {
        if (passes(name)) to_.integer(name, title, sentence, value, least, most);
    }
    void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                double least, double most) override {
        if (passes(name)) to_.number(name, title, sentence, value, least, most);
    }
    void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
              double least, double most) override {
        if (passes(name)) to_.size(name, title, sentence, value, least, most);
    }

    void or_word(const std::string& word) override {
        if (passes_) to_.or_word(word);
    }
    void overridden_by(const OverrideRule& rule) override {
        if (passes_) to_.overridden_by(rule);
    }
    void takes_effect(EffectAt when) override {
        if (passes_) to_.takes_effect(when);
    }
    void group(const std::string& title) override { heading_ = title; }

  private:
    bool passes(const std::string& name) {
        passes_ = wanted_(name);
        if (passes_ && !heading_.empty()) to_.group(std::exchange(heading_, {}));
        return passes_;
    }

    ParameterVisitor& to_;
    std::function<bool(const std::string&)> wanted_;
    bool passes_ = false;  // the last visited parameter was passed on
    std::string heading_;  // not passed on yet
};

}  // namespace flipscope
