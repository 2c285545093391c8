// Indices of points in arrays of NumPy's: the corners of triangles and of other faces, whatever their type. Only the
// readers in this folder include it.
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
    std::string decided;  // for the line of what was understood; empty: it was plain

    /// Throws Error where it is no whole number: "out.npy: row 3: expected …". One that is beyond 64 bits is negative.
    int64_t at(const NpyFile& file, uint64_t row, uint64_t k) const;
};

/// By its shape: (t, 3), or (3, t), its transpose; (t, k) where `most` is at least that. Nothing: it is no such array.
/// An array of shape (0,) has no rows.
std::optional<NpyIndices> find_indices(const NpyFile& file, uint64_t most = 3);

/// Rows of three. Throws Error where the file has none, and says in `notes` what was decided.
std::vector<std::array<uint32_t, 3>> read_triples(const NpyFile& file, std::vector<std::string>& notes);

}  // namespace flipscope::io
