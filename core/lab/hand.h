// What is said of an edit that a lab does not make, and what becomes of a change of parameters before one makes it. The
// timeline, the labs themselves and the command line ask.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

/// "The Build lab flips no edges manually; the Flip lab does."
std::string refusal_of(const LabInfo& lab, Edit::Kind kind);

/// The same change by the present names of parameters and values. Throws Error, with a sentence that begins with
/// `place` where one is given, where the lab changes none during a run, does not have one of them, does not take one of
/// the values, or needs a new start for it.
std::vector<ParameterValue> checked_adjustment(Lab& lab, const std::vector<ParameterValue>& values,
                                               const std::string& place = {});

}  // namespace flipscope
