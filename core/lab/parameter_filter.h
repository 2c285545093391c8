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
class ParameterFilter final : public ParameterVisitor {
  public:
    ParameterFilter(ParameterVisitor& to, std::function<bool(const std::string& name)> wanted)
        : to_(to), wanted_(std::move(wanted)) {}

    void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                const std::vector<Option>& options) override {
        if (takes(name)) to_.choice(name, title, sentence, value, options);
    }
    void toggle(const std::string& name, const std::string& title, const std::string& sentence, bool& value) override {
        if (takes(name)) to_.toggle(name, title, sentence, value);
    }
    void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value, int least,
                 int most) override {
        if (takes(name)) to_.integer(name, title, sentence, value, least, most);
    }
    void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                double least, double most) override {
        if (takes(name)) to_.number(name, title, sentence, value, least, most);
    }
    void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
              double least, double most) override {
        if (takes(name)) to_.size(name, title, sentence, value, least, most);
    }

    void or_word(const std::string& word) override {
        if (taken_) to_.or_word(word);
    }
    void decided_by(const DecidedBy& rule) override {
        if (taken_) to_.decided_by(rule);
    }
    void takes_effect(Takes when) override {
        if (taken_) to_.takes_effect(when);
    }
    void group(const std::string& title) override { heading_ = title; }

  private:
    bool takes(const std::string& name) {
        taken_ = wanted_(name);
        if (taken_ && !heading_.empty()) to_.group(std::exchange(heading_, {}));
        return taken_;
    }

    ParameterVisitor& to_;
    std::function<bool(const std::string&)> wanted_;
    bool taken_ = false;   // the last visited parameter was passed on
    std::string heading_;  // not passed on yet
};

}  // namespace flipscope
