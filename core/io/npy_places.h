// Converts columns of NumPy arrays to points and tracks: roles of columns, missing rows, kept columns, and the note;
// common to .npy, records and .npz; and indices of points. Only the readers in this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/formats.h"
#include "io/npy_file.h"
#include "io/table_roles.h"

namespace flipscope::io {

/// A column with its name in the file.
struct NamedColumn {
    std::string name;
    NpyColumn column;
};

/// Rows of points, or frames of rows.
struct NpyPlaces {
    uint64_t frames = 1, rows = 0;
    bool is_over_time = false;
    NpyColumn x, y;
    std::vector<NamedColumn> columns = {};        // the others, numbers and texts
    std::optional<NpyColumn> time = {}, id = {};  // of the rows of one frame: points over time
    std::optional<NpyColumn> name = {};           // names of points
    std::string unit = {}, time_unit = {};        // from the names: "x [nm]", "t [s]", "lon"
    std::string decided = {};                     // for the note; empty: no interpretation was necessary
};

/// Finds the places in an array of numbers by its shape: (n, 2), (n, 3) with a column "z", (2, n) and (3, n)
/// transposed, (n, 1, 2), (t, n, 2) and so on, or complex numbers. nullopt: any other array, such as a field.
/// `frames_first`: three dimensions are always (t, n, 2), even if they could be one frame.
std::optional<NpyPlaces> find_places(const NpyFile& file, bool frames_first = false);

/// The roles of columns, by name (io/table_roles.h) or by the options. Throws Error if the options name an unknown
/// column.
TableRoles find_roles(const std::vector<NamedColumn>& columns, const ReadOptions& options, const std::string& place);

/// Moves the columns with roles out of `places.columns`. False: x or y is missing.
bool assign_roles(NpyPlaces& places, const ReadOptions& options, const std::string& place);

/// Skips rows with nan or infinite coordinates, with a note. Throws Error for coordinates out of range or not exact as
/// doubles: "p.npy: row 3: x is …". `place`: "p.npy" or "p.npz: points".
Geometry points_of(const InputFile& file, const std::string& place, const NpyPlaces& places);

/// A point with a nan or infinite coordinate is missing in its frame. `times` (t), ascending, and `ids` (n), or empty:
/// 0, 1, 2 … . One frame may instead have columns of times and ids.
Tracks tracks_of(const InputFile& file, const std::string& place, const NpyPlaces& places,
                 const std::vector<double>& times = {}, const std::vector<int64_t>& ids = {});

/// A column of `rows` as an attribute, texts as categories in the order of appearance. `decided` receives a remark on
/// rounded integers.
Attribute attribute_of(const NamedColumn& named, uint64_t rows, std::string& decided);

/// Indices of points: corners of triangles and of other faces, of any type.
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
