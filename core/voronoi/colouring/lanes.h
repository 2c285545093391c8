// Vectors of GCC and Clang for the exact colouring on CPU threads: of the size that every x86-64 has registers for, and
// of twice that size for functions compiled for AVX2.
#pragma once

#include <cstdint>

#include "geometry/point.h"

namespace flipscope {

using TwoDoubles = double __attribute__((vector_size(16)));
using TwoMasks = int64_t __attribute__((vector_size(16)));
using FourFloats = float __attribute__((vector_size(16)));
using FourWords = uint32_t __attribute__((vector_size(16)));
using FourInts = int32_t __attribute__((vector_size(16)));
using EightFloats = float __attribute__((vector_size(32)));
using EightWords = uint32_t __attribute__((vector_size(32)));
using EightInts = int32_t __attribute__((vector_size(32)));

inline TwoDoubles both(Point p) { return TwoDoubles{p.x, p.y}; }

/// Single precision numbers, and their bits.
template <uint32_t kLanes>
struct Lanes;
template <>
struct Lanes<4> {
    using Floats = FourFloats;
    using Words = FourWords;
    using Ints = FourInts;
};
template <>
struct Lanes<8> {
    using Floats = EightFloats;
    using Words = EightWords;
    using Ints = EightInts;
};

}  // namespace flipscope
