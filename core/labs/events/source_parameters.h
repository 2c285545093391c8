// The parameters of the source of the Events lab, as shown by the panel and the command line, and the source that they
// describe.
#pragma once

#include <memory>

#include "events/sources/source.h"
#include "lab/parameter_visitor.h"

namespace flipscope {

void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& parameters);

/// As make_source(), or make_particle_source() for particles. Same errors.
std::unique_ptr<Source> start_source(Context& context, const SourceParameters& parameters,
                                     std::shared_ptr<const Geometry> input);

}  // namespace flipscope
