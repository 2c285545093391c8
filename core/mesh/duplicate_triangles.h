// Triangles that name the same three vertices as an earlier one. Called by those that judge triangles, before they look
// for pairs that overlap.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/context.h"

namespace flipscope {

struct DuplicateTriangle {
    uint32_t triangle;  // its index
    uint32_t first;     // the first triangle of these vertices
};

/// Ascending. Triangles that name a vertex not below `vertex_count` are not looked at. `context`: whose threads to use,
/// or nullptr. Takes time in proportion to the triangles. Throws Cancelled.
std::vector<DuplicateTriangle> find_duplicate_triangles(std::span<const std::array<uint32_t, 3>> triangles,
                                                        uint32_t vertex_count, Context* context);

}  // namespace flipscope
