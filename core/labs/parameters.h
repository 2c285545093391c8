// An algorithm's parameters as text: listed, and set by name. The command line, the scenario reader and the benchmark
// come through here, so that none of them knows a parameter by name.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "labs/lab.h"

namespace flipscope {

struct ParameterDescription {
    enum class Kind { kChoice, kToggle, kInteger, kNumber } kind;
    std::string name;      // "predicate", for --set
    std::string title;     // "Predicate"
    std::string sentence;  // what it does
    std::string value;     // as set_parameter() reads it: an option's name, "on" or "off", or a number
    std::vector<ParameterVisitor::Option> options;  // of a choice
    double least = 0, most = 0;                     // of an integer or a number
    std::string group = {};                         // the heading it stands under; empty: none
    /// What value may be: "exact, double or float", "on or off", "32 … 1024", "0 … 3.14".
    std::string range() const;
};

/// Every parameter with its present value, in the algorithm's order.
std::vector<ParameterDescription> list_parameters(Lab& algorithm);

/// Sets one parameter; it takes effect at the next reset(). Toggles take on/off, true/false, yes/no and 1/0.
/// Throws Error, and changes nothing, for a name the algorithm does not have (the known ones are listed) or a value it
/// does not take (what it takes is said). Its sentence begins with `place` where one is given, as in
/// "demo.json: /parameters/sites".
void set_parameter(Lab& algorithm, const std::string& name, const std::string& value, const std::string& place = {});

/// The same from "name=value". Throws Error also for another form.
void set_parameter(Lab& algorithm, const std::string& assignment);

bool is_one_of(const std::string& name, std::initializer_list<const char*> names);
/// "a, b or c", for sentences.
std::string join_words(const std::vector<std::string>& words, const std::string& last = " or ");

}  // namespace flipscope
