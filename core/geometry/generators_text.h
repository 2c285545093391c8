// What generators.cpp and its texts share: the check that a spec can be made at all.
#pragma once

#include "geometry/generators.h"

namespace flipscope {

/// Throws Error unless spec names a generator and its count, scale and offset are within its limits.
void check_generator(const GeneratorSpec& spec);

}  // namespace flipscope
