// Triangles with the same three vertices as an earlier one. Called by checks of triangles before their search for
// overlapping pairs.
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

/// Ascending. Ignores triangles with a vertex not below `vertex_count`. `context`: provides threads, or nullptr. Linear
/// time. Throws Cancelled.
std::vector<DuplicateTriangle> find_duplicate_triangles(std::span<const std::array<uint32_t, 3>> triangles,
                                                        uint32_t vertex_count, Context* context);

}  // namespace flipscope
