// Shared by generators.cpp and generators_text.cpp: validation of a spec.
#pragma once

#include "geometry/generators.h"

namespace flipscope {

/// Throws Error unless spec names a generator and its count, options, scale and offset are within its limits.
void check_generator(const GeneratorSpec& spec);

/// The generator of this name; throws Error for an unknown one.
const GeneratorInfo& find_generator(const std::string& name);

}  // namespace flipscope
