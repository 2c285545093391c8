// The parameters of what moves in the Events lab, as the panel and the command line show them, and the source that they
// describe.
#pragma once

#include <memory>

#include "events/sources/source.h"
#include "lab/parameter_visitor.h"

namespace flipscope {

void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& parameters);

/// As make_source(), and particles as make_particle_source(). Same errors.
std::unique_ptr<Source> start_source(Context& context, const SourceParameters& parameters,
                                     std::shared_ptr<const Geometry> input);

}  // namespace flipscope
