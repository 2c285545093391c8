// How the parameters of a source are shown.
#pragma once

#include "events/sources/source.h"
#include "labs/parameter_visitor.h"

namespace flipscope {

void visit_parameters(ParameterVisitor& visitor, SourceParameters& parameters);

}  // namespace flipscope
