// Small point sets that break triangulators: lines, circles, duplicates and clusters that are exactly degenerate, or
// nearly so, to the last bit. Used by `flipscope torture` and by tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

struct AdversarialSet {
    std::string kind;  // "almost-line"
    std::vector<Point> points;
};

struct AdversarialKind {
    const char* name;
    const char* sentence;  // what it makes
};
/// All kinds, in the order in which adversarial_set() cycles through them.
const std::vector<AdversarialKind>& adversarial_kinds();

/// The set of this number, 3 to 20 points: the same for the same number and seed. Coordinates are in the range of the
/// predicates. Kinds that use cos and sin may differ in the last bit between C libraries.
AdversarialSet adversarial_set(uint64_t number, uint64_t seed = 1);

}  // namespace flipscope
