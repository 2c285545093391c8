// Parameters: one value as text, and the visitor to which a lab passes all of its parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// A parameter's name, and its value as set_parameter() reads it. Scenarios, edits, links and saved runs hold lists.
struct Parameter {
    std::string name, value;
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Why a parameter has no effect at present, or not the stated effect.
struct Override {
    std::string why;       // a sentence; empty: the parameter's own value applies
    std::string value;     // the value in effect instead; empty: none
    bool in_part = false;  // the parameter has an effect, but the result is `value`
    explicit operator bool() const { return !why.empty(); }
};
/// The input and the other parameters, which may override a parameter.
struct ParameterContext {
    const Geometry& input;
    /// Another parameter's value, as set_parameter() reads it. Throws std::logic_error for an unknown name.
    std::function<std::string(const std::string& name)> value_of;
    uint32_t width = 0, height = 0;  // of the present lattice; 0: no lattice

    bool is(const char* name, const char* value) const { return value_of(name) == value; }
};
/// A rule by which the input or another parameter overrides a parameter. It must not reference the lab that declares
/// it.
using OverrideRule = std::function<Override(const ParameterContext&)>;
/// The rule that overrides a parameter where this holds.
template <class Holds>
OverrideRule override_if(Holds holds, std::string why, std::string value = {}) {
    return [=](const ParameterContext& now) { return holds(now) ? Override{why, value} : Override{}; };
}

/// When a changed parameter takes effect.
enum class EffectAt : uint8_t {
    kStart,  // at a restart
    kStep,   // also during a run, as a step, if the lab is Adjustable
    kView,   // at once: only the picture changes
};

/// Receives every parameter. The panel, the command line and `flipscope list` are visitors.
class ParameterVisitor {
  public:
    virtual ~ParameterVisitor() = default;
    /// `value` is an index into `options` (name for --set, and a sentence each).
    struct Option {
        std::string name, sentence;
    };
    virtual void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                        const std::vector<Option>& options) = 0;
    virtual void toggle(const std::string& name, const std::string& title, const std::string& sentence,
                        bool& value) = 0;
    virtual void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                         int least, int most) = 0;
    virtual void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                        double least, double most) = 0;
    /// The last visited number, integer or size also accepts this word, which leaves the value to an overridden_by()
    /// rule or to what the sentence says. The number is then NaN; an integer or a size is 0.
    virtual void or_word(const std::string& /*word*/) {}
    /// A width and a height: "30" if they are equal, else "30x12".
    virtual void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
                      double least, double most) = 0;
    /// A rule for the last visited parameter. Of several rules the first that applies wins.
    virtual void overridden_by(const OverrideRule& /*rule*/) {}
    /// For the last visited parameter; default: kStart.
    virtual void takes_effect(EffectAt /*when*/) {}
    /// Starts a group of parameters with this heading.
    virtual void group(const std::string& /*title*/) {}
};

}  // namespace flipscope
