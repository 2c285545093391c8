// From columns of NumPy's arrays to points and to tracks: which columns are what, which rows are missing, what is kept
// beside the places, and the line that says so; the same for .npy, for records and for .npz. Only the readers in this
// folder include it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/formats.h"
#include "io/npy_file.h"
#include "io/table_roles.h"

namespace flipscope::io {

/// A column, and what it is called in the file.
struct NamedColumn {
    std::string name;
    NpyColumn column;
};

/// What is read of arrays: rows of points, or frames of them.
struct NpyPlaces {
    uint64_t frames = 1, rows = 0;
    bool is_over_time = false;
    NpyColumn x, y;
    std::vector<NamedColumn> columns = {};        // the others, numbers and texts
    std::optional<NpyColumn> time = {}, id = {};  // of one frame's rows: they are points over time all the same
    std::optional<NpyColumn> name = {};           // what points are called
    std::string unit = {}, time_unit = {};        // as the names have them: "x [nm]", "t [s]", "lon"
    std::string decided = {};                     // for the line of what was understood; empty: it was plain
};

/// How an array of numbers holds places, by its shape: (n, 2), (n, 3) with a column "z", (2, n) and (3, n) transposed,
/// (n, 1, 2), (t, n, 2) and so on, or complex numbers. Nothing: it is none of these, as a field. `frames_first`: three
/// dimensions are (t, n, 2) even where they could be points of one frame.
std::optional<NpyPlaces> find_places(const NpyFile& file, bool frames_first = false);

/// What columns are by their names (io/table_roles.h), or by what the options say. Throws Error where the options name
/// a column that is not there.
TableRoles find_roles(const std::vector<NamedColumn>& columns, const ReadOptions& options, const std::string& place);

/// Takes the columns with roles out of `places.columns`. False: no column is x, or none y.
bool assign_roles(NpyPlaces& places, const ReadOptions& options, const std::string& place);

/// A row with a coordinate that is nan or infinite is missing, and said. Throws Error for coordinates that are out of
/// range or that no double is equal to: "p.npy: row 3: x is …". `place`: "p.npy" or "p.npz: points".
Geometry points_of(const InputFile& file, const std::string& place, const NpyPlaces& places);

/// A point with a coordinate that is nan or infinite is missing in its frame. `times` (t), ascending, and `ids` (n), or
/// empty: 0, 1, 2 … . Or, of one frame with columns of times and ids: these tell which row is which point when.
Tracks tracks_of(const InputFile& file, const std::string& place, const NpyPlaces& places,
                 const std::vector<double>& times = {}, const std::vector<int64_t>& ids = {});

/// A column of `rows` as an attribute, texts as categories in the order in which they come. `decided`: where to say
/// that whole numbers were rounded.
Attribute attribute_of(const NamedColumn& named, uint64_t rows, std::string& decided);

/// Whatever the array is: points, points over time, a field. Throws Error.
Geometry read_npy(const InputFile& file);

/// "a; b", of what is not empty.
void append_clause(std::string& to, const std::string& clause);

/// Of a value for each row those of some rows, which ascend; of none nothing.
template <class T>
void keep_rows(std::vector<T>& values, const std::vector<uint64_t>& rows) {
    if (values.empty()) return;
    for (size_t i = 0; i < rows.size(); ++i)
        if (rows[i] != i) values[i] = std::move(values[rows[i]]);
    values.resize(rows.size());
}

}  // namespace flipscope::io
