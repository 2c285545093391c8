// What is said of an edit by hand that a lab does not make. The timeline and the labs themselves ask.
#pragma once

#include <string>

#include "labs/lab.h"

namespace flipscope {

/// "The Build lab flips no edges by hand; the Flip lab does."
std::string refusal_of(const LabInfo& lab, Edit::Kind kind);

}  // namespace flipscope
