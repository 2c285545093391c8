// Determines the roles of columns by name: coordinates, times, ids, names, with the words of programs that export
// tables. One list for columns of tables, fields of NumPy records, arrays of an archive and keys of JSON objects.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_options.h"

namespace flipscope::io {

inline constexpr std::array<ColumnRole, 8> kColumnRoles{ColumnRole::kX,      ColumnRole::kY,     ColumnRole::kZ,
                                                        ColumnRole::kTime,   ColumnRole::kId,    ColumnRole::kName,
                                                        ColumnRole::kWeight, ColumnRole::kRadius};

/// A parsed name of a header.
struct HeaderName {
    std::string name;     // "x", "Location_Center_X"
    std::string unit;     // "nm" of "x [nm]" and "x (nm)", not "0" of "v[0]"; empty: none
    std::string written;  // "x [nm]"; empty: the column has no name
};
HeaderName header_name(std::string_view written);

/// Column indices by role, from 0.
struct TableRoles {
    std::optional<size_t> x, y, z, time, id, name, weight, radius;
    std::string x_unit, y_unit, time_unit;  // also of names such as "x_nm"; empty: none
    bool degrees = false;                   // longitude and latitude
    bool of_image = false;                  // pixels of an image program, with y pointing down
    /// For tables with a pair of columns per point: "x1", "y1", "x2", "y2".
    struct Pair {
        size_t x, y;
        std::string name;  // "1"
    };
    std::vector<Pair> pairs;  // at least two; empty: not such a table

    std::optional<size_t>& place(ColumnRole role);
};

/// The roles by name, for columns of a suitable kind. `is_text`: (names) whether the column holds text. A time is
/// preferred to a frame number. `any_words`: accepts an x among other words, as in "tip.x", if it is unique.
TableRoles roles_of(const std::vector<HeaderName>& names, const std::vector<bool>& is_text, bool any_words = false);

/// Whether the user chose a column, or no column, for a role.
bool is_chosen(const ReadOptions& options, ColumnRole role);
/// Applies the user's choices for the roles in `which`. Throws Error for an unknown column: "a.csv: there is no column
/// "Lat" for y; did you mean "lat"?; its columns are "lon" and "lat"".
void choose_roles(TableRoles& roles, const std::vector<HeaderName>& names, const ReadOptions& options,
                  const std::string& place, std::span<const ColumnRole> which = kColumnRoles);
/// Throws Error with `what` and the list of columns.
[[noreturn]] void refuse_columns(const std::string& place, const std::string& what,
                                 const std::vector<HeaderName>& names);
/// "mm", "pixel", "deg".
bool is_unit_of_places(std::string_view text);
/// The common unit of x and y, or "°" for longitude and latitude; empty: unknown.
std::string unit_of(const TableRoles& roles);
/// "\"x [nm]\"", the name as written, or "column 3".
std::string source_of(const std::vector<HeaderName>& names, size_t column);

}  // namespace flipscope::io
