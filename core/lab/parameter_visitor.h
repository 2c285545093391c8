// Parameters: one value as text, its description, and the visitor to which a lab passes all of its parameters. The
// panel, the command line and `flipscope list` use what a visitor has collected.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
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
    kStart,    // at a restart
    kPreview,  // the same, and the window restarts at once if no step was made: the picture then shows the effect
    kStep,     // also during a run, as a step, if the lab is Adjustable
    kView,     // at once: only the picture changes
};

struct ParameterOption {
    std::string name, sentence;  // for --set; what it means
};

/// The value of a toggle, of an integer or the index of a choice, of a number, of a size.
using ParameterValue = std::variant<bool, int, double, Point>;

struct ParameterDescription {
    enum class Kind { kChoice, kToggle, kInteger, kNumber, kSize } kind;
    std::string name;                      // "predicate", for --set
    std::string title;                     // "Predicate"
    std::string sentence;                  // what it does
    std::string value;                     // as read() takes it: an option's name, "on" or "off", a number, "30x12"
    std::vector<ParameterOption> options;  // of a choice
    double least = 0, most = 0;            // of a number or a size
    std::string group = {};                // the heading it stands under; empty: none
    std::vector<OverrideRule> rules = {};  // overrides; the first that applies wins
    EffectAt effect = EffectAt::kStart;    // when a change takes effect
    std::string word = {};                 // of a number or a size: a word accepted instead; or empty
    /// The accepted values: "exact, double or float", "on or off", "32 … 1024", "0 … 3.14 or auto", "0 … 1000, or two
    /// as in 30x12".
    std::string range() const;
    /// Toggles take on/off, true/false, yes/no and 1/0. nullopt: no accepted value.
    std::optional<ParameterValue> read(const std::string& text) const;
};

/// Collects the parameters to which a lab leads it: their descriptions, and where their values are.
class ParameterVisitor {
  public:
    using Option = ParameterOption;

    /// `value` is an index into `options`.
    void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                const std::vector<Option>& options);
    /// A choice of something else than an index: `choose` receives the index of the chosen option.
    void choice(const std::string& name, const std::string& title, const std::string& sentence, int chosen,
                const std::vector<Option>& options, std::function<void(int)> choose);
    void toggle(const std::string& name, const std::string& title, const std::string& sentence, bool& value);
    void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value, int least,
                 int most);
    void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                double least, double most);
    /// A width and a height: "30" if they are equal, else "30x12".
    void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
              double least, double most);
    /// The last visited number, integer or size also accepts this word, which leaves the value to an overridden_by()
    /// rule or to what the sentence says. The number is then NaN; an integer or a size is 0.
    void or_word(const std::string& word);
    /// Rules for the last visited parameter. Of several rules the first that applies wins.
    template <class... Rules>
    void overridden_by(Rules... rules) {
        (found_.back().rules.emplace_back(std::move(rules)), ...);
    }
    /// The same for all parameters visited in the present group, before their own rules.
    void group_overridden_by(const OverrideRule& rule);
    /// For the parameters that follow, until the next call; default: kStart.
    void take_effect(EffectAt when) { effect_ = when; }
    /// Starts a group of parameters with this heading.
    void group(const std::string& title) { group_ = title; }
    /// Adds the parameters of another lab, or part of one, whose names `wanted` accepts, with their groups.
    void add(ParameterVisitor other, const std::function<bool(const std::string& name)>& wanted);

    std::vector<ParameterDescription>& found() { return found_; }
    const std::vector<ParameterDescription>& found() const { return found_; }
    /// Sets the parameter of this name. False, and no change: there is none, or it does not accept the value.
    bool set(const std::string& name, const std::string& text) const;

  private:
    using Set = std::function<void(const ParameterValue&)>;
    void add(ParameterDescription parameter, bool is_word, Set set);

    std::vector<ParameterDescription> found_;
    std::vector<Set> set_;  // by parameter
    std::string group_;
    EffectAt effect_ = EffectAt::kStart;
    bool is_word_ = false;  // the last visited number stands for its word, if it accepts one
};

}  // namespace flipscope
