// Reads tables of text as points or points over time, with all other columns: from files, the clipboard and standard
// input. The header determines the roles of columns (io/table_roles.h); the table's dialect is detected
// (io/table_text.h). One note states all decisions.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/formats.h"
#include "io/read_options.h"
#include "io/table_text.h"

namespace flipscope {

/// The layout of a table, detected from its first lines.
struct TableLayout {
    struct Column {
        std::string name;  // "dbh"; "column 3" without a name
        std::string unit;  // "nm" of "x [nm]"; empty: none
        io::ColumnKind kind = io::ColumnKind::kNumber;
        std::optional<ColumnRole> role;  // none: kept as a column, or ignored
    };
    std::vector<Column> columns;
    char separator = ' ', decimal = '.';
    bool has_header = false;
    std::vector<std::vector<std::string>> first_rows;  // at most 8
    bool over_time = false;                            // points over time
    /// A decision was ambiguous.
    bool guessed = false;
    std::string sentence;  // "x from "Location_Center_X", y from "Location_Center_Y"; 3 columns kept"; or empty
};

/// The layout that read_geometry() or read_tracks() uses, from the beginning of the file. nullopt: another format.
/// Throws Error as they do.
std::optional<TableLayout> table_layout(const std::filesystem::path& path, const ReadOptions& options = {},
                                        bool as_tracks = false);

namespace io {

TableLayout layout_of(const InputFile& file, bool as_tracks = false);

/// Points; or points over time, if the header has times and repeated ids, or pairs of columns per point. Skips rows
/// without x or y; Geometry::rows lists the remaining ones. A column of text holds names or categories; a column of
/// numbers is an attribute. Throws Error: "trees.csv:41: expected a number as x in column 2, found "abc"".
Geometry read_table(const InputFile& file);

/// The corners of triangles as indices of points, from 0; kNone: no point, negative or beyond 32 bits. Tolerates a
/// leading column of names or row numbers, a trailing region or other column, other columns around three with
/// consecutive names (a, b, c), and a leading count. The table may be empty. `point_count`: 0: unknown. Throws Error.
std::vector<std::array<uint32_t, 3>> read_table_triangles(const InputFile& file, uint64_t point_count = 0);

/// Always as points over time: without a header the columns are t, id, x, y.
Tracks read_table_tracks(const InputFile& file);

}  // namespace io
}  // namespace flipscope
