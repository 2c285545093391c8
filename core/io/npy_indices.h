// Indices of points in NumPy arrays: corners of triangles and of other faces, of any type. Only the readers in this
// folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/npy_file.h"

namespace flipscope::io {

struct NpyIndices {
    uint64_t rows = 0, width = 0;
    NpyColumn first;      // of each row
    uint64_t across = 0;  // bytes from one index of a row to the next
    std::string decided;  // for the note; empty: no interpretation was necessary

    /// Throws Error for a number that is not an integer: "out.npy: row 3: expected …". One beyond 64 bits gives a
    /// negative value.
    int64_t at(const NpyFile& file, uint64_t row, uint64_t k) const;
};

/// By shape: (t, 3), its transpose (3, t), or (t, k) with k <= `most`. nullopt: any other array. An array of shape (0,)
/// has no rows.
std::optional<NpyIndices> find_indices(const NpyFile& file, uint64_t most = 3);

/// Rows of three. Throws Error if the file has none; notes the interpretation.
std::vector<std::array<uint32_t, 3>> read_triples(const NpyFile& file, std::vector<std::string>& notes);

}  // namespace flipscope::io
