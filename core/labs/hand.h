// What is said of a manual edit that a lab does not make. The timeline and the labs themselves ask.
#pragma once

#include <string>

#include "labs/lab.h"

namespace flipscope {

/// "The Build lab flips no edges manually; the Flip lab does."
std::string refusal_of(const LabInfo& lab, Edit::Kind kind);

}  // namespace flipscope
