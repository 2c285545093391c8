// The error message for an edit that a lab does not support, and the validation of a change of parameters. Used by the
// timeline, the labs and the command line.
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
std::vector<Parameter> checked_adjustment(Lab& lab, const std::vector<Parameter>& values,
                                          const std::string& place = {});

}  // namespace flipscope
