// What generators.cpp and its texts share: the check that a spec can be made at all.
#pragma once

#include "geometry/generators.h"

namespace flipscope {

/// Throws Error unless spec names a generator and its count, options, scale and offset are within its limits.
void check_generator(const GeneratorSpec& spec);

/// That of a name; throws Error for one that is not known.
const GeneratorInfo& find_generator(const std::string& name);

}  // namespace flipscope
