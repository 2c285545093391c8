// Tables of text: points, points over time, with all other columns beside them; files, the clipboard and standard input
// alike. A header says what the columns are (io/table_roles.h), and how a text is a table is found out
// (io/table_text.h). Whatever was decided is said in one sentence.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/formats.h"
#include "io/read_options.h"

namespace flipscope {

/// How a text is read as a table, found from its first lines.
struct TableLayout {
    enum class Type { kNumber, kText, kMissing };
    struct Column {
        std::string name;  // "dbh"; "column 3" where the header has none
        std::string unit;  // "nm" of "x [nm]"; empty: none
        Type type = Type::kNumber;
        std::optional<ColumnRole> role;  // none: kept as a column, or left out
    };
    std::vector<Column> columns;
    char separator = ' ', decimal = '.';
    bool has_header = false;
    std::vector<std::vector<std::string>> first_rows;  // at most 8
    bool over_time = false;                            // points over time
    /// Something was guessed that can be meant in another way.
    bool guessed = false;
    std::string sentence;  // "x from "Location_Center_X", y from "Location_Center_Y"; 3 columns kept"; empty: plain
};

/// As read_geometry() reads it, or read_tracks(). Nothing: the file is in another format. Looks at its beginning alone.
/// Throws Error as these do.
std::optional<TableLayout> table_layout(const std::filesystem::path& path, const ReadOptions& options = {},
                                        bool as_tracks = false);

namespace io {

TableLayout layout_of(const InputFile& file, bool as_tracks = false);

/// Points, or points over time where the header names times and ids that come again, or pairs of columns for points.
/// Rows without x or y are left out, and Geometry::rows then says which are left. A column of text holds the names of
/// the points, or categories; one of numbers is an attribute. Throws Error: "trees.csv:41: expected a number as x in
/// column 2, found "abc"".
Geometry read_table(const InputFile& file);

/// The corners of triangles as indices of points, from 0; kNone: no point, negative or beyond 32 bits. A column of
/// names or counts of the rows may stand before them, a region or another column behind them, other columns around
/// three whose names follow one another, as a, b, c, and their number above them. No rows are fine. `point_count`: 0
/// where it is not known. Throws Error.
std::vector<std::array<uint32_t, 3>> read_table_triangles(const InputFile& file, uint64_t point_count = 0);

/// As points over time in any case: without a header columns t, id, x, y.
Tracks read_table_tracks(const InputFile& file);

}  // namespace io
}  // namespace flipscope
