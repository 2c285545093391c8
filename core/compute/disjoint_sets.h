// Disjoint sets of indices on the host: each index has a parent, a root itself. join_sets() makes the
// lowest index of a set its root.
#pragma once

#include <cstdint>
#include <vector>

namespace flipscope {

/// Returns the root of i's set, and shortens the path to it.
inline uint32_t root_of(std::vector<uint32_t>& parents, uint32_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

inline void join_sets(std::vector<uint32_t>& parents, uint32_t i, uint32_t j) {
    const uint32_t a = root_of(parents, i), b = root_of(parents, j);
    parents[a > b ? a : b] = a > b ? b : a;
}

}  // namespace flipscope
