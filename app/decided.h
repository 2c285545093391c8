// What an input decides, or another parameter: parameters that change nothing now are shown with what is true, and why.
// The labs tell parameters by name only, and so does this table.
#pragma once

#include <functional>
#include <string>

#include "geometry/point.h"

namespace flipscope::app {

struct Decided {
    std::string why;    // a sentence; empty: the parameter counts
    std::string value;  // what holds in its place; empty: nothing does
    explicit operator bool() const { return !why.empty(); }
};

/// Whether the parameter `name` of the lab is decided elsewhere. `value_of`: the parameters' values, by name. `width`,
/// `height`: of the present lattice, or 0.
Decided decided(const std::string& lab, const Geometry& input, const std::string& name,
                const std::function<std::string(const std::string&)>& value_of, uint32_t width, uint32_t height);

}  // namespace flipscope::app
