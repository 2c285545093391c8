// Random numbers for the generators: one seed, many streams, so that no two decisions share their bits. Only the
// generators use it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/random.h"

namespace flipscope {

/// What a random number is for.
enum class Stream : uint32_t {
    kPlace = 1,
    kShuffle,
    kGap,
    kClusterOf,
    kClusterCentre,
    kCopyOf,
    kNudge,
    kPhase,
    kThrow,
    kJitter,
    kDiagonal,
    kHeight,
};

class Random {
  public:
    explicit Random(uint64_t seed) : seed_(seed) {}

    RandomPair pair(Stream stream, uint64_t index) const { return random_pair(seed_, counter(stream, index)); }
    double number(Stream stream, uint64_t index) const { return pair(stream, index).first; }
    uint64_t seed() const { return seed_; }

    /// The streams share one counter: the stream is its top byte.
    static uint64_t counter(Stream stream, uint64_t index) { return static_cast<uint64_t>(stream) << 56 | index; }

  private:
    uint64_t seed_;
};

/// A whole number below `limit` (at most 2^32) from a uniform number in [0, 1).
inline uint64_t below(double u, uint64_t limit) {
    return std::min(static_cast<uint64_t>(u * static_cast<double>(limit)), limit - 1);
}

}  // namespace flipscope
