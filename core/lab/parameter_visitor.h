// How a lab shows its parameters: it hands each of them to a visitor.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// What is told of a parameter that changes nothing at present, or whose effect is not what it says.
struct Decided {
    std::string why;       // a sentence; empty: the parameter counts as it stands
    std::string value;     // what holds in its place; empty: nothing does
    bool in_part = false;  // it counts, but what comes of it is `value`
    explicit operator bool() const { return !why.empty(); }
};
/// What may determine a parameter in its place.
struct Circumstances {
    const Geometry& input;
    /// Another parameter's value, as set_parameter() reads it. Throws std::logic_error where there is none of that
    /// name.
    std::function<std::string(const std::string& name)> value_of;
    uint32_t width = 0, height = 0;  // of the present lattice; 0: there is none

    bool is(const char* name, const char* value) const { return value_of(name) == value; }
};
/// Whether the input, or another parameter, determines a parameter. Holds on to nothing of the lab that declares it.
using DecidedBy = std::function<Decided(const Circumstances&)>;

/// When a parameter that is changed takes effect.
enum class Takes : uint8_t {
    kStart,  // when the run starts over
    kStep,   // also during a run, as a step of it, where the lab is Adjustable
    kView,   // at once: it changes nothing but the picture
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
    /// Of the number, whole number or size visited last: this word, too, is a value of it, and leaves it to something
    /// else, as a rule of decided_by() or the sentence says. The number is NaN then, a whole number or a size 0.
    virtual void or_word(const std::string& /*word*/) {}
    /// A width and a height: "30" where they are equal, else "30x12".
    virtual void size(const std::string& name, const std::string& title, const std::string& sentence, Point& value,
                      double least, double most) = 0;
    /// Of the parameter visited last. Where several rules are declared, the first that decides counts.
    virtual void decided_by(const DecidedBy& /*rule*/) {}
    /// Of the parameter visited last; without it kStart.
    virtual void takes_effect(Takes /*when*/) {}
    /// Parameters visited from here on belong together under this heading; where there are many, it helps.
    virtual void group(const std::string& /*title*/) {}
};

}  // namespace flipscope
