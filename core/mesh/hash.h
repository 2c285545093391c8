// Mixing functions for hashes and scrambled orders. All are bijections of their last argument's word.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "flipscope/view.h"

namespace flipscope {

/// A bijection of 64 bits with good avalanche (the finaliser of splitmix64, Steele, Lea and Flood 2014).
FLIPSCOPE_HD inline uint64_t mix64(uint64_t v) {
    v += 0x9E3779B97F4A7C15ull;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ull;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBull;
    return v ^ (v >> 31);
}

/// Hash of words in their order, after those of `hash`.
inline uint64_t hash_words(std::initializer_list<uint64_t> words, uint64_t hash = 0) {
    for (const uint64_t word : words) hash = mix64(hash ^ word);
    return hash;
}

/// Hash of a triangle over ids that mean the same everywhere; the same for its three rotations.
FLIPSCOPE_HD inline uint64_t hash_triangle(uint32_t a, uint32_t b, uint32_t c) {
    while (a > b || a > c) {
        const uint32_t first = a;
        a = b, b = c, c = first;
    }
    return mix64(mix64((uint64_t(a) << 32) | b) ^ c);
}

}  // namespace flipscope
