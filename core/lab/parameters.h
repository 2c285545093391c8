// An algorithm's parameters as text: listed, and set by name. The command line, the scenario reader and the benchmark
// come through here, so that none of them knows a parameter by name.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

struct ParameterDescription {
    enum class Kind { kChoice, kToggle, kInteger, kNumber, kSize } kind;
    std::string name;      // "predicate", for --set
    std::string title;     // "Predicate"
    std::string sentence;  // what it does
    std::string value;     // as set_parameter() reads it: an option's name, "on" or "off", a number, "30x12"
    std::vector<ParameterVisitor::Option> options;  // of a choice
    double least = 0, most = 0;                     // of a number or a size
    std::string group = {};                         // the heading it stands under; empty: none
    std::vector<DecidedBy> rules = {};              // what may determine it; the first that does counts
    Takes takes = Takes::kStart;                    // when a change takes effect
    std::string word = {};                          // of a number or a size: what may stand in its place; or empty
    /// What value may be: "exact, double or float", "on or off", "32 … 1024", "0 … 3.14 or auto", "0 … 1000, or two as
    /// in 30x12".
    std::string range() const;
};

/// "30", or "30x12" where width and height differ; and back. Nothing: it is neither.
std::string text_of_size(Point size);
std::optional<Point> size_of_text(const std::string& text);

/// Something that shows its parameters to a visitor: a lab, or a part of one.
using VisitParameters = std::function<void(ParameterVisitor&)>;

/// Every parameter with its present value, in the algorithm's order.
std::vector<ParameterDescription> list_parameters(Lab& algorithm);

/// Whether something else determines a parameter. Empty where it counts as it stands.
Decided decided_of(const ParameterDescription& parameter, const Circumstances& now);
/// Circumstances::value_of of these, as they are listed. They are not copied.
std::function<std::string(const std::string&)> value_lookup(const std::vector<ParameterDescription>& parameters);

/// Sets one parameter; it takes effect at the next reset(). Toggles take on/off, true/false, yes/no and 1/0. Throws
/// Error, and changes nothing, for a name the algorithm does not have (the known ones are listed) or a value it does
/// not take (what it takes is said). Its sentence begins with `place` where one is given, as in
/// "demo.json: /parameters/count".
void set_parameter(Lab& algorithm, const std::string& name, const std::string& value, const std::string& place = {});

/// The same of the parameters of a lab of this id.
void set_parameter(const VisitParameters& visit, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place = {});

/// Throws the same Error where these parameters of a lab of this id do not take the value.
void require_value(const std::vector<ParameterDescription>& parameters, const std::string& lab, const std::string& name,
                   const std::string& value, const std::string& place = {});

/// The same as set_parameter() from "name=value". Throws Error also for another form.
void set_parameter(Lab& algorithm, const std::string& assignment);

std::vector<ParameterDescription> list_parameters(const VisitParameters& visit);
/// Sets one parameter of the part where it has it; false, and nothing is changed, where it does not.
bool set_if_known(const VisitParameters& visit, const std::string& name, const std::string& value);

/// Sets them one after the other, of a lab of this id, and says what has become another value: "Radius from 1 to 2,
/// …". Throws Error as set_parameter() does.
std::string change_parameters(const VisitParameters& visit, const std::string& lab,
                              const std::vector<ParameterValue>& values);

bool is_one_of(const std::string& name, std::initializer_list<const char*> names);
/// "a, b or c", for sentences.
std::string join_words(const std::vector<std::string>& words, const std::string& last = " or ");

}  // namespace flipscope
