// Vectors of GCC and Clang for the exact colouring on CPU threads: of the size that every x86-64 has registers for, and
// of twice that size for functions compiled for AVX2.
#pragma once

#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

using TwoDoubles = double __attribute__((vector_size(16)));
using TwoMasks = int64_t __attribute__((vector_size(16)));

/// Single precision numbers, and their bits.
template <uint32_t kLanes>
struct Lanes {
    typedef float Floats __attribute__((vector_size(4 * kLanes)));
    typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
    typedef int32_t Ints __attribute__((vector_size(4 * kLanes)));
};

inline TwoDoubles both(Point p) { return TwoDoubles{p.x, p.y}; }

}  // namespace flipscope
