// One parameter of a lab and its value, as text. Scenarios, edits, links and saved runs hold lists of them.
#pragma once

#include <string>

namespace flipscope {

/// A parameter's name, and its value as set_parameter() reads it.
struct Parameter {
    std::string name, value;
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

}  // namespace flipscope
