// Random numbers for the generators: one seed, many independent streams. Only the generators use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compute/cancel.h"
#include "compute/random.h"
#include "geometry/point.h"

namespace flipscope {

/// The purpose of a random number.
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
    kParent,
    kParentPlace,
    kMark,
    kVacancy,
    kDigits,
    kMatrix,
    kGamma,
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

/// An integer below `limit` (at most 2^32) from a uniform number in [0, 1).
inline uint64_t below(double u, uint64_t limit) {
    return std::min(static_cast<uint64_t>(u * static_cast<double>(limit)), limit - 1);
}

/// Collects make(i) for every i below n.
template <class Make>
std::vector<Point> make_each(uint64_t n, const Make& make) {
    CancelPoll poll;
    std::vector<Point> points;
    points.reserve(n);
    for (uint64_t i = 0; i < n; ++i) {
        poll();
        points.push_back(make(i));
    }
    return points;
}

inline void shuffle(std::vector<Point>& points, const Random& random) {
    CancelPoll poll;
    for (uint64_t i = points.size(); i > 1; --i) {
        poll();
        std::swap(points[i - 1], points[below(random.number(Stream::kShuffle, i), i)]);
    }
}

}  // namespace flipscope
