// The parameters of what moves in the Events lab, as the panel and the command line show them.
#pragma once

#include "events/sources/source.h"
#include "labs/parameter_visitor.h"

namespace flipscope {

void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& parameters);

}  // namespace flipscope
