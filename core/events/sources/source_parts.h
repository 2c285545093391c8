// Parts shared by the sources, and included only by them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "events/sources/source.h"
#include "mesh/hash.h"

namespace flipscope {

/// The lattice in the parameters. Throws Error if it is empty or too large.
Lattice checked_lattice(const SourceParameters& parameters);

/// "512 × 256 pixels", for errors.
std::string size_text(const Lattice& lattice);

inline constexpr uint32_t kProfileBins = 64;   // of a flow profile, across the channel
inline constexpr double kPixelUnits = 0x1p32;  // integers per pixel: their sums do not depend on order

/// Hash of words in their order.
inline uint64_t hash_words(std::initializer_list<uint64_t> words) {
    uint64_t hash = 0;
    for (const uint64_t word : words) hash = mix64(hash ^ word);
    return hash;
}

}  // namespace flipscope
